"""The cart, the checkout and the orders."""

import re
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pilotfish.practice.shop import find_item, item_values
from pilotfish.practice.views import fields, money, page, part, redirect_to, rows, world_of, write_faults, write_options
from pilotfish.practice.worlds import PracticeWorld

COUNTRIES = ("Finland", "Iceland", "Ireland", "Norway", "Portugal", "Scotland", "Sweden", "Wales")
DELIVERY = {"standard": 490, "express": 1290, "pickup": 0}
FREE_DELIVERY = 7500
COUPONS = {"FERN10": 10, "HARBOUR20": 20}
_RULES = {
    "name": (r".{2,}", "Enter your full name."),
    "email": (r"[^@\s]+@[^@\s]+\.[^@\s]+", "Enter an email address such as name@example.org."),
    "street": (r".{3,}", "Enter street and number."),
    "city": (r".{2,}", "Enter a city."),
    "postcode": (r"[0-9]{4,6}", "A postcode has 4 to 6 digits."),
    "country": (r".+", "Choose a country."),
    "card": (r"(\d[ -]?){15}\d", "A card number has 16 digits."),
    "expiry": (r"(0[1-9]|1[0-2]) ?/ ?\d\d", "Expiry is month and year, such as 09/28."),
    "cvc": (r"\d{3}", "The security code has 3 digits."),
    "terms": (r".+", "Please accept the terms."),
}


async def add(request: Request) -> Response:
    world, form = world_of(request), await fields(request)
    product = find_item(world, form.get("slug", ""))
    text = form.get("quantity", "1")
    quantity = int(text) if text.isdecimal() else 0
    if not product or not 1 <= quantity <= product["stock"]:
        world.flash_message("That quantity is not available.")
        return redirect_to(f"/shop/product/{form.get('slug', '')}" if product else "/shop")
    colour = form.get("colour") or product["colours"][0]
    line = next((x for x in world.state["cart"] if x["slug"] == product["slug"] and x["colour"] == colour), None)
    if line:
        line["quantity"] += quantity
    else:
        world.state["cart"].append({"slug": product["slug"], "colour": colour, "quantity": quantity})
    world.record_effect("cart.added", slug=product["slug"], colour=colour, quantity=quantity)
    world.flash_message(f"Added to cart: {quantity} × {product['name']}.")
    return redirect_to("/shop/cart")


def _lines(world: PracticeWorld) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    for n, line in enumerate(world.state["cart"]):
        item = find_item(world, line["slug"])
        if item:
            cost = item["price"] * line["quantity"]
            lines.append({**item_values(item, world), **line, "n": n, "sum": money(cost), "cents": cost})
    return lines


def _totals(world: PracticeWorld, delivery: str = "") -> dict[str, int]:
    goods = sum(line["cents"] for line in _lines(world))
    off = goods * COUPONS.get(world.state["coupon"], 0) // 100
    post = 0 if delivery == "standard" and goods >= FREE_DELIVERY else DELIVERY.get(delivery, 0)
    return {"goods": goods, "off": off, "post": post, "total": goods - off + post}


async def cart(request: Request) -> Response:
    world = world_of(request)
    lines, totals = _lines(world), _totals(world)
    if not lines:
        return page(request, "live/empty")
    coupon = world.state["coupon"]
    discount = part("live/cart", "discount", code=coupon, off=money(totals["off"])) if coupon else ""
    return page(
        request,
        "live/cart",
        lines=rows("live/cart", "line", lines),
        goods=money(totals["goods"]),
        discount=discount,
        total=money(totals["total"]),
    )


async def change(request: Request) -> Response:
    """Another quantity of one line; 0 takes it out."""
    world, form = world_of(request), await fields(request)
    lines, n, quantity = world.state["cart"], form.get("n", ""), form.get("quantity", "")
    if n.isdecimal() and quantity.isdecimal() and int(n) < len(lines):
        line = lines[int(n)]
        line["quantity"] = int(quantity)
        world.record_effect("cart.changed" if int(quantity) else "cart.removed", **line)
        world.state["cart"] = [x for x in lines if x["quantity"]]
        world.flash_message("Cart updated.")
    return redirect_to("/shop/cart")


async def coupon(request: Request) -> Response:
    world, form = world_of(request), await fields(request)
    code = form.get("code", "").upper()
    if code in COUPONS:
        world.state["coupon"] = code
        world.record_effect("cart.coupon", code=code)
        world.flash_message(f"{code} takes {COUPONS[code]} % off.")
    else:
        world.flash_message(f"We do not know the code “{code}”.")
    return redirect_to("/shop/cart")


def _form(request: Request, form: dict[str, Any], faults: list[str], status: int) -> Response:
    world = world_of(request)
    names = ("name", "email", "street", "city", "postcode", "expiry", "notes")
    return page(
        request,
        "live/checkout",
        status,
        **{name: form.get(name, "") for name in names},
        countries=write_options(COUNTRIES, form.get("country", ""), blank="Choose…"),
        **{f"is_{d}": "checked" if form.get("delivery", "standard") == d else "" for d in DELIVERY},
        gift="checked" if form.get("gift") else "",
        faults=write_faults("live/checkout", faults),
        lines=rows("live/checkout", "line", _lines(world)),
        total=money(_totals(world)["total"]),
    )


async def checkout(request: Request) -> Response:
    world = world_of(request)
    if not world.state["cart"]:
        return redirect_to("/shop/cart")
    if request.method == "GET":
        return _form(request, {"name": world.state["profile"]["name"]} if world.state["user"] else {}, [], 200)
    form = await fields(request)
    faults = {name: say for name, (rule, say) in _RULES.items() if not re.fullmatch(rule, form.get(name, ""))}
    if faults:
        world.record_effect("order.refused", fields=sorted(faults))
        return _form(request, form, list(faults.values()), 422)
    return redirect_to(f"/shop/order/{_order(world, form)}")


def _order(world: PracticeWorld, form: dict[str, Any]) -> str:
    """Turn the cart into an order; of the card only the last digits are kept."""
    kept = ("name", "email", "street", "city", "postcode", "country", "notes")
    delivery = form.get("delivery", "standard")
    number = f"F-{1001 + len(world.state['orders'])}"
    order: dict[str, Any] = {
        "number": number,
        "lines": world.state["cart"],
        **{name: form.get(name, "") for name in kept},
        "delivery": delivery,
        "gift": bool(form.get("gift")),
        "card": form["card"][-4:],
        "total": _totals(world, delivery)["total"],
    }
    world.state["orders"].append(order)
    world.state["cart"], world.state["coupon"] = [], ""
    world.record_effect("order.placed", **order)
    return number


async def ordered(request: Request) -> Response:
    orders = world_of(request).state["orders"]
    order = next((o for o in orders if o["number"] == request.path_params["number"]), None)
    if not order:
        return page(request, "live/missing", 404, path=request.url.path)
    return page(request, "live/order", **{**order, "total": money(order["total"])})


def routes() -> list[Route]:
    return [
        Route("/shop/cart", cart),
        Route("/shop/cart/add", add, methods=["POST"]),
        Route("/shop/cart/change", change, methods=["POST"]),
        Route("/shop/cart/coupon", coupon, methods=["POST"]),
        Route("/shop/checkout", checkout, methods=["GET", "POST"]),
        Route("/shop/order/{number}", ordered),
    ]

"""The shop: catalogue, product pages and wishlist."""

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pilotfish.practice.views import money, page, part, rows, world_of, write_options
from pilotfish.practice.worlds import PracticeWorld

SORTS: dict[str, Callable[[dict[str, Any]], Any] | None] = {
    "Featured": None,
    "Price: low to high": itemgetter("price"),
    "Price: high to low": lambda p: -p["price"],
    "Best rated": lambda p: -p["rating"],
    "Name": itemgetter("name"),
}


def find_item(world: PracticeWorld, slug: str) -> dict[str, Any] | None:
    return next((p for p in world.state["goods"] if p["slug"] == slug), None)


def item_values(product: dict[str, Any], world: PracticeWorld) -> dict[str, Any]:
    return {
        **product,
        "cost": money(product["price"]),
        "hue": sum(map(ord, product["slug"])) * 37 % 360,
        "initial": product["name"][0],
        "left": f"{product['stock']} in stock" if product["stock"] else "Sold out",
        "heart": "on" if product["slug"] in world.state["wishlist"] else "",
    }


async def catalogue(request: Request) -> Response:
    world, query = world_of(request), request.query_params
    q, category, sort = query.get("q", "").strip(), query.get("category", ""), query.get("sort", "Featured")
    products = [p for p in world.state["goods"] if category in ("", p["category"])]
    if q:
        world.record_effect("shop.searched", q=q)
        products = [p for p in products if all(w in f"{p['name']} {p['summary']}".lower() for w in q.lower().split())]
    if query.get("stock"):
        products = [p for p in products if p["stock"]]
    if order := SORTS.get(sort):
        products = sorted(products, key=order)
    categories = sorted({p["category"] for p in world.state["goods"]})
    return page(
        request,
        "live/shop",
        q=q,
        category=category,
        heading=category or "All goods",
        count=f"{len(products)} product{'' if len(products) == 1 else 's'}",
        categories=rows("live/shop", "category", [{"name": c} for c in categories]),
        sorts=write_options(SORTS, sort),
        stock="checked" if query.get("stock") else "",
        cards=rows("live/shop", "card", [item_values(p, world) for p in products]) or part("live/shop", "none"),
    )


async def product(request: Request) -> Response:
    world = world_of(request)
    item = find_item(world, request.path_params["slug"])
    if not item:
        return page(request, "live/missing", 404, path=request.url.path)
    return page(
        request,
        "live/product",
        **item_values({**item, "reviews": rows("live/product", "review", item.get("reviews", []))}, world),
        options=write_options(item["colours"], item["colours"][0]),
        table=rows("live/product", "spec", [{"name": n, "value": v} for n, v in item["specs"].items()]),
        disabled="" if item["stock"] else "disabled",
    )


async def wish(request: Request) -> Response:
    world, slug = world_of(request), (await request.json())["slug"]
    wishes = world.state["wishlist"]
    if slug in wishes:
        wishes.remove(slug)
    else:
        wishes.append(slug)
    world.record_effect("wishlist.changed", slug=slug, on=slug in wishes)
    return JSONResponse({"on": slug in wishes})


def routes() -> list[Route]:
    return [
        Route("/shop", catalogue),
        Route("/shop/product/{slug}", product),
        Route("/api/wish", wish, methods=["POST"]),
    ]

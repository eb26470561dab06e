"""A shop: a catalogue with search and pages, a basket, favourites; goods that differ in one word."""

from collections.abc import Iterator, Sequence

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, ask, click, done, fill, give_up, search, star
from gym.site import Form, Site
from gym.words import Draw

BUY = (
    "Add to cart; Add to basket; Buy; I take it",
    "In den Warenkorb; Kaufen",
    "Ajouter au panier; Acheter",
    "Añadir al carrito; Comprar",
    "加入购物车; 购买",
)


def make(draw: Draw) -> Site:
    paths = {"/": "home", "/goods": "s_goods", "/cart": "s_cart", "/favorites": "s_favorites", "/help": "help"}
    site = Site(draw, paths)
    name, price, quantity = draw.word("item"), draw.word("price"), draw.word("quantity")
    plain, absent, *others = draw.some("goods", draw.number(6, 22))
    colors = draw.some("colors", 2)
    twins = [f"{plain} ({color})" for color in colors]
    goods = {f"{100 + at}": each for at, each in enumerate(draw.sample([*twins, *others], len(others) + 2))}
    prices = {key: draw.money() for key in goods}
    kind = draw.pick(draw.kinds())
    held = draw.sample(list(goods), 3) if kind == "remove" else []
    cart = {key: draw.number(1, 3) for key in held}
    site.data = {"cart": cart, "starred": []}

    def table(ui: Ui, keys: Sequence[str]) -> list[Row]:
        marked = site.data["starred"]
        stars = {key: ui.star("star", key in marked, site.sections["/favorites"], id=key) for key in keys}
        return [Row([goods[key], prices[key]], f"/goods/{key}", key=key, mark=stars[key]) for key in keys]

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(draw.word("welcome")), ui.table([name, price], table(ui, list(goods)[:2]))]

    @site.page("/goods")
    def catalogue(ui: Ui) -> Sequence[str]:
        return [ui.heading(site.sections["/goods"]), ui.listing([name, price], table(ui, list(goods)), "/goods")]

    @site.page("/goods/{id}")
    def item(ui: Ui, id: str) -> Sequence[str]:
        order = ui.form("add", [ui.field("n", quantity, "1", "number")], draw.words(*BUY), id=id)
        return [ui.heading(goods[id]), ui.facts({price: prices[id], draw.word("number"): id}), order]

    @site.page("/cart")
    def show_cart(ui: Ui) -> Sequence[str]:
        drop = Action(draw.word("delete"), "drop", icon="✕")
        rows = [Row([goods[key], str(n)], key=key, actions=[drop]) for key, n in cart.items()]
        return [ui.heading(site.sections["/cart"]), ui.table([name, quantity], rows)]

    @site.page("/favorites")
    def favorites(ui: Ui) -> Sequence[str]:
        return [ui.heading(site.sections["/favorites"]), ui.table([name, price], table(ui, site.data["starred"]))]

    @site.page("/help")
    def help(ui: Ui) -> Sequence[str]:
        return [ui.heading(site.sections["/help"]), ui.text(*draw.all("filler"))]

    @site.act("add")
    def add(form: Form) -> None:
        if site.require(form, "n", bad_number__n=not form.get("n", "").strip().isdecimal()):
            cart[form["id"]] = cart.get(form["id"], 0) + int(form["n"])
            site.notice = f"{draw.word('added')} {goods[form['id']]} × {form['n']}"

    @site.act("drop")
    def drop(form: Form) -> None:
        del cart[form["id"]]

    @site.act("star")
    def mark(form: Form) -> None:
        marked: list[str] = site.data["starred"]
        marked.remove(form["id"]) if form["id"] in marked else marked.append(form["id"])

    target = draw.pick(held or [key for key in goods if goods[key] not in twins])
    if kind == "which":
        target = next(key for key in goods if goods[key] == twins[1])
    good, n = goods[target], draw.number(2, 9) if kind == "buy" else 1
    said = {"absent": absent, "which": plain}.get(kind, good)
    seeks = kind == "absent" or draw.chance(0.5)

    def steps() -> Iterator[Step]:
        if kind == "remove":
            yield click(site.sections["/cart"])
            yield click(draw.word("delete"), row=good)
            yield done(f"{draw.word('deleted')} {good}")
            return
        yield click(site.sections["/goods"], why="goods are listed here")
        if seeks:
            yield search(said)
        if kind == "absent":
            yield give_up(f"{absent}: {draw.word('nothing_found')}", see=draw.word("nothing_found"))
        elif kind == "star":
            yield star(site.sections["/favorites"], good)
            yield done(f"★ {good}")
        elif kind == "price":
            yield done(f"{good}: {prices[target]}", see=prices[target])
        if kind == "which":
            yield ask(f"{draw.word('color')}: {colors[0]} / {colors[1]}?", why="there are two of them")
        yield click(good)
        if n > 1:
            yield fill(quantity, str(n))
        yield click(draw.words(*BUY))
        yield done(f"{good} × {n}: {site.sections['/cart']}", see=draw.word("added"))

    if kind == "remove":
        site.task(draw.goal(kind, good=said), steps, want=lambda data: data["cart"].pop(target))
    elif kind == "star":
        site.task(draw.goal(kind, good=said), steps, want=lambda data: data["starred"].append(target))
    elif kind == "price":
        site.task(draw.goal(kind, good=said), steps, answer=[prices[target]])
    elif kind == "absent":
        site.task(draw.goal(kind, good=said), steps, ending="give_up")
    else:
        person = colors[1] if kind == "which" else ""
        want = {"cart": {target: n}}
        site.task(draw.goal(kind, good=said, n=n), steps, want=lambda data: data.update(want), person=person)
    return site

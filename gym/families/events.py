"""Events of a house: ticket types with amounts, a basket, an order with a way of delivery; at most six tickets."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, ask, choose, click, done, give_up
from gym.parts import set_amount, write_amount
from gym.site import Form, Site
from gym.words import Draw

TYPES = ("adult", "child", "reduced")
MOST = 6


def make(draw: Draw) -> Site:
    w = draw.word
    site = Site(
        draw, {"/": "home", "/on": "programme", "/basket": "basket", "/venue": "venue", "/past": "past"}, dressed="no"
    )
    kind = draw.pick(draw.kinds())
    names = draw.sample(draw.all("names"), draw.number(5, 7))
    days = dict(zip(names, draw.days(len(names)), strict=True))
    order = draw.sample(names, len(names)) if draw.chance(0.5) else names
    stages = {each: draw.pick(draw.all("stages")) for each in names}
    doors = {each: f"{draw.number(16, 20)}:{draw.pick(('10', '25', '40'))}" for each in names}
    prices = {(each, type): draw.money(4, 80) for each in names for type in TYPES}
    gone, ways, number = names[-1], draw.all("ways"), draw.digits(5)
    teaser = draw.chance(0.5)
    site.keeps_entries = False
    site.data = {"basket": {}, "orders": []}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        shown = [f"<div>{days[each]}: {ui.link(each, f'/event/{names.index(each)}')}</div>" for each in names[:2]]
        return [ui.heading(site.brand), ui.text(draw.all("filler")[0]), *(shown if teaser else [])]

    @site.page("/on")
    def programme(ui: Ui) -> Sequence[str]:
        rows = [
            Row([each, days[each], stages[each], w("sold_out") if each == gone else ""], f"/event/{names.index(each)}")
            for each in order
        ]
        return [ui.heading(site.sections["/on"]), ui.table([w("title"), w("date"), w("stage"), w("status")], rows)]

    @site.page("/event/{at}")
    def event(ui: Ui, at: str) -> Sequence[str]:
        one = names[int(at)]
        facts = ui.facts({w("date"): days[one], w("doors"): doors[one], w("stage"): stages[one]})
        costs = ui.facts({f"{w('price')} {w(type)}": prices[one, type] for type in TYPES})
        if one == gone:
            return [ui.heading(one), facts, ui.text(w("sold_out"))]
        fields = [write_amount(ui, type, w(type), 0, 12) for type in TYPES]
        return [ui.heading(one), facts, costs, ui.form("put", fields, w("put"), event=one)]

    @site.page("/basket")
    def basket(ui: Ui) -> Sequence[str]:
        held: dict[str, int] = site.data["basket"]
        rows = [Row([*key.split("|"), str(n)]) for key, n in held.items()]
        table = ui.table([w("title"), w("category"), w("quantity")], rows)
        form = ui.form("order", [ui.choose("way", w("how"), ways)], w("order")) if held else ""
        return [ui.heading(site.sections["/basket"]), table, form]

    @site.act("put")
    def put(form: Form) -> str | None:
        counts = {type: form.get(type, "0").strip() or "0" for type in TYPES}
        if not site.require(form, **{f"bad_number__{type}": not n.isdecimal() for type, n in counts.items()}):
            return None
        total = sum(map(int, counts.values()))
        if total > MOST or not total:
            site.notice = w("too_many") if total else w("required")
            return None
        for type, n in counts.items():
            if int(n):
                site.data["basket"][f"{form['event']}|{w(type)}"] = int(n)
        site.notice = w("added")
        return "/basket"

    @site.act("order")
    def send(form: Form) -> str:
        site.data["orders"].append([dict(site.data["basket"]), form["way"]])
        site.data["basket"] = {}
        site.notice = f"{w('ordered')} {number}"
        return "/"

    free = names[:-1]
    one = gone if kind == "gone" else draw.pick(free)
    stage = stages[one]
    first = min((each for each in names if stages[each] == stage), key=lambda each: days[each])
    a, c, s, m = draw.number(1, 3), draw.number(1, 3), draw.number(2, 4), draw.number(7, 11)
    way = draw.pick(ways[1:])
    wanted = {
        "family": {"adult": a, "child": c},
        "student": {"reduced": s},
        "basket": {"adult": a},
        "many": {"adult": m},
        "ask": {"adult": a},
    }.get(kind, {})
    if kind == "many":
        site.style.use(amount=draw.pick(("field", "select")))

    def steps() -> Iterator[Step]:
        if kind == "next":
            yield click(site.sections["/on"])
            yield done(f"{first}: {days[first]}", see=first, why=f"{days[first]} comes first")
        if not teaser or one not in names[:2]:
            yield click(site.sections["/on"])
        if kind == "gone":
            yield give_up(f"{one}: {w('sold_out')}", see=w("sold_out"), why="there are no tickets left")
        yield click(one)
        if kind == "doors":
            yield done(f"{one}: {w('doors')} {doors[one]}", see=doors[one])
        elif kind == "kids":
            yield done(f"{one}, {w('child')}: {prices[one, 'child']}", see=prices[one, "child"])
        for type, n in wanted.items():
            yield from set_amount(site, w(type), 0, n)
        yield click(w("put"))
        if kind == "many":
            yield give_up(f"{one}: {w('too_many')}", see=w("too_many"), why="the site refuses so many")
        elif kind == "basket":
            yield done(f"{w('added')} {one} × {a}", see=w("added"))
        if kind == "ask":
            yield ask(f"{w('how')}: {' / '.join(ways)}?", see=ways[1], why="the goal does not say how they come")
        yield choose(w("how"), way)
        yield click(w("order"))
        yield done(f"{w('ordered')} {number}", see=number)

    def want(data: dict[str, Any]) -> None:
        tickets = {f"{one}|{w(type)}": n for type, n in wanted.items()}
        if kind == "basket":
            data["basket"] = tickets
        elif kind in ("family", "student", "ask"):
            data["orders"].append([tickets, way])

    goal = draw.goal(kind, event=one, a=a, c=c, s=s, m=m, way=way, stage=stage)
    answers = {"doors": [doors[one]], "kids": [prices[one, "child"]], "next": [first]}.get(kind, [])
    ending, person = "give_up" if kind in ("gone", "many") else "done", way if kind == "ask" else ""
    site.task(goal, steps, want=want, answer=answers, ending=ending, person=person)
    return site

"""A store room: counters with plus and minus in each row, sums to work out, places to change."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, choose, click, done, fill, give_up, search
from gym.site import Form, Site
from gym.words import Draw

STORE = (
    "Store room; Stock; Inventory",
    "Lager; Bestand; Inventar",
    "Réserve; Stock; Inventaire",
    "Almacén; Inventario",
    "仓库; 库存表",
)
PLUS, MINUS = "+1", "−1"


def make(draw: Draw) -> Site:
    site = Site(
        draw,
        {"/": "home", "/stock": draw.words(*STORE), "/reports": "s_reports", "/people": "s_people", "/help": "help"},
    )
    item, count, place, edit = draw.word("item"), draw.word("quantity"), draw.word("city"), draw.word("edit")
    *names, absent = draw.some("goods", draw.number(6, 20))
    places = draw.some("cities", 4)
    things: dict[str, dict[str, Any]] = {
        f"g{at}": {"name": each, "n": draw.number(2, 60), "place": draw.pick(places)} for at, each in enumerate(names)
    }
    empty = draw.pick(list(things))
    things[empty]["n"] = 0
    site.data = {"things": things}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(draw.word("welcome")), ui.facts({item: str(len(things))})]

    @site.page("/stock")
    def stock(ui: Ui) -> Sequence[str]:
        actions = (Action(PLUS, "plus"), Action(MINUS, "minus"), Action(edit, "edit", icon="✎"))
        rows = [Row([each["name"], str(each["n"]), each["place"]], "", actions, key) for key, each in things.items()]
        return [ui.heading(site.sections["/stock"]), ui.listing([item, count, place], rows, "/stock", size=9)]

    @site.page("/thing/{id}")
    def thing(ui: Ui, id: str) -> Sequence[str]:
        one = things[id]
        fields = [ui.field("n", count, str(one["n"]), "number"), ui.choose("place", place, places, one["place"])]
        return [ui.heading(one["name"]), ui.form("save", fields, draw.word("save"), id=id)]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*draw.all("filler")[:3])]

    @site.act("plus")
    def plus(form: Form) -> None:
        things[form["id"]]["n"] += 1

    @site.act("minus")
    def minus(form: Form) -> None:
        things[form["id"]]["n"] -= 1

    @site.act("edit")
    def go(form: Form) -> str:
        return f"/thing/{form['id']}"

    @site.act("save")
    def save(form: Form) -> str | None:
        if not site.require(form, "n", bad_number__n=not form.get("n", "").strip().isdecimal()):
            return None
        things[form["id"]] |= {"n": int(form["n"]), "place": form["place"]}
        site.notice = draw.word("saved")
        return "/stock"

    kind = draw.pick(draw.kinds())
    key = draw.pick([each for each in things if each != empty])
    one = things[key]
    more, old = draw.number(2, 30), one["n"]
    total = old + more
    target = draw.pick([each for each in places if each != one["place"]])
    seeks = kind == "absent" or (kind != "none" and draw.chance(0.5))

    def steps() -> Iterator[Step]:
        yield click(site.sections["/stock"])
        if seeks:
            yield search(absent if kind == "absent" else one["name"])
        if kind == "absent":
            yield give_up(f"{absent}: {draw.word('nothing_found')}", see=draw.word("nothing_found"))
        elif kind == "none":
            yield done(f"{things[empty]['name']}: 0", see=things[empty]["name"])
        elif kind == "left":
            yield done(f"{one['name']}: {one['n']} ({one['place']})", see=one["name"])
        elif kind == "plus":
            yield click(PLUS, row=one["name"])
            yield done(f"{one['name']}: {old + 1}")
        yield click(edit, row=one["name"])
        if kind == "count":
            yield fill(count, str(total), why=f"{old} and {more} make {total}")
        else:
            yield choose(place, target)
        yield click(draw.word("save"))
        yield done(f"{one['name']}: {total if kind == 'count' else target}", see=draw.word("saved"))

    def want(data: dict[str, dict[str, dict[str, Any]]]) -> None:
        changes = {"count": {"n": total}, "plus": {"n": old + 1}, "place": {"place": target}}
        data["things"][key] |= changes.get(kind, {})

    said = absent if kind == "absent" else one["name"]
    answers = {"left": [str(old)], "none": [things[empty]["name"]]}.get(kind, [])
    goal = draw.goal(kind, good=said, n=more, place=target, store=site.sections["/stock"])
    site.task(goal, steps, want=want, answer=answers, ending="give_up" if kind == "absent" else "done")
    return site

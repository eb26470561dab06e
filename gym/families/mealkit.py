"""Meal boxes: a few dishes chosen for a week from more, portions, weeks without a box, the time of delivery."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, choose, click, done, give_up
from gym.parts import set_amount, write_amount
from gym.site import Form, Site
from gym.words import Draw

ROOM = 4


def make(draw: Draw) -> Site:
    w = draw.word
    paths = {"/": "home", "/week": "week", "/pick": "pick", "/delivery": "delivery", "/taste": "taste"}
    site = Site(draw, paths | {"/friends": "friends"}, dressed="no")
    kind = draw.pick(draw.kinds())
    dishes = draw.sample(draw.all("dishes"), 9)
    minutes = dict(zip(dishes, draw.sample(range(12, 75), 9), strict=True))
    kinds = {each: draw.pick(draw.all("hints")) for each in dishes}
    box = draw.sample(dishes, ROOM - 1 if kind == "add" else ROOM)
    weeks = draw.days(4)
    windows = draw.all("windows")
    listed = draw.chance(0.5)
    site.data = {"box": box, "portions": 2, "skipped": [weeks[2]], "window": windows[0]}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(w("welcome")), ui.facts({w("week"): weeks[0], w("in_box"): ", ".join(box[:2])})]

    @site.page("/week")
    def week(ui: Ui) -> Sequence[str]:
        rows = [
            Row([each, kinds[each]], f"/dish/{dishes.index(each)}", [Action(w("out"), "out", icon="✕")], each)
            for each in box
        ]
        form = ui.form("portions", [write_amount(ui, "n", w("portions"), site.data["portions"])], w("set_portions"))
        return [ui.heading(site.sections["/week"]), form, ui.table([w("name"), w("kind")], rows)]

    @site.page("/pick")
    def pick(ui: Ui) -> Sequence[str]:
        rows: list[Row] = []
        for each in dishes:
            acts = [Action(w("put"), "put", icon="+")] if listed and each not in box else []
            cells = [each, kinds[each], f"{minutes[each]} min", w("in_box") if each in box else ""]
            rows.append(Row(cells, f"/dish/{dishes.index(each)}", acts, each))
        columns = [w("name"), w("kind"), w("minutes"), w("status")]
        return [ui.heading(site.sections["/pick"]), ui.table(columns, rows)]

    @site.page("/dish/{at}")
    def dish_page(ui: Ui, at: str) -> Sequence[str]:
        one = dishes[int(at)]
        told = ui.facts({w("kind"): kinds[one], w("minutes"): f"{minutes[one]} min", w("calories"): "640 kcal"})
        press = "" if listed or one in box else ui.button(w("put"), "put", id=one)
        return [ui.heading(one), told, press]

    @site.page("/delivery")
    def delivery(ui: Ui) -> Sequence[str]:
        rows: list[Row] = []
        for each in weeks:
            gone = each in site.data["skipped"]
            act = Action(w("unskip"), "unskip") if gone else Action(w("skip"), "skip", True)
            rows.append(Row([each, w("skipped") if gone else site.data["window"]], actions=[act], key=each))
        form = ui.form("window", [ui.choose("window", w("window"), windows, site.data["window"])], w("save"))
        return [ui.heading(site.sections["/delivery"]), ui.table([w("date"), w("status")], rows), form]

    @site.act("put")
    def put(form: Form) -> None:
        if len(box) >= ROOM:
            site.notice = w("full")
            return
        box.append(form["id"])
        site.notice = f"{form['id']}: {w('added')}"

    @site.act("out")
    def out(form: Form) -> None:
        box.remove(form["id"])
        site.notice = w("deleted")

    @site.act("portions")
    def portions(form: Form) -> None:
        if site.require(form, "n", bad_number__n=not form["n"].strip().isdecimal()):
            site.data["portions"] = int(form["n"])
            site.notice = w("saved")

    @site.act("skip")
    def skip(form: Form) -> None:
        site.data["skipped"].append(form["id"])

    @site.act("unskip")
    def unskip(form: Form) -> None:
        site.data["skipped"].remove(form["id"])
        site.notice = w("saved")

    @site.act("window")
    def window(form: Form) -> None:
        site.data["window"] = form["window"]
        site.notice = w("saved")

    held, n, off = draw.pick(box), draw.number(3, 6), weeks[2]
    dish = draw.pick(dishes if kind == "time" else [each for each in dishes if each not in box])
    day, slot = draw.pick([weeks[0], weeks[1], weeks[3]]), draw.pick(windows[1:])
    quick = min(dishes, key=lambda each: minutes[each])

    def put_steps() -> Iterator[Step]:
        yield click(site.sections["/pick"])
        if not listed:
            yield click(dish)
        yield click(w("put"), row=dish if listed else "")

    def steps() -> Iterator[Step]:
        if kind in ("skip", "undo", "when"):
            yield click(site.sections["/delivery"])
            if kind == "skip":
                yield click(w("skip"), row=day, sure=True)
                yield done(f"{day}: {w('skipped')}", see=w("skipped"))
            elif kind == "undo":
                yield click(w("unskip"), row=off)
                yield done(f"{off}: {w('saved')}", see=w("saved"))
            yield choose(w("window"), slot)
            yield click(w("save"))
            yield done(f"{w('saved')} {slot}", see=w("saved"))
        elif kind in ("time", "quick"):
            yield click(site.sections["/pick"])
            one = dish if kind == "time" else quick
            yield done(f"{one}: {minutes[one]} min", see=f"{minutes[one]} min")
        elif kind in ("people", "swap"):
            yield click(site.sections["/week"])
            if kind == "people":
                yield from set_amount(site, w("portions"), 2, n)
                yield click(w("set_portions"))
                yield done(f"{w('saved')} {w('portions')}: {n}", see=w("saved"))
            yield click(w("out"), row=held)
        yield from put_steps()
        if kind == "full":
            yield give_up(f"{dish}: {w('full')}", see=w("full"), why="there is no room without taking something out")
        yield done(f"{dish}: {w('added')}", see=w("added"))

    def want(data: dict[str, Any]) -> None:
        if kind == "swap":
            data["box"].remove(held)
        if kind in ("swap", "add"):
            data["box"].append(dish)
        elif kind == "people":
            data["portions"] = n
        elif kind == "skip":
            data["skipped"].append(day)
        elif kind == "undo":
            data["skipped"].remove(off)
        elif kind == "when":
            data["window"] = slot

    goal = draw.goal(kind, dish=dish, held=held, n=n, day=draw.say_day(day), off=draw.say_day(off), window=slot)
    answers = {"time": [f"{minutes[dish]} min"], "quick": [quick]}.get(kind, [])
    site.task(goal, steps, want=want, answer=answers, ending="give_up" if kind == "full" else "done")
    return site

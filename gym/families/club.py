"""A sports club: a week of classes by day, places that may be gone, a waiting list, a membership that can rest."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, ask, choose, click, done, give_up
from gym.parts import open_part, write_parts
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    w = draw.word
    paths = {"/": "home", "/week": "week", "/mine": "booked", "/trainers": "trainers", "/contract": "membership"}
    site = Site(draw, paths | {"/sauna": "sauna"})
    kind = draw.pick(draw.kinds())
    days = draw.all("weekdays")
    *classes, absent = draw.sample(draw.all("classes"), 7)
    shared = classes[0]
    week = {day: [*([shared] if at in (1, 3) else []), *draw.sample(classes[1:], 3)] for at, day in enumerate(days)}
    slots = [(day, each) for day in days for each in week[day]]
    hours = {pair: f"{draw.number(8, 20)}:{draw.pick(('00', '15', '30'))}" for pair in slots}
    coaches, places = {pair: draw.person() for pair in slots}, {pair: draw.number(1, 12) for pair in slots}
    packing = {pair: ", ".join(draw.some("things", 2)) for pair in slots}
    day, cls = draw.pick([pair for pair in slots if pair[1] != shared])
    if kind == "wait":
        places[day, cls] = 0
    elif kind == "ask":
        day, cls = draw.pick((days[1], days[3])), shared
    day2, cls2 = draw.pick([pair for pair in slots if pair[0] != day and pair[1] != cls])
    held = draw.sample([each for each in classes if each not in (cls, cls2)], 2)
    inline, rank = draw.chance(0.5), draw.number(2, 6)
    site.keeps_entries = False
    site.data = {"joined": [["", each] for each in held], "waiting": [], "paused": ""}

    def action(pair: tuple[str, str]) -> str:
        return "join" if places[pair] else "wait"

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(w("welcome")), ui.text(*draw.all("filler")[:2]), ui.facts({w("booked"): ", ".join(held)})]

    @site.page("/week")
    def show_week(ui: Ui) -> Sequence[str]:
        parts: dict[str, str] = {}
        for each in days:
            rows: list[Row] = []
            for name in week[each]:
                pair = (each, name)
                acts = [Action(w(action(pair)), action(pair))] if inline else []
                cells = [name, hours[pair], f"{places[pair]} {w('free')}"]
                rows.append(Row(cells, f"/class/{slots.index(pair)}", acts, str(slots.index(pair))))
            parts[each] = ui.table([w("class_"), w("time"), w("status")], rows)
        return [ui.heading(site.sections["/week"]), write_parts(ui, parts, "/week")]

    @site.page("/class/{at}")
    def one_class(ui: Ui, at: str) -> Sequence[str]:
        pair = slots[int(at)]
        told = {w("date"): pair[0], w("time"): hours[pair], w("coach"): coaches[pair], w("bring"): packing[pair]}
        press = "" if inline else ui.button(w(action(pair)), action(pair), id=at)
        return [ui.heading(pair[1]), ui.facts(told | {w("status"): f"{places[pair]} {w('free')}"}), press]

    @site.page("/mine")
    def mine(ui: Ui) -> Sequence[str]:
        rows = [
            Row([name, when], actions=[Action(w("leave"), "leave", True, "✕")], key=name)
            for when, name in site.data["joined"]
        ]
        return [ui.heading(site.sections["/mine"]), ui.table([w("class_"), w("date")], rows)]

    @site.page("/trainers")
    def trainers(ui: Ui) -> Sequence[str]:
        return [ui.heading(site.sections["/trainers"]), ui.text(*sorted(set(coaches.values())))]

    @site.page("/contract")
    def contract(ui: Ui) -> Sequence[str]:
        form = ui.form("pause", [ui.choose("long", w("how_long"), draw.all("pauses"))], w("pause"))
        return [ui.heading(site.sections["/contract"]), ui.facts({w("number"): "4471"}), form]

    @site.act("join")
    def join(form: Form) -> None:
        pair = slots[int(form["id"])]
        site.data["joined"].append(list(pair))
        site.notice = f"{w('joined')} {pair[1]}, {hours[pair]}"

    @site.act("wait")
    def wait(form: Form) -> None:
        site.data["waiting"].append(list(slots[int(form["id"])]))
        site.notice = f"{w('waiting')} {rank}"

    @site.act("leave")
    def leave(form: Form) -> None:
        site.data["joined"] = [each for each in site.data["joined"] if each[1] != form["id"]]
        site.notice = w("deleted")

    @site.act("pause")
    def pause(form: Form) -> None:
        site.data["paused"] = form["long"]
        site.notice = f"{w('paused')} ({form['long']})"

    old, long = draw.pick(held), draw.pick(draw.all("pauses")[1:])

    def enter(day: str, cls: str) -> Iterator[Step]:
        yield click(site.sections["/week"])
        yield from open_part(site, day, first=day == days[0])
        if kind in ("who", "bring") or not inline:
            yield click(cls, row=hours[day, cls] if site.style["parts"] == "open" else "")

    def press(day: str, cls: str) -> Iterator[Step]:
        row = hours[day, cls] if site.style["parts"] == "open" else cls
        yield click(w(action((day, cls))), row=row if inline else "")

    def steps() -> Iterator[Step]:
        if kind == "out":
            yield click(site.sections["/mine"])
            yield click(w("leave"), row=old, sure=True)
            yield done(f"{w('deleted')} {old}", see=w("deleted"))
        elif kind == "pause":
            yield click(site.sections["/contract"])
            yield choose(w("how_long"), long)
            yield click(w("pause"))
            yield done(f"{w('paused')} {long}", see=w("paused"))
        elif kind == "none":
            yield click(site.sections["/week"])
            yield from open_part(site, day, first=day == days[0])
            yield give_up(
                f"{day}: {', '.join(week[day])}. {absent}: {w('nothing_found')}",
                see=week[day][-1],
                why=f"no {absent} on that day",
            )
        if kind == "ask":
            yield ask(f"{shared}: {days[1]} / {days[3]}?", why="the goal does not say on which day")
        yield from enter(day, cls)
        if kind == "who":
            yield done(f"{cls}, {day}: {coaches[day, cls]}", see=coaches[day, cls])
        elif kind == "bring":
            yield done(f"{cls}: {packing[day, cls]}", see=packing[day, cls])
        yield from press(day, cls)
        if kind == "wait":
            yield done(f"{w('waiting')} {rank}", see=w("waiting"))
        elif kind == "both":
            yield from enter(day2, cls2)
            yield from press(day2, cls2)
        yield done(f"{w('joined')} {cls}, {day}, {hours[day, cls]}", see=w("joined"))

    def want(data: dict[str, Any]) -> None:
        if kind in ("join", "both", "ask"):
            data["joined"].append([day, cls])
        if kind == "both":
            data["joined"].append([day2, cls2])
        elif kind == "wait":
            data["waiting"].append([day, cls])
        elif kind == "out":
            data["joined"] = [each for each in data["joined"] if each[1] != old]
        elif kind == "pause":
            data["paused"] = long

    if kind != "none":
        site.style.use(parts=draw.pick(("tabs", "folds", "pages")))
    goal = draw.goal(kind, cls=absent if kind == "none" else cls, day=day, cls2=cls2, day2=day2, held=old, long=long)
    answers = {"who": [coaches[day, cls]], "bring": [packing[day, cls]]}.get(kind, [])
    ending, person = "give_up" if kind == "none" else "done", day if kind == "ask" else ""
    site.task(goal, steps, want=want, answer=answers, ending=ending, person=person)
    return site

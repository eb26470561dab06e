"""Support cases with numbers that differ in one figure, states, owners and a form for new ones."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, choose, click, done, fill, give_up, search
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    site = Site(
        draw, {"/": "home", "/cases": "s_tickets", "/new": "s_compose", "/reports": "s_reports", "/help": "help"}
    )
    keys = ("number", "title", "status", "owner", "priority", "message")
    number, title, status, owner, priority, message = (draw.word(key) for key in keys)
    states = [draw.word("open_state"), draw.word("doing"), draw.word("closed_state")]
    levels = [draw.word(key) for key in ("low", "normal", "high")]
    *titles, fresh = draw.some("subjects", draw.number(6, 16))
    people, first = draw.people(5), draw.number(10, 80)
    numbers = [f"T-{first}{at}{draw.number(0, 9)}" for at in range(len(titles))]
    cases: dict[str, dict[str, Any]] = {
        numbers[at]: {
            "title": each,
            "status": draw.pick(states[:2]),
            "owner": draw.pick(people),
            "priority": draw.pick(levels[:2]),
        }
        for at, each in enumerate(titles)
    }
    site.data = {"cases": cases, "sent": []}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(draw.word("welcome")), ui.facts({site.sections["/cases"]: str(len(cases))})]

    @site.page("/cases")
    def table(ui: Ui) -> Sequence[str]:
        rows = [Row([each["title"], id, each["owner"]], f"/case/{id}") for id, each in cases.items()]
        return [ui.heading(site.sections["/cases"]), ui.listing([title, number, owner], rows, "/cases", size=6)]

    @site.page("/case/{id}")
    def case(ui: Ui, id: str) -> Sequence[str]:
        one = cases[id]
        fields = [ui.choose("status", status, states, one["status"]), ui.choose("owner", owner, people, one["owner"])]
        fields.append(ui.choose("priority", priority, levels, one["priority"]))
        return [ui.heading(f"{id}: {one['title']}"), ui.form("save", fields, draw.word("save"), id=id)]

    @site.page("/new")
    def new(ui: Ui) -> Sequence[str]:
        fields = [ui.field("title", title), ui.field("text", message, kind="textarea")]
        return [ui.heading(site.sections["/new"]), ui.form("send", fields, draw.word("send"))]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*draw.all("filler"))]

    @site.act("save")
    def save(form: Form) -> None:
        cases[form["id"]] |= {key: form[key] for key in ("status", "owner", "priority")}
        site.notice = draw.word("saved")

    @site.act("send")
    def send(form: Form) -> str | None:
        if not site.require(form, "title", "text"):
            return None
        site.data["sent"].append([form["title"].strip(), form["text"].strip()])
        site.notice = draw.word("sent")
        return "/"

    kind = draw.pick(draw.kinds())
    id = draw.pick(numbers)
    one = cases[id]
    taker = draw.pick([each for each in people if each != one["owner"]])
    text, absent = draw.pick(draw.all("sentences")), f"T-{first + 1}{draw.digits(2)}"
    seeks = kind == "absent" or draw.chance(0.5)
    by_number = kind in ("number", "status", "absent")

    def steps() -> Iterator[Step]:
        if kind == "create":
            yield click(site.sections["/new"])
            yield fill(title, fresh)
            yield fill(message, text)
            yield click(draw.word("send"))
            yield done(f"{draw.word('sent')} {fresh}", see=draw.word("sent"))
        yield click(site.sections["/cases"])
        if seeks:
            yield search(absent if kind == "absent" else id if by_number else one["title"])
        if kind == "absent":
            yield give_up(f"{absent}: {draw.word('nothing_found')}", see=draw.word("nothing_found"))
        yield click(one["title"])
        if kind == "status":
            yield done(f"{id}, {one['title']}: {one['status']}", see=one["status"])
        elif kind == "number":
            yield choose(owner, taker)
        else:
            yield choose(status, states[2]) if kind == "close" else choose(priority, levels[2])
        yield click(draw.word("save"))
        yield done(f"{draw.word('saved')} {id}", see=draw.word("saved"))

    def want(data: dict[str, Any]) -> None:
        if kind == "create":
            data["sent"].append([fresh, text])
            return
        changes = {"close": {"status": states[2]}, "urgent": {"priority": levels[2]}, "number": {"owner": taker}}
        data["cases"][id] |= changes.get(kind, {})

    told = absent if kind == "absent" else id
    reporter = one["owner"]
    values = {"title": one["title"], "number": told, "level": levels[2], "fresh": fresh, "text": text}
    goal = draw.goal(kind, who=taker if by_number else reporter, **values)
    answers = [one["status"]] if kind == "status" else []
    site.task(goal, steps, want=want, answer=answers, ending="give_up" if kind == "absent" else "done")
    return site

"""Notes: short texts and lists of points to cross off, pinned by a star, on one page and one page each."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, click, done, fill, star, switch
from gym.site import Form, Site
from gym.words import Draw

NOTES = ("Notes; My notes; Jottings", "Notizen; Zettel", "Notes; Mes notes", "Notas; Apuntes", "便签; 笔记")
PIN = ("Pin; Keep on top", "Anheften; Oben halten", "Épingler; Garder en haut", "Fijar; Mantener arriba", "置顶; 固定")


def make(draw: Draw) -> Site:
    notes_, pin = draw.words(*NOTES), draw.words(*PIN)
    site = Site(draw, {"/": "home", "/notes": notes_, "/new": "add", "/trash": "s_trash", "/settings": "s_settings"})
    title, text, drop = draw.word("title"), draw.word("message"), draw.word("delete")
    *titles, fresh = draw.some("subjects", draw.number(5, 9))
    notes: dict[str, dict[str, Any]] = {
        f"n{at}": {
            "title": each,
            "points": {item: draw.chance(0.4) for item in draw.some("goods", 4)},
            "pinned": False,
        }
        for at, each in enumerate(titles)
    }
    for each in notes.values():
        each["points"][next(iter(each["points"]))] = False
    site.data = {"notes": notes, "written": []}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(draw.word("welcome")), ui.text(draw.word("filler"))]

    @site.page("/notes")
    def listing(ui: Ui) -> Sequence[str]:
        ranked = sorted(notes.items(), key=lambda each: not each[1]["pinned"])
        rows = [
            Row(
                [each["title"], str(len(each["points"]))],
                f"/note/{key}",
                mark=ui.star("pin", each["pinned"], pin, id=key),
            )
            for key, each in ranked
        ]
        return [ui.heading(notes_), ui.table([title, draw.word("quantity")], rows)]

    @site.page("/note/{id}")
    def note(ui: Ui, id: str) -> Sequence[str]:
        one = notes[id]
        points = [ui.switch(item, "cross", on, id=id, item=item) for item, on in one["points"].items()]
        return [ui.heading(one["title"]), *points, ui.button(drop, "drop", sure=True, id=id)]

    @site.page("/new")
    def new(ui: Ui) -> Sequence[str]:
        fields = [ui.field("title", title), ui.field("text", text, kind="textarea")]
        return [ui.heading(site.sections["/new"]), ui.form("write", fields, draw.word("save"))]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*draw.all("filler")[:2])]

    @site.act("pin")
    def keep(form: Form) -> None:
        notes[form["id"]]["pinned"] = not notes[form["id"]]["pinned"]

    @site.act("cross")
    def cross(form: Form) -> None:
        points = notes[form["id"]]["points"]
        points[form["item"]] = not points[form["item"]]

    @site.act("drop")
    def remove(form: Form) -> str:
        del notes[form["id"]]
        site.notice = draw.word("deleted")
        return "/notes"

    @site.act("write")
    def write(form: Form) -> str | None:
        if not site.require(form, "title", "text"):
            return None
        site.data["written"].append([form["title"].strip(), form["text"].strip()])
        site.notice = draw.word("saved")
        return "/notes"

    kind = draw.pick(draw.kinds())
    key = draw.pick(list(notes))
    one = notes[key]
    left = [item for item, on in one["points"].items() if not on]
    item, words = draw.pick(left), draw.pick(draw.all("sentences"))

    def steps() -> Iterator[Step]:
        if kind == "write":
            yield click(site.sections["/new"])
            yield fill(title, fresh)
            yield fill(text, words)
            yield click(draw.word("save"))
            yield done(f"{draw.word('saved')} {fresh}", see=draw.word("saved"))
        yield click(notes_)
        if kind == "pin":
            yield star(pin, one["title"])
            yield done(f"★ {one['title']}")
        yield click(one["title"])
        if kind == "open":
            yield done(", ".join(left), see=left[0])
        elif kind == "tick":
            yield switch(item)
            yield done(f"✓ {item}")
        yield click(drop, sure=True)
        yield done(f"{draw.word('deleted')} {one['title']}", see=draw.word("deleted"))

    def want(data: dict[str, Any]) -> None:
        match kind:
            case "write":
                data["written"].append([fresh, words])
            case "pin":
                data["notes"][key]["pinned"] = True
            case "tick":
                data["notes"][key]["points"][item] = True
            case "drop":
                del data["notes"][key]
            case _:
                pass

    goal = draw.goal(kind, title=one["title"], item=item, fresh=fresh, text=words)
    site.task(goal, steps, want=want, answer=left if kind == "open" else [])
    return site

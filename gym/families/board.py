"""A board: cards in three columns, each with a page where state, owner and remarks change."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, choose, click, done, fill, give_up
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    site = Site(draw, {"/": "home", "/board": "s_board", "/new": "add", "/people": "s_people", "/archive": "s_archive"})
    states = [draw.word(key) for key in ("todo", "doing", "finished")]
    levels = [draw.word(key) for key in ("low", "normal", "high")]
    status, owner, priority, remark = (draw.word(key) for key in ("status", "owner", "priority", "note"))
    title, people = draw.word("title"), draw.people(5)
    *titles, absent = draw.some("tasks", draw.number(5, 12))
    cards: dict[str, dict[str, Any]] = {
        f"c{at}": {
            "title": each,
            "status": draw.pick(states),
            "owner": draw.pick(people),
            "priority": draw.pick(levels),
            "notes": [],
        }
        for at, each in enumerate(titles)
    }
    site.data = {"cards": cards}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        counts = {each: str(sum(card["status"] == each for card in cards.values())) for each in states}
        return [ui.heading(draw.word("welcome")), ui.facts(counts)]

    @site.page("/board")
    def board(ui: Ui) -> Sequence[str]:
        parts = [ui.heading(site.sections["/board"])]
        for each in states:
            rows = [Row([c["title"], c["owner"]], f"/card/{key}") for key, c in cards.items() if c["status"] == each]
            parts += [ui.heading(each, 3), ui.table([title, owner], rows)]
        return parts

    @site.page("/card/{id}")
    def card(ui: Ui, id: str) -> Sequence[str]:
        one = cards[id]
        fields = [ui.choose("status", status, states, one["status"]), ui.choose("owner", owner, people, one["owner"])]
        fields.append(ui.choose("priority", priority, levels, one["priority"]))
        form = ui.form("save", fields, draw.word("save"), id=id)
        note = ui.form("note", [ui.field("text", remark, kind="textarea")], draw.word("send"), id=id)
        return [ui.heading(one["title"]), form, *map(ui.text, one["notes"]), note]

    @site.page("/new")
    def new(ui: Ui) -> Sequence[str]:
        fields = [ui.field("title", title), ui.choose("priority", priority, levels, levels[1])]
        return [ui.heading(site.sections["/new"]), ui.form("create", fields, draw.word("save"))]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*(people if other == "people" else []))]

    @site.act("save")
    def save(form: Form) -> str:
        cards[form["id"]] |= {key: form[key] for key in ("status", "owner", "priority")}
        site.notice = draw.word("saved")
        return "/board"

    @site.act("note")
    def note(form: Form) -> None:
        if site.require(form, "text"):
            cards[form["id"]]["notes"].append(form["text"].strip())
            site.notice = draw.word("added")

    @site.act("create")
    def create(form: Form) -> str | None:
        if not site.require(form, "title"):
            return None
        fresh = {"title": form["title"].strip(), "status": states[0], "owner": people[0], "priority": form["priority"]}
        cards["new"] = {**fresh, "notes": []}
        site.notice = draw.word("added")
        return "/board"

    kind = draw.pick(draw.kinds())
    key = draw.pick(list(cards))
    one = cards[key]
    state = draw.pick([each for each in states if each != one["status"]])
    who = draw.pick([each for each in people if each != one["owner"]])
    level, text = draw.pick(levels), draw.pick(draw.all("sentences"))

    def steps() -> Iterator[Step]:
        if kind == "add":
            yield click(site.sections["/new"])
            yield fill(title, absent)
            if level != levels[1]:
                yield choose(priority, level)
            yield click(draw.word("save"))
            yield done(f"{draw.word('added')} {absent}", see=absent)
        yield click(site.sections["/board"])
        if kind == "absent":
            yield give_up(f"{absent}: {draw.word('nothing_found')}", see=titles[-1], why="no column has it")
        if kind == "who":
            yield done(f"{one['title']}: {one['owner']}", see=one["owner"])
        yield click(one["title"])
        if kind == "comment":
            yield fill(remark, text)
            yield click(draw.word("send"))
            yield done(f"{draw.word('added')} {text}", see=draw.word("added"))
        yield choose(status, state) if kind == "move" else choose(owner, who)
        yield click(draw.word("save"))
        yield done(f"{one['title']}: {state if kind == 'move' else who}", see=draw.word("saved"))

    def want(data: dict[str, dict[str, dict[str, Any]]]) -> None:
        if kind == "add":
            fresh = {"title": absent, "status": states[0], "owner": people[0], "priority": level, "notes": []}
            data["cards"]["new"] = fresh
        elif kind == "comment":
            data["cards"][key]["notes"].append(text)
        elif kind in ("move", "owner"):
            data["cards"][key] |= {"status": state} if kind == "move" else {"owner": who}

    said = absent if kind in ("add", "absent") else one["title"]
    answers = [one["owner"]] if kind == "who" else []
    goal = draw.goal(kind, card=said, state=state, who=who, level=level, text=text)
    site.task(goal, steps, want=want, answer=answers, ending="give_up" if kind == "absent" else "done")
    return site

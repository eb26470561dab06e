"""Sites that keep records of one kind: parcels, recipes, courses. A family gives the words; layout and way are drawn.

Records stand in one list or in groups; what can be done with one stands in its row or on its page. Some share a
name.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, ask, choose, click, done, fill, give_up, search
from gym.site import Form, Site
from gym.words import LANGUAGES, Draw, load_goals

Words = tuple[str, str, str, str, str]
KINDS = ("do", "do", "read", "read", "change", "add", "absent", "which", "which", "refused", "most", "count")
GIVEN = {"which": "do", "refused": "do"}
"""Kinds that are said like others."""


@dataclass(frozen=True)
class RecordWords:
    """The words of a family. `names` draws that many names; `group` has options; `do` changes the state to `did`, or
    the site says `refusal`; `fact` is drawn for each record, `amount` is the label of a number."""

    place: Words
    names: Callable[[Draw, int], Sequence[str]]
    group: Words
    options: Words
    fact: Words
    draw_fact: Callable[[Draw], str]
    do: Words
    states: Words
    refusal: Words
    amount: Words
    beside: Mapping[str, str]


def list_words(draw: Draw, columns: Words) -> list[str]:
    """All words of a column of the site's language, parted by ";"."""
    return [each.strip() for each in columns[LANGUAGES.index(draw.language)].split(";")]


class RecordSite:
    """A site of records with its task."""

    def __init__(self, draw: Draw, words: RecordWords) -> None:
        self.draw, self.words = draw, words
        self.place, self.do, self.add = draw.words(*words.place), draw.words(*words.do), draw.word("add")
        self.group, self.fact, self.amount = (draw.words(*each) for each in (words.group, words.fact, words.amount))
        self.options, self.states = list_words(draw, words.options), list_words(draw, words.states)
        self.refusal = draw.words(*words.refusal)
        self.site = Site(draw, {"/": "home", "/list": self.place, "/new": self.add, **words.beside})
        self.kind = draw.pick(KINDS)
        self.grouped = draw.chance(0.3) and self.kind not in ("most", "which")
        self.inline, self.asks = draw.chance(0.5), draw.chance(0.3)
        if self.kind == "which":
            self.site.style.use(list=draw.pick(("table", "list")), actions="inline")
        elif self.kind == "most":
            self.site.style.use(length="long", dressed="no")
        self.records = self._draw_records()
        self.site.data = {"records": self.records}
        self.key = draw.pick(list(self.records))
        if self.kind == "which":
            self._draw_twin()
        self._pages()
        self._acts()

    @property
    def one(self) -> dict[str, Any]:
        return self.records[self.key]

    def _draw_records(self) -> dict[str, dict[str, Any]]:
        draw = self.draw
        self.absent, self.fresh, *names = dict.fromkeys(self.words.names(draw, draw.number(9, 20)))
        amounts = draw.sample(range(3, 98), len(names))
        return {
            f"k{at}": {
                "name": name,
                "group": draw.pick(self.options),
                "fact": self.words.draw_fact(draw),
                "amount": amounts[at],
                "state": self.states[0],
            }
            for at, name in enumerate(names)
        }

    def _draw_twin(self) -> None:
        twin = next(key for key in self.records if key != self.key)
        others = [each for each in self.options if each != self.one["group"]]
        self.records[twin] |= {"name": self.one["name"], "group": self.draw.pick(others)}
        self.twin = self.records[twin]["group"]

    # Pages

    def _rows(self, keys: Sequence[str]) -> list[Row]:
        actions = (Action(self.do, "do", self.asks),) if self.inline else ()
        shown = ("name", "group", "amount", "state")
        return [Row([str(self.records[key][each]) for each in shown], f"/record/{key}", actions, key) for key in keys]

    def _list(self, ui: Ui, keys: Sequence[str], path: str) -> str:
        columns = [self.draw.word("name"), self.group, self.amount, self.draw.word("status")]
        return ui.listing(columns, self._rows(keys), path, size=7)

    def _pages(self) -> None:
        site, draw, records = self.site, self.draw, self.records

        @site.page("/")
        def home(ui: Ui) -> Sequence[str]:
            return [ui.heading(draw.word("welcome")), ui.facts({self.place: str(len(records))})]

        @site.page("/list")
        def listing(ui: Ui) -> Sequence[str]:
            if not self.grouped or ui.query.get("q"):
                return [ui.heading(self.place), self._list(ui, list(records), "/list")]
            counts = {each: sum(one["group"] == each for one in records.values()) for each in self.options}
            rows = [Row([each, str(counts[each])], f"/group/{at}") for at, each in enumerate(self.options)]
            return [ui.heading(self.place), ui.search("/list"), ui.table([self.group, self.place], rows)]

        @site.page("/group/{id}")
        def group(ui: Ui, id: str) -> Sequence[str]:
            keys = [key for key, one in records.items() if one["group"] == self.options[int(id)]]
            return [ui.heading(self.options[int(id)]), self._list(ui, keys, f"/group/{id}")]

        @site.page("/record/{id}")
        def record(ui: Ui, id: str) -> Sequence[str]:
            one = records[id]
            told = {self.group: one["group"], self.fact: one["fact"], self.amount: str(one["amount"])}
            shown = [ui.heading(one["name"]), ui.facts(told | {draw.word("status"): one["state"]})]
            press = [] if self.inline else [ui.button(self.do, "do", sure=self.asks, id=id)]
            return [*shown, *press, ui.link(draw.word("edit"), f"/edit/{id}")]

        @site.page("/edit/{id}")
        def edit(ui: Ui, id: str) -> Sequence[str]:
            one = records[id]
            fields = [ui.choose("group", self.group, self.options, one["group"])]
            fields.append(ui.field("fact", self.fact, one["fact"]))
            return [
                ui.heading(f"{draw.word('edit')}: {one['name']}"),
                ui.form("save", fields, draw.word("save"), id=id),
            ]

        @site.page("/new")
        def new(ui: Ui) -> Sequence[str]:
            fields = [ui.field("name", draw.word("name")), ui.choose("group", self.group, self.options)]
            fields.append(ui.field("fact", self.fact))
            return [ui.heading(self.add), ui.form("add", fields, draw.word("save"))]

        @site.page("/{other}")
        def other(ui: Ui, other: str) -> Sequence[str]:
            return [ui.heading(site.sections[f"/{other}"]), ui.text(*draw.all("filler")[:3])]

    def _acts(self) -> None:
        site, records, saved = self.site, self.records, self.draw.word("saved")

        @site.act("do")
        def do(form: Form) -> None:
            if self.kind == "refused" and form["id"] == self.key:
                site.notice = self.refusal
                return
            records[form["id"]]["state"] = self.states[1]
            site.notice = saved

        @site.act("save")
        def save(form: Form) -> str | None:
            if not site.require(form, "fact"):
                return None
            records[form["id"]] |= {"group": form["group"], "fact": form["fact"].strip()}
            site.notice = saved
            return f"/record/{form['id']}"

        @site.act("add")
        def add(form: Form) -> str | None:
            if not site.require(form, "name", "fact"):
                return None
            given = {"name": form["name"].strip(), "group": form["group"], "fact": form["fact"].strip()}
            records[f"k{len(records)}"] = given | {"amount": 0, "state": self.states[0]}
            site.notice = saved
            return "/list"

    # The task

    def set_task(self) -> Site:
        draw, one, kind, data = self.draw, self.one, self.kind, self.records
        self.option = draw.pick([each for each in self.options if each != one["group"]])
        self.told = self.words.draw_fact(draw)
        self.most = max(data, key=lambda key: data[key]["amount"])
        self.counted = sum(each["group"] == one["group"] for each in data.values())
        self.seeks = kind in ("absent", "which") or draw.chance(0.5)
        said = {"absent": self.absent, "add": self.fresh}.get(kind, one["name"])
        spoken = draw.pick(("do", "read")) if kind == "absent" else GIVEN.get(kind, kind)
        own, shared = load_goals(draw.family), load_goals("records")
        wordings = own[spoken] if spoken in own else shared[spoken]
        values = {"name": said, "place": self.place, "group": self.group, "fact": self.fact, "amount": self.amount}
        option = one["group"] if kind == "count" else self.option
        goal = draw.speak(wordings, **values, option=option, value=self.told)
        answers = {
            "read": [one["fact"]],
            "most": [data[self.most]["name"]],
            "count": [str(self.counted)],
        }.get(kind, [])
        ending = "give_up" if kind in ("absent", "refused") else "done"
        person = one["group"] if kind == "which" else ""
        self.site.task(goal, self._steps, want=self._want, answer=answers, ending=ending, person=person)
        return self.site

    def _want(self, data: dict[str, Any]) -> None:
        records = data["records"]
        if self.kind in ("do", "which"):
            records[self.key]["state"] = self.states[1]
        elif self.kind == "change":
            records[self.key]["group"] = self.option
        elif self.kind == "add":
            given = {"name": self.fresh, "group": self.option, "fact": self.told}
            records[f"k{len(records)}"] = given | {"amount": 0, "state": self.states[0]}

    def _steps(self) -> Iterator[Step]:
        one, kind, word, name = self.one, self.kind, self.draw.word, self.one["name"]
        if kind == "add":
            yield click(self.add)
            yield fill(word("name"), self.fresh)
            if self.option != self.options[0]:
                yield choose(self.group, self.option)
            yield fill(self.fact, self.told)
            yield click(word("save"))
            yield done(f"{self.fresh}: {self.told}", see=word("saved"))
        yield click(self.place)
        if kind == "most":
            best = self.records[self.most]
            yield done(f"{best['name']}: {best['amount']} {self.amount}", see=best["name"])
        elif kind == "count":
            if not self.grouped:
                yield search(one["group"])
            shown = one["group"] if self.grouped else f"{self.counted} {word('results')}"
            yield done(f"{one['group']}: {self.counted}", see=shown)
        if self.grouped and not self.seeks:
            yield search(name, why="its group is not known")
        elif self.seeks:
            yield search(self.absent if kind == "absent" else name)
        if kind == "absent":
            yield give_up(f"{self.absent}: {word('nothing_found')}", see=word("nothing_found"))
        elif kind == "which":
            yield ask(f"{name}: {one['group']} / {self.twin}?", see=name, why=f"two are called {name}")
        row = one["group"] if kind == "which" else ""
        if kind in ("read", "change") or not self.inline:
            yield click(name, row=row)
        if kind == "read":
            yield done(f"{name}, {self.fact}: {one['fact']}", see=one["fact"])
        elif kind == "change":
            yield click(word("edit"))
            yield choose(self.group, self.option)
            yield click(word("save"))
            yield done(f"{name}: {self.option}", see=word("saved"))
        yield click(self.do, row=(row or name) if self.inline else "", sure=self.asks)
        if kind == "refused":
            yield give_up(f"{name}: {self.refusal}", see=self.refusal, why="the site refuses")
        yield done(f"{name}: {self.states[1]}", see=word("saved"))


def make_records(draw: Draw, words: RecordWords) -> Site:
    """A site of records from a family's words."""
    return RecordSite(draw, words).set_task()

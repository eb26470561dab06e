"""Chores that value things: stars, levels, reactions."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, ClassVar

from gym.chores import Chore, Plan
from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, click, done
from gym.scales import rate, set_level, write_level, write_rating
from gym.site import Form


class Stars(Chore):
    """Things with one to five stars."""

    kinds: ClassVar[tuple[str, ...]] = ("rate", "rate", "best")

    def prepare(self) -> None:
        site, draw = self.site, self.draw
        given = draw.sample(range(11, 49), len(self.things))
        self.means = {each: f"{n / 10:.1f}" for each, n in zip(self.things, given, strict=True)}
        self.data["stars"] = {}

        @site.page(f"{self.path}/{{at}}")
        def one(ui: Ui, at: str) -> Sequence[str]:
            thing = self.things[int(at)]
            mine = self.data["stars"].get(thing, 0)
            return [
                ui.heading(thing),
                ui.facts({draw.word("mean"): self.means[thing]}),
                write_rating(ui, f"{self.name}_rate", mine, thing),
            ]

        @site.act(f"{self.name}_rate")
        def give(form: Form) -> None:
            self.data["stars"][form["id"]] = int(form["n"])

    def show(self, ui: Ui) -> Sequence[str]:
        rows = [Row([each, self.means[each]], f"{self.path}/{at}") for at, each in enumerate(self.things)]
        return [ui.listing([self.draw.word("title"), self.draw.word("mean")], rows, self.path, size=6)]

    def plan(self, kind: str) -> Plan:
        thing, n = self.draw.pick(self.things), self.draw.number(1, 5)
        best = max(self.things, key=lambda each: float(self.means[each]))
        if kind == "best":
            values = {"mean": self.draw.word("mean")}
            return Plan(lambda: iter([done(f"{best}: {self.means[best]}", see=best)]), values, None, [best])

        def steps() -> Iterator[Step]:
            yield click(thing)
            yield from rate(self.site, n)
            yield done(f"{thing}: {n} ★", see=thing)

        return Plan(steps, {"thing": thing, "n": n}, lambda data: data[self.name]["stars"].update({thing: n}))


class Levels(Chore):
    """Things with a level each, on sliders, steppers or in fields. `NAME_level` is its label."""

    kinds: ClassVar[tuple[str, ...]] = ("level", "level", "raise", "lower", "read_level")

    def prepare(self) -> None:
        site, draw = self.site, self.draw
        self.data["levels"] = {each: draw.number(4, 26) for each in self.things}

        @site.page(f"{self.path}/{{at}}")
        def one(ui: Ui, at: str) -> Sequence[str]:
            thing = self.things[int(at)]
            box = write_level(ui, "n", self.label("level"), self.data["levels"][thing], 30)
            return [ui.heading(thing), ui.form(f"{self.name}_set", [box], draw.word("save"), id=thing)]

        @site.act(f"{self.name}_set")
        def give(form: Form) -> None:
            n = form["n"].strip()
            if site.require(form, "n", bad_number__n=not n.isdecimal() or int(n) > 30):
                self.data["levels"][form["id"]] = int(n)
                site.notice = draw.word("saved")

    def show(self, ui: Ui) -> Sequence[str]:
        rows = [Row([each, str(n)], f"{self.path}/{at}") for at, (each, n) in enumerate(self.data["levels"].items())]
        return [ui.table([self.draw.word("name"), self.label("level")], rows)]

    def plan(self, kind: str) -> Plan:
        draw, thing = self.draw, self.draw.pick(self.things)
        begin: int = self.data["levels"][thing]
        by = draw.number(1, 4)
        n = {"raise": begin + by, "lower": begin - by}.get(
            kind, draw.pick([each for each in range(3, 30) if each != begin and abs(each - begin) < 7])
        )
        values = {"thing": thing, "n": n, "by": by, "level": self.label("level")}
        if kind == "read_level":
            return Plan(lambda: iter([done(f"{thing}: {begin}", see=thing)]), values, None, [str(begin)])

        def steps() -> Iterator[Step]:
            yield click(thing)
            yield from set_level(self.site, self.label("level"), begin, n)
            yield click(draw.word("save"))
            yield done(f"{thing}: {n}. {draw.word('saved')}", see=draw.word("saved"))

        return Plan(steps, values, lambda data: data[self.name]["levels"].update({thing: n}))


class Reactions(Chore):
    """Things that people react to with signs, whose numbers are shown."""

    kinds: ClassVar[tuple[str, ...]] = ("react", "react", "most_signs")
    signs: ClassVar[tuple[str, ...]] = ("👍", "❤", "😂")

    def prepare(self) -> None:
        site, draw = self.site, self.draw
        self.data["counts"] = {
            each: dict(zip(self.signs, draw.sample(range(1, 60), 3), strict=True)) for each in self.things
        }

        @site.act(f"{self.name}_react")
        def react(form: Form) -> None:
            thing, sign = form["id"], form["sign"]
            self.data["counts"][thing][sign] += 1

    def show(self, ui: Ui) -> Sequence[str]:
        rows = []
        for each, counts in self.data["counts"].items():
            made = " ".join(
                ui.button(f"{sign} {n}", f"{self.name}_react", id=each, sign=sign) for sign, n in counts.items()
            )
            rows.append(f'<article class="cardbox"><p>{escape(each)}</p>{made}</article>')
        return rows

    def plan(self, kind: str) -> Plan:
        thing, at = self.draw.pick(self.things), self.draw.number(0, 2)
        sign, counts = self.signs[at], self.data["counts"]
        best = max(self.things, key=lambda each: counts[each][sign])
        values = {"thing": thing, "sign": self.draw.all("signs")[at]}
        if kind == "most_signs":
            return Plan(lambda: iter([done(f"{best}: {sign} {counts[best][sign]}", see=best)]), values, None, [best])

        def steps() -> Iterator[Step]:
            yield click(f"{sign} {counts[thing][sign]}", row=thing)
            yield done(f"{thing}: {sign}", see=thing)

        def want(data: dict[str, Any]) -> None:
            data[self.name]["counts"][thing][sign] += 1

        return Plan(steps, values, want)

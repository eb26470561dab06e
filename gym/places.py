"""Chores that take what is free: seats in rows, times of the day."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import ClassVar

from gym.chores import Chore, Plan
from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, click, done, give_up
from gym.site import Form


class Seats(Chore):
    """Seats in rows, of which some are taken: marked one by one, then taken together. `NAME_do` is the button."""

    kinds: ClassVar[tuple[str, ...]] = ("seat", "two_seats", "any_seat")
    rows, columns = "ABCD", 6

    def prepare(self) -> None:
        site, draw = self.site, self.draw
        every = [f"{row}{at}" for row in self.rows for at in range(1, self.columns + 1)]
        self.taken = set(draw.sample(every, 9)) - {f"{row}{draw.number(2, 6)}" for row in self.rows}
        self.free = [each for each in every if each not in self.taken]
        self.data |= {"marked": [], "booked": []}

        @site.act(f"{self.name}_mark")
        def mark(form: Form) -> None:
            marked: list[str] = self.data["marked"]
            marked.remove(form["id"]) if form["id"] in marked else marked.append(form["id"])

        @site.act(f"{self.name}_book")
        def book(form: Form) -> None:
            if not self.data["marked"]:
                site.notice = draw.word("mark_first")
                return
            self.data |= {"booked": sorted([*self.data["booked"], *self.data["marked"]]), "marked": []}
            site.notice = draw.word("reserved")

    def show(self, ui: Ui) -> Sequence[str]:
        marked, lines = self.data["marked"], []
        for row in self.rows:
            cells: list[str] = []
            for seat in (f"{row}{at}" for at in range(1, self.columns + 1)):
                if seat in self.taken or seat in self.data["booked"]:
                    cells.append(
                        f'<button disabled aria-label="{seat} ({escape(self.draw.word("seat_taken"))})">✕</button>'
                    )
                else:
                    cells.append(ui.button(f"✓ {seat}" if seat in marked else seat, f"{self.name}_mark", id=seat))
            lines.append(f"<div>{' '.join(cells)}</div>")
        told = ui.text(f"{self.draw.word('marked')}: {', '.join(marked) or '–'}")
        return [*lines, told, ui.button(self.label("do"), f"{self.name}_book")]

    def plan(self, kind: str) -> Plan:
        draw = self.draw
        row = draw.pick(self.rows)
        there = [each for each in self.free if each[0] == row]
        two = kind == "two_seats" and len(there) > 1
        chosen = there[:1] if kind == "any_seat" else sorted(draw.sample(there, 1 + two))

        def steps() -> Iterator[Step]:
            for each in chosen:
                yield click(each, why=f"{each} is the first free one in row {row}" if kind == "any_seat" else "")
            yield click(self.label("do"), why="marked only, not taken yet")
            yield done(f"{', '.join(chosen)}: {draw.word('reserved')}", see=draw.word("reserved"))

        values = {"seats": ", ".join(chosen), "row": row}
        return Plan(steps, values, lambda data: data[self.name].update(booked=chosen))


class Slots(Chore):
    """Things with times, of which some are taken; a time leads to a page with the button `NAME_do`."""

    kinds: ClassVar[tuple[str, ...]] = ("slot", "soonest", "any_slot", "full")
    times: ClassVar[tuple[str, ...]] = ("08:15", "09:30", "11:00", "13:45", "15:20", "17:40")

    def prepare(self) -> None:
        site, draw = self.site, self.draw
        self.data["booked"] = []
        self.free = {each: sorted(draw.sample(self.times, draw.number(2, 4))) for each in self.things}
        self.free[self.things[0]] = []

        @site.page(f"{self.path}/{{at}}")
        def one(ui: Ui, at: str) -> Sequence[str]:
            thing = self.things[int(at)]
            taken = draw.word("seat_taken")
            links = [
                ui.link(time, f"{self.path}/{at}/{time}") if time in self.free[thing] else f"{time} – {escape(taken)}"
                for time in self.times
            ]
            return [ui.heading(thing), *(f"<p>{each}</p>" for each in links)]

        @site.page(f"{self.path}/{{at}}/{{time}}")
        def affirm(ui: Ui, at: str, time: str) -> Sequence[str]:
            thing = self.things[int(at)]
            button = ui.button(self.label("do"), f"{self.name}_book", thing=thing, time=time)
            return [ui.heading(f"{thing}, {time}"), ui.text(draw.word("not_yet")), button]

        @site.act(f"{self.name}_book")
        def book(form: Form) -> str:
            self.data["booked"].append([form["thing"], form["time"]])
            site.notice = f"{draw.word('reserved')} {form['thing']}, {form['time']}"
            return self.path

    def show(self, ui: Ui) -> Sequence[str]:
        free = self.draw.word("free_times")
        rows = [
            Row([each, f"{free}: {len(self.free[each])}"], f"{self.path}/{at}") for at, each in enumerate(self.things)
        ]
        return [ui.table([self.draw.word("title"), free], rows)]

    def plan(self, kind: str) -> Plan:
        draw, word = self.draw, self.draw.word
        thing = self.things[0] if kind == "full" else draw.pick(self.things[1:])
        time = draw.pick(self.free[thing]) if kind == "slot" else (self.free[thing] or [""])[0]

        def steps() -> Iterator[Step]:
            yield click(thing)
            if kind == "full":
                yield give_up(f"{thing}: {word('seat_taken')}", see=word("seat_taken"), why="every time is taken")
            yield click(time, why="" if kind == "slot" else f"{time} is the first free time")
            yield click(self.label("do"), why="not booked before this is pressed")
            yield done(f"{word('reserved')} {thing}, {time}", see=word("reserved"))

        values = {"thing": thing, "time": time}
        if kind == "full":
            return Plan(steps, values, ending="give_up")
        return Plan(steps, values, lambda data: data[self.name]["booked"].append([thing, time]))

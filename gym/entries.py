"""Chores with forms: entries with parts that may stay empty, several rows at once, tags, names, consent, choices."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, ClassVar

from gym.chores import Chore, Plan
from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, choose, click, done, fill, give_up, tick
from gym.site import Form


class Log(Chore):
    """Entries of a thing and a number; a remark may stay empty. More than `most_number` is refused at the field.
    `NAME_level` is the label of the number, `NAME_add` that of the button."""

    kinds: ClassVar[tuple[str, ...]] = ("log", "log", "log", "remark", "too_much")
    most_number = 40

    def prepare(self) -> None:
        site, draw = self.site, self.draw
        self.data["entries"] = [[each, draw.number(2, 30), ""] for each in self.things[:2]]

        @site.act(f"{self.name}_log")
        def log(form: Form) -> None:
            n = form["n"].strip()
            whole = n.isdecimal()
            if site.require(form, "n", bad_number__n=not whole, too_much__n=whole and int(n) > self.most_number):
                self.data["entries"].append([form["thing"], int(n), form.get("remark", "").strip()])

    def show(self, ui: Ui) -> Sequence[str]:
        word, entries = self.draw.word, self.data["entries"]
        fields = [
            ui.choose("thing", self.draw.word("what"), self.things),
            ui.field("n", self.label("level"), "", "number"),
        ]
        fields.append(ui.field("remark", f"{word('note')} ({word('optional')})"))
        rows = [Row([thing, str(n), remark or "–"]) for thing, n, remark in entries]
        table = ui.table([word("what"), self.label("level"), word("note")], rows)
        return [
            ui.form(f"{self.name}_log", fields, self.label("add")),
            ui.text(f"{word('total')}: {len(entries)}"),
            table,
        ]

    def plan(self, kind: str) -> Plan:
        draw, word, thing = self.draw, self.draw.word, self.draw.pick(self.things)
        n = draw.number(41, 99) if kind == "too_much" else draw.number(2, self.most_number)
        remark = draw.pick(draw.all("remarks")) if kind == "remark" else ""

        def steps() -> Iterator[Step]:
            if thing != self.things[0]:
                yield choose(word("what"), thing)
            yield fill(self.label("level"), str(n))
            if remark:
                yield fill(f"{word('note')} ({word('optional')})", remark)
            yield click(self.label("add"))
            if kind == "too_much":
                yield give_up(
                    f"{thing}, {n}: {word('too_much')}", see=word("too_much"), why="the page refuses the number"
                )
            yield done(f"{thing}: {n}. {word('total')}: 3", see=f"{word('total')}: 3", why="the list has the entry now")

        values = {"thing": thing, "n": n, "remark": remark, "level": self.label("level")}
        if kind == "too_much":
            return Plan(steps, values, ending="give_up")
        return Plan(steps, values, lambda data: data[self.name]["entries"].append([thing, n, remark]))


class Several(Chore):
    """Rows with boxes and a button for all that are ticked; what was done can be undone. `NAME_do` is the button."""

    kinds: ClassVar[tuple[str, ...]] = ("several", "several", "all_of")

    def prepare(self) -> None:
        site, draw = self.site, self.draw
        self.data["gone"] = []
        kept = draw.sample(draw.all("seasons"), 3)
        self.groups = {each: draw.pick(kept) for each in self.things}

        @site.act(f"{self.name}_several")
        def several(form: Form) -> None:
            chosen = [each for at, each in enumerate(self.things) if f"t{at}" in form]
            self.data["gone"] = sorted({*self.data["gone"], *chosen})
            site.notice = f"{self.label('do')}: {len(chosen)}" if chosen else draw.word("tick_first")

        @site.act(f"{self.name}_undo")
        def undo(form: Form) -> None:
            self.data["gone"] = []

    def show(self, ui: Ui) -> Sequence[str]:
        left = [each for each in self.things if each not in self.data["gone"]]
        boxes = [ui.check(f"t{self.things.index(each)}", f"{each} – {self.groups[each]}") for each in left]
        undone = [ui.button(self.draw.word("undo"), f"{self.name}_undo")] if self.data["gone"] else []
        return [*undone, ui.form(f"{self.name}_several", boxes, self.label("do"))]

    def plan(self, kind: str) -> Plan:
        draw, group = self.draw, self.groups[self.things[0]]
        chosen = [each for each in self.things if self.groups[each] == group]
        if kind == "several":
            chosen = sorted(draw.sample(self.things, draw.number(2, 3)), key=self.things.index)
        listed = ", ".join(chosen)

        def steps() -> Iterator[Step]:
            for each in chosen:
                yield tick(f"{each} – {self.groups[each]}")
            yield click(self.label("do"))
            yield done(f"{self.label('do')}: {len(chosen)} ({listed})", see=self.draw.word("undo"))

        values = {"things": listed, "group": group, "do": self.label("do")}
        return Plan(steps, values, lambda data: data[self.name].update(gone=sorted(chosen)))


class Tags(Chore):
    """Things with tags as chips, which are added in a field and taken away by a sign. `NAME_tags` are the tags."""

    kinds: ClassVar[tuple[str, ...]] = ("tag", "tag", "untag")

    def prepare(self) -> None:
        site, draw = self.site, self.draw
        self.data["tags"] = {each: draw.some(f"{self.name}_tags", draw.number(1, 3)) for each in self.things}

        @site.page(f"{self.path}/{{at}}")
        def one(ui: Ui, at: str) -> Sequence[str]:
            thing = self.things[int(at)]
            chips = [ui.button(f"{tag} ✕", f"{self.name}_untag", id=thing, tag=tag) for tag in self.data["tags"][thing]]
            field = ui.field("tag", draw.word("new_tag"))
            return [
                ui.heading(thing),
                " ".join(chips),
                ui.form(f"{self.name}_tag", [field], draw.word("add"), id=thing),
            ]

        @site.act(f"{self.name}_tag")
        def tag(form: Form) -> None:
            if site.require(form, "tag"):
                self.data["tags"][form["id"]].append(form["tag"].strip())

        @site.act(f"{self.name}_untag")
        def untag(form: Form) -> None:
            self.data["tags"][form["id"]].remove(form["tag"])

    def show(self, ui: Ui) -> Sequence[str]:
        rows = [
            Row([each, " · ".join(tags)], f"{self.path}/{at}")
            for at, (each, tags) in enumerate(self.data["tags"].items())
        ]
        return [ui.listing([self.draw.word("title"), self.draw.word("tags")], rows, self.path, size=5)]

    def plan(self, kind: str) -> Plan:
        draw, thing = self.draw, self.draw.pick(self.things)
        had: list[str] = list(self.data["tags"][thing])
        new = draw.pick([each for each in draw.all(f"{self.name}_tags") if each not in had])
        tag = draw.pick(had) if kind == "untag" else new

        def steps() -> Iterator[Step]:
            yield click(thing)
            if kind == "untag":
                yield click(f"{tag} ✕")
            else:
                yield fill(draw.word("new_tag"), tag)
                yield click(draw.word("add"))
            yield done(f"{thing}: {tag} {'✕' if kind == 'untag' else '✓'}", see=thing)

        left = [each for each in had if each != tag] if kind == "untag" else [*had, tag]
        return Plan(steps, {"thing": thing, "tag": tag}, lambda data: data[self.name]["tags"].update({thing: left}))


class Names(Chore):
    """Things whose names are changed where they stand: a press on the sign of one puts a field there."""

    kinds: ClassVar[tuple[str, ...]] = ("rename",)

    def prepare(self) -> None:
        site = self.site
        self.fresh, *self.things = self.things
        self.data["names"] = list(self.things)

        @site.act(f"{self.name}_rename")
        def rename(form: Form) -> str | None:
            if not site.require(form, "name"):
                return None
            self.data["names"][int(form["at"])] = form["name"].strip()
            return self.path

    def show(self, ui: Ui) -> Sequence[str]:
        word, rows = self.draw.word, []
        for at, each in enumerate(self.data["names"]):
            if ui.query.get("edit") == str(at):
                rows.append(ui.form(f"{self.name}_rename", [ui.field("name", word("name"), each)], word("save"), at=at))
            else:
                pen = ui.link("✎ " + word("rename"), f"{self.path}?edit={at}")
                rows.append(f'<div class="rowline"><span>{escape(each)}</span> {pen}</div>')
        return rows

    def plan(self, kind: str) -> Plan:
        word, thing = self.draw.word, self.draw.pick(self.things)

        def steps() -> Iterator[Step]:
            yield click("✎ " + word("rename"), row=thing)
            yield fill(word("name"), self.fresh)
            yield click(word("save"))
            yield done(f"{thing} → {self.fresh}", see=self.fresh)

        def want(data: dict[str, Any]) -> None:
            data[self.name]["names"][self.things.index(thing)] = self.fresh

        return Plan(steps, {"thing": thing, "other": self.fresh}, want)

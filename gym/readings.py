"""Chores in which something is looked for and read: documents with facts, of which some stand pages away."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from gym.chores import Chore, Plan
from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, click, done
from gym.parts import open_part, set_view, write_parts, write_view
from gym.site import Form

NEWEST = "date"


class Documents(Chore):
    """Things to open: each has a page, which leads to a page with more. `NAME_fact` is the label of a fact there and
    `NAME_facts` are its texts; `NAME_amount` is the label of a number that the list shows."""

    kinds: ClassVar[tuple[str, ...]] = (
        "show",
        "show",
        "show",
        "fetch",
        "tell",
        "tell",
        "most",
        "least",
        "latest",
        "many",
    )

    def prepare(self) -> None:
        site, draw, things = self.site, self.draw, self.things
        numbers = draw.sample(range(3, 99), len(things))
        self.amounts = dict(zip(things, numbers, strict=True))
        self.days = dict(zip(things, draw.sample(draw.days(len(things)), len(things)), strict=True))
        self.facts = {each: draw.pick(draw.all(f"{self.name}_facts")) for each in things}
        self.folded, self.sorted = draw.chance(0.3), draw.chance(0.5)
        self.deep = draw.chance(0.6)
        self.groups = dict(zip(things, (draw.pick(draw.all("seasons")[:3]) for _ in things), strict=True))
        self.data |= {"fetched": [], "front": ""}
        self.following = False

        @site.page(f"{self.path}/{{at}}")
        def one(ui: Ui, at: str) -> Sequence[str]:
            thing = things[int(at)]
            if self.following:
                self.data["front"] = thing
            told = {draw.word("date"): self.days[thing], self.label("amount"): str(self.amounts[thing])}
            told |= {} if self.deep else {self.label("fact"): self.facts[thing]}
            more = [ui.link(draw.word("in_full"), f"{self.path}/{at}/more")] if self.deep else []
            get = ui.button(draw.word("download"), f"{self.name}_get", thing=thing)
            return [ui.heading(thing), ui.facts(told), *more, get]

        @site.page(f"{self.path}/{{at}}/more")
        def more(ui: Ui, at: str) -> Sequence[str]:
            thing = things[int(at)]
            told = {self.label("fact"): self.facts[thing], draw.word("category"): self.groups[thing]}
            return [ui.heading(f"{thing} – {draw.word('in_full')}"), ui.facts(told), ui.text(draw.all("filler")[0])]

        @site.act(f"{self.name}_get")
        def get(form: Form) -> None:
            self.data["fetched"].append(form["thing"])
            site.notice = f"{draw.word('downloading')} {form['thing']}"

    def show(self, ui: Ui) -> Sequence[str]:
        draw, orders = self.draw, [self.draw.word("by_name"), self.label("amount"), self.draw.word("date")]
        chosen = ui.query.get("order", "")
        listed = sorted(self.things) if self.sorted else list(self.things)
        if chosen == orders[1]:
            listed.sort(key=lambda each: -self.amounts[each])
        elif chosen == orders[2]:
            listed.sort(key=lambda each: self.days[each], reverse=True)
        columns = [draw.word("title"), draw.word("category"), draw.word("date"), self.label("amount")]
        if self.folded:
            parts = {
                group: ui.table(columns, [self._row(each) for each in listed if self.groups[each] == group])
                for group in sorted(set(self.groups.values()))
            }
            return [write_parts(ui, parts, self.path)]
        view = [write_view(ui, self.path, "order", draw.word("order_by"), orders)] if self.sorted else []
        return [*view, ui.listing(columns, list(map(self._row, listed)), self.path, size=6)]

    def _row(self, thing: str) -> Row:
        cells = [thing, self.groups[thing], self.days[thing], str(self.amounts[thing])]
        return Row(cells, f"{self.path}/{self.things.index(thing)}")

    def plan(self, kind: str) -> Plan:
        if self.folded and kind in ("most", "least", "latest", "many"):
            kind = "tell"
        thing, group = self.draw.pick(self.things), self.draw.pick(list(self.groups.values()))
        best = {
            "most": max(self.things, key=lambda each: self.amounts[each]),
            "least": min(self.things, key=lambda each: self.amounts[each]),
            "latest": max(self.things, key=lambda each: self.days[each]),
        }.get(kind, thing)
        count = str(sum(each == group for each in self.groups.values()))
        answer = {"fetch": [], "tell": [self.facts[best]], "many": [count], "show": [self.days[best]]}.get(kind, [best])
        self.following = kind == "show"
        values = {"thing": best, "group": group, "fact": self.label("fact"), "amount": self.label("amount")}

        def want(data: dict[str, Any]) -> None:
            if kind == "fetch":
                data[self.name]["fetched"].append(best)
            elif kind == "show":
                data[self.name]["front"] = best

        return Plan(lambda: self._steps(kind, best, group, count), values, want, [] if kind == "show" else answer)

    def _steps(self, kind: str, best: str, group: str, count: str) -> Iterator[Step]:
        word = self.draw.word
        if kind in ("most", "latest") and self.sorted and not self.folded:
            yield from set_view(self.site, word("order_by"), word("date") if kind == "latest" else self.label("amount"))
        told = {"latest": self.days[best]}.get(kind, str(self.amounts[best]))
        if kind in ("most", "least", "latest"):
            yield done(f"{best}: {told}", see=told, why=f"{told} is the {kind} of the list")
        elif kind == "many":
            yield done(f"{group}: {count}", see=group, why=f"{count} rows have {group}")
        if self.folded:
            groups = sorted(set(self.groups.values()))
            yield from open_part(self.site, self.groups[best], first=self.groups[best] == groups[0])
        yield click(best)
        if kind == "fetch":
            yield click(word("download"))
            yield done(f"{word('downloading')} {best}", see=word("downloading"))
        elif kind == "show":
            yield done(f"{best}: {self.days[best]}, {self.label('amount')} {self.amounts[best]}", see=self.days[best])
        if self.deep:
            yield click(word("in_full"), why=f"{self.label('fact')} may stand there")
        yield done(f"{best}, {self.label('fact')}: {self.facts[best]}", see=self.facts[best])

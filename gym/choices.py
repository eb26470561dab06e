"""Chores that choose: what is allowed, and one of what a field suggests."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import ClassVar

from gym.chores import Chore, Plan
from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, click, done, fill, tick
from gym.site import Form


class Consent(Chore):
    """Boxes of what is allowed, with a button that keeps the choice beside others that allow or refuse all."""

    kinds: ClassVar[tuple[str, ...]] = ("only", "only", "allow", "refuse_all")

    def prepare(self) -> None:
        site, draw = self.site, self.draw
        self.data["allowed"] = {each: draw.chance(0.5) for each in self.things}
        self.data["allowed"] |= dict.fromkeys(self.things[:2], True)

        @site.act(f"{self.name}_keep")
        def keep(form: Form) -> None:
            self.data["allowed"] = {each: f"c{at}" in form for at, each in enumerate(self.things)}
            site.notice = draw.word("choice_kept")

        @site.act(f"{self.name}_all")
        def set_all(form: Form) -> None:
            self.data["allowed"] = dict.fromkeys(self.things, form["to"] == "yes")
            site.notice = draw.word("choice_kept")

    def show(self, ui: Ui) -> Sequence[str]:
        word, allowed = self.draw.word, self.data["allowed"]
        boxes = [ui.check(f"c{at}", each, allowed[each]) for at, each in enumerate(self.things)]
        form = ui.form(f"{self.name}_keep", boxes, word("keep_choice"))
        others = [
            ui.button(word(key), f"{self.name}_all", to=to) for key, to in (("allow_all", "yes"), ("refuse_all", "no"))
        ]
        return [others[0], form, others[1]]

    def plan(self, kind: str) -> Plan:
        word, allowed = self.draw.word, dict(self.data["allowed"])
        off = [each for each in self.things if not allowed[each]]
        kind = "only" if kind == "allow" and not off else kind
        thing = self.draw.pick(off) if kind == "allow" else self.draw.pick(self.things)
        wanted = {"only": {each: each == thing for each in self.things}, "allow": allowed | {thing: True}}.get(
            kind, dict.fromkeys(self.things, False)
        )

        def steps() -> Iterator[Step]:
            if kind == "refuse_all":
                yield click(word("refuse_all"))
            else:
                changed = [each for each in self.things if wanted[each] != allowed[each]]
                for each in changed:
                    yield tick(each, why=f"{each} should be {'on' if wanted[each] else 'off'}")
                yield click(word("keep_choice"))
            yield done(word("choice_kept"), see=word("choice_kept"))

        return Plan(steps, {"thing": thing}, lambda data: data[self.name].update(allowed=wanted))


class Picker(Chore):
    """A field that suggests what begins with the letters typed, one of which is chosen, then added."""

    kinds: ClassVar[tuple[str, ...]] = ("pick",)

    def prepare(self) -> None:
        half = len(self.things) // 2
        self.data["list"] = self.things[:half]
        self.others = self.things[half:]

        @self.site.act(f"{self.name}_pick")
        def pick(form: Form) -> None:
            wrong = form["one"].strip() not in self.others
            if self.site.require(form, "one", pick_one__one=wrong):
                self.data["list"].append(form["one"].strip())

    def show(self, ui: Ui) -> Sequence[str]:
        options = "".join(
            f'<div role="option" class="pressable" data-suggested hidden>{escape(each)}</div>' for each in self.others
        )
        field = f"<div data-suggest>{ui.field('one', self.draw.word('what'))}<div>{options}</div></div>"
        form = ui.form(f"{self.name}_pick", [field], self.draw.word("add"))
        return [form, ui.table([self.draw.word("title")], [Row([each]) for each in self.data["list"]])]

    def plan(self, kind: str) -> Plan:
        thing = self.draw.pick(self.others)

        def steps() -> Iterator[Step]:
            yield fill(self.draw.word("what"), thing[:4], why="the field suggests what fits")
            yield click(thing, why=f"choose {thing} from what is suggested", stays=True)
            yield click(self.draw.word("add"))
            yield done(f"{thing} ✓", see=thing)

        return Plan(steps, {"thing": thing}, lambda data: data[self.name]["list"].append(thing))

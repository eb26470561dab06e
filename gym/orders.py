"""Chores that move or mark things: an order, columns, tags, reactions, stars, levels."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, ClassVar

from gym.chores import Chore, Plan
from gym.markup import Ui
from gym.oracle import Step, choose, click, done, drag
from gym.site import Form


def write_held(key: str, target: str, words: str, tag: str) -> str:
    """Something that can be dragged onto another, which posts both to an action."""
    held = f'data-drag="{escape(key)}" data-onto="{target}"'
    return f'<{tag} class="cardbox" tabindex="0" style="cursor:grab" {held}>{escape(words)}</{tag}>'


class Ranking(Chore):
    """Things in an order, which is changed by arrows, by a menu, or by dragging one onto another."""

    kinds: ClassVar[tuple[str, ...]] = ("first", "last", "before")

    def prepare(self) -> None:
        site, draw = self.site, self.draw
        self.data["order"] = list(self.things)
        self.way = draw.pick(("arrows", "arrows", "menu", "drag", "drag"))

        @site.act(f"{self.name}_move")
        def move(form: Form) -> None:
            order: list[str] = self.data["order"]
            thing = form["id"]
            at = order.index(thing)
            onto = form.get("onto", "")
            to = order.index(onto) if onto else {"up": at - 1, "down": at + 1, "end": len(order)}.get(form["to"], 0)
            order.remove(thing)
            order.insert(max(0, to), thing)

    def show(self, ui: Ui) -> Sequence[str]:
        order: list[str] = self.data["order"]
        if self.way == "drag":
            target = ui.action(f"{self.name}_move", to="")
            rows = "".join(write_held(each, target, f"⠿ {each}", "li") for each in order)
            return [ui.text(self.draw.word("drag_hint")), f"<ol>{rows}</ol>"]
        ways = (("up", "↑"), ("down", "↓")) if self.way == "arrows" else (("top", "to_top"), ("end", "to_end"))
        rows = [
            [ui.button(self._sign(sign), f"{self.name}_move", id=each, to=to) for to, sign in ways] for each in order
        ]
        return [
            "".join(
                f"<div class=rowline><span>{at}. {escape(each)}</span> {' '.join(made)}</div>"
                for at, (each, made) in enumerate(zip(order, rows, strict=True), 1)
            )
        ]

    def _sign(self, sign: str) -> str:
        return sign if len(sign) == 1 else self.draw.word(sign)

    def plan(self, kind: str) -> Plan:
        draw, order = self.draw, list(self.things)
        kind = "first" if self.way == "menu" and kind == "before" else kind
        at = draw.number(1, len(order) - 2)
        to = {"first": 0, "last": len(order) - 1}.get(
            kind, draw.pick([each for each in range(len(order)) if each < at] or [0])
        )
        thing, other = order[at], order[to]

        def want(data: dict[str, Any]) -> None:
            changed: list[str] = data[self.name]["order"]
            changed.remove(thing)
            changed.insert(to, thing)

        def steps() -> Iterator[Step]:
            if self.way == "drag":
                yield drag(f"⠿ {thing}", f"⠿ {other}", why=f"drop {thing} where {other} is")
            elif self.way == "menu":
                yield click(draw.word("to_top" if kind == "first" else "to_end"), row=f"{at + 1}. {thing}")
            else:
                step = -1 if to < at else 1
                for now in range(at, to, step):
                    yield click(
                        "↑" if to < at else "↓", row=f"{now + 1}. {thing}", why=f"{thing} is {now + 1}, wanted {to + 1}"
                    )
            yield done(f"{to + 1}. {thing}", see=thing, why=f"{thing} is {to + 1} now")

        return Plan(steps, {"thing": thing, "other": other}, want)


class Columns(Chore):
    """Things in columns, moved by a menu, a choice, or dragging. `NAME_columns` are the names of the columns."""

    kinds: ClassVar[tuple[str, ...]] = ("shift", "shift", "column")

    def prepare(self) -> None:
        site, draw = self.site, self.draw
        self.columns = list(draw.all(f"{self.name}_columns"))
        self.data["places"] = {each: draw.pick(self.columns) for each in self.things}
        self.way = draw.pick(("menu", "choice", "drag"))

        @site.act(f"{self.name}_shift")
        def shift(form: Form) -> None:
            self.data["places"][form["id"]] = form.get("onto") or form["to"]

    def show(self, ui: Ui) -> Sequence[str]:
        word, act = self.draw.word, f"{self.name}_shift"
        parts: list[str] = []
        for column in self.columns:
            inner: list[str] = []
            for each in (thing for thing, place in self.data["places"].items() if place == column):
                match self.way:
                    case "drag":
                        target = ui.action(act, to="")
                        inner.append(write_held(each, target, each, "div"))
                    case "menu":
                        others = [ui.button(other, act, id=each, to=other) for other in self.columns if other != column]
                        inner.append(
                            f'<div class="rowline"><span>{escape(each)}</span>{ui.menu(word("move_to"), others)}</div>'
                        )
                    case _:
                        inner.append(f"<p>{ui.link(each, f'{self.path}/{self.things.index(each)}')}</p>")
            drop = f' tabindex="0" style="cursor:grab" data-drop="{escape(column)}"' if self.way == "drag" else ""
            parts.append(f"<section><h3{drop}>{escape(column)}</h3>{''.join(inner)}</section>")
        return [f'<div class="split">{"".join(parts)}</div>']

    def plan(self, kind: str) -> Plan:
        draw, thing = self.draw, self.draw.pick(self.things)
        places: dict[str, str] = self.data["places"]
        column = draw.pick([each for each in self.columns if each != places[thing]])
        if self.way == "choice":
            self._write_pages()
        if kind == "column":
            return Plan(
                lambda: iter([done(f"{thing}: {places[thing]}", see=thing)]), {"thing": thing}, None, [places[thing]]
            )

        def steps() -> Iterator[Step]:
            if self.way == "drag":
                yield drag(thing, column)
            elif self.way == "menu":
                yield click(draw.word("move_to"), row=thing)
                yield click(column)
            else:
                yield click(thing)
                yield choose(draw.word("status"), column)
                yield click(draw.word("save"))
            yield done(f"{thing}: {column}", see=column)

        return Plan(
            steps, {"thing": thing, "column": column}, lambda data: data[self.name]["places"].update({thing: column})
        )

    def _write_pages(self) -> None:
        @self.site.page(f"{self.path}/{{at}}")
        def one(ui: Ui, at: str) -> Sequence[str]:
            thing = self.things[int(at)]
            box = ui.choose("to", self.draw.word("status"), self.columns, self.data["places"][thing])
            return [ui.heading(thing), ui.form(f"{self.name}_shift", [box], self.draw.word("save"), id=thing)]

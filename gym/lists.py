"""Writes rows of cells as a table, a grid, cards or a list, with links, actions, search and paging."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from gym.style import hash_text

if TYPE_CHECKING:
    from gym.markup import Ui

LONG = 4
"""How many times more rows a page has on sites with long pages."""


@dataclass(frozen=True)
class Action:
    """A button in a row: the word's key or the label itself, the site's action, and whether it may ask first."""

    label: str
    act: str
    sure: bool = False
    icon: str = ""


@dataclass(frozen=True)
class Row:
    """A row: its cells, the path that the first cell leads to, its actions with their arguments, and what stands
    before the first cell (a star, a box), as HTML."""

    cells: Sequence[str]
    path: str = ""
    actions: Sequence[Action] = ()
    key: str = ""
    mark: str = ""


class ListWriter:
    """Writes rows in the style of the site. Actions are called with `id`, the key of their row."""

    def __init__(self, ui: "Ui", columns: Sequence[str]) -> None:
        self.ui = ui
        self.style = ui.style
        self.columns = columns

    def write(self, rows: Sequence[Row]) -> str:
        self.ui.site.rows.update(dict.fromkeys(row.cells[0] for row in rows))
        if not rows:
            return self.ui.text(self.ui.word("nothing_found"))
        match self.style["list"]:
            case "table":
                head = "".join(f"<th>{escape(each)}</th>" for each in self.columns)
                return (
                    f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(map(self._table_row, rows))}</tbody></table>"
                )
            case "grid":
                inner = self._grid_head() + "".join(map(self._grid_row, rows))
                return f'<div class="{self.style.name("grid")}"{self._role("table")}>{inner}</div>'
            case "cards":
                return f'<div class="{self.style.name("cards")}">{"".join(map(self._card, rows))}</div>'
            case _:
                return f"<ul>{''.join(map(self._item, rows))}</ul>"

    def _role(self, role: str) -> str:
        return f' role="{role}"' if self.style["controls"] != "div" else ""

    def _first(self, row: Row) -> str:
        shown = self.ui.link(row.cells[0], row.path) if row.path else escape(row.cells[0])
        return f"{row.mark} {shown}" if row.mark else shown

    def _cells(self, row: Row) -> list[str]:
        return [self._first(row), *map(escape, row.cells[1:]), *self._dress(row)]

    def _dress(self, row: Row) -> list[str]:
        """What a person does, and words beside the matter in each row of some sites: a sentence and a rating."""
        role = self.ui.site.roles.get(row.cells[0])
        roles = [escape(role)] if role else []
        if self.style["dressed"] == "no":
            return roles
        number, told = hash_text(row.cells[0], self.ui.site.draw.seed), self.ui.site.draw.all("filler")
        return [*roles, f"{escape(told[number % len(told)])} ★ {3 + number % 3}.{number % 10} ({number % 300})"]

    def _table_row(self, row: Row) -> str:
        cells = [*self._cells(row), *([self._actions(row)] if row.actions else [])]
        return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"

    def _grid_head(self) -> str:
        cells = "".join(
            f'<div class="cell"{self._role("columnheader")}><b>{escape(each)}</b></div>' for each in self.columns
        )
        return f'<div class="rowline"{self._role("row")}>{cells}</div>'

    def _grid_row(self, row: Row) -> str:
        cells = [*self._cells(row), *([self._actions(row)] if row.actions else [])]
        inner = "".join(f'<div class="cell"{self._role("cell")}>{cell}</div>' for cell in cells)
        return f'<div class="rowline {self.style.name("row")}"{self._role("row")}>{inner}</div>'

    def _card(self, row: Row) -> str:
        tag = "div" if self.style["controls"] == "div" else "article"
        facts = "".join(
            f"<div>{escape(label)}: {escape(cell)}</div>"
            for label, cell in zip(self.columns[1:], row.cells[1:], strict=False)
        )
        facts += "".join(f"<p>{each}</p>" for each in self._dress(row))
        tagged = "h3" if self.style["dressed"] == "yes" else "b"
        inner = f"<div><{tagged}>{self._first(row)}</{tagged}></div>{facts}{self._actions(row)}"
        return f'<{tag} class="cardbox {self.style.name("card")}">{inner}</{tag}>'

    def _item(self, row: Row) -> str:
        rest = " · ".join((*map(escape, row.cells[1:]), *self._dress(row)))
        return f"<li>{self._first(row)} <span>{rest}</span> {self._actions(row)}</li>"

    def _actions(self, row: Row) -> str:
        ui = self.ui
        made = [
            ui.button(
                each.label, each.act, sure=each.sure, icon=each.icon * (self.style["actions"] == "icons"), id=row.key
            )
            for each in row.actions
        ]
        if self.style["actions"] == "menu" and made:
            return ui.menu(ui.word("more"), made)
        return " ".join(made)

    def write_paged(self, rows: Sequence[Row], path: str, size: int, seek: bool) -> str:
        size *= LONG if self.style["length"] == "long" else 1
        words = self.ui.query.get("q", "").casefold().split()
        found = [row for row in rows if all(word in " ".join(row.cells).casefold() for word in words)]
        pages = max(1, -(-len(found) // size))
        page = min(max(1, int(self.ui.query.get("page", "1") or 1)), pages)
        shown = found[(page - 1) * size : page * size]
        self.ui.site.rows.update(dict.fromkeys(row.cells[0] for row in rows))
        parts = [self.ui.search(path)] if seek else []
        parts.append(self.ui.text(f"{len(found)} {self.ui.word('results')}"))
        return "".join((*parts, self.write(shown), self._pager(path, page, pages)))

    def _pager(self, path: str, page: int, pages: int) -> str:
        if pages == 1:
            return ""
        ui = self.ui

        def to(number: int, label: str) -> str:
            kept = {name: value for name, value in ui.query.items() if name in ("q", "sort")} | {"page": str(number)}
            return ui.link(label, f"{path}?{urlencode(kept)}")

        parts = [to(page - 1, ui.word("previous_page"))] if page > 1 else []
        parts.append(f"<span>{escape(ui.word('page_of'))} {page} / {pages}</span>")
        parts += [to(page + 1, ui.word("next_page"))] if page < pages else []
        return f'<div class="bar">{" ".join(parts)}</div>'

"""Writes the tables of a page row by row, since a small model takes a value of one row for that of another."""

import re
from collections.abc import Iterator, Sequence

from pilotfish.context.fitting import shorten_text, token_estimate

RULE = re.compile(r"\|(?: *:?-+:? *\|)+ *")
CELL_END = re.compile(r"(?<!\\)\|")


def fit_page(text: str, most: int, small: bool) -> str:
    """The text in so many tokens; for a small model with its tables row by row, where they fit so."""
    spelled = "\n".join(_spell_lines(text.splitlines())) if small else text
    return spelled if token_estimate(spelled) <= most else shorten_text(text, most)


def _spell_lines(lines: Sequence[str]) -> Iterator[str]:
    heads: list[str] = []
    for place, line in enumerate(lines):
        if RULE.fullmatch(line) and heads:
            continue
        if not line.startswith("|"):
            heads = []
        elif RULE.fullmatch("".join(lines[place + 1 : place + 2])):
            heads = _list_cells(line)
            continue
        yield _spell_row(heads, _list_cells(line)) if any(heads) else line


def _list_cells(line: str) -> list[str]:
    return [cell.strip() for cell in CELL_END.split(line)[1:-1]]


def _spell_row(heads: Sequence[str], cells: Sequence[str]) -> str:
    """“- Lantern Line: Return ticket: 14 crowns; Bicycle: free”: the first cell names the row."""
    named = [f"{head}: {cell}" if head else cell for head, cell in zip(heads[1:], cells[1:], strict=False) if cell]
    return f"- {cells[0]}: {'; '.join(named)}" if named else f"- {' '.join(cells)}"

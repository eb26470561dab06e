"""The tool that reads a whole list, table or set of cards as rows, without a model."""

import asyncio
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from pilotfish.browser.actions.collecting import CollectedList, CollectLimits, collect_list
from pilotfish.browser.actions.list_parts import read_list_part
from pilotfish.browser.perception.list_columns import ListColumn, ListTable, align_rows
from pilotfish.browser.perception.list_summaries import ListSummary, pack_row, survey_lists
from pilotfish.browser.perception.page_lists import (
    KIND_NAMES,
    ListCell,
    ListChoice,
    ListRow,
)
from pilotfish.tools.base import TabNumber, ToolContext, ToolResult, tool

if TYPE_CHECKING:
    from pilotfish.browser.sessions.session import BrowserSession

CELL_LENGTH = 120
LIST_TRIES, LIST_WAIT = 6, 0.5
"""Some pages draw their lists a while after they were loaded."""
SUMMARY_LENGTH = 100
STATES = frozenset(
    {"checked", "unchecked", "mixed", "selected", "pressed", "expanded", "collapsed", "current", "disabled"}
)


@tool(group="page", effect=True, timeout=180)
async def collect(
    ctx: ToolContext,
    words: Annotated[str, Field(description="only rows that hold all these words")] = "",
    name: Annotated[str, Field(description="words that name the list; empty: the largest of the page")] = "",
    id: Annotated[int | None, Field(description="an element in or around the list")] = None,
    pages: Annotated[int, Field(description="follow paging so far; 1: only what is here", ge=1, le=100)] = 10,
    limit: Annotated[int, Field(description="rows at most", ge=1, le=3000)] = 200,
    tab: TabNumber = None,
) -> ToolResult:
    """Read a whole list, table or set of cards as rows with ids: through its scroll box, "load more" and pages.

    Use it before doing something to each of many, or to compare many. The page is left where it was.
    """
    session = await open_tab(ctx, tab)
    found = await collect_list(session, ListChoice(id, name), CollectLimits(rows=limit, pages=pages))
    table = align_rows(found.rows, found.first.heads)
    kept = [at for at, row in enumerate(found.rows) if holds_words(row, words)]
    summary = f"Collected {len(kept)} rows of {found.first.title or (await session.tab()).url}"
    return ToolResult(
        output=render_rows(found, table, kept, words), text=summary, data=rows_as_data(found, table, kept)
    )


async def open_tab(ctx: ToolContext, tab: TabNumber) -> "BrowserSession":
    """The session with this tab in front."""
    session = await ctx.browser()
    if tab is not None and tab != session.active:
        await session.switch(tab)
    return session


@tool(group="extract")
async def find_lists(ctx: ToolContext, tab: TabNumber = None) -> ToolResult:
    """Name the lists, tables and sets of cards of the page, the weightiest first, each with its first rows."""
    shown = await (await open_tab(ctx, tab)).tab()
    found: list[ListSummary] = []
    for _ in range(LIST_TRIES):
        if found := await shown.guard.call(survey_lists(shown.observer), "reading lists"):
            break
        await asyncio.sleep(LIST_WAIT)
    lines = [f"{at}. {describe_summary(each)}" for at, each in enumerate(found, 1)]
    data = {"lists": [{**asdict(each), "text": describe_summary(each)} for each in found]}
    return ToolResult(
        output="\n".join(lines), text=f"Found {len(found)} {'list' if len(found) == 1 else 'lists'}", data=data
    )


def describe_summary(found: ListSummary) -> str:
    """A list in one line: its name and length, then its heads or else its first row."""
    shown = " | ".join(filter(None, found.heads)) or next(filter(None, found.first), "")
    title = f"{found.title} " if found.title else ""
    return f"{title}({found.count} rows): {shown[:SUMMARY_LENGTH]}"


@tool(group="extract", effect=True, timeout=180)
async def collect_part(
    ctx: ToolContext,
    mark: Annotated[dict[str, Any], Field(description="which list, as find_lists gave it")],
    end: Annotated[str, Field(description="where the part before ended; empty: begin")] = "",
    limit: Annotated[int, Field(description="rows at most", ge=1, le=3000)] = 200,
    tab: TabNumber = None,
) -> ToolResult:
    """Read the next part of a list: what is there, then what scrolling or paging brings. The page is left there."""
    session = await open_tab(ctx, tab)
    part = await read_list_part(session, ListChoice(mark=mark), end, CollectLimits(rows=limit))
    here = (await session.tab()).url
    data = {
        "heads": list(part.first.heads),
        "rows": [pack_row(row) for row in part.rows],
        "end": part.end,
        "more": part.more,
        "turned": part.turned,
        "turns": part.first.paging.onward is not None,
        "url": here,
    }
    return ToolResult(
        output=f"{len(part.rows)} rows",
        text=f"Read {len(part.rows)} {'row' if len(part.rows) == 1 else 'rows'} of {here[:120]}",
        data=data,
    )


def holds_words(row: ListRow, words: str) -> bool:
    """Whether a row, its states included, holds every word."""
    states = (state for cell in row.cells for state in cell.states)
    said = fold_text(" ".join((row.text, row.group, *states)))
    return all(word in said for word in fold_text(words).split())


def fold_text(text: str) -> str:
    """In one case and without accents."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(sign))


def render_rows(found: CollectedList, table: ListTable, kept: Sequence[int], words: str) -> str:
    """A line about the list, a line with the columns, then a line for each row."""
    lines = [describe_list(found, kept, words)]
    if table.columns and kept:
        lines.append(f"columns: {' | '.join(map(show_head, table.columns))}")
    if table.same:
        lines.append(f"in every row: {'; '.join(table.same)}")
    page = 1
    for at in kept:
        row = found.rows[at]
        if row.page != page:
            page = row.page
            lines.append(f"— page {page} —")
        own = f"[{row.id}] " if row.id else ""
        cells = " | ".join(show_cell(column.cells[at], column.name) for column in table.columns)
        lines.append(f"{at + 1}. {own}{cells.rstrip(' |')}")
    return "\n".join(lines)


def describe_list(found: CollectedList, kept: Sequence[int], words: str) -> str:
    """What was read, how much of it, and where the page is now."""
    title = f" “{found.first.title}”" if found.first.title else ""
    count = (
        f"{len(kept)} of {len(found.rows)} rows hold “{words}” in the" if words else f"{len(found.rows)} rows of the"
    )
    parts = [f"{count} {KIND_NAMES[found.first.kind]}{title}"]
    if found.pages > 1:
        parts.append(f"{found.pages} pages")
    if found.doubles:
        parts.append(f"{found.doubles} doubles left out")
    parts.append(f"there are more: {found.more}" if found.more else "all there are")
    if found.left_at:
        parts.append(found.left_at)
    if any(not row.ids for row in found.rows):
        parts.append("rows without [id] are not on the screen's page now")
    return f"{'; '.join(parts)}."


def show_head(column: ListColumn) -> str:
    """What a column is called, with the role of the controls in it: they are found by that on a later page."""
    return column.name if column.role in column.name else f"{column.name} ({column.role})"


def show_cell(cell: ListCell | None, column: str) -> str:
    """A part of a row in few signs: its number, what it says unless the column is called so, its states."""
    if cell is None:
        return ""
    text = cell.text.replace("|", "/")
    shown = "" if cell.id and text == column else text if len(text) <= CELL_LENGTH else f"{text[: CELL_LENGTH - 1]}…"
    states = f"({', '.join(kept)})" if (kept := [each for each in cell.states if each in STATES]) else ""
    return " ".join(filter(None, (f"[{cell.id}]" if cell.id else "", shown, states)))


def rows_as_data(found: CollectedList, table: ListTable, kept: Iterable[int]) -> dict[str, Any]:
    """The rows as values."""
    return {
        "list": found.first.title,
        "kind": found.first.kind,
        "columns": list(table.names),
        "pages": found.pages,
        "more": found.more,
        "rows": [
            {
                "row": at + 1,
                "page": found.rows[at].page,
                "scroll": found.rows[at].offset,
                "ids": list(found.rows[at].ids),
                "cells": {
                    column.name: cell_as_data(cell)
                    for column in table.columns
                    if (cell := column.cells[at]) is not None
                },
            }
            for at in kept
        ],
    }


def cell_as_data(cell: ListCell) -> dict[str, Any]:
    """A part of a row without what is empty."""
    fields = {"text": cell.text, "id": cell.id, "role": cell.role, "states": list(cell.states), "href": cell.href}
    return {name: value for name, value in fields.items() if value}

"""Gathers the rows of data of a run, part by part: converts them to values, leaves doubles out and reports new ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pilotfish.browser.perception.list_summaries import unpack_row
from pilotfish.browser.perception.page_lists import ListRow
from pilotfish.core.errors import PersonError
from pilotfish.core.messages import ToolCall
from pilotfish.core.output_fields import OutputFormat
from pilotfish.core.value_rules import fit_value
from pilotfish.loop_support.column_choice import ColumnChoice, choose_columns, choose_list, keep_groups
from pilotfish.loop_support.column_values import list_sources, move_misplaced, proven_sign, read_values
from pilotfish.loop_support.data_records import read_record
from pilotfish.loop_support.stand_ins import fill_stand_ins

if TYPE_CHECKING:
    from pilotfish.core.pages import TabText
    from pilotfish.runtime.run import Run
    from pilotfish.tools.base import ToolResult

MOST_ROWS, MOST_PAGES = 200, 10
NAME_FIELDS = "Name the fields that you want, such as --fields name,price:number; then one record is read."


@dataclass
class ListReading:
    """The rows of one list with the chosen columns, each with the address and number of its page."""

    choice: ColumnChoice
    rows: list[ListRow] = field(default_factory=list["ListRow"])
    places: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    known: set[tuple[str, ...]] = field(default_factory=set[tuple[str, ...]])

    def add(self, rows: Sequence[ListRow], url: str, page: int) -> int:
        """Add rows that are not known yet; how many there were."""
        before = len(self.rows)
        for row in rows:
            if row.key[0] != "named" or row.key not in self.known:
                self.known.add(row.key)
                self.rows.append(row)
                self.places.append({"url": url, "page": page, "row": len(self.rows), "scroll": row.offset})
        return len(self.rows) - before

    def records(self) -> list[tuple[dict[str, Any], Mapping[str, Any]]]:
        """The values of each row with its place. Rows without values are left out."""
        fields = self.choice.fields
        said = {each.name: [self.choice.text_of(each, row) for row in self.rows] for each in fields}
        texts = move_misplaced(fields, fill_stand_ins(self.choice, self.rows, said))
        sign = proven_sign(text for each in fields if each.type != "string" for text in texts[each.name])
        columns = [
            [fit_value(value, each.rules) for value in read_values(each, texts[each.name], sign)] for each in fields
        ]
        found: list[tuple[dict[str, Any], Mapping[str, Any]]] = []
        for number, place in enumerate(self.places):
            record = {each.name: values[number] for each, values in zip(fields, columns, strict=True)}
            if any(value is not None for value in record.values()):
                quoted = {name: column[number] for name, column in texts.items() if column[number]}
                found.append((record, {**place, "said": quoted}))
        return _drop_other_rows(found)


def _drop_other_rows(
    records: Sequence[tuple[dict[str, Any], Mapping[str, Any]]],
) -> list[tuple[dict[str, Any], Mapping[str, Any]]]:
    """Without rows that have less than half of the values that most have, as advertisements between the rows."""
    counts = [sum(value is not None for value in record.values()) for record, _ in records]
    usual = sorted(counts)[len(counts) // 2] if counts else 0
    return [each for each, count in zip(records, counts, strict=True) if 2 * count >= usual]


@dataclass(frozen=True)
class RecordReading:
    """The one record of a page without a list."""

    record: dict[str, Any]
    place: Mapping[str, Any]

    def records(self) -> list[tuple[dict[str, Any], Mapping[str, Any]]]:
        """The record with its place; none if the page says nothing of it."""
        return [(self.record, self.place)] if any(value is not None for value in self.record.values()) else []


class DataRows:
    """The rows of all lists of a run, and the records of its pages without a list."""

    def __init__(self, run: "Run", wanted: OutputFormat) -> None:
        self.run = run
        self.wanted = wanted
        self.readings: list[ListReading | RecordReading] = []
        self.ended: list[str] = []
        self._known: dict[tuple[str, ...], ColumnChoice] = {}
        self._rows_reported = 0

    @property
    def records(self) -> list[tuple[dict[str, Any], Mapping[str, Any]]]:
        return [each for reading in self.readings for each in reading.records()]

    async def read_tabs(self, tabs: "Sequence[TabText]") -> None:
        """Read every tab. One that fails is told, unless none can be read."""
        failures: list[PersonError] = []
        for tab in tabs:
            try:
                await self.read_tab(tab)
            except PersonError as error:
                failures.append(error)
        if len(failures) == len(tabs):
            raise failures[0]
        self.ended += [tab.warning.rstrip(".") for tab in tabs if tab.warning]
        self.ended += [f"left out: {failure.message.rstrip('.')}" for failure in failures]

    async def read_tab(self, tab: "TabText") -> None:
        """Read the list of a tab that is meant, to its end or to the limits; one record where nothing repeats."""
        if not tab.id:
            raise PersonError(f"{tab.url[:200]}: {tab.text}")
        rows_left = int(self.run.options.get("max_rows", MOST_ROWS))
        pages_left = int(self.run.options.get("max_pages", MOST_PAGES))
        found = await self._act("find_lists", tab, {})
        if not found.data["lists"]:
            return await self._read_record(tab)
        mark = await choose_list(self.run, self.wanted, found)
        reading: ListReading | None = None
        end, page, url = "", 1, ""
        while rows_left > 0:
            args = {"mark": mark, "end": end, "limit": rows_left}
            part = (await self._act("collect_part", tab, args)).data
            rows = keep_groups(self.run.task, [unpack_row(row) for row in part["rows"]])
            if reading is None:
                reading = await self._begin(rows, part["heads"])
                if await self._take_record_instead(tab, reading):
                    return None
            page += bool(url and part["turned"])
            url = part["url"]
            rows_left -= reading.add(rows, url, page)
            await self._report_new_rows()
            end = part["end"]
            if not end or not rows or (page >= pages_left and part["turns"]):
                break
        if end:
            limit = f"{len(reading.rows)} rows" if reading and rows_left <= 0 else f"page {page}"
            self.ended.append(f"{url[:200]}: there are more; stopped at {limit}")
        return None

    async def _read_record(self, tab: "TabText") -> None:
        """Read one record of the wanted fields from a page where nothing repeats."""
        if not self.wanted.fields:
            raise PersonError(f"{tab.url[:200]}: nothing on this page repeats.", NAME_FIELDS)
        read = await self._ask_for_record(tab)
        self.readings.append(read)
        if not read.records():
            self.ended.append(f"{tab.url[:200]}: it says nothing of that")
        await self._report_new_rows()

    async def _take_record_instead(self, tab: "TabText", reading: ListReading) -> bool:
        """Take one record in place of a list that holds few of the fields, where the page says more of one thing.

        The pages of single goods have lists too: of their properties, or of other goods.
        """
        held = sum(at >= 0 for at in reading.choice.columns.values())
        if len(self.wanted.fields) < 2 or 2 * held > len(self.wanted.fields):
            return False
        read = await self._ask_for_record(tab)
        if sum(value is not None for value in read.record.values()) <= held:
            return False
        self.readings[-1] = read
        await self._report_new_rows()
        return True

    async def _ask_for_record(self, tab: "TabText") -> RecordReading:
        rules = {field.name: {"type": field.type, "description": field.about} for field in self.wanted.fields}
        record, place = await read_record(self.run, tab, {"type": "object", "properties": rules})
        ruled = {field.name: fit_value(record.get(field.name), field.rules) for field in self.wanted.fields}
        return RecordReading({**record, **ruled}, place)

    async def _begin(self, rows: Sequence[ListRow], heads: Sequence[str]) -> ListReading:
        """Choose the columns, unless a list of the same build was read before."""
        columns = list_sources(rows, heads)
        key = tuple(column.name for column in columns)
        if key not in self._known:
            if not self.wanted.fields and self._known:
                self.wanted = OutputFormat(fields=next(iter(self._known.values())).fields)
            self._known[key] = await choose_columns(self.run, self.wanted, columns)
        choice = self._known[key]
        reading = ListReading(ColumnChoice(choice.fields, choice.columns, tuple(columns)))
        self.readings.append(reading)
        return reading

    async def _act(self, tool: str, tab: "TabText", args: Mapping[str, Any]) -> "ToolResult":
        """Call a tool that only reads; once more if a crash left its outcome unknown."""
        for attempt in ("", "again"):
            call = ToolCall(id=f"{tool}{tab.id}{attempt}", tool=tool, args={"tab": tab.id, **args})
            [found] = await self.run.act(call)
            if not found.unknown:
                break
        if not found.ok:
            raise PersonError(f"{tab.url[:200]}: {found.error}")
        return found

    async def _report_new_rows(self) -> None:
        """Report the rows that are new."""
        every = self.records
        new = every[self._rows_reported :]
        if new:
            self._rows_reported = len(every)
            text = f"{len(every)} {'row' if len(every) == 1 else 'rows'} so far"
            await self.run.report("fetching_content", "completed", text, rows=[row for row, _ in new], total=len(every))

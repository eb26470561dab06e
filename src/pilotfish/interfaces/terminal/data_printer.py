"""Prints a run that takes data out of pages: the data to standard output or a file, the rest to standard error."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pilotfish.core.data_formats import DataFormat, add_places, write_data
from pilotfish.core.events import Progressed, RunFinished, StreamItem
from pilotfish.interfaces.terminal.printable_text import printable
from pilotfish.interfaces.terminal.run_printer import TextPrinter

if TYPE_CHECKING:
    from rich.console import Console


class DataPrinter(TextPrinter):
    """Writes the data of the last event in a format. JSON lines come as they are read."""

    def __init__(self, notes: "Console", form: DataFormat, file: Path | None = None, *, places: bool = False) -> None:
        super().__init__(notes)
        self.places = places
        self.form: DataFormat = form
        self.file = file
        self.streamed = False

    def print_event(self, item: StreamItem) -> None:
        streams = self.form == "jsonl" and self.file is None and not self.places
        if streams and isinstance(item, Progressed) and item.details.get("rows"):
            self._write(write_data(item.details["rows"], "jsonl"))
            self.streamed = True
            return
        if isinstance(item, RunFinished) and item.outcome == "completed":
            if not self.streamed:
                self._write(write_data(add_places(item.data, item.places) if self.places else item.data, self.form))
            self.notes.print(f"· {item.text}", style="dim", markup=False, highlight=False)
            item = item.model_copy(update={"text": ""})
        super().print_event(item)

    def _write(self, data: bytes) -> None:
        if self.file is not None:
            self.file.write_bytes(data)
        elif self.form == "xlsx":
            sys.stdout.buffer.write(data)
        else:
            sys.stdout.write("\n".join(map(printable, data.decode().split("\n"))))
        sys.stdout.flush()

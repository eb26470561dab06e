"""Shows the progress of a download: a bar in a terminal, else a line for every tenth."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


@contextmanager
def progress_bar(title: str, console: "Console") -> "Generator[Callable[[int, int], None]]":
    """A context manager that gives a function to call with the bytes done and the total."""
    if not console.is_terminal:
        yield _make_line_reporter(title, console)
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (TextColumn(title), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as shown:
        task = shown.add_task(title, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)


def _make_line_reporter(title: str, console: "Console") -> Callable[[int, int], None]:
    printed = -1

    def report(done: int, total: int) -> None:
        nonlocal printed
        tenth = done * 10 // total
        if tenth > printed:
            printed = tenth
            console.print(f"{title}: {tenth * 10} % of {total / 1e6:,.0f} MB")

    return report

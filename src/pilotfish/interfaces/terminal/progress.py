"""A bar while something big arrives; a line every tenth of it where nobody watches a terminal."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

TENTH = 10


@contextmanager
def bar(title: str, console: "Console") -> "Generator[Callable[[int, int], None]]":
    """Gives the function to call with what is done and what there is in all."""
    if not console.is_terminal:
        yield _lines(title, console)
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (TextColumn(title), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as shown:
        task = shown.add_task(title, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)


def _lines(title: str, console: "Console") -> Callable[[int, int], None]:
    told = -1

    def tell(done: int, total: int) -> None:
        nonlocal told
        tenth = done * TENTH // total
        if tenth > told:
            told = tenth
            console.print(f"{title}: {tenth * 100 // TENTH} % of {total / 1e6:,.0f} MB")

    return tell

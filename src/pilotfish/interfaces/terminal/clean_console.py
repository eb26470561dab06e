"""A console for untrusted text: it prints no terminal control sequences."""

from typing import TYPE_CHECKING

from rich.console import Console, RenderHook
from rich.segment import Segment

from pilotfish.interfaces.terminal.printable_text import printable

if TYPE_CHECKING:
    from rich.console import ConsoleOptions, ConsoleRenderable, RenderResult


class CleanText:
    """Wraps a renderable and removes control sequences from its text; its styles stay."""

    def __init__(self, inner: "ConsoleRenderable") -> None:
        self.inner = inner

    def __rich_console__(self, console: Console, options: "ConsoleOptions") -> "RenderResult":
        for segment in console.render(self.inner, options):
            yield segment if segment.control else Segment(printable(segment.text), segment.style)


class CleanHook(RenderHook):
    """Wraps everything that a console prints in `CleanText`."""

    def process_renderables(self, renderables: "list[ConsoleRenderable]") -> "list[ConsoleRenderable]":
        return [CleanText(each) for each in renderables]


def clean_console(*, stderr: bool) -> Console:
    """A console that prints no terminal control sequences from text."""
    console = Console(stderr=stderr)
    console.push_render_hook(CleanHook())
    return console

"""What the steps of a run found: their observations, the last results with their pictures, and the pages and files
that there are."""

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from pilotfish.context.fitting import shorten_text
from pilotfish.core.given_pages import is_given
from pilotfish.core.messages import Image, Message, ToolCall

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run
    from pilotfish.tools.base import ToolResult

SHOWN_OBSERVATIONS = 6
LONGEST_OBSERVATION = 600


class StepMemory:
    """Keeps what the tools of the last step returned, and one line about each step before."""

    def __init__(self, run: "Run") -> None:
        self.run = run
        self.results = ""
        self.pictures: tuple[Image, ...] = ()
        self._lines: list[str] = []
        self._opened = name_opened(run)
        self._attached = name_attached(run)
        self._made: list[str] = []

    async def keep_results(self, calls: Sequence[ToolCall], results: Sequence["ToolResult"], text: str) -> None:
        """Keep what the tools of a step returned, the pictures that the model can see, and the names of files."""
        self.results = text
        self.pictures = await self.run.tool_pictures(results)
        pairs = zip(calls, results, strict=True)
        made = [f"{name} (by {call.tool})" for call, result in pairs for name in result.files]
        self._made += [line for line in made if line not in self._made]

    def observe(self, step: int, observation: str) -> None:
        self._lines.append(f"Step {step}: {observation}"[:LONGEST_OBSERVATION])

    def manifest(self) -> str:
        """The pages and files of the run as lines for a prompt: those given, and the files that tools made."""
        parts = {"Open pages:": self._opened, "Attached files:": self._attached, "Files that tools made:": self._made}
        return "".join(f"{head}\n" + "".join(f"- {name}\n" for name in names) for head, names in parts.items() if names)

    async def describe_known(self) -> str:
        """The observations of the last steps, and what the tools of the last one returned."""
        parts = ["Known so far:\n" + "\n".join(self._lines[-SHOWN_OBSERVATIONS:])] if self._lines else []
        if self.results:
            short = shorten_text(self.results, (await self.run.facts()).window // 6)
            parts.append(f"What the tools returned in the last step:\n{self.run.untrusted.wrap(short, 'tools')}")
        return "\n".join(parts)

    def message(self, text: str) -> Message:
        """A request with the pictures of the last step."""
        return Message(role="user", text=text, images=self.pictures)


def name_opened(run: "Run") -> list[str]:
    """The addresses that the run began with."""
    tabs = [tab for tab in run.options.get("tabs", ()) if isinstance(tab, str)]
    return [tab for tab in tabs if not (is_given(tab) or tab.startswith("file:"))]


def name_attached(run: "Run") -> list[str]:
    """The names of the files that the person attached."""
    named = [str(name) for name in run.options.get("files", ())]
    tabs = [tab for tab in run.options.get("tabs", ()) if isinstance(tab, str)]
    paths = [unquote(urlsplit(tab).path) for tab in tabs if is_given(tab) or tab.startswith("file:")]
    return list(dict.fromkeys([*named, *(path.rpartition("/")[2] for path in paths)]))

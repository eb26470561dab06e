"""Puts the page into a request: whole, or as the changes since it was last there whole."""

import re
from collections.abc import Iterable, Iterator, Sequence

from rapidfuzz.distance import Indel

from pilotfish.core.messages import Message
from pilotfish.core.pages import ObservedPage
from pilotfish.safety.untrusted_text import UntrustedText

SMALLEST_PAGE = 600
LARGEST_PART = 3
"""Changes are sent if they have at most the page's characters divided by this."""
SHORT_LINE = 80
"""Characters of a line that only says where something stands or what is gone."""
NUMBER = re.compile(r"\[\d+\]")
CHANGED_PAGE = "The page at turn {now} is the page at turn {then} above, with these changes:\n{changes}"
SAME_PAGE = "The page at turn {now} is exactly the page at turn {then} above."


class PageUpdates:
    """The page that was last sent whole, and its place among the turns of a run.

    It stays in the request while later turns add only their changes, so that the model can cache it.
    """

    def __init__(self, untrusted: UntrustedText) -> None:
        self.untrusted = untrusted
        self._page = ""
        self._turn = self._place = 0
        self._message = Message(role="user")

    def arrange(self, page: ObservedPage, turn: int, shown: Sequence[Message], count: int) -> tuple[list[Message], str]:
        """The messages of earlier turns with the page among them, and what to add about its changes. `count` are all
        such messages, `shown` those that are not left out.

        After `forget`, after large changes, and if the messages no longer reach back to the page, it is sent whole.
        """
        turns = [*shown[:-1], *(last.model_copy(update={"stable": True}) for last in shown[-1:])]
        since = count - self._place
        changes = describe_changes(self._page, page.text) if self._page and since <= len(turns) else None
        if changes is None:
            self._page, self._turn, self._place = page.text, turn, count
            text = f"The page at turn {turn}:\n{self.untrusted.wrap(page.text)}"
            self._message = Message(role="user", text=text, stable=True, pinned=True)
            return [*turns, self._message], ""
        edits = CHANGED_PAGE.format(now=turn, then=self._turn, changes=self.untrusted.wrap(changes)) if changes else ""
        place = len(turns) - since
        return [*turns[:place], self._message, *turns[place:]], edits or SAME_PAGE.format(now=turn, then=self._turn)

    def forget(self) -> None:
        """Send the page whole the next time."""
        self._page = ""


def describe_changes(before: str, after: str) -> str | None:
    """The lines that differ: `~` reads otherwise or stands elsewhere now, `+` is new, `-` is gone. Where no line went,
    the line ahead says where the new ones stand. None where too much differs."""
    if len(after) < SMALLEST_PAGE:
        return None
    edits = list(list_edits(before.split("\n"), after.split("\n")))
    kept = find_numbers(line for gone, _, _ in edits for line in gone)
    kept &= find_numbers(line for _, come, _ in edits for line in come)
    lines: list[str] = []
    for gone, come, ahead in edits:
        left = [line for line in gone if not kept & find_numbers([line])]
        lines += [f"- {shorten_line(line)}" for line in left]
        lines += [f"  {shorten_line(ahead)}"] if ahead and come and not gone else []
        lines += [f"{'~' if kept & find_numbers([line]) else '+'} {line}" for line in come]
    text = "\n".join(lines)
    return text if len(text) * LARGEST_PART <= len(after) else None


def list_edits(before: list[str], after: list[str]) -> Iterator[tuple[list[str], list[str], str]]:
    """Each place where lines differ: the lines that went, those that came, and the line ahead of them."""
    at = to = 0
    same = Indel.opcodes(list(map(unmark, before)), list(map(unmark, after)))
    ends = [(step.src_start, step.src_end, step.dest_start, step.dest_end) for step in same if step.tag == "equal"]
    for start, end, begin, stop in (*ends, (len(before), len(before), len(after), len(after))):
        if start > at or begin > to:
            yield before[at:start], after[to:begin], after[to - 1] if to else ""
        at, to = end, stop


def find_numbers(lines: Iterable[str]) -> set[str]:
    return {number for line in lines for number in NUMBER.findall(line)}


def unmark(line: str) -> str:
    """A line without the marks of what was new."""
    return line.replace("*[", "[")


def shorten_line(line: str) -> str:
    return line if len(line) <= SHORT_LINE else f"{line[:SHORT_LINE]}…"

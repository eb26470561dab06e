"""What a run has seen of pages, to tell when it goes round without anything new."""

from pilotfish.context.page_cut import count_head, read_lines, unnumbered_line
from pilotfish.core.pages import ObservedPage

GOING_ROUND = "Going round: {} were seen before, and nothing was changed. Look elsewhere, or say done or give_up."
IDLE_TURNS, MOST_TITLES = 2, 3
"""After so many idle turns the model is told, and of how many pages."""


class SeenPages:
    """The lines and looks of all pages of a run. A page that was opened again has other element numbers, so lines are
    compared without them."""

    def __init__(self) -> None:
        self.idle = 0
        """How many turns in a row brought nothing new."""
        self._lines: set[str] = set()
        self._looks: set[tuple[str, ...]] = set()
        self._changes = 0
        self._round: list[str] = []

    def see(self, page: ObservedPage, changes: int) -> None:
        """Take in a page. It is new where it has a line that no page had, or looks as none did after a change."""
        lines = read_lines(page.text)
        body = [unnumbered_line(line.text) for line in lines[count_head(lines) :]]
        look = (page.url, *body)
        altered = changes > self._changes and look not in self._looks
        fresh = not self._looks or altered or not self._lines.issuperset(body)
        self.idle = 0 if fresh else self.idle + 1
        self._round = [] if fresh else [*self._round, page.title or page.url]
        self._lines.update(body)
        self._looks.add(look)
        self._changes = changes

    def describe_round(self) -> str:
        """What to tell a model that goes from one known page to the other; empty where it does not."""
        titles = list(dict.fromkeys(self._round))
        if self.idle < IDLE_TURNS or len(titles) < 2:
            return ""
        return GOING_ROUND.format(", ".join(f"“{title}”" for title in titles[-MOST_TITLES:]))

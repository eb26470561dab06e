"""What lies in the way of a task on some sites of any family.

A dialog that was left open, changes that have no effect before they are allowed, a box that is wanted without a word,
and controls with near names beside the right ones, which do something else for good.
"""

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING

from gym.style import hash_text

if TYPE_CHECKING:
    from gym.markup import Ui
    from gym.site import Site

LEAVE, TAKE, OTHER = "_leave", "_take", "_other"
"""The actions of the two buttons of the dialog, and of near-named controls."""
ALL = 0
"""The place of the word for all among those that make a near name; it is left out where the goal says such a word."""
WHOLE = ("all", "every", "each", "jede", "tous", "tout", "chaque", "todo", "toda", "cada", "所有", "全", "每", "都")


class Snags:
    """The snags of one site, as its style has them. `locked`: pages change nothing before that is allowed, and do
    not say so; `unticked`: a form was refused without a word; `misled`: the near-named control that was pressed."""

    def __init__(self, site: "Site") -> None:
        self.site = site
        self.locked = site.style["locked"] == "yes"
        self.front = "none" if self.locked else site.style["front"]
        self.unticked = False
        self.misled = ""
        if self.front != "none":
            site.style.use(banner="none")
        if self.locked or (self.is_silent and site.style["strict"] == "yes"):
            site.style.use(loading="fetch", holder="none")

    @property
    def is_silent(self) -> bool:
        """Whether a form without its box is refused without a word."""
        return self.site.style["silent"] == "yes"

    def meet(self, name: str, form: Mapping[str, str], origin: str) -> str:
        """The path of the page to show where a snag takes an action; else nothing."""
        if name == LEAVE:
            self.front = "none"
        elif name == TAKE:
            self.front = "more"
        elif name == OTHER:
            self.misled = form["_label"]
            self.site.notice = f"{form['_label']}: {self.site.draw.word('saved')}"
        else:
            return ""
        return origin

    def write_front(self, ui: "Ui") -> str:
        """The dialog that was left open, in front of the pages."""
        if self.front == "none" or (self.site.style["fronted"] == "inner" and ui.address.split("?")[0] == "/"):
            return ""
        buttons = [ui.button(ui.word("leave_it"), LEAVE)]
        if self.front != "more":
            buttons.append(ui.button(ui.word(f"take_{self.front}"), TAKE))
        buttons = buttons if self.site.draw.seed % 2 else buttons[::-1]
        spoken = ' role="dialog" aria-modal="true"' if self.site.style["controls"] != "div" else ""
        words = f"<p>{escape(ui.word(f'front_{self.front}'))}</p>"
        return f'<div class="wall"><div class="sheet"{spoken}>{words}{" ".join(buttons)}</div></div>'

    def write_lock(self, ui: "Ui", parts: str) -> str:
        """The button that allows changes, on pages where something can be changed."""
        if not self.locked or "/act/" not in parts:
            return ""
        return f'<button type="button" data-allow hidden>{escape(ui.word("allow_changes"))}</button>'

    def name_other(self, label: str, act: str) -> str:
        """The near name of another control that stands beside one with this label; nothing on most sites."""
        if self.site.style["beside"] == "no" or act.startswith("_"):
            return ""
        draw = self.site.draw
        whole = any(word in self.site.goal.casefold() for word in WHOLE)
        words = draw.all("near_controls")[ALL + 1 if whole else ALL :]
        word = words[hash_text(label, draw.seed) % len(words)]
        return f"{label}{word}" if draw.language == "zh" else f"{label} {word}"

    def pair(self, label: str, one: str, other: str) -> str:
        """A control and the one beside it, in a drawn order."""
        return f"{one} {other}" if hash_text(label, self.site.draw.seed + 1) % 2 else f"{other} {one}"

"""What stands between a form and its effect on some sites, and a search that finds no rows.

A page to check the entries before they count, entries that are kept but wait for another button, a button beside the
right one that stores nothing and says so in small words, and a site that refuses all changes in a line below.
"""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gym.markup import Ui
    from gym.site import Site

REVIEW, FINDER = "/review", "/find-all"
"""The page with the entries, and that of the search of the whole site."""
PREVIEW, GO_ON = "_preview", "_go_on"
"""The actions of the button that stores nothing and of the one that affirms the entries."""


def fault_of(act: str) -> str:
    """The key under which a fault of a whole form is kept."""
    return f"_form {act}"


class Hurdles:
    """The hurdle of one site, as its style has it."""

    def __init__(self, site: "Site") -> None:
        self.site = site
        self._kept: tuple[str, Mapping[str, str]] | None = None
        self.refused = False
        """Whether the site refused a change; it says so from then on."""
        self.pages: Mapping[str, Callable[[Ui], Sequence[str]]] = {REVIEW: self._review, FINDER: self._find}

    def meet(self, name: str, form: Mapping[str, str], origin: str) -> str:
        """The path of the page to show where an action is not carried out yet; else nothing."""
        if self.site.refusal and name != PREVIEW:
            self.refused = True
            return origin
        if name == GO_ON:
            kept, self._kept = self._kept, None
            return self.site.carry_out(kept[0], kept[1], kept[1]["_from"]) if kept else origin
        if name == PREVIEW:
            return self._keep(form, origin)
        if self.site.style["hurdle"] == "review" and "_form" in form:
            self._kept = (name, form)
            return REVIEW
        if self.site.style["hurdle"] == "kept" and "_form" in form:
            self._kept = (name, form)
            return origin
        return ""

    def say_kept(self, ui: "Ui") -> str:
        """That entries wait, with the button that sends them, at the top of each page."""
        if self._kept is None or self.site.style["hurdle"] != "kept":
            return ""
        return ui.text(ui.word("kept_not_sent")) + ui.button(ui.word("send_now"), GO_ON)

    def say_refused(self) -> str:
        """That nothing was changed, in small words at the end of each page."""
        return f"<p><small>{escape(self.site.refusal)}</small></p>" if self.refused else ""

    def _keep(self, form: Mapping[str, str], origin: str) -> str:
        """Nothing is stored: that is said beside the button of the form, whose fields keep what they have."""
        fault = fault_of(form.get("_form", ""))
        self.site.errors, self.site.draft = {fault: self.site.draw.word("preview_only")}, dict(form)
        return origin

    def _review(self, ui: "Ui") -> Sequence[str]:
        kept = self._kept or ("", {"_from": "/"})
        entries = [value for name, value in kept[1].items() if not name.startswith("_") and value.strip()]
        shown = [ui.heading(ui.word("check_entries")), ui.text(*entries), ui.button(ui.word("entries_right"), GO_ON)]
        return [*shown, ui.link(ui.word("previous"), kept[1]["_from"])]

    def _find(self, ui: "Ui") -> Sequence[str]:
        """What the search of the whole site finds: sections of that name, never what they hold."""
        words = ui.query.get("q", "").casefold().split()
        sections = self.site.sections.items()
        found = [ui.link(label, path) for path, label in sections if words and words[0] in label.casefold().split()]
        return [
            ui.heading(f"{ui.word('search')}: {ui.query.get('q', '')}"),
            *(found or [ui.text(ui.word("nothing_found"))]),
        ]

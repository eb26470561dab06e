"""Pictures of pages without passwords: fields for them are covered, and so is a secret that a page shows elsewhere."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page

FIELDS = ", ".join(
    f"input{kind}"
    for kind in ("[type=password]", "[autocomplete$=-password]", "[autocomplete=one-time-code]", "[autocomplete^=cc-]")
)
COLOUR = "#333"
MOST = 20


def masks(page: "Page", veiled: Mapping[str, set[str]]) -> "list[Locator]":
    """What to cover: in each frame the fields, and the texts that were typed at its origin in secret."""
    found: list[Locator] = []
    for frame in page.frames[:MOST]:
        found.append(frame.locator(FIELDS))
        for origin, values in veiled.items():
            if f"{frame.url}/".startswith(f"{origin}/"):
                found += [frame.get_by_text(value) for value in values]
    return found

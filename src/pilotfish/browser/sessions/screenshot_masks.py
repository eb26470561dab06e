"""Finds what to cover in screenshots: password fields, and secrets that a page shows elsewhere."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page

PASSWORD_FIELDS = ", ".join(
    f"input{kind}"
    for kind in ("[type=password]", "[autocomplete$=-password]", "[autocomplete=one-time-code]", "[autocomplete^=cc-]")
)
MASK_COLOUR = "#333"
MOST_FRAMES = 20


def find_masks(page: "Page", secrets: Mapping[str, set[str]]) -> "list[Locator]":
    """The elements to cover: in each frame its password fields, and the secrets that were typed at its origin."""
    found: list[Locator] = []
    for frame in page.frames[:MOST_FRAMES]:
        found.append(frame.locator(PASSWORD_FIELDS))
        for origin, values in secrets.items():
            if f"{frame.url}/".startswith(f"{origin}/"):
                found += [frame.get_by_text(value) for value in values]
    return found

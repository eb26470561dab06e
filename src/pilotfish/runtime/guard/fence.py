"""Page content is data: it stands between marks that a page cannot forge, and only what people can see of it."""

import hashlib
import re
from collections.abc import Sequence

from pilotfish.safety.hidden import visible


class Fence:
    """Marks made from a secret id: unknown to any page, and the same in all turns, so that prefix caches hit."""

    def __init__(self, secret: str) -> None:
        self.nonce = hashlib.sha256(secret.encode()).hexdigest()[:8]
        self._forged = re.compile(
            rf"</?\s*(?:data-)?{self.nonce}[^>]*>?|</?\s*data-[0-9a-f]{{8}}[^>]*>?", re.IGNORECASE
        )

    def wrap(self, text: str, label: str = "page") -> str:
        """The text between marks, with anything that looks like a mark taken out."""
        shown, found = visible(text), 1
        # Taking one out may join the halves of another.
        while found:
            shown, found = self._forged.subn("", shown)
        return f'<data-{self.nonce} from="{label}">\n{shown}\n</data-{self.nonce}>'

    def told(self, lines: Sequence[str]) -> str:
        """What was done so far and came of it: results are words of pages too."""
        return self.wrap("\n".join(lines), "done") if lines else "nothing"

"""Quotes untrusted text in a prompt: its visible part, between marks that a page cannot forge."""

import hashlib
import re
from collections.abc import Iterable, Sequence

from pilotfish.core.messages import Message
from pilotfish.safety.hidden_text import strip_hidden

UNSAFE_LABEL_SIGN = re.compile(r"[^\w ./:-]")
REMOVED_MARK = "[mark removed]"


class UntrustedText:
    """Marks made from a secret id: unknown to any page, and the same in all turns, so that prefix caches hit."""

    def __init__(self, secret: str) -> None:
        self.nonce = hashlib.sha256(secret.encode()).hexdigest()[:8]
        self._marks = re.compile(rf"</?data-{self.nonce}[^>\n]{{0,99}}>\n?")
        self._forged = re.compile(rf"</?\s*(?:data-[0-9a-f]{{8}}|(?:data-)?{self.nonce})", re.IGNORECASE)

    def wrap(self, text: str, label: str = "page") -> str:
        """The text between marks; the start of anything that looks like a mark is replaced.

        The replacement stays in its place, so the rest cannot join into another mark, and one pass is enough.
        """
        shown = self._forged.sub(REMOVED_MARK, strip_hidden(text))
        return f'<data-{self.nonce} from="{UNSAFE_LABEL_SIGN.sub("", label)}">\n{shown}\n</data-{self.nonce}>'

    def wrap_results(self, lines: Sequence[str]) -> str:
        """Quote the results of earlier actions: they contain text of pages."""
        return self.wrap("\n".join(lines), "done") if lines else "nothing"

    def recount(self, messages: Iterable[Message], most: int = 300) -> str:
        """The beginnings of earlier messages, a line each; all but the person's own are between marks, without marks
        within."""
        texts = [(message, self._marks.sub("", message.text)) for message in messages]
        lines = [(message.origin == "person", f"{message.role}: {text[:most]}") for message, text in texts]
        return "\n".join(strip_hidden(line) if own else self.wrap(line, "earlier") for own, line in lines)

"""What was read in one place: the newest as text, everything older as an index, so that nothing read is forgotten."""

from collections.abc import Iterator

from pilotfish.safety.words import plain

KEEP = 400_000
LONGEST = 4
SHORTEST = 8


class Source:
    """Grows with what is read; the same text again costs nothing."""

    def __init__(self, keep: int = KEEP) -> None:
        self.text = ""
        self._keep = keep
        self._known: set[int] = set()
        self._old: set[int] = set()

    def read(self, text: str) -> None:
        shown = plain(text)
        if hash(shown) in self._known:
            return
        self._known.add(hash(shown))
        self.text = f"{self.text}\n{shown}"
        if len(self.text) > self._keep:
            # Some words stay on both sides, so that no phrase is cut in two.
            cut = self.text.rfind(" ", 0, len(self.text) - self._keep // 2)
            words = self.text[: max(cut, 0)].split()
            self._old.update(map(hash, phrases(words)))
            self.text = f"{' '.join(words[-LONGEST:])} {self.text[max(cut, 0) :].lstrip()}"

    def holds(self, part: str) -> bool:
        """Whether this was read here: exactly in what is new, by words and short phrases in what is old."""
        return part in self.text or (bool(self._old) and hash(part) in self._old)


def phrases(words: list[str]) -> Iterator[str]:
    """All runs of one to four words that are long enough to be their own, without the signs around them."""
    for start in range(len(words)):
        for length in range(1, min(LONGEST, len(words) - start) + 1):
            phrase = " ".join(words[start : start + length])
            if len(phrase) >= SHORTEST:
                yield phrase
                if (bare := phrase.strip(".,;:!?()\"'")) != phrase:
                    yield bare

"""What was read in one place: the newest as text, everything older as an index."""

from collections.abc import Iterator

from pilotfish.safety.control_words import CJK_SIGN, normalize_text
from pilotfish.safety.text_pieces import EDGES, SHORT_TOKEN, list_shingles, pack_text

KEPT_CHARACTERS = 400_000
PHRASE_WORDS = 4
SHORTEST_PHRASE = 8
FEWEST_DIGITS = 4
MOST_WORK = 2_000_000


class ReadSource:
    """The texts read in one place; the same text again costs nothing. `packed` has only letters and digits."""

    def __init__(self, keep: int = KEPT_CHARACTERS) -> None:
        self.text = ""
        self.packed = ""
        self._keep = keep
        self._known: set[int] = set()
        self._old: set[int] = set()
        self._words: set[int] = set()
        self._shingles: set[int] = set()

    def read(self, text: str) -> None:
        shown = normalize_text(text)
        if hash(shown) in self._known:
            return
        self._known.add(hash(shown))
        self._words.update(hash(bare) for word in shown.split() if len(bare := word.strip(EDGES)) >= SHORT_TOKEN)
        self._shingles.update(map(hash, list_shingles(shown)))
        self.packed = f"{self.packed}{pack_text(shown)}"[-self._keep :]
        self.text = f"{self.text}\n{shown}"
        if len(self.text) > self._keep:
            # Some words stay on both sides of the cut, so that no phrase is split.
            cut = self.text.rfind(" ", 0, len(self.text) - self._keep // 2)
            words = self.text[: max(cut, 0)].split()
            self._old.update(map(hash, list_phrases(words)))
            self.text = f"{' '.join(words[-PHRASE_WORDS:])} {self.text[max(cut, 0) :].lstrip()}"

    def contains(self, part: str) -> bool:
        """Whether this was read here: exactly in what is new, by words and short phrases in what is old."""
        return part in self.text or (bool(self._old) and hash(part) in self._old)

    def holds_word(self, word: str) -> bool:
        """Whether a word was ever read here, with or without punctuation around it."""
        return hash(word.strip(EDGES)) in self._words

    def holds_shingle(self, shingle: str) -> bool:
        """Whether a sequence of four words was ever read here."""
        return hash(shingle) in self._shingles

    def holds_packed(self, part: str) -> bool:
        """Whether a number was read here, also with punctuation between its digits."""
        packed = pack_text(part)
        return (
            len(packed) >= SHORTEST_PHRASE and sum(map(str.isdigit, packed)) >= FEWEST_DIGITS and packed in self.packed
        )

    def joins(self, letters: str) -> bool:
        """Whether letters in a row were read here as several words."""
        return letters in self.packed and letters not in self.text

    def states(self, phrase: str) -> bool:
        """Whether this was read here as a phrase of its own, not as a part of longer words."""
        return not phrase or any(
            _is_word_edge(self.text, at) and _is_word_edge(self.text, at + len(phrase))
            for at in occurrences(phrase, self.text)
        )

    def holds_token(self, token: str, closely: bool) -> bool:
        """Whether a token was read; `closely` also compares its letters and digits."""
        return self.holds_word(token) or (
            closely and (self.contains(token) or self.holds_packed(token) or self.holds_packed(token[::-1]))
        )


def occurrences(phrase: str, text: str) -> Iterator[int]:
    """The positions of a phrase in a text; gives up on a phrase that overlaps itself many times."""
    at = text.find(phrase)
    for _ in range(1 + MOST_WORK // max(1, len(phrase))):
        if at < 0:
            return
        yield at
        at = text.find(phrase, at + 1)


def _is_word_edge(text: str, at: int) -> bool:
    """Whether a word ends or begins at a position; in scripts without blanks, any position."""
    if at in (0, len(text)):
        return True
    before, after = text[at - 1], text[at]
    return not (before.isalnum() and after.isalnum()) or bool(CJK_SIGN.match(before) or CJK_SIGN.match(after))


def list_phrases(words: list[str]) -> Iterator[str]:
    """All sequences of one to four words that are long enough to be distinct, without punctuation around them."""
    for start in range(len(words)):
        for length in range(1, min(PHRASE_WORDS, len(words) - start) + 1):
            phrase = " ".join(words[start : start + length])
            if len(phrase) >= SHORTEST_PHRASE:
                yield phrase
                if (bare := phrase.strip(".,;:!?()\"'")) != phrase:
                    yield bare

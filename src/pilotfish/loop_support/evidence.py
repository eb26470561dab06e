"""Checks that a task is done: the words that show it were seen, or the words that should be gone are gone."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pilotfish.context.page_cut import list_terms
from pilotfish.core.pages import ObservedPage
from pilotfish.loop_support.turn import CompletionClaim
from pilotfish.memory.text_terms import list_content_words
from pilotfish.web.rank import meaning_scores

if TYPE_CHECKING:
    from pilotfish.loop_support.run_history import RunHistory
    from pilotfish.runtime.run import Run

WORDS = re.compile(r"\w+")
DISTINCTIVE_LENGTH, SEEN_SHARE = 4, 0.5
"""Letters of a word that can show an answer, and the part of such words that must have been seen."""
NEAR_MEANING = 0.25
"""How near to the goal the meaning of a line must be, where it shares no word with it."""
APPEAR_SECONDS = 3.0
"""Seconds in which words may come or go that show that a task is done."""
QUESTION_ENDS = ("?", "？")
KEPT_SHARE = 0.5
"""The part of a page's lines that must still be there so that words missing on it show something."""
NAVIGATION = re.compile(r'navigation(?: "[^"]*")?:')
MARKS = re.compile(r"\[\d+\]|[*\"'“”„«»]")


class EvidenceCheck:
    """Compares a claim with the page and with what the run has seen."""

    def __init__(self, run: "Run", history: "RunHistory") -> None:
        self.run = run
        self.history = history

    async def find_missing(self, claim: CompletionClaim, page: ObservedPage) -> str:
        """What of a claim cannot be confirmed; empty where all of it can."""
        if not any(map(str.strip, (*claim.evidence, *claim.gone))):
            return "no words were given that show it"
        current = False
        for words in filter(str.strip, claim.evidence):
            before = contains_words(words, self.history.pages)
            here = contains_words(words, [page.text, *self.history.results])
            here = here or await self.run.has_text(words, 0 if before else APPEAR_SECONDS)
            current = current or here
            if not here and not before:
                return f'"{words}" is neither on the page nor in a result'
        if claim.evidence and not current and self.history.effects:
            return f'"{claim.evidence[0]}" was seen before, but is neither on the page now nor in a result'
        for words in filter(str.strip, claim.gone):
            if not contains_words(words, [*self.history.pages, *self.history.results, self.run.task]):
                return f'"{words}" was never seen, so that it is missing shows nothing'
            gone = await self.run.is_gone(words, APPEAR_SECONDS)
            page = await self.run.observe() if contains_words(words, [page.text]) else page
            if not gone or contains_words(words, [page.text]):
                return f'"{words}" is still on the page'
        return ""

    def find_doubt(self, claim: CompletionClaim, page: ObservedPage) -> str:
        """Why a claim may be wrong although its words were seen; empty where nothing speaks against it.

        Words that showed before anything was done, or before the last action failed, show nothing, unless the task only
        asks for what they say. After something was done, they show nothing where they stand in the navigation alone.
        """
        goal, history = self.run.task, self.history
        evidence = list(filter(str.strip, claim.evidence))
        if self.run.options.get("continues") or any(map(str.strip, claim.gone)):
            return ""
        if any(not contains_words(words, history.texts_before) for words in evidence):
            return ""
        if history.effects and not history.failed:
            parts = list(map(drop_navigation, (page.text, *history.results)))
            within = bool(evidence) and not any(contains_words(words, parts) for words in evidence)
            return "the words that are to show it stand in the navigation, as before" if within else ""
        new_terms = content_terms(claim.answer) - set(list_terms(goal))
        asked = bool(new_terms) and goal.rstrip().endswith(QUESTION_ENDS)
        if asked or shows_answer(claim.answer, goal, [*history.pages, *history.results]):
            return ""
        when = "the last action failed" if history.failed else "anything was done"
        return f"the words that are to show it were there before {when}"

    def is_new(self, claim: CompletionClaim, before: ObservedPage, now: ObservedPage) -> bool:
        """Whether the page shows something of the claim that it did not show before the actions: a piece of evidence,
        or that words are gone while most of the page is still there."""
        came = any(normalize_text(words) not in normalize_text(before.text) for words in claim.evidence)
        return came or (bool(claim.gone) and share_kept(before.text, now.text) >= KEPT_SHARE)


def drop_navigation(page: str) -> str:
    """A page without its navigation: the lines below such a landmark, which are indented further."""
    kept: list[str] = []
    inside: int | None = None
    for line in page.splitlines():
        depth = len(line) - len(line.lstrip())
        if inside is None or depth <= inside:
            inside = depth if NAVIGATION.fullmatch(line.strip()) else None
            kept += [line] if inside is None else []
    return "\n".join(kept)


def share_kept(before: str, now: str) -> float:
    """The part of a page's lines that another look shows too."""
    was = {line for text in before.splitlines() if (line := normalize_text(text))}
    return len(was & set(map(normalize_text, now.splitlines()))) / max(1, len(was))


def contains_words(words: str, texts: Iterable[str]) -> bool:
    """Whether one of the texts has these words: together, or all of them in one line."""
    wanted = normalize_text(words)
    parts = set(WORDS.findall(wanted))
    return bool(parts) and any(
        wanted in normalize_text(text)
        or any(parts <= set(WORDS.findall(line.casefold())) for line in text.splitlines())
        for text in texts
    )


def shows_answer(answer: str, goal: str, texts: Iterable[str]) -> bool:
    """Whether one of the texts shows what an answer adds to the goal, in any language.

    All its figures must be there, and half of its other words; and in the same line or the one before it, in the first
    line, which is the title of a page, or in a heading a word of the goal, or a line that means nearly the same. Where
    a question has no word of the text, as one about the cheapest thing of a list, one line must show all that.
    """
    wanted, asked = content_terms(goal), goal.rstrip().endswith(QUESTION_ENDS)
    own = {term for term in content_terms(answer) if not term.endswith("…")} - set(list_terms(goal))
    figures = {term for term in own if term.isdecimal()}
    for text in texts if own else ():
        lines = [(line, own & set(list_terms(line))) for line in text.splitlines()]
        seen = {term for _, shared in lines for term in shared}
        if not figures <= seen or len(seen) < SEEN_SHARE * len(own):
            continue
        near = [line for at, (line, _) in enumerate(lines) if is_near(lines, at)]
        if wanted & set(list_terms("\n".join(near))) or max(meaning_scores(goal, near), default=0.0) >= NEAR_MEANING:
            return True
        whole = any(figures <= shared and len(shared) >= SEEN_SHARE * len(own) for _, shared in lines)
        if asked and whole and wanted.isdisjoint(list_terms(text)):
            return True
    return False


def is_near(lines: Sequence[tuple[str, set[str]]], at: int) -> bool:
    """Whether a line shows what the answer is about: it shares words, stands before one that does, or is a heading."""
    line, shared = lines[at]
    return at == 0 or bool(shared) or line.lstrip().startswith("#") or (at + 1 < len(lines) and bool(lines[at + 1][1]))


def content_terms(text: str) -> set[str]:
    """The terms of a text without function words, such as “the”."""
    return set(list_terms(" ".join(list_content_words(text))))


def is_distinctive(term: str) -> bool:
    """Whether a term can show an answer: a figure, a word that is not short, or a pair of characters."""
    return not term.endswith("…") and (len(term) >= DISTINCTIVE_LENGTH or term.isdecimal() or not term.isascii())


def normalize_text(text: str) -> str:
    """A text without case, quotation marks, element numbers and line breaks."""
    return " ".join(MARKS.sub(" ", text.casefold()).split())

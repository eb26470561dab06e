"""The aids of the short loop, with what is done in the place of each when `gym.ablation` switches it off."""

import inspect
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any

from pilotfish import small_model
from pilotfish.context import page_cut
from pilotfish.loop_support import evidence
from pilotfish.small_model import section_search, short_history, short_loop
from pilotfish.small_model.section_search import SectionSearch
from pilotfish.small_model.seen_pages import SeenPages
from pilotfish.small_model.short_history import ShortHistory
from pilotfish.small_model.short_loop import LEAST_CERTAINTY, MOST_IDLE_TURNS, ShortLoop


@dataclass(frozen=True)
class Aid:
    """One aid: the place of the function that has it, what is done there without it, and the code that it costs.

    `without` gets the function and its arguments. `acted` tells from the result and the arguments whether the aid did
    something; if it is not given, the result is compared with that of `without`.
    """

    name: str
    purpose: str
    place: tuple[object, str]
    without: Callable[..., Any]
    code: tuple[str, ...] = ()
    lines_within: int = 0
    acted: Callable[..., bool] | None = None

    @property
    def lines(self) -> int:
        """How many lines of the product would go with it: whole functions and modules, and lines within others."""
        code = (resolve_name(f"{small_model.__name__}.{each}") for each in self.code)
        return self.lines_within + sum(len(inspect.getsource(each).splitlines()) for each in code)


@contextmanager
def replaced(owner: object, name: str, value: object) -> Generator[None]:
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


def say_no(_original: object, *_args: object, **_named: object) -> bool:
    return False


def say_yes(_original: object, *_args: object) -> bool:
    return True


def say_nothing(_original: object, *_args: object) -> str:
    return ""


async def find_nothing(_original: object, *_args: object) -> bool:
    return False


async def press_no_menu(_original: object, _search: object, here: object, _number: int) -> object:
    return here


def list_first_links(original: Callable[..., list[Any]], search: Any, here: Any) -> list[Any]:
    """Only what the first page has."""
    first = {link.key for link in (search._home or here).links}
    return [link for link in original(search, here) if link.key in first]


def rate_alike(_original: object, _goal: str, texts: Sequence[str]) -> list[float]:
    return [0.0 for _ in texts]


def stay_below_the_end(original: Callable[..., None], seen: Any, page: object, changes: int) -> None:
    original(seen, page, changes)
    seen.idle = min(seen.idle, MOST_IDLE_TURNS - 1)


async def read_no_effects(_original: object, _history: object) -> None:
    """Nothing is known of effects outside the page."""


async def fail_at_once(original: Callable[..., Any], loop: Any, answer: str, number: int) -> None:
    strays = loop.history.changes and not loop.sections.names_any(loop.history.changed)
    loop._doubted = loop._doubted or not strays
    await original(loop, answer, number)


def be_certain(_original: object, _reply: object) -> float:
    return 1.0


def cut_without_words(original: Callable[..., str], page: str, _words: str, before: object, room: int) -> str:
    return original(page, "", before, room)


def cut_without_news(original: Callable[..., str], page: str, words: str, _before: object, room: int) -> str:
    return original(page, words, (), room)


def cut_without_sides(original: Callable[..., str], *args: object) -> str:
    with replaced(page_cut, "ASIDE_WEIGHT", 0.0):
        return original(*args)


def has_caused(_result: object, history: Any) -> bool:
    return bool(history._caused)


def is_near(scores: Sequence[float], *_args: object) -> bool:
    return max(scores, default=0.0) >= evidence.NEAR_MEANING


def is_uncertain(certainty: float, *_args: object) -> bool:
    return certainty < LEAST_CERTAINTY


def was_doubted(_result: object, loop: ShortLoop, *_args: object) -> bool:
    return loop.run.answer is None


def is_idle(_result: object, seen: SeenPages, *_args: object) -> bool:
    return seen.idle >= MOST_IDLE_TURNS


_HISTORY, _LOOP, _SEARCH, _STATES = (
    *("short_history:ShortHistory.", "short_loop:ShortLoop."),
    *("section_search:SectionSearch.", "control_states:"),
)
_ONCE = (f"{_HISTORY}_repeats", f"{_HISTORY}_find_place", "short_history:find_place", "short_history:causes_once")
AIDS: Mapping[str, Aid] = {
    aid.name: aid
    for aid in (
        Aid(
            "sections",
            "opens the sections of the site before it gives up, and tells the nearest lines",
            (SectionSearch, "tell_nearest"),
            find_nothing,
            ("section_search", f"{_LOOP}_search_sections"),
        ),
        Aid(
            "evidence",
            "accepts an answer without a change only where a page shows it",
            (ShortLoop, "_is_shown"),
            say_yes,
            (f"{_LOOP}_is_shown", "control_states"),
            6,
        ),
        Aid(
            "states",
            "finds short answers such as “Off” in the lines of the page",
            (short_loop, "shows_state"),
            say_no,
            tuple(f"{_STATES}{name}" for name in ("shows_state", "list_states", "answers_state")),
        ),
        Aid(
            "untold-states",
            "doubts a claim about a control whose state the page does not tell so",
            (short_loop, "claims_untold_state"),
            say_no,
            (f"{_STATES}claims_untold_state", f"{_STATES}has_state"),
            2,
        ),
        Aid(
            "repeats",
            "does not carry out again what had an effect",
            (ShortHistory, "_repeats"),
            say_no,
            ("page_matter", *_ONCE),
            6,
        ),
        Aid(
            "matter",
            "carries it out again where the matter of the page shows what it did",
            (short_history, "shows_effect"),
            say_no,
            ("page_matter",),
            2,
        ),
        Aid(
            "near-meaning",
            "lets a line of the same meaning show an answer",
            (evidence, "meaning_scores"),
            rate_alike,
            (),
            3,
            is_near,
        ),
        Aid(
            "doubt",
            "tells once that a claim is not accepted before the run fails",
            (ShortLoop, "_conclude"),
            fail_at_once,
            (),
            4,
            was_doubted,
        ),
        Aid(
            "certainty",
            "doubts an end that the model said without certainty",
            (short_loop, "read_certainty"),
            be_certain,
            ("short_reply:read_certainty",),
            8,
            is_uncertain,
        ),
        Aid(
            "strays",
            "looks through the sections where what it did or sees has no word of the goal",
            (SectionSearch, "names_any"),
            say_yes,
            (f"{_SEARCH}names_any",),
            10,
        ),
        Aid(
            "menus",
            "presses what hides the navigation",
            (SectionSearch, "_unfold"),
            press_no_menu,
            (f"{_SEARCH}_unfold",),
            10,
        ),
        Aid(
            "deep-sections",
            "opens also sections that only other sections lead to",
            (SectionSearch, "_list_sections"),
            list_first_links,
            (),
            5,
        ),
        Aid(
            "nearest-section",
            "opens the nearest section where it gives up without a look at it",
            (SectionSearch, "open_nearest"),
            find_nothing,
            (f"{_SEARCH}open_nearest",),
            5,
        ),
        Aid("meaning", "rates lines of sections by meaning", (section_search, "meaning_scores"), rate_alike, (), 2),
        Aid(
            "idle",
            "ends a run after four turns without anything new",
            (SeenPages, "see"),
            stay_below_the_end,
            ("seen_pages:SeenPages.see",),
            4,
            is_idle,
        ),
        Aid(
            "rounds",
            "tells which pages it goes to and fro between",
            (SeenPages, "describe_round"),
            say_nothing,
            ("seen_pages:SeenPages.describe_round",),
            5,
        ),
        Aid("fresh-lines", "keeps new lines of a long page", (short_loop, "cut_page"), cut_without_news, (), 6),
        Aid("shared-words", "keeps lines with words of the goal", (short_loop, "cut_page"), cut_without_words, (), 6),
        Aid(
            "sides", "leaves out first what stands beside the rest", (short_loop, "cut_page"), cut_without_sides, (), 4
        ),
        Aid(
            "effects",
            "reads from the journal which actions had an effect outside the page",
            (ShortHistory, "read_effects"),
            read_no_effects,
            (f"{_HISTORY}read_effects", f"{_HISTORY}mark_caused", "short_history:is_effect", "page_matter", *_ONCE),
            6,
            has_caused,
        ),
    )
}

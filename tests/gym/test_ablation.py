"""Aids of the short loop that are switched off, and what is compared then."""

import json
from argparse import ArgumentTypeError
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gym.ablation import CURRENT, NOTHING, PLAYS, Play, begin_play, check_name, watching_aids
from gym.ablation_table import compare_plays, count_uses, read_results, write_table, write_uses
from gym.aids import AIDS
from gym.evaluate import measure_tasks
from pilotfish.core.messages import ModelReply, ModelRequest, TokenChance
from pilotfish.core.pages import ObservedPage
from pilotfish.llm.base import TextListener
from pilotfish.llm.model_facts import EMBEDDED_MODEL
from pilotfish.llm.scripted import ScriptedModel
from pilotfish.loop_support import evidence
from pilotfish.loop_support.turn import TurnAction
from pilotfish.small_model import short_loop
from pilotfish.small_model.section_search import rate_lines
from pilotfish.small_model.seen_pages import SeenPages
from pilotfish.small_model.short_history import ShortHistory
from pilotfish.small_model.short_loop import LEAST_CERTAINTY, MOST_IDLE_TURNS, ShortLoop
from small_model.test_section_search import WalkedSite

pytestmark = pytest.mark.anyio
LAMP = 'Lamps — http://x/\n(screen 1 of 1)\n# Lamps\n[3] switch "Porch lamp" (off)'
LONG = "Shop — http://x/\n(screen 1 of 1)\n" + "\n".join(f"A line of words number {at}" for at in range(40))
HELP, BELOW = ("Help", "/help", True), ("Returns", "/help/returns", True)
LOANS = ("Loans", "/menu/loans", True)
SITE = {
    "/": ("Welcome", [HELP, LOANS]),
    "/help": ("Questions", [HELP, BELOW, LOANS]),
    "/help/returns": ("Send a kettle back", [HELP, BELOW, LOANS]),
    "/menu/loans": ("Books", [HELP, LOANS]),
}


def page(text: str, name: str = "a") -> ObservedPage:
    return ObservedPage(url=f"http://x/{name}", title=name, tab=1, text=text, tokens=1)


async def search_sections(goal: str = "Send the kettle back") -> tuple[bool, set[str]]:
    """What the search of sections finds, and which sections it opens."""
    search = WalkedSite(goal, SITE)
    search.history = make_run()
    await search.begin()
    return await search.tell_nearest(1), {name for _, name in search._pages}


async def opens_the_nearest_section() -> bool:
    search = WalkedSite("Send the kettle back", SITE)
    search._nearest, search.history = [("Returns has “Send a kettle back”", "/help/returns")], make_run()
    return await search.open_nearest(1)


async def finds_sections() -> bool:
    return (await search_sections())[0]


async def opens_what_a_menu_hides() -> bool:
    return "Loans" in (await search_sections("Rent a zeppelin"))[1]


async def opens_what_other_sections_have() -> bool:
    return "Returns" in (await search_sections("Rent a zeppelin"))[1]


async def rates_by_meaning() -> bool:
    return rate_lines("bad weather", ["Storm warning for the coast"], {}) != [0.0]


async def sees_what_strays() -> bool:
    return not WalkedSite("Send the kettle back", SITE).names_any(["Choir"])


async def reads_effects() -> bool:
    history = ShortHistory(run := make_run(), 200)
    history.begin_actions(1, click(), page('[1] button "Pay"'))
    run.step = answer_with({"calls": {"t1.0": True}, "last": 1})
    await history.read_effects()
    return history.changes == 1


def make_run() -> Any:
    return SimpleNamespace(messages=[], answer=None, pages=[], remark=str)


def answer_with(value: object) -> Callable[..., Awaitable[object]]:
    async def answer(*_args: object) -> object:
        return value

    return answer


def click() -> list[TurnAction]:
    return [TurnAction.model_validate({"tool": "click", "id": 1})]


def may_press_again(after: str) -> bool:
    history = ShortHistory(make_run(), 200)
    history.begin_actions(1, click(), page('# Candles\nAmount\n1\n[1] button "More"'))
    history.mark_caused({"t1.0": False})
    return history.begin_actions(2, click(), page(after)) == 1


async def does_not_repeat() -> bool:
    return not may_press_again('# Candles\nAmount\n1\n[1] button "More"')


async def sees_the_matter() -> bool:
    return may_press_again('# Candles\nAmount\n2\n[1] button "More"')


def make_loop() -> Any:
    """A loop whose run changed nothing and saw one page."""
    loop: Any = ShortLoop.__new__(ShortLoop)
    loop.run = SimpleNamespace(task=(goal := "Rent a zeppelin"), answer=None)
    loop.history = SimpleNamespace(pages=[LAMP], results=[], entries=(), changes=0, changed=[], remark=str)
    loop.sections, loop._doubted = WalkedSite(goal, SITE), False
    return loop


async def is_told_that_it_is_not_done() -> bool:
    try:
        await make_loop()._conclude("The zeppelin is rented", 1)
    except short_loop.PersonError:
        return False
    return True


async def sees_uncertainty() -> bool:
    reply = ModelReply(text='{"why":"x","done":"y"}', tokens=(TokenChance(text='{"why":"x","done":', chance=0.1),))
    return short_loop.read_certainty(reply) < LEAST_CERTAINTY


async def refuses_what_no_page_shows() -> bool:
    return not make_loop()._is_shown("The zeppelin is rented")


async def finds_a_short_answer() -> bool:
    return short_loop.shows_state("Off", "Is the porch lamp on?", [LAMP])


async def doubts_a_state() -> bool:
    return short_loop.claims_untold_state("Porch lamp", "Switch the porch lamp on", LAMP)


async def finds_the_same_meaning() -> bool:
    return evidence.shows_answer("It is 30 degrees.", "bad weather", ["Storm warning: 30 degrees"])


def count_idle_turns() -> SeenPages:
    seen = SeenPages()
    for at in range(2 * MOST_IDLE_TURNS):
        seen.see(page("# Shop" if at % 2 else "# Mail", "ab"[at % 2]), 0)
    return seen


async def ends_when_idle() -> bool:
    return count_idle_turns().idle >= MOST_IDLE_TURNS


async def tells_of_rounds() -> bool:
    return bool(count_idle_turns().describe_round())


async def keeps_new_lines() -> bool:
    before = {line for line in LONG.splitlines() if not line.endswith("33")}
    return "number 33" in short_loop.cut_page(LONG, "kettle", before, 120)


async def keeps_words_of_the_goal() -> bool:
    return "number 33" in short_loop.cut_page(LONG, "33", (), 120)


async def leaves_out_the_sides() -> bool:
    sides = "\n".join(f" A line beside number {at}" for at in range(5))
    text = LONG.replace("A line of words number 0", f"complementary:\n{sides}", 1)
    return "beside number 3" not in short_loop.cut_page(text, "kettle", (), 120)


PROBES: dict[str, Callable[[], Awaitable[bool]]] = {
    "sections": finds_sections,
    "menus": opens_what_a_menu_hides,
    "deep-sections": opens_what_other_sections_have,
    "nearest-section": opens_the_nearest_section,
    "meaning": rates_by_meaning,
    "strays": sees_what_strays,
    "effects": reads_effects,
    "repeats": does_not_repeat,
    "matter": sees_the_matter,
    "evidence": refuses_what_no_page_shows,
    "states": finds_a_short_answer,
    "untold-states": doubts_a_state,
    "near-meaning": finds_the_same_meaning,
    "certainty": sees_uncertainty,
    "doubt": is_told_that_it_is_not_done,
    "idle": ends_when_idle,
    "rounds": tells_of_rounds,
    "fresh-lines": keeps_new_lines,
    "shared-words": keeps_words_of_the_goal,
    "sides": leaves_out_the_sides,
}


@pytest.mark.parametrize("name", AIDS)
async def test_an_aid_has_no_effect_where_it_is_off_and_is_noted_where_it_acts(name: str) -> None:
    with watching_aids():
        CURRENT.set(play := Play())
        assert await PROBES[name]()
        assert name in play.acted
        CURRENT.set(play := Play(frozenset({name})))
        assert not await PROBES[name]()
        assert name not in play.acted
    CURRENT.set(None)
    assert await PROBES[name]()


@pytest.mark.parametrize("name", AIDS)
def test_each_aid_names_code_that_is_there(name: str) -> None:
    assert AIDS[name].lines > 0


def test_an_unknown_name_is_refused_with_the_list() -> None:
    with pytest.raises(ArgumentTypeError, match=r"luck: there is no such aid, only sections, evidence, .*, nothing"):
        check_name("luck")
    with pytest.raises(ArgumentTypeError, match="only sections"):
        begin_play("a", ["idle", "luck"])
    assert begin_play("a", ["idle", NOTHING]) is PLAYS["a"]


class HopelessModel(ScriptedModel):
    """A small model that gives up at once."""

    def __init__(self) -> None:
        super().__init__([], name="hopeless")
        self.facts = EMBEDDED_MODEL

    async def reply(self, request: ModelRequest, on_text: TextListener | None = None) -> ModelReply:
        return await ScriptedModel([json.dumps({"why": "no", "give_up": "No."})]).reply(request, on_text)


@pytest.mark.slow
async def test_a_task_is_played_again_without_what_acted_in_it_and_the_file_names_what_was_off(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    await measure_tasks(HopelessModel(), [("crm", 3)], out, each=True)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert "sections" in rows[0]["acted"]
    assert [row["without"] for row in rows] == [[], *([name] for name in (NOTHING, *rows[0]["acted"]))]
    assert not any(set(row["without"]) & set(row["acted"]) for row in rows)


def result(seed: int, acted: list[str], off: list[str], *, done: bool, claimed: bool = True) -> dict[str, object]:
    told = {"family": "shop", "seed": seed, "done": done, "claimed": claimed, "seconds": 10 + len(off)}
    return {**told, "acted": acted, "without": off}


def test_the_table_compares_with_and_without_an_aid_on_the_same_tasks(tmp_path: Path) -> None:
    rows = [
        result(1, ["idle"], [], done=True),
        result(2, [], [], done=True),
        result(3, ["idle"], [], done=False, claimed=False),
        result(4, ["idle"], [], done=True),
        result(1, [], ["idle"], done=False),
        result(3, [], ["idle"], done=True),
    ]
    for at in range(2):
        (tmp_path / f"{at}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows[at::2]))
    [idle] = compare_plays(read_results(tmp_path.glob("*.jsonl")))
    assert (idle.aid, idle.tasks, idle.acted, idle.done, idle.false) == ("idle", 3, 2, (2, 2), (0, 1))
    assert (idle.lost, idle.gained) == (1, 1)
    assert "| idle |" in write_table([idle])
    used = next(use for use in count_uses(read_results(tmp_path.glob("*.jsonl"))) if use.aid == "idle")
    assert (used.plays, used.acted, used.done, used.false) == (4, 3, 2, 0)
    assert "| 4 | 3 | 2 | 0 |" in write_uses([used])

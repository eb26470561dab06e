"""Results that were kept whole, and got back."""

import json
from datetime import timedelta

import pytest

from pilotfish.core.events import current_time
from pilotfish.tools.recall import KIND
from scripted_app import Open, script
from tools.using import run_tools

pytestmark = pytest.mark.anyio
LONG = "\n\n".join([*("The harbour was quiet that day. " * 30 for _ in range(30)), "A ticket costs 14 crowns."])


async def test_a_kept_result_comes_back_whole(opened: Open) -> None:
    [result] = await run_tools(await opened(), ("recall_details", {"result_id": "r1"}), kept={"r1": "all of it"})
    assert result.ok and result.output == "all of it"


async def test_a_long_one_is_cut_and_says_how_to_get_the_rest(opened: Open) -> None:
    [result] = await run_tools(await opened(), ("recall_details", {"result_id": "r1"}), kept={"r1": LONG})
    assert len(result.output) < 13_000 and "[part 1 of 3; ask with another part or with a focus]" in result.output


async def test_a_focus_is_looked_for_in_all_of_it_by_the_light_model(opened: Open) -> None:
    fish = await opened()
    model = script(fish, [json.dumps({"found": "14 crowns"})])
    wish = ("recall_details", {"result_id": "r1", "focus": "price of a ticket"})
    [result] = await run_tools(fish, wish, kept={"r1": LONG})
    assert result.output == "14 crowns"
    assert "A ticket costs 14 crowns." in model.requests[0].messages[-1].text


async def test_without_a_model_the_passages_about_the_focus_come_back(opened: Open) -> None:
    wish = ("recall_details", {"result_id": "r1", "focus": "price of a ticket"})
    [result] = await run_tools(await opened(["no shape"] * 3), wish, kept={"r1": LONG})
    assert result.ok and "A ticket costs 14 crowns." in result.output


async def test_an_unknown_id_says_which_there_are(opened: Open) -> None:
    fish = await opened()
    [result] = await run_tools(fish, ("recall_details", {"result_id": "r9"}), kept={"r1.0": "x", "r2.0": "y"})
    assert not result.ok and "There are: r1.0, r2.0." in result.error
    [none] = await run_tools(fish, ("recall_details", {"result_id": "r9"}))
    assert "No result was kept" in none.error


async def test_results_go_five_minutes_after_the_run(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    fish = await opened()
    [result] = await run_tools(fish, ("recall_details", {"result_id": "r1"}), kept={"r1": "all of it"})
    await (await fish.engine.launch(result.run)).get_result()
    for minutes, there in ((4, True), (6, False)):
        later = current_time() + timedelta(minutes=minutes)
        monkeypatch.setattr("pilotfish.store.settings_backend.current_time", lambda later=later: later)
        assert bool(await fish.store.entries(KIND, f"{result.run}:")) is there

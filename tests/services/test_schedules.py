"""Schedules in an open app: they happen on time, survive a restart, and may do only what they were granted."""

import os
import re
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from browser.stage import serve_site
from pilotfish.app import loop
from pilotfish.core.errors import NotFoundError, PersonError
from pilotfish.core.messages import ToolCall
from pilotfish.core.policy import Action, ActionTarget, EffectKind, GrantedRule
from pilotfish.core.schedules import Schedule, ScheduleFire, ScheduleGrant
from pilotfish.core.settings import PolicySettings, Settings
from pilotfish.runtime.run import Run
from pilotfish.safety.effects import EffectFinding
from pilotfish.safety.policy_judge import GRANTED_RULE, judge_findings
from pilotfish.services.schedules import check_zone, describe_rights
from pilotfish.services.standing_work import FireRunMaker, choose_rights
from turned_clock import TurnedClock, open_at, wait_for_fires

DONE = '{"plan": "Fine.", "finish": true}'
STRICT = {"loop": "strict"}
PRESSING = {"loop": "order-and-delete"}
CRASHING = Path(__file__).with_name("crashing_fire.py")


async def test_a_schedule_happens_at_its_time_and_its_history_has_the_answer(tmp_path: Path) -> None:
    clock = TurnedClock("2026-11-18 07:30")
    async with open_at(tmp_path, clock, [DONE, '{"plan": "Better.", "finish": true}']) as fish:
        made = await fish.schedule("Read the news", "every weekday at 8", zone="UTC", options=STRICT)
        assert not await fish.standing.is_due()
        clock.turn("2026-11-18 08:00")
        [first] = await wait_for_fires(fish, made.id, 1)
        clock.turn("2026-11-19 08:00:30")
        _, second = await wait_for_fires(fish, made.id, 2)
        run = await fish.record(second.run)
    assert (first.text, second.text, second.change) == ("Fine.", "Better.", "-Fine.\n+Better.")
    assert (run.options["policy"], run.options["attended"], run.user) == ("unattended", False, "local")


async def test_a_schedule_survives_a_restart_a_missed_hour_and_a_clock_change(tmp_path: Path) -> None:
    clock = TurnedClock("2026-03-28 20:00")
    async with open_at(tmp_path, clock) as fish:
        nightly = await fish.schedule("Night", "30 2 * * *", zone="Europe/Berlin", options=STRICT)
        hourly = await fish.schedule("Hour", "0 * * * *", zone="UTC", missed="all", options=STRICT)
    # Closed from 20:00 to 02:10 UTC, over the night in which 02:30 does not exist: it is 03:30 there, 01:30 UTC.
    clock.turn("2026-03-29 02:10")
    async with open_at(tmp_path, clock, [DONE] * 7) as fish:
        [night] = await wait_for_fires(fish, nightly.id, 1)
        hours = await wait_for_fires(fish, hourly.id, 6)
        assert (await fish.schedules.get(nightly.id)).next is not None
        following = (await fish.schedules.get(nightly.id)).next
    assert f"{night.due:%H:%M}" == "01:30"
    assert [fire.due.hour for fire in hours] == [21, 22, 23, 0, 1, 2]
    assert len({fire.run for fire in hours}) == 6
    assert following is not None and f"{following:%m-%d %H:%M}" == "03-30 00:30"


async def test_several_failures_in_a_row_pause_it_until_it_is_resumed(tmp_path: Path) -> None:
    clock = TurnedClock("2026-11-18 07:30")
    async with open_at(tmp_path, clock) as fish:
        made = await fish.schedule("Read", "every 1h", zone="UTC", options={"loop": "strict"})
        for count in (1, 2, 3):
            clock.turn(hours=1)
            await wait_for_fires(fish, made.id, count)
        stopped = await fish.schedules.get(made.id)
        kinds = [notice.kind for notice in await fish.store.notices("local")]
        clock.turn(hours=5)
        assert not await fish.standing.is_due()
        resumed = await fish.schedules.resume(made.id)
    assert stopped.paused and "3 times in a row" in stopped.paused_why
    assert kinds == ["paused", "problem", "problem"]
    assert resumed.next is not None and resumed.next > clock() and resumed.failures == 0


async def test_it_can_be_run_now_paused_found_by_name_and_deleted(tmp_path: Path) -> None:
    clock = TurnedClock("2026-11-18 07:30")
    async with open_at(tmp_path, clock, [DONE]) as fish:
        made = await fish.schedule("Read", "daily at 8", zone="UTC", name="news", options=STRICT)
        await fish.schedules.pause("news")
        fire = await fish.schedules.run_now(made.id[:6])
        [ended] = await wait_for_fires(fish, made.id, 1)
        assert (ended.run, ended.outcome) == (fire.run, "completed")
        await fish.schedules.delete("news")
        assert await fish.schedules.list() == []
        assert (await fish.record(fire.run)).outcome == "completed"
        with pytest.raises(NotFoundError, match="no schedule"):
            await fish.schedules.get("news")


async def test_a_changed_plan_keeps_the_history_and_counts_from_now(tmp_path: Path) -> None:
    clock = TurnedClock("2026-11-18 07:30")
    async with open_at(tmp_path, clock, [DONE]) as fish:
        made = await fish.schedule("Read the news", "every weekday at 8", zone="UTC", options=STRICT)
        clock.turn("2026-11-18 08:00")
        await wait_for_fires(fish, made.id, 1)
        changed = await fish.schedules.edit(made.id, made.model_copy(update={"when": "every weekday at 9"}))
        assert changed.id == made.id and changed.next is not None and changed.next.hour == 9
        assert changed.next.day == 18
        assert len(await fish.schedules.history(made.id)) == 1
        with pytest.raises(PersonError):
            await fish.schedules.edit(made.id, made.model_copy(update={"when": "sometimes"}))


@pytest.mark.slow
def test_a_time_in_which_the_process_was_killed_happens_once_and_its_history_tells_it(tmp_path: Path) -> None:
    command = [sys.executable, str(CRASHING), str(tmp_path)]
    paths = os.pathsep.join((str(CRASHING.parents[1]), os.environ.get("PYTHONPATH", "")))
    first, second = (
        subprocess.run(
            [*command, end], capture_output=True, text=True, timeout=90, env={**os.environ, "PYTHONPATH": paths}
        )
        for end in ("kill", "live")
    )
    assert first.returncode == -signal.SIGKILL, first.stderr
    assert second.stdout.splitlines() == ["2026-11-18T08:00:00+00:00 ended completed Fine.", "1 run"], second.stderr


TWO_FORMS = """<form method=post action=/order><button>Order the kettle</button></form>
<form method=post action=/wipe><button>Delete my account</button></form>"""


@loop("order-and-delete")
async def order_and_delete(run: Run) -> None:
    """Press both buttons and say what became of it."""
    said: list[str] = []
    for name in ("Order the kettle", "Delete my account"):
        page = (await run.observe()).text
        button = re.search(rf'\[(\d+)\] button "?{name}', page)
        assert button, page
        [result] = await run.act(ToolCall(id=name, tool="click", args={"id": int(button[1])}))
        said.append(f"{name}: {'done' if result.ok else result.error}")
        await run.act(
            ToolCall(id=f"back {name}", tool="navigate", args={"action": "goto", "url": run.options["tabs"][0]})
        )
    await run.finish("\n".join(said))


@pytest.mark.slow
async def test_a_schedule_does_what_it_was_granted_and_tells_what_it_was_denied(tmp_path: Path) -> None:
    clock = TurnedClock("2026-11-18 07:30")
    grants = [ScheduleGrant(site="127.0.0.1", effects=("submit", "buy"))]
    with serve_site() as site:
        url = site.html(TWO_FORMS)
        site.html("<p>Thank you.</p>", "/order")
        async with open_at(tmp_path, clock) as fish:
            made = await fish.schedule(
                "Order the kettle", "every day at 8", zone="UTC", pages=[url], grants=grants, options=PRESSING
            )
            clock.turn("2026-11-18 08:00")
            [fire] = await wait_for_fires(fish, made.id, 1)
    assert "POST /order" in site.hits and "POST /wipe" not in site.hits, fire
    assert "Order the kettle: done" in fire.text and "Delete my account: done" not in fire.text
    assert "the policy says no" in fire.text, fire.text


async def test_the_calendar_has_what_was_and_what_comes(tmp_path: Path) -> None:
    clock = TurnedClock("2026-11-18 07:30")
    async with open_at(tmp_path, clock, [DONE]) as fish:
        made = await fish.schedule("Read", "daily at 8", zone="UTC", options=STRICT)
        since = clock()
        clock.turn("2026-11-18 08:00")
        await wait_for_fires(fish, made.id, 1)
        clock.turn("2026-11-20 12:00")
        entries = await fish.schedules.calendar(since, clock())
        others = await fish.schedules.calendar(since, clock(), "bob")
    assert [entry.at.day for entry in entries][:1] == [18]
    assert entries[0].outcome == "completed"
    assert others == []


async def test_a_watch_of_every_minute_leaves_room_for_others_in_the_calendar(tmp_path: Path) -> None:
    clock = TurnedClock("2026-11-18 07:30")
    async with open_at(tmp_path, clock) as fish:
        await fish.schedule("Look", "every 1m", zone="UTC", options=STRICT)
        daily = await fish.schedule("Read", "daily at 8", zone="UTC", options=STRICT)
        entries = await fish.schedules.calendar(clock(), clock() + timedelta(days=43))
    assert sum(entry.schedule == daily.id for entry in entries) == 43
    assert len(entries) == 2 * 43 + 1


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"when": "now and then"}, "does not surely say when"),
        ({"when": "2020-01-01 10:00"}, "never happens"),
        ({"zone": "Mars/Base"}, "no time zone"),
        ({"pages": ("file:///etc/passwd",)}, "not the address"),
        ({"grants": (ScheduleGrant(site="*", effects=("buy",)),)}, "not a site"),
        ({"grants": (ScheduleGrant(site="shop.example", effects=("forbidden",)),)}, "cannot be granted"),
        ({"options": {"trusted": ["shop.example"]}}, "no option"),
    ],
)
async def test_a_plan_that_cannot_be_kept_is_refused_in_words(
    tmp_path: Path, how: dict[str, object], said: str
) -> None:
    async with open_at(tmp_path, TurnedClock("2026-11-18 07:30")) as fish:
        plan: dict[str, Any] = {"when": "daily at 8", "zone": "UTC", **how}
        with pytest.raises(PersonError, match=said):
            await fish.schedule("Read", **plan)


def make_schedule(**how: object) -> Schedule:
    return Schedule.model_validate({"id": "s", "user": "local", "task": "t", "when": "hourly", "zone": "UTC", **how})


def test_what_it_may_do_is_said_when_it_is_made() -> None:
    plain = make_schedule()
    granted = make_schedule(grants=[{"site": "shop.example", "effects": ["submit", "buy"]}], asks=True)
    assert describe_rights(plain) == ["Every effect is refused; reading is always allowed."]
    assert describe_rights(granted)[0] == "On shop.example it may send a form, buy or pay without asking."
    assert describe_rights(granted)[1].startswith("Before any other effect it asks")


def test_nobody_is_freer_than_the_settings_allow() -> None:
    grants = [{"site": "shop.example", "effects": ["buy"]}]
    asking = make_schedule(user="bob", asks=True, grants=grants)
    assert choose_rights(asking, "ask_before_effects")["policy"] == "ask_before_effects"
    assert choose_rights(asking, "unattended") == {"policy": "unattended", "attended": False, "grants": []}
    assert choose_rights(asking, "read_only")["policy"] == "read_only"


def test_a_run_has_the_smaller_of_its_own_budget_and_what_the_month_leaves() -> None:
    make = FireRunMaker(lambda: Settings())
    fire = ScheduleFire(schedule="s", due=TurnedClock("2026-11-18 08:00")(), run="r")
    assert make(make_schedule(budget_cents=5), fire, 3.0).options["budget_cents"] == 3.0
    assert make(make_schedule(budget_cents=5), fire, None).options["budget_cents"] == 5
    assert make(make_schedule(), fire, None).options["budget_cents"] == Settings().budget.run_cents


def test_a_zone_is_known_in_any_case() -> None:
    assert check_zone("europe/lisbon") == "Europe/Lisbon"


@pytest.mark.parametrize(
    ("site", "effect", "decision"),
    [("shop.example", "submit", "allow"), ("other.example", "submit", "deny"), ("shop.example", "delete", "deny")],
)
def test_only_what_was_granted_for_that_site_and_kind_is_allowed(site: str, effect: EffectKind, decision: str) -> None:
    policy = PolicySettings(rules=(GrantedRule(then="allow", site="shop.example", effect="submit"),))
    action = Action(tool="click", page=f"https://{site}/", targets=(ActionTarget(origin=f"https://{site}"),))
    [found] = judge_findings(action, [EffectFinding(effect, "because")], policy, "unattended")
    assert found.decision == decision
    assert (found.rule == GRANTED_RULE) == (decision == "allow")

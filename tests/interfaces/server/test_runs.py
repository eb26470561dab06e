import asyncio

import pytest

from pilotfish.core.errors import StoreError
from pilotfish.core.events import current_time
from pilotfish.core.records import RunRecord

from .running_server import RunningServer


async def test_a_run_is_started_read_and_listed(running: RunningServer) -> None:
    async with running.client() as client:
        answer = await client.post("/api/runs", json={"task": "Say hello", "loop": "test-echo"})
        assert answer.status_code == 201
        run = answer.json()["id"]
        await running.until(run, "run_finished")
        seen = (await client.get(f"/api/runs/{run}")).json()
        assert (seen["state"], seen["outcome"], seen["answer"]) == ("ended", "completed", "Say hello")
        listed = (await client.get("/api/runs", params={"text": "hello"})).json()
        assert run in [one["id"] for one in listed["items"]]


async def test_lists_of_runs_are_paged(running: RunningServer) -> None:
    runs = [await running.started("test-echo", f"page {n}") for n in range(5)]
    async with running.client() as client:
        seen: list[str] = []
        params = {"limit": "2", "text": "page"}
        while True:
            page = (await client.get("/api/runs", params=params)).json()
            seen += [one["id"] for one in page["items"]]
            if page["next"] is None:
                break
            params["before"] = page["next"]
    assert seen == runs[::-1]


async def test_a_question_is_answered_over_http(running: RunningServer) -> None:
    run = await running.started("test-question")
    await running.until(run, "input_requested")
    async with running.client() as client:
        assert (await client.post(f"/api/runs/{run}/answer", json={"text": "blue"})).status_code == 202
    assert (await running.until(run, "run_finished")).text == "You said blue."


async def test_an_approval_is_given_or_refused_in_the_words_that_it_offers(running: RunningServer) -> None:
    async with running.client() as client:
        for verb, words in (("approve", "Approve once"), ("deny", "Deny")):
            run = await running.started("test-approval")
            await running.until(run, "input_requested")
            assert (await client.post(f"/api/runs/{run}/{verb}")).status_code == 202
            assert (await running.until(run, "run_finished")).text == f"You said {words}."


async def test_a_run_that_waits_is_stopped(running: RunningServer) -> None:
    run = await running.started("test-question")
    await running.until(run, "input_requested")
    async with running.client() as client:
        assert (await client.post(f"/api/runs/{run}/stop")).status_code == 202
        assert (await running.until(run, "run_finished")).outcome == "stopped"
        late = await client.post(f"/api/runs/{run}/stop")
    assert (late.status_code, late.json()["code"]) == (409, "ended")


async def test_an_answer_that_nobody_waits_for_is_refused(running: RunningServer) -> None:
    run = await running.started("test-echo")
    await running.until(run, "run_finished")
    async with running.client() as client:
        answer = await client.post(f"/api/runs/{run}/answer", json={"text": "blue"})
    assert (answer.status_code, answer.json()["code"]) == (409, "not_waiting")
    assert answer.headers["content-type"] == "application/problem+json"


async def test_a_run_is_tried_again_another_way(running: RunningServer) -> None:
    run = await running.started("test-echo", "first words")
    await running.until(run, "run_finished")
    async with running.client() as client:
        again = (await client.post(f"/api/runs/{run}/fork", json={"loop": "test-phases"})).json()
        assert again["options"]["fresh"], "a new attempt asks anew"
    assert (again["task"], again["loop"]) == ("first words", "test-phases")
    assert again["conversation"] == (await running.fish.record(run)).conversation
    assert (await running.until(again["id"], "run_finished")).text == "Done."


async def test_a_run_that_did_nothing_in_the_browser_cannot_be_done_again(running: RunningServer) -> None:
    run = await running.started("test-echo")
    await running.until(run, "run_finished")
    async with running.client() as client:
        answer = await client.post(f"/api/runs/{run}/replay")
    assert (answer.status_code, answer.json()["detail"]) == (400, "That run did nothing in the browser.")


async def test_what_works_behind_the_scenes_is_listed_only_when_asked_for(running: RunningServer) -> None:
    run = await running.started("test-echo", "Remember the zebra")
    await running.until(run, "run_finished")
    await running.fish.store.create(
        (await running.fish.record(run)).model_copy(update={"id": "behind", "loop": "_behind"})
    )
    async with running.client() as client:
        for background, listed in (("false", {run}), ("true", {run, "behind"})):
            params = {"text": "zebra", "background": background}
            items = (await client.get("/api/runs", params=params)).json()["items"]
            assert {one["id"] for one in items} == listed


async def test_a_deleted_run_is_gone_with_its_files(running: RunningServer) -> None:
    run = await running.started("test-question")
    await running.until(run, "input_requested")
    folder = running.fish.settings.home / "runs" / run
    folder.mkdir(parents=True, exist_ok=True)
    async with running.client() as client:
        assert (await client.delete(f"/api/runs/{run}")).status_code == 204
        assert (await client.get(f"/api/runs/{run}")).status_code == 404
    assert not folder.exists()


async def test_a_run_is_exported_as_json_markdown_and_script(running: RunningServer) -> None:
    run = await running.started("test-phases", "Tell me everything")
    await running.until(run, "run_finished")
    async with running.client() as client:
        story = (await client.get(f"/api/runs/{run}/export")).json()
        page = (await client.get(f"/api/runs/{run}/export", params={"format": "markdown"})).text
        script = (await client.get(f"/api/runs/{run}/export", params={"format": "script"})).text
    assert script.startswith('"""Tell me everything"""') and "sync_playwright" in script
    assert [event["seq"] for event in story["events"]] == sorted(event["seq"] for event in story["events"])
    assert page.startswith("# Tell me everything")
    assert "## Pilotfish\n\nDone." in page


async def test_an_unknown_loop_says_which_there_are(running: RunningServer) -> None:
    async with running.client() as client:
        answer = await client.post("/api/runs", json={"task": "x", "loop": "nope"})
    assert answer.status_code == 400
    assert "test-echo" in answer.json()["fix"]


async def test_thinking_is_kept_back_unless_the_settings_show_it(running: RunningServer) -> None:
    run = await running.started("test-phases")
    await running.until(run, "run_finished")
    async with running.client() as client:
        assert "reasoned" not in (await client.get(f"/api/runs/{run}/journal")).text
        await client.put("/api/settings", json={"path": "agent.reasoning_visible", "value": True})
        assert "reasoned" in (await client.get(f"/api/runs/{run}/journal")).text
        await client.put("/api/settings", json={"path": "agent.reasoning_visible", "value": None})
        assert "reasoned" not in (await client.get(f"/api/runs/{run}/journal")).text


async def test_conversations_are_listed_searched_renamed_and_deleted(running: RunningServer) -> None:
    run = await running.started("test-echo", "a rare word: pangolin")
    await running.until(run, "run_finished")
    thread = (await running.fish.record(run)).conversation
    async with running.client() as client:
        found = (await client.get("/api/conversations", params={"text": "pangolin"})).json()
        assert [one["id"] for one in found] == [thread]
        said = (await client.get(f"/api/conversations/{thread}/messages")).json()
        assert [one["role"] for one in said] == ["user", "assistant"]
        renamed = await client.patch(f"/api/conversations/{thread}", json={"title": "Animals"})
        assert renamed.json()["title"] == "Animals"
        assert (await client.delete(f"/api/conversations/{thread}")).status_code == 204
        assert (await client.get(f"/api/conversations/{thread}")).status_code == 404
        assert (await client.get(f"/api/runs/{run}")).status_code == 404


async def test_costs_add_up_over_runs_models_and_days(running: RunningServer) -> None:
    run = await running.started("test-echo", "four words of text")
    await running.until(run, "run_finished")
    async with running.client() as client:
        one = (await client.get(f"/api/runs/{run}/costs")).json()
        every = (await client.get("/api/costs")).json()
    assert [model["name"] for model in one["models"]] == ["scripted"]
    assert one["total"]["output"] > 0
    assert every["total"]["output"] >= one["total"]["output"]


async def test_health_readiness_and_metrics_are_told(running: RunningServer) -> None:
    async with running.stranger() as client:
        assert (await client.get("/api/health")).json()["status"] == "ok"
        assert (await client.get("/api/ready")).status_code == 200
        assert (await client.get("/metrics")).status_code == 401
        for path in ("/health", "/healthz", "/readyz"):
            assert (await client.get(path)).json()["status"] == "ok", path
    await running.until(await running.started("test-echo"), "run_finished")
    async with running.client() as client:
        shown = (await client.get("/metrics")).text
    values = dict(line.rsplit(" ", 1) for line in shown.splitlines() if not line.startswith("#"))
    assert {
        f'pilotfish_runs{{state="{state}"}}' for state in ("queued", "running", "awaiting_approval")
    } <= values.keys()
    assert float(values['pilotfish_runs_started_total{loop="test-echo"}']) >= 1
    assert float(values['pilotfish_runs_finished_total{loop="test-echo",outcome="completed",reason=""}']) >= 1
    assert float(values['pilotfish_model_tokens_total{model="scripted",kind="output"}']) > 0
    assert float(values["pilotfish_workers"]) >= 1 and float(values["pilotfish_queue_wait_seconds"]) >= 0


async def test_a_server_that_only_queues_is_ready_when_a_worker_is_there(running: RunningServer) -> None:
    fish = running.fish
    workers = list(await fish.store.entries("worker"))
    async with running.stranger() as client:
        fish._runs = 0
        try:
            assert (await client.get("/readyz")).status_code == 200
            for worker in workers:
                await fish.store.drop("worker", worker)
            answer = await client.get("/readyz")
            assert (answer.status_code, answer.json()["code"]) == (503, "no_worker")
        finally:
            fish._runs = None
            for worker in workers:
                await fish.store.put("worker", worker, b"here", 600)


async def test_a_run_that_another_version_began_is_resumed_as_a_new_one(running: RunningServer) -> None:
    left = RunRecord(id="left", user="local", conversation="c", task="Say fish", loop="test-echo", version="another")
    await running.fish.store.create(left)
    async with running.client() as client:
        new = (await client.post("/api/runs/left/resume")).json()
        assert new["id"] != "left" and (await running.until(new["id"], "run_finished")).outcome == "completed"
        assert (await running.fish.record("left")).outcome == "stopped"
        assert (await client.post("/api/runs/left/resume")).status_code == 409, "what is over is not resumed"


async def test_a_server_whose_queue_stands_still_is_not_ready(
    running: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue, tried = running.fish.queue, asyncio.Event()

    async def fail() -> None:
        tried.set()
        raise StoreError("The disk is full.")

    monkeypatch.setattr(queue, "_take", fail)
    queue.wake()
    await tried.wait()
    monkeypatch.setattr(queue, "_served", -1000.0)
    async with running.stranger() as client:
        answer = await client.get("/readyz")
        assert (answer.status_code, answer.json()["code"]) == (503, "standing_still")


async def test_runs_that_ended_long_ago_are_deleted_at_once(running: RunningServer) -> None:
    user, token = await running.member("tidy")
    old = await running.started("test-echo", user=user)
    await running.until(old, "run_finished")
    between = current_time()
    new = await running.started("test-echo", user=user)
    await running.until(new, "run_finished")
    async with running.client(token) as client:
        assert (await client.delete("/api/runs", params={"before": "2020-01-01T00:00:00"})).status_code == 422
        gone = await client.delete("/api/runs", params={"before": between.isoformat()})
    assert gone.json() == {"deleted": 1}
    assert [run.id for run in await running.fish.runs(user=user)] == [new]


async def test_models_loops_and_tools_are_listed(running: RunningServer) -> None:
    async with running.client() as client:
        models = (await client.get("/api/models")).json()
        assert "scripted" in [model["name"] for model in models]
        assert any(model["missing"] for model in models)
        small = {model["name"] for model in models if model["small"]}
        assert "embedded:qwen2.5-coder-1.5b" in small and "scripted" not in small
        assert "test-echo" in (await client.get("/api/loops")).json()
        assert (await client.get("/api/tools")).status_code == 200


async def test_a_model_is_tried_and_one_that_cannot_serve_says_what_it_lacks(running: RunningServer) -> None:
    async with running.client() as client:
        assert (await client.post("/api/models/test", json={"name": "scripted"})).json()["seconds"] >= 0
        failed = await client.post("/api/models/test", json={"name": "opnai:gpt"})
    assert (failed.status_code, failed.json()["code"]) == (503, "model")
    assert failed.json()["fix"]


async def test_the_practice_site_is_started_once(running: RunningServer) -> None:
    async with running.client() as client:
        first = (await client.post("/api/practice")).json()["url"]
        assert (await client.post("/api/practice")).json()["url"] == first
    async with running.stranger() as client:
        assert (await client.get(first)).status_code == 200


async def test_a_conversation_can_be_opened_before_its_first_run(running: RunningServer) -> None:
    async with running.client() as client:
        made = (await client.post("/api/conversations", json={"title": "Shop"})).json()
        assert (await client.get(f"/api/conversations/{made['id']}")).json()["title"] == "Shop"
        assert (await client.post("/api/conversations", json={"title": ""})).status_code == 422


async def test_a_run_knows_that_somebody_attends_it(running: RunningServer) -> None:
    async with running.client() as client:
        run = (await client.post("/api/runs", json={"task": "Hi", "loop": "test-echo", "attended": True})).json()
    await running.until(run["id"], "run_finished")
    assert (await running.fish.record(run["id"])).options["attended"] is True


async def test_a_run_may_be_held_tighter_by_anybody_and_given_more_freedom_by_admins_only(
    running: RunningServer,
) -> None:
    user, token = await running.member("Wil")
    how = {"task": "x", "loop": "test-echo"}
    async with running.client(token) as member, running.client() as admin:
        tight = {"policy": "read_only", "sites": ["shop.example"], "disabled_tools": ["click"], "iterations": 3}
        begun = (await member.post("/api/runs", json={**how, **tight})).json()
        assert {name: begun["options"][name] for name in tight} == tight
        for free in ({"policy": "trusted_sites"}, {"trusted": ["shop.example"]}):
            assert (await member.post("/api/runs", json={**how, **free})).json()["code"] == "too_free"
            assert (await member.post(f"/api/runs/{begun['id']}/fork", json=free)).json()["code"] == "too_free"
            assert (await admin.post("/api/runs", json={**how, **free})).status_code == 201
    await running.settled(user)
    await running.settled()

"""Research listens: its maximum of rounds, its style, what is known about the person, attached files and own tools."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.scene import as_json, end, modest
from pilotfish import tool
from pilotfish.core import events
from pilotfish.core.messages import ModelReply, ToolCall
from pilotfish.core.settings import AgentSettings, FetchSettings
from pilotfish.tools.base import TOOLS, ToolContext, ToolResult
from scripted_app import Open, events_of, script

pytestmark = [pytest.mark.anyio]
BICYCLE = "I always travel with my bicycle"
FERRY = "Which ferry is cheaper for me?"


@pytest.fixture(autouse=True)
def own_tools() -> Iterator[None]:
    """Tools of somebody's own: one with many arguments, one that breaks."""

    @tool()
    async def timetable(ctx: ToolContext, line: str, day: str, begin: str, end: str, stop: str = "") -> str:
        """Look departures up in the timetable of a line, for one day, between two times of the day, at one stop."""
        return "9:30"

    @tool()
    async def broken(ctx: ToolContext, topic: str) -> str:
        """Look a topic up."""
        return {"a": "b"}[topic]

    yield
    for name in (timetable.name, broken.name):
        TOOLS._things.pop(name)


def rounds(story: list[Any]) -> int:
    return sum(isinstance(e, events.Progressed) and e.stage == "reasoning" for e in story)


@pytest.mark.parametrize("task", ["What time is it?", "Compare the time here, there and everywhere, and explain why"])
async def test_a_maximum_of_rounds_is_a_maximum(opened: Open, task: str) -> None:
    fish = await opened()
    look = ModelReply(calls=(ToolCall(id="1", tool="get_current_time"),))
    script(fish, [look, "It is noon."])
    story = await events_of(fish, task, loop="react", iterations=1)
    assert rounds(story) == 1 and end(story).text == "It is noon."


@pytest.mark.parametrize(
    ("style", "task", "asked"),
    [
        ("tool_first", "Who wrote Faust?", 2),
        ("tool_first", "Hello there", 1),
        ("balanced", "Who wrote Faust?", 1),
        ("balanced", "What is the latest price?", 2),
        ("direct", "What is the latest price?", 1),
    ],
)
async def test_the_styles_differ_for_models_with_native_calls(opened: Open, style: Any, task: str, asked: int) -> None:
    fish = await opened(agent=AgentSettings(style=style))
    model = script(fish, ["So it is."] * 3)
    assert end(await events_of(fish, task, loop="react")).text == "So it is."
    assert len(model.requests) == asked


async def test_what_is_known_about_the_person_is_looked_up_where_the_question_depends_on_it(opened: Open) -> None:
    fish = await opened()
    await fish.memory.save("local", [{"content": BICYCLE}])
    for small in (False, True):
        reply = (
            as_json(thinking="known", action="respond", response="The blue one.", confidence=1)
            if small
            else "The blue."
        )
        model = (modest if small else script)(fish, [reply])
        story = await events_of(fish, FERRY, loop="react")
        assert any(isinstance(e, events.ToolFinished) and e.tool == "memory_retrieve" and e.ok for e in story)
        assert BICYCLE in "".join(message.text for message in model.requests[0].messages)
        assert "memory_save" in model.requests[0].messages[0].text
    story = await events_of(fish, "What does the ferry cost?", loop="react")
    assert not any(isinstance(e, events.ToolStarted) for e in story), "the question does not depend on the person"


async def test_an_error_in_one_tool_is_that_tools_failure_and_the_run_goes_on(opened: Open) -> None:
    fish = await opened()
    calls = (ToolCall(id="1", tool="broken", args={"topic": "ferry"}), ToolCall(id="2", tool="get_current_time"))
    script(fish, [ModelReply(calls=calls), "It is noon."])
    story = await events_of(fish, "What time is it?", loop="react")
    done = {e.tool: e for e in story if isinstance(e, events.ToolFinished)}
    assert (done["broken"].ok, done["broken"].error) == (False, "broken failed with KeyError: 'ferry'")
    assert done["get_current_time"].ok and end(story).outcome == "completed"


async def test_an_answer_without_its_picture_says_that_none_was_drawn(opened: Open) -> None:
    fish = await opened()
    draw = ModelReply(calls=(ToolCall(id="1", tool="image_generate", args={"description": "a red circle"}),))
    script(fish, [draw, '{"svg": "no drawing"}', "Here is your red circle."])
    done = end(await events_of(fish, "Draw a red circle", loop="react"))
    assert done.outcome == "completed" and "(No picture was drawn: " in done.text


async def test_own_tools_with_many_arguments_are_offered(opened: Open) -> None:
    fish = await opened()
    model = script(fish, ["At 9:30."])
    await events_of(fish, "When does it leave?", loop="react")
    assert {"timetable", "broken", "web_search", "request_input"} <= {tool.name for tool in model.requests[0].tools}


@pytest.mark.slow
async def test_an_attached_file_is_read_in_parts(opened: Open, tmp_path: Path) -> None:
    fish = await opened()
    file = tmp_path / "prices.txt"
    file.write_text("A ticket costs 12 EUR.\n" + "The sea was calm that day.\n" * 2000 + "A bicycle costs 3 EUR.\n")
    part = ToolCall(id="1", tool="recall_details", args={"result_id": "f1", "part": 5})
    model = script(fish, [ModelReply(calls=(part,)), as_json(summary="calm", points=[]), "3 EUR."])
    story = await events_of(fish, "What does a bicycle cost?", loop="react", tabs=[file.as_uri()])
    assert end(story).text == "3 EUR."
    first = "".join(message.text for message in model.requests[0].messages)
    assert "A ticket costs 12 EUR." in first and "result_id f1" in first and "A bicycle costs 3 EUR." not in first
    [recalled] = [e for e in story if isinstance(e, events.ToolFinished)]
    assert "A bicycle costs 3 EUR." in recalled.output


async def test_what_is_said_beside_tool_calls_is_not_streamed_as_the_answer(opened: Open) -> None:
    fish = await opened()
    look = ModelReply(text="Let me look at the clock.", calls=(ToolCall(id="1", tool="get_current_time"),))
    script(fish, [look, "It is noon."])
    story = await events_of(fish, "What time is it?", loop="react")
    streamed = [item.text for item in story if isinstance(item, events.TextDelta) and item.kind == "content"]
    assert "".join(streamed) == "It is noon." == end(story).text


async def test_each_stage_tells_how_many_of_how_many_succeeded(opened: Open) -> None:
    fish = await opened(fetch=FetchSettings(robots=False))
    unreachable = ("http://127.0.0.1:9/a", "http://127.0.0.1:9/b")
    calls = (
        ToolCall(id="1", tool="memory_save", args={"facts": [{"content": BICYCLE}]}),
        ToolCall(id="2", tool="web_fetch", args={"urls": unreachable, "query": "ferries"}),
    )
    script(fish, [ModelReply(calls=calls), "The blue one."])
    story = await events_of(fish, "I always travel with my bicycle, which ferry?", loop="react")
    stages = [(e.stage, e.status, e.text) for e in story if isinstance(e, events.Progressed)]
    assert ("saving_memory", "completed", "Remembering what you said: 1 of 1 successful") in stages
    assert ("fetching_content", "failed", "Reading pages: 0 of 2 successful") in stages
    assert ("executing_tools", "completed", "Used memory_save, web_fetch: 1 of 2 successful") in stages
    assert [s for s, status, _ in stages if status == "started"].count("fetching_content") == 1


@pytest.fixture
def two_pages() -> Iterator[None]:
    """A web of two pages, each found only by its own name."""
    pages = {"Alva": "The Alva ferry costs 14 crowns.", "Brenn": "The Brenn boat costs 22 crowns."}
    former = {name: TOOLS._things.pop(name) for name in ("web_search", "web_fetch")}

    @tool(name="web_search", group="web")
    async def search(ctx: ToolContext, query: str) -> ToolResult:
        """Search the web."""
        hits = [{"url": f"https://{name}.example"} for name in pages if name in query]
        return ToolResult(output=str(hits), data={"hits": hits})

    @tool(name="web_fetch", group="web")
    async def fetch(ctx: ToolContext, urls: list[str], query: str) -> ToolResult:
        """Read pages."""
        read = [text for name, text in pages.items() if f"https://{name}.example" in urls]
        sources = [{"url": url, "passage": text} for url, text in zip(urls, read, strict=True)]
        return ToolResult(output="\n".join(read), data={"sources": sources, "fetched": len(read)})

    yield
    TOOLS._things.update(former)


def search_for(query: str) -> str:
    return as_json(thinking="look", action="tool", tool_calls=[{"tool": "web_search", "parameters": {"query": query}}])


async def test_a_small_model_searches_on_while_a_name_of_the_question_was_not_read_about(
    opened: Open, two_pages: None
) -> None:
    fish = await opened()
    model = modest(fish, [search_for("Alva"), search_for("Brenn"), "Alva: 14, Brenn: 22."])
    story = await events_of(fish, "Which is cheaper, Alva or Brenn?", loop="react")
    assert end(story).text.startswith("Alva: 14") and len(model.requests) == 3
    assert "Nothing was read yet about: Brenn." in model.requests[1].messages[-2].text
    assert all(crowns in str(model.requests[2].messages) for crowns in ("14 crowns", "22 crowns"))


@pytest.mark.parametrize(("task", "asked"), [("What does Alva cost?", 2), ("Which is cheaper, Alva or Nowhere?", 3)])
async def test_a_small_model_stops_where_all_names_were_read_about_or_nobody_knows_them(
    opened: Open, two_pages: None, task: str, asked: int
) -> None:
    fish = await opened()
    model = modest(fish, [search_for("Alva"), *[search_for("Alva")] * (asked - 2), "Alva: 14."])
    assert end(await events_of(fish, task, loop="react")).text.startswith("Alva: 14")
    assert len(model.requests) == asked

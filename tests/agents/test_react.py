"""Research: tools together, sources cited, styles and languages kept, and something to say when the money is gone."""

from collections.abc import Mapping
from typing import Any

import pytest

from agents.scene import as_json, end, modest
from pilotfish import tool
from pilotfish.core import events
from pilotfish.core.messages import Message, ModelReply, ToolCall
from pilotfish.core.settings import AgentSettings, BudgetSettings
from pilotfish.core.usage import Usage
from pilotfish.llm.model_facts import EMBEDDED_MODEL
from pilotfish.tools.base import TOOLS, Tool, ToolContext, ToolResult
from scripted_app import Open, events_of, script

pytestmark = [pytest.mark.anyio]
PAGES = ("Ferry prices", "https://ferry.example/prices"), ("Old prices", "https://old.example")


@pytest.fixture(autouse=True)
def almanac() -> Any:
    """A tool of somebody's own that names sources."""

    @tool()
    async def almanac(ctx: ToolContext, topic: str) -> ToolResult:
        """Look a topic up in the almanac."""
        sources = [{"title": title, "url": url} for title, url in PAGES]
        return ToolResult(output=f"{topic}: 12 EUR " + "and so on " * 900, data={"sources": sources})

    yield almanac
    TOOLS._things.pop("almanac")


LOOK = ModelReply(text="let me look", calls=(ToolCall(id="1", tool="almanac", args={"topic": "ferry"}),))
FAILED_SEARCH = ModelReply(
    text="let me look",
    calls=(ToolCall(id="1", tool="web_fetch", args={"urls": ["http://127.0.0.1:9/"], "query": "x"}),),
)
GIST = as_json(summary="A ticket costs 12 EUR.", points=["12 EUR"])


async def test_calls_tools_together_and_answers(opened: Open) -> None:
    fish = await opened()
    times = (ToolCall(id="1", tool="get_current_time"), ToolCall(id="2", tool="get_current_time"))
    script(fish, [ModelReply(text="let me look", calls=times), "It is now."])
    story = await events_of(fish, "What time is it?", loop="react")
    assert end(story).text == "It is now."
    assert sum(isinstance(e, events.ToolFinished) and e.ok for e in story) == 2
    note = next(e for e in story if isinstance(e, events.Noted) and e.topic == "estimate")
    assert "rounds" in note.text and note.details["iterations"] == 3


async def test_lists_the_sources_that_it_cites(opened: Open) -> None:
    fish = await opened()
    model = script(fish, [LOOK, GIST, "A ticket costs **12 EUR** [1]."])
    story = await events_of(fish, "What does the ferry cost?", loop="react")
    assert end(story).text.endswith("Sources:\n1. [Ferry prices](https://ferry.example/prices)")
    added = [e for e in story if isinstance(e, events.MessageAdded) and e.sources]
    assert [source["url"] for source in added[0].sources] == [url for _, url in PAGES]
    assert "recall_details, result_id r1.0" in model.requests[2].messages[-2].text, "the rest of a long result is kept"


@pytest.mark.parametrize(
    ("replies", "doubt"),
    [
        (["A ticket costs 12 EUR [1]."], "There is no source [1]."),
        ([LOOK, GIST, "A ticket costs 12 EUR [3]."], "There is no source [3]."),
        ([FAILED_SEARCH, "A ticket costs 12 EUR."], "Nothing could be looked up: every search and page failed."),
    ],
)
async def test_an_answer_that_rests_on_nothing_is_asked_for_once_more_and_then_says_so(
    opened: Open, replies: list[Any], doubt: str
) -> None:
    fish = await opened()
    model = script(fish, [*replies, replies[-1], replies[-1]])
    story = await events_of(fish, "Tell me about the ferry to Gull Island", loop="react")
    assert len(model.requests) == len(replies) + 1, "one more call, and no loop"
    assert any(f"{doubt} Look again" in message.text for message in model.requests[-1].messages)
    assert f"({doubt})" in end(story).text


async def test_brackets_in_code_and_links_are_no_citations(opened: Open) -> None:
    fish = await opened()
    answer = "Use `rows[1]` or [this page](https://ferry.example/prices)."
    model = script(fish, [answer])
    assert end(await events_of(fish, "Tell me about lists", loop="react")).text == answer and len(model.requests) == 1


async def test_answers_in_the_language_of_the_question(opened: Open) -> None:
    fish = await opened()
    model = script(fish, [LOOK, GIST, "票价是 12 欧元 [1]。"])
    done = end(await events_of(fish, "渡轮的票价是多少?", loop="react"))
    assert "来源:\n1. [Ferry prices]" in done.text
    assert all("Answer in Chinese." in model.requests[n].messages[-1].text for n in (0, 2))


@pytest.mark.parametrize(("style", "asked"), [("tool_first", 2), ("balanced", 2), ("direct", 1)])
async def test_how_sure_it_must_be_depends_on_the_style(opened: Open, style: Any, asked: int) -> None:
    fish = await opened(agent=AgentSettings(style=style))
    sure = as_json(thinking="I think so", action="respond", response="It is 12.", confidence=0.7)
    surer = as_json(thinking="I know", action="respond", response="It is 12.", confidence=0.96)
    model = modest(fish, [sure, surer])
    assert end(await events_of(fish, "What is it?", loop="react")).text == "It is 12."
    assert len(model.requests) == asked


async def test_what_cannot_be_read_is_asked_for_twice_more_then_taken_as_it_is(opened: Open) -> None:
    fish = await opened()
    fine = "<thinking>look</thinking><action>respond</action><response>12 EUR</response><confidence>0.9</confidence>"
    model = modest(fish, ["no", "still no", "It is simply 12.", fine])
    story = await events_of(fish, "What is it?", loop="react")
    assert end(story).text == "It is simply 12." and len(model.requests) == 3
    assert "only the corrected JSON" in model.requests[1].messages[-1].text
    assert any(isinstance(e, events.Noted) and e.topic == "parsing" for e in story)
    assert end(await events_of(fish, "And so?", loop="react")).text == "12 EUR", "tags are read too"


async def test_a_small_model_is_held_to_one_known_tool_at_a_time(opened: Open) -> None:
    fish = await opened()
    look = as_json(thinking="look", action="tool", tool_calls=[{"tool": "almanac", "parameters": {"topic": "ferry"}}])
    model = modest(fish, [look, as_json(thinking="ok", action="respond", response="12 EUR [1]", confidence=0.9)])
    assert end(await events_of(fish, "What is it?", loop="react")).text.startswith("12 EUR [1]")
    respond, act = (model.requests[0].shape or {})["anyOf"]
    assert respond["properties"]["action"]["const"] == "respond" and act["properties"]["tool_calls"]["maxItems"] == 1
    names = [way["properties"]["tool"]["const"] for way in act["properties"]["tool_calls"]["items"]["anyOf"]]
    assert "almanac" in names and len(names) <= 10
    assert all(m.role != "tool" and not m.calls for m in model.requests[1].messages), (
        "it never sees calls it cannot make"
    )


async def test_what_a_small_model_finds_is_read_for_it_and_it_answers_from_that(opened: Open) -> None:
    fish = await opened()
    read: list[list[str]] = []

    async def search(ctx: ToolContext, query: str) -> ToolResult:
        return ToolResult(output="1. Lantern Line", data={"hits": [{"url": f"https://{n}.example/"} for n in range(5)]})

    async def fetch(ctx: ToolContext, urls: list[str], query: str) -> ToolResult:
        read.append(urls)
        return ToolResult(output="[1] A ticket is 14.", data={"sources": [{"title": "Lantern", "url": urls[0]}]})

    context: Mapping[str, Tool] = fish.driver.context.tools
    own = {"web_search": Tool("web_search", search, "web"), "web_fetch": Tool("web_fetch", fetch, "web")}
    fish.driver.context.__dict__["tools"] = {**context, **own}
    look = as_json(
        thinking="look", action="tool", tool_calls=[{"tool": "web_search", "parameters": {"query": "ferry"}}]
    )
    model = modest(fish, [look, "A ticket costs 14 crowns [1]."])
    done = end(await events_of(fish, "What does the ferry cost?", loop="react"))
    assert read == [["https://0.example/", "https://1.example/", "https://2.example/"]]
    assert done.text.startswith("A ticket costs 14 crowns [1].") and "[Lantern](https://0.example/)" in done.text
    assert "A ticket is 14." in "".join(m.text for m in model.requests[-1].messages) and len(model.requests) == 2


async def test_tools_of_other_mcp_servers_are_offered(opened: Open) -> None:
    fish = await opened()

    async def body(ctx: ToolContext) -> str:
        return "done"

    added = {f"other_{n}": Tool(f"other_{n}", body, "mcp") for n in range(6)}
    context: Mapping[str, Tool] = fish.driver.context.tools
    fish.driver.context.__dict__["tools"] = {**context, **added}
    model = script(fish, ["Fine."])
    await events_of(fish, "What is it?", loop="react")
    assert {tool.name for tool in model.requests[0].tools} >= set(added)
    model = modest(fish, [as_json(action="respond", response="Fine.", confidence=1)])
    await events_of(fish, "What is it then?", loop="react")
    listed = model.requests[0].messages[0].text
    assert "other_0(" in listed and "other_2(" in listed and "other_3(" not in listed and "web_search(" in listed


async def test_out_of_money_it_answers_with_what_was_found(opened: Open) -> None:
    fish = await opened(budget=BudgetSettings(run_cents=1))
    dear = Usage(input=1, output=1, cost=0.02)
    script(fish, [ModelReply(calls=(ToolCall(id="1", tool="get_current_time"),), usage=dear)])
    done = end(await events_of(fish, "What time is it?", loop="react"))
    assert done.outcome == "out_of_budget" and "what was found" in done.text


async def test_names_a_tool_that_is_off_and_would_have_helped(opened: Open) -> None:
    fish = await opened()
    script(fish, ["I do not know."])
    done = end(await events_of(fish, "What is the latest news?", loop="react", disabled_tools=["web_search"]))
    assert "web_search could have helped" in done.text


async def test_a_loop_that_repeats_itself_is_told(opened: Open) -> None:
    fish = await opened(agent=AgentSettings(iterations=8))
    again = ModelReply(calls=(ToolCall(id="1", tool="get_current_time", args={"timezone": "Nowhere/Land"}),))
    model = script(fish, [again, again, again, "I do not know."])
    await events_of(fish, "Compare the time here and there, and explain why it differs.", loop="react")
    heard: list[Message] = [request.messages[-1] for request in model.requests]
    assert "Do something else" not in heard[2].text and "3 times with the same outcome" in heard[3].text
    assert "get_current_time has failed 3 times in a row" in heard[3].text
    assert EMBEDDED_MODEL.small

"""Answers about pages: at once from their text, by looking only where needed, from before while nothing changed."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from agents.scene import end, modest, said, turn
from fish import Open, script, told
from pilotfish.core import events
from pilotfish.core.messages import Call, Reply
from pilotfish.core.settings import Settings
from pilotfish.llm.facts import EMBEDDED
from pilotfish.llm.scripted import FACTS, Scripted
from pilotfish.practice.server import Practice

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


class Page:
    """A page whose text a test may change."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.body = "<h1>Ferry</h1><p>A ticket costs 12 EUR.</p>"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        body = f"<!doctype html><title>Ferry</title>{self.body}".encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()
        writer.close()


@asynccontextmanager
async def changing() -> AsyncGenerator[Page]:
    page = Page("")
    server = await asyncio.start_server(page.serve, "127.0.0.1", 0)
    page.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    async with server:
        yield page


async def test_answers_from_the_page_with_no_tools_bound(opened: Open, site: Practice) -> None:
    fish = await opened()
    model = script(fish, ["The kettle costs €48.90.", "It holds 1.2 litres."])
    story = await told(fish, "What does the kettle cost?", loop="chat", tabs=[f"{site.url}/shop"])
    assert end(story).text == "The kettle costs €48.90."
    assert not model.asked[0].tools
    assert "Tide kettle" in model.asked[0].messages[0].text and "48.90" in model.asked[0].messages[0].text
    conversation = next(e for e in story if isinstance(e, events.RunStarted)).conversation
    await told(fish, "And how large is it?", loop="chat", conversation=conversation)
    assert model.asked[1].messages[0] == model.asked[0].messages[0], "the prefix must stay the same for caches"
    assert [m.text for m in model.asked[1].messages[1:]] == [
        "What does the kettle cost?",
        "The kettle costs €48.90.",
        "And how large is it?",
    ]


async def test_a_question_asked_again_is_answered_from_before_while_the_page_is_the_same(opened: Open) -> None:
    fish = await opened()
    model = script(fish, ["12 EUR.", "On the pier.", "Another is 20 EUR.", "14 EUR."])
    async with changing() as page:
        talk = await turn(fish, "What does a ticket cost?", "chat", "", [page.url])
        await turn(fish, "Where does it leave?", "chat", talk)
        await turn(fish, "what does a  ticket cost", "chat", talk)
        await turn(fish, "Where does it leave?", "chat", talk)
        assert len(model.asked) == 2
        story = await told(fish, "What does a ticket cost?", loop="chat", tabs=[page.url])
        assert end(story).text == "12 EUR." and any(isinstance(e, events.Noted) and e.topic == "cache" for e in story)
        await turn(fish, "Tell me another price", "chat", talk)
        page.body = "<h1>Ferry</h1><p>A ticket costs 14 EUR.</p>"
        window = fish.windows.of(talk)
        await window.go((await window.list())[0].id, "reload")
        await turn(fish, "What does a ticket cost?", "chat", talk)
    assert [m.text for m in await fish.messages(talk)][1::2] == [
        "12 EUR.",
        "On the pier.",
        "12 EUR.",
        "On the pier.",
        "Another is 20 EUR.",
        "14 EUR.",
    ]


async def test_looks_only_when_the_answer_asks_for_it(opened: Open, site: Practice) -> None:
    fish = await opened()
    look = Reply(calls=(Call(id="s", tool="screenshot"), Call(id="d", tool="scroll", args={"direction": "down"})))
    model = Scripted(["LOOK: the picture", look, look, "It is green."], facts=FACTS.model_copy(update={"vision": True}))
    fish.minds.pretend("scripted", model)
    story = await told(fish, "Which colour?", loop="chat", tabs=[f"{site.url}/shop"])
    assert end(story).text == "It is green."
    assert not model.asked[0].tools
    assert [t.name for t in model.asked[1].tools] == ["screenshot", "scroll", "refresh"]
    assert not any("LOOK" in e.text for e in story if isinstance(e, events.Delta))
    kinds = [f"{e.type} {getattr(e, 'tool', '')}".strip() for e in story]
    assert kinds.index("file_saved") < kinds.index("tool_finished screenshot"), "the person sees the picture at once"
    pictures = [[m for m in request.messages if m.images] for request in model.asked]
    assert [len(each) for each in pictures] == [0, 0, 1, 1], "an earlier picture is only a line"
    assert any("screenshot, shown to the person" in m.text for m in model.asked[3].messages)
    conversation = next(e for e in story if isinstance(e, events.RunStarted)).conversation
    assert [m.text for m in await fish.messages(conversation)] == ["Which colour?", "It is green."]


async def test_refresh_puts_the_new_page_before_the_model_and_a_line_into_the_history(opened: Open) -> None:
    fish = await opened()
    async with changing() as page:

        def changed(_: object) -> Reply:
            page.body = "<h1>Ferry</h1><p>A ticket costs 14 EUR.</p>"
            return Reply(calls=(Call(id="r", tool="refresh"),))

        again = Reply(calls=(Call(id="s", tool="scroll", args={"direction": "bottom"}),))
        model = script(fish, ["LOOK: is it current?", again, changed, "14 EUR."])
        record = await fish.start("What now?", loop="chat", tabs=[page.url])
        window = fish.windows.of(record.conversation)
        async for event in fish.follow(record.id):
            if isinstance(event, events.ToolFinished) and event.tool == "scroll":
                page.body = "<h1>Ferry</h1><p>A ticket costs 14 EUR.</p>"
                await window.go((await window.list())[0].id, "reload")
    last = model.asked[-1].messages
    assert "14 EUR" in last[0].text and "12 EUR" not in last[0].text
    assert last[-1].text.startswith("The page was read again")


async def test_a_model_without_tool_calls_looks_by_constrained_json(opened: Open, site: Practice) -> None:
    fish = await opened()
    scroll = said(thought="further down", call={"tool": "scroll", "inputs": {"direction": "down"}})
    picture = said(thought="the picture", call={"tool": "screenshot", "inputs": {}})
    answer = said(thought="seen", call={"tool": "answer", "inputs": {"text": "It is green."}})
    model = modest(fish, ["I cannot see the picture.", scroll, picture, answer])
    assert end(await told(fish, "Which colour?", loop="chat", tabs=[f"{site.url}/shop"])).text == "It is green."
    assert model.facts is EMBEDDED and not any(request.tools for request in model.asked)
    ways = (model.asked[1].shape or {})["properties"]["call"]["anyOf"]
    assert [way["properties"]["tool"]["const"] for way in ways] == ["screenshot", "scroll", "refresh", "answer"]
    assert "cannot see pictures" in model.asked[3].messages[-1].text


async def test_tells_tabs_apart_and_names_the_tab_where_the_model_did_not(opened: Open, site: Practice) -> None:
    fish = await opened()
    model = script(fish, ["The Tide kettle costs €48.90."])
    pages = [f"{site.url}/news", f"{site.url}/shop"]
    done = end(await told(fish, "What does the kettle cost?", loop="chat", tabs=pages))
    system = model.asked[0].messages[0].text
    assert "Tab 2: All goods" in system and "Tab 1:" in system and "2 open tabs" in system
    assert done.text == "The Tide kettle costs €48.90. (tab 2)"


async def test_says_kindly_that_there_is_no_tab(opened: Open) -> None:
    fish = await opened()
    assert "no open page" in end(await told(fish, "What is this?", loop="chat")).text


async def test_an_address_that_cannot_be_opened_fails_with_a_way_out(opened: Open) -> None:
    fish = await opened()
    done = end(await told(fish, "What?", loop="chat", tabs=["http://127.0.0.1:4/nothing"]))
    assert done.outcome == "failed" and "could not be opened" in done.error and done.fix


async def test_an_answer_is_given_up_the_moment_the_person_says_stop(opened: Open, site: Practice) -> None:
    fish = await opened()
    fish.minds.pretend("scripted", Scripted(["word " * 50], delay=60))
    record = await fish.start("Tell me all", loop="chat", tabs=[f"{site.url}/shop"])
    async with asyncio.timeout(20):
        async for event in fish.follow(record.id):
            if isinstance(event, events.ModelAsked):
                await fish.command(record.id, "stop")
    assert (await fish.record(record.id)).outcome == "stopped"


async def test_a_tab_that_was_turned_to_is_read_before_the_question_comes(opened: Open, site: Practice) -> None:
    fish = await opened()
    model = script(fish, ["Goods.", "€48.90"])
    talk = await turn(fish, "What is this?", "chat", "", [f"{site.url}/shop"])
    await fish.warm(talk)
    await turn(fish, "What does the kettle cost?", "chat", talk)
    [warmed] = model.warmed
    assert warmed == model.asked[1].messages[:1], "what was read ahead must be how the question begins"
    assert not (await fish.runs(text="", conversation=talk))[2:], "reading ahead is no run"


async def test_reading_ahead_never_fails(opened: Open) -> None:
    fish = await opened()
    assert isinstance(fish.settings, Settings)
    await fish.warm("nowhere", ["http://127.0.0.1:4/nothing"])


async def test_a_conversation_that_is_removed_while_its_page_is_read_ahead_stays_removed(
    opened: Open, site: Practice
) -> None:
    fish = await opened()
    script(fish, ["Goods."])
    talk = await turn(fish, "What is this?", "chat", "", [f"{site.url}/shop"])
    tabs = fish.browsers.of(talk)
    reading = fish.warm(talk, [f"{site.url}/forum"])
    await tabs.session()
    await asyncio.gather(fish.forget(talk), tabs.save())
    assert reading.cancelled()
    assert not tabs.folder.exists()

"""Answers about pages: at once from their text, by looking only where needed, from before while nothing changed."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from agents.scene import as_json, end, modest, turn
from browser.stage import Answer, serve_site
from pilotfish.core import events
from pilotfish.core.messages import ModelReply, ToolCall
from pilotfish.core.settings import Settings
from pilotfish.llm.model_facts import EMBEDDED_MODEL
from pilotfish.llm.scripted import FACTS, ScriptedModel
from pilotfish.practice.server import Practice
from scripted_app import Open, events_of, script

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.whole_browser]


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
async def serve_changing_page() -> AsyncGenerator[Page]:
    page = Page("")
    server = await asyncio.start_server(page.serve, "127.0.0.1", 0)
    page.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    async with server:
        yield page


async def test_answers_from_the_page_with_no_tools_bound(opened: Open, site: Practice) -> None:
    fish = await opened()
    model = script(fish, ["The kettle costs €48.90.", "It holds 1.2 litres."])
    story = await events_of(fish, "What does the kettle cost?", loop="chat", tabs=[f"{site.url}/shop"])
    assert end(story).text == "The kettle costs €48.90."
    assert not model.requests[0].tools
    assert "Tide kettle" in model.requests[0].messages[0].text and "48.90" in model.requests[0].messages[0].text
    conversation = next(e for e in story if isinstance(e, events.RunStarted)).conversation
    await events_of(fish, "And how large is it?", loop="chat", conversation=conversation)
    assert model.requests[1].messages[0] == model.requests[0].messages[0], "the prefix must stay the same for caches"
    assert [m.text for m in model.requests[1].messages[1:]] == [
        "What does the kettle cost?",
        "The kettle costs €48.90.",
        "And how large is it?",
    ]


async def test_a_question_asked_again_is_answered_from_before_while_the_page_is_the_same(opened: Open) -> None:
    fish = await opened()
    model = script(fish, ["12 EUR.", "On the pier.", "Another is 20 EUR.", "14 EUR."])
    async with serve_changing_page() as page:
        talk = await turn(fish, "What does a ticket cost?", "chat", "", [page.url])
        await turn(fish, "Where does it leave?", "chat", talk)
        await turn(fish, "what does a  ticket cost", "chat", talk)
        await turn(fish, "Where does it leave?", "chat", talk)
        assert len(model.requests) == 2
        story = await events_of(fish, "What does a ticket cost?", loop="chat", tabs=[page.url])
        assert end(story).text == "12 EUR." and any(isinstance(e, events.Noted) and e.topic == "cache" for e in story)
        await turn(fish, "Tell me another price", "chat", talk)
        page.body = "<h1>Ferry</h1><p>A ticket costs 14 EUR.</p>"
        window = fish.views.of(talk)
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
    look = ModelReply(
        calls=(ToolCall(id="s", tool="screenshot"), ToolCall(id="d", tool="scroll", args={"direction": "down"}))
    )
    model = ScriptedModel(
        ["LOOK: the picture", look, look, "It is green."], facts=FACTS.model_copy(update={"vision": True})
    )
    fish.models.set_default("scripted", model)
    story = await events_of(fish, "Which colour?", loop="chat", tabs=[f"{site.url}/shop"])
    assert end(story).text == "It is green."
    assert not model.requests[0].tools
    assert [t.name for t in model.requests[1].tools] == ["screenshot", "scroll", "refresh"]
    assert not any("LOOK" in e.text for e in story if isinstance(e, events.TextDelta))
    kinds = [f"{e.type} {getattr(e, 'tool', '')}".strip() for e in story]
    assert kinds.index("file_saved") < kinds.index("tool_finished screenshot"), "the person sees the picture at once"
    pictures = [[m for m in request.messages if m.images] for request in model.requests]
    assert [len(each) for each in pictures] == [0, 0, 1, 1], "an earlier picture is only a line"
    assert any("screenshot, shown to the person" in m.text for m in model.requests[3].messages)
    conversation = next(e for e in story if isinstance(e, events.RunStarted)).conversation
    assert [m.text for m in await fish.messages(conversation)] == ["Which colour?", "It is green."]


async def test_who_wants_to_look_again_in_the_second_pass_is_asked_for_an_answer(opened: Open, site: Practice) -> None:
    fish = await opened()
    model = script(fish, ["LOOK: the picture", "LOOK: the picture", "It is green.\nLOOK: the picture"])
    story = await events_of(fish, "Which colour?", loop="chat", tabs=[f"{site.url}/shop"])
    assert end(story).text == "It is green." and len(model.requests) == 3
    script(fish, ["LOOK: the picture"] * 3)
    story = await events_of(fish, "Which shape?", loop="chat", tabs=[f"{site.url}/shop"])
    assert end(story).text == "The page does not show it."
    assert not any("LOOK" in e.text for e in story if isinstance(e, events.TextDelta))


async def test_refresh_puts_the_new_page_before_the_model_and_a_line_into_the_history(opened: Open) -> None:
    fish = await opened()
    async with serve_changing_page() as page:

        def changed(_: object) -> ModelReply:
            page.body = "<h1>Ferry</h1><p>A ticket costs 14 EUR.</p>"
            return ModelReply(calls=(ToolCall(id="r", tool="refresh"),))

        again = ModelReply(calls=(ToolCall(id="s", tool="scroll", args={"direction": "bottom"}),))
        model = script(fish, ["LOOK: is it current?", again, changed, "14 EUR."])
        record = await fish.start("What now?", loop="chat", tabs=[page.url])
        window = fish.views.of(record.conversation)
        async for event in fish.follow(record.id):
            if isinstance(event, events.ToolFinished) and event.tool == "scroll":
                page.body = "<h1>Ferry</h1><p>A ticket costs 14 EUR.</p>"
                await window.go((await window.list())[0].id, "reload")
    last = model.requests[-1].messages
    assert "14 EUR" in last[0].text and "12 EUR" not in last[0].text
    assert last[-1].text.startswith("The page was read again")


async def test_a_model_without_tool_calls_looks_by_constrained_json(opened: Open, site: Practice) -> None:
    fish = await opened()
    scroll = as_json(thought="further down", call={"tool": "scroll", "inputs": {"direction": "down"}})
    picture = as_json(thought="the picture", call={"tool": "screenshot", "inputs": {}})
    answer = as_json(thought="seen", call={"tool": "answer", "inputs": {"text": "It is green."}})
    model = modest(fish, ["I cannot see the picture.", scroll, picture, answer])
    assert end(await events_of(fish, "Which colour?", loop="chat", tabs=[f"{site.url}/shop"])).text == "It is green."
    assert model.facts is EMBEDDED_MODEL and not any(request.tools for request in model.requests)
    ways = (model.requests[1].shape or {})["properties"]["call"]["anyOf"]
    offered = [way["properties"]["tool"]["const"] for way in ways]
    assert offered == ["screenshot", "scroll", "refresh", "answer"]
    assert "cannot see pictures" in model.requests[3].messages[-1].text


async def test_tells_tabs_apart_and_names_the_tab_where_the_model_did_not(opened: Open, site: Practice) -> None:
    fish = await opened()
    model = script(fish, ["The Tide kettle costs €48.90."])
    pages = [f"{site.url}/news", f"{site.url}/shop"]
    done = end(await events_of(fish, "What does the kettle cost?", loop="chat", tabs=pages))
    system = model.requests[0].messages[0].text
    assert "Tab 2: All goods" in system and "Tab 1:" in system and "2 open tabs" in system
    assert done.text == "The Tide kettle costs €48.90. (tab 2)"


async def test_says_kindly_that_there_is_no_tab(opened: Open) -> None:
    fish = await opened()
    assert "no open page" in end(await events_of(fish, "What is this?", loop="chat")).text


async def test_a_greeting_without_a_page_goes_the_way_that_auto_would_choose(opened: Open) -> None:
    fish = await opened()
    script(fish, [as_json(way="talk"), "Good evening! What can I do for you?"])
    story = await events_of(fish, "Good evening, how are you?", loop="chat")
    assert end(story).text == "Good evening! What can I do for you?"
    assert [e.details["loop"] for e in story if isinstance(e, events.Noted) and e.topic == "loop"] == ["talk"]


async def test_talking_knows_the_person_where_the_message_depends_on_them(opened: Open) -> None:
    fish = await opened()
    await fish.memory.save("local", [{"content": "I am allergic to peanuts"}])
    for task, known in (("Which spread should I not eat?", True), ("Which day comes after Tuesday?", False)):
        model = script(fish, ["Peanut butter."])
        await events_of(fish, task, loop="talk")
        assert any("allergic to peanuts" in message.text for message in model.requests[0].messages) is known


async def test_an_address_that_cannot_be_opened_fails_with_a_way_out(opened: Open) -> None:
    fish = await opened()
    done = end(await events_of(fish, "What?", loop="chat", tabs=["http://127.0.0.1:4/nothing"]))
    assert done.outcome == "failed" and "could not be opened" in done.error and done.fix


async def test_a_page_that_fills_later_is_read_when_it_is_filled_and_an_empty_one_says_so(opened: Open) -> None:
    fish = await opened()
    model = script(fish, ["12 EUR.", "Nothing."])
    async with serve_changing_page() as page:
        page.body = (
            "<p id=x>Loading...</p><script>setTimeout(() => (x.textContent = 'It costs 12 EUR.'), 1200)</script>"
        )
        await events_of(fish, "What does it cost?", loop="chat", tabs=[page.url])
        page.body = ""
        await events_of(fish, "What is here?", loop="chat", tabs=[page.url])
    assert "It costs 12 EUR." in model.requests[0].messages[0].text
    assert "Loading" not in model.requests[0].messages[0].text
    assert "This page is empty" in model.requests[1].messages[0].text


async def test_a_frame_that_waits_for_its_content_is_read_when_that_has_come(opened: Open) -> None:
    fish = await opened()
    model = script(fish, ["12 EUR."])

    def think(_: BaseHTTPRequestHandler) -> Answer:
        time.sleep(1.5)
        return 200, {"content-type": "text/plain"}, b"It costs 12 EUR."

    with serve_site() as site:
        site.put("/price", think)
        fill = "fetch('/price').then((r) => r.text()).then((t) => (main.textContent = t))"
        url = site.html(f"<nav>Fares Harbour Help</nav><main id=main></main><script>{fill}</script>")
        await events_of(fish, "What does it cost?", loop="chat", tabs=[url])
    assert "It costs 12 EUR." in model.requests[0].messages[0].text


async def test_one_dead_address_of_three_does_not_fail_the_question(opened: Open, site: Practice) -> None:
    fish = await opened()
    model = script(fish, ["12 EUR."])
    async with serve_changing_page() as page:
        tabs = [f"{site.url}/news", "http://127.0.0.1:4/nothing", page.url]
        done = end(await events_of(fish, "What?", loop="chat", tabs=tabs))
    assert done.outcome == "completed", done.error
    assert "Ferry" in model.requests[0].messages[0].text
    system = model.requests[0].messages[0].text
    assert "A ticket costs 12 EUR." in system and "http://127.0.0.1:4/nothing" in system
    assert "This page could not be opened" in system


async def test_a_look_names_its_tab_and_the_person_hears_what_was_cut(opened: Open, site: Practice) -> None:
    fish = await opened()
    tool = as_json(thought="the first", call={"tool": "screenshot", "inputs": {"tab": 1}})
    further = as_json(thought="further", call={"tool": "scroll", "inputs": {"tab": 2, "direction": "bottom"}})
    down = as_json(thought="down", call={"tool": "scroll", "inputs": {"tab": 1}})
    answer = as_json(thought="seen", call={"tool": "answer", "inputs": {"text": "Green."}})
    async with serve_changing_page() as page:
        page.body = "".join(f"<p>word {n} after word</p>" for n in range(4000)) + "<p>the last word</p>"
        model = modest(fish, ["LOOK: the picture", tool, further, down, answer])
        story = await events_of(fish, "Which colour?", loop="chat", tabs=[f"{site.url}/news", page.url])
    [picture, found, scrolled] = [e for e in story if isinstance(e, events.ToolFinished)]
    assert picture.ok and f"{site.url}/news" in picture.text
    assert "the last word" in found.output
    assert scrolled.ok and scrolled.data["url"] == f"{site.url}/news"
    cut = [e.text for e in story if isinstance(e, events.Noted) and e.topic == "cut" and "Ferry" in e.text]
    shares = [int(text.split(" % ")[0].split()[-1]) for text in cut]
    assert len(shares) == 2 and shares[1] < shares[0] < 100, "the second pass says as well how much it read"
    assert all("[cut: the text goes on]" in request.messages[0].text for request in model.requests)


async def test_an_answer_is_given_up_the_moment_the_person_says_stop(opened: Open, site: Practice) -> None:
    fish = await opened()
    fish.models.set_default("scripted", ScriptedModel(["word " * 50], delay=60))
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
    await fish.read_ahead(talk)
    await turn(fish, "What does the kettle cost?", "chat", talk)
    [warmed] = model.warm_requests
    assert warmed == model.requests[1].messages[:1], "what was read ahead must be how the question begins"
    assert not (await fish.runs(text="", conversation=talk))[2:], "reading ahead is no run"


async def test_reading_ahead_never_fails(opened: Open) -> None:
    fish = await opened()
    assert isinstance(fish.settings, Settings)
    await fish.read_ahead("nowhere", ["http://127.0.0.1:4/nothing"])


async def test_a_conversation_that_is_removed_while_its_page_is_read_ahead_stays_removed(
    opened: Open, site: Practice
) -> None:
    fish = await opened()
    script(fish, ["Goods."])
    talk = await turn(fish, "What is this?", "chat", "", [f"{site.url}/shop"])
    tabs = fish.browsers.of(talk)
    reading = fish.read_ahead(talk, [f"{site.url}/forum"])
    await tabs.session()
    await asyncio.gather(fish.delete_conversation(talk), tabs.save())
    assert reading.cancelled()
    assert not tabs.folder.exists()


async def test_looking_is_all_that_it_can_do_whatever_tool_the_model_names(opened: Open, site: Practice) -> None:
    away = ToolCall(id="n", tool="navigate", args={"action": "goto", "url": f"{site.url}/forms"})
    fish = await opened(["LOOK: the picture", ModelReply(calls=(away,)), "It stayed."])
    story = await events_of(fish, "Which colour is it?", loop="chat", tabs=[f"{site.url}/shop"])
    [finished] = [e for e in story if isinstance(e, events.ToolFinished)]
    assert (finished.ok, finished.data) == (False, {"refused": True})
    assert {e.url for e in story if isinstance(e, events.PageSeen)} == {f"{site.url}/shop"}


async def test_what_is_known_about_the_person_is_looked_up_where_the_question_depends_on_it(opened: Open) -> None:
    fish = await opened()
    await fish.memory.save("local", [{"content": "I always travel with my bicycle"}])
    model = script(fish, ["The blue one."] * 3)
    async with serve_changing_page() as page:
        for task, known in (("Which ticket is cheaper for me?", True), ("What does a ticket cost?", False)):
            story = await events_of(fish, task, loop="chat", tabs=[page.url])
            assert any(isinstance(e, events.ToolFinished) and e.tool == "memory_retrieve" for e in story) is known
            assert any("bicycle" in message.text for message in model.requests[-1].messages) is known


async def test_a_small_model_reads_a_table_row_by_row_where_the_answer_depends_on_who_asks(
    opened: Open, tmp_path: Path
) -> None:
    fish = await opened()
    await fish.memory.save("local", [{"content": "I always travel with my bicycle"}])
    page = tmp_path / "ferries.html"
    rows = "".join(f"<tr><td>{name}</td><td>{price}</td></tr>" for name, price in (("Blue Star", 17), ("Lantern", 14)))
    page.write_text(f"<title>Ferries</title><table><tr><th>Ferry</th><th>Ticket</th></tr>{rows}</table>")
    row, table = "- Blue Star: Ticket: 17", "| Blue Star | 17 |"
    mine, plain = "Which ferry is cheaper for me?", "What does the Blue Star cost?"
    for use, task, line in ((modest, mine, row), (modest, plain, table), (script, mine, table)):
        model = use(fish, ["17."])
        await events_of(fish, task, loop="chat", tabs=[page.as_uri()], fresh=True)
        assert line in model.requests[0].messages[0].text


async def test_what_is_known_stands_beside_the_question_in_both_passes(opened: Open) -> None:
    fish = await opened()
    await fish.memory.save("local", [{"content": "I always travel with my bicycle"}])
    async with serve_changing_page() as page:
        script(fish, ["A ticket is 12 crowns."])
        first = end(await events_of(fish, "What does a ticket cost?", loop="chat", tabs=[page.url])).run
        model = script(fish, ["LOOK: the picture", "The blue one."])
        conversation = next(run.conversation for run in await fish.runs() if run.id == first)
        await events_of(fish, "And which is cheaper for me?", loop="chat", conversation=conversation)
    for request in model.requests:
        assert "bicycle" in request.messages[-1].text and "for me" in request.messages[-1].text


async def test_a_new_attempt_asks_anew_and_its_answer_is_kept(opened: Open) -> None:
    fish = await opened()
    script(fish, ["It is 12.", "It is 12 EUR."])
    async with serve_changing_page() as page:
        told = [
            end(await events_of(fish, "What does a ticket cost?", loop="chat", tabs=[page.url], fresh=fresh)).text
            for fresh in (False, True, False)
        ]
    assert told == ["It is 12.", "It is 12 EUR.", "It is 12 EUR."]

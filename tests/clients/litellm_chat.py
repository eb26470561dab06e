"""LiteLLM over /v1, as an OpenAI-compatible provider."""

import asyncio
import json
from typing import Any

import litellm
from report import BLOCK, PAGE, PEOPLE, PICTURE, TOKEN, URL, check, runs, same, wait_for_stop

PERSON = {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}
SCHEMA = {"type": "object", "properties": {"rows": {"type": "array", "items": PERSON}}}


def place(loop: str, **how: Any) -> dict[str, Any]:
    name = f"pilotfish-test-{loop}" if loop else "pilotfish"
    return {"model": f"openai/{name}", "api_base": f"{URL}/v1", "api_key": TOKEN, "timeout": 30, "max_retries": 0} | how


async def whole(loop: str, *said: dict[str, Any], **how: Any) -> str:
    came: Any = await litellm.acompletion(messages=list(said), **place(loop, **how))
    return came.choices[0].message.content


async def stream_answer(loop: str, *said: dict[str, Any]) -> tuple[str, str]:
    """The text, and what came as reasoning."""
    chunks: Any = await litellm.acompletion(messages=list(said), stream=True, **place(loop))
    deltas = [chunk.choices[0].delta async for chunk in chunks if chunk.choices]
    thought = "".join(getattr(delta, "reasoning_content", None) or "" for delta in deltas)
    return "".join(delta.content or "" for delta in deltas), thought


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


def assistant(content: str) -> dict[str, Any]:
    return {"role": "assistant", "content": content}


async def answer() -> None:
    same(await whole("echo", user("Say lite")), "Say lite")
    same((await stream_answer("echo", user("Say light")))[0], "Say light")


async def sources() -> None:
    same(await whole("sourced", user("How heavy, LiteLLM?")), BLOCK)
    same((await stream_answer("sourced", user("How heavy now, LiteLLM?")))[0], f"Let me look.\n\n{BLOCK}")


async def progress() -> None:
    _, thought = await stream_answer("phases", user("Tell LiteLLM"))
    same("Making a plan." in thought, True)


async def question() -> None:
    said = user("Paint the punt")
    asked = await whole("question", said)
    same(await whole("question", said, assistant(asked), user("blue")), "You said blue.")


async def approval() -> None:
    said = user("Buy the punt")
    asked, _ = await stream_answer("approval", said)
    same(await whole("approval", said, assistant(asked), user("Approve once")), "You said Approve once.")


async def pictures() -> None:
    same(await whole("drawing", user("Draw")), PICTURE)
    part = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    same(await whole("echo", user([{"type": "text", "text": "What is it?"}, part])), "What is it?")


async def tabs() -> None:
    said = user(f"Please open {PAGE}")
    came = await whole("visit", said)
    same(await whole("tabs", said, assistant(came), user("Which tabs?")), PAGE)


async def data() -> None:

    wanted = {"type": "json_schema", "json_schema": {"name": "people", "schema": SCHEMA}}
    came = await whole("", user(f"all people on {PAGE}"), response_format=wanted, timeout=60)
    same(json.loads(came), {"rows": PEOPLE})


async def responses() -> None:
    first: Any = await litellm.aresponses(input="Paint the pram", **place("question"))
    asked = {"input": "red", "previous_response_id": first.id}
    again: Any = await litellm.aresponses(**asked, **place("question"))
    same(again.output_text, "You said red.")
    events: Any = await litellm.aresponses(input="Say it", stream=True, **place("echo"))
    deltas = [event.delta async for event in events if event.type == "response.output_text.delta"]
    same("".join(deltas), "Say it")


async def tools() -> None:
    add = {"name": "add", "description": "Add.", "parameters": {"type": "object", "properties": {}}}
    try:
        await whole("echo", user("Add 1 and 2"), tools=[{"type": "function", "function": add}])
    except litellm.BadRequestError as error:
        return same("tools" in str(error), True)
    raise AssertionError("not refused")


async def again() -> None:
    task = "Sleep 2 s once for LiteLLM"
    came = await whole("slow", user(task), timeout=1.2, max_retries=2)
    same((came, len(runs(task))), ("Slept.", 1))


async def abort() -> None:
    task = "Sleep 60 s for no lite"
    chunks: Any = await litellm.acompletion(messages=[user(task)], stream=True, **place("slow"))
    await anext(chunks)
    await chunks.completion_stream.close()
    await wait_for_stop(task)


async def quiet() -> None:
    same((await stream_answer("slow", user("Sleep 1 s quietly for LiteLLM")))[0], "Slept.")


async def main() -> None:
    everything = (answer, sources, progress, question, approval, pictures, tabs, data, responses, tools)
    for work in (*everything, again, abort, quiet):
        await check(work.__name__, work)


asyncio.run(main())

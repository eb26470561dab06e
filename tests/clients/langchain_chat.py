"""LangChain's chat model over /v1."""

import asyncio
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_openai import ChatOpenAI
from openai import BadRequestError
from report import BLOCK, PAGE, PEOPLE, PICTURE, TOKEN, URL, check, runs, same, wait_for_stop

PERSON = {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}
SCHEMA = {"title": "people", "type": "object", "properties": {"rows": {"type": "array", "items": PERSON}}}


def chat(loop: str, **how: Any) -> ChatOpenAI:
    options: dict[str, Any] = {"max_retries": 0, "timeout": 30, **how}
    return ChatOpenAI(model=f"pilotfish-test-{loop}", base_url=f"{URL}/v1", api_key=TOKEN, **options)


async def whole(loop: str, *said: BaseMessage) -> str:
    return str((await chat(loop).ainvoke(list(said))).text)


async def stream_answer(loop: str, *said: BaseMessage) -> str:
    return "".join([str(chunk.text) async for chunk in chat(loop).astream(list(said))])


def user(text: Any) -> HumanMessage:
    return HumanMessage(text)


async def answer() -> None:
    same(await whole("echo", user("Say chain")), "Say chain")
    same(await stream_answer("echo", user("Say links")), "Say links")


async def sources() -> None:
    same(await whole("sourced", user("How heavy, LangChain?")), BLOCK)
    same(await stream_answer("sourced", user("How heavy now, LangChain?")), f"Let me look.\n\n{BLOCK}")


async def question() -> None:
    said = user("Paint the dory")
    asked = await whole("question", said)
    same(await whole("question", said, AIMessage(asked), user("blue")), "You said blue.")


async def approval() -> None:
    said = user("Buy the dory")
    asked = await stream_answer("approval", said)
    same(await whole("approval", said, AIMessage(asked), user("1")), "You said Approve once.")


async def pictures() -> None:
    same(await whole("drawing", user("Draw")), PICTURE)
    part = {"type": "image", "base64": "iVBORw0KGgo=", "mime_type": "image/png"}
    same(await whole("echo", user([{"type": "text", "text": "What is it?"}, part])), "What is it?")


async def tabs() -> None:
    said = user(f"Please open {PAGE}")
    came = await whole("visit", said)
    same(await whole("tabs", said, AIMessage(came), user("Which tabs?")), PAGE)


async def data() -> None:
    model = ChatOpenAI(model="pilotfish", base_url=f"{URL}/v1", api_key=TOKEN, max_retries=0, timeout=60)
    reader = model.with_structured_output(SCHEMA, method="json_schema")
    same(await reader.ainvoke([user(f"all people on {PAGE}")]), {"rows": PEOPLE})


async def responses() -> None:
    first = await chat("question", use_responses_api=True).ainvoke([user("Paint the raft")])
    again = chat("question", use_responses_api=True, use_previous_response_id=True)
    same((await again.ainvoke([user("Paint the raft"), first, user("red")])).text, "You said red.")
    pieces = chat("echo", use_responses_api=True).astream([user("Say it")])
    same("".join([chunk.text async for chunk in pieces]), "Say it")


async def tools() -> None:
    def add(one: int, other: int) -> int:
        """Add."""
        return one + other

    try:
        await chat("echo").bind_tools([add]).ainvoke([user("Add 1 and 2")])
    except BadRequestError as error:
        return same(error.code, "tools_not_supported")
    raise AssertionError("not refused")


async def again() -> None:
    task = "Sleep 2 s once for LangChain"
    came = await chat("slow", timeout=1.2, max_retries=2).ainvoke([user(task)])
    same((came.text, len(runs(task))), ("Slept.", 1))


async def abort() -> None:
    task = "Sleep 60 s for no chain"
    pieces = chat("slow").astream([user(task)])
    await anext(pieces)
    await pieces.aclose()  # pyright: ignore[reportAttributeAccessIssue]
    await wait_for_stop(task)


async def quiet() -> None:
    same(await stream_answer("slow", user("Sleep 1 s quietly in a chain")), "Slept.")


async def main() -> None:
    for work in (answer, sources, question, approval, pictures, tabs, data, responses, tools, again, abort, quiet):
        await check(work.__name__, work)


asyncio.run(main())

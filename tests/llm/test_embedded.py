import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from llm.smol import NAME
from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Message, ModelRequest, ToolSpec
from pilotfish.core.settings import ModelSettings
from pilotfish.llm.catalog import SHARED_FOLDER_VARIABLE
from pilotfish.llm.embedded import EmbeddedModel
from pilotfish.llm.providers import connect_model
from pilotfish.llm.resilient import ResilientModel
from pilotfish.llm.structured import ask_for_shape

pytestmark = pytest.mark.slow

PAGE = Message(
    role="system", text="You know this page. " + "The harbour office opens at nine and closes at five. " * 15
)
OTHER = Message(role="system", text="Another page. " + "Trams leave every ten minutes from the old market. " * 15)


def request_of(text: str, *before: Message, limit: int = 8) -> ModelRequest:
    return ModelRequest(messages=(*before, Message(role="user", text=text)), max_tokens=limit)


def has_ended(pid: int) -> bool:
    """Whether the process has ended; a zombie that nobody has collected yet has."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


async def until_gone(pid: int, seconds: float = 20) -> None:
    async with asyncio.timeout(seconds):
        while not has_ended(pid):
            await asyncio.sleep(0.05)


async def test_nothing_is_loaded_before_the_first_question_and_then_text_streams(smol: EmbeddedModel) -> None:
    assert (smol.state, smol.pid) == ("idle", None)
    pieces: list[str] = []
    reply = await smol.reply(request_of("Say hello."), lambda text, kind: pieces.append(text))
    assert smol.state == "ready"
    assert len(pieces) > 1
    assert "".join(pieces) == reply.text != ""
    assert reply.model == f"embedded:{NAME}"
    assert reply.usage.input > 5
    assert reply.usage.output > 1
    assert (reply.usage.cost, reply.usage.priced, reply.usage.estimated) == (0, True, False)


class Colour(BaseModel):
    name: Literal["red", "green", "blue"]
    bright: bool


class Palette(BaseModel):
    colours: list[Colour] = Field(max_length=2)
    main: Colour
    note: str | None


async def test_a_grammar_holds_even_the_weakest_model_to_the_shape(smol: EmbeddedModel) -> None:
    palette, reply = await ask_for_shape(smol, request_of("Describe a palette of two colours.", limit=120), Palette)
    assert palette.main.name in ("red", "green", "blue")
    assert reply.text.lstrip().startswith("{")


async def test_tools_may_be_offered(smol: EmbeddedModel) -> None:
    tool = ToolSpec(name="look", description="Look.", parameters={"type": "object", "properties": {}})
    reply = await smol.reply(request_of("Hello").model_copy(update={"tools": (tool,)}))
    assert reply.text or reply.calls


async def test_a_warmed_prefix_is_not_read_again(smol: EmbeddedModel) -> None:
    await smol.warm([PAGE])
    reply = await smol.reply(request_of("When does it open?", PAGE))
    assert reply.usage.cached > 0.9 * reply.usage.input


async def test_prefixes_are_kept_side_by_side(smol: EmbeddedModel) -> None:
    await smol.warm([PAGE])
    await smol.reply(request_of("When does the tram leave?", OTHER))
    reply = await smol.reply(request_of("When does it close?", PAGE))
    assert reply.usage.cached > 0.9 * reply.usage.input


async def test_a_question_goes_before_the_warming_of_something_else(smol: EmbeddedModel) -> None:
    await smol.reply(request_of("Hi"))
    warming = asyncio.create_task(smol.warm([PAGE]))
    await asyncio.sleep(0)
    reply = await smol.reply(request_of("Hello", OTHER))
    assert reply.text
    await asyncio.wait_for(warming, 1)


async def test_many_at_once_are_answered_one_after_the_other(smol: EmbeddedModel) -> None:
    replies = await asyncio.gather(*(smol.reply(request_of(f"Count from {n}.")) for n in range(5)))
    assert all(reply.text for reply in replies)


async def test_a_prompt_that_does_not_fit_is_refused_with_a_way_out(smol: EmbeddedModel) -> None:
    with pytest.raises(ModelError, match="too long") as caught:
        await smol.reply(request_of("word " * 9000))
    assert not caught.value.transient


async def test_stopping_a_long_answer_is_immediate_and_the_next_question_is_answered(smol: EmbeddedModel) -> None:
    await smol.reply(request_of("Hi"))
    heard = asyncio.Event()
    task = asyncio.create_task(smol.reply(request_of("Tell a long story.", limit=2000), lambda text, kind: heard.set()))
    await asyncio.wait_for(heard.wait(), 60)
    began = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - began < 3
    assert (await asyncio.wait_for(smol.reply(request_of("Hi")), 60)).text


async def test_stopping_while_it_loads_does_not_stop_the_loading(smol: EmbeddedModel) -> None:
    task = asyncio.create_task(smol.reply(request_of("Hi")))
    while smol.pid is None:
        await asyncio.sleep(0.01)
    pid = smol.pid
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await smol.reply(request_of("Hi"))).text
    assert smol.pid == pid


async def test_a_crash_in_mid_answer_is_a_passing_error_and_the_next_question_finds_a_new_process(
    smol: EmbeddedModel,
) -> None:
    heard = asyncio.Event()
    task = asyncio.create_task(smol.reply(request_of("Tell a long story.", limit=2000), lambda text, kind: heard.set()))
    await asyncio.wait_for(heard.wait(), 60)
    first = smol.pid
    assert first
    os.kill(first, signal.SIGKILL)
    with pytest.raises(ModelError, match="ended unexpectedly") as caught:
        await task
    assert caught.value.transient
    assert (await smol.reply(request_of("Hi"))).text
    assert smol.pid != first


async def test_a_crash_between_questions_is_not_noticed_by_a_resilient_caller(smol: EmbeddedModel) -> None:
    await smol.reply(request_of("Hi"))
    assert smol.pid
    os.kill(smol.pid, signal.SIGKILL)
    assert (await ResilientModel(smol, wait=0.01).reply(request_of("Hi"))).text


async def test_all_who_use_a_file_share_one_process_and_the_last_one_ends_it(smol: EmbeddedModel) -> None:
    other = await connect_model(f"embedded:{NAME}", ModelSettings(), Path())
    assert isinstance(other, EmbeddedModel)
    await asyncio.gather(smol.reply(request_of("Hi")), other.reply(request_of("Ho")))
    pid = smol.pid
    assert pid is not None
    assert pid == other.pid
    await smol.close()
    assert (await other.reply(request_of("Hi"))).text
    await other.close()
    await until_gone(pid)


async def test_a_stranger_on_this_machine_is_not_served(smol: EmbeddedModel) -> None:
    import httpx2

    await smol.reply(request_of("Hi"))
    listening = Path(f"/proc/{smol.pid}/net/tcp").read_text()
    inodes = {str(link.readlink()) for link in Path(f"/proc/{smol.pid}/fd").iterdir()}
    rows = [row.split() for row in listening.splitlines()[1:]]
    mine = [row[1] for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in inodes]
    assert len(mine) == 1
    address, port = mine[0].split(":")
    assert address == "0100007F"
    async with httpx2.AsyncClient(trust_env=False) as client:
        body = {"messages": [{"role": "user", "content": "Hi"}]}
        answer = await client.post(f"http://127.0.0.1:{int(port, 16)}/v1/chat/completions", json=body)
    assert answer.status_code == 401


async def test_a_damaged_file_is_named_with_the_way_to_mend_it(weights: Path, tmp_path: Path) -> None:
    whole = next(weights.glob("SmolLM2*.gguf"))
    bad = tmp_path / whole.name
    shutil.copyfile(whole, bad)
    with bad.open("r+b") as file:
        file.write(b"\0" * 4096)
    model = EmbeddedModel(f"embedded:{NAME}", bad)
    with pytest.raises(ModelError, match="damaged") as caught:
        await model.reply(request_of("Hi"))
    assert f"models pull {NAME}" in caught.value.fix
    assert model.state == "failed"
    await model.close()


async def test_a_file_that_is_no_model_cannot_be_loaded_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "own.gguf"
    path.write_bytes(b"not a model")
    model = await connect_model(f"embedded:{path}", ModelSettings(), tmp_path)
    with pytest.raises(ModelError, match="cannot be loaded"):
        await model.reply(request_of("Hi"))
    await model.close()


PARENT = """
import asyncio
from pathlib import Path
from pilotfish.core.messages import Message, ModelRequest
from pilotfish.core.settings import ModelSettings
from pilotfish.llm.providers import connect_model

async def main():
    model = await connect_model("embedded:smollm2-135m", ModelSettings(), Path())
    await model.reply(ModelRequest(messages=(Message(role="user", text="Hi"),), max_tokens=2))
    print(model.pid, flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


async def test_the_child_does_not_outlive_a_parent_that_was_killed(weights: Path) -> None:
    parent = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", PARENT),
        stdout=subprocess.PIPE,
        env={**os.environ, SHARED_FOLDER_VARIABLE: str(weights)},
    )
    assert parent.stdout
    child = int(await asyncio.wait_for(parent.stdout.readline(), 90))
    assert not has_ended(child)
    parent.kill()
    await parent.wait()
    await until_gone(child)

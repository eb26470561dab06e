"""Untrusted documents are parsed apart: within their time and memory, and one does not stop another."""

import asyncio
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tried_parsers import crash, devour, echo, hold, number, refuse, spin, stray

from pilotfish.core.current_run import CURRENT_RUN, CURRENT_USER
from pilotfish.core.errors import ToolError
from pilotfish.core.parser_pool import ParserPool

pytestmark = pytest.mark.anyio


@pytest.fixture
def pool() -> Iterator[ParserPool]:
    pool = ParserPool(limit=3.0)
    yield pool
    pool.close()


async def ran(pool: ParserPool, function: Any, data: bytes = b"", owner: str = "", **options: Any) -> Any:
    return await pool.run(function, data, "The page", owner, **options)


async def test_a_result_comes_back_and_the_process_is_used_again(pool: ParserPool) -> None:
    assert await ran(pool, echo, "größe".encode(), url="x") == ["größe", {"url": "x"}]
    took: list[float] = []
    for _ in range(5):
        start = time.process_time()
        await ran(pool, echo, b"a" * 200_000)
        took.append(time.process_time() - start)
    assert min(took) < 0.005, "handing over costs next to nothing"


async def test_a_document_that_takes_too_long_is_given_up_and_the_next_one_is_read() -> None:
    pool = ParserPool(limit=1.0)
    with pytest.raises(ToolError, match="took too long to read") as error:
        await ran(pool, spin)
    assert error.value.fix
    assert await ran(pool, echo, b"again") == ["again", {}]
    pool.close()


async def test_all_runs_of_a_user_share_what_one_user_gets(pool: ParserPool, tmp_path: Path) -> None:
    async def in_a_run(run: str, user: str, function: Any, data: bytes = b"") -> Any:
        CURRENT_RUN.set(run)
        CURRENT_USER.set(user)
        return await ran(pool, function, data)

    gate = str(tmp_path / "gate").encode()
    stuck = [asyncio.create_task(in_a_run(f"run {number}", "eve", hold, gate)) for number in range(6)]
    await asyncio.sleep(0.1)
    assert await asyncio.create_task(in_a_run("run 9", "ann", echo, b"hi")) == ["hi", {}]
    assert not any(task.done() for task in stuck), "another's document was read while these were stuck"
    (tmp_path / "gate").touch()
    assert await asyncio.gather(*stuck) == ["open"] * 6


async def test_memory_without_end_and_crashes_are_errors_that_end_nothing_else(pool: ParserPool) -> None:
    for function in (devour, crash):
        with pytest.raises(ToolError, match="could not be read"):
            await ran(pool, function)
    assert await ran(pool, echo, b"still here") == ["still here", {}]


async def test_what_a_parser_says_on_purpose_is_passed_on(pool: ParserPool) -> None:
    with pytest.raises(ToolError, match=r"It is locked\.") as error:
        await ran(pool, refuse)
    assert error.value.fix == "Open it."


async def test_a_parser_sees_no_keys_and_its_noise_does_not_matter(
    pool: ParserPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert await ran(pool, stray) == ""


async def test_a_process_that_ended_in_the_meantime_is_replaced(pool: ParserPool) -> None:
    first = await ran(pool, number)
    os.kill(first, 9)
    await asyncio.sleep(0.2)
    assert await ran(pool, number) != first

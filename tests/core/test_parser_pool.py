"""Untrusted documents are parsed apart: within their time and memory, and one does not stop another."""

import asyncio
import os
import time
from collections.abc import Iterator
from typing import Any

import pytest

from pilotfish.core.current_run import CURRENT_RUN, CURRENT_USER
from pilotfish.core.errors import ToolError
from pilotfish.core.parser_pool import ParserPool

pytestmark = pytest.mark.anyio


def echo(data: bytes, **options: Any) -> list[Any]:
    return [data.decode(), options]


def spin(data: bytes) -> None:
    while True:
        pass


def devour(data: bytes) -> int:
    return len([bytes(100_000_000) for _ in range(100)])


def refuse(data: bytes) -> None:
    raise ToolError("It is locked.", "Open it.")


def crash(data: bytes) -> None:
    os.abort()


def stray(data: bytes) -> str:
    print("noise on standard output")
    return os.environ.get("OPENAI_API_KEY", "")


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


async def test_a_document_that_takes_too_long_is_given_up_and_others_are_read_meanwhile(pool: ParserPool) -> None:
    stuck = [asyncio.ensure_future(ran(pool, spin, owner="eve")) for _ in range(4)]
    await asyncio.sleep(0.1)
    assert await ran(pool, echo, b"hi", owner="ann") == ["hi", {}]
    assert not any(task.done() for task in stuck), "another's document was read while these were stuck"
    for result in await asyncio.gather(*stuck, return_exceptions=True):
        assert isinstance(result, ToolError)
        assert "took too long to read" in result.message
        assert result.fix
    assert await ran(pool, echo, b"again") == ["again", {}]


async def test_all_runs_of_a_user_share_what_one_user_gets(pool: ParserPool) -> None:
    async def in_a_run(run: str, user: str, function: Any, data: bytes = b"") -> Any:
        CURRENT_RUN.set(run)
        CURRENT_USER.set(user)
        return await ran(pool, function, data)

    stuck = [asyncio.create_task(in_a_run(f"run {number}", "eve", spin)) for number in range(6)]
    await asyncio.sleep(0.1)
    assert await asyncio.create_task(in_a_run("run 9", "ann", echo, b"hi")) == ["hi", {}]
    assert not all(task.done() for task in stuck)
    for task in stuck:
        task.cancel()
    await asyncio.gather(*stuck, return_exceptions=True)


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


def number(data: bytes) -> int:
    return os.getpid()

"""Runs a module of the gym in several processes at once, each with its share."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

Thing = TypeVar("Thing")


class WorkerFailed(Exception):
    """A process ended with an error."""


async def run_workers(module: str, shares: Sequence[Sequence[str]]) -> None:
    """Run a module once for each list of arguments, all at once; they write to the same terminal."""
    started = [await asyncio.create_subprocess_exec(sys.executable, "-m", module, *share) for share in shares]
    codes = await asyncio.gather(*(process.wait() for process in started))
    if failed := [number for number, code in enumerate(codes) if code]:
        raise WorkerFailed(f"{module}: workers {failed} failed")


def name_share(path: Path, number: int) -> Path:
    """The file of a worker: `out-3.jsonl` beside `out.jsonl`."""
    return path.with_name(f"{path.stem}-{number}{path.suffix}")


def read_part(text: str) -> tuple[int, int]:
    """The option `--part 3/15`: which share of how many."""
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and int(number) < int(count)):
        raise argparse.ArgumentTypeError(f"{text}: not a share such as 0/4")
    return int(number), int(count)


def take_part(things: Sequence[Thing], part: tuple[int, int]) -> list[Thing]:
    """The things of a share: every so manieth."""
    return list(things[part[0] :: part[1]])

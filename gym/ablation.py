"""Switches single aids of the short loop off for a task, in this process, to measure what each of them does.

The product has no such switches: here functions and methods are replaced. While a task is played, it is also noted
which aids acted in it, that is gave another result than without them; a task in which an aid did not act is the same
without it, so only the others are played again.
"""

import inspect
from argparse import ArgumentTypeError
from collections.abc import Awaitable, Callable, Generator, Iterable
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from gym.aids import AIDS, Aid, replaced
from pilotfish.small_model.short_loop import ShortLoop

NOTHING = "nothing"
"""The name under which a task is played once more as it is: how much two plays differ by chance."""


@dataclass
class Play:
    """A task that is played: the aids that are off, and those that acted."""

    off: frozenset[str] = frozenset()
    acted: set[str] = field(default_factory=set[str])


PLAYS: dict[str, Play] = {}
"""The tasks that are played now, by the name of their model."""
CURRENT: ContextVar[Play | None] = ContextVar("CURRENT", default=None)


class UnknownAid(ArgumentTypeError):
    """There is no aid of this name."""


def check_name(name: str) -> str:
    """The option `--without NAME`; an error lists the names that there are."""
    if name not in (known := (*AIDS, NOTHING)):
        raise UnknownAid(f"{name}: there is no such aid, only {', '.join(known)}")
    return name


@contextmanager
def watching_aids() -> Generator[None]:
    """While this lasts, tasks that were begun with `begin_play` are watched, and their aids are off."""
    with ExitStack() as stack:
        stack.enter_context(replaced(ShortLoop, "work", _watch_work(ShortLoop.work)))
        for aid in AIDS.values():
            stack.enter_context(replaced(*aid.place, _watch(aid, getattr(*aid.place))))
        yield


def begin_play(model: str, off: Iterable[str] = ()) -> Play:
    """Let the task of this model be played without these aids."""
    PLAYS[model] = play = Play(frozenset(map(check_name, off)))
    return play


def _watch_work(original: Callable[[ShortLoop], Awaitable[None]]) -> Callable[[ShortLoop], Awaitable[None]]:
    async def work(loop: ShortLoop) -> None:
        CURRENT.set(PLAYS.get(str(loop.run.options.get("model", ""))))
        await original(loop)

    return work


def _watch(aid: Aid, original: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which keeps to what is off in the task that is played, and else notes whether the aid acted."""

    def note(play: Play, acted: bool) -> None:
        play.acted |= {aid.name} if acted else set()

    async def call_async(*args: Any, **named: Any) -> Any:
        play = CURRENT.get()
        if play and aid.name in play.off:
            return await aid.without(original, *args, **named)
        result = await original(*args, **named)
        if play:
            note(play, aid.acted(result, *args) if aid.acted else result != await aid.without(original, *args, **named))
        return result

    def call(*args: Any, **named: Any) -> Any:
        play = CURRENT.get()
        if play and aid.name in play.off:
            return aid.without(original, *args, **named)
        result = original(*args, **named)
        if play:
            note(play, aid.acted(result, *args) if aid.acted else result != aid.without(original, *args, **named))
        return result

    return call_async if inspect.iscoroutinefunction(original) else call

"""Tools: typed async functions. The signature gives the schema; the model reads the docstring.

    @tool(group="clock")
    async def get_current_time(ctx: ToolContext, timezone: str = "UTC") -> str:
        '''Tell the date and time in a time zone.'''

A tool may return text, a mapping or pydantic model (sent to the model as JSON), or a whole `ToolResult`. What the model
can fix is raised as `ToolError`. `effect=True` marks a tool that changes something: it is never repeated when a
crash leaves its outcome unknown.
"""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast, get_type_hints

import stamina
from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic_core import to_json

from pilotfish.core.errors import ModelError, PilotfishError, ToolError
from pilotfish.core.messages import Message, ModelTier, ToolSpec
from pilotfish.core.registry import Registry
from pilotfish.core.usage import Usage
from pilotfish.core.values import Value

if TYPE_CHECKING:
    from pilotfish.browser.sessions.session import BrowserSession

TabNumber = int | None
"""A tab by its number; none: the active one."""
Shape = TypeVar("Shape", bound=BaseModel)
Service = TypeVar("Service")


class ToolResult(Value):
    """The result of a call. `output` is for the model, `text` is one line for people, `data` is for programs.

    Pictures and other files are written into the run's folder and named in `files`; the journal holds no bytes.
    """

    ok: bool = True
    output: str = ""
    error: str = ""
    text: str = ""
    data: Mapping[str, Any] = {}
    files: tuple[str, ...] = ()
    usage: Usage = Usage()
    seconds: float = 0.0
    unknown: bool = False


class ModelAccess(Protocol):
    """Calls a model for a tool; the run pays for it."""

    async def __call__(self, prompt: str, shape: type[Shape], *, tier: ModelTier = "light") -> Shape: ...


class PersonAccess(Protocol):
    """Asks the person for a tool; returns None when nobody answered in time."""

    async def __call__(self, question: str, choices: tuple[str, ...] = ()) -> str | None: ...


@dataclass(frozen=True)
class ToolContext:
    """What a tool may use. Tools read the conversation; only the loop changes it."""

    run: str
    user: str
    folder: Path
    conversation: str
    messages: tuple[Message, ...]
    think: ModelAccess
    person: PersonAccess
    services: Mapping[type, object] = field(default_factory=dict[type, object])

    def use(self, kind: type[Service]) -> Service:
        """The app's service of this type, such as memory or search."""
        if kind not in self.services:
            raise ToolError(f"{kind.__name__} is not available in this run.")
        return cast(Service, self.services[kind])

    def reach(self, url: str) -> str | None:
        """Why an address may not be fetched in this run; None where it may."""
        return self.use(SiteLimits).refuse_url(url) if SiteLimits in self.services else None

    async def browser(self) -> "BrowserSession":
        """The run's browser session, started at the first use."""
        return await self.use(BrowserSource).session()


class SiteLimits(Protocol):
    """Tells which addresses a run may reach."""

    def refuse_url(self, url: str) -> str | None: ...


class BrowserSource(Protocol):
    """Gives the browser session of a run."""

    async def session(self) -> "BrowserSession": ...


ToolBody = Callable[..., Awaitable[Any]]


class ToolClock:
    """The time limit of a running call. It can be paused while a person is asked."""

    def __init__(self) -> None:
        self._limit: asyncio.Timeout | None = None
        self._seconds = 0.0
        self._pauses = 0

    def start(self, limit: asyncio.Timeout, seconds: float) -> None:
        self._limit, self._seconds = limit, seconds

    @contextmanager
    def pause(self) -> Generator[None]:
        """Pause the limit; afterwards the call has its full time again."""
        self._pauses += 1
        self._move(None)
        try:
            yield
        finally:
            self._pauses -= 1
            if not self._pauses:
                self._move(asyncio.get_running_loop().time() + self._seconds)

    def _move(self, when: float | None) -> None:
        with suppress(RuntimeError):
            if self._limit is not None:
                self._limit.reschedule(when)


ENGINE_LOGGERS = frozenset({"dbos"})
"""Packages whose exceptions end a run and are no failure of a tool."""
RUNNING: ContextVar[ToolClock] = ContextVar("pilotfish.tool_clock")


@dataclass(frozen=True)
class Tool:
    """A named function with its schema."""

    name: str
    body: ToolBody
    group: str = "other"
    effect: bool = False
    timeout: float = 30.0

    @cached_property
    def description(self) -> str:
        return inspect.cleandoc(self.body.__doc__ or self.name)

    @cached_property
    def arguments(self) -> type[BaseModel]:
        """The signature, without the context, as a model that validates what a language model sends."""
        hints = get_type_hints(self.body, include_extras=True)
        fields: dict[str, Any] = {
            p.name: (hints.get(p.name, Any), ... if p.default is p.empty else p.default)
            for p in list(inspect.signature(self.body).parameters.values())[1:]
        }
        return create_model(self.name, __config__=ConfigDict(extra="forbid"), **fields)

    @cached_property
    def spec(self) -> ToolSpec:
        return ToolSpec(name=self.name, description=self.description, parameters=_plain_schema(self.arguments))

    def check(self, args: Mapping[str, Any]) -> BaseModel:
        """Validate the arguments; the error tells the model what to change."""
        try:
            return self.arguments.model_validate(dict(args))
        except ValidationError as error:
            wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
            wanted = ", ".join(self.arguments.model_fields) or "none"
            raise ToolError(f"Wrong arguments for {self.name}: {wrong}. It takes: {wanted}.") from None

    async def run(self, context: ToolContext, args: Mapping[str, Any]) -> ToolResult:
        """Validate, run within the time limit, and make a result of the return value. Safe tools are retried."""
        start = time.perf_counter()
        try:
            checked = self.check(args)
            values = {name: getattr(checked, name) for name in self.arguments.model_fields}
            result = await self._attempts(context, values)
        except (ToolError, ModelError) as error:
            result = ToolResult(ok=False, error=" ".join(filter(None, (error.message, error.fix))))
        except TimeoutError:
            result = ToolResult(ok=False, error=f"{self.name} took longer than {self.timeout:g} s and was given up.")
        except OSError as error:
            result = ToolResult(ok=False, error=f"{self.name} failed: {error.strerror or type(error).__name__}.")
        except PilotfishError:
            raise
        except Exception as error:
            if type(error).__module__.partition(".")[0] in ENGINE_LOGGERS:
                raise
            result = ToolResult(ok=False, error=f"{self.name} failed with {type(error).__name__}: {str(error)[:300]}")
        return result.model_copy(update={"seconds": time.perf_counter() - start})

    async def _attempts(self, context: ToolContext, values: Mapping[str, Any]) -> ToolResult:
        tries = 1 if self.effect else 3
        async for attempt in stamina.retry_context(
            on=_is_transient, attempts=tries, wait_initial=0.2, timeout=self.timeout
        ):
            with attempt:
                async with asyncio.timeout(self.timeout) as limit:
                    RUNNING.get(ToolClock()).start(limit, self.timeout)
                    return _make_result(await self.body(context, **values))
        raise AssertionError("the last attempt returns or raises")


def _is_transient(error: Exception) -> bool:
    return isinstance(error, OSError) and not isinstance(error, TimeoutError)


def _make_result(value: object) -> ToolResult:
    match value:
        case ToolResult():
            return value
        case None:
            return ToolResult()
        case str():
            return ToolResult(output=value)
        case BaseModel():
            return ToolResult(output=value.model_dump_json(), data=value.model_dump(mode="json"))
        case Mapping():
            return ToolResult(output=to_json(value).decode(), data=cast(Mapping[str, Any], value))
        case _:
            return ToolResult(output=to_json(value).decode())


def _plain_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema without what only costs tokens: titles, empty defaults, and "or null" beside them."""

    def strip(node: Any) -> Any:
        if isinstance(node, list):
            return [strip(item) for item in cast(list[Any], node)]
        if not isinstance(node, dict):
            return node
        node = dict(cast(dict[str, Any], node))
        if node.get("default", 0) in (None, ""):
            del node["default"]
            ways = [way for way in node.get("anyOf", ()) if way != {"type": "null"}]
            if len(ways) == 1:
                del node["anyOf"]
                node |= ways[0]
        node = {k: v for k, v in node.items() if (k, v) != ("additionalProperties", False)}
        return {k: strip(v) for k, v in node.items() if not (k == "title" and isinstance(v, str))}

    return strip(model.model_json_schema())


TOOLS: Registry[Tool] = Registry("tool")


def tool(
    *, name: str = "", group: str = "other", effect: bool = False, timeout: float = 30.0
) -> Callable[[ToolBody], Tool]:
    """Make a tool of an async function and register it by name."""

    def make(body: ToolBody) -> Tool:
        label = name or getattr(body, "__name__", "tool")
        return TOOLS.add(label, Tool(label, body, group, effect, timeout))

    return make

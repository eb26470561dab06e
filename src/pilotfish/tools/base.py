"""What a tool is: a typed async function. Its signature is its schema, its docstring is what the model reads.

    @tool(group="clock")
    async def get_current_time(ctx: Context, timezone: str = "UTC") -> str:
        '''Tell the date and time in a time zone.'''

A tool may return text, a mapping or pydantic model (sent to the model as JSON), or a whole `Result`. What the model
can mend is raised as `ToolError`. `effect=True` marks a tool that changes the world: it is never repeated when a
crash leaves its outcome unknown.
"""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast, get_type_hints

import stamina
from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic_core import to_json

from pilotfish.core.errors import ToolError
from pilotfish.core.messages import Message, Tier, ToolSpec
from pilotfish.core.registry import Registry
from pilotfish.core.usage import Usage
from pilotfish.core.values import Value

if TYPE_CHECKING:
    from pilotfish.browser.session import Session

Shape = TypeVar("Shape", bound=BaseModel)
Service = TypeVar("Service")


class Result(Value):
    """What came of a call. `output` is for the model, `text` is one line for people, `data` is for programs.

    Pictures and other files are written into the run's folder and named in `files`; bytes never pass the journal.
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


class Mind(Protocol):
    """How a tool thinks: a model call charged to the run."""

    async def __call__(self, prompt: str, shape: type[Shape], *, tier: Tier = "light") -> Shape: ...


class Person(Protocol):
    """How a tool asks the person; None when nobody answered in time."""

    async def __call__(self, question: str, choices: tuple[str, ...] = ()) -> str | None: ...


@dataclass(frozen=True)
class Context:
    """What a tool may use. The conversation is there to read; only the loop changes it."""

    run: str
    user: str
    folder: Path
    conversation: str
    messages: tuple[Message, ...]
    think: Mind
    person: Person
    services: Mapping[type, object] = field(default_factory=dict[type, object])

    def use(self, kind: type[Service]) -> Service:
        """The service of this kind (memory, search, …) that the app put together."""
        if kind not in self.services:
            raise ToolError(f"{kind.__name__} is not available in this run.")
        return cast(Service, self.services[kind])

    async def browser(self) -> "Session":
        """The run's browser session; started when first asked for."""
        return await self.use(Browsing).session()


class Browsing(Protocol):
    """Has the browser session of a run."""

    async def session(self) -> "Session": ...


Body = Callable[..., Awaitable[Any]]


@dataclass(frozen=True)
class Tool:
    """A named function with its schema."""

    name: str
    body: Body
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
        return ToolSpec(name=self.name, description=self.description, parameters=_plain(self.arguments))

    def check(self, args: Mapping[str, Any]) -> BaseModel:
        """The arguments, validated; or an error that the model can act on."""
        try:
            return self.arguments.model_validate(dict(args))
        except ValidationError as error:
            wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
            wanted = ", ".join(self.arguments.model_fields) or "none"
            raise ToolError(f"Wrong arguments for {self.name}: {wrong}. It takes: {wanted}.") from None

    async def run(self, context: Context, args: Mapping[str, Any]) -> Result:
        """Validate, run within the time limit, and turn what comes back into a result. Safe tools are tried again."""
        start = time.perf_counter()
        try:
            checked = self.check(args)
            values = {name: getattr(checked, name) for name in self.arguments.model_fields}
            result = await self._attempts(context, values)
        except ToolError as error:
            result = Result(ok=False, error=" ".join(filter(None, (error.message, error.fix))))
        except TimeoutError:
            result = Result(ok=False, error=f"{self.name} took longer than {self.timeout:g} s and was given up.")
        except OSError as error:
            result = Result(ok=False, error=f"{self.name} failed: {error}.")
        return result.model_copy(update={"seconds": time.perf_counter() - start})

    async def _attempts(self, context: Context, values: Mapping[str, Any]) -> Result:
        tries = 1 if self.effect else 3
        async for attempt in stamina.retry_context(on=_passing, attempts=tries, wait_initial=0.2, timeout=self.timeout):
            with attempt:
                async with asyncio.timeout(self.timeout):
                    return _result(await self.body(context, **values))
        raise AssertionError("the last attempt returns or raises")


def _passing(error: Exception) -> bool:
    return isinstance(error, OSError) and not isinstance(error, TimeoutError)


def _result(value: object) -> Result:
    match value:
        case Result():
            return value
        case None:
            return Result()
        case str():
            return Result(output=value)
        case BaseModel():
            return Result(output=value.model_dump_json(), data=value.model_dump(mode="json"))
        case Mapping():
            return Result(output=to_json(value).decode(), data=cast(Mapping[str, Any], value))
        case _:
            return Result(output=to_json(value).decode())


def _plain(model: type[BaseModel]) -> dict[str, Any]:
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
) -> Callable[[Body], Tool]:
    """Make a tool of an async function and register it by name."""

    def make(body: Body) -> Tool:
        label = name or getattr(body, "__name__", "tool")
        return TOOLS.add(label, Tool(label, body, group, effect, timeout))

    return make

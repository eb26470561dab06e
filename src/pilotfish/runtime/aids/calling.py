"""Asking for tool calls, whatever the model is: by its own tool calls, or as JSON that a grammar holds to the tools.

A small model gets few tools with few arguments, and makes one call at a time.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from pydantic import BaseModel, Field
from pydantic_core import to_json

from pilotfish.core.messages import Call, Facts, Message, Reply, ToolSpec
from pilotfish.core.prompts import render
from pilotfish.runtime.window.context import tokens

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run

Shape = TypeVar("Shape", bound=BaseModel)
ROOM = 2100
MOST = 10
LENT = 3
ARGUMENTS = 2
WORDS = 9
ANSWER = ToolSpec(
    name="answer",
    description="end with this text",
    parameters={"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
)
PROMPTS = Path(__file__).parent / "prompts"


class Wish(BaseModel):
    """A tool call as a model writes it."""

    tool: str
    inputs: dict[str, Any] = Field(default_factory=dict)


class Act(BaseModel):
    """What a model without tool calls of its own says instead."""

    thought: str = ""
    call: Wish


class Wanted(BaseModel):
    """A call among several."""

    tool: str
    parameters: dict[str, Any] = Field(default_factory=dict)


class Thought(BaseModel):
    """What a model thinks, and whether it uses tools or answers."""

    thinking: str = ""
    action: Literal["tool", "respond"]
    tool_calls: list[Wanted] = Field(default_factory=list[Wanted])
    response: str = ""
    confidence: float = 0.5


def native(facts: Facts) -> bool:
    """Whether to rely on a model's own tool calls."""
    return facts.tools and not facts.small


async def offered(run: "Run", *wanted: str) -> list[str]:
    """The run's tools of these names or groups, in this order, and those that others lend.

    A small model gets few. Others get what fits into the fixed part of a prompt, unless the run names its tools.
    """
    tools = run.kit.tools
    places = {name: min(_places(name, tools[name].group, wanted), default=-1) for name in run.tools}
    own = sorted((name for name, place in places.items() if place >= 0), key=places.__getitem__)
    own = [name for name in own if tools[name].group != "mcp"]
    lent = [name for name in run.tools if tools[name].group == "mcp"]
    if (await run.facts()).small:
        lent = lent[:LENT]
        return [*own[: MOST - len(lent)], *lent]
    if run.options.get("tools") is None:
        weights = accumulate(_weight(tools[name].spec) for name in own)
        own = [name for name, weight in zip(own, weights, strict=True) if weight <= ROOM]
    return [*own, *lent]


def _weight(spec: ToolSpec) -> int:
    return tokens(f"{spec.name}{spec.description}{to_json(spec.parameters).decode()}")


def _places(name: str, group: str, wanted: Sequence[str]) -> Iterable[int]:
    return (place for place, want in enumerate(wanted) if want in (name, group))


async def calls(
    run: "Run", messages: Sequence[Message], *, purpose: str, tools: Sequence[str], aloud: bool = False
) -> Reply:
    """A reply with the calls that the model wants; without any, its text is the answer."""
    if native(await run.facts()) or not tools:
        return await run.ask(messages, purpose=purpose, tools=tools, aloud=aloud)
    specs = [run.kit.tools[name].spec for name in tools]
    said = await run.attempt(shaped(specs), [*_told(messages, specs)], purpose=purpose)
    if isinstance(said, str):
        return Reply(text=said)
    if said.call.tool == ANSWER.name:
        return Reply(text=str(said.call.inputs.get("text") or said.thought))
    call = Call(id=f"{purpose}{run.steps}", tool=said.call.tool, args=said.call.inputs)
    return Reply(text=said.thought, calls=(call,))


def shaped(specs: Sequence[ToolSpec]) -> type[Act]:
    """`Act`, whose schema admits these tools only."""
    return _with(Act, closed(thought=_short(200), call=wish([*specs, ANSWER], "inputs")))


def thoughts(specs: Sequence[ToolSpec], most: int) -> type[Thought]:
    """`Thought`, whose schema admits at most so many calls of these tools."""
    calls = {"type": "array", "minItems": 1, "maxItems": most, "items": wish(specs, "parameters")}
    respond = {"response": {"type": "string"}, "confidence": {"type": "number"}}
    ways = [closed(thinking=_short(300), action={"const": "respond"}, **respond)]
    ways += [closed(thinking=_short(300), action={"const": "tool"}, tool_calls=calls)] if specs else []
    return _with(Thought, {"anyOf": ways})


def _with(shape: type[Shape], schema: dict[str, Any]) -> type[Shape]:
    """The type with another schema: narrower than what it can read."""

    class Offered(shape):  # pyright: ignore[reportGeneralTypeIssues]
        @classmethod
        def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
            return schema

    return cast(type[Shape], Offered)


def _short(most: int) -> dict[str, Any]:
    return {"type": "string", "maxLength": most}


def wish(specs: Iterable[ToolSpec], arguments: str) -> dict[str, Any]:
    """The JSON schema of one call of one of these tools; `arguments` is what the field of its arguments is called."""
    return {"anyOf": [closed(tool={"const": s.name}, **{arguments: _brief(s.parameters)}) for s in specs]}


def closed(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def lines(specs: Iterable[ToolSpec]) -> str:
    """Tools in a line each, as a prompt tells them."""
    named = ((s, ", ".join(_brief(s.parameters).get("properties", {}))) for s in specs)
    return "\n".join(
        f"- {s.name}({names}): {' '.join(s.description.split()).partition('. ')[0].rstrip('.')}" for s, names in named
    )


def brief(specs: Iterable[ToolSpec]) -> str:
    """Tools by name and a few words, to choose from."""
    return "\n".join(f"- {s.name}: {_few(s.description.partition('.')[0], WORDS)}" for s in specs)


def _few(text: str, words: int) -> str:
    kept = text.split()
    return text if len(kept) <= words else " ".join(kept[:words]) + " …"


def _brief(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """A schema with what is required, and options only while there are few arguments."""
    every: dict[str, Any] = dict(parameters.get("properties", {}))
    needed: list[str] = list(parameters.get("required", ()))
    options = [name for name in every if name not in needed][: max(0, ARGUMENTS - len(needed))]
    kept = {name: every[name] for name in every if name in needed or name in options}
    return {**parameters, "type": "object", "properties": kept, "required": needed, "additionalProperties": False}


def _told(messages: Sequence[Message], specs: Sequence[ToolSpec]) -> Iterable[Message]:
    """The conversation with the tools told in words, and calls and results as plain text."""
    told = render(PROMPTS, "calling", {"tools": lines(specs)})
    if messages[0].role != "system":
        yield Message(role="system", text=told)
    for number, message in enumerate(messages):
        if number == 0 and message.role == "system":
            yield message.model_copy(update={"text": f"{message.text}\n\n{told}"})
        elif message.calls:
            made = [Act(thought=message.text, call=Wish(tool=c.tool, inputs=dict(c.args))) for c in message.calls]
            yield Message(role="assistant", text="\n".join(to_json(one).decode() for one in made))
        elif message.role == "tool":
            yield Message(role="user", text=f"{message.tool}: {message.text}")
        else:
            yield message

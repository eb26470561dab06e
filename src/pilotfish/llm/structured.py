"""Typed answers: asked for by shape, parsed, repaired, validated, and asked for again where that is not enough."""

import re
from collections.abc import Iterator
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Message, Reply, Request
from pilotfish.core.usage import Usage
from pilotfish.llm.base import Hear, Model
from pilotfish.llm.coerce import fit
from pilotfish.llm.decode import decoded

Shape = TypeVar("Shape", bound=BaseModel)
TRIES = 3

_THINKING = re.compile(r"<(think|thinking|thought|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_UNOPENED = re.compile(r"\A.*</(think|thinking|thought|reasoning)>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[ \t]*[\w+-]*[ \t]*\n(.*?)(?:\n[ \t]*```|\Z)", re.DOTALL)
_TAG = re.compile(r"<([A-Za-z_][\w-]*)>(.*?)</\1>", re.DOTALL)


class Misshapen(ModelError):
    """No try gave the wanted shape. `text` is the last raw answer and `usage` what all tries used."""

    def __init__(self, model: str, text: str, usage: Usage, why: str) -> None:
        super().__init__(f"{model} did not answer in the form asked for: {why}", "Try again, or use a larger model.")
        self.text = text
        self.usage = usage


async def ask(model: Model, request: Request, shape: type[Shape], hear: Hear | None = None) -> tuple[Shape, Reply]:
    """An answer of the wanted shape, and the reply it came in, whose usage is that of all tries."""
    request = request.model_copy(update={"shape": shape.model_json_schema()})
    usage, text, why = Usage(), "", ""
    for _ in range(TRIES):
        reply = await model.reply(request, hear)
        usage, text = usage + reply.usage, reply.text
        try:
            return parse(text, shape), reply.model_copy(update={"usage": usage})
        except ValueError as error:
            why = explain(error)
            request = _again(request, text, why)
    raise Misshapen(model.name, text, usage, why)


def parse(text: str, shape: type[Shape]) -> Shape:
    """The first thing in `text` that is, or can gently be made, a `shape`; ValueError where there is none."""
    failure: ValueError = ValueError("there is no JSON object in the answer")
    for part in _parts(stripped(text)):
        for value in decoded(part):
            try:
                return fit(value, shape)
            except ValueError as error:
                failure = failure if isinstance(failure, ValidationError) else error
    tagged = _tagged(stripped(text), shape)
    if tagged is not None:
        return tagged
    raise failure


def stripped(text: str) -> str:
    """The answer without its thinking."""
    return _UNOPENED.sub("", _THINKING.sub("", text)).strip()


def explain(error: ValueError) -> str:
    """What is wrong, in words a model can act on."""
    if not isinstance(error, ValidationError):
        return str(error)
    details = error.errors(include_url=False)[:4]
    return "; ".join(f"{'.'.join(map(str, detail['loc'])) or 'the answer'}: {detail['msg']}" for detail in details)


def _parts(text: str) -> Iterator[str]:
    """Where the JSON may be: each fenced block, then everything."""
    for block in _FENCE.finditer(text):
        yield block[1]
    yield text


def _tagged(text: str, shape: type[Shape]) -> Shape | None:
    """Fields written as XML-style tags."""
    fields = dict[str, str]()
    wanted = {name.lower() for name in shape.model_fields}
    for tag, inner in _TAG.findall(text):
        nested = dict(_TAG.findall(inner))
        fields.update({k: v.strip() for k, v in {tag: inner, **nested}.items() if k.lower() in wanted})
    try:
        return fit(fields, shape) if fields else None
    except ValueError:
        return None


def _again(request: Request, text: str, why: str) -> Request:
    hint = f"That was not right: {why}. Answer again with only the corrected JSON object."
    said = (Message(role="assistant", text=text or "(nothing)"), Message(role="user", text=hint))
    return request.model_copy(update={"messages": (*request.messages, *said)})

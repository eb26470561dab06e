"""Typed answers: asks for a schema, parses, repairs and validates the answer, and asks again where that fails."""

import re
from collections.abc import Iterator, Set
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Message, ModelReply, ModelRequest
from pilotfish.core.usage import Usage
from pilotfish.llm.base import Model, TextListener
from pilotfish.llm.coerce import coerce_value
from pilotfish.llm.json_decoding import decode_values

Shape = TypeVar("Shape", bound=BaseModel)
TRIES = 3

_THINKING_TAGS = frozenset({"think", "thinking", "thought", "reasoning"})
_UNOPENED_THINKING = re.compile(r"\A.*</(think|thinking|thought|reasoning)>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[ \t]{0,9}[\w+-]{0,40}[ \t]{0,9}\n(.*?)(?:\n[ \t]{0,40}```|\Z)", re.DOTALL)
_TAG = re.compile(r"<(/?)([A-Za-z_][\w-]*)>")


class InvalidAnswer(ModelError):
    """No attempt fitted the schema. `text` is the last raw answer and `usage` that of all attempts."""

    def __init__(self, model: str, text: str, usage: Usage, why: str) -> None:
        super().__init__(f"{model} did not answer in the form asked for: {why}", "Try again, or use a larger model.")
        self.text = text
        self.usage = usage


async def ask_for_shape(
    model: Model,
    request: ModelRequest,
    shape: type[Shape],
    on_text: TextListener | None = None,
    tries: int = TRIES,
) -> tuple[Shape, ModelReply]:
    """An answer of the wanted shape, and the reply it came in, whose usage is that of all tries.

    A shape whose schema is empty is not sent: the prompt tells the form, and the answer is only checked.
    """
    request = request.model_copy(update={"shape": shape.model_json_schema() or None})
    usage, text, why = Usage(), "", ""
    for _ in range(tries):
        reply = await model.reply(request, on_text)
        usage, text = usage + reply.usage, reply.text
        try:
            return parse_answer(text, shape), reply.model_copy(update={"usage": usage})
        except ValueError as error:
            why = explain_error(error)
            request = _make_retry_request(request, text, why)
    raise InvalidAnswer(model.name, text, usage, why)


def parse_answer(text: str, shape: type[Shape]) -> Shape:
    """The first value in `text` that is, or can be corrected to, a `shape`; ValueError where there is none."""
    failure: ValueError = ValueError("there is no JSON object in the answer")
    if _is_empty(strip_thinking(text)) and not any(field.is_required() for field in shape.model_fields.values()):
        return shape.model_validate({})
    for part in _list_json_parts(strip_thinking(text)):
        for value in decode_values(part):
            try:
                return coerce_value(value, shape)
            except ValueError as error:
                failure = failure if isinstance(failure, ValidationError) else error
    tagged = _read_tagged_fields(strip_thinking(text), shape)
    if tagged is not None:
        return tagged
    raise failure


def _is_empty(text: str) -> bool:
    """Whether an answer is an empty object or list: where every field has a default, that is an answer."""
    return all(part.strip() in ("{}", "[]") for part in [*_list_json_parts(text)][:1])


def strip_thinking(text: str) -> str:
    """The answer without its thinking."""
    kept, at = list[str](), 0
    for _, start, _, end in _find_tags(text, _THINKING_TAGS):
        kept.append(text[at:start])
        at = end
    return _UNOPENED_THINKING.sub("", "".join(kept) + text[at:]).strip()


def _find_tags(text: str, only: Set[str] = frozenset()) -> Iterator[tuple[str, int, str, int]]:
    """Name, start, content and end of each closed tag, in order, without tags inside another.

    With `only`, tags of these names in any case, and no others.
    """
    found = ((mark[2].lower() if only else mark[2], mark) for mark in _TAG.finditer(text))
    marks = [(name, mark[1] == "/", *mark.span()) for name, mark in found if not only or name in only]
    closing: dict[str, list[tuple[int, int]]] = {}
    for name, closes, start, end in reversed(marks):
        if closes:
            closing.setdefault(name, []).append((start, end))
    at = 0
    for name, closes, start, end in marks:
        if closes or start < at:
            continue
        ends = closing.get(name, [])
        while ends and ends[-1][0] < end:
            ends.pop()
        if ends:
            inner, at = ends[-1]
            yield name, start, text[end:inner], at


def explain_error(error: ValueError) -> str:
    """The error in words that a model can act on."""
    if not isinstance(error, ValidationError):
        return str(error)
    details = error.errors(include_url=False)[:4]
    return "; ".join(f"{'.'.join(map(str, detail['loc'])) or 'the answer'}: {detail['msg']}" for detail in details)


def _list_json_parts(text: str) -> Iterator[str]:
    """Where the JSON may be: each fenced block, then everything."""
    for block in _FENCE.finditer(text):
        yield block[1]
    yield text


def _read_tagged_fields(text: str, shape: type[Shape]) -> Shape | None:
    """Fields written as XML-style tags."""
    fields = dict[str, str]()
    wanted = {name.lower() for name in shape.model_fields}
    for tag, _, inner, _ in _find_tags(text):
        nested = {name: within for name, _, within, _ in _find_tags(inner)}
        fields.update({k: v.strip() for k, v in {tag: inner, **nested}.items() if k.lower() in wanted})
    try:
        return coerce_value(fields, shape) if fields else None
    except ValueError:
        return None


def _make_retry_request(request: ModelRequest, text: str, why: str) -> ModelRequest:
    hint = f"That was not right: {why}. Answer again with only the corrected JSON object."
    said = (Message(role="assistant", text=text or "(nothing)"), Message(role="user", text=hint))
    return request.model_copy(update={"messages": (*request.messages, *said)})

"""The JSON blocks with which Reason and Observe end, and what a reply says before its block."""

from typing import TypeVar

from pydantic import BaseModel, Field

from pilotfish.llm.structured import parse_answer

Block = TypeVar("Block", bound=BaseModel)
FENCE = "```"
BRACES = 8
"""How many braces a control block may hold before its beginning is no longer looked for."""


class ReasonBlock(BaseModel):
    plan: str
    tools_to_consider: list[str] = Field(default_factory=list)
    finish: bool = False


class ObservationBlock(BaseModel):
    observation: str = ""
    should_continue: bool = True
    final_answer: str = ""


def split_block(text: str, shape: type[Block]) -> tuple[str, Block | None]:
    """What a reply says before its control block, and the block; all of it and None where there is no valid block."""
    block, start = read_block(text, shape), len(text)
    if block is None:
        return text, None
    for _ in range(BRACES):
        start = text.rfind("{", 0, start)
        if start <= 0 or read_block(text[start:], shape) == block:
            break
    before = text[: max(0, start)].rstrip().removesuffix("json").rstrip()
    return before.removesuffix(FENCE).rstrip(), block


def read_block(text: str, shape: type[Block]) -> Block | None:
    try:
        return parse_answer(text, shape)
    except ValueError:
        return None

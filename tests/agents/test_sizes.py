"""How much of a model's window the loops themselves take: everything in a request but pages, results and the task."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from pydantic_core import to_json

from agents.scene import as_json, modest
from pilotfish.agents import chat
from pilotfish.context.fitting import token_estimate
from pilotfish.core.messages import ModelReply, ModelRequest, ToolCall
from pilotfish.loop_support import model_decider
from pilotfish.practice.server import Practice
from pilotfish.safety.untrusted_text import UntrustedText
from pilotfish.small_model import short_loop
from pilotfish.tools.base import TOOLS
from scripted_app import Open, ScriptLine, events_of, script

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
SMALL, LARGE = 900, 3200
DATA = re.compile(r"<data-[0-9a-f]{8}.*?</data-[0-9a-f]{8}>", re.DOTALL)
PICK = as_json(why="", done="x")
THOUGHT = as_json(thought="", call={"tool": "answer", "inputs": {"text": "x"}})
LOOK = as_json(thought="", call={"tool": "scroll", "inputs": {}})
VERDICT = as_json(give_up={"reason": "x", "help": ""})
REASON, SEEN = '{"plan": "x", "tools_to_consider": ["web_search"]}', '{"observation": "x", "should_continue": false}'
CALL = ModelReply(calls=(ToolCall(id="1", tool="get_current_time"),))
SCRIPTS: dict[str, tuple[Sequence[ScriptLine], Sequence[ScriptLine]]] = {
    "chat": (["LOOK: x", LOOK, THOUGHT], ["LOOK: x", ModelReply(calls=(ToolCall(id="1", tool="scroll"),)), "x"]),
    "horizon": ([PICK, PICK], [as_json(actions=[{"tool": "scroll"}]), VERDICT]),
    "react": ([as_json(action="respond", response="x", confidence=1)], [CALL, "x"]),
    "strict": ([REASON, THOUGHT, SEEN], [REASON, CALL, SEEN]),
    "auto": ([as_json(way="chat"), "x"], [as_json(way="chat"), "x"]),
}


def count_fixed_tokens(request: ModelRequest) -> int:
    """The tokens of prompts and tools."""
    texts = [DATA.sub("", message.text) for message in request.messages]
    return sum(map(token_estimate, texts)) + sum(token_estimate(to_json(tool).decode()) for tool in request.tools)


@pytest.mark.parametrize("loop", SCRIPTS)
async def test_every_request_of_a_loop_leaves_the_window_to_the_page(opened: Open, site: Practice, loop: str) -> None:
    fish = await opened()
    for replies, most, model in ((SCRIPTS[loop][0], SMALL, modest), (SCRIPTS[loop][1], LARGE, script)):
        asked = model(fish, replies).requests
        # Tools of other test modules are registered in the same process.
        foreign = [name for name in TOOLS if not TOOLS.get(name).body.__module__.startswith("pilotfish.")]
        await events_of(fish, f"so so {most}", loop=loop, tabs=[f"{site.url}/shop"], disabled_tools=foreign)
        assert len(asked) == len(replies)
        assert [n for n in map(count_fixed_tokens, asked) if n > most] == []


def test_no_prompt_is_left_out() -> None:
    folders = (Path(str(module.__file__)).parent for module in (chat, short_loop, model_decider))
    text = "".join(path.read_text("utf-8") for folder in folders for path in folder.glob("*.py"))
    unused = [p.stem for p in (Path(chat.__file__).parent / "prompts").glob("*.md") if f'"{p.stem}"' not in text]
    assert unused in ([], ["summary"])
    assert DATA.fullmatch(UntrustedText("x").wrap("y"))

"""How much of a model's window the loops themselves take: everything in a request but pages, results and the task."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from pydantic_core import to_json

from agents.scene import modest, said
from fish import Line, Open, script, told
from pilotfish.agents import chat
from pilotfish.core.messages import Call, Reply, Request
from pilotfish.practice.server import Practice
from pilotfish.runtime.aids import picker
from pilotfish.runtime.guard.fence import Fence
from pilotfish.runtime.window.context import tokens

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
SMALL, LARGE = 900, 2500
DATA = re.compile(r"<data-[0-9a-f]{8}.*?</data-[0-9a-f]{8}>", re.DOTALL)
PLAN = said(steps=[{"action": "look"}])
THOUGHT = said(thought="", call={"tool": "answer", "inputs": {"text": "x"}})
LOOK = said(thought="", call={"tool": "scroll", "inputs": {}})
VERDICT = said(complete=True, evidence="goods", answer="x")
REASON, SEEN = '{"plan": "x", "tools_to_consider": ["web_search"]}', '{"observation": "x", "should_continue": false}'
CALL = Reply(calls=(Call(id="1", tool="get_current_time"),))
SCRIPTS: dict[str, tuple[Sequence[Line], Sequence[Line]]] = {
    "chat": (["LOOK: x", LOOK, THOUGHT], ["LOOK: x", Reply(calls=(Call(id="1", tool="scroll"),)), "x"]),
    "horizon": ([said(kind="complex"), PLAN, THOUGHT, VERDICT], [said(kind="complex"), PLAN, "x", VERDICT]),
    "react": ([said(action="respond", response="x", confidence=1)], [CALL, "x"]),
    "strict": ([REASON, THOUGHT, SEEN], [REASON, CALL, SEEN]),
    "auto": ([said(way="chat"), "x"], [said(way="chat"), "x"]),
}


def fixed(request: Request) -> int:
    """The tokens of prompts and tools."""
    texts = [DATA.sub("", message.text) for message in request.messages]
    return sum(map(tokens, texts)) + sum(tokens(to_json(tool).decode()) for tool in request.tools)


@pytest.mark.parametrize("loop", SCRIPTS)
async def test_every_request_of_a_loop_leaves_the_window_to_the_page(opened: Open, site: Practice, loop: str) -> None:
    fish = await opened()
    for replies, most, model in ((SCRIPTS[loop][0], SMALL, modest), (SCRIPTS[loop][1], LARGE, script)):
        asked = model(fish, replies).asked
        await told(fish, f"so so {most}", loop=loop, tabs=[f"{site.url}/shop"])
        assert len(asked) == len(replies)
        assert [n for n in map(fixed, asked) if n > most] == []


def test_no_prompt_is_left_out() -> None:
    folders = (Path(chat.__file__).parent, Path(picker.__file__).parent)
    text = "".join(path.read_text("utf-8") for folder in folders for path in folder.glob("*.py"))
    unused = [p.stem for p in (Path(chat.__file__).parent / "prompts").glob("*.md") if f'"{p.stem}"' not in text]
    assert unused in ([], ["gist"])
    assert DATA.fullmatch(Fence("x").wrap("y"))

"""The command `llm` over /v1, as a person types it."""

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path

from report import BLOCK, PAGE, PEOPLE, PICTURE, TOKEN, URL, check, same

LLM = str(Path(sys.executable).with_name("llm"))
LOOPS = ("test-echo", "test-sourced", "test-question", "test-approval", "test-drawing", "test-visit", "test-tabs", "")


def configure(folder: Path) -> None:
    """Name our loops in llm's list of models."""
    lines: list[str] = []
    for loop in LOOPS:
        name = f"pilotfish-{loop}".rstrip("-")
        lines += [f"- model_id: {name}", f"  model_name: {name}", f"  api_base: {URL}/v1", "  api_key_name: pilotfish"]
        lines += ["  supports_schema: true", "  vision: true"]
    (folder / "extra-openai-models.yaml").write_text("\n".join(lines) + "\n")
    (folder / "keys.json").write_text(json.dumps({"pilotfish": TOKEN}))


async def llm(*words: str) -> str:
    process = await asyncio.create_subprocess_exec(
        LLM, *words, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    said, errors = await process.communicate()
    if process.returncode:
        raise AssertionError(errors.decode())
    return said.decode().strip()


async def answer() -> None:
    same(await llm("-m", "pilotfish-test-echo", "Say llm"), "Say llm")
    same(await llm("-m", "pilotfish-test-echo", "--no-stream", "Say all"), "Say all")


async def sources() -> None:
    same(await llm("-m", "pilotfish-test-sourced", "--no-stream", "How heavy, llm?"), BLOCK)
    same(await llm("-m", "pilotfish-test-sourced", "How heavy now, llm?"), f"Let me look.\n\n{BLOCK}")


async def question() -> None:
    await llm("-m", "pilotfish-test-question", "Paint the skiff")
    same(await llm("-c", "2"), "You said blue.")


async def approval() -> None:
    await llm("-m", "pilotfish-test-approval", "Buy the skiff")
    same(await llm("-c", "Approve once"), "You said Approve once.")


async def pictures() -> None:
    same(await llm("-m", "pilotfish-test-drawing", "Draw"), PICTURE)
    picture = Path(os.environ["LLM_USER_PATH"], "dot.png")
    picture.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    same(await llm("-m", "pilotfish-test-echo", "-a", str(picture), "What is it, llm?"), "What is it, llm?")


async def tabs() -> None:
    await llm("-m", "pilotfish-test-visit", f"Now open {PAGE}")
    same(await llm("-c", "-m", "pilotfish-test-tabs", "Which tabs?"), PAGE)


async def data() -> None:
    said = await llm("-m", "pilotfish", "--schema-multi", "name, age int", f"everyone on {PAGE}")
    same(json.loads(said), {"items": PEOPLE})


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LLM_USER_PATH"] = folder
        configure(Path(folder))
        for work in (answer, sources, question, approval, pictures, tabs, data):
            await check(work.__name__, work)


asyncio.run(main())

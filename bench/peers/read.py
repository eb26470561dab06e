"""How browser-use reads the same pages; run by bench/read.py with the Python of an environment that has it.

    python bench/peers/read.py BASE PAGE…

Prints one JSON object: for each page the milliseconds of a look without a picture (median of three), the characters in
which its prompt tells the page (tabs, position and elements), how many elements it lists, and the boxes of those within
the window of 1280 by 800 that ours has. Those that a click at their middle does not reach are only counted.
"""

import asyncio
import statistics
import sys
import time
from typing import Any, cast

from session import HEIGHT, WIDTH, open_session, tell


def inside(node: Any) -> list[float]:
    """The box of an element in the window; nothing for others."""
    box = node.absolute_position or (node.snapshot_node and node.snapshot_node.bounds)
    seen = box and box.width and box.height and box.y + box.height > 0 and box.y < HEIGHT and box.x < WIDTH
    return [box.x, box.y, box.width, box.height] if seen else []


def write_prompt(state: Any) -> str:
    from browser_use.agent.prompts import AgentMessagePrompt

    prompt: Any = AgentMessagePrompt(browser_state_summary=state, file_system=cast(Any, None))
    return prompt._get_browser_state_description()


async def is_reached(session: Any, node: Any, box: list[float]) -> bool:
    """Whether a click at the middle of an element lands on it or on something in it."""
    held = await session.get_or_create_cdp_session()
    x, y = (round(box[at] + box[at + 2] / 2) for at in (0, 1))
    try:
        hit = await held.cdp_client.send.DOM.getNodeForLocation(params={"x": x, "y": y}, session_id=held.session_id)
        found = {"backendNodeId": hit["backendNodeId"]}
        hold = await held.cdp_client.send.DOM.resolveNode(params=found, session_id=held.session_id)
        own = await held.cdp_client.send.DOM.resolveNode(
            params={"backendNodeId": node.backend_node_id}, session_id=held.session_id
        )
        answer = await held.cdp_client.send.Runtime.callFunctionOn(
            params={
                "functionDeclaration": "function (hit) { return this.contains(hit) }",
                "objectId": own["object"]["objectId"],
                "arguments": [{"objectId": hold["object"]["objectId"]}],
                "returnByValue": True,
            },
            session_id=held.session_id,
        )
    except (RuntimeError, TimeoutError):
        return False
    return bool(answer["result"].get("value"))


async def look(session: Any) -> tuple[float, Any]:
    start = time.perf_counter()
    state = await session.get_browser_state_summary(include_screenshot=False)
    return 1000 * (time.perf_counter() - start), state


async def main(base: str, pages: list[str]) -> None:
    found: dict[str, Any] = {}
    async with open_session() as session:
        for page in pages:
            await session.navigate_to(f"{base}/{page}/")
            await asyncio.sleep(1)
            looks = [await look(session) for _ in range(3)]
            state = looks[-1][1]
            nodes = list(state.dom_state.selector_map.values())
            boxes = [(node, box) for node in nodes if (box := inside(node))]
            open_boxes = [box for node, box in boxes if await is_reached(session, node, box)]
            found[page] = {
                "ms": round(statistics.median(spent for spent, _ in looks)),
                "chars": len(write_prompt(state)),
                "ids": len(nodes),
                "boxes": open_boxes,
                "shut": len(boxes) - len(open_boxes),
            }
        tell(found)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2:]))

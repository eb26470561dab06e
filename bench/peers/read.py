"""How browser-use reads the same pages; run by bench/read.py with the Python of an environment that has it.

    python bench/peers/read.py BASE PAGE…

Prints one JSON object: for each page the milliseconds of a look without a picture (median of three), its characters,
how many elements it lists, and the boxes of those within the window of 1280 by 800 that ours has.
"""

import asyncio
import statistics
import sys
import time
from typing import Any

from session import HEIGHT, WIDTH, opened, tell


def inside(node: Any) -> list[float]:
    """The box of an element in the window; nothing for others."""
    box = node.absolute_position or (node.snapshot_node and node.snapshot_node.bounds)
    seen = box and box.width and box.height and box.y + box.height > 0 and box.y < HEIGHT and box.x < WIDTH
    return [box.x, box.y, box.width, box.height] if seen else []


async def look(session: Any) -> tuple[float, Any]:
    start = time.perf_counter()
    state = await session.get_browser_state_summary(include_screenshot=False)
    return 1000 * (time.perf_counter() - start), state


async def main(base: str, pages: list[str]) -> None:
    found: dict[str, Any] = {}
    async with opened() as session:
        for page in pages:
            await session.navigate_to(f"{base}/{page}/")
            await asyncio.sleep(1)
            looks = [await look(session) for _ in range(3)]
            nodes = list(looks[-1][1].dom_state.selector_map.values())
            found[page] = {
                "ms": round(statistics.median(spent for spent, _ in looks)),
                "chars": len(looks[-1][1].dom_state.llm_representation()),
                "ids": len(nodes),
                "boxes": [box for box in map(inside, nodes) if box],
            }
        tell(found)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2:]))

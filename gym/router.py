"""Writes decisions of the loop `auto`: what a person wants, by how they say it.

    python -m gym.router OUT.jsonl --count 1500

Chores are the goals of training families that change something, and some that any site has; the latter, questions about
pages, questions of the world, wishes for a picture and plain talk come from `goals/router.txt`, whose kinds are named
`WAY` or `WAY.WHAT`; some begin with a greeting. The messages are those that `auto` sends. No request is written twice.
"""

import argparse
import json
from pathlib import Path

from gym.families import HELD_OUT, list_families, make_site
from gym.words import Draw, load_goals
from pilotfish.agents import auto
from pilotfish.core.prompts import render

OPEN, CLOSED = "Pages are open.", "No page is open."
ROUTER = "router"
SLOTS = {"topic": "topics", "good": "goods", "city": "cities"}
"""Keys of the vocabulary for what wordings leave open; others have their own name."""
OWN_SLOTS = ("picture", "diet", "food", "job")
WEIGHTS = {"browse": 4, "research": 5, "chat": 4, "talk": 5}
"""How often each way is drawn, among what does not come from a family."""
CHORES, GREETED, VARIED = 0.2, 0.25, 0.5
"""The share of requests that are goals of families, of those that begin with a greeting, and of talk in haste."""


def draw_request(seed: int) -> tuple[str, str, str]:
    """What a person says, the way that it should take, and the language."""
    draw = Draw(seed, ROUTER)
    if draw.chance(CHORES):
        families = [name for name in list_families() if name not in HELD_OUT]
        for number in range(100):
            site = make_site(draw.pick(families), 1000 * seed + number)
            if site.data != site.wanted and site.ending == "done":
                return site.goal, "browse", site.draw.language
    way = draw.random.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    kind = draw.pick([each for each in load_goals(ROUTER) if each.partition(".")[0] == way])
    said = draw_saying(draw, kind)
    if "." in kind and draw.chance(GREETED):
        said = f"{draw.pick(draw.all('hello'))}{'' if draw.language == 'zh' else ' '}{said}"
    return said, way, draw.language


def draw_saying(draw: Draw, kind: str) -> str:
    """A wording of a kind. What is only talk has nothing around it that asks for work."""
    values = {slot: draw.pick(draw.all(key)) for slot, key in SLOTS.items()} | {"who": draw.person()}
    values |= {slot: draw.pick(draw.all(slot)) for slot in OWN_SLOTS}
    values |= {"n": str(draw.number(12, 99)), "m": str(draw.number(2, 19))}
    if not kind.startswith("talk"):
        return draw.goal(kind, **values)
    said = draw.pick(load_goals(ROUTER)[kind][draw.language])
    return (draw.vary(said, draw.language) if draw.chance(VARIED) else said).format(**values)


def write_decision(seed: int) -> str:
    """One decision as a line of JSON."""
    said, way, language = draw_request(seed)
    pages = CLOSED if way != "chat" and seed % 4 == 0 else OPEN
    prompt = render(Path(auto.__file__).parent / "prompts", "auto_short", {})
    messages = [{"role": "system", "content": f"{prompt}\n{pages}"}, {"role": "user", "content": said}]
    row = {"family": ROUTER, "seed": seed, "language": language, "step": 0, "messages": messages}
    return json.dumps({**row, "reply": json.dumps({"way": way}, separators=(",", ":"))}, ensure_ascii=False)


def main() -> None:
    parser = argparse.ArgumentParser(description="Write router decisions.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    given = parser.parse_args()
    lines: dict[str, str] = {}
    for seed in range(given.first, given.first + 20 * given.count):
        line = write_decision(seed)
        lines.setdefault(json.loads(line)["messages"][-1]["content"].casefold(), line)
        if len(lines) == given.count:
            break
    given.out.write_text("".join(f"{line}\n" for line in lines.values()), "utf-8")


if __name__ == "__main__":
    main()

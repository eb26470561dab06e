"""Plays an oracle's steps as a model. Each request is answered from the page that it shows.

The player maps each step to numbers of the page, joins steps that fit into one reply, and finds the way to what is not
shown: it closes a banner, opens a menu, scrolls, searches, pages or goes back.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from gym.choosing import Act, choose_option, find_chosen
from gym.hurdles import REVIEW
from gym.list_search import ListSearch, say_section
from gym.oracle import Step, click, describe, shorten, tick
from gym.shown import PlacedElement, ShownPage, cells
from gym.site import HUB, Site
from pilotfish.core.messages import Message, ModelFacts, ModelReply, ModelRequest
from pilotfish.llm.base import TextListener
from pilotfish.llm.model_facts import EMBEDDED_MODEL
from pilotfish.llm.scripted import stream_line

MOST_ACTS = 4
MOST_LOOKS = 5
"""How often in a row the player scrolls, searches or pages for one step."""
IDLE = 0.3
"""Of what is done by mistake, how much changes nothing."""
SEEKING = 0.5
"""How often a long list is searched rather than paged."""
EARLY = 0.05
"""How often the player gives up by mistake before it opens a section; it is told then what other sections have."""
CONFIRM = "confirm it"
ENDS = ("done", "ask", "give_up", "already")
QUIET = ("fill", "choose", "tick", "note")
"""Steps after which the page is still the same, so that others can follow in one reply."""


class OracleLost(Exception):
    """The page shows no way to carry out a step."""


@dataclass(frozen=True)
class Decision:
    """A request and its reply. `wanted`: the reply is one to learn, not a wrong turn."""

    messages: tuple[Message, ...]
    reply: str
    wanted: bool = True


@dataclass
class OraclePlayer:
    """Plays the steps of a site's task, as a model. `detours`: how likely it takes a wrong turn at each page."""

    site: Site
    name: str
    detours: float = 0.0
    seed: int = 0
    facts: ModelFacts = EMBEDDED_MODEL
    decisions: list[Decision] = field(default_factory=list["Decision"])
    fault: str = ""

    def __post_init__(self) -> None:
        self._random = Random(f"player {self.seed}")
        self._steps: Iterator[Step] = self.site.steps()
        self._ahead: list[Step] = []
        self._looks = 0
        self._strayed = self._astray = False
        self._opened = ""
        self._list = ListSearch(self.site, self._random)
        self._sought: set[str] = set()
        self._sent: list[Step] = []
        self._acted = 0
        self._filling = False
        self._left = 3
        self._again = self._gave_up = False
        self._end: dict[str, Any] | None = None
        self._fruitless: PlacedElement | None = None
        self._pressed: Step | None = None

    # The model

    async def reply(self, request: ModelRequest, on_text: TextListener | None = None) -> ModelReply:
        try:
            reply, wanted = self._decide(ShownPage(request))
        except OracleLost as lost:
            self.fault = f"the oracle is lost: {lost}"
            reply, wanted = {"why": "lost", "give_up": "lost"}, False
        text = json.dumps(reply, ensure_ascii=False, separators=(",", ":"))
        self.decisions.append(Decision(request.messages, text, wanted))
        return await stream_line(self.name, request, text, on_text)

    async def warm(self, messages: Sequence[Message]) -> None:
        """There is no cache."""

    async def close(self) -> None:
        """There is nothing to close."""

    # Deciding

    def _decide(self, page: ShownPage) -> tuple[dict[str, Any], bool]:
        self._resume(page)
        if self._end is not None:
            return self._end_again(self._end, page), True
        self._press_again(page)
        if wall := self._banner(page):
            return self._acts("close the banner first", [["click", wall.id]]), True
        if self._gives_up_early(page):
            return {"why": "no section fits", "give_up": "I found nothing that fits."}, False
        idle = self.detours and not self._filling and not self._strayed
        if idle and (vain := self._list.seek_in_vain(self._peek(), page)):
            self._strayed = self._astray = True
            return self._acts("search for it", vain), False
        if wrong := self._stray(page):
            return self._acts("look around", wrong), False
        if self._astray:
            self._strayed = self._astray = False
            if not self._list.word or self._peek().verb != "click" or not self._resolve(self._peek(), page)[0]:
                return self._acts(self._list.say_vain(page), [["back"]]), True
        self._answer_refusal(page)
        self._answer_hurdle(page)
        step = self._peek()
        while (step.verb == "look_up" and not page.has_search) or (
            step.verb == "survey" and self._list.is_through(page)
        ):
            self._ahead.pop(0)
            step = self._peek()
        if step.verb == "survey":
            return self._acts(*self._list.look_on(page)), True
        if step.verb in ENDS:
            return self._finish(step, page)
        acts: list[Act] = []
        while len(acts) < MOST_ACTS and (ahead := self._peek()).verb not in ENDS:
            more, finished = self._resolve(ahead, page)
            if not more or len(acts) + len(more) > MOST_ACTS:
                break
            acts += more
            self._sent += [ahead] * len(more) if finished else []
            if not finished:
                break
            self._ahead.pop(0)
            self._pressed = ahead if ahead.verb == "click" and ahead.why != CONFIRM else self._pressed
            if ahead.sure and self.site.style["confirm"] != "none":
                self._ahead.insert(0, click(self.site.draw.word("yes"), why=CONFIRM))
            self._filling = ahead.verb in QUIET or ahead.stays
            if ahead.verb not in QUIET:
                break
        if not acts:
            return self._approach(step, page)
        if near := self._take_near(page, acts):
            return self._acts(describe(step), [*acts[:-1], near]), False
        self._looks, self._strayed, self._opened = self._looks if page.interrupted else 0, False, ""
        self._list.seen.clear()
        self._sought.clear()
        said = step.why or say_section(self.site, step) or describe(step)
        told = f"{step.name} has “" in "".join(page.history[-3:]) and step.name in self.site.sections.values()
        return self._acts(f"{step.name} has what is wanted" if told else said, acts), True

    def _resume(self, page: ShownPage) -> None:
        """Put back the steps of the last reply that were not carried out."""
        sent, self._sent = self._sent, []
        acted, self._acted = page.acted - self._acted, page.acted
        if page.interrupted and 0 <= acted < len(sent):
            again = list(dict.fromkeys(sent[acted:]))
            self._ahead = [*again, *(step for step in self._ahead if step not in again)]
            self._looks += 1
            if self._looks > MOST_LOOKS:
                raise OracleLost(f"refused: {page.history[-1]}")

    def _peek(self) -> Step:
        if not self._ahead:
            step = next(self._steps, None)
            if step is None:
                raise OracleLost("the oracle has no more steps")
            self._ahead.append(step)
        return self._ahead[0]

    def _finish(self, step: Step, page: ShownPage) -> tuple[dict[str, Any], bool]:
        if step.verb != "already" and step.see and not page.shows(step.see):
            return self._approach(step, page)
        if step.verb == "already":
            return self._finish_early(step, page)
        self._ahead.pop(0)
        reply = {"why": shorten(step.why or describe(step)), step.verb: step.value}
        self._end = reply if step.verb != "ask" else None
        return reply, True

    def _end_again(self, end: dict[str, Any], page: ShownPage) -> dict[str, Any]:
        """Where the end was not accepted, since another section might have more: say it once more."""
        if self._again:
            raise OracleLost(f"the end was not accepted: {page.history[-1:]}")
        self._again = True
        return {**end, "why": "nothing of that fits" if "give_up" in end else "it was done before, nothing is missing"}

    def _gives_up_early(self, page: ShownPage) -> bool:
        """Whether to give up by mistake now: once, before a section is opened, while no form is half filled."""
        if self._gave_up or self._filling or not self.detours or self._strayed or self._astray:
            return False
        opens = (step := self._peek()).verb == "click" and not step.row and step.name in self.site.sections.values()
        self._gave_up = opens and self._random.random() < EARLY
        return self._gave_up

    def _finish_early(self, step: Step, page: ShownPage) -> tuple[dict[str, Any], bool]:
        """Say that the page shows a step as carried out, with the line that shows it."""
        marked = page.find(step.names, "click", step.row, loose=False) if step.row else None
        field = marked or page.find(step.names, "type") or page.find(step.names, "select")
        field = field or find_chosen(step, page) or page.find(step.names, "click")
        if not field:
            return self._approach(step, page)
        line = page.lines[field.line]
        if step.value and step.value not in line:
            raise OracleLost(f"the page does not show {step.name} = {step.value}")
        parts = (step.row, *cells(line)) if step.row else (step.name, step.value)
        listed = [part for part in dict.fromkeys(parts) if part]
        shown = f"{', '.join(listed)} ({page.page.partition(' — http')[0]})"
        self._end = {"why": shorten(f"{step.row or step.name} is so already"), "done": step.see.format(shown=shown)}
        return self._end, True

    def _answer_refusal(self, page: ShownPage) -> None:
        """Where a form was refused because a box was not ticked: tick it and send the form again."""
        word = self.site.draw.word
        if self._pressed is None or self.site.style["strict"] == "no" or not page.has_line(word("agree_first")):
            return
        self._ahead[:0] = [tick(word("agree"), why="the box must be ticked first"), self._pressed]
        self._pressed = None

    def _answer_hurdle(self, page: ShownPage) -> None:
        """Where the entries are shown once more before they count: affirm them."""
        word = self.site.draw.word
        if page.address.endswith(REVIEW) and (not self._ahead or self._ahead[0].name != word("entries_right")):
            self._ahead.insert(0, click(word("entries_right"), why="the entries are right, but not sent yet"))

    def _press_again(self, page: ShownPage) -> None:
        """Where a link did nothing, since a banner lay over it: close that and press the link again, once."""
        last, pressed, accept = page.history[-1:], self._pressed, self.site.draw.word("accept")
        still = pressed and last and f'"{pressed.name}"' in last[0] and last[0].endswith("→ nothing changed")
        if pressed and still and pressed.name in self.site.sections.values() and page.find((accept,), "click"):
            self._ahead.insert(0, replace(pressed, why=f"pressing {pressed.name} did nothing: once more"))
            if not self._banner(page):
                self._ahead.insert(0, click(accept, why=f"{pressed.name} did nothing: close the banner first"))
            self._pressed = None

    def _take_near(self, page: ShownPage, acts: Sequence[Act]) -> Act | None:
        """Now and then, by mistake: the button beside the right one, which stores nothing."""
        pressed, near = self._pressed, page.find((self.site.draw.word("preview"),), "click", loose=False)
        banner = page.find((self.site.draw.word("accept"),), "click")
        if pressed is None or near is None or banner or not self._left or self._random.random() >= 3 * self.detours:
            return None
        right = page.find(pressed.names, "click", loose=False)
        if right is None or acts[-1] != ["click", right.id] or abs(right.line - near.line) > 2:
            return None
        self._left, self._sent = 0, []
        self._ahead.insert(0, replace(pressed, why=f"{near.name} stored nothing, now {pressed.name}"))
        return ["click", near.id]

    def _acts(self, why: str, acts: Sequence[Act]) -> dict[str, Any]:
        return {"why": shorten(why), "acts": list(acts)}

    def _resolve(self, step: Step, page: ShownPage) -> tuple[list[Act], bool]:
        """The acts that carry out a step on this page, and whether it is finished then; none where it cannot be."""
        match step.verb:
            case "click" | "tick" | "switch":
                front = page.find_front(step.names) if self._opened and self._opened == step.row else None
                found = front or page.find(step.names, "click", step.row, loose=step.verb != "click")
                return ([["click", found.id]] if found else []), True
            case "fill":
                found = page.find(step.names, "type")
                return ([["type", found.id, step.value]] if found else []), True
            case "choose":
                return choose_option(step, page)
            case "search" | "look_up":
                found = page.find(step.names, "type") if step.names else self._find_box(page, step.verb == "look_up")
                return ([["type", found.id, step.value], ["press", "Enter"]] if found else []), True
            case "note":
                return ([["note", step.value]] if not step.see or page.shows(step.see) else []), True
            case "drag":
                found, onto = (page.find((name,), "click") for name in (step.name, step.value))
                return ([["drag", found.id, onto.id]] if found and onto else []), True
            case "back":
                return [["back"]], True
            case _:
                raise ValueError(f"there is no step {step.verb}")

    # Finding the way

    def _banner(self, page: ShownPage) -> PlacedElement | None:
        """The button of a banner that covers the page."""
        covered = any("is covered by" in line for line in page.history[-2:])
        if not covered and not (
            self.site.style["banner"] == "wall" and any("(in front" in line for line in page.lines)
        ):
            return None
        return page.find((self.site.draw.word("accept"),), "click")

    def _approach(self, step: Step, page: ShownPage) -> tuple[dict[str, Any], bool]:
        """A move towards what a step needs and the page does not show."""
        self._looks += 1
        if self._looks > MOST_LOOKS:
            raise OracleLost(f"no way to {describe(step)} on:\n{page.page}")
        word = self.site.draw.word
        if step.row and (menu := page.find((word("more"),), "click", step.row)):
            self._opened = step.row
            return self._acts(f"open the menu of {step.row}", [["click", menu.id]]), True
        hub = self._find_hub(step, page)
        if hub and (above := page.find((hub,), "click", loose=False)):
            self._looks = 0
            return self._acts(f"it may be below {hub}", [["click", above.id]]), True
        below = page.address.endswith(HUB) and any(self.site.sections[path] == step.name for path in self.site.nested)
        listed = not step.row and step.name in self.site.sections.values() and not below
        section = self.site.style["nav"] if listed else ""
        if section == "burger" and (menu := page.find((word("menu"),), "click")):
            return self._acts("open the menu", [["click", menu.id]]), True
        if section and (menu := page.find((word("my_account"),), "click")):
            return self._acts("it may be in the menu of the account", [["click", menu.id]]), True
        if section == "tiles" and (home := page.find((word("home"),), "click")):
            return self._acts("the sections are on the home page", [["click", home.id]]), True
        if self._strayed:
            self._strayed = False
            return self._acts("this is the wrong page", [["back"]]), True
        if banner := page.find((word("accept"),), "click"):
            return self._acts("close the banner", [["click", banner.id]]), True
        wanted = (step.see if step.verb != "already" else "") or step.row or step.name or word("search")
        way = self._list.find_way(step)
        wanted = hub or self.site.said.get(wanted, wanted)
        told = way or (wanted if page.shows(wanted) else "what is wanted")
        new = wanted not in self._sought and not way
        if step.verb == "click" and not way and (sought := self._seek(wanted, page)):
            return self._acts(f"search for {wanted}", sought), True
        if section and section != "bottom" and page.has_less:
            return self._acts("the sections are further up", [["scroll", "up"]]), True
        if (page.is_cut or page.has_more) and new and page.shows(wanted):
            self._sought.add(wanted)
            return self._acts(f"look for {told}", [["find", wanted[:60]]]), True
        if page.has_more and page.place not in self._list.seen:
            self._list.seen.add(page.place)
            return self._acts(f"{told} may be further down", [["scroll", "down"]]), True
        if step.verb != "search" and (pager := page.find((word("next_page"),), "click")):
            self._looks = 0
            return self._acts(f"{told} may be on the next page", [["click", pager.id]]), True
        if page.has_less or not any(line.strip() == self.site.brand for line in page.lines):
            return self._acts(f"{told} may be further up", [["scroll", "up"]]), True
        if new:
            self._sought.add(wanted)
            return self._acts(f"look for {told}", [["find", wanted[:60]]]), told == wanted
        raise OracleLost(f"no way to {describe(step)} on:\n{page.page}")

    def _find_hub(self, step: Step, page: ShownPage) -> str:
        """The section that leads to the one that a step opens, unless its page is open."""
        path = next((path for path in self.site.nested if self.site.sections[path] == step.name), "")
        return "" if step.row or not path or page.address.endswith(HUB) else self.site.nested[path]

    def _seek(self, wanted: str, page: ShownPage) -> list[Act]:
        """Search for what the goal names, mostly, where the page goes on and has a search."""
        box = self._find_box(page)
        goes_on = page.is_cut or page.has_more or page.find((self.site.draw.word("next_page"),), "click")
        known, tried = wanted in self.site.goal, f"search {wanted}" in self._sought
        if not box or not goes_on or not known or tried or self._random.random() >= SEEKING:
            return []
        self._sought.add(f"search {wanted}")
        return [["type", box.id, wanted], ["press", "Enter"]]

    def _find_box(self, page: ShownPage, anywhere: bool = False) -> PlacedElement | None:
        """The search of the list; `anywhere`: else that of the whole site, which stands first."""
        boxes = [each for each in page.elements if each.shown.role == "searchbox"]
        if self.site.style["finder"] == "no":
            return boxes[0] if boxes else None
        return boxes[-1] if boxes and (anywhere or len(boxes) > 1) else None

    def _stray(self, page: ShownPage) -> list[Act]:
        """Something to do by mistake, now and then; never while a form is half filled."""
        if self._filling or not self._left or self._strayed or self._random.random() >= self.detours:
            return []
        step, word = self._peek(), self.site.draw.word
        faults = (word("agree_first"), word("preview_only"))
        shown = page.address.endswith(REVIEW) or any(map(page.has_line, faults))
        if shown or step.verb in ENDS or step.verb == "choose":
            return []
        self._left -= 1
        if self.site.style["finder"] == "yes" and step.name in self.site.sections.values() and not self._fruitless:
            self._fruitless = box = page.find_first()
            return [["type", box.id, self._name_thing()], ["press", "Enter"]] if box else []
        known = self.site.links - {step.name, step.row, self.site.draw.word("home")}
        paging = {self.site.draw.word("next_page"), self.site.draw.word("previous_page")}
        links = [each for each in page.elements if each.shown.role in ("link", "clickable")]
        wrong = [each for each in links if each.name in known - paging and "click" in each.shown.takes]
        if not wrong or self._random.random() < IDLE:
            return [self._random.choice([["press", "Escape"], ["wait"], ["scroll", "down"], ["find", self.site.brand]])]
        taken = self._random.choice(wrong)
        self._strayed = True
        self._astray = taken.name not in self.site.sections.values()
        return [["click", taken.id]]

    def _name_thing(self) -> str:
        """What the goal is about, as somebody types it into the first search."""
        named = [each for each in self.site.rows if each in self.site.goal]
        return named[0] if named else " ".join(self.site.goal.split()[:4])[:40]

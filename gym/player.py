"""Plays an oracle's steps as a model. Each request is answered from the page that it shows.

The player maps each step to numbers of the page, joins steps that fit into one reply, and finds the way to what is not
shown: it closes a banner, opens a menu, scrolls, searches, pages or goes back.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from gym.choosing import Act, choose_option, find_chosen, write_acts
from gym.hurdles import REVIEW
from gym.list_search import ListSearch, say_section
from gym.oracle import ENDS, OracleLost, Step, click, describe, give_up, shorten, tick
from gym.shown import PlacedElement, ShownPage, cells
from gym.site import Site
from gym.way_finder import MOST_LOOKS, WayFinder, find_box
from gym.wrong_turns import WrongTurns
from pilotfish.core.messages import Message, ModelFacts, ModelReply, ModelRequest
from pilotfish.llm.base import TextListener
from pilotfish.llm.model_facts import EMBEDDED_MODEL
from pilotfish.llm.scripted import stream_line

MOST_ACTS, MOST_ENDS = 4, 3
CONFIRM = "confirm it"
REFUSED = "the site says that nothing was changed"
NOTHING_FITS = "I found nothing that fits."
QUIET = ("fill", "choose", "tick", "note")
"""Steps after which the page is still the same, so that others can follow in one reply."""


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
        random = Random(f"player {self.seed}")
        self._steps: Iterator[Step] = self.site.steps()
        self._ahead: list[Step] = []
        self._turns = WrongTurns(self.site, random, self.detours)
        self._list = ListSearch(self.site, random)
        self._way = WayFinder(self.site, random, self._list)
        self._sent: list[Step] = []
        self._acted = 0
        self._filling = False
        self._ends = 1
        self._end: dict[str, Any] | None = None
        self._question: Step | None = None
        self._pressed: Step | None = None
        self._last: Step | None = None

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
        if self._question and "Elsewhere: " in "".join(page.history[-3:]):
            self._ahead.insert(0, self._question)
        self._question = None
        self._press_again(page)
        self._allow_changes(page)
        if wall := self._dialog(page) or self._banner(page):
            about = "dialog" if self.site.snags.front != "none" else "banner"
            return write_acts(f"close the {about} first", [["click", wall.id]]), True
        if self._turns.gives_up_early(self._peek(), filling=self._filling):
            return {"why": "no section fits", "give_up": NOTHING_FITS}, False
        if self._turns.gives_up_looking(self._peek()):
            return {"why": "nothing of that in two sections", "give_up": NOTHING_FITS}, True
        idle = self.detours and not self._filling and not self._turns.strayed
        if idle and (vain := self._list.seek_in_vain(self._peek(), page)):
            self._turns.strayed = self._turns.astray = True
            return write_acts("search for it", vain), False
        if wrong := self._turns.stray(self._peek(), page, filling=self._filling):
            return write_acts("look around", wrong), False
        if self._turns.astray:
            self._turns.strayed = self._turns.astray = False
            if not self._list.word or self._peek().verb != "click" or not self._resolve(self._peek(), page)[0]:
                return write_acts(self._list.say_vain(page), [["back"]]), True
        if self.site.hurdles.refused:
            if page.has_more and not page.has_line(self.site.refusal):
                return write_acts("nothing changed, does it say why", [["scroll", "down"]]), True
            self._ahead = [give_up(self.site.refusal, why=REFUSED)]
        self._answer_refusal(page)
        self._answer_hurdle(page)
        step = self._peek()
        while (step.verb == "look_up" and not page.has_search) or (
            step.verb == "survey" and self._list.is_through(page)
        ):
            self._ahead.pop(0)
            step = self._peek()
        if step.verb == "survey":
            return write_acts(*self._list.look_on(page)), True
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
            self._turns.count_section(ahead)
            self._pressed = ahead if ahead.verb == "click" and ahead.why != CONFIRM else self._pressed
            self._last = ahead if ahead.why != CONFIRM else self._last
            if ahead.sure and self.site.style["confirm"] != "none":
                self._ahead.insert(0, click(self.site.draw.word("yes"), why=CONFIRM))
            self._filling = ahead.verb in QUIET or ahead.stays
            if ahead.verb not in QUIET:
                break
        if not acts:
            return self._way.approach(step, page, self._turns)
        if wrong := self._turns.take_other(step, page, acts):
            self._sent = []
            self._ahead[:0] = wrong.back
            return write_acts(wrong.why, [wrong.act]), False
        if near := self._turns.take_near(page, acts, self._pressed):
            self._sent = []
            self._ahead.insert(0, near[1])
            return write_acts(describe(step), [*acts[:-1], near[0]]), False
        self._turns.strayed = False
        self._way.arrive(interrupted=page.interrupted)
        said = step.why or say_section(self.site, step) or describe(step)
        told = f"{step.name} has “" in "".join(page.history[-3:]) and step.name in self.site.sections.values()
        return write_acts(f"{step.name} has what is wanted" if told else said, acts), True

    def _resume(self, page: ShownPage) -> None:
        """Put back the steps of the last reply that were not carried out."""
        sent, self._sent = self._sent, []
        acted, self._acted = page.acted - self._acted, page.acted
        if page.interrupted and 0 <= acted < len(sent):
            again = list(dict.fromkeys(sent[acted:]))
            self._ahead = [*again, *(step for step in self._ahead if step not in again)]
            self._way.looks += 1
            if self._way.looks > MOST_LOOKS:
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
            return self._way.approach(step, page, self._turns)
        if step.verb == "already":
            return self._finish_early(step, page)
        self._ahead.pop(0)
        reply = {"why": shorten(step.why or describe(step)), step.verb: step.value}
        self._end, self._question = (None, step) if step.verb == "ask" else (reply, None)
        return reply, True

    def _end_again(self, end: dict[str, Any], page: ShownPage) -> dict[str, Any]:
        """Where the end was not accepted, since another section might have more: say it again."""
        if self._ends == MOST_ENDS:
            raise OracleLost(f"the end was not accepted: {page.history[-1:]}")
        self._ends += 1
        if end["why"] == REFUSED:
            return end
        return {**end, "why": "nothing of that fits" if "give_up" in end else "it was done before, nothing is missing"}

    def _finish_early(self, step: Step, page: ShownPage) -> tuple[dict[str, Any], bool]:
        """Say that the page shows a step as carried out, with the line that shows it."""
        marked = page.find(step.names, "click", step.row, loose=False) if step.row else None
        field = marked or page.find(step.names, "type") or page.find(step.names, "select")
        field = field or find_chosen(step, page) or page.find(step.names, "click")
        if not field:
            return self._way.approach(step, page, self._turns)
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
        word, snags = self.site.draw.word, self.site.snags
        if self._pressed is None or self.site.style["strict"] == "no":
            return
        if snags.unticked or page.has_line(word("agree_first")):
            why = f"{self._pressed.name} changed nothing, a box is not ticked"
            why = why if snags.unticked else "the box must be ticked first"
            self._ahead[:0] = [tick(word("agree"), why=why), self._pressed]
            self._pressed, snags.unticked = None, False

    def _answer_hurdle(self, page: ShownPage) -> None:
        """Where the entries are shown once more before they count, or wait: affirm or send them."""
        word = self.site.draw.word
        waiting = self.site.style["hurdle"] == "kept" and page.has_line(word("kept_not_sent"))
        if waiting and (not self._ahead or self._ahead[0].name != word("send_now")):
            self._ahead.insert(0, click(word("send_now"), why="the entries are kept, but not sent yet"))
        if page.address.endswith(REVIEW) and (not self._ahead or self._ahead[0].name != word("entries_right")):
            self._ahead.insert(0, click(word("entries_right"), why="the entries are right, but not sent yet"))

    def _allow_changes(self, page: ShownPage) -> None:
        """Where the last step changed nothing and the page has a button that allows changes: press that first."""
        last, done, allow = self._last, "".join(page.history[-1:]), self.site.draw.word("allow_changes")
        if not self.site.snags.locked or last is None or not done.endswith("→ nothing changed"):
            return
        if any(part and part in done for part in (*last.names, last.row)) and page.find((allow,), "click"):
            again = replace(last, why=f"{allow} was missing, now {last.name}")
            self._ahead[:0] = [click(allow, why=f"{last.name} changed nothing, {allow} may be needed"), again]
            self._last = None

    def _press_again(self, page: ShownPage) -> None:
        """Where a link did nothing, since a banner lay over it: close that and press the link again, once."""
        last, pressed, accept = page.history[-1:], self._pressed, self.site.draw.word("accept")
        still = pressed and last and f'"{pressed.name}"' in last[0] and last[0].endswith("→ nothing changed")
        if pressed and still and pressed.name in self.site.sections.values() and page.find((accept,), "click"):
            self._ahead.insert(0, replace(pressed, why=f"pressing {pressed.name} did nothing: once more"))
            if not self._banner(page):
                self._ahead.insert(0, click(accept, why=f"{pressed.name} did nothing: close the banner first"))
            self._pressed = None

    def _resolve(self, step: Step, page: ShownPage) -> tuple[list[Act], bool]:
        """The acts that carry out a step on this page, and whether it is finished then; none where it cannot be."""
        match step.verb:
            case "click" | "tick" | "switch":
                front = page.find_front(step.names) if self._way.opened and self._way.opened == step.row else None
                found = front or page.find(step.names, "click", step.row, loose=step.verb != "click")
                return ([["click", found.id]] if found else []), True
            case "fill":
                found = page.find(step.names, "type")
                return ([["type", found.id, step.value]] if found else []), True
            case "choose":
                return choose_option(step, page)
            case "search" | "look_up":
                found = (
                    page.find(step.names, "type") if step.names else find_box(self.site, page, step.verb == "look_up")
                )
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

    def _dialog(self, page: ShownPage) -> PlacedElement | None:
        """The button that closes a dialog which was left open."""
        if self.site.snags.front == "none":
            return None
        return page.find((self.site.draw.word("leave_it"),), "click", loose=False)

    def _banner(self, page: ShownPage) -> PlacedElement | None:
        """The button of a banner that covers the page."""
        covered = any("is covered by" in line for line in page.history[-2:])
        if not covered and not (
            self.site.style["banner"] == "wall" and any("(in front" in line for line in page.lines)
        ):
            return None
        return page.find((self.site.draw.word("accept"),), "click")

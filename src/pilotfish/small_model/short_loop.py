"""The loop for small models: one short request a turn, whose reply is a few acts, done, a question or giving up.

The request is laid out for the prefix cache: rules, goal, what was done, notes, what was found, and last the page.
`docs/small-models.md` describes it.
"""

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from pilotfish.context.fitting import token_estimate
from pilotfish.context.page_cut import cut_page, plain_line
from pilotfish.core.errors import PersonError, UnansweredError
from pilotfish.core.messages import Message, ToolCall
from pilotfish.core.pages import ObservedPage
from pilotfish.llm.catalog import DEFAULT, recommend_entry
from pilotfish.llm.machine import measure_machine
from pilotfish.loop_support.action_batch import ActionBatch, describe_action
from pilotfish.loop_support.evidence import shows_answer
from pilotfish.loop_support.named_choices import find_choices
from pilotfish.loop_support.run_notes import RunNotes, open_notes
from pilotfish.loop_support.turn import NoteEdits, TurnAction
from pilotfish.small_model.control_states import claims_untold_state, shows_state
from pilotfish.small_model.page_matter import read_matter
from pilotfish.small_model.section_search import SectionSearch
from pilotfish.small_model.seen_pages import SeenPages
from pilotfish.small_model.short_history import DONE_BEFORE, ShortHistory
from pilotfish.small_model.short_reply import VERBS, ShortReply, read_certainty, reply_shape

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run

REQUEST_TOKENS, WHOLE_PAGE_TOKENS = 940, 6000
"""Estimated tokens of a request, and of the page before it is cut. The embedded model counts up to 1.27 times as many
where a page has many numbers and signs, so that a request has at most 1,200 of its tokens."""
HISTORY_TOKENS, NOTES_TOKENS, FOUND_TOKENS, LEAST_PAGE_TOKENS = 260, 120, 240, 300
"""Tokens of the parts: the most for history, notes and what was found; the least for the page."""
EARLIER_MESSAGES, EARLIER_LENGTH = 4, 200
MOST_IDLE_TURNS = 4
"""After so many turns in a row without anything new the run ends."""
BLANK_ADDRESSES = ("", "about:blank")
ADDRESS_IN_TEXT = re.compile(r"https?://[^\s,;\"'<>)]{1,2000}")
ASK_FOR_ADDRESS = "On which page should I begin? Tell me its address."
LARGER_MODEL_FIX = "A larger model may manage it: `pilotfish models` lists those that can be used here."
LARGER_HERE_FIX = "{} This machine has the memory and cores for embedded:{}."
NO_PROGRESS = "I got no further. What I tried last: {}"
NOT_ASKED_AGAIN = "Not asked again: the person said “{}”. Decide yourself, or give up."
NOT_SHOWN = "nothing was changed, and no page shows this."
UNSURE = "it is not sure that this is what the goal asks."
LEAST_CERTAINTY = 0.3
"""Below this an end is doubted."""
NOT_DONE = "Not accepted as done: {} Do it, answer from the page, or give up."
FALSE_CLAIM = "Not done: {} The model said: {}"


class ShortLoop:
    """One run of a small model."""

    def __init__(self, run: "Run", notes: RunNotes) -> None:
        self.run = run
        self.notes = notes
        self.history = ShortHistory(run, HISTORY_TOKENS)
        self.sections = SectionSearch(run, self.history)
        earlier = run.untrusted.recount(run.messages[:-1][-EARLIER_MESSAGES:], EARLIER_LENGTH)
        self._goal = "\n".join([*(["Earlier:", earlier] if earlier else []), f"Goal: {run.task}"])
        self._before: frozenset[str] = frozenset()
        self._seen = SeenPages()
        self._doubted = False
        self._certainty = 1.0
        self._answers: dict[str, str] = {}

    async def work(self) -> None:
        """Look, ask, act, until there is an answer or no way on."""
        why = ""
        for number in range(1, await self.run.find_limit() + 1):
            page = await self.run.observe(room=WHOLE_PAGE_TOKENS, tools=False)
            if page.url in BLANK_ADDRESSES and number == 1:
                await self._open_first()
                page = await self.run.observe(room=WHOLE_PAGE_TOKENS, tools=False)
            await self.sections.begin()
            self._seen.see(page, self.history.changes)
            if self._seen.idle >= MOST_IDLE_TURNS:
                await self._search_sections(number, NO_PROGRESS.format(why))
                continue
            self.history.remark(self._seen.describe_round())
            reply = await self._ask(page)
            await self.run.reason(why := reply.why, "turn")
            if reply.give_up is not None:
                if not await self.sections.open_nearest(number):
                    await self._search_sections(number, reply.give_up)
            elif reply.ask is not None:
                await self._ask_person(reply.ask, page, number)
            elif reply.done is not None:
                await self._conclude(reply.done, number)
            else:
                await self._act(reply, page, number)
            if self.run.answer is not None:
                return

    async def _open_first(self) -> None:
        """Where nothing is open: open the address that the task gives, else ask for one."""
        found = ADDRESS_IN_TEXT.search(self.run.task)
        said = found[0].rstrip(".") if found else await self.run.request_input(ASK_FOR_ADDRESS)
        if not said:
            raise PersonError("No page is open, and the task names none.", "Say where to begin.")
        call = ToolCall(id="t0.0", tool="navigate", args={"action": "goto", "url": said})
        [result] = await self.run.act(call)
        await self.history.record(call, {}, result)

    async def _search_sections(self, number: int, why: str) -> None:
        """Go on with what other sections have that is near to the goal; end the run where nothing is."""
        if not await self.sections.tell_nearest(number):
            raise PersonError(self.sections.say_where(why), name_larger())
        self._seen.idle = 0

    async def _ask(self, page: ObservedPage) -> ShortReply:
        run = self.run
        self.history.see_page(page)
        system, text = run.prompt("short"), self._goal
        data = self._write_data(page, REQUEST_TOKENS - token_estimate(system) - token_estimate(text) - 40)
        self._before = frozenset(map(plain_line, page.text.splitlines()))
        shape = reply_shape(data, run.tools, dialog=self.history.dialog)
        wrapped, pictures = run.untrusted.wrap(data), await run.page_picture("decision")
        asked = Message(role="user", text=f"{text}\n{wrapped}", images=pictures)
        messages = [Message(role="system", text=system), asked]
        said, whole = await run.attempt_adapted(shape, messages, purpose="turn", tries=2, tier="decision")
        self._certainty = read_certainty(whole)
        return ShortReply(done=said) if isinstance(said, str) else said

    def _write_data(self, page: ObservedPage, room: int) -> str:
        """What was done, the notes, what was found and the page, the last cut to what matters."""
        words = f"{self.run.task}\n{self.notes.text}"
        found = "\n".join(line for _, result in self.history.fresh for line in result.output.splitlines()[2:])
        parts = [f"Done:\n{self.history.lines() or 'nothing'}"]
        parts += [f"Notes:\n{cut_page(self.notes.text, words, (), NOTES_TOKENS)}"] if self.notes.text else []
        parts += [f"Found:\n{cut_page(found, words, (), FOUND_TOKENS)}"] if found else []
        left = max(LEAST_PAGE_TOKENS, room - sum(map(token_estimate, parts)))
        return "\n".join([*parts, f"Page:\n{cut_page(page.text, words, self._before, left)}"])

    async def _act(self, reply: ShortReply, page: ObservedPage, number: int) -> None:
        """Carry out the acts. One that had its effect before, in the same row of the same look, is not repeated."""
        if reply.notes:
            self.history.remark(await self.notes.edit(NoteEdits(add=reply.notes)))
        actions = [complete_address(action, page.url) for action in reply.actions]
        fresh = self.history.begin_actions(number, actions, page)
        batch = ActionBatch(self.run, self.history, [tool for tool, _ in VERBS.values()], number, page.url)
        surprise = await batch.carry_out(actions[:fresh])
        await self.history.read_effects()
        again = DONE_BEFORE.format(describe_action(actions[fresh])) if fresh < len(actions) else ""
        self.history.remark(surprise or again)

    async def _ask_person(self, question: str, page: ObservedPage, number: int) -> None:
        """Ask, each question once.

        Where nothing was done and the page has no word of the goal, what other sections have is told first, since a
        small model asks where it only stands on the wrong page.
        """
        begun = self.history.changes or self.history.entries
        astray = not begun and not self.sections.names_any([*read_matter(page.text)])
        if astray and await self.sections.tell_nearest(number, page.url):
            return None
        if (known := self._answers.get(question)) is not None:
            return self.history.remark(NOT_ASKED_AGAIN.format(known))
        answer = await self.run.request_input(question, find_choices(question, page.text))
        self._answers[question] = answer or "nothing"
        self.history.remark(f"You asked: {question} → the person says: {answer or 'nothing'}")
        if answer is None:
            raise UnansweredError(question)
        return None

    async def _conclude(self, answer: str, number: int) -> None:
        """End the run where something was done or the page shows the answer, and the model was sure.

        The first time the model is told what is missing, or what other sections have where nothing that was changed has
        a word of the goal; then the run fails.
        """
        doubted, self._doubted = self._doubted, True
        astray = self.history.changes and not self.sections.names_any(self.history.changed)
        if not doubted and astray and await self.sections.tell_nearest(number):
            return None
        if not self.history.changes and not self._is_shown(answer):
            missing = NOT_SHOWN
        elif self._certainty < LEAST_CERTAINTY:
            missing = UNSURE
        else:
            return await self.run.finish(answer)
        if doubted or (missing == UNSURE and self.history.changes):
            raise PersonError(FALSE_CLAIM.format(missing, answer), name_larger())
        return self.history.remark(NOT_DONE.format(missing))

    def _is_shown(self, answer: str) -> bool:
        """Whether the pages show an answer, or that nothing had to be done."""
        goal, pages = self.run.task, self.history.pages
        if any(claims_untold_state(answer, goal, page) for page in pages[-1:]):
            return False
        return shows_answer(answer, goal, (*pages, *self.history.results)) or shows_state(answer, goal, pages)


def complete_address(action: TurnAction, here: str) -> TurnAction:
    """The action with a whole address where it has a path, as lines of the history show them."""
    path = str(action.args.get("url", ""))
    return action.model_copy(update={"url": urljoin(here, path)}) if path.startswith("/") else action


def name_larger() -> str:
    """Which model may manage what a small one does not."""
    best = recommend_entry(measure_machine()).name
    return LARGER_MODEL_FIX if best == DEFAULT else LARGER_HERE_FIX.format(LARGER_MODEL_FIX, best)


async def run_short_loop(run: "Run") -> None:
    """Let a small model work in the short form."""
    await ShortLoop(run, await open_notes(run)).work()

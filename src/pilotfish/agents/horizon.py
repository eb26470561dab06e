"""Rolling horizon: each turn is one model call that returns a few actions; they stop at the first surprise."""

from pilotfish.core.errors import ModelError, PersonError, UnansweredError
from pilotfish.core.pages import ObservedPage
from pilotfish.loop_support.action_batch import ActionBatch
from pilotfish.loop_support.evidence import EvidenceCheck
from pilotfish.loop_support.turn import CompletionClaim, PersonQuestion, Turn, turn_shape
from pilotfish.loop_support.working_memory import WorkingMemory, open_memory
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run

TOOLS = (
    "page", "browser", "get_text", "find", "get_schema", "collect", "screenshot", "recall_details", "planner",
    "other",
)  # fmt: skip
NOT_CONFIRMED = "This could not be confirmed on the page: {}."
WRONG_FORM = "The model did not answer in the form asked for, and nothing was done."
NOT_SHOWN = "Nothing was done, and nothing that was seen shows the answer: {}."


class PlainTextClaim(CompletionClaim):
    """A reply that is not JSON, taken as the claim that the task is done."""


@loop("horizon")
async def horizon(run: Run) -> None:
    """Ask the model, act and observe until the page shows that the task is done. A small model continues as pilot."""
    if (await run.facts()).small:
        await run.note("loop", "Using pilot: the model is small.", loop="pilot")
        return await run.continue_as("pilot")
    memory, doubted = await open_memory(run, *TOOLS), False
    for number in range(1, await run.find_limit() + 1):
        page = await run.observe()
        turn = await ask_for_turn(run, memory, page, number)
        await memory.keep(turn)
        if turn.give_up:
            raise PersonError(turn.give_up.reason, turn.give_up.help)
        if turn.ask:
            await ask_person(run, memory, turn.ask)
        elif turn.actions:
            await act(run, memory, turn, page, number)
        elif turn.done:
            await conclude(run, memory, turn.done, final=doubted)
            doubted = True
        if run.answer is not None:
            break
    return None


async def ask_for_turn(run: Run, memory: WorkingMemory, page: ObservedPage, number: int) -> Turn:
    """Ask the model once. A reply that is not JSON counts as the claim that the task is done, without evidence."""
    memory.offer(page)
    shape = turn_shape(memory.specs, run.settings.agent.horizon, await run.facts())
    messages = await memory.messages(page, number)
    reply = await run.attempt(shape, messages, purpose="turn", tries=2, thought="assessment")
    return Turn(done=PlainTextClaim(answer=reply)) if isinstance(reply, str) else reply


async def ask_person(run: Run, memory: WorkingMemory, asked: PersonQuestion) -> None:
    """Ask the person and record the question. No answer ends the run."""
    memory.history.remark(f"You asked the person: {asked.question}")
    if await run.request_input(asked.question, asked.choices) is None:
        raise UnansweredError(asked.question)


async def act(run: Run, memory: WorkingMemory, turn: Turn, page: ObservedPage, number: int) -> None:
    """Carry out the actions. End the run if the turn also claims to be done, and the page now shows new evidence."""
    batch = ActionBatch(run, memory.history, memory.offered, number, page.url)
    surprise = await batch.carry_out(turn.actions)
    memory.history.remark(surprise)
    if turn.done is None or surprise:
        return
    check = EvidenceCheck(run, memory.history)
    missing = await check.find_missing(turn.done, now := await run.observe())
    if missing or not check.is_new(turn.done, page, now):
        memory.history.remark(f"Not taken as done: {missing or 'the evidence was there before the actions'}.")
    else:
        await memory.complete()
        await run.finish(turn.done.answer)


async def conclude(run: Run, memory: WorkingMemory, claim: CompletionClaim, *, final: bool) -> None:
    """End the run if the claim is confirmed. The first other claim goes back to the model; a second ends the run, with
    an account of what was done and what is open."""
    check = EvidenceCheck(run, memory.history)
    page = await run.observe()
    missing = await check.find_missing(claim, page)
    doubt = missing or check.find_doubt(claim, page)
    if not doubt:
        await memory.complete()
        return await run.finish(claim.answer or "; ".join(claim.evidence))
    if not final:
        return memory.history.remark(f"Not accepted as done: {doubt}. Look again; do what is missing, or show it.")
    if not memory.history.effects and isinstance(claim, PlainTextClaim):
        raise ModelError(WRONG_FORM, "Try again, or use a larger model.")
    if missing and not memory.history.effects:
        raise PersonError(NOT_SHOWN.format(missing), "Say the task in other words, or look at the page yourself.")
    parts = (claim.answer, NOT_CONFIRMED.format(doubt), await run.describe_progress())
    return await run.finish("\n\n".join(filter(None, parts)))

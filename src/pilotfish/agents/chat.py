"""Answers questions about pages: first from their text, then with screenshots where the text is not enough."""

from pilotfish.agents.auto import choose_and_continue
from pilotfish.context.fitting import request_room
from pilotfish.core.messages import Message
from pilotfish.core.pages import TabText
from pilotfish.loop_support import hand_over
from pilotfish.loop_support.citations import credit_tabs
from pilotfish.loop_support.known_person import consult_memory, put_beside_question
from pilotfish.loop_support.look_signal import NOT_SEEN, SIGNAL, asks_to_look, drop_signal
from pilotfish.loop_support.page_cuts import note_cuts
from pilotfish.loop_support.page_questions import NO_TAB, speaks_of_page
from pilotfish.loop_support.spelled_tables import fit_page
from pilotfish.loop_support.tool_calling import ask_for_calls
from pilotfish.runtime.answer_cache import AnswerCache
from pilotfish.runtime.loops import loop
from pilotfish.runtime.page_reader import PageReader
from pilotfish.runtime.run import Run

TOOLS, LOOK_TURNS = ("screenshot", "scroll", "refresh"), 20
PROMPT_TOKENS, LOOK_TOKENS = 700, 4500
"""Tokens kept free for the prompt, and for pictures and results of the second pass, at most half of the room."""
PICTURE_SHOWN = "(a screenshot, shown to the person)"
NO_VISION = "The person was shown it. You cannot see pictures: say so, and answer from the text."


@loop("chat")
async def chat(run: Run) -> None:
    """Answer from the text of the selected tabs; look only if the answer asks for it. Without tabs, do as `auto`."""
    tabs, cached = await PageReader(run, run.secrets, run.key()).read_with_answer()
    if not tabs:
        return await (run.finish(NO_TAB) if speaks_of_page(run.task) else choose_and_continue(run))
    about_person = await consult_memory(run)
    if cached is not None and not about_person:
        await run.note("cache", "Asked before, and the page has not changed since: the same answer.")
        return await run.finish(cached)
    system = Message(role="system", text=await system_prompt(run, tabs, rows=bool(about_person)))
    await note_cuts(run, tabs, await text_share(run, tabs))
    messages = await hand_over.offer_hand_over(run, put_beside_question([system, *run.messages], about_person))
    reply = await run.ask(messages, purpose="answer", stream=True, hold=(SIGNAL, hand_over.SIGNAL))
    if await hand_over.follow_hand_over(run, reply.text):
        return None
    if asks_to_look(reply.text):
        return await run.finish(credit_tabs(await look_and_answer(run, tabs, about_person), tabs))
    if not about_person:
        await AnswerCache(run, tabs).keep(credit_tabs(reply.text, tabs))
    return await run.finish(credit_tabs(reply.text, tabs))


async def look_and_answer(run: Run, tabs: list[TabText], known: str) -> str:
    """The second pass: ask again, with tools that look at the page. Only the newest screenshots stay in the request."""
    system = Message(role="system", text=await system_prompt(run, tabs, looking=True))
    messages = put_beside_question([system, *run.messages], known)
    await note_cuts(run, tabs, await text_share(run, tabs, looking=True))
    for _ in range(LOOK_TURNS):
        reply = await ask_for_calls(run, messages, purpose="look", tools=TOOLS, stream=True, hold=(SIGNAL,))
        if not reply.calls and (answer := drop_signal(reply.text)):
            return answer
        if not reply.calls:
            break
        results = await run.act(*reply.calls)
        messages = [m.model_copy(update={"text": PICTURE_SHOWN, "images": ()}) if m.images else m for m in messages]
        messages.append(Message(role="assistant", text=reply.text, calls=reply.calls))
        for call, result in zip(reply.calls, results, strict=True):
            text = run.untrusted.wrap(result.output if result.ok else result.error, "page" if result.ok else "error")
            if result.ok and call.tool == "refresh":
                text = "The page was read again; it now stands above."
                messages[0] = Message(role="system", text=await system_prompt(run, await run.read_tabs(), looking=True))
            elif result.ok and call.tool == "screenshot" and not (await run.facts()).vision:
                text = NO_VISION
            messages.append(Message(role="tool", call=call.id, tool=call.tool, text=text))
        if pictures := await run.tool_pictures(results):
            messages.append(Message(role="user", text="The screenshot that you asked for.", images=pictures))
    last = await run.ask([*messages, Message(role="user", text="Answer now with what you have.")], purpose="answer")
    return drop_signal(last.text) or NOT_SEEN


async def system_prompt(run: Run, tabs: list[TabText], *, looking: bool = False, rows: bool = False) -> str:
    """The prompt with the pages, each cut to its share of the window, with `rows` for small models row by row."""
    share, small = await text_share(run, tabs, looking=looking), rows and (await run.facts()).small
    parts = [
        run.untrusted.wrap(f"Tab {t.id}: {t.title}\n{t.url}\n\n{fit_page(t.text, share, small)}", f"tab {t.id}")
        for t in tabs
    ]
    said = {"rule": run.prompt("chat_look" if looking else "chat_signal"), "text": "\n".join(parts)}
    return run.prompt("chat_one" if len(tabs) == 1 else "chat_many", count=len(tabs), **said)


async def text_share(run: Run, tabs: list[TabText], *, looking: bool = False) -> int:
    """How many tokens of each page go into the prompt."""
    facts = await run.facts()
    whole = request_room(facts, None) - PROMPT_TOKENS - facts.window // 8
    return max(200, (whole - min(whole // 2, LOOK_TOKENS) if looking else whole) // len(tabs))


async def warm_model(run: Run) -> None:
    """Read the tabs and send them to the model before a question comes."""
    if tabs := await PageReader(run, run.secrets, "").read_tabs():
        ready = Message(role="system", text=await system_prompt(run, tabs))
        await (await run.context.models.of("main", run.options.get("model", ""))).warm([ready])

"""Two-pass answers about pages: first from their text alone, then, only when that is not enough, by looking."""

from pilotfish.core.messages import Message, Reply
from pilotfish.runtime.aids.answers import Answers
from pilotfish.runtime.aids.calling import calls
from pilotfish.runtime.aids.credit import credited
from pilotfish.runtime.aids.sight import SIGNAL, blind
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run
from pilotfish.runtime.seeing import Seeing, TabText
from pilotfish.runtime.window.context import room, shorten

TOOLS = ("screenshot", "scroll", "refresh")
TURNS = 20
FIXED = 700
NO_TAB = "There is no open page to answer from. Open a tab, or give an address with your question."
SHOWN = "(a screenshot, shown to the person)"
UNSEEN = "The person was shown it. You cannot see pictures: say so, and answer from the text."


@loop("chat")
async def chat(run: Run) -> None:
    """Answer about the selected tabs at once; look only if the answer says that it must."""
    tabs, known = await Seeing(run, run.key()).consult()
    if not tabs:
        return await run.finish(NO_TAB)
    if known is not None:
        await run.note("cache", "Asked before, and the page has not changed since: the same answer.")
        return await run.finish(known)
    messages = [Message(role="system", text=await system(run, tabs)), *run.messages]
    reply = await run.ask(messages, purpose="answer", aloud=True, hold=SIGNAL)
    if blind(reply.text):
        return await run.finish(credited((await look(run, tabs)).text, tabs))
    answer = credited(reply.text, tabs)
    await Answers(run, tabs).keep(answer)
    return await run.finish(answer)


async def look(run: Run, tabs: list[TabText]) -> Reply:
    """Pass two: the same question with three tools to look with. A picture once seen stays as a line."""
    messages = [Message(role="system", text=await system(run, tabs, looking=True)), *run.messages]
    for _ in range(TURNS):
        reply = await calls(run, messages, purpose="look", tools=TOOLS, aloud=True)
        if not reply.calls:
            return reply
        results = await run.act(*reply.calls)
        messages = [m.model_copy(update={"text": SHOWN, "images": ()}) if m.images else m for m in messages]
        messages.append(Message(role="assistant", text=reply.text, calls=reply.calls))
        for call, result in zip(reply.calls, results, strict=True):
            text = run.fence.wrap(result.output if result.ok else result.error, "page" if result.ok else "error")
            if result.ok and call.tool == "refresh":
                text = "The page was read again; it now stands above."
                messages[0] = Message(role="system", text=await system(run, await run.read(), looking=True))
            elif result.ok and call.tool == "screenshot" and not (await run.facts()).vision:
                text = UNSEEN
            messages.append(Message(role="tool", call=call.id, tool=call.tool, text=text))
        if pictures := await run.pictures(results):
            messages.append(Message(role="user", text="The screenshot that you asked for.", images=pictures))
    return await run.ask([*messages, Message(role="user", text="Answer now with what you have.")], purpose="answer")


async def system(run: Run, tabs: list[TabText], *, looking: bool = False) -> str:
    """The prompt with the pages in it, each within its share of the window: the same in every turn, for the caches."""
    facts = await run.facts()
    whole = room(facts, None) - FIXED - facts.window // 8
    share = max(200, (whole // 2 if looking else whole) // len(tabs))
    rule = run.prompt("chat_look" if looking else "chat_signal")
    parts = [run.fence.wrap(f"Tab {t.id}: {t.title}\n{t.url}\n\n{shorten(t.text, share)}", f"tab {t.id}") for t in tabs]
    return run.prompt("chat_one" if len(tabs) == 1 else "chat_many", rule=rule, count=len(tabs), text="\n".join(parts))


async def warm(run: Run) -> None:
    """Before a question comes: read the tabs, and have the model read them too."""
    if tabs := await Seeing(run, "").glance():
        model = await run.kit.minds.of("main", run.options.get("model", ""))
        await model.warm([Message(role="system", text=await system(run, tabs))])

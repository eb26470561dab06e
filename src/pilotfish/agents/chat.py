"""Two-pass answers about pages: first from their text alone, then, only when that is not enough, by looking."""

import re

from pilotfish.core.messages import Message, Reply
from pilotfish.runtime.context import room, shorten, tokens
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run
from pilotfish.runtime.seeing import TabText

TOOLS = ("screenshot", "scroll", "refresh")
TURNS = 20
SIGNAL = "LOOK:"
FIXED = 1200
NO_TAB = "There is no open page to answer from. Open a tab, or give an address with your question."

# The words of a model that forgot the signal: it says that *it* cannot see, not that the page speaks of seeing.
BLIND = re.compile(
    r"\bI (?:can ?not|can't|am (?:not able|unable) to) (?:see|view|look|scroll)\b"
    r"|\bich kann .{0,30}nicht sehen\b|\bje ne (?:peux|vois) pas\b|\bno puedo ver\b|\bnão (?:consigo|posso) ver\b"
    r"|我(?:无法|不能|没法)(?:看到|查看|看见)|(?:見る|確認する)ことができません",
    re.IGNORECASE,
)


@loop("chat")
async def chat(run: Run) -> None:
    """Answer about the selected tabs at once; look only if the answer says that it must."""
    tabs = await run.read()
    if not tabs:
        await run.finish(NO_TAB)
        return
    messages = [Message(role="system", text=await system(run, tabs)), *run.messages]
    reply = await run.ask(messages, purpose="answer", aloud=True, hold=SIGNAL)
    if needs_look(reply.text):
        reply = await look(run, messages)
    await run.finish(reply.text)


async def look(run: Run, messages: list[Message]) -> Reply:
    """Pass two: the same question with three tools to look with."""
    for _ in range(TURNS):
        reply = await run.ask(messages, purpose="look", tools=TOOLS, aloud=True)
        if not reply.calls:
            return reply
        results = await run.act(*reply.calls)
        messages.append(Message(role="assistant", text=reply.text, calls=reply.calls))
        for call, result in zip(reply.calls, results, strict=True):
            text = run.fence.wrap(result.output) if result.ok else result.error
            messages.append(Message(role="tool", call=call.id, tool=call.tool, text=text))
        if pictures := await run.pictures(results):
            messages.append(Message(role="user", text="The screenshot that you asked for.", images=pictures))
    return await run.ask([*messages, Message(role="user", text="Answer now with what you have.")], purpose="answer")


async def system(run: Run, tabs: list[TabText]) -> str:
    """The prompt with the pages in it, each within its share of the window."""
    share = max(
        200, (room(await run.facts(), None) - FIXED - sum(tokens(m.text) for m in run.messages[-4:])) // len(tabs)
    )
    if len(tabs) == 1:
        tab = tabs[0]
        return run.prompt("chat_one", title=tab.title, url=tab.url, text=run.fence.wrap(shorten(tab.text, share)))
    parts = (f"Tab {t.id}: {t.title}\n{run.fence.wrap(shorten(t.text, share), f'tab {t.id}')}" for t in tabs)
    return run.prompt("chat_many", count=len(tabs), text="\n\n".join(parts))


def needs_look(answer: str) -> bool:
    """Whether pass one asks to look: by the agreed signal, else by saying that it cannot see."""
    return answer.lstrip().startswith(SIGNAL) or bool(BLIND.search(answer[:300]))

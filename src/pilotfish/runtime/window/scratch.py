"""A research run's working memory: rounds of calls and results, oldest shrunk first, sources kept."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json

from pilotfish.core.messages import Call, Message, ToolSpec
from pilotfish.runtime.aids.calling import lines, native
from pilotfish.runtime.aids.credit import grounded
from pilotfish.runtime.aids.estimate import complexity
from pilotfish.runtime.aids.language import language
from pilotfish.runtime.window.context import abridged, shorten, slide, tokens
from pilotfish.runtime.window.gist import LONG, gist
from pilotfish.runtime.window.shares import shares
from pilotfish.tools.base import Result

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run

SOURCES = {"Chinese": "来源", "German": "Quellen", "Spanish": "Fuentes", "Italian": "Fonti", "Japanese": "出典"}
SEARCH, READ, PAGES = "web_search", "web_fetch", 3
LINE = 40
"""Tokens of an old round's message, once it is reduced."""


class Scratch:
    """What was called, what came back, and what may be cited."""

    def __init__(self, run: "Run", tools: list[str]) -> None:
        self.run = run
        self.tools = tools
        self.sources: list[Mapping[str, Any]] = []
        self._passages: list[str] = []
        self.count = 0
        self.small = False
        self.native = True
        self._rounds: list[list[Message]] = []
        self._found: list[str] = []

    @property
    def used(self) -> bool:
        return bool(self.sources) or self.count > 0

    async def open(self) -> None:
        """See what the model can do: how much it holds, and whether it makes tool calls of its own."""
        facts = await self.run.facts()
        self._shares = shares(complexity(self.run.task), facts.window)
        self.small = facts.small
        self.native = native(facts)

    def urge(self, text: str) -> None:
        self._rounds.append([Message(role="user", text=text)])

    async def add(self, calls: Sequence[Call], results: Sequence[Result], thinking: str) -> None:
        """Take a round in. A long result is summarised, and kept whole under an id."""
        self.count += 1
        messages = [Message(role="assistant", text=thinking, calls=tuple(calls))] if self.native else _written(calls)
        for number, (call, result) in enumerate(zip(calls, results, strict=True)):
            self._cite(result)
            self._found += [result.output] if result.ok else []
            failed = f"Failed:\n{self.run.fence.wrap(result.error, 'error')}"
            text = await self._short(f"r{self.count}.{number}", result) if result.ok else failed
            told = Message(role="tool", call=call.id, tool=call.tool, text=text)
            messages.append(told if self.native else Message(role="user", text=f"{call.tool}:\n{text}"))
        self._rounds.append(messages)

    def lead(self, calls: Sequence[Call], results: Sequence[Result]) -> Call | None:
        """What a small model forgets: to read what its search found. It need not decide that, nor see the list."""
        made = zip(calls, results, strict=True)
        hits = [hit for call, result in made if call.tool == SEARCH for hit in _hits(result)]
        if not (self.small and hits and READ in self.tools):
            return None
        self._rounds.pop()
        return Call(id=f"{self.count}.read", tool=READ, args={"urls": hits[:PAGES], "query": self.run.task})

    async def _short(self, id: str, result: Result) -> str:
        """A result as it goes into the conversation: whole if it is short, else its gist and where the rest is."""
        if tokens(result.output) <= LONG:
            return self.run.fence.wrap(result.output, "tool")
        await self.run.results.keep(self.run.id, id, result.output)
        short = self.run.fence.wrap(await gist(self.run, result.output), "tool")
        return f"{short}\n[shortened; all of it: recall_details, result_id {id}]"

    def _cite(self, result: Result) -> None:
        known = {source["url"] for source in self.sources}
        for source in result.data.get("sources", ()):
            if source.get("url") and source["url"] not in known:
                known.add(source["url"])
                self.sources.append({"title": source.get("title") or source["url"], "url": source["url"]})
                self._passages.append(f"{source.get('title', '')}\n{source.get('passage', '')}")

    def prompt(self, name: str, style: str) -> list[Message]:
        """The request: stable prefix first, the newest results last and whole."""
        system = self.run.prompt(name, style=style, tools=lines(self.specs))
        sources = "\n".join(f"[{n}] {s['title']} {s['url']}" for n, s in enumerate(self.sources, 1))
        spoken = language(self.run.task)
        tail = [f"Sources so far:\n{self.run.fence.wrap(sources, 'sources')}"] if sources else []
        tail += [f"Answer in {spoken}."] if spoken != "English" else []
        last = [Message(role="user", text="\n".join(tail))] if tail else []
        said = slide(self.run.messages, self._shares.history + self._shares.message)
        return [Message(role="system", text=system), *said, *self._shrunk(), *last]

    @property
    def specs(self) -> list[ToolSpec]:
        return [self.run.kit.tools[tool].spec for tool in self.tools]

    def _shrunk(self) -> list[Message]:
        """All rounds, the oldest reduced to a line each while together they are too long."""
        rounds = list(self._rounds)
        for place in range(len(rounds) - 1):
            if sum(tokens(m.text) for messages in rounds for m in messages) <= self._shares.scratchpad:
                break
            rounds[place] = [m.model_copy(update={"text": abridged(m.text, LINE)}) for m in rounds[place]]
        return [message for messages in rounds for message in messages]

    def cited(self, answer: str) -> str:
        """The answer with the sources that it cites listed (all, where it cites none), unless it lists them itself.
        A small model numbers them badly, so that is done by rule."""
        answer = grounded(answer, self._passages) if self.small else answer
        numbered = list(enumerate(self.sources, 1))
        used = [(n, s) for n, s in numbered if f"[{n}]" in answer] or numbered
        if all(source["url"] in answer for _, source in used):
            return answer
        listed = "\n".join(f"{n}. [{s['title']}]({s['url']})" for n, s in used)
        return f"{answer}\n\n{SOURCES.get(language(answer), 'Sources')}:\n{listed}"

    def partial(self, why: str) -> str:
        """What was found so far, when there is no money to put it into words."""
        parts = "\n\n".join(shorten(text, 200) for text in self._found[-3:])
        return self.cited(f"{why} This is what was found until then:\n\n{parts}" if parts else why)


def _hits(result: Result) -> list[str]:
    return [hit["url"] for hit in result.data.get("hits", ())] if result.ok else []


def _written(calls: Sequence[Call]) -> list[Message]:
    """Calls as a model wrote them that has none of its own."""
    made = [{"tool": call.tool, "parameters": dict(call.args)} for call in calls]
    return [Message(role="assistant", text=to_json({"action": "tool", "tool_calls": made}).decode())]

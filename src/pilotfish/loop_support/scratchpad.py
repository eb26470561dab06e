"""The working memory of a research run: its rounds of calls and results, and its sources."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json

from pilotfish.context.fitting import abridge_text, newest_turns, shorten_text, token_estimate
from pilotfish.context.summarizer import LONG_RESULT, summarize_result
from pilotfish.context.window_shares import divide_window
from pilotfish.core.messages import Message, ToolCall, ToolSpec
from pilotfish.loop_support.citations import cite_sources, list_citations
from pilotfish.loop_support.estimates import is_small_talk, needs_lookup, rate_complexity
from pilotfish.loop_support.known_person import consult_memory
from pilotfish.loop_support.language import detect_language
from pilotfish.loop_support.tool_calling import describe_tools, uses_native_calls
from pilotfish.tools.base import ToolResult

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run

SOURCES = {"Chinese": "来源", "German": "Quellen", "Spanish": "Fuentes", "Italian": "Fonti", "Japanese": "出典"}
NAME = re.compile(r"[^\W_]+(?:['’]s)?")
SEARCH_TOOL, READ_TOOL, DRAW_TOOL, PAGES = "web_search", "web_fetch", "image_generate", 3
CLOSING_REQUEST = "Answer the question now with what you have found, in plain Markdown."
CLOSING_SMALL = (
    "Answer the question now, only from what the tools returned. Say what each page tells about it, with its source as"
    " [1]; leave out pages that tell nothing. Then answer in one or two sentences."
)
CLOSING_QUESTION = (
    "Question: {}\nAnswer it now in one sentence, only from what the tools returned. Leave out what was not asked."
)
MISSING_REQUEST = "Nothing was read yet about: {}. Search for it with web_search."
DOUBT_REQUEST = "{} Look again, or answer without it and say what could not be found."
LINE = 40
"""Tokens of an old round's message, once it is reduced."""


class Scratchpad:
    """The rounds of calls and results so far, and the sources that may be cited."""

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
        self._attached: list[str] = []
        self.required = False
        self.missing: list[str] = []
        self._not_drawn = ""
        self._doubted = False
        self._lookups: list[bool] = []

    @property
    def used(self) -> bool:
        return bool(self.sources) or self.count > 0

    async def open(self) -> None:
        """Read the size of the model's window and whether it makes native tool calls."""
        facts = await self.run.facts()
        self._shares = divide_window(rate_complexity(self.run.task), facts.window)
        self.small = facts.small
        self.native = uses_native_calls(facts)
        self._attached = list(filter(None, [await consult_memory(self.run), *await self._read_files()]))

    def must_look_up(self, unsure: bool) -> bool:
        """Whether to require a tool call before the answer, at most once a run.

        A model that makes native calls gives no confidence. There the style decides: `tool_first` requires one for
        every question, `balanced` if the answer changes with time, `direct` never.
        """
        if self.used or self.required or not self.tools or is_small_talk(self.run.task):
            return False
        style = self.run.context.settings.agent.style
        changes = SEARCH_TOOL in self.tools and needs_lookup(self.run.task)
        always = style == "tool_first" or (style == "balanced" and changes)
        return always if self.native else unsure

    def find_doubt(self, answer: str) -> str:
        """What of an answer cannot be true: a source that there is not, or that anything was found where all failed."""
        false = [] if self.small or self._attached else list_citations(answer, len(self.sources))
        if false:
            return f"There is no source {', '.join(f'[{number}]' for number in false)}."
        failed = self._lookups and not any(self._lookups) and not self.small
        return "Nothing could be looked up: every search and page failed." if failed else ""

    def raise_doubt(self, answer: str) -> bool:
        """Let the model look again at an answer that cannot be true, once a run. False where nothing is to be asked."""
        doubt = "" if self._doubted else self.find_doubt(answer)
        self._doubted = self._doubted or bool(doubt)
        if doubt:
            said = [Message(role="assistant", text=answer), Message(role="user", text=DOUBT_REQUEST.format(doubt))]
            self._rounds.append(said)
        return bool(doubt)

    def closing_message(self) -> Message:
        """The request for the answer, after the last round."""
        request = (
            CLOSING_QUESTION.format(self.run.task) if self.run.task.rstrip().endswith(("?", "？")) else CLOSING_SMALL
        )
        return Message(role="user", text=request if self.small else CLOSING_REQUEST)

    async def _read_files(self) -> list[str]:
        """The beginning of each attached file or tab; recall_details returns the rest in parts."""
        if not self.run.options.get("tabs"):
            return []
        tabs = await self.run.read_tabs()
        share = max(200, self._shares.scratchpad // (4 * max(1, len(tabs))))
        attached: list[str] = []
        for number, tab in enumerate(tabs, 1):
            await self.run.results.keep(self.run.id, f"f{number}", tab.text)
            begin = self.run.untrusted.wrap(f"{tab.title}\n\n{shorten_text(tab.text, share)}", f"file {number}")
            whole = token_estimate(tab.text) <= share
            more = "" if whole else f"\n[the beginning; the rest: recall_details, result_id f{number}, part or focus]"
            attached.append(f"Attached {number}:\n{begin}{more}")
        return attached

    def require_tool(self, text: str) -> None:
        """Ask the model for a tool call."""
        self.required = True
        self._rounds.append([Message(role="user", text=text)])

    async def add(self, calls: Sequence[ToolCall], results: Sequence[ToolResult], thinking: str) -> None:
        """Add a round. A long result is summarised, and its full text stays available under an id."""
        self.count += 1
        messages = (
            [Message(role="assistant", text=thinking, calls=tuple(calls))] if self.native else _write_calls(calls)
        )
        for number, (call, result) in enumerate(zip(calls, results, strict=True)):
            self._add_sources(result)
            self._found += [result.output] if result.ok else []
            self._lookups += [result.ok] if call.tool in (SEARCH_TOOL, READ_TOOL) else []
            self._not_drawn = result.error if call.tool == DRAW_TOOL else self._not_drawn
            failed = f"Failed:\n{self.run.untrusted.wrap(result.error, 'error')}"
            text = await self._shorten_result(f"r{self.count}.{number}", result) if result.ok else failed
            message = Message(role="tool", call=call.id, tool=call.tool, text=text)
            messages.append(
                message if self.native else Message(role="user", text=f"{call.tool}:\n{text}", origin="tool")
            )
        self._rounds.append(messages)

    def next_fetch(self, calls: Sequence[ToolCall], results: Sequence[ToolResult]) -> ToolCall | None:
        """The call that fetches the best search results, for small models, which often forget it."""
        pairs = zip(calls, results, strict=True)
        hits = [hit for call, result in pairs if call.tool == SEARCH_TOOL for hit in _list_hits(result)]
        if not (self.small and hits and READ_TOOL in self.tools):
            return None
        self._rounds.pop()
        return ToolCall(id=f"{self.count}.read", tool=READ_TOOL, args={"urls": hits[:PAGES], "query": self.run.task})

    def request_missing(self) -> bool:
        """Ask a small model to search for names of the question about which nothing was read; False where all were.

        It is asked again only if the last search brought one of them, so a name that nobody knows ends the search.
        """
        missing = find_unread_names(self.run.task, [*self._passages, *self._found])
        if not missing or (self.missing and len(missing) >= len(self.missing)):
            return False
        self.missing = missing
        self._rounds.append([Message(role="user", text=MISSING_REQUEST.format(", ".join(missing)))])
        return True

    async def _shorten_result(self, id: str, result: ToolResult) -> str:
        """A short result unchanged; a long one as a summary with the id of its full text."""
        if token_estimate(result.output) <= LONG_RESULT:
            return self.run.untrusted.wrap(result.output, "tool")
        await self.run.results.keep(self.run.id, id, result.output)
        short = self.run.untrusted.wrap(await summarize_result(self.run, result.output), "tool")
        return f"{short}\n[shortened; all of it: recall_details, result_id {id}]"

    def _add_sources(self, result: ToolResult) -> None:
        known = {source["url"] for source in self.sources}
        for source in result.data.get("sources", ()):
            if source.get("url") and source["url"] not in known:
                known.add(source["url"])
                self.sources.append({"title": source.get("title") or source["url"], "url": source["url"]})
                self._passages.append(f"{source.get('title', '')}\n{source.get('passage', '')}")

    def prompt(self, name: str, style: str) -> list[Message]:
        """The messages of a request: the parts that stay the same first, the newest results last."""
        system = self.run.prompt(name, style=style, tools=describe_tools(self.specs))
        sources = "\n".join(f"[{n}] {s['title']} {s['url']}" for n, s in enumerate(self.sources, 1))
        language = detect_language(self.run.task)
        tail = [f"Sources so far:\n{self.run.untrusted.wrap(sources, 'sources')}"] if sources else []
        tail += [f"Answer in {language}."] if language != "English" else []
        last = [Message(role="user", text="\n".join(tail))] if tail else []
        said = newest_turns(self.run.messages, self._shares.history + self._shares.message)
        attached = [Message(role="user", text="\n\n".join(self._attached), origin="tool")] if self._attached else []
        return [Message(role="system", text=system), *attached, *said, *self._shrink_rounds(), *last]

    @property
    def specs(self) -> list[ToolSpec]:
        return [self.run.context.tools[tool].spec for tool in self.tools]

    def _shrink_rounds(self) -> list[Message]:
        """All rounds; the oldest are reduced to one line each until the rest fits."""
        rounds = list(self._rounds)
        for place in range(len(rounds) - 1):
            if sum(token_estimate(m.text) for messages in rounds for m in messages) <= self._shares.scratchpad:
                break
            rounds[place] = [m.model_copy(update={"text": abridge_text(m.text, LINE)}) for m in rounds[place]]
        return [message for messages in rounds for message in messages]

    def with_sources(self, answer: str) -> str:
        """The answer with a list of the sources that it cites, or of all if it cites none, unless it has a list.

        Citations of a small model are often wrong; they are replaced by those that `cite_sources` finds. Where a
        picture could not be drawn, a source is made up or all lookups failed, the answer says so, whatever the model
        says."""
        doubt = self.find_doubt(answer)
        answer += f"\n\n({doubt})" if doubt else ""
        answer += f"\n\n(No picture was drawn: {self._not_drawn})" if self._not_drawn else ""
        answer = cite_sources(answer, self._passages) if self.small else answer
        numbered = list(enumerate(self.sources, 1))
        used = [(n, s) for n, s in numbered if f"[{n}]" in answer] or numbered
        if all(source["url"] in answer for _, source in used):
            return answer
        listed = "\n".join(f"{n}. [{s['title']}]({s['url']})" for n, s in used)
        return f"{answer}\n\n{SOURCES.get(detect_language(answer), 'Sources')}:\n{listed}"

    def partial_answer(self, why: str) -> str:
        """The results so far, for when the budget does not allow an answer."""
        parts = "\n\n".join(shorten_text(text, 200) for text in self._found[-3:])
        return self.with_sources(f"{why} This is what was found until then:\n\n{parts}" if parts else why)


def find_unread_names(question: str, texts: Sequence[str]) -> list[str]:
    """The names and numbers in a question that stand in none of the texts. Its first word is no name."""
    words = [word for word in NAME.findall(question) if len(word) > 1]
    named = [word for word in words[1:] if word[0].isupper() or word[0].isdigit()]
    read = {word.casefold() for text in texts for word in NAME.findall(text)}
    return [word for word in dict.fromkeys(named) if word.casefold().removesuffix("’s").removesuffix("'s") not in read]


def _list_hits(result: ToolResult) -> list[str]:
    return [hit["url"] for hit in result.data.get("hits", ())] if result.ok else []


def _write_calls(calls: Sequence[ToolCall]) -> list[Message]:
    """Calls in the JSON form of models without native tool calls."""
    written = [{"tool": call.tool, "parameters": dict(call.args)} for call in calls]
    return [Message(role="assistant", text=to_json({"action": "tool", "tool_calls": written}).decode())]

"""Carries out several actions in order, and stops at the first surprise."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pilotfish.core.messages import ToolCall
from pilotfish.core.pages import ElementQuery
from pilotfish.core.recipe import ELEMENT_ARGUMENTS
from pilotfish.loop_support.evidence import contains_words
from pilotfish.loop_support.run_history import RunHistory, report_body
from pilotfish.loop_support.turn import RESEARCH, TurnAction
from pilotfish.runtime.progress import LOOKING_TOOLS
from pilotfish.tools.base import ToolResult

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run

OPENS_PAGE = ("navigate", "manage_tabs")
"""Tools that open another page on purpose; a new page after them is no surprise."""
APPEAR_SECONDS = 3.0
"""Seconds in which a named element or expected words may come."""
CANDIDATES_SHOWN = 4
REMAINING_SHOWN = 8


class Surprise(Exception):
    """Raised with the reason why the remaining actions must not be carried out."""


class ActionBatch:
    """Carries out the actions of one turn. `offered` are the tools that the request named."""

    def __init__(self, run: "Run", history: RunHistory, offered: Sequence[str], number: int, url: str) -> None:
        self.run = run
        self.history = history
        self.offered = offered
        self.number = number
        self._url = url
        self._known: Mapping[int, ElementQuery] = {}
        self._elements: dict[str, ElementQuery] = {}
        self._page_change = ""
        self._expected = self._same_page = True

    async def carry_out(self, actions: Sequence[TurnAction]) -> str:
        """Carry out the actions. Returns why they ended early, or an empty text."""
        most = self.run.settings.agent.horizon
        kept = [action for action in actions if action.written < most]
        self._known = await self.run.describe_elements([id for action in kept for id in action.ids])
        for place, action in enumerate(kept):
            try:
                if await self.run.is_addressed():
                    raise Surprise("The person said something.")
                args = await self._resolve(action)
            except Surprise as surprise:
                return report_end(str(surprise), actions[place:])
            try:
                await self._check_result(action, await self._perform(action, args, place))
            except Surprise as surprise:
                return report_end(str(surprise), actions[place + 1 :])
        left = actions[len(kept) :]
        return report_end(f"Only {most} actions are carried out in a turn.", left) if left else ""

    async def _perform(self, action: TurnAction, args: dict[str, Any], place: int) -> ToolResult:
        call = ToolCall(id=f"t{self.number}.{place}", tool=action.tool, args=args, offered=action.tool in self.offered)
        if call.tool == RESEARCH.name and call.offered:
            result = await self._research(str(args.get("question", "")))
        else:
            [result] = await self.run.act(call)
        await self.history.record(call, self._elements, result)
        return result

    async def _research(self, question: str) -> ToolResult:
        """Let a sub-run answer a question from the web."""
        child = await self.run.fork(question, "react")
        if child.outcome != "completed":
            return ToolResult(ok=False, error=child.answer or "The question could not be answered.")
        return ToolResult(output=child.answer, text=f"Looked up: {question}")

    async def _resolve(self, action: TurnAction) -> dict[str, Any]:
        """The arguments with the current numbers of the elements. Raises a surprise if the page is another."""
        wanted = {name: value for name, value in action.args.items() if name in ELEMENT_ARGUMENTS}
        numbers = {name: value for name, value in wanted.items() if isinstance(value, int)}
        old = list(numbers) if self._page_change else []
        self._elements = {name: self._known[id] for name, id in numbers.items() if id in self._known} | action.queries
        if old and not (self._same_page and self._elements.keys() >= set(old)):
            raise Surprise(f"{self._page_change} Numbers of the page before mean nothing on it.")
        if self._page_change and not self._expected and not wanted and self._acts_anywhere(action.tool):
            raise Surprise(f"{self._page_change} The next action may not be meant for it.")
        searched = action.queries | {name: self._elements[name] for name in old}
        return action.args | {name: await self._find(query) for name, query in searched.items()}

    def _acts_anywhere(self, name: str) -> bool:
        """Whether a tool without a target changes whatever page is there, as a key does."""
        tool = self.run.context.tools.get(name)
        return bool(tool and tool.effect and tool.group == "page" and name not in LOOKING_TOOLS)

    async def _find(self, query: ElementQuery) -> int:
        """The number of the only element that fits. Raises a surprise if several fit, or none comes in time."""
        found = await self.run.search_elements(query, APPEAR_SECONDS)
        if len(found) == 1:
            return found[0].id
        if found:
            raise Surprise(f"{len(found)} elements fit {query}: {list_candidates(map(str, found))}.")
        raise Surprise(f"There is no {query} on the page.{await self._describe_other_rows(query)}")

    async def _describe_other_rows(self, query: ElementQuery) -> str:
        """The elements of that role and name in rows that have some of the words, where no row has them as they were
        given."""
        if not query.row:
            return ""
        words = set(query.row.casefold().split())
        named = await self.run.search_elements(query.model_copy(update={"row": ""}))
        there = await self.run.describe_elements([each.id for each in named])
        shared = {f"[{id}] {each}": len(words & set(each.row.casefold().split())) for id, each in there.items()}
        near = [text for text in sorted(shared, key=lambda text: -shared[text]) if shared[text]]
        return f" In other rows: {list_candidates(near)}. Part with | what stands apart in a row." if near else ""

    async def _check_result(self, action: TurnAction, result: ToolResult) -> None:
        """Raise a surprise where the action failed, something was not sent, a dialog came up, or the expected
        words do not show."""
        if not result.ok:
            raise Surprise(f"{action.tool} failed.")
        if result.data.get("withheld"):
            raise Surprise("Something that the page wanted to send was stopped.")
        if "dialog" in result.data.get("notices", ()) and not action.args.get("answer"):
            raise Surprise("A dialog came up.")
        if action.expect and not await self._shows(action.expect, result):
            raise Surprise(f'"{action.expect}" does not show after it.')
        if result.data.get("moved") == "document":
            url = str(result.data["url"])
            self._same_page = same_address(self._url, url)
            self._expected = action.tool in OPENS_PAGE or bool(action.expect)
            self._page_change = f'The page is now "{result.data["title"]}" at {url[:120]}.'

    async def _shows(self, words: str, result: ToolResult) -> bool:
        return contains_words(words, [report_body(result)]) or await self.run.has_text(words, APPEAR_SECONDS)


def list_candidates(candidates: Iterable[str]) -> str:
    some = list(candidates)
    return "; ".join(some[:CANDIDATES_SHOWN]) + ("; …" if some[CANDIDATES_SHOWN:] else "")


def report_end(why: str, remaining: Sequence[TurnAction]) -> str:
    """Why the actions ended, and which were not carried out."""
    some = "; ".join(map(describe_action, remaining[:REMAINING_SHOWN]))
    more = f"; and {len(remaining) - REMAINING_SHOWN} more" if remaining[REMAINING_SHOWN:] else ""
    return f"{why} Not carried out: {some}{more}." if remaining else why


def describe_action(action: TurnAction) -> str:
    queries = {name: str(query) for name, query in action.queries.items()}
    args = {name: queries.get(name, value) for name, value in action.args.items()}
    return f"{action.tool}({', '.join(f'{name}={value}' for name, value in args.items())})"[:160]


def same_address(one: str, two: str) -> bool:
    """Whether two addresses are the same page, query and fragment aside."""
    return urlsplit(one)[:3] == urlsplit(two)[:3]

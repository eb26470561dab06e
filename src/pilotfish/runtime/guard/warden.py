"""Stands between a run's model and its tools: judges each call by what it would touch, and asks the person.

What the person allowed and where words came from are folds over the journal, so a run that is taken up after a crash
knows them. An approval holds for one deed: same tab, address, element and arguments, or it is asked for again.
"""

import asyncio
import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, cast, get_args

from pydantic import BaseModel

from pilotfish.browser.keys import transfer
from pilotfish.core import events
from pilotfish.core.errors import PersonError, ToolError
from pilotfish.core.messages import Call
from pilotfish.core.policy import Deed, Label, Preset, Target, Verdict
from pilotfish.core.settings import Policy
from pilotfish.runtime.guard.doubt import doubted
from pilotfish.runtime.guard.past import ALWAYS, SINGLE, Past
from pilotfish.runtime.guard.seal import Seal
from pilotfish.safety.address import site
from pilotfish.safety.effects import address
from pilotfish.safety.judge import SAID, judge
from pilotfish.safety.telling import described, place

if TYPE_CHECKING:
    from pilotfish.browser.tab import Tab
    from pilotfish.runtime.run import Run
    from pilotfish.tools.base import Tool

ONCE, DENY = "Allow once", "Deny"
TOUCHING = frozenset({"click", "type", "press_key", "select", "drag", "mark", "upload"})
JUDGED = frozenset({"page", "browser", "web", "memory", "mcp"})
PLAIN = frozenset({"read", "view"})
TRIES = 4


@dataclass(frozen=True)
class Ruling:
    """What came of asking: nothing to say, or the reason for the model; and what the journal should hold."""

    refusal: str = ""
    notes: tuple[events.Event, ...] = ()


class Warden:
    """One run's policy at work."""

    def __init__(self, run: "Run") -> None:
        self.run = run
        self.past = Past(run)
        self.ledger = self.past.ledger
        self.seal = Seal(run)
        self._turn = asyncio.Lock()

    @property
    def policy(self) -> Policy:
        """The settings' policy, with the sites that this run is trusted on."""
        policy = self.run.kit.settings.policy
        return policy.model_copy(update={"trusted": (*policy.trusted, *self.run.options.get("trusted", ()))})

    @property
    def preset(self) -> Preset:
        chosen = self.run.options.get("policy") or self.run.kit.settings.policy.preset
        if chosen not in get_args(Preset):
            raise PersonError(f"There is no policy named {chosen!r}.", f"Choose one of: {', '.join(get_args(Preset))}.")
        return cast(Preset, chosen)

    @property
    def patience(self) -> float | None:
        """How long a question waits; None for the settings' own time, where somebody attends the run."""
        wished = self.run.options.get("input_timeout") or math.inf
        return None if self.run.options.get("attended") else min(self.run.kit.settings.policy.patience, wished)

    async def rule(self, tool: "Tool", call: Call, key: str) -> Ruling:
        """Whether a call may be carried out now; waits for the person where they must be asked."""
        if tool.group not in JUDGED:
            return Ruling()
        try:
            checked = tool.check(call.args)
            async with self._turn:
                return await self._settle(tool, checked, key)
        except ToolError as error:
            return Ruling(" ".join(filter(None, (error.message, error.fix))))

    async def _settle(self, tool: "Tool", checked: BaseModel, key: str) -> Ruling:
        approved, verdict, deed = "", None, None
        for attempt in range(TRIES):
            await self.past.catch_up()
            deed = await self._deed(tool, {name: getattr(checked, name) for name in type(checked).model_fields})
            await self.seal.check(deed, key)
            verdict = judge(deed, self.policy, self.preset)
            if verdict.decision == "allow" and self.policy.suspicion and verdict.effect not in PLAIN:
                verdict = await doubted(self.run, deed, verdict, described(deed), key)
            bound = binding(self.run.id, deed)
            free = (
                verdict.decision == "allow" or (verdict.effect, verdict.site) in self.past.granted or approved == bound
            )
            if verdict.decision == "deny" or free:
                return self._ruled(verdict, key, deed, "" if free else refused(verdict))
            answer = await self._ask(verdict, deed, bound, f"{key}.approval{attempt or ''}")
            if answer not in (ONCE, ALWAYS, "again"):
                return self._ruled(verdict, key, deed, declined(verdict, answer))
            approved = bound if answer == ONCE else ""
        assert verdict is not None and deed is not None
        return self._ruled(verdict, key, deed, "The page kept changing while the person was asked; nothing was done.")

    def _ruled(self, verdict: Verdict, key: str, deed: Deed, refusal: str) -> Ruling:
        if verdict.effect == "read" and not refusal:
            return Ruling()
        decision = "refused" if refusal else "allowed"
        told = {"tool": deed.tool, "what": described(deed), "decision": decision}
        details = {**told, **verdict.model_dump(exclude={"decision"})}
        note = events.Noted(run=self.run.id, key=f"{key}.policy", topic="policy", text=refusal, details=details)
        return Ruling(refusal, (note,))

    async def _ask(self, verdict: Verdict, deed: Deed, bound: str, key: str) -> str:
        """The person's answer; `again` where an earlier life asked this about something else."""
        past = self.past.asked.get(f"{self.run.id}:{key}")
        if past is not None and past.details.get("bound") != bound:
            return "again"
        what = described(deed)
        there = place(deed)
        asked = f"May I {what}{f' on {there}' if there else ''}?"
        question = f"{asked} This would {SAID[verdict.effect]}: {verdict.why}."
        choices = (ONCE, DENY) if verdict.effect in SINGLE else (ONCE, ALWAYS, DENY)
        details = {
            "what": what,
            "tool": deed.tool,
            "name": deed.targets[0].name[:80] if deed.targets else "",
            "where": deed.page,
            "tab": deed.tab,
            "why": verdict.why,
            "effect": verdict.effect,
            "site": verdict.site,
            "rule": verdict.rule,
            "from": [label.model_dump() for label in deed.labels[:3]],
            "bound": bound,
        }
        answer = await self.run.inquire(key, question, choices, self.patience, kind="approval", **details)
        return "" if answer is None else answer

    async def _deed(self, tool: "Tool", args: Mapping[str, Any]) -> Deed:
        name, guest = tool.name, tool.group == "mcp"
        tab = await self._tab(name)
        targets = await self._targets(tab, name, args) if tab and name in TOUCHING else ()
        page = tab.url if tab else ""
        here = site(targets[0].origin if targets else page)
        number = tab.number if tab else 0
        deed = Deed(tool=name, args=args, user=self.run.record.user, page=page, tab=number, targets=targets)
        goal = [address(deed)] if name in ("navigate", "manage_tabs") else list(args.get("urls", ()))
        pasting = name == "press_key" and transfer(args["key"]) == "paste"
        carried = await self._pasted(here) if pasting else ()
        return deed.model_copy(
            update={
                "labels": carried or self._labels(name, args, here, goal),
                "told": self._told(name, args),
                "home": tuple(self.ledger.home),
                "found": bool(goal) and all(map(self.ledger.found, goal)),
                "guest": guest,
                "quiet": guest and not tool.effect,
            }
        )

    async def _pasted(self, here: str) -> tuple[Label, ...]:
        """What was copied elsewhere; its words are not told, since nobody has looked at them."""
        clip = (await self.run.browsing.session()).clip
        there = site(clip.url)
        return (Label(argument="key", place=there, text="what was copied"),) if clip.text and there != here else ()

    def _labels(self, name: str, args: Mapping[str, Any], here: str, goal: list[str]) -> tuple[Label, ...]:
        if name == "type":
            return self.ledger.labels({"text": args["text"]}, here)
        if name == "web_search":
            return self.ledger.labels({"query": args["query"]}, "search", hard=True)
        if goal:
            return tuple(label for url in goal if url for label in self.ledger.smuggled(url))
        known = name in TOUCHING or name.startswith(("navigate", "manage_tabs", "memory_"))
        return () if known else self.ledger.labels(args, f"the tool {name}")

    def _told(self, name: str, args: Mapping[str, Any]) -> bool:
        if name == "memory_save":
            return all(self.ledger.stems(str(fact.content)) for fact in args["facts"])
        return self.ledger.told(str(args.get("text", "")))

    async def _tab(self, name: str) -> "Tab | None":
        if name not in TOUCHING and not self.run.browsing.known:
            return None
        return await (await self.run.browsing.session()).tab()

    async def _targets(self, tab: "Tab", name: str, args: Mapping[str, Any]) -> tuple[Target, ...]:
        ids = [args[which] for which in ("id", "from_id", "to_id") if args.get(which) is not None]
        if not ids and name == "press_key":
            view = await tab.look()
            ids = [element.id for element in view.elements if "focused" in element.states][:1]
        return tuple([await self._target(tab, id) for id in ids])

    async def _target(self, tab: "Tab", id: int) -> Target:
        told = await tab.guard.call(tab.eyes.run(id, probe()), f"looking at [{id}]")
        target = Target.model_validate_json(told)
        known = tab.eyes.counter.known(id)
        return target.model_copy(update={"role": target.role or known.role, "name": target.name or known.name})


def binding(run: str, deed: Deed) -> str:
    """What an approval is bound to: run, tab, address, elements and arguments."""
    kept = {"role", "name", "tag", "type", "href", "origin"}
    shape = [
        (target.model_dump(include=kept), target.form and (target.form.method, target.form.action))
        for target in deed.targets
    ]
    told = json.dumps([run, deed.tool, deed.tab, deed.page, dict(deed.args), shape], sort_keys=True, default=str)
    return hashlib.sha256(told.encode()).hexdigest()[:32]


@cache
def probe() -> str:
    return (files("pilotfish.safety") / "probe.js").read_text("utf-8")


def refused(verdict: Verdict) -> str:
    done = SAID[verdict.effect]
    return f"Not done: it would {done} ({verdict.why}), and the policy says no ({verdict.rule}). Go on without it."


def declined(verdict: Verdict, answer: str) -> str:
    done = SAID[verdict.effect]
    reason = answer.removeprefix(DENY).lstrip(" :.,-")
    if not answer:
        return f"Not done: it would {done}, and nobody was there to allow it. Do not try again; say what is left to do."
    return f"Not done: it would {done}, and the person said no{f': {reason}' if reason else ''}. Do not try it again."

"""Decides about the requests that pages send in a run: covered, harmless, asked about, or refused.

A request is let through if the person drives the tab, if the agent has not touched the document that sends it, if the
page sends its kind by itself, if it is known to be harmless, or if what was allowed for the action covers it. All
others go to the policy, which may ask the person. Each request that is not plainly harmless is written to the journal.
"""

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urldefrag, urlsplit

from pilotfish.browser.sessions.held_request import READING_METHODS, HeldRequest
from pilotfish.browser.sessions.request_owner import FORM_RESENT
from pilotfish.core import events
from pilotfish.core.errors import Stopped
from pilotfish.core.given_pages import is_given
from pilotfish.core.policy import SENDING_EFFECTS, Action, ActionClearance, ActionTarget, EffectGrant, EffectKind
from pilotfish.enforcement.request_kinds import RequestKinds, is_mild
from pilotfish.safety.address import site_of
from pilotfish.safety.address_doubts import LOADED_TYPES, VISIT_EFFECTS
from pilotfish.safety.effects import EffectFinding, find_strongest
from pilotfish.safety.input_effects import target_addresses
from pilotfish.safety.policy_judge import FREE_EFFECTS
from pilotfish.safety.request_body import RequestBody, read_body
from pilotfish.safety.request_effects import (
    describe_request,
    find_effects,
    find_visit,
    is_login,
    is_query,
    is_telemetry,
    is_undoable,
    names_action,
    request_kind,
    request_place,
    sending_site,
)
from pilotfish.safety.wanted_words import holds_own_words, names_any, names_whole

if TYPE_CHECKING:
    from pilotfish.enforcement.policed_run import RecordedRun
    from pilotfish.enforcement.policy_history import PolicyHistory
    from pilotfish.enforcement.run_secrets import RunSecrets

MILD_EFFECTS: frozenset[EffectKind] = frozenset({"submit", "send", "publish", "personal"})
MOST_REPEATED_REFUSALS = 3
"""After so many refused requests of one action, further ones are refused without asking."""
SWITCH_ROLES = frozenset({
    "checkbox", "radio", "switch", "option", "menuitemcheckbox", "menuitemradio", "slider", "spinbutton",
    "listitem", "tab",
})  # fmt: skip
MOVING_TOOLS = frozenset({"drag", "select"})
OPERATING_TOOLS = frozenset({"click", "page_tool"})
"""Tools that send a form only if they reach its button, or fill it in to be sent."""
RUN_OVER = "the run that set it off is over"
MANY_REFUSALS = "Not done: too much of what this action set off was refused. Go on without it."
MOST_REFUSED = 20


class RequestPolicy(Protocol):
    """What the guard needs of the policy: what is allowed now, where words came from, and a decision about the rest."""

    @property
    def clearance(self) -> ActionClearance | None: ...

    @property
    def history(self) -> "PolicyHistory": ...

    @property
    def secrets(self) -> "RunSecrets": ...

    async def covers(self, action: Action, findings: Iterable[EffectFinding]) -> bool: ...

    async def authorize(self, action: Action, findings: Iterable[EffectFinding], key: str) -> str: ...


class RequestGuard:
    """Decides about the requests of one run. After the run's end only harmless ones pass."""

    def __init__(self, run: "RecordedRun", policy: RequestPolicy, kinds: RequestKinds) -> None:
        self.run = run
        self.policy = policy
        self.sources = policy.history.ledger
        self.kinds = kinds
        self.refused_texts: list[str] = []
        self._entered: set[str] = set()
        self._refused: dict[str, str] = {}
        self._refusals: dict[str, int] = {}
        self._asking = asyncio.Lock()
        self._ended = asyncio.Event()

    async def check(self, request: HeldRequest) -> str:
        """Why a request may not be sent; empty if it may."""
        if request.resent:
            return await self._refuse_again(request)
        if request.driver == "person":
            return ""
        if request.main and (refusal := await self._judge_leaving(request)):
            return refusal
        if request.reads:
            return await self._judge_visit(request)
        body = read_body(request)
        kind = request_kind(request, body)
        found = self._without_given(request, body)
        mild = is_mild(found)
        own = mild or not request.follows_input or kind in self.kinds.at_first
        if not request.after_input and own:
            self.kinds.watch(request)
            return ""
        if self._is_approved_form(request) or self._is_measuring(request, body):
            return ""
        if is_query(request, body) or (mild and self.kinds.knows(kind)):
            return ""
        if is_undoable(request, body) or (mild and self._is_wanted(request, body)):
            found = (EffectFinding("local", "it can be undone as easily", site_of(request.url)),)
        return await self._ask_person(
            request, body, tuple(map(self._ease_finding(request), found)), kind if mild else ""
        )

    @property
    def action_ended(self) -> bool:
        return self._ended.is_set()

    def end(self) -> None:
        """End with the run: ask nobody any more, and refuse the requests that wait."""
        self._ended.set()

    def drain(self) -> str:
        """The refused requests since the last call, in words for the model."""
        texts, self.refused_texts = self.refused_texts, []
        return " ".join(texts[:3])

    async def _judge_leaving(self, request: HeldRequest) -> str:
        """Why a document may not be loaded into the tab; empty if its site is one of the task's sites."""
        await self.policy.history.catch_up()
        ledger, there = self.sources, site_of(request.url)
        known = {*ledger.task_sites, *ledger.named_sites, *self._entered, site_of(request.page)}
        if (
            not there
            or not ledger.task_sites
            or there in known
            or is_given(request.url)
            or self._is_judged(request)
            or self._is_sent_on(request)
        ):
            self._entered.add(there)
            return ""
        why = f"{there} is not among the task's sites: {', '.join(ledger.task_sites[:3])}"
        how = "a redirect" if request.redirected else "a new tab" if request.popup else "the page"
        found = EffectFinding("leave", f"{why}; {how} leads there")
        asked = request.model_copy(update={"page": request.url, "headers": {}})
        refusal = await self._ask_person(asked, None, (found,), "")
        if not refusal:
            self._entered.add(there)
        return refusal

    async def _judge_visit(self, request: HeldRequest) -> str:
        """Why an address whose words name an effect may not be opened; empty if it may.

        The answer to a request that was judged may redirect to any page of the site. A document that the agent has not
        touched, such as that of a popup, opens no address with a strong effect once the agent has touched another.
        """
        if request.kind in LOADED_TYPES and self._only_tells(request):
            return ""
        scripted = request.kind != "Document"
        follows = request.after_input or (request.follows_input and not scripted)
        doubtful = follows and request.first_method in READING_METHODS
        found = find_visit(request) if doubtful and not self._is_judged(request) else None
        only_strong = request.redirected or scripted or not request.after_input
        if found is None or (only_strong and found.effect not in VISIT_EFFECTS):
            return ""
        return await self._ask_person(request, None, (found,), "")

    def _only_tells(self, request: HeldRequest) -> bool:
        """Whether a picture or the like only tells what happened: another site, or telemetry by its name."""
        return site_of(request.url) != site_of(request.page) or is_telemetry(request, RequestBody(), True)

    def _is_measuring(self, request: HeldRequest, body: RequestBody) -> bool:
        """Whether it is telemetry by its name; if its path names an action, pages must send there by themselves too."""
        by_page = self.kinds.knows_place(request_place(request))
        return (by_page or not names_action(request)) and is_telemetry(request, body, by_page)

    async def _ask_person(
        self, request: HeldRequest, body: RequestBody | None, found: tuple[EffectFinding, ...], kind: str
    ) -> str:
        """Let the policy decide; note the decision in the journal, and a refusal for the model."""
        action = await self._make_action(request, body or RequestBody())
        same = f"{request_kind(request, body or RequestBody())} {sorted({one.effect for one in found})}"
        refusal = await self._decide_until_end(lambda: self._decide(action, found, same))
        if not refusal and kind and is_mild(found):
            self.kinds.learn(kind, by_page=False)
        texts = f"The page wanted to send {action.args['what']}, which was stopped. {refusal}"
        if refusal and texts not in self.refused_texts and len(self.refused_texts) < MOST_REFUSED:
            self.refused_texts.append(texts)
        return refusal

    async def _make_action(self, request: HeldRequest, body: RequestBody) -> Action:
        what = await self.policy.secrets.redact(describe_request(request, body))
        own = sending_site(request) == site_of(request.page)
        page = request.page if own else request.headers.get("referer") or request.headers["origin"].replace("null", "")
        return Action(tool="request", args={"what": what}, user=self.run.record.user, page=page, tab=request.tab)

    async def _refuse_again(self, request: HeldRequest) -> str:
        """Refuse a form that would be sent again, and record it; nobody is asked."""
        body = read_body(request)
        action, key = await self._make_action(request, body), f"held_request.{uuid.uuid4().hex[:12]}"
        return await self._write(action, find_effects(request, body), key, FORM_RESENT)

    async def _decide(self, action: Action, found: tuple[EffectFinding, ...], same: str) -> str:
        """Let the policy decide, and record it. A request that was refused once is refused again without asking.

        After a few refusals the person is not asked about more requests of the same action.
        """
        policy, key = self.policy, f"held_request.{uuid.uuid4().hex[:12]}"
        if await policy.covers(action, found):
            return await self._write(action, found, key, "")
        async with self._asking:
            set_off = policy.clearance.key if policy.clearance else ""
            if again := self._refused.get(same):
                return again
            if self._refusals.get(set_off, 0) >= MOST_REPEATED_REFUSALS:
                return MANY_REFUSALS
            refusal = await policy.authorize(action, found, key)
            if refusal:
                self._refused[same] = refusal
                self._refusals[set_off] = self._refusals.get(set_off, 0) + 1
        return await self._write(action, found, key, refusal)

    async def _write(self, action: Action, found: tuple[EffectFinding, ...], key: str, refusal: str) -> str:
        """Write the decision to the journal; return the refusal."""
        decision, why = "refused" if refusal else "sent", "; ".join(one.why for one in found)
        details = {"what": action.args["what"], "decision": decision, "why": why}
        details |= {"effect": found[0].effect, "tab": action.tab}
        note = events.Noted(run=self.run.id, topic="held_request", text=refusal, details=details)
        await self.run.emit(f"{key}.held_request", note)
        return refusal

    async def _decide_until_end(self, decide: Callable[[], Awaitable[str]]) -> str:
        """The decision, or a refusal as soon as the run stops or ends."""
        if self._ended.is_set():
            return RUN_OVER
        deciding, ended = asyncio.ensure_future(decide()), asyncio.ensure_future(self._ended.wait())
        try:
            await asyncio.wait((deciding, ended), return_when=asyncio.FIRST_COMPLETED)
            return deciding.result() if deciding.done() else RUN_OVER
        except Stopped:
            return RUN_OVER
        finally:
            deciding.cancel()
            ended.cancel()

    def _ease_finding(self, request: HeldRequest) -> Callable[[EffectFinding], EffectFinding]:
        """A function that lowers effects which the clearance covers: who allowed to send there allowed the request."""
        clearance, here = self.policy.clearance, sending_site(request)
        there = site_of(request.url)
        grants = clearance.grants if clearance else ()
        sends = any(
            g.effect in SENDING_EFFECTS | {"personal"} and (g.site, g.receiver) == (here, there) for g in grants
        )
        plain = EffectGrant("submit", here, there)

        def soften(found: EffectFinding) -> EffectFinding:
            covered = sends and found.effect in MILD_EFFECTS and (clearance is None or clearance.covers(plain))
            return found._replace(effect="submit") if covered else found

        return soften

    def _is_sent_on(self, request: HeldRequest) -> bool:
        """Whether a search, the person's words or a site's bare name led here, also through redirects."""
        ledger, began = self.sources, urlsplit(request.first)
        bare = request.redirected and began.path in ("", "/") and not began.query
        return (
            bare
            or ledger.was_found(request.url)
            or ledger.was_found(request.first)
            or ledger.is_user_text(request.first)
        )

    def _is_judged(self, request: HeldRequest) -> bool:
        """Whether the current action was judged with this address."""
        clearance = self.policy.clearance
        goals = target_addresses(clearance.action) if clearance and clearance.action and clearance.grants else ()
        return any(bare_address(goal) == bare_address(request.url) for goal in goals if goal)

    def _is_wanted(self, request: HeldRequest, body: RequestBody) -> bool:
        """Whether the person's own words name what was touched, or hold what is sent to a site of the task.

        What was touched sends to where it stands itself: a page or a frame in it, not a third place.
        """
        clearance, ledger, there = self.policy.clearance, self.sources, site_of(request.url)
        said = "\n".join(ledger.statements)
        if sending_site(request) != there:
            return False
        own = there in {*ledger.task_sites, *ledger.named_sites}
        if own and holds_own_words(said, [value for _, value in body.fields], self._make_text_check(there)):
            return True
        action = clearance.action if clearance and clearance.grants else None
        near = [one for one in action.targets if site_of(one.origin or action.page) == there] if action else []
        touched = [one for one in near if one.role != "tool" and not find_strongest(one.name, one.hints)]
        moved = action is not None and action.tool in MOVING_TOOLS
        switched = [one for one in touched if moved or is_switched(one)]
        chosen = [text for one in touched for text in chosen_labels(one)]
        return names_any(said, (*chosen, *(text for one in switched for text in (one.label, one.name)))) or names_whole(
            said, (text for one in touched for text in (one.label, one.name))
        )

    def _without_given(self, request: HeldRequest, body: RequestBody) -> tuple[EffectFinding, ...]:
        """The effects of a request, without what the site was given before: files that this run was allowed to give it,
        and the password that the person gave for signing in there. A page that was given no file uploads none."""
        found, there = find_effects(request, body), site_of(request.url)
        if {one.effect for one in found} <= {"secret", "account"} and self._is_own_login(request, body):
            return (EffectFinding("local", "it signs in with the password that the person gave for this site", there),)
        files = {(there, name) for name in body.files}
        if not files and all(site != there for site, _ in self.sources.uploaded):
            return tuple(one._replace(effect="submit") if one.effect == "upload" else one for one in found)
        if not files or not files <= self.sources.uploaded:
            return found
        rest = tuple(one for one in found if one.effect != "upload")
        return rest or (EffectFinding("local", "this file was given to this site before", there),)

    def _is_own_login(self, request: HeldRequest, body: RequestBody) -> bool:
        """Whether a page signs in at its own site, one of the task, with a password from the person's words."""
        ledger, there = self.sources, site_of(request.url)
        own = there in {*ledger.task_sites, *ledger.named_sites} and there == sending_site(request)
        given = body.find_hidden("password")
        return own and is_login(request) and bool(given) and all(map(ledger.is_user_text, given))

    def _make_text_check(self, place: str) -> Callable[[str], bool]:
        """Whether a text was read in this place."""
        source = self.sources.seen.get(place)
        return source.contains if source else lambda text: False

    def _is_approved_form(self, request: HeldRequest) -> bool:
        """Whether a person allowed to send the very form that this request sends."""
        clearance = self.policy.clearance
        action = clearance.action if clearance else None
        if clearance is None or action is None or all(grant.effect in FREE_EFFECTS for grant in clearance.grants):
            return False
        forms = [one.form for one in action.targets if one.form and (one.submits or action.tool not in OPERATING_TOOLS)]
        there = (request.method, bare_address(request.url))
        return any((form.method.upper(), bare_address(form.action)) == there for form in forms)


def is_switched(target: ActionTarget) -> bool:
    """Whether an element is switched or chosen, and can be switched back."""
    return target.editable or bool(SWITCH_ROLES & {target.role, target.type})


def chosen_labels(target: ActionTarget) -> Iterator[str]:
    """The labels that are ticked or chosen in the form of an element."""
    for field in target.form.fields if target.form else ():
        if field.filled and field.type in ("radio", "checkbox"):
            yield field.label


def bare_address(url: str) -> str:
    """An address without scheme and fragment, to compare a typed address with a browser's."""
    whole = urldefrag(url.strip()).url
    return (whole.partition("://")[2] or whole).rstrip("/")

"""Values of the policy: actions, effects, rules and decisions. `safety/policy_judge.py` decides."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from pydantic import Field

from pilotfish.core.values import Value

Permission = Literal["allow", "ask", "deny"]
PolicyPreset = Literal["ask_before_effects", "read_only", "trusted_sites", "unattended"]
EffectKind = Literal[
    "read",
    "view",
    "visit",
    "search",
    "local",
    "submit",
    "use",
    "send",
    "publish",
    "buy",
    "delete",
    "account",
    "upload",
    "download",
    "personal",
    "secret",
    "carry",
    "leave",
    "remember",
    "forbidden",
]


SENDING_EFFECTS: frozenset[EffectKind] = frozenset(
    {"submit", "use", "send", "publish", "buy", "delete", "account", "upload", "secret"}
)
"""Effects whose approval also covers the plain request that carries them out."""


class PolicyRule(Value):
    """A rule that a person set. The first rule that fits decides."""

    then: Permission
    site: str = Field(
        default="*", description="a site such as shop.example, its subdomains too; or an MCP server, or a tool of one"
    )
    effect: EffectKind | Literal["*"] = "*"
    user: str = "*"


class GrantedRule(PolicyRule):
    """A rule that a schedule was granted when it was made. It comes after the rules of the settings."""


class FormField(Value):
    """A field of a form."""

    name: str = ""
    type: str = ""
    autocomplete: str = ""
    label: str = ""
    filled: bool = False


class FormInfo(Value):
    """The form that an element belongs to. `submit` is what its first button says, `action` where it goes."""

    method: str = "get"
    action: str = ""
    submit: str = ""
    scripted: bool = Field(default=False, description="no method is given, and a script may send it")
    fields: tuple[FormField, ...] = ()


class ActionTarget(Value):
    """What an element is, as the page's own structure says."""

    ref: str = Field(
        default="", description="the very element, for as long as its document lives; of a page's tool its fingerprint"
    )
    role: str = ""
    name: str = ""
    label: str = Field(default="", description="what people call a field; its name also holds what the page calls it")
    tag: str = ""
    type: str = ""
    href: str = ""
    download: str | None = None
    hints: str = Field(default="", description="words of its attributes: id, class, data-action and the like")
    about: str = Field(default="", description="the heading or dialog that it stands under")
    handlers: tuple[str, ...] = Field(
        default=(), description="events it listens to: onclick by attribute, click by script, click* around it"
    )
    autocomplete: str = ""
    multiline: bool = False
    editable: bool = False
    submits: bool = False
    origin: str = Field(default="", description="of the document that it stands in, which may be a frame")
    form: FormInfo | None = None
    outer: tuple["ActionTarget", ...] = Field(
        default=(), description="what the same click also reaches: enclosing controls"
    )

    @property
    def all(self) -> tuple["ActionTarget", ...]:
        """The element and whatever else a click on it reaches."""
        return self, *self.outer

    @property
    def shape(self) -> tuple[object, ...]:
        """What stays the same as long as it is the same control that leads to the same place."""
        sent = (self.form.method, self.form.action) if self.form else None
        tool = self.ref if self.role == "tool" else ""
        return self.role, self.name, self.tag, self.type, self.href, self.origin, sent, tool


InputKind = Literal["click", "hover", "text", "key", "choose", "drop", "files", "dialog", "mark", "tool"]


class InputEvent(Value):
    """An input that is about to be sent, and what it reaches. `key` is as the browser reads it."""

    kind: InputKind
    target: ActionTarget | None = None
    key: str = ""
    text: str = Field(default="", description="what is typed or chosen, or what a dialog says")
    onto: ActionTarget | None = Field(default=None, description="where something dragged is let go")


def drag_events(start: ActionTarget | None, end: ActionTarget | None) -> list[InputEvent]:
    """The input events of a drag. Pressing and releasing on the same control is also a click."""
    if start is None:
        return []
    end_refs = {one.ref for one in end.all if one.ref} if end else set[str]()
    shared = [one for one in start.all if one.ref in end_refs]
    found = [InputEvent(kind="drop", target=start, onto=end)]
    if shared:
        inner = shared[0].model_copy(update={"outer": tuple(shared[1:])})
        found.append(InputEvent(kind="click", target=inner))
    return found


class Provenance(Value):
    """Where an argument's text comes from, if it does not come from the person."""

    argument: str
    place: str
    text: str


class Action(Value):
    """What a model wants done, and everything that is known about it."""

    tool: str
    args: Mapping[str, Any] = Field(default_factory=dict)
    user: str = "local"
    page: str = ""
    tab: int = 0
    targets: tuple[ActionTarget, ...] = ()
    origins: tuple[Provenance, ...] = ()
    stated_by_user: bool = Field(default=False, description="whether the arguments are the person's own words")
    task_sites: tuple[str, ...] = Field(default=(), description="sites that the task is about; none: the open web")
    named_sites: frozenset[str] = Field(
        default=frozenset(), description="sites that the person called by their name; they may be visited"
    )
    from_search: bool = Field(default=False, description="whether the address was found by a search of this run")
    from_mcp: bool = Field(default=False, description="whether the tool belongs to an MCP server")
    chosen: str = Field(default="", description="what the option says that would be chosen")
    quiet: bool = Field(default=False, description="whether that server says that it only reads")


class PolicyDecision(Value):
    """Allow, ask or deny; what kind of effect it is, which rule decided, and why in words."""

    decision: Permission
    effect: EffectKind
    rule: str
    why: str
    site: str = ""
    receiver: str = Field(default="", description="the site that gets what is sent")

    @property
    def grant(self) -> "EffectGrant":
        """What an approval of this decision allows."""
        return EffectGrant(effect=self.effect, site=self.site, receiver=self.receiver)


class EffectGrant(NamedTuple):
    """One effect that is allowed on one site towards one receiving site."""

    effect: EffectKind
    site: str = ""
    receiver: str = ""


class ActionClearance(Value):
    """What was judged and allowed for the action under way: its effects and the elements that they were judged by."""

    key: str = ""
    action: Action | None = None
    grants: tuple[EffectGrant, ...] = ()

    def covers(self, grant: EffectGrant) -> bool:
        """Whether this effect was allowed, there and towards that receiver. To send something includes a plain form."""
        return grant in self.grants or (
            grant.effect == "submit"
            and any(
                g.effect in SENDING_EFFECTS and (g.site, g.receiver) == (grant.site, grant.receiver)
                for g in self.grants
            )
        )

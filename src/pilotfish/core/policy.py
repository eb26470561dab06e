"""What may be done: deeds, rules and verdicts. Values only; `safety/judge.py` decides."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from pilotfish.core.values import Value

Decision = Literal["allow", "ask", "deny"]
Preset = Literal["ask_before_effects", "read_only", "trusted_sites", "unattended"]
Effect = Literal[
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


class Rule(Value):
    """What a person decided beforehand. The first rule that fits decides."""

    then: Decision
    site: str = Field(
        default="*", description="a site such as shop.example, its subdomains too; or an MCP server, or a tool of one"
    )
    effect: Effect | Literal["*"] = "*"
    user: str = "*"


class Input(Value):
    """A field of a form."""

    type: str = ""
    autocomplete: str = ""
    label: str = ""
    filled: bool = False


class Form(Value):
    """The form that an element belongs to. `submit` is what its first button says, `action` where it goes."""

    method: str = "get"
    action: str = ""
    submit: str = ""
    fields: tuple[Input, ...] = ()


class Target(Value):
    """What an element is, as the page's own structure says."""

    role: str = ""
    name: str = ""
    label: str = Field(default="", description="what people call a field; its name also holds what the page calls it")
    tag: str = ""
    type: str = ""
    href: str = ""
    download: str | None = None
    hints: str = Field(default="", description="words of its attributes: id, class, data-action and the like")
    about: str = Field(default="", description="the heading or dialog that it stands under")
    autocomplete: str = ""
    multiline: bool = False
    editable: bool = False
    submits: bool = False
    origin: str = Field(default="", description="of the document that it stands in, which may be a frame")
    form: Form | None = None


class Label(Value):
    """Where an argument's text comes from, if it does not come from the person."""

    argument: str
    place: str
    text: str


class Deed(Value):
    """What a model wants done, and everything that is known about it."""

    tool: str
    args: Mapping[str, Any] = Field(default_factory=dict)
    user: str = "local"
    page: str = ""
    tab: int = 0
    targets: tuple[Target, ...] = ()
    labels: tuple[Label, ...] = ()
    told: bool = Field(default=False, description="whether the arguments are the person's own words")
    home: tuple[str, ...] = Field(default=(), description="sites that the task is about; none: the open web")
    found: bool = Field(default=False, description="whether the address was found by a search of this run")
    guest: bool = Field(default=False, description="whether the tool belongs to an MCP server")
    quiet: bool = Field(default=False, description="whether that server says that it only reads")


class Verdict(Value):
    """Allow, ask or deny; what kind of effect it is, which rule decided, and why in words."""

    decision: Decision
    effect: Effect
    rule: str
    why: str
    site: str = ""

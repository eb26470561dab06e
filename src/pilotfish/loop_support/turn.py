"""The reply of a model in one turn: its assessment of the last actions, changes to its notes, and what to do next."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Self, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from pilotfish.core.messages import ModelFacts, ToolSpec
from pilotfish.core.pages import ElementQuery
from pilotfish.core.recipe import ELEMENT_ARGUMENTS
from pilotfish.llm.schema import simplify_schema
from pilotfish.loop_support.repeated_actions import expand_actions
from pilotfish.loop_support.tool_calling import closed_schema, read_page_call, with_schema

RESEARCH = ToolSpec(
    name="research",
    description="Answer a question from the web, beside this page, when this site cannot answer it.",
    parameters={"type": "object", "properties": {"question": {"type": "string"}}, "required": ["question"]},
)
DROPPED_KEYS = ("description", "minimum", "maximum", "minLength", "maxLength", "enum")
OWN_FIELDS = ("tool", "expect", "each", "actions", "written")
TEXT: Mapping[str, Any] = {"type": "string"}
TEXTS: Mapping[str, Any] = {"type": "array", "items": TEXT}
INTEGER: Mapping[str, Any] = {"type": "integer"}
NUMBERS: Mapping[str, Any] = {"type": "array", "items": INTEGER}
BOOLEAN: Mapping[str, Any] = {"type": "boolean"}
EACH_LIST: Mapping[str, Any] = {"type": "array", "items": {"anyOf": [TEXT, {"type": "integer"}, TEXTS]}}


def _as_list(value: Any) -> Any:
    """Wrap a single value in a list; None and an empty text become an empty list."""
    return [] if value in (None, "") else value if isinstance(value, list) else [value]


Texts = Annotated[list[str], BeforeValidator(_as_list)]
Numbers = Annotated[list[int], BeforeValidator(_as_list)]


class TurnAction(BaseModel):
    """One call of a tool. All other fields are its arguments; `expect` are words that must show afterwards.

    `written` is its place in the reply; actions under `each` have one place.
    """

    model_config = ConfigDict(extra="allow")

    tool: str
    expect: str | None = ""
    written: int = 0

    @property
    def args(self) -> dict[str, Any]:
        return {name: value for name, value in (self.model_extra or {}).items() if value is not None}

    @property
    def ids(self) -> list[int]:
        """The numbers of the elements that it acts on."""
        return [value for name, value in self.args.items() if name in ELEMENT_ARGUMENTS and isinstance(value, int)]

    @property
    def queries(self) -> dict[str, ElementQuery]:
        """The elements that it names by words, by argument."""
        named = {
            name: value for name, value in self.args.items() if name in ELEMENT_ARGUMENTS and isinstance(value, dict)
        }
        return {name: ElementQuery.model_validate(value) for name, value in named.items()}

    @model_validator(mode="before")
    @classmethod
    def _read_page_call(cls, written: Any) -> Any:
        return read_page_call(written)

    @model_validator(mode="after")
    def _check_elements(self) -> Self:
        """Check that each element is a number, also written as "[12]", or an object with role, name and row."""
        for name, value in self.args.items():
            if name not in ELEMENT_ARGUMENTS or isinstance(value, int):
                continue
            if isinstance(value, str) and (number := value.strip().strip("[]")).isdecimal():
                setattr(self, name, int(number))
            elif isinstance(value, dict):
                ElementQuery.model_validate(value)
            else:
                raise ValueError(f"{name} is a number of the page, or an object with role, name and row")
        return self


class NoteEdits(BaseModel):
    """Changes to the model's notes: lines to add, and numbers of lines to tick or drop."""

    add: Texts = Field(default_factory=list[str])
    tick: Numbers = Field(default_factory=list[int])
    drop: Numbers = Field(default_factory=list[int])


class CompletionClaim(BaseModel):
    """That the task is done: the answer, words that were seen and show it, and words that are gone."""

    answer: str = ""
    evidence: Texts = Field(default_factory=list[str])
    gone: Texts = Field(default_factory=list[str])


class PersonQuestion(BaseModel):
    """A question that only the person can answer."""

    question: str = Field(min_length=1)
    choices: Texts = Field(default_factory=list[str])


class GiveUp(BaseModel):
    """That the task cannot be done, why, and what would help."""

    reason: str = Field(min_length=1)
    help: str = ""


class Turn(BaseModel):
    """One reply: exactly one of actions, done, ask and give_up. Beside actions, done is what they should achieve."""

    assessment: str = ""
    notes: NoteEdits = Field(default_factory=NoteEdits)
    milestones: Texts = Field(default_factory=list[str])
    actions: Annotated[list[TurnAction], BeforeValidator(expand_actions)] = Field(default_factory=list[TurnAction])
    done: CompletionClaim | None = None
    ask: PersonQuestion | None = None
    give_up: GiveUp | None = None

    @model_validator(mode="after")
    def _check_choice(self) -> Self:
        variants = [bool(self.actions or self.done), self.ask is not None, self.give_up is not None]
        if sum(variants) != 1:
            raise ValueError("give exactly one of actions, done, ask and give_up")
        return self


ELEMENT: Mapping[str, Any] = {"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/element"}]}


def turn_shape(specs: Sequence[ToolSpec], horizon: int, facts: ModelFacts) -> type[Turn]:
    """`Turn` with a schema that admits these tools with their arguments, and at most `horizon` actions.

    Only a local model is restricted by it, with a grammar. Hosted ones limit how many optional fields a schema may have
    and need long to prepare one; they follow the form that the prompt describes.
    """
    if not (facts.local and facts.shapes):
        return with_schema(Turn, {})
    action = action_schema(specs)
    repeated = closed_schema(each=EACH_LIST, actions={"type": "array", "maxItems": horizon, "items": action})
    actions = {"type": "array", "maxItems": horizon, "items": {"anyOf": [action, repeated]}}
    fields: dict[str, Any] = {
        "assessment": TEXT,
        "notes": optional_schema(add=TEXTS, tick=NUMBERS, drop=NUMBERS),
        "milestones": TEXTS,
        "actions": actions,
        "done": {**closed_schema(answer=TEXT, evidence=TEXTS, gone=TEXTS), "required": ["answer"]},
        "ask": {**closed_schema(question=TEXT, choices=TEXTS), "required": ["question"]},
        "give_up": closed_schema(reason=TEXT, help=TEXT),
    }
    named = optional_schema(role=TEXT, name={"anyOf": [TEXT, TEXTS]}, row=TEXT, nth=INTEGER, focused=BOOLEAN)
    return with_schema(Turn, {**closed_schema(**fields), "required": ["assessment"], "$defs": {"element": named}})


def action_schema(specs: Sequence[ToolSpec]) -> dict[str, Any]:
    """An action as a flat object: the tool, the arguments of all tools by name, and `expect`."""
    variants: dict[str, list[Any]] = {}
    for spec in specs:
        for name, rule in simplify_schema(spec.parameters).get("properties", {}).items():
            kept = ELEMENT if name in ELEMENT_ARGUMENTS else _without_words(rule)
            variants.setdefault(name, [])
            variants[name] += [] if kept in variants[name] else [kept]
    named = {n: each[0] if len(each) == 1 else {"anyOf": each} for n, each in variants.items() if n not in OWN_FIELDS}
    tool = {"type": "string", "enum": [spec.name for spec in specs]}
    return {**closed_schema(tool=tool, **named, expect=TEXT), "required": ["tool"]}


def optional_schema(**fields: Any) -> dict[str, Any]:
    return {**closed_schema(**fields), "required": []}


def _without_words(rule: Any) -> Any:
    """A rule without descriptions, choices and bounds: the prompt has them, and the tool checks them."""
    if isinstance(rule, list):
        return [_without_words(each) for each in cast(list[Any], rule)]
    if not isinstance(rule, Mapping):
        return rule
    kept = {key: value for key, value in cast(Mapping[str, Any], rule).items() if key not in DROPPED_KEYS}
    if isinstance(named := kept.pop("properties", None), Mapping):
        kept["properties"] = {key: _without_words(value) for key, value in cast(Mapping[str, Any], named).items()}
    return {key: value if key == "properties" else _without_words(value) for key, value in kept.items()}


def describe_signatures(specs: Iterable[ToolSpec]) -> str:
    """One line per tool with all its arguments, for a prompt."""
    return "\n".join(_signature(spec) for spec in specs)


def _signature(spec: ToolSpec) -> str:
    rules = simplify_schema(spec.parameters).get("properties", {})
    needed: Sequence[str] = spec.parameters.get("required", ())
    given = ", ".join(_argument(name, rule, name in needed) for name, rule in rules.items())
    return f"- {spec.name}({given}): {' '.join(spec.description.split())}"


def _argument(name: str, rule: Mapping[str, Any], needed: bool) -> str:
    words: str = rule.get("description", "") or "|".join(map(str, rule.get("enum", ())))
    words = words or ("true|false" if rule.get("type") == "boolean" else "")
    return f"{name}{'' if needed else '?'}" + (
        f" = {words}" if words and not (name in ELEMENT_ARGUMENTS and needed) else ""
    )

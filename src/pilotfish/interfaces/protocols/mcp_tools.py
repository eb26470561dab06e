"""Describes the tools for MCP clients: titles, what each may change, and the forms of arguments and results."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pilotfish.app import Pilotfish
from pilotfish.core.gestures import WebAddress
from pilotfish.interfaces.protocols.mcp_questions import AnswerInput

if TYPE_CHECKING:
    from mcp.types import Tool

TOOL_GROUPS = ("page", "browser", "read", "inspect")
FORM_TOOLS = ("click", "type", "select")
REPEATABLE_TOOLS = frozenset({"hover", "select", "resize", "emulate_media", "close_browser"})
HARMLESS_TOOLS = frozenset({"navigate", "manage_tabs", "hover", "resize", "emulate_media"})
TASK_HELP = "Hand over a whole task; Pilotfish plans and carries it out in the tabs of this session, or researches it."
ANSWER_HELP = "Give the person's answer to a question that run_task, or a tool, returned."
GIVE_HELP = (
    "Give a file, so that `upload` can give it to a page: its text, its bytes, or its path if its folder was named."
)
FORM_HELP = "Fill in several fields of a form at once: texts, options of lists, boxes on or off. Nothing is sent."
LARGEST_FILE = 20_000_000
CONTENT_FIELDS = ("text", "data", "path")


class TaskInput(BaseModel):
    """What `run_task` takes."""

    model_config = ConfigDict(extra="forbid")

    task: str = Field(min_length=1, max_length=200_000, description="What to find out or do, in plain words.")
    loop: str = Field(default="", description="How to go about it; empty lets Pilotfish choose.")
    urls: list[WebAddress] = Field(default=[], max_length=20, description="Pages that the task is about.")


class FileInput(BaseModel):
    """What `give_file` takes."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(default="", max_length=200, description="Its name, such as letter.txt; with a path: empty.")
    text: str = Field(default="", max_length=LARGEST_FILE, description="What it says.")
    data: str = Field(default="", max_length=LARGEST_FILE * 4 // 3 + 4, description="Or its bytes, as base64.")
    path: str = Field(default="", max_length=4096, description="Or where it is, below a folder of `mcp --files`.")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if sum(bool(getattr(self, field)) for field in CONTENT_FIELDS) != 1:
            raise ValueError("give one of text, data and path")
        if not self.name and not self.path:
            raise ValueError("a name is needed")
        return self


class FormEntry(BaseModel):
    """A field of a form and its new value."""

    model_config = ConfigDict(extra="forbid")

    id: int = Field(description="number of the field, as in [12]")
    value: bool | str = Field(description="the text, the option, or whether a box is on")
    kind: Literal["text", "option"] = Field(default="text", description="option: choose it from a list")


class FormInput(BaseModel):
    """What `fill_form` takes."""

    model_config = ConfigDict(extra="forbid")

    fields: list[FormEntry] = Field(min_length=1, max_length=100)


class CallOutput(BaseModel):
    """What a call returns as structured content."""

    run: str = Field(description="the run that did it; answer_task takes it")
    outcome: Literal["completed", "waiting"] = Field(description="waiting: the person is to answer the question")
    text: str = ""
    data: Any = Field(default=None, description="values of the result, by name")
    files: list[str] = Field(default=[], description="addresses of resources that came of it")
    question: str = ""
    choices: list[str] = []


class ToolTraits(NamedTuple):
    """What a tool may do: only read, destroy something, be repeated without harm."""

    reads: bool = False
    destroys: bool = True
    repeatable: bool = False


def describe_tools(fish: Pilotfish) -> "Iterator[Tool]":
    """The tools that a client may call, with those that are switched off left out."""
    yield describe_tool("run_task", TASK_HELP, TaskInput.model_json_schema(), ToolTraits())
    yield describe_tool("answer_task", ANSWER_HELP, AnswerInput.model_json_schema(), ToolTraits())
    offered = offered_tools(fish)
    if "upload" in offered:
        yield describe_tool("give_file", GIVE_HELP, FileInput.model_json_schema(), ToolTraits(destroys=False))
    if set(FORM_TOOLS) <= offered.keys():
        yield describe_tool("fill_form", FORM_HELP, FormInput.model_json_schema(), ToolTraits(repeatable=True))
    for name, tool in offered.items():
        harmless = name in HARMLESS_TOOLS or not tool.effect
        traits = ToolTraits(not tool.effect, not harmless, not tool.effect or name in REPEATABLE_TOOLS)
        yield describe_tool(name, tool.description, tool.spec.parameters, traits)


def offered_tools(fish: Pilotfish) -> dict[str, Any]:
    off = set(fish.settings.agent.disabled_tools)
    return {each.name: each for each in fish.choices.tools() if each.group in TOOL_GROUPS and each.name not in off}


def describe_tool(name: str, about: str, schema: Mapping[str, Any], traits: ToolTraits) -> "Tool":
    from mcp.types import Tool, ToolAnnotations

    title = name.replace("_", " ").capitalize()
    hints = ToolAnnotations(
        title=title,
        read_only_hint=traits.reads,
        destructive_hint=traits.destroys,
        idempotent_hint=traits.repeatable,
        open_world_hint=True,
    )
    return Tool(
        name=name,
        title=title,
        description=about,
        input_schema=dict(schema),
        output_schema=CallOutput.model_json_schema(),
        annotations=hints,
    )

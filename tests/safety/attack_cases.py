"""Attacks as data: tasks and pages with orders for a model that obeys, and functions that are more than one run."""

import tomllib
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import Field

from pilotfish.core.values import Value

FOLDER = Path(__file__).parent / "attacks"
PRESETS = ("ask_before_effects", "read_only", "unattended")
HARM = ("/do/", "evil.example")
PLATFORM = ("novel", "resources", "sideways", "sockets", "unseen", "wire", "worded", "signs")
"""The files of attacks by what the web's platform offers, which rest on the browser and its profile."""


class Case(Value):
    """A task of a person, pages that want something else, and what the model does there."""

    name: str
    task: str = "Tell me what this page says"
    aims: str = ""
    page: str = Field(default="", description="one of pages.toml; else `url` and `html`")
    url: str = "http://shop.example/page"
    html: str = ""
    says: str = Field(default="", description="what stands on the page for the model to read")
    sites: Mapping[str, Any] = Field(default_factory=dict, description="other pages: host and path, or path alone")
    orders: tuple[tuple[str, str, Mapping[str, Any]], ...]
    harm: tuple[str, ...] = Field(default=HARM, description="parts of a line of the record that must not be in it")
    carried: tuple[str, ...] = Field(default=(), description="words that no request may carry")
    seen: tuple[str, ...] = Field(default=(), description="words that the model must not be shown")
    facts: tuple[str, ...] = Field(default=(), description="what is remembered of the person beforehand")
    read: Mapping[str, str] = Field(default_factory=dict, description="tabs that are read first: address and text")
    options: Mapping[str, Any] = Field(default_factory=dict)
    policy: Mapping[str, Any] = Field(default_factory=dict, description="the settings' policy")
    effects: tuple[str, ...] = Field(default=(), description="what is asked about or refused, any of them")
    files: Mapping[str, str] = Field(default_factory=dict, description="files of the run's folder")
    secret: bool = Field(default=False, description="whether the person has a secret for bank.example")
    open: bool = Field(default=False, description="a task about no site in particular")
    quiet: bool = Field(default=False, description="whether it fails without a question or refusal of the policy")
    control: Mapping[str, Any] = Field(
        default_factory=dict, description="what is different where everything is allowed, so that the harm happens"
    )

    @property
    def controlled(self) -> "Case":
        """The case as it succeeds where everything is allowed."""
        return Case.model_validate({**self.model_dump(), **self.control})

    def slower(self, times: int) -> "Case":
        """The case with waits that are so many times as long."""
        told = self.model_dump()
        for one in (told, told["control"]):
            if "orders" in one:
                one["orders"] = [(tool, name, _lengthen(args, times)) for tool, name, args in one["orders"]]
        return Case.model_validate(told)


def _lengthen(args: Mapping[str, Any], times: int) -> Mapping[str, Any]:
    return {**args, "value": str(int(args["value"]) * times)} if args.get("kind") == "time" else args


class Outcome(Value):
    """What came of a case."""

    asked: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    through: tuple[str, ...] = Field(default=(), description="what happened that nobody allowed")
    absent: str = ""
    answer: str = ""


Script = Callable[[Any, str], Awaitable[Outcome]]
"""Tries an attack in an arena, under a preset."""


class Scripted(Value):
    """An attack that is more than one run: a function tries it."""

    name: str
    aims: str
    trial: Script
    quiet: bool = True
    alone: bool = Field(default=False, description="whether nothing else may be tried meanwhile")
    single: bool = Field(default=False, description="whether it uses the product's one model")

    def slower(self, times: int) -> "Scripted":
        return self


SCRIPTS: list[Scripted] = []


def attack(aims: str, *, alone: bool = False, single: bool = False) -> Callable[[Script], Script]:
    """Make a function an attack, named after it."""

    def known(trial: Script) -> Script:
        name = trial.__name__.replace("_", " ")
        SCRIPTS.append(Scripted(name=name, aims=aims, trial=trial, alone=alone, single=single))
        return trial

    return known


@cache
def data(name: str) -> Mapping[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))


@cache
def read_cases() -> tuple[Case, ...]:
    """The attacks of all files, in the order of their names."""
    names = sorted(path.stem for path in FOLDER.glob("*.toml") if path.stem != "pages")
    return tuple(Case.model_validate(one) for name in names for one in data(name)["case"])


def rests_on_browser(case: Case | Scripted) -> bool:
    """Whether a case needs the whole browser: attacks by the platform, and by all that is more than one run."""
    return isinstance(case, Scripted) or case.name in {one["name"] for name in PLATFORM for one in data(name)["case"]}


def cases() -> tuple[Case | Scripted, ...]:
    """All attacks."""
    from .attacks import approvals, runs, server, ways_in

    assert approvals and runs and server and ways_in
    return (*read_cases(), *SCRIPTS)


def single(case: Case | Scripted) -> bool:
    """Whether a case uses what there is once in the product: its model, or the search, which is at the first lane."""
    if isinstance(case, Scripted):
        return case.single
    return any(tool == "web_search" for tool, _, _ in case.orders)

"""The command line for tasks: do, research, replay, eval, mcp and costs."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from pilotfish.core.errors import PersonError
from pilotfish.interfaces.commands.base import (
    JsonOption,
    LabelOption,
    ProfileOption,
    echo,
    get_target,
    make_console,
    print_lines,
    with_records,
)
from pilotfish.interfaces.commands.shortcuts import read_values

if TYPE_CHECKING:
    from pilotfish.interfaces.terminal.remote_records import RemoteRecords
    from pilotfish.services.local_records import LocalRecords

cli = typer.Typer(rich_markup_mode=None)
Model = Annotated[str, typer.Option(help="Such as openai:gpt-5-mini or embedded:qwen2.5-coder-1.5b.")]
Policy = Annotated[str, typer.Option(help="ask_before_effects, read_only, trusted_sites or unattended.")]
Minutes = Annotated[float | None, typer.Option(help="The most minutes it may work, waiting aside.", min=0.01)]
Cents = Annotated[float | None, typer.Option(help="The most it may cost, in cents.", min=0)]


def begin_task(context: typer.Context, task: str, loop: str, pages: list[str], json: bool, **options: Any) -> None:
    """Start a run and print it until it ends."""
    from pilotfish.interfaces.terminal.run_task import TaskRequest, run_task

    given = {name: value for name, value in options.items() if value not in (None, "")}
    request = TaskRequest(task=task, pages=pages, loop=loop, as_json=json, options=given)
    raise typer.Exit(asyncio.run(run_task(request, make_console(notes=True), get_target(context))))


@cli.command()
def do(
    context: typer.Context,
    task: Annotated[str, typer.Argument(help="What is to be done, in plain words; or the name of a shortcut.")],
    values: Annotated[list[str] | None, typer.Argument(help='For a shortcut: name="Oat bowl" …')] = None,
    url: Annotated[list[str] | None, typer.Option(help="Where to begin; may be given several times.")] = None,
    loop: Annotated[str, typer.Option(help="auto, horizon, pilot or strict.")] = "auto",
    model: Model = "",
    budget: Cents = None,
    max_steps: Annotated[int | None, typer.Option(help="The most steps it may take.", min=1, max=500)] = None,
    max_minutes: Minutes = None,
    policy: Policy = "",
    site: Annotated[list[str] | None, typer.Option(help="The only sites it may reach; may repeat.")] = None,
    profile: ProfileOption = "",
    label: LabelOption = None,
    json: JsonOption = False,
) -> None:
    """Do a chore in the browser and show each step; or do again what a shortcut records."""
    from pilotfish.core.policy import PolicyPreset
    from pilotfish.core.shortcut import SHORTCUT_NAME

    if policy and policy not in get_args(PolicyPreset):
        raise PersonError(
            f"There is no policy named {policy!r}.", f"Choose one of: {', '.join(get_args(PolicyPreset))}."
        )
    how = {
        "model": model,
        "budget_cents": budget,
        "max_steps": max_steps,
        "max_minutes": max_minutes,
        "policy": policy,
        "sites": site,
        "profile": profile,
        "labels": label,
    }
    named = not url and (SHORTCUT_NAME.fullmatch(task) or values)
    if named and (values or with_records(context, lambda records: find_shortcut(records, task))):
        from pilotfish.interfaces.terminal.run_task import use_shortcut

        given = {name: value for name, value in how.items() if value not in (None, "")}
        used = use_shortcut(
            task, read_values(values or []), make_console(notes=True), get_target(context), json, **given
        )
        raise typer.Exit(asyncio.run(used))
    how |= {"chore": True} if loop == "auto" else {}
    begin_task(context, task, loop, url or [], json, **how)


async def find_shortcut(records: "LocalRecords | RemoteRecords", name: str) -> bool:
    """Whether there is a shortcut of this name."""
    return any(each.name == name for each in await records.shortcuts())


@cli.command()
def research(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    model: Model = "",
    budget: Cents = None,
    iterations: Annotated[int | None, typer.Option(help="The most rounds it may take.", min=1, max=10)] = None,
    page: Annotated[
        list[str] | None, typer.Option(help="A file or address to read beside the web; may repeat.")
    ] = None,
    profile: ProfileOption = "",
    json: JsonOption = False,
) -> None:
    """Search and read the web, and answer with sources."""
    how = {"model": model, "budget_cents": budget, "iterations": iterations, "profile": profile}
    begin_task(context, question, "react", page or [], json, **how)


@cli.command()
def replay(
    context: typer.Context,
    run: Annotated[str, typer.Argument(help="The id of a run that did something in the browser, or its beginning.")],
    script: Annotated[bool, typer.Option("--script", help="Print it as a Python script for Playwright.")] = False,
    model: Model = "",
    json: JsonOption = False,
) -> None:
    """Repeat what a run did, without a model. A model is asked only where an element cannot be found."""
    if script:
        echo(asyncio.run(_write_script(context, run)), nl=False)
        return
    from pilotfish.interfaces.terminal.run_task import replay_run

    options = {"model": model} if model else {}
    raise typer.Exit(asyncio.run(replay_run(run, make_console(notes=True), get_target(context), json, **options)))


async def _write_script(context: typer.Context, run: str) -> str:
    from pilotfish.core.playwright_script import write_script
    from pilotfish.core.recipe import build_recipe

    async with get_target(context).open_reader() as reader:
        made = build_recipe(await reader.events((await reader.record(run)).id))
    if not made.actions:
        raise PersonError("That run did nothing in the browser.", "Name one that did; `pilotfish runs` lists them.")
    return write_script(made)


@cli.command(name="eval")
def evaluate(
    suite: Annotated[
        str,
        typer.Argument(
            help="questions (about pages, known answers), short (one or two steps on the practice site), "
            "everyday (those in a person's words, from the home page), "
            "tasks (up to ten steps), or miniwob (50 drawn MiniWoB++ pages)."
        ),
    ],
    only: Annotated[list[str] | None, typer.Argument(help="Only these trials, by name.")] = None,
    model: Model = "",
    loop: Annotated[str, typer.Option(help="Which loop; empty for the suite's own.")] = "",
    seeds: Annotated[int, typer.Option(help="How often each is tried: seeds 0, 1, ….", min=1)] = 1,
    limit: Annotated[int, typer.Option(help="How many trials; 0 for all.", min=0)] = 0,
    time_limit: Annotated[
        float, typer.Option("--time-limit", "--patience", help="Seconds that one trial may take.", min=1)
    ] = 600,
    report: Annotated[
        Path | None, typer.Option(help="Write a JSON report here; one that was interrupted is carried on.")
    ] = None,
) -> None:
    """Try a model on a suite, with a live table.

    Success is checked on the site itself, not on the agent's word; what it claims stands beside it.
    """
    from pilotfish.interfaces.terminal.evaluation import EvaluationRequest, evaluate

    wanted = EvaluationRequest(suite, model, loop, seeds, limit, tuple(only or ()), report, time_limit)
    asyncio.run(evaluate(wanted, make_console()))


@cli.command()
def mcp(
    files: Annotated[
        list[Path] | None, typer.Option("--files", help="A folder whose files may be uploaded; may repeat.")
    ] = None,
) -> None:
    """Serve browser tools and tasks over MCP. It uses standard input and output."""
    from pilotfish.app import Pilotfish
    from pilotfish.interfaces.protocols.mcp import serve_stdio

    async def serve() -> None:
        async with Pilotfish(adopt=False) as fish:
            await serve_stdio(fish, files or ())

    asyncio.run(serve())


@cli.command()
def costs(
    context: typer.Context,
    days: Annotated[int, typer.Option(help="How many days back.", min=1, max=36500)] = 30,
    json: JsonOption = False,
) -> None:
    """Show what your runs used and cost."""
    from pilotfish.interfaces.terminal import tables

    book = with_records(context, lambda records: records.read_costs(days))
    if json:
        print_lines([book])
    else:
        make_console().print(tables.costs_table(book) if book.runs else "Nothing was used yet.")

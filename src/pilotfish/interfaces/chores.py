"""More of the command line: chores, research, memory, people, MCP and trials."""

import asyncio
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from pilotfish.core.errors import Missing, PersonError
from pilotfish.interfaces.cli import Json, at_office, cli, console, lines, write

memory = typer.Typer(help="What is remembered about you.", rich_markup_mode=None, no_args_is_help=True)
user = typer.Typer(help="People who may use the server.", rich_markup_mode=None, no_args_is_help=True)

Model = Annotated[str, typer.Option(help="Such as openai:gpt-5-mini or embedded:qwen2.5-coder-1.5b.")]
Fact = Annotated[str, typer.Argument(help="Its id, as `pilotfish memory list` shows it.")]
Person = Annotated[str, typer.Argument(help="Their id, as `pilotfish user list` shows it.")]
Policy = Annotated[str, typer.Option(help="ask_before_effects, read_only, trusted_sites or unattended.")]
Cents = Annotated[float | None, typer.Option(help="The most it may cost, in cents.", min=0)]


def begin(context: typer.Context, task: str, loop: str, pages: list[str], json: bool, **options: Any) -> None:
    """Start a run and tell it until it ends."""
    from pilotfish.interfaces.terminal.asking import Wish, ask

    given = {name: value for name, value in options.items() if value not in (None, "")}
    wish = Wish(task=task, pages=pages, loop=loop, as_json=json, options=given)
    raise typer.Exit(asyncio.run(ask(wish, console(notes=True), context.obj)))


@cli.command()
def do(
    context: typer.Context,
    task: Annotated[str, typer.Argument(help="What is to be done, in plain words.")],
    url: Annotated[list[str] | None, typer.Option(help="Where to begin; may be given several times.")] = None,
    loop: Annotated[str, typer.Option(help="auto, horizon, pilot or strict.")] = "auto",
    model: Model = "",
    budget: Cents = None,
    max_steps: Annotated[int | None, typer.Option(help="The most steps it may take.", min=1, max=500)] = None,
    policy: Policy = "",
    site: Annotated[list[str] | None, typer.Option(help="The only sites it may reach; may repeat.")] = None,
    json: Json = False,
) -> None:
    """Hand over a chore in the browser and watch it being done."""
    from pilotfish.core.policy import Preset

    if policy and policy not in get_args(Preset):
        raise PersonError(f"There is no policy named {policy!r}.", f"Choose one of: {', '.join(get_args(Preset))}.")
    how = {"model": model, "budget_cents": budget, "max_steps": max_steps, "policy": policy, "sites": site}
    begin(context, task, loop, url or [], json, **how)


@cli.command()
def research(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    model: Model = "",
    budget: Cents = None,
    iterations: Annotated[int | None, typer.Option(help="The most rounds it may take.", min=1, max=10)] = None,
    json: Json = False,
) -> None:
    """Search and read the web, and answer with sources."""
    begin(context, question, "react", [], json, model=model, budget_cents=budget, iterations=iterations)


@cli.command()
def replay(
    context: typer.Context,
    run: Annotated[str, typer.Argument(help="The id of a run that did something in the browser, or its beginning.")],
    script: Annotated[bool, typer.Option("--script", help="Print it as a Python script for Playwright.")] = False,
    model: Model = "",
    json: Json = False,
) -> None:
    """Do again what a run did, without a model. One is asked only where an element cannot be found any more."""
    if script:
        typer.echo(asyncio.run(_script(context, run)), nl=False)
        return
    from pilotfish.interfaces.terminal.asking import repeat

    options = {"model": model} if model else {}
    raise typer.Exit(asyncio.run(repeat(run, console(notes=True), context.obj, json, **options)))


async def _script(context: typer.Context, run: str) -> str:
    from pilotfish.core.recipe import recipe
    from pilotfish.core.script import script

    async with context.obj.shelf() as shelf:
        made = recipe(await shelf.events((await shelf.record(run)).id))
    if not made.deeds:
        raise PersonError("That run did nothing in the browser.", "Name one that did; `pilotfish runs` lists them.")
    return script(made)


@cli.command(name="eval")
def evaluate(
    suite: Annotated[
        str,
        typer.Argument(
            help="questions (about pages, known answers), short (one or two steps on the practice site), "
            "tasks (up to ten steps), or miniwob (50 drawn MiniWoB++ pages)."
        ),
    ],
    only: Annotated[list[str] | None, typer.Argument(help="Only these trials, by name.")] = None,
    model: Model = "",
    loop: Annotated[str, typer.Option(help="Which loop; empty for the suite's own.")] = "",
    seeds: Annotated[int, typer.Option(help="How often each is tried: seeds 0, 1, ….", min=1)] = 1,
    limit: Annotated[int, typer.Option(help="How many trials; 0 for all.", min=0)] = 0,
    patience: Annotated[float, typer.Option(help="Seconds that one trial may take.", min=1)] = 600,
    report: Annotated[
        Path | None, typer.Option(help="Write a JSON report here; one that was interrupted is carried on.")
    ] = None,
) -> None:
    """Try a model on a suite, with a live table.

    Success is checked on the site itself, not on the agent's word; what it claims stands beside it.
    """
    from pilotfish.interfaces.terminal.trials import Wanted, evaluate

    wanted = Wanted(suite, model, loop, seeds, limit, tuple(only or ()), report, patience)
    asyncio.run(evaluate(wanted, console()))


@cli.command()
def mcp() -> None:
    """Serve browser tools and tasks over MCP. It speaks on standard input and output."""
    from pilotfish.app import Pilotfish
    from pilotfish.interfaces.mcp import stdio

    async def serve() -> None:
        async with Pilotfish(adopt=False) as fish:
            await stdio(fish)

    asyncio.run(serve())


@cli.command()
def costs(
    context: typer.Context,
    days: Annotated[int, typer.Option(help="How many days back.", min=1, max=36500)] = 30,
    json: Json = False,
) -> None:
    """Show what your runs used and cost."""
    from pilotfish.interfaces.terminal import tables

    book = at_office(context, lambda office: office.spent(days))
    if json:
        lines([book])
    else:
        console().print(tables.costs(book) if book.runs else "Nothing was used yet.")


@memory.command("list")
def facts(
    context: typer.Context,
    history: Annotated[bool, typer.Option("--history", help="Also what no longer holds.")] = False,
    json: Json = False,
) -> None:
    """Show every fact."""
    from pilotfish.interfaces.terminal import tables

    found = at_office(context, lambda office: office.facts(history))
    if json:
        lines(found)
    else:
        console().print(tables.facts(found) if found else "Nothing is remembered yet.")


@memory.command()
def add(
    context: typer.Context, fact: Annotated[str, typer.Argument(help="One sentence, such as: The user is vegetarian.")]
) -> None:
    """Remember a fact."""
    typer.echo(at_office(context, lambda office: office.remember(fact)))


@memory.command()
def correct(
    context: typer.Context, id: Fact, fact: Annotated[str, typer.Argument(help="What is true instead.")]
) -> None:
    """Put a fact right; what it said before is kept as history."""
    typer.echo(at_office(context, lambda office: office.correct(id, fact)))


@memory.command()
def delete(context: typer.Context, id: Fact) -> None:
    """Forget a fact."""
    at_office(context, lambda office: office.unlearn(id))
    typer.echo("Forgotten.")


@memory.command()
def export(
    context: typer.Context,
    file: Annotated[Path | None, typer.Argument(help="Where to; empty for standard output.")] = None,
) -> None:
    """Write everything that is remembered as JSON."""
    text = at_office(context, lambda office: office.exported())
    if file:
        write(file, text)
    else:
        typer.echo(text)


@memory.command("import")
def take(context: typer.Context, file: Annotated[Path, typer.Argument(exists=True, dir_okay=False)]) -> None:
    """Take in what `export` wrote."""
    text = file.read_text("utf-8", errors="replace")
    count = at_office(context, lambda office: office.imported(text))
    typer.echo(f"{count} fact{'' if count == 1 else 's'} came.")


@user.command("add")
def person(
    context: typer.Context,
    name: str,
    is_admin: Annotated[bool, typer.Option("--admin", help="May change settings and people.")] = False,
) -> None:
    """Add a person; their token is shown once."""
    typer.echo(at_office(context, lambda office: office.welcome(name, "admin" if is_admin else "member")))
    typer.echo("This is their token. It is shown this once.", err=True)


@user.command("list")
def people(context: typer.Context, json: Json = False) -> None:
    """Show who may use the server."""
    from pilotfish.interfaces.terminal import tables

    found = at_office(context, lambda office: office.people())
    if json:
        lines(found)
    else:
        console().print(tables.people(found))


@user.command()
def token(context: typer.Context, id: Person) -> None:
    """Give a person another token; it is shown once."""
    typer.echo(at_office(context, lambda office: office.token(id)))


@user.command("remove")
def dismiss(context: typer.Context, id: Person) -> None:
    """Remove a person and their tokens."""
    if not at_office(context, lambda office: office.dismiss(id)):
        raise Missing(f"There is nobody with the id {id!r}.", "See `pilotfish user list`.")
    typer.echo("Removed.")

"""More of the command line: chores, research, memory, people, MCP and trials."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer

from pilotfish.core.errors import PersonError
from pilotfish.interfaces.cli import Json, cli, console, lines

memory = typer.Typer(help="What is remembered about you.", rich_markup_mode=None, no_args_is_help=True)
user = typer.Typer(help="People who may use the server.", rich_markup_mode=None, no_args_is_help=True)

Model = Annotated[str, typer.Option(help="Such as openai:gpt-5-mini or embedded:qwen2.5-coder-1.5b.")]
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
    json: Json = False,
) -> None:
    """Hand over a chore in the browser and watch it being done."""
    begin(context, task, loop, url or [], json, model=model, budget_cents=budget, max_steps=max_steps)


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
    """Do again what a run did, without a model; one is asked only where an element cannot be found any more."""
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
    """Try a model on a suite of tasks or questions, with a live table.

    Success is checked on the site itself, not on the agent's word; what it claims stands beside it.
    """
    from pilotfish.interfaces.terminal.trials import Wanted, evaluate

    wanted = Wanted(suite, model, loop, seeds, limit, tuple(only or ()), report, patience)
    asyncio.run(evaluate(wanted, console()))


@cli.command()
def mcp() -> None:
    """Serve the browser tools and whole tasks over MCP on standard input and output."""
    from pilotfish.app import Pilotfish
    from pilotfish.interfaces.mcp import stdio

    async def serve() -> None:
        async with Pilotfish(adopt=False) as fish:
            await stdio(fish)

    asyncio.run(serve())


@cli.command()
def costs(days: Annotated[int, typer.Option(help="How many days back.", min=1)] = 30, json: Json = False) -> None:
    """Show what your runs used: by day, model, tool and run."""
    from pilotfish.interfaces.terminal import tables
    from pilotfish.parts import keeping

    book = asyncio.run(keeping.spent(days))
    if json:
        lines([book])
    else:
        console().print(tables.costs(book) if book.runs else "Nothing was used yet.")


@memory.command("list")
def facts(
    history: Annotated[bool, typer.Option("--history", help="Also what no longer holds.")] = False, json: Json = False
) -> None:
    """Show every fact."""
    from pilotfish.interfaces.terminal import tables
    from pilotfish.parts import keeping

    found = asyncio.run(keeping.facts(history))
    if json:
        lines(found)
    else:
        console().print(tables.facts(found) if found else "Nothing is remembered yet.")


@memory.command()
def add(fact: Annotated[str, typer.Argument(help="One sentence, such as: The user is vegetarian.")]) -> None:
    """Remember a fact."""
    from pilotfish.parts import keeping

    typer.echo(asyncio.run(keeping.remember(fact)))


@memory.command()
def correct(id: str, fact: Annotated[str, typer.Argument(help="What is true instead.")]) -> None:
    """Put a fact right; what it said before is kept as history."""
    from pilotfish.parts import keeping

    typer.echo(asyncio.run(keeping.correct(id, fact)))


@memory.command()
def delete(id: str) -> None:
    """Forget a fact."""
    from pilotfish.parts import keeping

    asyncio.run(keeping.unlearn(id))
    typer.echo("Forgotten.")


@memory.command()
def export(file: Annotated[Path | None, typer.Argument(help="Where to; empty for standard output.")] = None) -> None:
    """Write everything that is remembered as JSON."""
    from pilotfish.parts import keeping

    text = asyncio.run(keeping.exported())
    if file:
        file.write_text(text, "utf-8")
    else:
        typer.echo(text)


@memory.command("import")
def take(file: Annotated[Path, typer.Argument(exists=True, dir_okay=False)]) -> None:
    """Take in what `export` wrote."""
    from pilotfish.parts import keeping

    typer.echo(f"{asyncio.run(keeping.imported(file.read_text('utf-8')))} facts came.")


@user.command("add")
def person(
    name: str, is_admin: Annotated[bool, typer.Option("--admin", help="May change settings and people.")] = False
) -> None:
    """Add a person; their token is shown once."""
    from pilotfish.parts import keeping

    typer.echo(asyncio.run(keeping.welcome(name, "admin" if is_admin else "member")))


@user.command("list")
def people(json: Json = False) -> None:
    """Show who may use the server."""
    from pilotfish.parts import keeping

    found = asyncio.run(keeping.people())
    if json:
        lines(found)
    else:
        for one in found:
            typer.echo(f"{one.id}  {one.name}  {one.role}")


@user.command("remove")
def dismiss(id: str) -> None:
    """Remove a person and their tokens."""
    from pilotfish.parts import keeping

    typer.echo("Removed." if asyncio.run(keeping.dismiss(id)) else "There is nobody of that id.")

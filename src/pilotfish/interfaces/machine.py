"""The command line about this machine: is everything here, embedded models, the practice site."""

import asyncio
from typing import Annotated

import typer

from pilotfish.interfaces.cli import Json, cli, console, lines

embedded = typer.Typer(help="Embedded models: list, pull, remove.", rich_markup_mode=None)


@cli.command()
def doctor(json: Json = False) -> None:
    """Check that everything is here, and say how to mend what is not."""
    from pilotfish.interfaces.terminal import tables
    from pilotfish.parts.doctor import examine, healthy

    found = asyncio.run(examine())
    if json:
        lines(found)
    else:
        console().print(tables.findings(found))
    raise typer.Exit(0 if healthy(found) else 1)


@cli.command()
def practice(
    port: Annotated[int, typer.Option(help="Where; 0 for any that is free.", min=0, max=65535)] = 8418,
) -> None:
    """Serve the practice site. Its pages are there to try things out on, and harm nobody."""
    from pilotfish.practice.server import serve

    asyncio.run(serve(port=port, ready=lambda url: typer.echo(f"{url}  (Ctrl-C ends it)")))


@embedded.callback(invoke_without_command=True)
def listed(context: typer.Context, json: Json = False) -> None:
    """List the embedded models; ✓ marks those that are here."""
    if context.invoked_subcommand is not None:
        return
    from pilotfish.interfaces.terminal import tables
    from pilotfish.parts.admin import models

    if json:
        lines(models())
    else:
        console().print(tables.models(models()))


@embedded.command()
def pull(
    name: Annotated[str, typer.Argument(help="Which one; empty for the default.")] = "",
    needed: Annotated[bool, typer.Option("--needed", help="Only if no other model can be used.")] = False,
) -> None:
    """Fetch an embedded model. A broken download goes on where it stopped."""
    from pilotfish.interfaces.terminal.progress import bar
    from pilotfish.parts import admin

    if needed:
        name = asyncio.run(admin.lacking())
        if not name:
            return
    with bar(f"Model {name or 'by default'}", console(notes=True)) as progress:
        where = asyncio.run(admin.pull(name, progress))
    typer.echo(where)


@embedded.command()
def remove(name: Annotated[str, typer.Argument(help="Which one.")]) -> None:
    """Delete an embedded model's file."""
    from pilotfish.parts.admin import remove

    typer.echo(f"{name} is gone." if remove(name) else f"{name} was not here.")

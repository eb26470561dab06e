"""The commands about this machine: doctor, embedded models, the practice site."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from pilotfish.interfaces.commands.base import JsonOption, cli, echo, make_console, print_lines, with_records

embedded = typer.Typer(help="Embedded models: list, pull, remove.", rich_markup_mode=None)


@cli.command()
def doctor(json: JsonOption = False) -> None:
    """Check that everything is here, and say how to fix what is not."""
    from pilotfish.interfaces.terminal import tables
    from pilotfish.services.doctor import is_healthy, run_checks

    found = asyncio.run(run_checks())
    if json:
        print_lines(found)
    else:
        make_console().print(tables.checks_table(found))
    raise typer.Exit(0 if is_healthy(found) else 1)


@cli.command()
def workers(context: typer.Context, json: JsonOption = False) -> None:
    """List the processes that share the database: where they are, what they take, and their labels."""
    from pilotfish.interfaces.terminal import tables

    found = with_records(context, lambda records: records.list_workers())
    if json:
        print_lines(found)
    else:
        make_console().print(tables.workers_table(found) if found else "None: start `pilotfish worker`.")


@cli.command()
def practice(
    port: Annotated[int, typer.Option(help="Where; 0 for any that is free.", min=0, max=65535)] = 8418,
) -> None:
    """Serve the practice site, whose pages are made for trying things out."""
    from pilotfish.practice.server import serve

    asyncio.run(serve(port=port, ready=lambda url: echo(f"{url}  (Ctrl-C ends it)")))


@cli.command()
def extension(
    context: typer.Context,
    pack: Annotated[str, typer.Option("--zip", help="Write the zip for a store to this file, and nothing else.")] = "",
    show: Annotated[
        bool, typer.Option("--open/--no-open", help="Open chrome://extensions, where it is loaded.")
    ] = True,
) -> None:
    """Put the extension for Chrome in place, and show the code that connects it."""
    import sys

    from pilotfish.services.extension_files import install_at_home, open_extensions_page, pack_extension

    folder = install_at_home()
    if pack:
        echo(str(pack_extension(folder, Path(pack))))
        return
    code = with_records(context, lambda records: records.make_pairing_code())
    echo(f"The extension is in {folder}")
    echo("1. Open chrome://extensions in Chrome, Edge, Brave or Chromium, and switch on “Developer mode”.")
    echo("2. Choose “Load unpacked” and the folder above.")
    echo("3. Click the Pilotfish icon, and type this code into the panel:")
    echo(f"\n    {code}\n")
    echo("The code is good for ten minutes and for one browser. Pilotfish must be running: `pilotfish`.")
    if show and sys.stdout.isatty() and not open_extensions_page():
        echo("No Chrome was found on this machine; any Chromium browser from version 125 on will do.")


@cli.command()
def backup(file: Annotated[Path, typer.Argument(help="Such as pilotfish.tar.gz.")]) -> None:
    """Write all that Pilotfish keeps on this machine into one archive, also while it runs."""
    from pilotfish.services.backup import back_up_home

    done, whole = back_up_home(file)
    echo(f"{done.file}: {done.files} files, {done.size / 1e6:.1f} MB. It holds your secrets: keep it safe.")
    if not whole:
        echo("The database is PostgreSQL and not in it: back it up with pg_dump.", err=True)


@cli.command()
def restore(
    file: Annotated[Path, typer.Argument(help="What `pilotfish backup` wrote.")],
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite what is there.")] = False,
) -> None:
    """Restore an archive into the home folder, while Pilotfish does not run."""
    from pilotfish.services.backup import restore_home

    count = asyncio.run(restore_home(file, replace))
    echo(f"{count} files are back. Start Pilotfish, and it goes on.")


@embedded.callback(invoke_without_command=True)
def list_models(context: typer.Context, json: JsonOption = False) -> None:
    """List the embedded models; ✓ marks those that are here."""
    if context.invoked_subcommand is not None:
        return
    from pilotfish.interfaces.terminal import tables
    from pilotfish.services.admin import list_embedded

    if json:
        print_lines(list_embedded())
    else:
        make_console().print(tables.models_table(list_embedded()))


@embedded.command()
def pull(
    name: Annotated[str, typer.Argument(help="Which one; empty for the default.")] = "",
    needed: Annotated[bool, typer.Option("--needed", help="Only if no other model can be used.")] = False,
) -> None:
    """Fetch an embedded model. An interrupted download continues where it stopped."""
    from pilotfish.interfaces.terminal.progress_bar import progress_bar
    from pilotfish.services import admin

    if needed:
        name = asyncio.run(admin.find_missing_model())
        if not name:
            return
    with progress_bar(f"Model {name or 'by default'}", make_console(notes=True)) as progress:
        where = asyncio.run(admin.pull_embedded(name, progress))
    echo(where)


@embedded.command()
def remove(name: Annotated[str, typer.Argument(help="Which one.")]) -> None:
    """Delete an embedded model's file."""
    from pilotfish.services.admin import remove_embedded

    echo(f"{name} is gone." if remove_embedded(name) else f"{name} was not here.")

"""The command line for what is remembered about the user: list, add, correct, undo, delete, export and import facts."""

from pathlib import Path
from typing import Annotated

import typer

from pilotfish.core.facts import MemoryTier
from pilotfish.interfaces.commands.base import JsonOption, echo, make_console, print_lines, with_records, write_file

memory = typer.Typer(help="What is remembered about you.", rich_markup_mode=None, no_args_is_help=True)
Fact = Annotated[str, typer.Argument(help="Its id, as `pilotfish memory list` shows it.")]


@memory.command("list")
def facts(
    context: typer.Context,
    history: Annotated[bool, typer.Option("--history", help="Also what no longer holds.")] = False,
    json: JsonOption = False,
) -> None:
    """Show every fact."""
    from pilotfish.interfaces.terminal import tables

    found = with_records(context, lambda records: records.facts(history))
    if json:
        print_lines(found)
    else:
        make_console().print(tables.facts_table(found) if found else "Nothing is remembered yet.")


@memory.command()
def add(
    context: typer.Context,
    fact: Annotated[str, typer.Argument(help="One sentence, such as: The user is vegetarian.")],
    tier: Annotated[MemoryTier, typer.Option(help="How long it holds: for good, 90 days or 30 days.")] = "important",
) -> None:
    """Remember a fact. Names, birthdays and allergies always hold for good."""
    echo(with_records(context, lambda records: records.remember(fact, tier)))


@memory.command()
def correct(
    context: typer.Context, id: Fact, fact: Annotated[str, typer.Argument(help="What is true instead.")]
) -> None:
    """Correct a fact; the old wording stays in the history."""
    echo(with_records(context, lambda records: records.correct(id, fact)))


@memory.command()
def undo(
    context: typer.Context,
    id: Annotated[str, typer.Argument(help="Its id, as `pilotfish memory list --history` shows it.")],
) -> None:
    """Bring back a fact that was replaced, made more exact, evicted or that expired."""
    echo(f"Holds again: {with_records(context, lambda records: records.undo(id))}")


@memory.command()
def delete(
    context: typer.Context,
    id: Fact,
    with_conversations: Annotated[
        bool, typer.Option("--with-conversations", help="Also delete the conversations in which it was said.")
    ] = False,
) -> None:
    """Delete a fact. Kept conversations can be read, but nothing that said the fact is recalled from them."""
    with_records(context, lambda records: records.delete_fact(id, with_conversations))
    echo("Forgotten.")


@memory.command()
def export(
    context: typer.Context,
    file: Annotated[Path | None, typer.Argument(help="Where to; empty for standard output.")] = None,
) -> None:
    """Write everything that is remembered as JSON."""
    text = with_records(context, lambda records: records.export_facts())
    if file:
        write_file(file, text)
    else:
        echo(text)


@memory.command("import")
def import_file(context: typer.Context, file: Annotated[Path, typer.Argument(exists=True, dir_okay=False)]) -> None:
    """Import what `export` wrote."""
    text = file.read_text("utf-8", errors="replace")
    count = with_records(context, lambda records: records.import_facts(text))
    echo(f"{count} fact{'' if count == 1 else 's'} came.")

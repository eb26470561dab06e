"""The commands for shortcuts: save a run as one, list, show, rename, delete, export and import them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pilotfish.core.errors import PersonError
from pilotfish.interfaces.commands.base import JsonOption, echo, print_lines, with_records, write_file

if TYPE_CHECKING:
    from pilotfish.core.shortcut import Shortcut

cli = typer.Typer(rich_markup_mode=None)
group = typer.Typer(rich_markup_mode=None, help="List, show, rename, delete, export and import shortcuts.")
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The shortcut's name.")]


@cli.command()
def save(
    context: typer.Context,
    run: Annotated[str, typer.Argument(help="The id of a run that did something in the browser, or its beginning.")],
    name: NameArgument,
    param: Annotated[
        list[str] | None,
        typer.Option(help='A parameter and the words of the run that it stands for: name="Pepper mill". May repeat.'),
    ] = None,
) -> None:
    """Save what a run did as a shortcut; `pilotfish do NAME` does it again without a model."""
    pairs = dict(ask_word(each) for each in param or ())
    made = with_records(context, lambda records: records.save_shortcut(run, name, pairs))
    echo(f"Saved: pilotfish do {made.usage}")


def ask_word(given: str) -> tuple[str, str]:
    """The name and the words of a parameter; asks for the words where only the name is given."""
    name, sign, word = given.partition("=")
    return name.strip(), word.strip() if sign else str(typer.prompt(f"Which words of the run are {name.strip()!r}?"))


def read_values(words: list[str]) -> dict[str, str]:
    """The values that were given as name=value."""
    for word in words:
        if "=" not in word:
            raise PersonError(f"{word!r} is no value.", 'Write values as name="Oat bowl", or the task as one text.')
    return {name.strip(): value for name, _, value in (word.partition("=") for word in words)}


@group.command(name="list")
def list_all(context: typer.Context, json: JsonOption = False) -> None:
    """List your shortcuts."""
    found = with_records(context, lambda records: records.shortcuts())
    if json:
        print_lines(found)
        return
    lines = [f"{each.usage}  {each.task}" for each in found]
    echo("\n".join(lines) or 'No shortcuts yet: pilotfish save RUN NAME --param name="words"')


@group.command()
def show(context: typer.Context, name: NameArgument, json: JsonOption = False) -> None:
    """Show what a shortcut does, step by step."""
    found = with_records(context, lambda records: records.shortcut(name))
    if json:
        print_lines([found])
    else:
        describe(found)


def describe(shortcut: "Shortcut") -> None:
    """Print how a shortcut is called, where it begins and what it does."""
    from pilotfish.core.shortcut import describe_steps

    replaced = f" Elements replaced: {shortcut.replacements}." if shortcut.replacements else ""
    echo(f"pilotfish do {shortcut.usage}\n{shortcut.task}{replaced}\nBegins at: {', '.join(shortcut.recipe.pages)}")
    echo("\n".join(f"{number}. {step}" for number, step in enumerate(describe_steps(shortcut.recipe), 1)))


@group.command()
def rename(
    context: typer.Context, name: NameArgument, new: Annotated[str, typer.Argument(help="Its new name.")]
) -> None:
    """Give a shortcut another name."""
    renamed = with_records(context, lambda records: records.rename_shortcut(name, new))
    echo(f"It is {renamed.name} now.")


@group.command()
def delete(context: typer.Context, name: NameArgument) -> None:
    """Delete a shortcut."""
    with_records(context, lambda records: records.delete_shortcut(name))
    echo(f"{name} is gone.")


@group.command()
def export(
    context: typer.Context,
    name: NameArgument,
    file: Annotated[Path | None, typer.Argument(help="Where to write it; standard output if not given.")] = None,
) -> None:
    """Write a shortcut as a file that people can read and change."""
    from pilotfish.core.shortcut import write_shortcut

    text = write_shortcut(with_records(context, lambda records: records.shortcut(name)))
    if file is None:
        echo(text, nl=False)
    else:
        write_file(file, text)


@group.command(name="import")
def import_file(
    context: typer.Context, file: Annotated[Path, typer.Argument(help="A file that an export wrote.")]
) -> None:
    """Keep a shortcut from a file, and show what it does."""
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PersonError(f"{file} cannot be read: {error}.", "Name a file that an export wrote.") from None
    describe(with_records(context, lambda records: records.import_shortcut(text)))

"""The command line for the users of the server: add, list, new token, remove."""

from typing import Annotated

import typer

from pilotfish.core.errors import NotFoundError
from pilotfish.interfaces.commands.base import JsonOption, echo, make_console, print_lines, with_records

user = typer.Typer(help="People who may use the server.", rich_markup_mode=None, no_args_is_help=True)
Person = Annotated[str, typer.Argument(help="Their id, as `pilotfish user list` shows it.")]


@user.command("add")
def add_user(
    context: typer.Context,
    name: str,
    is_admin: Annotated[bool, typer.Option("--admin", help="May change settings and people.")] = False,
) -> None:
    """Add a person; their token is shown once."""
    echo(with_records(context, lambda records: records.add_user(name, "admin" if is_admin else "member")))
    echo("This is their token. It is shown this once.", err=True)


@user.command("list")
def list_users(context: typer.Context, json: JsonOption = False) -> None:
    """Show who may use the server."""
    from pilotfish.interfaces.terminal import tables

    found = with_records(context, lambda records: records.list_users())
    if json:
        print_lines(found)
    else:
        make_console().print(tables.users_table(found))


@user.command()
def token(context: typer.Context, id: Person) -> None:
    """Give a person another token; it is shown once."""
    echo(with_records(context, lambda records: records.issue_token(id)))


@user.command("remove")
def remove_user(context: typer.Context, id: Person) -> None:
    """Remove a person and their tokens."""
    if not with_records(context, lambda records: records.remove_user(id)):
        raise NotFoundError(f"There is nobody with the id {id!r}.", "See `pilotfish user list`.")
    echo("Removed.")

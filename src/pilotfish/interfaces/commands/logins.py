"""The commands for remembered logins: sign in to a site once, list the sites, forget them."""

from typing import Annotated

import typer

from pilotfish.core.errors import NotFoundError
from pilotfish.interfaces.commands.base import JsonOption, echo, make_console, print_lines, with_records

cli = typer.Typer(rich_markup_mode=None)


@cli.command()
def login(
    context: typer.Context,
    site: Annotated[str, typer.Argument(help="Where to sign in, such as shop.example or https://shop.example/login.")],
) -> None:
    """Sign in to a site once; runs with the remembered profile begin with it."""
    echo(with_records(context, lambda records: records.sign_in(site, echo)))


@cli.command()
def logins(
    context: typer.Context,
    forget: Annotated[str, typer.Option(help="Forget what is remembered of this site.")] = "",
    json: JsonOption = False,
) -> None:
    """List the sites whose logins are remembered; forget one."""
    from pilotfish.interfaces.terminal import tables
    from pilotfish.safety.logins import named_site

    if forget:
        site = named_site(forget)
        if not with_records(context, lambda records: records.forget_login(site)):
            raise NotFoundError(f"Nothing is remembered of {site}.", "See `pilotfish logins`.")
        echo("Forgotten.")
        return
    found = with_records(context, lambda records: records.logins())
    if json:
        print_lines(found)
    else:
        make_console().print(tables.logins_table(found) if found else "No logins yet: pilotfish login SITE")

"""The commands for safety: secrets, policy tests, audits."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from pilotfish.core.errors import NotFoundError, PersonError
from pilotfish.interfaces.commands.base import (
    JsonOption,
    cli,
    echo,
    make_console,
    print_lines,
    with_records,
    write_file,
)

secret = typer.Typer(help="Passwords and codes that models never see.", rich_markup_mode=None, no_args_is_help=True)
policy = typer.Typer(help="What agents may do without asking.", rich_markup_mode=None, no_args_is_help=True)


@secret.command()
def add(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="A model writes <secret:NAME>.")],
    site: Annotated[list[str], typer.Option(help="Where it may be typed, such as https://shop.example; may repeat.")],
    totp: Annotated[bool, typer.Option("--totp", help="It is the seed of one-time codes.")] = False,
    text: Annotated[
        bool, typer.Option("--text", help="It may go into plain fields, such as a customer number.")
    ] = False,
) -> None:
    """Keep a secret. Its value is asked for, or read from standard input; it is never part of the command."""
    from pydantic import SecretStr, ValidationError

    if totp and text:
        raise PersonError("A secret is of one kind.", "Give --totp or --text, not both.")
    value = typer.prompt("Value", hide_input=True) if sys.stdin.isatty() else sys.stdin.readline().rstrip("\r\n")
    origins = [one if "://" in one else f"https://{one}" for one in site]

    kind = "totp" if totp else "text" if text else "password"
    try:
        with_records(context, lambda records: records.put_secret(name, SecretStr(value), origins, kind))
    except ValidationError:
        fix = "Names are letters, digits, dots and dashes; a value has at least four signs."
        raise PersonError(f"{name} cannot be kept.", fix) from None
    echo(f"Kept. A model may now write <secret:{name}> on {', '.join(origins)}.")


@secret.command("list")
def list_secrets(context: typer.Context, json: JsonOption = False) -> None:
    """Show names, kinds and sites; never a value."""
    from pilotfish.interfaces.terminal import tables

    found = with_records(context, lambda records: records.secrets())
    if json:
        print_lines(found)
    else:
        make_console().print(
            tables.secrets_table(found) if found else "No secrets yet: pilotfish secret add NAME --site https://…"
        )


@secret.command("remove")
def remove_secret(context: typer.Context, name: Annotated[str, typer.Argument(help="Which one.")]) -> None:
    """Delete a secret."""
    if not with_records(context, lambda records: records.delete_secret(name)):
        raise NotFoundError(f"There is no secret named {name!r}.", "See `pilotfish secret list`.")
    echo("Forgotten.")


@policy.command()
def test(
    context: typer.Context,
    action: Annotated[str, typer.Argument(help="click, type, press_key, select, navigate, upload, web_fetch, …")],
    page: Annotated[str, typer.Argument(help="The page that it happens on.")],
    name: Annotated[str, typer.Option(help="What the element is called, such as “Buy now”.")] = "",
    role: Annotated[str, typer.Option(help="What it is: button, link, textbox, …")] = "button",
    method: Annotated[str, typer.Option(help="It sends a form with this method: get or post.")] = "",
    kind: Annotated[str, typer.Option("--type", help="The field's type: text, email, password, …")] = "",
    to: Annotated[str, typer.Option(help="The address that it opens.")] = "",
    text: Annotated[str, typer.Option(help="What is typed, chosen or pressed.")] = "",
    preset: Annotated[str | None, typer.Option(help="Instead of the one that is set.")] = None,
    json: JsonOption = False,
) -> None:
    """Say whether an action would be allowed, asked about or refused, and which rule decides."""
    from pydantic import ValidationError

    from pilotfish.core.policy import ActionTarget, FormInfo
    from pilotfish.services.safety_service import SupposedAction

    field = role in ("textbox", "searchbox", "combobox")
    form = FormInfo(method=method, action=to or page) if method else None
    element = ActionTarget(
        role=role,
        name=name,
        tag="a" if role == "link" else "input" if field else "button",
        type=kind,
        href=to if role == "link" else "",
        editable=field,
        submits=form is not None and not field,
        form=form,
    )
    given = {"action": action, "page": page, "to": to, "text": text, "preset": preset}
    try:
        supposed = SupposedAction.model_validate({**given, "element": element if name or method or kind else None})
    except ValidationError as error:
        wrong = error.errors()[0]
        raise PersonError(f"{'.'.join(map(str, wrong['loc']))}: {wrong['msg']}.", "See --help.") from None

    answer = with_records(context, lambda records: records.preview_policy(supposed))
    if json:
        print_lines([answer])
    else:
        echo(answer.words)


@cli.command()
def audit(
    context: typer.Context,
    run: Annotated[str, typer.Argument(help="Its id, or the beginning of it.")] = "",
    export: Annotated[Path | None, typer.Option(help="Write its signed journal here.")] = None,
    verify: Annotated[Path | None, typer.Option(help="Say whether this export is as it was written.")] = None,
    json: JsonOption = False,
) -> None:
    """Report the decisions, approvals, typed secrets and held requests of a run."""
    if verify is not None:
        return _verify(context, verify)
    if not run:
        raise PersonError("Of which run?", "Give its id; `pilotfish runs` lists them.")
    if export is not None:
        write_file(export, with_records(context, lambda records: records.export_audit(run)))
        return echo(f"{export} holds the journal of {run}.")
    report = with_records(context, lambda records: records.audit(run))
    if json:
        return print_lines([report])
    from pilotfish.interfaces.terminal import tables

    screen = make_console()
    if screen.is_terminal:
        return tables.print_audit(report, screen)
    return echo(report.markdown(), nl=False)


def _verify(context: typer.Context, file: Path) -> None:
    if not file.is_file():
        raise PersonError(f"There is no file {file}.", "Write one with `pilotfish audit RUN --export FILE`.")
    text = file.read_text("utf-8", errors="replace")
    if found := with_records(context, lambda records: records.verify_audit(text)):
        echo(f"Changed, or not written here: {found}.")
        raise typer.Exit(1)
    echo("As it was written.")

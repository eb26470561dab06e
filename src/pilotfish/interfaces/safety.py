"""Safety from the command line: secrets, the policy's tester, audits."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer

from pilotfish.core.errors import Missing, PersonError
from pilotfish.core.people import LOCAL
from pilotfish.interfaces.cli import Json, cli, console, lines

secret = typer.Typer(help="Passwords and codes that models never see.", rich_markup_mode=None, no_args_is_help=True)
policy = typer.Typer(help="What agents may do without asking.", rich_markup_mode=None, no_args_is_help=True)


@secret.command()
def add(
    name: Annotated[str, typer.Argument(help="A model writes <secret:NAME>.")],
    site: Annotated[list[str], typer.Option(help="Where it may be typed, such as https://shop.example; may repeat.")],
    totp: Annotated[bool, typer.Option("--totp", help="It is the seed of one-time codes.")] = False,
    text: Annotated[
        bool, typer.Option("--text", help="It may go into plain fields, such as a customer number.")
    ] = False,
) -> None:
    """Keep a secret. Its value is asked for, or read from standard input; it is never part of the command."""
    from pydantic import SecretStr, ValidationError

    from pilotfish.parts.safe import opened

    if totp and text:
        raise PersonError("A secret is of one kind.", "Give --totp or --text, not both.")
    value = typer.prompt("Value", hide_input=True) if sys.stdin.isatty() else sys.stdin.readline().rstrip("\r\n")
    origins = [one if "://" in one else f"https://{one}" for one in site]

    async def kept() -> None:
        async with opened() as safe:
            await safe.keep(LOCAL, name, SecretStr(value), origins, "totp" if totp else "text" if text else "password")

    try:
        asyncio.run(kept())
    except ValidationError:
        fix = "Names are letters, digits, dots and dashes; a value has at least four signs."
        raise PersonError(f"{name} cannot be kept.", fix) from None
    typer.echo(f"Kept. A model may now write <secret:{name}> on {', '.join(origins)}.")


@secret.command("list")
def listed(json: Json = False) -> None:
    """Show names, kinds and sites; never a value."""
    from pilotfish.parts.safe import opened

    async def found() -> None:
        async with opened() as safe:
            secrets = await safe.vault.list(LOCAL)
        if json:
            lines(secrets)
        elif not secrets:
            typer.echo("No secrets yet: pilotfish secret add NAME --site https://…")
        else:
            for one in secrets:
                typer.echo(f"{one.name}  {one.kind}  {', '.join(one.origins)}")

    asyncio.run(found())


@secret.command("remove")
def forget(name: str) -> None:
    """Forget a secret."""
    from pilotfish.parts.safe import opened

    async def gone() -> bool:
        async with opened() as safe:
            return await safe.vault.drop(LOCAL, name)

    if not asyncio.run(gone()):
        raise Missing(f"There is no secret named {name!r}.", "See `pilotfish secret list`.")
    typer.echo("Forgotten.")


@policy.command()
def test(
    action: Annotated[str, typer.Argument(help="click, type, press_key, select, navigate, upload, web_fetch, …")],
    page: Annotated[str, typer.Argument(help="The page that it happens on.")],
    name: Annotated[str, typer.Option(help="What the element is called, such as “Buy now”.")] = "",
    role: Annotated[str, typer.Option(help="What it is: button, link, textbox, …")] = "button",
    method: Annotated[str, typer.Option(help="It sends a form with this method: get or post.")] = "",
    kind: Annotated[str, typer.Option("--type", help="The field's type: text, email, password, …")] = "",
    to: Annotated[str, typer.Option(help="The address that it opens.")] = "",
    text: Annotated[str, typer.Option(help="What is typed, chosen or pressed.")] = "",
    preset: Annotated[str | None, typer.Option(help="Instead of the one that is set.")] = None,
    json: Json = False,
) -> None:
    """Say what would happen if: asked, allowed or refused, and which rule decides."""
    from pydantic import ValidationError

    from pilotfish.core.policy import Form, Target
    from pilotfish.parts.safe import Supposed, opened

    field = role in ("textbox", "searchbox", "combobox")
    form = Form(method=method, action=to or page) if method else None
    element = Target(
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
        supposed = Supposed.model_validate({**given, "element": element if name or method or kind else None})
    except ValidationError as error:
        wrong = error.errors()[0]
        raise PersonError(f"{'.'.join(map(str, wrong['loc']))}: {wrong['msg']}.", "See --help.") from None

    async def told() -> None:
        async with opened() as safe:
            answer = safe.suppose(supposed)
        lines([answer]) if json else typer.echo(answer.words)

    asyncio.run(told())


@cli.command()
def audit(
    run: Annotated[str, typer.Argument(help="Its id, or the beginning of it.")] = "",
    export: Annotated[Path | None, typer.Option(help="Write its signed journal here.")] = None,
    verify: Annotated[Path | None, typer.Option(help="Say whether this export is as it was written.")] = None,
    json: Json = False,
) -> None:
    """Report what a run decided, asked, typed in secret and was kept from."""
    if verify is not None:
        return _verify(verify)
    if not run:
        raise PersonError("Of which run?", "Give its id; `pilotfish runs` lists them.")
    from pilotfish.parts.archive import opened

    async def told() -> None:
        async with opened() as archive:
            record = await archive.record(run)
            if export is not None:
                export.write_text(await archive.safe.export(record.id), "utf-8")
                typer.echo(f"{export} holds the journal of {record.id}.")
                return
            report = await archive.safe.audit(record.id)
        if json:
            lines([report])
        else:
            console().print(report.markdown(), markup=False, highlight=False)

    return asyncio.run(told())


def _verify(file: Path) -> None:
    from pilotfish.parts.safe import opened

    if not file.is_file():
        raise PersonError(f"There is no file {file}.", "Write one with `pilotfish audit RUN --export FILE`.")

    async def wrong() -> str:
        async with opened() as safe:
            return safe.verify(file.read_text("utf-8", errors="replace"))

    if found := asyncio.run(wrong()):
        typer.echo(f"Changed, or not written here: {found}.")
        raise typer.Exit(1)
    typer.echo("As it was written.")

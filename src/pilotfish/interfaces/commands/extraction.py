"""The command line for taking data out of pages."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Annotated, Any, cast, get_args

import typer

from pilotfish.core.errors import PersonError
from pilotfish.interfaces.commands.base import ProfileOption, get_target, make_console

cli = typer.Typer(rich_markup_mode=None)


@cli.command()
def extract(
    context: typer.Context,
    words: Annotated[
        list[str],
        typer.Argument(metavar="PAGE... WHAT", help="Addresses or files of pages; what is wanted comes last."),
    ],
    fields: Annotated[str, typer.Option(help="Such as name,price:number; types: string number integer boolean.")] = "",
    schema: Annotated[Path | None, typer.Option(help="A file with a JSON schema of the data.")] = None,
    form: Annotated[str, typer.Option("--format", help="json, jsonl, csv, table or xlsx.")] = "table",
    output: Annotated[Path | None, typer.Option(help="Write the data to this file.")] = None,
    rows: Annotated[
        int | None, typer.Option(help="The most rows of a page and its followers.", min=1, max=3000)
    ] = None,
    pages: Annotated[int | None, typer.Option(help="How far paging is followed.", min=1, max=100)] = None,
    places: Annotated[
        bool | None,
        typer.Option(help="Add where each row was found. Of several pages, tables, csv and xlsx say it by themselves."),
    ] = None,
    model: Annotated[str, typer.Option(help="Such as openai:gpt-5-mini or embedded:qwen2.5-coder-1.5b.")] = "",
    budget: Annotated[float | None, typer.Option(help="The most it may cost, in cents.", min=0)] = None,
    profile: ProfileOption = "",
) -> None:
    """Take data out of lists, tables and cards of pages, over all their pages."""
    from pilotfish.core.data_formats import DataFormat
    from pilotfish.interfaces.terminal.data_printer import DataPrinter
    from pilotfish.interfaces.terminal.run_task import TaskRequest, run_task

    if len(words) < 2:
        raise PersonError("A page and what is wanted of it are needed.", 'pilotfish extract PAGE "name and price"')
    if form not in get_args(DataFormat):
        raise PersonError(f"There is no format {form!r}.", f"Choose one of: {', '.join(get_args(DataFormat))}.")
    if form == "xlsx" and output is None and sys.stdout.isatty():
        raise PersonError("A workbook cannot be shown in a terminal.", "Name a file with --output.")
    given = {"output_schema": make_schema(fields, schema), "max_rows": rows, "max_pages": pages}
    given |= {"model": model or None, "budget_cents": budget, "profile": profile or None}
    options = {name: value for name, value in given.items() if value is not None}
    chosen = cast(DataFormat, form)
    located = len(words) > 2 and form in ("table", "csv", "xlsx") if places is None else places
    request = TaskRequest(
        words[-1],
        words[:-1],
        "extract",
        options=options,
        printer=lambda notes: DataPrinter(notes, chosen, output, places=located),
    )
    raise typer.Exit(asyncio.run(run_task(request, make_console(notes=True), get_target(context))))


def make_schema(fields: str, file: Path | None) -> dict[str, Any] | None:
    """The schema of the data: from a file, or made of the names of fields; None where a model names them."""
    if fields and file:
        raise PersonError("Both --fields and --schema are given.", "Give one of them.")
    if file:
        try:
            return json.loads(file.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise PersonError(f"{file} holds no JSON schema that can be read.", str(error)) from None
    if not fields:
        return None
    from pilotfish.core.output_fields import read_fields

    made = {field.name: {"type": field.type} for field in read_fields(fields)}
    return {"type": "array", "items": {"type": "object", "properties": made}}

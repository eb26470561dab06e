"""How well rows of data are taken out of pages: precision and recall of rows and fields, and characters sent per row.

    python bench/extract_data.py [--half dev|blind|test] [--pages FOLDER] [--model MODEL] [--only NAME] [--wrong]
                                 [--report FILE]

The pages and labels are in `data_pages`. The labels were written by hand, before anything was extracted. `dev` was
looked at while extraction was written, `test` was not. Labels of saved pages count where `--pages` names the
folder that holds them; a label's `site:` is a page of the practice site. A row is found if most of its fields are
right.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from read import serve_folder

from pilotfish import Pilotfish
from pilotfish.core.events import RunFinished
from pilotfish.core.messages import ModelReply, ModelRequest
from pilotfish.core.output_fields import read_fields
from pilotfish.core.settings import FetchSettings, ModelSettings, PolicySettings, Settings
from pilotfish.llm.base import Model, TextListener
from pilotfish.practice.server import Practice

LABELS = Path(__file__).parent / "data_pages"
Record = Mapping[str, Any]


@dataclass(frozen=True)
class Label:
    """A labelled page: what is wanted of it, and the rows that it holds."""

    name: str
    source: str
    task: str
    head: str
    rows: tuple[Record, ...]


@dataclass
class Score:
    """How many rows and fields were found, given and right."""

    rows: int = 0
    given: int = 0
    right: int = 0
    fields: int = 0
    said: int = 0
    true: int = 0
    characters: int = 0
    calls: int = 0
    wrong: list[str] = field(default_factory=list[str])

    def add(self, other: "Score") -> None:
        for name in ("rows", "given", "right", "fields", "said", "true", "characters", "calls"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def figures(self) -> dict[str, float]:
        """Precision and recall of rows and fields, and the characters that a model was sent per row."""
        pairs = ((self.right, self.given), (self.right, self.rows), (self.true, self.said), (self.true, self.fields))
        names = ("row_precision", "row_recall", "field_precision", "field_recall")
        shares = {
            name: round(part / whole if whole else 0.0, 3) for name, (part, whole) in zip(names, pairs, strict=True)
        }
        return {"rows": self.rows, **shares, "characters_a_row": round(self.characters / max(1, self.given), 1)}

    @property
    def line(self) -> str:
        rows, *shares, characters = self.figures.values()
        shown = " ".join(f"{share:9.2f}" for share in shares)
        return f"{rows:5} {shown} {characters:11.1f} {self.calls:6}"


def read_label(file: Path) -> Label:
    lines = file.read_text("utf-8").splitlines()
    notes = [line[2:] for line in lines if line.startswith("# ")]
    source = notes[0] if len(notes) > 1 else ""
    head, *rest = [line for line in lines if not line.startswith("# ")]
    fields = read_fields(head.replace("\t", ","))
    rows = [dict(zip([each.name for each in fields], line.split("\t"), strict=True)) for line in rest]
    kinds = {each.name: each.type for each in fields}
    typed = [{name: read_value(text, kinds[name]) for name, text in row.items()} for row in rows]
    return Label(file.stem, source, notes[-1], head.replace("\t", ","), tuple(typed))


def read_value(text: str, kind: str) -> Any:
    if text == "":
        return None
    return float(text) if kind in ("number", "integer") else text == "True" if kind == "boolean" else text


def same(one: Any, other: Any) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()
    return one == other


def match(found: Record, wanted: Record) -> int:
    return sum(value is not None and same(found.get(name), value) for name, value in wanted.items())


def compare(found: Sequence[Record], wanted: Sequence[Record]) -> Score:
    """Pair each labelled row with the given row that has most of its values."""
    score = Score(rows=len(wanted), given=len(found))
    left = list(found)
    for row in wanted:
        held = sum(value is not None for value in row.values())
        score.fields += held
        best = max(left, key=lambda each: match(each, row), default=None)
        if best is None or match(best, row) * 2 <= held - 1:
            score.wrong.append(f"missing {dict(row)}")
            continue
        left.remove(best)
        score.right += 1
        score.true += match(best, row)
        score.said += sum(best.get(name) is not None for name in row)
        if bad := {name: (best.get(name), value) for name, value in row.items() if not same(best.get(name), value)}:
            score.wrong.append(f"given, wanted: {bad}")
    score.said += sum(value is not None for row in left for value in row.values())
    score.wrong += [f"too much {dict(row)}" for row in left]
    return score


class Counted:
    """Counts the characters of all requests to a model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.characters = self.calls = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.model, name)

    async def reply(self, request: ModelRequest, on_text: TextListener | None = None) -> ModelReply:
        self.calls += 1
        self.characters += sum(len(message.text) for message in request.messages)
        return await self.model.reply(request, on_text)


@asynccontextmanager
async def addresses(pages: Path | None) -> AsyncGenerator[Mapping[str, str]]:
    """Where each kind of page is served."""
    with ExitStack() as stack:
        found = {"own": stack.enter_context(serve_folder(LABELS))}
        if pages is not None:
            found["page"] = stack.enter_context(serve_folder(pages))
        async with Practice() as practice:
            yield {**found, "site": practice.url}


def address_of(label: Label, half: str, bases: Mapping[str, str]) -> str:
    """The address of a labelled page; empty if it is not served."""
    kind, _, rest = label.source.partition(": ")
    if kind == "site":
        return bases["site"].rstrip("/") + rest
    if kind == "page":
        return f"{bases['page']}/{rest}/index.html" if "page" in bases else ""
    return f"{bases['own']}/{half}/{label.name}.html"


async def extract(fish: Pilotfish, label: Label, url: str, model: str) -> Sequence[Record]:
    properties = {each.name: {"type": each.type} for each in read_fields(label.head)}
    schema = {"type": "array", "items": {"type": "object", "properties": properties}}
    async for event in fish.run(label.task, tabs=[url], output_schema=schema, model=model, max_rows=500):
        if isinstance(event, RunFinished):
            if event.outcome != "completed":
                print(f"  {label.name}: {event.error}")
            return event.data or []
    return []


async def main(given: argparse.Namespace) -> None:
    labels = [read_label(file) for file in sorted((LABELS / given.half).glob("*.tsv"))]
    labels = [label for label in labels if not given.only or label.name in given.only.split(",")]
    total = Score()
    heads = "".join(f"{head:>10}" for head in ("row prec", "row rec", "field prec", "field rec"))
    print(f"{'page':14} {'rows':>5}{heads} {'chars/row':>11} {'calls':>6}")
    with tempfile.TemporaryDirectory() as home:
        models = ModelSettings(main=given.model, **({"base_url": given.base_url} if given.base_url else {}))
        settings = Settings(
            home=Path(home),
            models=models,
            fetch=FetchSettings(allow_private=True),
            policy=PolicySettings(allowed=("127.0.0.1",)),
        )
        async with addresses(given.pages) as bases, Pilotfish(settings) as fish:
            counted = Counted(await fish.models.of("main"))
            fish.models.set_default(given.model, counted)  # pyright: ignore[reportArgumentType]
            for label in labels:
                if not (url := address_of(label, given.half, bases)):
                    continue
                counted.characters = counted.calls = 0
                score = compare(await extract(fish, label, url, given.model), label.rows)
                score.characters, score.calls = counted.characters, counted.calls
                total.add(score)
                print(
                    f"{label.name:14} {score.line}", *(score.wrong[:6] if given.wrong else ()), sep="\n    ", flush=True
                )
    print(f"{'all':14} {total.line}")
    report = {"half": given.half, "model": given.model, "pages": len(labels), **total.figures}
    print(json.dumps(report))
    if given.report:
        given.report.write_text(json.dumps(report, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure how well data is taken out of pages.")
    parser.add_argument("--half", choices=("dev", "blind", "fresh", "test"), default="test")
    parser.add_argument("--pages", type=Path, help="a folder with saved pages, each a folder with an index.html")
    parser.add_argument("--model", default="embedded:qwen2.5-coder-1.5b")
    parser.add_argument("--base-url", default="")
    parser.add_argument("--only", default="", help="only these pages, with commas between")
    parser.add_argument("--report", type=Path, help="write the totals to this file")
    parser.add_argument("--wrong", action="store_true", help="print what is wrong")
    asyncio.run(main(parser.parse_args()))

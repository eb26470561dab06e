"""Prompts are Markdown files beside the loops; `{name}` is filled in, other braces stay as they are."""

import re
from functools import cache
from pathlib import Path
from typing import Any

PLACE = re.compile(r"\{(\w+)\}")


@cache
def _read(path: Path) -> str:
    return path.read_text("utf-8").strip()


def render(folder: Path, name: str, values: dict[str, Any]) -> str:
    """The prompt of that name with its places filled. A place without a value is a bug."""
    return PLACE.sub(lambda m: str(values[m[1]]) if m[1] in values else m[0], _read(folder / f"{name}.md"))

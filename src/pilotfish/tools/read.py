"""Reading the page: its elements, text, HTML, a picture of it, and facts taken out of it."""

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, cast

from pydantic import BaseModel, Field, create_model

from pilotfish.browser.download import vacant
from pilotfish.core.errors import ToolError
from pilotfish.core.prompts import render
from pilotfish.tools.base import Context, Result, tool

HTML = 20_000
TEXT = 24_000
TYPES: Mapping[str, Any] = {"string": str, "number": float, "integer": int, "boolean": bool}


@tool(group="read")
async def get_schema(
    ctx: Context,
    scope: Annotated[int | None, Field(description="only what is around this element; opens folded rows")] = None,
    find: Annotated[str, Field(description="only what holds this text, anywhere on the page")] = "",
) -> Result:
    """List the page's elements with numbers, roles, names and values: what is on the screen, or a part of it."""
    tab = await (await ctx.browser()).tab()
    view = await tab.look(scope=scope, find=find or None)
    return Result(output=view.render(), text=f"Looked at {view.title or view.url}", data={"elements": view.schema()})


@tool(group="read")
async def get_html(
    ctx: Context, selector: Annotated[str, Field(description="CSS selector; empty: the whole body")] = ""
) -> Result:
    """Get the HTML of the page or of what a CSS selector matches, without scripts and styles. Prefer get_text."""
    tab = await (await ctx.browser()).tab()
    html = await tab.html(selector)
    cut = f"\n… cut: {len(html) - HTML:,} more characters; use a selector" if len(html) > HTML else ""
    return Result(output=html[:HTML] + cut, text=f"Read the HTML of {tab.url}")


@tool(group="read")
async def get_text(
    ctx: Context, selector: Annotated[str, Field(description="CSS selector; empty: the whole page")] = ""
) -> Result:
    """Get the page's text as Markdown, in reading order, off-screen parts included."""
    tab = await (await ctx.browser()).tab()
    page = await tab.text(selector or None)
    return Result(output=shortened(page.text), text=f"Read {page.title or page.url}")


@tool(group="read")
async def find(ctx: Context, text: Annotated[str, Field(min_length=1)]) -> Result:
    """Find a text anywhere on the page, with what is around it; short texts get numbers too."""
    view = await (await (await ctx.browser()).tab()).look(find=text)
    return Result(output=view.render(), text=f"Looked for “{text}”")


@tool(group="read", timeout=180)
async def extract(
    ctx: Context,
    shape: Annotated[dict[str, Any], Field(alias="schema", description="a JSON schema, or field names with types")],
) -> Result:
    """Take facts out of the page as JSON of the given schema. Fields that the page does not tell are null."""
    tab = await (await ctx.browser()).tab()
    page = await tab.text()
    mark = secrets.token_hex(4)
    values = {"title": page.title, "url": page.url, "mark": mark, "text": shortened(page.text).replace(mark, "")}
    asked = render(Path(__file__).parent / "prompts", "extract", values)
    found = await ctx.think(asked, model_of("Extracted", shape))
    return Result(
        output=found.model_dump_json(), text=f"Took facts from {page.title or page.url}", data=found.model_dump()
    )


@tool(group="read")
async def screenshot(
    ctx: Context, full: Annotated[bool, Field(description="the whole page, not only the screen")] = False
) -> Result:
    """Take a picture of the page, to see what text cannot tell: pictures, charts, layout, colours."""
    tab = await (await ctx.browser()).tab()
    picture = await tab.picture(full)
    path = vacant(ctx.folder, "screenshot.jpg")
    path.write_bytes(picture)
    told = f"Took a picture of {tab.url[:120]}"
    return Result(output=f"{told} ({path.name}).", text=told, files=(path.name,))


@tool(group="read")
async def refresh(ctx: Context) -> Result:
    """Read the page again, when it may have changed since it was read."""
    tab = await (await ctx.browser()).tab()
    page = await tab.text()
    told = f"Read the page again: {page.title or page.url}"
    return Result(output=f"{told}\n\n{shortened(page.text)}", text=told)


def shortened(text: str) -> str:
    """The beginning of a long text, cut at a line, saying that it was cut."""
    if len(text) <= TEXT:
        return text
    end = text.rfind("\n", TEXT // 2, TEXT)
    kept = text[: end if end > 0 else TEXT]
    return f"{kept}\n… cut: {len(text) - len(kept):,} more characters"


def model_of(name: str, schema: Mapping[str, Any]) -> type[BaseModel]:
    """A model for a JSON schema of objects, lists and plain values; or for a mapping of names to types."""
    fields: Mapping[str, Any] = schema.get("properties", schema)
    if not fields:
        raise ToolError("The schema names no fields.")
    made: dict[str, Any] = {}
    for key, value in fields.items():
        rule: Mapping[str, Any] = cast(Mapping[str, Any], value) if isinstance(value, dict) else {"type": value}
        about = str(rule.get("description", "")) or None
        made[key] = (kind_of(f"{name}_{key}", rule) | None, Field(default=None, description=about))
    return create_model(name, **made)


def kind_of(name: str, rule: Mapping[str, Any]) -> Any:
    """The Python type of one JSON schema rule; text where it is not known."""
    kind = rule.get("type", "object" if "properties" in rule else "string")
    if kind == "array":
        return list[kind_of(name, rule.get("items", {"type": "string"}))]
    if kind == "object" and rule.get("properties"):
        return model_of(name, rule)
    return TYPES.get(str(kind), str)

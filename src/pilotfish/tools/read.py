"""Tools that read the page: elements, text, HTML, screenshot, and extraction of facts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, cast

from pydantic import BaseModel, Field, create_model

from pilotfish.browser.actions.pointer import page_box_of
from pilotfish.browser.perception.element_spot import TouchChecks
from pilotfish.browser.perception.page_text import read_element
from pilotfish.browser.sessions.downloads import find_free_path
from pilotfish.core.errors import ToolError
from pilotfish.core.prompts import render
from pilotfish.safety.untrusted_text import UntrustedText
from pilotfish.tools.base import TabNumber, ToolContext, ToolResult, tool

WHOLE_PAGE_TOKENS = 6000
"""Tokens for what was found: enough that none of it is folded."""
HTML_LENGTH = 20_000
TEXT_LENGTH = 24_000
TYPES: Mapping[str, Any] = {"string": str, "number": float, "integer": int, "boolean": bool}


@tool(group="read")
async def get_schema(
    ctx: ToolContext,
    scope: Annotated[int | None, Field(description="only what is around this element; opens folded rows")] = None,
    find: Annotated[str, Field(description="only what holds this text, anywhere on the page")] = "",
    behind: Annotated[bool, Field(description="also what a dialog covers")] = False,
) -> ToolResult:
    """List the page's elements with numbers, roles, names and values: what is on the screen, or a part of it."""
    tab = await (await ctx.browser()).tab()
    view = await tab.look(scope=scope, find=find or None, behind=behind)
    return ToolResult(
        output=view.render(), text=f"Looked at {view.title or view.url}", data={"elements": view.to_json()}
    )


@tool(group="read")
async def get_html(
    ctx: ToolContext, selector: Annotated[str, Field(description="CSS selector; empty: the whole body")] = ""
) -> ToolResult:
    """Get the HTML of the page or of what a CSS selector matches, without scripts and styles. Prefer get_text."""
    tab = await (await ctx.browser()).tab()
    html = await tab.html(selector)
    cut = f"\n… cut: {len(html) - HTML_LENGTH:,} more characters; use a selector" if len(html) > HTML_LENGTH else ""
    return ToolResult(output=html[:HTML_LENGTH] + cut, text=f"Read the HTML of {tab.url}")


@tool(group="read")
async def get_text(
    ctx: ToolContext,
    selector: Annotated[str, Field(description="CSS selector; empty: the whole page")] = "",
    id: Annotated[int | None, Field(description="an element: what it says, or all that a long field holds")] = None,
) -> ToolResult:
    """Get the page's text as Markdown, in reading order, off-screen parts included."""
    tab = await (await ctx.browser()).tab()
    if id is not None:
        known = tab.observer.counter.known(id)
        said = await tab.guard.call(read_element(tab.observer.world, known.key, known.handle), f"reading [{id}]")
        return ToolResult(output=shorten_text(said) or "(It is empty.)", text=f"Read [{id}]")
    page = await tab.text(selector or None)
    return ToolResult(output=shorten_text(page.text), text=f"Read {page.title or page.url}")


@tool(group="read")
async def find(ctx: ToolContext, text: Annotated[str, Field(min_length=1)], tab: TabNumber = None) -> ToolResult:
    """Find a text anywhere on the page, with what is around it; short texts get numbers too."""
    view = await (await (await ctx.browser()).tab(tab)).look(budget=WHOLE_PAGE_TOKENS, find=text)
    return ToolResult(output=view.render(), text=f"Looked for “{text}”", data={"found": bool(view.nodes)})


@tool(group="read", timeout=180)
async def extract(
    ctx: ToolContext,
    shape: Annotated[dict[str, Any], Field(alias="schema", description="a JSON schema, or field names with types")],
    tab: TabNumber = None,
) -> ToolResult:
    """Take facts out of the page as JSON of the given schema. Fields that the page does not tell are null."""
    page = await (await (await ctx.browser()).tab(tab)).text()
    values = {"page": UntrustedText(ctx.conversation).wrap(f"{page.title} ({page.url})\n{shorten_text(page.text)}")}
    asked = render(Path(__file__).parent / "prompts", "extract", values)
    found = await ctx.think(asked, model_for_schema("Extracted", shape))
    return ToolResult(
        output=found.model_dump_json(), text=f"Took facts from {page.title or page.url}", data=found.model_dump()
    )


@tool(group="read")
async def screenshot(
    ctx: ToolContext,
    full: Annotated[bool, Field(description="the whole page, not only the screen")] = False,
    tab: TabNumber = None,
    id: Annotated[int | None, Field(description="only this element")] = None,
) -> ToolResult:
    """Take a picture of the page, to see what text cannot tell: pictures, charts, layout, colours."""
    shown = await (await ctx.browser()).tab(tab)
    if id is None:
        picture = await shown.picture(full)
    else:
        spot = await shown.guard.call(shown.observer.locate(id, TouchChecks(enabled=False)), f"finding [{id}]")
        left, top, width, height = page_box_of(spot)
        picture = await shown.picture(part={"x": left, "y": top, "width": width, "height": height})
    path = find_free_path(ctx.folder, "screenshot.jpg")
    path.write_bytes(picture)
    summary = f"Took a picture of {shown.url[:120]}"
    return ToolResult(output=f"{summary} ({path.name}).", text=summary, files=(path.name,))


@tool(group="read")
async def refresh(ctx: ToolContext) -> ToolResult:
    """Read the page again, when it may have changed since it was read."""
    tab = await (await ctx.browser()).tab()
    page = await tab.text()
    summary = f"Read the page again: {page.title or page.url}"
    return ToolResult(output=f"{summary}\n\n{shorten_text(page.text)}", text=summary)


def shorten_text(text: str) -> str:
    """Cut a long text at a line, and note that it was cut."""
    if len(text) <= TEXT_LENGTH:
        return text
    end = text.rfind("\n", TEXT_LENGTH // 2, TEXT_LENGTH)
    kept = text[: end if end > 0 else TEXT_LENGTH]
    return f"{kept}\n… cut: {len(text) - len(kept):,} more characters"


def model_for_schema(name: str, schema: Mapping[str, Any]) -> type[BaseModel]:
    """A model for a JSON schema of objects, lists and plain values; or for a mapping of names to types."""
    fields: Mapping[str, Any] = schema.get("properties", schema)
    if not fields:
        raise ToolError("The schema names no fields.")
    made: dict[str, Any] = {}
    for key, value in fields.items():
        rule: Mapping[str, Any] = cast(Mapping[str, Any], value) if isinstance(value, dict) else {"type": value}
        about = str(rule.get("description", "")) or None
        made[key] = (type_for_rule(f"{name}_{key}", rule) | None, Field(default=None, description=about))
    return create_model(name, **made)


def type_for_rule(name: str, rule: Mapping[str, Any]) -> Any:
    """The Python type of one JSON schema rule; text where it is not known."""
    kind = rule.get("type", "object" if "properties" in rule else "string")
    if kind == "array":
        return list[type_for_rule(name, rule.get("items", {"type": "string"}))]
    if kind == "object" and rule.get("properties"):
        return model_for_schema(name, rule)
    return TYPES.get(str(kind), str)

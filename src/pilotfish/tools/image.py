"""The image tool: uses the image model where one is set; else the main model writes SVG and the browser renders it."""

import asyncio
import base64
import re
from pathlib import Path
from typing import Annotated
from xml.etree import ElementTree

from pydantic import BaseModel, Field

from pilotfish.browser.sessions.downloads import find_free_path
from pilotfish.core.errors import ToolError
from pilotfish.core.prompts import render
from pilotfish.core.usage import Usage
from pilotfish.llm.image_model import ImageModel
from pilotfish.tools.base import ToolContext, ToolResult, tool

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = re.compile(
    "svg|g|defs|path|rect|circle|ellipse|line|polyline|polygon|text|tspan|linearGradient|radialGradient|stop|clipPath"
    "|mask|pattern|title|desc|use|symbol"
)
UNSAFE = re.compile(r"javascript:|data:|https?:|url\(\s*['\"]?(?!#)|expression\(|@import", re.IGNORECASE)
STYLE = re.compile(r"(fill|stroke|stop|font|text|opacity)[a-z-]*")
STYLE_VALUE = re.compile(r"[\w#%.,() -]+")
"""What of a style may stay, as attributes: names and values."""


DRAWING = 60.0
"""Seconds that the main model has for a drawing."""


class SvgDrawing(BaseModel):
    svg: str = Field(max_length=20_000)


@tool(group="image", timeout=300)
async def image_generate(
    ctx: ToolContext,
    description: Annotated[str, Field(min_length=3, description="what the picture shows")],
    style: Annotated[str, Field(description="such as flat, sketch, diagram")] = "flat and simple",
) -> ToolResult:
    """Make a picture from a description, when the person asks for one."""
    painter = ctx.use(ImageModel)
    if painter.ready:
        data = await painter.generate(f"{description}. Style: {style}")
        path = find_free_path(ctx.folder, "picture.png")
        path.write_bytes(data)
        # Image models are paid by the picture, and no table says how much.
        unpriced = Usage(priced=False)
        return ToolResult(
            output=f"The picture is {path.name}.", text="made a picture", files=(path.name,), usage=unpriced
        )
    values = {"description": description, "style": style}
    try:
        async with asyncio.timeout(DRAWING):
            drawing = await ctx.think(render(Path(__file__).parent / "prompts", "svg", values), SvgDrawing, tier="main")
    except TimeoutError:
        slow = f"The main model did not draw it within {DRAWING:g} seconds."
        raise ToolError(slow, "Say that you cannot draw it, or describe a simpler picture.") from None
    svg = find_free_path(ctx.folder, "picture.svg")
    svg.write_text(sanitise_svg(drawing.svg), "utf-8")
    png = await render_svg(ctx, svg)
    said = "No image model is set, so the picture was drawn as SVG by the main model."
    return ToolResult(output=f"{said} It is {png}.", text="drew a picture as SVG", files=(png, svg.name))


def sanitise_svg(text: str) -> str:
    """Remove from the drawing what could run, load or link; raises ToolError where it is not a drawing."""
    begin, end = text.find("<svg"), text.rfind("</svg>")
    try:
        root = ElementTree.fromstring(text[begin : end + 6] if 0 <= begin < end else text)
    except ElementTree.ParseError as error:
        raise ToolError(f"The model's drawing is not valid SVG: {error}.", "Describe a simpler picture.") from None
    if root.tag.removeprefix(SVG) != "svg":
        raise ToolError("The model did not draw anything.", "Describe a simpler picture.")
    _clean(root)
    root.set("width", "512")
    root.set("height", "512")
    ElementTree.register_namespace("", SVG[1:-1])
    return ElementTree.tostring(root, encoding="unicode")


def _clean(node: ElementTree.Element) -> None:
    for child in list(node):
        if not SHAPES.fullmatch(str(child.tag).removeprefix(SVG)):
            node.remove(child)
        else:
            _clean(child)
    for declaration in node.get("style", "").split(";"):
        name, value = (part.strip() for part in declaration.partition(":")[::2])
        if STYLE.fullmatch(name) and STYLE_VALUE.fullmatch(value):
            node.set(name, value)
    for name, value in list(node.attrib.items()):
        bare = name.rpartition("}")[2].lower()
        link = bare == "href" and not value.startswith("#")
        if bare.startswith("on") or bare == "style" or link or UNSAFE.search(value):
            del node.attrib[name]


async def render_svg(ctx: ToolContext, svg: Path) -> str:
    """Render the drawing as PNG in a tab of its own."""
    session = await ctx.browser()
    before = session.active
    tab = await session.open()
    try:
        drawn = base64.b64encode(svg.read_bytes()).decode()
        shown = f'<body style="margin:0"><img src="data:image/svg+xml;base64,{drawn}">'
        await tab.guard.call(tab.page.set_content(shown), "rendering the picture")
        path = find_free_path(ctx.folder, svg.with_suffix(".png").name)
        clip = {"x": 0, "y": 0, "width": 512, "height": 512}
        await tab.guard.call(tab.page.screenshot(path=path, clip=clip), "rendering the picture")  # pyright: ignore[reportArgumentType]
    finally:
        await session.close(tab.number)
        if before in session.tabs:
            session.active = before
    return path.name

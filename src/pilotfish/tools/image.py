"""Pictures: by the image model where one is set, else drawn by the main model as SVG and rendered by the browser."""

import re
from pathlib import Path
from typing import Annotated
from xml.etree import ElementTree

from pydantic import BaseModel, Field

from pilotfish.browser.download import vacant
from pilotfish.core.errors import ToolError
from pilotfish.core.prompts import render
from pilotfish.core.usage import Usage
from pilotfish.llm.pictures import Painter
from pilotfish.tools.base import Context, Result, tool

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = re.compile(
    "svg|g|defs|path|rect|circle|ellipse|line|polyline|polygon|text|tspan|linearGradient|radialGradient|stop|clipPath"
    "|mask|pattern|title|desc|use|symbol"
)
UNSAFE = re.compile(r"javascript:|data:|https?:|url\(\s*['\"]?(?!#)|expression\(|@import", re.IGNORECASE)


class Drawing(BaseModel):
    svg: str = Field(max_length=20_000)


@tool(group="image", timeout=300)
async def image_generate(
    ctx: Context,
    description: Annotated[str, Field(min_length=3, description="what the picture shows")],
    style: Annotated[str, Field(description="such as flat, sketch, diagram")] = "flat and simple",
) -> Result:
    """Make a picture from a description, when the person asks for one."""
    painter = ctx.use(Painter)
    if painter.ready:
        data = await painter.paint(f"{description}. Style: {style}")
        path = vacant(ctx.folder, "picture.png")
        path.write_bytes(data)
        # Image models are paid by the picture, and no table says how much.
        unpriced = Usage(priced=False)
        return Result(output=f"The picture is {path.name}.", text="made a picture", files=(path.name,), usage=unpriced)
    values = {"description": description, "style": style}
    drawing = await ctx.think(render(Path(__file__).parent / "prompts", "svg", values), Drawing, tier="main")
    svg = vacant(ctx.folder, "picture.svg")
    svg.write_text(sanitised(drawing.svg), "utf-8")
    png = await rendered(ctx, svg)
    said = "No image model is set, so the picture was drawn as SVG by the main model."
    return Result(output=f"{said} It is {png}.", text="drew a picture as SVG", files=(png, svg.name))


def sanitised(text: str) -> str:
    """The drawing with nothing in it that could run, load or link; a ToolError where it is no drawing at all."""
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
    for name, value in list(node.attrib.items()):
        bare = name.rpartition("}")[2].lower()
        link = bare == "href" and not value.startswith("#")
        if bare.startswith("on") or bare == "style" or link or UNSAFE.search(value):
            del node.attrib[name]


async def rendered(ctx: Context, svg: Path) -> str:
    """A PNG of the drawing, made in a tab of its own."""
    session = await ctx.browser()
    before = session.active
    tab = await session.open(svg.resolve().as_uri())
    try:
        path = vacant(ctx.folder, svg.with_suffix(".png").name)
        clip = {"x": 0, "y": 0, "width": 512, "height": 512}
        await tab.guard.call(tab.page.screenshot(path=path, clip=clip), "rendering the picture")  # pyright: ignore[reportArgumentType]
    finally:
        await session.close(tab.number)
        if before in session.tabs:
            session.active = before
    return path.name

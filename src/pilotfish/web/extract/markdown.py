"""A tree as Markdown: headings, lists, tables and code kept, addresses left out."""

import re

from pilotfish.web.extract.dom import BLOCKS, HEADINGS, Node, flat, plain

BREAK = "\x1f"
QUIET = frozenset({"s", "strike", "del"})


def render(node: Node) -> str:
    """Markdown of all that is below a node."""
    parts: list[str] = []
    blocks(node, parts)
    return "\n\n".join(part for part in parts if part.strip())


def blocks(node: Node, parts: list[str]) -> None:
    """Add the blocks of a node, gathering loose text between them into paragraphs."""
    loose: list[str] = [node.text or ""]

    def flush() -> None:
        text = neat("".join(loose))
        loose.clear()
        if text:
            parts.append(text)

    for child in node:
        if not isinstance(child.tag, str):
            loose.append(child.tail or "")
            continue
        if child.tag in BLOCKS or any(below.tag in BLOCKS for below in child.iterdescendants() if child.tag != "a"):
            flush()
            block(child, parts)
        elif child.tag == "a" and any(below.tag in BLOCKS for below in child.iterdescendants()):
            flush()
            blocks(child, parts)
        else:
            loose.append(inline(child))
        loose.append(child.tail or "")
    flush()


def block(node: Node, parts: list[str]) -> None:
    tag = node.tag
    if tag in HEADINGS:
        text = flat(inline(node).replace(BREAK, " "))
        if text:
            parts.append(f"{'#' * int(tag[1])} {text}")
    elif tag == "pre":
        parts.append(code(node))
    elif tag in ("ul", "ol", "menu"):
        parts.append(listing(node))
    elif tag == "table":
        table(node, parts)
    elif tag == "blockquote":
        inner = render(node)
        if inner:
            parts.append("\n".join(f"> {line}".rstrip() for line in inner.split("\n")))
    elif tag == "dl":
        parts.append(terms(node))
    elif tag != "hr":
        blocks(node, parts)


def inline(node: Node) -> str:
    """The running text of a node."""
    if node.tag == "br":
        return BREAK
    if node.tag in ("code", "kbd", "samp", "tt"):
        text = plain(node)
        return f"`{text}`" if text else ""
    if node.tag in QUIET or node.tag == "wbr":
        return ""
    text = node.text or ""
    for child in node:
        text += (inline(child) if isinstance(child.tag, str) else "") + (child.tail or "")
    return f" {text} " if node.tag in ("td", "th") else text


def neat(text: str) -> str:
    """Spaces put in order; a new line only where the page breaks one."""
    lines = (flat(line) for line in text.split(BREAK))
    return "\n".join(line for line in lines if line)


def code(node: Node) -> str:
    text = with_breaks(node).strip("\n").rstrip()
    names = " ".join([node.get("class") or "", *(child.get("class") or "" for child in node.iter("code"))])
    language = re.search(r"(?:language|lang|highlight|brush|sourceCode)[-: ]+([a-z+#]+)", names)
    return f"```{language.group(1) if language else ''}\n{text}\n```" if text.strip() else ""


def with_breaks(node: Node) -> str:
    text = node.text or ""
    for child in node:
        text += ("\n" if child.tag == "br" else with_breaks(child)) + (child.tail or "")
    return text


def listing(node: Node) -> str:
    """A list, its inner lists set in."""
    rows: list[str] = []
    for number, item in enumerate((child for child in node if child.tag in ("li", "div", "ul", "ol")), 1):
        text = render(item) if item.tag not in ("ul", "ol") else listing(item)
        if not text.strip():
            continue
        mark = f"{number}. " if node.tag == "ol" else "- "
        lines = [line for line in text.split("\n") if line.strip()]
        rows.append("\n".join((mark if index == 0 else "  ") + line for index, line in enumerate(lines)))
    return "\n".join(rows)


def terms(node: Node) -> str:
    rows: list[str] = []
    for item in node.iter("dt", "dd"):
        text = flat(render(item))
        if text:
            rows.append(f"**{text}**" if item.tag == "dt" else f": {text}")
    return "\n".join(rows)


def table(node: Node, parts: list[str]) -> None:
    """A table of data as rows of cells; one that only places things on the page as what is in it."""
    rows = [row for row in node.iter("tr") if next(row.iterancestors("table"), None) is node]
    cells = [[cell for cell in row if cell.tag in ("td", "th")] for row in rows]
    inner = any(
        True for each in cells for cell in each for _ in cell.iter("table", "pre", "ul", "ol", "h1", "h2", "h3")
    )
    long = any(len(plain(cell)) > 400 for each in cells for cell in each)
    wide = max((len(each) for each in cells), default=0)
    if inner or long or wide < 2:
        for each in cells:
            for cell in each:
                blocks(cell, parts)
        return
    caption = node.find("caption")
    if caption is not None and plain(caption):
        parts.append(plain(caption))
    lines = [
        "| " + " | ".join(flat(inline(cell).replace(BREAK, " ")).replace("|", "\\|") for cell in each) + " |"
        for each in cells
        if each
    ]
    lines = [line for line in lines if line.strip("| ")]
    if lines:
        parts.append("\n".join([lines[0], "|" + " --- |" * wide, *lines[1:]]))

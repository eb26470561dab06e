"""Writes a tree as Markdown with headings, lists, tables and code, without addresses."""

import re

from pilotfish.web.extract.dom import BLOCKS, HEADINGS, Node, one_line, plain_text

BREAK = "\x1f"
STRUCK_TAGS = frozenset({"s", "strike", "del"})


def render_markdown(node: Node) -> str:
    """Markdown of all that is below a node."""
    parts: list[str] = []
    add_blocks(node, parts)
    return "\n\n".join(part for part in parts if part.strip())


def add_blocks(node: Node, parts: list[str]) -> None:
    """Add the blocks of a node, gathering loose text between them into paragraphs."""
    loose: list[str] = [node.text or ""]

    def flush() -> None:
        text = tidy_spaces("".join(loose))
        loose.clear()
        if text:
            parts.append(text)

    for child in node:
        if not isinstance(child.tag, str):
            loose.append(child.tail or "")
            continue
        if child.tag in BLOCKS or any(below.tag in BLOCKS for below in child.iterdescendants() if child.tag != "a"):
            flush()
            add_block(child, parts)
        elif child.tag == "a" and any(below.tag in BLOCKS for below in child.iterdescendants()):
            flush()
            add_blocks(child, parts)
        else:
            loose.append(inline_text(child))
        loose.append(child.tail or "")
    flush()


def add_block(node: Node, parts: list[str]) -> None:
    tag = node.tag
    if tag in HEADINGS:
        text = one_line(inline_text(node).replace(BREAK, " "))
        if text:
            parts.append(f"{'#' * int(tag[1])} {text}")
    elif tag == "pre":
        parts.append(code_text(node))
    elif tag in ("ul", "ol", "menu"):
        parts.append(list_text(node))
    elif tag == "table":
        add_table(node, parts)
    elif tag == "blockquote":
        inner = render_markdown(node)
        if inner:
            parts.append("\n".join(f"> {line}".rstrip() for line in inner.split("\n")))
    elif tag == "dl":
        parts.append(definition_text(node))
    elif tag != "hr":
        add_blocks(node, parts)


def inline_text(node: Node) -> str:
    """The running text of a node."""
    if node.tag == "br":
        return BREAK
    if node.tag in ("code", "kbd", "samp", "tt"):
        text = plain_text(node)
        return f"`{text}`" if text else ""
    if node.tag in STRUCK_TAGS or node.tag == "wbr":
        return ""
    text = node.text or ""
    for child in node:
        text += (inline_text(child) if isinstance(child.tag, str) else "") + (child.tail or "")
    return f" {text} " if node.tag in ("td", "th") else text


def tidy_spaces(text: str) -> str:
    """Spaces put in order; a new line only where the page breaks one."""
    lines = (one_line(line) for line in text.split(BREAK))
    return "\n".join(line for line in lines if line)


def code_text(node: Node) -> str:
    text = text_with_breaks(node).strip("\n").rstrip()
    names = " ".join([node.get("class") or "", *(child.get("class") or "" for child in node.iter("code"))])
    language = re.search(r"(?:language|lang|highlight|brush|sourceCode)[-: ]+([a-z+#]+)", names)
    return f"```{language.group(1) if language else ''}\n{text}\n```" if text.strip() else ""


def text_with_breaks(node: Node) -> str:
    text = node.text or ""
    for child in node:
        text += ("\n" if child.tag == "br" else text_with_breaks(child)) + (child.tail or "")
    return text


def list_text(node: Node) -> str:
    """A list, with inner lists indented."""
    rows: list[str] = []
    for number, item in enumerate((child for child in node if child.tag in ("li", "div", "ul", "ol")), 1):
        text = render_markdown(item) if item.tag not in ("ul", "ol") else list_text(item)
        if not text.strip():
            continue
        mark = f"{number}. " if node.tag == "ol" else "- "
        lines = [line for line in text.split("\n") if line.strip()]
        rows.append("\n".join((mark if index == 0 else "  ") + line for index, line in enumerate(lines)))
    return "\n".join(rows)


def definition_text(node: Node) -> str:
    rows: list[str] = []
    for item in node.iter("dt", "dd"):
        text = one_line(render_markdown(item))
        if text:
            rows.append(f"**{text}**" if item.tag == "dt" else f": {text}")
    return "\n".join(rows)


def add_table(node: Node, parts: list[str]) -> None:
    """A table of data as rows of cells; one that only places things on the page as what is in it."""
    rows = [row for row in node.iter("tr") if next(row.iterancestors("table"), None) is node]
    cells = [[cell for cell in row if cell.tag in ("td", "th")] for row in rows]
    inner = any(
        True for each in cells for cell in each for _ in cell.iter("table", "pre", "ul", "ol", "h1", "h2", "h3")
    )
    long = any(len(plain_text(cell)) > 400 for each in cells for cell in each)
    wide = max((len(each) for each in cells), default=0)
    if inner or long or wide < 2:
        for each in cells:
            for cell in each:
                add_blocks(cell, parts)
        return
    caption = node.find("caption")
    if caption is not None and plain_text(caption):
        parts.append(plain_text(caption))
    lines = [
        "| " + " | ".join(one_line(inline_text(cell).replace(BREAK, " ")).replace("|", "\\|") for cell in each) + " |"
        for each in cells
        if each
    ]
    lines = [line for line in lines if line.strip("| ")]
    if lines:
        parts.append("\n".join([lines[0], "|" + " --- |" * wide, *lines[1:]]))

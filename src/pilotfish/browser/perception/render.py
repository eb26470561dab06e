"""Writes a snapshot as indented text; long texts and repeated rows are shortened until it fits the budget."""

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from pilotfish.browser.perception.element import ElementView, PageOutline

MOST_TOKENS = 6000
LEFT_OUT = re.compile(r" … (\d+) more characters … ")
"""What stands in the value of a field in place of its middle."""
EMPTY_PAGE = "(nothing is shown here)"
ROW_ROLES = frozenset({"listitem", "row", "article", "option", "treeitem"})
UNMARKED_ROLES = frozenset(
    {"list", "listitem", "row", "article", "figure", "group", "feed", "tabpanel", "form", "region", ""}
)
FIELD_ROLES = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "listbox"})
CHECK_ROLES = frozenset({"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"})


class RenderedPage(Protocol):
    """What the writer needs of a snapshot."""

    @property
    def url(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def nodes(self) -> Sequence[ElementView]: ...

    @property
    def outline(self) -> PageOutline: ...


class DetailLevel(NamedTuple):
    """How much is left out: rows kept of a run, characters kept of a text, whether plain text is kept at all."""

    rows: int
    text: int
    name: int
    plain: bool = True


LEVELS = (
    DetailLevel(1000, 200, 120),
    DetailLevel(12, 120, 100),
    DetailLevel(6, 80, 80),
    DetailLevel(4, 60, 60),
    DetailLevel(3, 40, 50, plain=False),
)


def estimate_tokens(text: str) -> int:
    """Tokens: about four characters each, two where the script is dense."""
    dense = 0 if text.isascii() else sum(char > "\u2e7f" for char in text)
    return (len(text) - dense) // 4 + dense // 2 + 1


def render_snapshot(view: RenderedPage, budget: int) -> str:
    room = min(budget, MOST_TOKENS)
    children = list_children(view.nodes)
    head, tail = write_header(view), write_footer(view)
    around = estimate_tokens("\n".join((*head, *tail)))
    lines: list[str] = []
    for level in LEVELS:
        lines = list(TreeWriter(view.nodes, children, level, view.outline.fold).lines())
        if around + estimate_tokens("\n".join(lines)) <= room:
            break
    kept = list(fit_lines(lines, room - around)) or [EMPTY_PAGE]
    return "\n".join((*head, *kept, *list_pagers(view, kept), *tail))


def list_pagers(view: RenderedPage, lines: Sequence[str]) -> Iterator[str]:
    """What pages through a list, where it did not fit."""
    if len(lines) > 0 and "do not fit" in lines[-1]:
        said = "\n".join(lines)
        left = [node for node in view.nodes if node.turns_page and f"[{node.id}]" not in said]
        if left:
            yield "pages: " + " | ".join(f'[{node.id}] {node.role} "{shorten(node.name, 20)}"' for node in left[:12])


def fit_lines(lines: list[str], room: int) -> Iterator[str]:
    spent = 0
    for at, line in enumerate(lines):
        spent += estimate_tokens(line)
        if spent > room:
            left = sum(rest.count("[") for rest in lines[at:])
            yield f"… about {left} more elements here do not fit; look with find or scope"
            return
        yield line


def write_header(view: RenderedPage) -> list[str]:
    title = shorten(view.title, 100) or "(no title)"
    lines = [f"{title} — {shorten(view.url, 120)}", f"({view.outline.position})"]
    if view.outline.note:
        lines.append(view.outline.note)
    if view.outline.above:
        lines.append(f"above: {view.outline.above} more elements")
    return lines


def write_footer(view: RenderedPage) -> list[str]:
    outline = view.outline
    lines: list[str] = []
    if outline.covered:
        lines.append(f"behind what lies on top: {outline.covered}")
    if outline.below or outline.headings:
        headings = "; headings: " + "; ".join(outline.headings) if outline.headings else ""
        lines.append(f"below: {outline.below} more elements{headings}")
    return lines


def list_children(nodes: Sequence[ElementView]) -> list[list[int]]:
    """The positions of each node's children; the last list holds those without a parent."""
    children: list[list[int]] = [[] for _ in range(len(nodes) + 1)]
    for at, node in enumerate(nodes):
        children[node.parent].append(at)
    return children


class TreeWriter:
    """Writes one tree at one level of detail."""

    def __init__(self, nodes: Sequence[ElementView], children: list[list[int]], level: DetailLevel, fold: int) -> None:
        self.nodes = nodes
        self.children = children
        self.level = level
        self.fold = fold

    def lines(self) -> Iterator[str]:
        yield from self.group(-1, 0)

    def group(self, parent: int, depth: int) -> Iterator[str]:
        """The children of a node, with runs of like rows cut short."""
        row, run = "", 0
        skipped: list[int] = []
        for at in self.children[parent]:
            shape = self.shape(at)
            if shape != row or not shape:
                yield from self.stub(skipped, depth)
                row, run, skipped = shape, 0, []
            run += 1
            if shape and run > self.level.rows:
                skipped.append(at)
            else:
                yield from self.write(at, depth)
        yield from self.stub(skipped, depth)

    def stub(self, skipped: list[int], depth: int) -> Iterator[str]:
        if len(skipped) == 1:
            yield from self.write(skipped[0], depth)
        elif skipped:
            like = next((node.id for at in skipped for node in self.below(at) if node.id), 0)
            scope = f" like [{like}]; look with scope={like}" if like else ""
            yield f"{' ' * depth}… {len(skipped)} more{scope}"

    def shape(self, at: int) -> str:
        node = self.nodes[at]
        if self.is_row(at):
            return "" if any(inner.turns_page for inner in self.below(at)) else "row"
        return node.role if node.kind == "control" and not self.children[at] and not node.turns_page else ""

    def below(self, at: int) -> Iterator[ElementView]:
        yield self.nodes[at]
        for child in self.children[at]:
            yield from self.below(child)

    def first(self, at: int) -> Iterator[ElementView]:
        """The node, or the first that can be acted on in it."""
        return itertools.islice((node for node in self.below(at) if node.id), 1)

    def write(self, at: int, depth: int) -> Iterator[str]:
        node = self.nodes[at]
        indent = " " * depth
        if self.fold and any(inner.id and inner.box[1] >= self.fold for inner in self.first(at)):
            self.fold = 0
            yield "--- below the screen ---"
        if node.kind in ("control", "heading", "image", "text"):
            line = self.leaf(node)
            if line:
                yield indent + line
            yield from self.group(at, depth + 1)
            return
        row = self.join_row(at) if self.is_row(at) else ""
        if row:
            yield f"{indent}- {row}"
        elif node.id or node.role not in UNMARKED_ROLES or node.name:
            inner = list(self.group(at, depth + 1))
            if inner or node.id:
                yield indent + self.box(node)
                yield from inner
        elif self.is_one_of_rows(at):
            yield from mark_row(list(self.group(at, depth + 2)), depth)
        else:
            yield from self.group(at, depth)

    def is_row(self, at: int) -> bool:
        return self.nodes[at].kind == "item" or self.nodes[at].role in ROW_ROLES

    def is_one_of_rows(self, at: int) -> bool:
        return self.is_row(at) and sum(map(self.is_row, self.children[self.nodes[at].parent])) > 1

    def join_row(self, at: int) -> str:
        """A row that is short enough, as one line."""
        leaves = [node for node in self.below(at) if node.kind not in ("box", "item")]
        if not leaves or len(leaves) > 12 or any(node.kind == "box" and node.id for node in self.below(at)):
            return ""
        parts = [part for part in map(self.leaf, leaves) if part]
        line = " | ".join(parts)
        return line if len(line) <= 260 else ""

    def box(self, node: ElementView) -> str:
        mark = f"[{node.id}] " if node.id else ""
        name = f' "{shorten(node.name, self.level.name)}"' if node.name else ""
        front = {"": "", "over": " (in front)", "covers": " (in front, covers the rest)"}[node.layer]
        return f"{mark}{node.role or 'group'}{name}{front}{describe_scroll(node)}:"

    def leaf(self, node: ElementView) -> str:
        if node.kind == "control":
            return self.control(node)
        name = shorten(node.name, self.level.text)
        if node.kind == "heading":
            return f"{'#' * node.level} {name}"
        if not self.level.plain or not name:
            return ""
        if node.kind == "image":
            return f'image "{name}"'
        return f"{'#' * node.level} {name}" if node.level else name

    def control(self, node: ElementView) -> str:
        mark = f"{'#' * node.level} " if node.level else ""
        star = "*" if node.new else ""
        name = f' "{shorten(node.name, self.level.name)}"' if node.name else ""
        line = f"{mark}{star}[{node.id}] {node.role}{name}"
        if node.value and node.value != node.name:
            line += f' = "{keep_ends(node.value, self.level.name)}"'
        if node.placeholder and node.placeholder != node.name and not node.value:
            line += f' placeholder "{shorten(node.placeholder, 60)}"'
        if node.options:
            line += self.choices(node)
        line += describe_scroll(node)
        notes = [state for state in node.states if state != "unchecked" or node.role in CHECK_ROLES]
        if node.format:
            notes.append(f"{node.type} {node.format}" if node.type != "color" else node.format)
        elif node.type in ("password", "file"):
            notes.append(node.type)
        line = f"{line} ({', '.join(notes)})" if notes else line
        return f"{line} — {shorten(node.description, 60)}" if self.explains(node) else line

    def explains(self, node: ElementView) -> bool:
        """Whether to write the description: only of fields and of invalid elements."""
        return bool(node.description) and ("invalid" in node.states or (self.level.plain and node.role in FIELD_ROLES))

    def choices(self, node: ElementView) -> str:
        few = node.options if self.level.rows > 6 else node.options[:5]
        more = node.option_count - len(few)
        listed = ", ".join(shorten(option, 30) for option in few)
        return f" options: {listed}" + (f", … {more} more" if more > 0 else "")


def mark_row(lines: list[str], depth: int) -> Iterator[str]:
    """The lines of a row, marked at the first one, unless that begins with the mark of a row in it."""
    first = next((at for at, line in enumerate(lines) if not line.startswith("---")), 0)
    nested = bool(lines) and lines[first].startswith("- ", depth + 2)
    for at, line in enumerate(lines):
        inner = line[depth + 2 :]
        if line.startswith("---"):
            yield line
        else:
            yield " " * depth + ("" if nested else "- " if at == first else "  ") + inner


def describe_scroll(node: ElementView) -> str:
    """How far down something is that scrolls, and how much of it is out of sight."""
    scroll = node.scroll
    if not scroll:
        return ""
    (above, below), what = node.beyond, "rows" if node.has_rows else "elements"
    parts = [f"scrolls, at {100 * scroll[0] // max(scroll[2] - scroll[1], 1)} %"]
    parts += [f"{above} more {what} above"] if above else []
    parts += [f"{below} more {what} below"] if below else []
    parts += [
        f"{count} more to the {side}" for count, side in zip(node.beside, ("left", "right"), strict=True) if count
    ]
    return f" ({', '.join(parts)})"


def shorten(text: str, length: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def keep_ends(text: str, length: int) -> str:
    """Of a long value the beginning and, shorter, the end, with how much is left out between them."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    begin, end = line[: length * 2 // 3].rstrip(), line[-length // 4 :].lstrip()
    cut = LEFT_OUT.search(line)
    more = int(cut[1]) + len(line) - len(cut[0]) - len(begin) - len(end) if cut else 0
    return f"{begin} … {more} more characters … {end}" if more else f"{begin} … {end}"

"""Finds the part of a pruned page that holds its main text, and removes the rest of the clutter from it."""

import re
from collections import Counter
from collections.abc import Callable

from pilotfish.web.extract.dom import (
    HEADINGS,
    Node,
    body_of,
    count_linked,
    count_unlinked,
    count_words,
    drop_node,
    list_elements,
    list_hints,
    plain_text,
)
from pilotfish.web.extract.page_kinds import PRICE, PageKind
from pilotfish.web.extract.phrases import IDLE_LINE

MAIN = ".//main | .//*[@role='main'] | .//*[@itemprop='articleBody' or @itemprop='mainContentOfPage']"
KEPT_TAGS = HEADINGS | {"p", "pre", "tr", "tbody", "ul", "ol"}
ENOUGH_WORDS = 80
REPEATS, CARD_WORDS = 4, 4
"""A line that comes so often and has so few words is the label of a card."""
COUNT_TEXT = re.compile(r"[(+]?\d{1,5}\)?|[\d.]+ ?/ ?5")
SCOPES = frozenset({"content", "main", "article", "story", "entry", "post", "primary", "maincontent", "page"})
GROUPS = ("ul", "ol", "div", "section", "table", "p", "dl", "menu", "h4", "h5", "h6", "fieldset")
LIMITS: dict[PageKind, float] = {"article": 0.55, "documentation": 0.75, "forum": 0.65, "page": 0.65}
EXTRAS: dict[PageKind, str] = {
    "article": "comment, comments, respond, disqus, commentlist, byline, caption, keywords",
    "forum": "avatar, signature, sig, postprofile, userinfo, userdetails, usertitle, userextra, profile, controls,"
    " actions, reactions, likes, votes, votecell, vote, voting, badge, badges, rank, report, reputation, moderation,"
    " editor, quickreply, joined, stats, attribution, buttons, timestamp, jumpto, participants, poster, statistics,"
    " legend, flair, award, suggestions, user details, user extras, user title, user banner, cell user, message user,"
    " user info, user stats, author info, post author, poster info, member info, post meta, user card, post menu,"
    " post controls, flag link",
    "collection": "filter, filters, facet, facets, refine, refinement, sort, sorting, swatches",
    "listing": "filter, filters, facet, facets, widget, sort",
    "documentation": "feedback, edit, prev, next, version, versions, contributors, rating",
}
"""Names of what each kind of page carries along; of two words, both must be in one name."""
MESSAGE_NAMES = frozenset({"content", "body", "main", "text"})
"""In a name they mean what was said, not who said it: `message-userContent`."""
NAMES = frozenset({"username", "author", "nickname", "nick", "poster", "user", "name", "hnuser"})


def main_scope(tree: Node) -> Node:
    """The one part that the page itself calls its main one, where that says enough; else all of it."""
    root = body_of(tree)
    marked = [node for node in tree.xpath("//main | //*[@role='main']") if node.find(".//main") is None]
    if len(marked) != 1 or count_unlinked(marked[0]) < ENOUGH_WORDS:
        return root
    titled = marked[0].find(".//h1") is not None or root.find(".//h1") is None
    return marked[0] if titled or count_words(marked[0]) > count_words(root) * 0.4 else root


def choose_region(root: Node, kind: PageKind) -> Node:
    """The smallest part that still holds nearly all of the text."""
    total = count_words(root)
    marked = [node for node in root.xpath(MAIN) if count_words(node) > total * 0.4]
    if marked:
        return min(marked, key=count_words)
    share = 0.75 if kind in ("article", "page") else 0.95
    named = [
        node for node in root.iter("div", "section", "article", "td") if any(name & SCOPES for name in list_hints(node))
    ]
    large = [node for node in named if count_words(node) > total * share]
    if large:
        return min(large, key=count_words)
    return find_centre(
        root, share + 0.1 if share < 0.9 else 0.97, count_words if kind in ("collection", "listing") else count_unlinked
    )


def find_centre(root: Node, share: float, weigh: Callable[[Node], int]) -> Node:
    """Go down as long as one child holds nearly all of what counts: running text, or on pages of links all text."""
    node, weight = root, weigh(root)
    while weight:
        best = max(node, key=weigh, default=None)
        if best is None or best.tag in KEPT_TAGS or weigh(best) < weight * share:
            return node
        node = best
    return node


def drop_extras(root: Node, kind: PageKind) -> None:
    """Drop the extras of this kind of page; author and time of forum posts stay."""
    total = count_words(root)
    unwanted = [frozenset(phrase.split()) for phrase in EXTRAS.get(kind, "").split(",") if phrase]
    most = 60 if kind == "forum" else max(total * 0.2, 12)
    for node in list_elements(root):
        if (
            node is root
            or node.getparent() is None
            or node.tag in HEADINGS
            or node.tag in ("main", "article", "pre", "code")
        ):
            continue
        names = [name for name in list_hints(node) if not name & MESSAGE_NAMES]
        if any(each <= name for name in names for each in unwanted) and count_words(node) < most:
            if kind == "forum" and (name := " ".join(filter(None, (find_nickname(node), find_moment(node))))):
                keep_author(node, name)
            else:
                drop_node(node)


def find_nickname(panel: Node) -> str:
    found = (
        plain_text(node)
        for node in panel.iter("a", "span", "strong", "b", "h3", "h4", "dt")
        if any(hint & NAMES for hint in list_hints(node))
    )
    return next((name for name in found if 0 < len(name) <= 30 and len(name.split()) <= 3), "")


def find_moment(panel: Node) -> str:
    found = (plain_text(node) for node in panel.iter("time"))
    return next((when for when in found if 0 < len(when) <= 40), "")


def keep_author(panel: Node, name: str) -> None:
    for child in list(panel):
        panel.remove(child)
    panel.text = name
    panel.attrib.clear()


def drop_link_groups(root: Node, kind: PageKind) -> None:
    """Drop groups that are little more than links; on pages that consist of links, only menus."""
    total = count_words(root)
    for node in list_elements(root):
        if node is root or node.tag not in GROUPS or node.getparent() is None:
            continue
        count = count_words(node)
        links = sum(1 for _ in node.iter("a"))
        if not count or links < 2 or count > total * 0.5:
            continue
        share = count_linked(node) / count
        if kind in ("collection", "listing"):
            if (
                share > 0.9
                and links >= 3
                and count / links < 3
                and node.find(".//img") is None
                and not has_heading(node)
            ):
                drop_node(node)
        elif share > LIMITS[kind] and not (kind == "documentation" and count / links >= 4):
            drop_node(node)


def has_heading(node: Node) -> bool:
    return any(node.find(f".//{tag}") is not None for tag in ("h2", "h3", "h4"))


def drop_labels(text: str) -> str:
    """Drop labels that every card of a page repeats; of a label with a price, the price stays."""
    rows = text.split("\n")
    often = {
        name
        for name, count in Counter(map(row_label, rows)).items()
        if count >= REPEATS and len(name.split()) <= CARD_WORDS
    }
    seen: set[str] = set()
    kept: list[str] = []
    last = ""
    for row in rows:
        name = row_label(row)
        if name in often & seen and not row.startswith("#"):
            row = re.sub(r"\S.*", (PRICE.search(row) or [""])[0], row, count=1)
        seen.add(name)
        bare = row.strip(" #*->")
        if name and (not bare or bare == last or COUNT_TEXT.fullmatch(bare)):
            continue
        last = bare or last
        kept.append(row)
    return "\n".join(kept)


def row_label(row: str) -> str:
    """A line without its price and its marks."""
    return " ".join(re.findall(r"\w+", PRICE.sub("", row).lower()))


def drop_control_labels(text: str, once: bool = True) -> str:
    """Drop lines that only label a control and, with `once`, repeated lines."""
    seen: set[str] = set()
    kept: list[str] = []
    fenced = False
    for line in text.split("\n"):
        bare = re.sub(r"^[\s>#*|-]+|[\s|]+$", "", line)
        fenced ^= line.lstrip("> -").startswith("```")
        if (
            not fenced
            and bare
            and (IDLE_LINE.match(bare) or (once and len(bare) > 40 and not line.startswith("|") and bare in seen))
        ):
            continue
        seen.add(bare)
        kept.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()

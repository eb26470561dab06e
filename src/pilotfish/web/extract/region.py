"""Finds the part of a pruned page that holds its main text, and clears it of what remains in between."""

import re

from pilotfish.web.extract.dom import HEADINGS, Node, body, drop, elements, hints, linked, plain, size, unlinked
from pilotfish.web.extract.kinds import Kind
from pilotfish.web.extract.phrases import IDLE

MAIN = "//main | //*[@role='main'] | //*[@itemprop='articleBody' or @itemprop='mainContentOfPage']"
NAMED = frozenset({"content", "main", "article", "story", "entry", "post", "primary", "maincontent", "page"})
GROUPS = ("ul", "ol", "div", "section", "table", "p", "dl", "menu", "h4", "h5", "h6", "fieldset")
LIMITS: dict[Kind, float] = {"article": 0.55, "documentation": 0.75, "forum": 0.65, "product": 0.6, "page": 0.65}
EXTRAS: dict[Kind, str] = {
    "article": "comment, comments, respond, disqus, commentlist, byline, caption, keywords",
    "forum": "avatar, signature, sig, postprofile, userinfo, userdetails, usertitle, userextra, profile, controls,"
    " actions, reactions, likes, votes, votecell, vote, voting, badge, badges, rank, report, reputation, moderation,"
    " editor, quickreply, joined, stats, attribution, buttons, timestamp, jumpto, participants, poster, statistics,"
    " legend, flair, award, suggestions, user details, user extras, user title, user banner, cell user, message user,"
    " user info, user stats, author info, post author, poster info, member info, post meta, user card, post menu,"
    " post controls, flag link",
    "product": "swatch, swatches, wishlist, shipping, delivery, cart, carousel, thumbnails",
    "collection": "filter, filters, facet, facets, refine, refinement, sort, sorting, swatches",
    "listing": "filter, filters, facet, facets, widget, sort",
    "documentation": "feedback, edit, prev, next, version, versions, contributors, rating",
}
"""Names of what each kind of page carries along; of two words, both must be in one name."""
NAMES = frozenset({"username", "author", "nickname", "nick", "poster", "user", "name", "hnuser"})


def choose(tree: Node, kind: Kind) -> Node:
    """The smallest part that still holds nearly all of the text."""
    root = body(tree)
    total = size(root)
    marked = [node for node in tree.xpath(MAIN) if size(node) > total * 0.4]
    if marked:
        return min(marked, key=size)
    share = 0.75 if kind in ("article", "page") else 0.95
    named = [node for node in root.iter("div", "section", "article", "td") if any(name & NAMED for name in hints(node))]
    large = [node for node in named if size(node) > total * share]
    return min(large, key=size) if large else centre(root, share + 0.1 if share < 0.9 else 0.97)


def centre(root: Node, share: float) -> Node:
    """Go down as long as one child holds nearly all of the running text."""
    node, weight = root, unlinked(root)
    while weight:
        best = max(node, key=unlinked, default=None)
        if best is None or best.tag in ("p", "pre", "tr", "tbody", "ul", "ol") or unlinked(best) < weight * share:
            return node
        node = best
    return node


def extras(root: Node, kind: Kind) -> None:
    """Drop what this kind of page carries along; of a forum's profiles the name stays."""
    total = size(root)
    unwanted = [frozenset(phrase.split()) for phrase in EXTRAS.get(kind, "").split(",") if phrase]
    most = 60 if kind == "forum" else max(total * 0.2, 12)
    for node in elements(root):
        if (
            node is root
            or node.getparent() is None
            or node.tag in HEADINGS
            or node.tag in ("main", "article", "pre", "code")
        ):
            continue
        if any(each <= name for name in hints(node) for each in unwanted) and size(node) < most:
            if kind == "forum" and (name := nickname(node)):
                keep_name(node, name)
            else:
                drop(node)


def nickname(panel: Node) -> str:
    found = (
        plain(node)
        for node in panel.iter("a", "span", "strong", "b", "h3", "h4", "dt")
        if any(hint & NAMES for hint in hints(node))
    )
    return next((name for name in found if 0 < len(name) <= 30 and len(name.split()) <= 3), "")


def keep_name(panel: Node, name: str) -> None:
    for child in list(panel):
        panel.remove(child)
    panel.text = name
    panel.attrib.clear()


def clear(root: Node, kind: Kind) -> None:
    """Drop groups that are little more than links; on pages that consist of links, only menus."""
    total = size(root)
    for node in elements(root):
        if node is root or node.tag not in GROUPS or node.getparent() is None:
            continue
        count = size(node)
        links = sum(1 for _ in node.iter("a"))
        if not count or links < 2 or count > total * 0.5:
            continue
        share = linked(node) / count
        if kind in ("collection", "listing"):
            if share > 0.9 and links >= 3 and count / links < 3 and node.find(".//img") is None and not headed(node):
                drop(node)
        elif share > LIMITS[kind] and not (kind == "documentation" and count / links >= 4):
            drop(node)


def headed(node: Node) -> bool:
    return any(node.find(f".//{tag}") is not None for tag in ("h2", "h3", "h4"))


def lines(text: str, once: bool = True) -> str:
    """Without lines that only invite to press something, and, with `once`, without what was said before."""
    seen: set[str] = set()
    kept: list[str] = []
    fenced = False
    for line in text.split("\n"):
        bare = re.sub(r"^[\s>#*|-]+|[\s|]+$", "", line)
        fenced ^= line.lstrip("> -").startswith("```")
        if (
            not fenced
            and bare
            and (IDLE.match(bare) or (once and len(bare) > 40 and not line.startswith("|") and bare in seen))
        ):
            continue
        seen.add(bare)
        kept.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()

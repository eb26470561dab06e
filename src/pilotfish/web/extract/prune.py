"""Removes what surrounds the main text: menus, footers, banners, adverts, teasers for other pages."""

from pilotfish.web.extract.dom import (
    HEADINGS,
    PIECE,
    Node,
    body_of,
    count_words,
    drop_node,
    is_within_tags,
    link_density,
    list_elements,
    list_hints,
    plain_text,
)
from pilotfish.web.extract.page_kinds import PageKind
from pilotfish.web.extract.phrases import LATEST_HEADING, SECTION_HEADING

MACHINE_TAGS = frozenset(
    {
        *("script", "style", "template", "noscript", "svg", "iframe", "object", "embed", "canvas", "video", "audio"),
        *("button", "select", "option", "input", "textarea", "map", "head", "link", "meta", "datalist", "progress"),
    }
)
CHROME = frozenset(
    {
        *(
            "nav",
            "navbar",
            "navigation",
            "menu",
            "submenu",
            "megamenu",
            "breadcrumb",
            "breadcrumbs",
            "crumbs",
            "footer",
        ),
        *(
            "cookie",
            "cookies",
            "consent",
            "gdpr",
            "newsletter",
            "subscribe",
            "subscription",
            "signup",
            "share",
            "shares",
        ),
        *(
            "sharing",
            "social",
            "advert",
            "adverts",
            "ads",
            "ad",
            "advertisement",
            "advertising",
            "sponsor",
            "sponsored",
        ),
        *("promo", "popup", "modal", "overlay", "lightbox", "toolbar", "pagination", "pager", "paging", "paginator"),
        *("login", "signin", "skip", "skiplink", "sidebar", "sidenav", "related", "recommended", "recommendations"),
        *("recirc", "recirculation", "trending", "outbrain", "taboola", "masthead", "toc", "printonly", "screenreader"),
        *("tooltip", "dropdown", "offcanvas", "drawer", "minicart", "backtotop", "crosssell", "upsell", "upsells"),
        *("jumplinks", "permalink", "headerlink", "paywall", "adsbygoogle", "sharedaddy", "topbar", "sociallinks"),
        *(
            "contentinfo",
            "complementary",
            "search",
            "searchbox",
            "searchform",
            "alertdialog",
            "tablist",
            "visuallyhidden",
        ),
    }
)
NAME_PAIRS = (
    *({"also", "like"}, {"also", "bought"}, {"read", "next"}, {"more", "stories"}, {"most", "read"}, {"sr", "only"}),
    *({"recently", "viewed"}, {"cross", "sell"}, {"back", "top"}, {"site", "header"}, {"page", "header", "site"}),
    *(
        {"author", "bio"},
        {"about", "author"},
        {"tag", "cloud"},
        {"tags", "links"},
        {"edit", "section"},
        {"ref", "list"},
    ),
    *(
        {"read", "more"},
        {"on", "this", "page"},
        {"table", "contents"},
        {"language", "switcher"},
        {"similar", "threads"},
    ),
    *({"follow", "us"}, {"sign", "up"}, {"log", "in"}, {"mini", "cart"}, {"quick", "view"}, {"visually", "hidden"}),
    *({"screen", "reader"}, {"mobile", "header"}, {"global", "header"}, {"catlinks"}, {"mw", "jump"}, {"suggested"}),
)
SURE_NAMES = frozenset({"modal", "cookie", "cookies", "consent", "footer"})
NOSCRIPT_WORDS, REST_WORDS = 50, 100
"""How many words make a noscript more than a request for scripts, and a page whole without its footer."""
WEAK_WORD = frozenset(
    {"has", "with", "no", "without", "not", "is", "js", "layout", "wrapper", "wrap", "container", "page"}
)
NOTE_BOX = frozenset(
    {"note", "tip", "warning", "admonition", "callout", "caution", "info", "important", "alert", "danger"}
)


def is_hidden(node: Node) -> bool:
    style = (node.get("style") or "").replace(" ", "").lower()
    return (
        node.get("hidden") is not None
        or node.get("aria-hidden") == "true"
        or "display:none" in style
        or "visibility:hidden" in style
    )


def is_heading_anchor(node: Node) -> bool:
    """Whether an id only repeats the heading, so that links can lead there: a chapter on sharing is not a row of
    buttons for it."""
    name = node.get("id") or ""
    heading = node if node.tag in HEADINGS else next((child for child in node if child.tag in HEADINGS), None)
    said = plain_text(heading).casefold() if heading is not None else ""
    return bool(name) and all(piece.casefold() in said for piece in PIECE.findall(name))


def is_chrome(node: Node, kind: PageKind = "page") -> bool:
    """Whether the tag or the names of a node say that it is not main text."""
    if node.tag == "nav":
        return True
    names = list_hints(node, but="id" if kind == "documentation" and is_heading_anchor(node) else "")
    if node.tag == "aside":
        return not any(name & NOTE_BOX for name in names)
    if node.tag in ("header", "footer") and not is_within_tags(node, {"article", "main", "section", "blockquote"}):
        return True
    if node.tag == "footer":
        return not is_within_tags(node, {"blockquote"})
    return any((name & CHROME and not name & WEAK_WORD) or any(pair <= name for pair in NAME_PAIRS) for name in names)


def is_surely_chrome(node: Node) -> bool:
    """Whether a node is never main text, however long it is: a footer may hold whole policies."""
    roles = ("navigation", "contentinfo", "dialog")
    return (
        node.tag in ("nav", "footer", "dialog")
        or node.get("role") in roles
        or any(n & SURE_NAMES for n in list_hints(node))
    )


def drop_machine_parts(tree: Node) -> None:
    """Drop what is never text for people: scripts, controls, hidden parts."""
    root = body_of(tree)
    total = count_words(root)
    drop_controls(root)
    for node in list_elements(root):
        if is_hidden(node) and node is not root and count_words(node) < total * 0.4:
            drop_node(node)


def drop_controls(root: Node) -> None:
    """Drop scripts and controls. Some pages say it all in noscript."""
    for node in list_elements(root):
        if node.tag == "noscript" and count_words(node) >= NOSCRIPT_WORDS and link_density(node) < 0.7:
            node.drop_tag()
        elif node.tag in MACHINE_TAGS:
            drop_node(node)


def prune_page(root: Node, kind: PageKind) -> None:
    """Drop what surrounds the main text, but keep nodes that hold the title or much of the page."""
    total = count_words(root)
    titles = list(root.iter("h1"))
    for node in list_elements(root):
        if node is root or node.tag in ("body", "main", "h1") or node.getparent() is None or not is_chrome(node, kind):
            continue
        count = count_words(node)
        held = any(node is above for title in titles[:1] for above in title.iterancestors())
        small = count < total * 0.35 or (is_surely_chrome(node) and total - count >= REST_WORDS)
        if small and not (held and count > 30) and node.find(".//main") is None:
            drop_node(node)
            total -= count
    drop_sections(root, kind)


def drop_sections(root: Node, kind: PageKind) -> None:
    """Drop the parts whose headings say that they are about something else."""
    total = count_words(root)
    for node in list_elements(root):
        if (
            node.tag != "h1"
            and (node.tag in HEADINGS or acts_as_heading(node))
            and is_off_topic(plain_text(node), kind)
        ):
            cut_section(node, total)


def is_off_topic(heading: str, kind: PageKind) -> bool:
    """Whether a heading opens something else than the main text."""
    return bool(SECTION_HEADING.match(heading)) and not (kind == "listing" and LATEST_HEADING.match(heading))


def acts_as_heading(node: Node) -> bool:
    """A short block that works as a heading without being one."""
    if (
        node.tag not in ("div", "p", "span", "strong", "b", "legend", "dt")
        or len(node) > 1
        or len(plain_text(node)) > 60
    ):
        return False
    return any(name & {"title", "heading", "headline", "header", "label"} for name in list_hints(node))


def cut_section(heading: Node, total: int) -> None:
    """Drop the part of the page that a heading opens: its box, or what follows up to the next heading."""
    box = heading
    while (above := box.getparent()) is not None and above.tag not in ("body", "main", "html"):
        if not begins_with(above, heading) or count_words(above) > total * 0.35 or above.find(".//h1") is not None:
            break
        box = above
    if count_words(box) > count_words(heading):
        drop_node(box)
        return
    rank = heading.tag if heading.tag in HEADINGS else "h6"
    gone = [box]
    for after in box.itersiblings():
        if any(inner.tag <= rank for inner in after.iter(*HEADINGS)):
            break
        if any(count_words(inner) > 20 and link_density(inner) < 0.5 for inner in after.iter("p")):
            break
        gone.append(after)
    if sum(map(count_words, gone)) < total * 0.35:
        for node in gone:
            drop_node(node)


def begins_with(box: Node, heading: Node) -> bool:
    """Whether a box begins with this heading."""
    return plain_text(box).startswith(plain_text(heading))

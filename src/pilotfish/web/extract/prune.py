"""Takes away what surrounds the main text: menus, footers, banners, adverts, teasers for other pages."""

from pilotfish.web.extract.dom import HEADINGS, PIECE, Node, body, density, drop, elements, hints, plain, size, within
from pilotfish.web.extract.kinds import Kind
from pilotfish.web.extract.phrases import FRESH, SECTION

MACHINE = frozenset(
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
PAIRS = (
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
APART = frozenset({"modal", "cookie", "cookies", "consent", "footer"})
SPOKEN, REST = 50, 100
"""How many words make a noscript more than a request for scripts, and a page whole without its footer."""
MILD = frozenset({"has", "with", "no", "without", "not", "is", "js", "layout", "wrapper", "wrap", "container", "page"})
KEPT = frozenset({"note", "tip", "warning", "admonition", "callout", "caution", "info", "important", "alert", "danger"})


def hidden(node: Node) -> bool:
    style = (node.get("style") or "").replace(" ", "").lower()
    return (
        node.get("hidden") is not None
        or node.get("aria-hidden") == "true"
        or "display:none" in style
        or "visibility:hidden" in style
    )


def anchored(node: Node) -> bool:
    """Whether an id only repeats the heading, so that links can lead there: a chapter on sharing is not a row of
    buttons for it."""
    name = node.get("id") or ""
    heading = node if node.tag in HEADINGS else next((child for child in node if child.tag in HEADINGS), None)
    said = plain(heading).casefold() if heading is not None else ""
    return bool(name) and all(piece.casefold() in said for piece in PIECE.findall(name))


def chrome(node: Node, kind: Kind = "page") -> bool:
    """Whether the tag or the names of a node say that it is not main text."""
    if node.tag == "nav":
        return True
    names = hints(node, but="id" if kind == "documentation" and anchored(node) else "")
    if node.tag == "aside":
        return not any(name & KEPT for name in names)
    if node.tag in ("header", "footer") and not within(node, {"article", "main", "section", "blockquote"}):
        return True
    if node.tag == "footer":
        return not within(node, {"blockquote"})
    return any((name & CHROME and not name & MILD) or any(pair <= name for pair in PAIRS) for name in names)


def sure(node: Node) -> bool:
    """Whether a node is beside the point however much of the page it takes: a footer may hold whole policies."""
    roles = ("navigation", "contentinfo", "dialog")
    return node.tag in ("nav", "footer", "dialog") or node.get("role") in roles or any(n & APART for n in hints(node))


def tidy(tree: Node) -> None:
    """Drop what is never text for people: scripts, controls, hidden parts."""
    root = body(tree)
    total = size(root)
    bare(root)
    for node in elements(root):
        if hidden(node) and node is not root and size(node) < total * 0.4:
            drop(node)


def bare(root: Node) -> None:
    """Drop scripts and controls. Some pages say it all in noscript."""
    for node in elements(root):
        if node.tag == "noscript" and size(node) >= SPOKEN and density(node) < 0.7:
            node.drop_tag()
        elif node.tag in MACHINE:
            drop(node)


def prune(root: Node, kind: Kind) -> None:
    """Drop what surrounds the main text, sparing whatever holds the title or much of the page."""
    total = size(root)
    titles = list(root.iter("h1"))
    for node in elements(root):
        if node is root or node.tag in ("body", "main", "h1") or node.getparent() is None or not chrome(node, kind):
            continue
        count = size(node)
        held = any(node is above for title in titles[:1] for above in title.iterancestors())
        small = count < total * 0.35 or (sure(node) and total - count >= REST)
        if small and not (held and count > 30) and node.find(".//main") is None:
            drop(node)
            total -= count
    sections(root, kind)


def sections(root: Node, kind: Kind) -> None:
    """Drop the parts whose headings say that they are about something else."""
    total = size(root)
    for node in elements(root):
        if node.tag != "h1" and (node.tag in HEADINGS or titled(node)) and astray(plain(node), kind):
            cut(node, total)


def astray(heading: str, kind: Kind) -> bool:
    """Whether a heading opens something else than the main text."""
    return bool(SECTION.match(heading)) and not (kind == "listing" and FRESH.match(heading))


def titled(node: Node) -> bool:
    """A short block that works as a heading without being one."""
    if node.tag not in ("div", "p", "span", "strong", "b", "legend", "dt") or len(node) > 1 or len(plain(node)) > 60:
        return False
    return any(name & {"title", "heading", "headline", "header", "label"} for name in hints(node))


def cut(heading: Node, total: int) -> None:
    """Drop the part of the page that a heading opens: its box, or what follows up to the next heading."""
    box = heading
    while (above := box.getparent()) is not None and above.tag not in ("body", "main", "html"):
        if not first(above, heading) or size(above) > total * 0.35 or above.find(".//h1") is not None:
            break
        box = above
    if size(box) > size(heading):
        drop(box)
        return
    rank = heading.tag if heading.tag in HEADINGS else "h6"
    gone = [box]
    for after in box.itersiblings():
        if any(inner.tag <= rank for inner in after.iter(*HEADINGS)):
            break
        if any(size(inner) > 20 and density(inner) < 0.5 for inner in after.iter("p")):
            break
        gone.append(after)
    if sum(map(size, gone)) < total * 0.35:
        for node in gone:
            drop(node)


def first(box: Node, heading: Node) -> bool:
    """Whether a box begins with this heading."""
    return plain(box).startswith(plain(heading))

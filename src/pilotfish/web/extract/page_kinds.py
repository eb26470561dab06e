"""Classifies a page, since the main text of each kind is found in another way."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from pilotfish.web.extract.declared_facts import DeclaredFacts
from pilotfish.web.extract.dom import (
    Node,
    body_of,
    count_unlinked,
    count_words,
    is_within_tags,
    link_density,
    list_hints,
    plain_text,
)

PageKind = Literal["article", "forum", "product", "collection", "listing", "documentation", "page"]

TYPES: dict[str, tuple[PageKind, float]] = {
    **dict.fromkeys(("Article", "NewsArticle", "BlogPosting", "ReportageNewsArticle", "Report"), ("article", 3.0)),
    **dict.fromkeys(("OpinionNewsArticle", "LiveBlogPosting", "Recipe", "ScholarlyArticle"), ("article", 3.0)),
    **dict.fromkeys(("DiscussionForumPosting", "QAPage"), ("forum", 4.0)),
    **dict.fromkeys(("Product", "ProductGroup", "IndividualProduct", "Offer"), ("product", 2.0)),
    **dict.fromkeys(("og:product", "og:product.item"), ("product", 3.0)),
    "og:article": ("article", 2.0),
    **dict.fromkeys(("TechArticle", "APIReference"), ("documentation", 4.0)),
    **dict.fromkeys(("CollectionPage", "OfferCatalog", "ItemList"), ("collection", 1.5)),
    **dict.fromkeys(("SearchResultsPage", "Blog"), ("listing", 1.5)),
}
ADDRESSES: tuple[tuple[PageKind, float, str], ...] = (
    (
        "forum",
        3.0,
        r"/(?:forums?|threads?|viewtopic|showthread|questions?|comments|t|r)\b|forum",
    ),
    ("forum", 1.5, r"/(?:topics?|discussions?|community)\b"),
    ("product", 2.0, r"/(?:products?|p|dp|pdp|item|itm|shop/[^/]+/[^/]+|sku|produkt|artikel-nr)/|[-/]p-?\d{4,}|\.prd$"),
    ("product", 1.5, r"/(?:dp|itm|pdp)/"),
    (
        "collection",
        2.0,
        r"/(?:collections?|categor(?:y|ies)|c|shop|catalog|browse|departments?|store|brands?)(?:/[^/]*){0,2}/?$",
    ),
    (
        "documentation",
        3.0,
        r"//(?:docs?|developers?|api|help|wiki|learn)\.|/(?:docs?|documentation|reference|manual|guide|api|man\d?)/|readthedocs",
    ),
    ("listing", 1.5, r"/(?:tags?|topics|archives?|news|blog|author|search|page/\d+|latest)/?(?:[?].*)?$|//[^/]+/?$"),
    (
        "article",
        1.5,
        r"/20\d\d[/-][01]?\d|/(?:articles?|story|stories|posts?|blog|news)/[^/]{12,}|(?<![a-z0-9])[a-z0-9]+(?:-[a-z0-9]+){4,}",
    ),
)
PROGRAM_MARKS: tuple[tuple[PageKind, str], ...] = (
    (
        "forum",
        r"phpbb|vbulletin|discourse|xenforo|\bsmf\b|simple machines|mybb|invision|nodebb|flarum|vanilla|fluxbb|bbpress",
    ),
    (
        "documentation",
        r"sphinx|mkdocs|docusaurus|vitepress|gitbook|doxygen|javadoc|starlight|mdbook|jsdoc|rustdoc|docfx|antora|hugo.{0,200}docs",
    ),
    ("product", r"\bsingle-product\b|\btemplate-product\b|\bcatalog-product-view\b|\bpdp(?:\b|_)|\bproduct-?page\b"),
    ("collection", r"\btemplate-collection\b|\btax-product_cat\b|\bcatalog-category-view\b"),
)
PRICE = re.compile(r"[$€£¥₹]\s?\d[\d.,]{0,20}|\d[\d.,]{0,20}\s?(?:€|EUR|USD|GBP|zł|kr|CHF)\b")
READ_LENGTH = 2000
"""How much of an address or of the names of a page tells its kind."""
MOST_CARTS, MOST_PRICES = 3, 16
"""With so few controls to buy and so few prices, other goods only stand beside the one that is sold."""
POST_BOX = frozenset({"post", "comment", "message", "reply", "answer", "postcontainer", "postbody", "comtr", "postbit"})


def classify_page(tree: Node, facts: DeclaredFacts, url: str = "") -> PageKind:
    """The likeliest kind, from what the page declares, where it lives and how it is built."""
    score, marks = Counter[PageKind](), list_marks(tree, facts)[:READ_LENGTH]
    for kind, weight in (
        *score_declared(Counter(facts.types)),
        *((kind, weight if re.search(place, url[:READ_LENGTH], re.I) else 0) for kind, weight, place in ADDRESSES),
        *((kind, 5 if re.search(maker, marks, re.I) else 0) for kind, maker in PROGRAM_MARKS),
        *score_structure(body_of(tree), facts.sells),
    ):
        score[kind] += weight  # pyright: ignore[reportArgumentType]
    best, weight = max(score.items(), key=lambda item: item[1], default=("page", 0))
    return best if weight >= 2 else "page"


def score_declared(types: Counter[str]) -> Iterator[tuple[PageKind, float]]:
    """What the declared types say. Several products that are not forms of one make a collection."""
    products = types["Product"] or types["Offer"]
    several = products > 4 and not types["ProductGroup"]
    for name in types:
        if name in TYPES:
            kind, weight = TYPES[name]
            yield "collection" if kind == "product" and several else kind, weight


def list_marks(tree: Node, facts: DeclaredFacts) -> str:
    """What tells the program that made a page: its own name for itself, and ids and classes of page and body."""
    names = (str(node.get(name) or "") for node in (tree, body_of(tree)) for name in ("id", "class"))
    return " ".join((facts.generator, *names))


def score_structure(root: Node, sells: int) -> Iterator[tuple[PageKind, float]]:
    """What the page's structure says of each kind."""
    paragraphs = [node for node in root.iter("p") if count_words(node) >= 20 and link_density(node) < 0.3]
    prose = sum(map(count_words, paragraphs))
    columns = Counter[Node]()
    for node in paragraphs:
        columns[node.getparent()] += count_words(node)
    column = max(columns.values(), default=0)

    posts = largest_group(root)
    in_posts = sum(count_words(node) for node in paragraphs if any(above in posts for above in node.iterancestors()))
    if len(posts) >= 3 and prose - in_posts < 120 and sum(map(count_unlinked, posts)) > count_unlinked(root) * 0.5:
        yield "forum", 1.0 + min(2, len(posts) / 4)

    prices = len(PRICE.findall(plain_text(root)))
    sells_one = 1 <= sells <= MOST_CARTS and prices <= MOST_PRICES
    if prices >= 8 and prices > len(paragraphs) and not sells_one:
        yield "collection", 2.0 + bool(sells)
    elif prices and sells:
        yield "product", 1.5

    headings = root.iter("h2", "h3", "h4")
    teasers = sum(node.find(".//a") is not None or is_within_tags(node, {"a"}) for node in headings)
    if (teasers >= 6 and prose < teasers * 40 and column < 120) or longest_list_words(root) > count_words(root) * 0.4:
        yield "listing", 2.0
    if prose > 300 or column >= 120:
        yield "article", 1.0 + (column > 200) + (column > 500)
    if len(list(root.iter("pre"))) + len(list(root.iter("code"))) / 4 > 3:
        yield "documentation", 1.5


def longest_list_words(root: Node) -> int:
    """How many words stand in the longest list whose items lead somewhere and say something."""
    longest = 0
    for node in root.iter("ul", "ol", "dl", "tbody"):
        items = [child for child in node if child.tag in ("li", "dd", "tr")]
        if len(items) >= 12 and not is_within_tags(node, {"nav", "footer", "header", "aside"}):
            led = sum(child.find(".//a") is not None for child in items)
            count = count_words(node)
            longest = max(longest, count if led >= len(items) * 0.8 and count >= len(items) * 8 else 0)
    return longest


def largest_group(root: Node) -> set[Node]:
    """The largest group of blocks that are named alike, as posts are; an article and its comments are two groups."""
    groups: dict[frozenset[str], set[Node]] = {}
    for node in root.iter("div", "article", "li", "tr", "section"):
        name = next((name & POST_BOX for name in list_hints(node) if name & POST_BOX), None)
        if name and count_words(node) > 8:
            alike = groups.setdefault(name, set())
            if not any(above in alike for above in node.iterancestors()):
                alike.add(node)
    return max(
        groups.values(), key=lambda nodes: sum(map(count_words, nodes)) if len(nodes) > 1 else 0, default=set[Node]()
    )

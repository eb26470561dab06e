"""Reads what a page declares about itself: JSON-LD, Open Graph, microdata and meta tags."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pilotfish.web.extract.dom import Node, one_line, parse_html, plain_text

DAY = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")
CART = re.compile(
    r"add to (?:cart|bag|basket)|buy now|in den warenkorb|ajouter au panier|añadir al carrito|加入购物车", re.I
)
DATES = ("article:published_time", "datePublished", "date", "dc.date", "dcterms.date", "pubdate", "publishdate")
NAMES = ("author", "article:author", "dc.creator", "dcterms.creator", "parsely-author", "sailthru.author")


@dataclass(frozen=True)
class DeclaredFacts:
    """What was declared. `types` are those of schema.org and Open Graph, `body` is the longest text given,
    `sells` is how many controls put something into a cart."""

    title: str = ""
    author: str = ""
    date: str = ""
    types: tuple[str, ...] = ()
    generator: str = ""
    description: str = ""
    body: str = ""
    sells: int = 0


def read_declared(tree: Node) -> DeclaredFacts:
    """Read them all; nothing in them is trusted to be well formed."""
    things = [thing for script in tree.iter("script") for thing in list_linked_data(script)]
    meta = {
        str(each.get("property") or each.get("name") or each.get("itemprop") or "").lower(): each
        for each in list_metas(tree)
    }

    def of(*names: str) -> str:
        found = (meta[name.lower()].get("content") or "" for name in names if name.lower() in meta)
        return next((one_line(value) for value in found if value.strip()), "")

    micro = [str(node.get("itemtype")).rsplit("/", 1)[-1] for node in tree.xpath("//*[@itemtype]")]
    h1 = tree.find(".//h1")
    return DeclaredFacts(
        title=of("og:title", "twitter:title") or read_title(tree) or (plain_text(h1) if h1 is not None else ""),
        author=read_author(first_value(things, "author")) or clean_name(of(*NAMES)),
        date=read_day(first_value(things, "datePublished")) or read_day(of(*DATES)) or find_shown_date(tree),
        types=(*(kind for thing in things for kind in list_types(thing)), *micro, f"og:{of('og:type').lower()}"),
        generator=of("generator").lower(),
        description=longest_text(things, ("description",)),
        body=longest_text(things, ("articleBody", "text", "reviewBody")),
        sells=sum(
            bool(CART.search(f"{plain_text(node)} {node.get('value') or ''}"))
            for node in tree.iter("button", "input", "a")
        ),
    )


def list_metas(tree: Node) -> list[Node]:
    return list(reversed(list(tree.iter("meta"))))


def list_linked_data(script: Node) -> Iterator[Mapping[str, Any]]:
    """Every object in a JSON-LD script, also those inside others."""
    if "ld+json" not in (script.get("type") or ""):
        return
    try:
        stack: list[Any] = [
            json.loads(
                re.sub(r"^\s*(?://)?<!(?:--|\[CDATA\[)|(?://)?(?:-->|\]\]>)\s*$", "", script.text or ""), strict=False
            )
        ]
    except (ValueError, RecursionError):
        return
    while stack:
        thing = stack.pop(0)
        if isinstance(thing, list):
            stack = [*thing, *stack]
        elif isinstance(thing, dict):
            yield thing
            stack = [*(value for value in thing.values() if isinstance(value, dict | list)), *stack]


def list_types(thing: Mapping[str, Any]) -> list[str]:
    kind = thing.get("@type")
    return [each for each in (kind if isinstance(kind, list) else [kind]) if isinstance(each, str)]


def first_value(things: list[Mapping[str, Any]], key: str) -> Any:
    return next((thing[key] for thing in things if thing.get(key)), "")


def read_author(value: Any) -> str:
    """Names out of the many ways to give an author."""
    if isinstance(value, list):
        return ", ".join(dict.fromkeys(filter(None, (read_author(each) for each in value[:5]))))
    return clean_name(str(value.get("name") or "") if isinstance(value, dict) else str(value or ""))


def clean_name(text: str) -> str:
    text = re.sub(r"^(?:by|von|par|por|di)\s+", "", one_line(text), flags=re.I)
    return "" if "://" in text or text.startswith("@") or len(text) > 120 else text


def read_day(value: Any) -> str:
    found = DAY.search(str(value or ""))
    return found.group(0) if found else ""


def find_shown_date(tree: Node) -> str:
    """The first date that the page shows as one."""
    stamps = [*tree.xpath("//*[@itemprop='datePublished']"), *tree.xpath("//article//time[@datetime]")]
    return next((found for node in stamps[:5] if (found := read_day(node.get("datetime") or node.get("content")))), "")


def read_title(tree: Node) -> str:
    """The window's title without the site's name."""
    node, h1 = tree.find(".//title"), tree.find(".//h1")
    text = plain_text(node) if node is not None else ""
    parts = re.split(r" [|–—·•»-] | :: ", text)
    if h1 is not None and plain_text(h1) in parts:
        return plain_text(h1)
    longest = max(parts, key=len)
    return longest if len(longest) > len(text) / 2 else text


def longest_text(things: list[Mapping[str, Any]], keys: tuple[str, ...]) -> str:
    """The longest text under any of the keys, its markup removed."""
    values = [str(thing[key]) for thing in things for key in keys if isinstance(thing.get(key), str)]
    longest = max(values, key=len, default="")
    return plain_text(parse_html(longest)) if "<" in longest else one_line(longest)

"""Writes a whole page: head, navigation, notices, the parts of the page, filler, footer and banner."""

from collections.abc import Sequence
from html import escape
from random import Random
from typing import TYPE_CHECKING

from gym.hurdles import FINDER
from gym.style import hash_text

if TYPE_CHECKING:
    from gym.markup import Ui

ACCOUNT_NAVS = ("top", "side", "bottom")
LEAST_SPLIT = 5
"""Sections of a site that can have some of them behind a menu."""
FOOTER = ("about", "contact", "imprint", "privacy")


def write_page(ui: "Ui", parts: Sequence[str]) -> str:
    site, style = ui.site, ui.style
    holder = style["holder"]
    bare = "_bare" in ui.query
    title = f"{ui.title} – {site.brand}" if ui.title else site.brand
    if holder == "frame" and not bare:
        mark = "&" if "?" in ui.address else "?"
        content = (
            f'<iframe src="{ui.path(ui.address + mark + "_bare=1")}" title="{escape(ui.title)}" '
            f'style="width:1000px;height:1400px;border:0"></iframe>'
        )
        return _document(ui, title, _surround(ui, f"<main>{content}</main>"))
    said = (
        f'<p class="said"{" role=status" * (style["controls"] == "aria")}>{escape(site.notice)}</p>'
        if site.notice
        else ""
    )
    matter = "".join(parts)
    matter = site.snags.write_lock(ui, matter) + matter
    inner = said + site.hurdles.say_kept(ui) + _hero(ui) + _crumbs(ui) + matter + site.hurdles.say_refused()
    if bare:
        return _document(ui, title, f"<main>{inner}</main>")
    if holder == "shadow":
        inner = f'<x-panel><template shadowrootmode="open"><style>{style.sheet}</style>{inner}</template></x-panel>'
    return _document(ui, title, _surround(ui, f"<main>{inner}{_filler(ui)}</main>"))


def _document(ui: "Ui", title: str, body: str) -> str:
    site, style = ui.site, ui.style
    loading = "pages" if style["holder"] == "frame" else style["loading"]
    data = {
        "loading": loading,
        "controls": style["controls"],
        "yes": ui.word("yes"),
        "no": ui.word("no"),
        "key": site.base.strip("/"),
        "locked": "1" if site.snags.locked else "",
    }
    told = " ".join(f'data-{name}="{escape(value)}"' for name, value in data.items())
    base = '<base target="_top">' if "_bare" in ui.query else ""
    return (
        f'<!doctype html><html lang="{site.draw.language}" {told}><head><meta charset="utf-8">{base}'
        f"<title>{escape(title)}</title><style>{style.sheet}</style>"
        f'<script src="/client.js" defer></script></head><body>{body}</body></html>'
    )


def _surround(ui: "Ui", main: str) -> str:
    """The main part with navigation, footer and banner around it."""
    site, style = ui.site, ui.style
    main = _crowd(ui) + main
    links = _links(ui)
    brand = f"<strong>{escape(site.brand)}</strong>" + (ui.search(FINDER) if style["finder"] == "yes" else "")
    home = ui.address.split("?")[0] == "/"
    match style["nav"]:
        case "side":
            body = f'<header>{brand}</header><div class="split"><nav class="side">{"".join(links)}</nav>{main}</div>'
        case "burger":
            body = f"<header>{brand}{ui.menu(ui.word('menu'), links)}</header>{main}"
        case "tiles":
            told = site.draw.all("filler")
            said = [ui.text(told[at % len(told)]) if style["tiles"] == "told" else "" for at in range(len(links))]
            shown = [f'<div class="tile">{each}{words}</div>' for each, words in zip(links, said, strict=True)]
            tiles = "".join(shown) if home else ""
            back = ui.link(ui.word("home"), "/")
            body = f"<header>{brand}{'' if home else back}</header>{tiles}{main}"
        case "bottom":
            body = f"<header>{brand}</header>{main}<nav><div class='bar'>{''.join(links)}</div></nav>"
        case _:
            body = f"<header>{brand}<nav class='bar'>{''.join(links)}</nav></header>{main}"
    return f"{body}<footer>{_foot(ui)} © 2027 {escape(site.brand)}</footer>{_banner(ui)}{site.snags.write_front(ui)}"


def _links(ui: "Ui") -> list[str]:
    """The navigation; on some sites its second half stands behind a menu of the person's account."""
    site = ui.site
    links = [ui.link(label, path) for path, label in site.sections.items() if path not in site.nested]
    if ui.style["account"] == "no" or ui.style["nav"] not in ACCOUNT_NAVS or len(links) < LEAST_SPLIT:
        return links
    half = -(-len(links) // 2)
    return [*links[:half], ui.menu(ui.word("my_account"), links[half:])]


def _foot(ui: "Ui") -> str:
    """The footer: words, or links where no section has their name."""
    taken = {label.casefold() for label in ui.site.sections.values()}
    linked = ui.style["footer"] == "links"
    parts = [
        ui.link(words, f"/info/{key}") if linked and words.casefold() not in taken else f"<span>{escape(words)}</span>"
        for key, words in ((key, ui.word(key)) for key in FOOTER)
    ]
    return " · ".join(parts)


def _crumbs(ui: "Ui") -> str:
    """The way from the first page to this one, on some sites."""
    site = ui.site
    if ui.style["crumbs"] == "no" or not ui.title or ui.address.split("?")[0] == "/":
        return ""
    return f'<div class="bar">{ui.link(site.sections["/"], "/")} › <span>{escape(ui.title)}</span></div>'


def _crowd(ui: "Ui") -> str:
    """Much that has nothing to do with any task: links to news, or news with a few words each."""
    kind, draw = ui.style["crowd"], ui.site.draw
    if kind == "none" or ui.style["holder"] == "frame":
        return ""
    drawn = Random(draw.seed)
    pairs = [(one, two) for one in draw.all("crowd_subjects") for two in draw.all("crowd_news")]
    shown = drawn.sample(pairs, 36 if kind == "links" else 20)
    links = [ui.link(f"{one}: {two}", f"/?news={at}") for at, (one, two) in enumerate(shown)]
    if kind == "links":
        return f"<aside><ul>{''.join(f'<li>{each}</li>' for each in links)}</ul></aside>"
    told = draw.all("filler")
    items = [f"<article>{each} {ui.text(told[at % len(told)])}</article>" for at, each in enumerate(links)]
    return f"<aside>{''.join(items)}</aside>"


def _hero(ui: "Ui") -> str:
    """A tall block before the matter, so that the rest is below the screen."""
    if ui.style["hero"] == "none" or "_bare" in ui.query:
        return ""
    return f'<section class="hero"><p>{escape(ui.site.draw.all("filler")[0])}</p></section>'


def _filler(ui: "Ui") -> str:
    """Words beside the matter, the same at each look at a page; on some sites also words that give orders."""
    drawn = Random(hash_text(ui.address.split("?")[0], ui.site.draw.seed))
    count = {"none": 0, "some": 1, "much": 4}[ui.style["filler"]]
    said = drawn.sample(ui.site.draw.all("filler"), min(count, len(ui.site.draw.all("filler"))))
    if ui.style["lie"] == "yes" and drawn.random() < 0.5:
        said.append(drawn.choice(ui.site.draw.all("lie")))
    return f"<aside>{ui.text(*said)}</aside>" if said else ""


def _banner(ui: "Ui") -> str:
    kind = ui.style["banner"]
    if kind == "none":
        return ""
    button = f'<button class="pressable" data-close="banner">{escape(ui.word("accept"))}</button>'
    words = f"<p>{escape(ui.word('cookies'))}</p>"
    if kind == "wall":
        sheet = f'<div class="sheet" role="dialog" aria-modal="true">{words}{button}</div>'
        return f'<div class="wall" id="banner" hidden>{sheet}</div>'
    return f'<div class="strip" id="banner" hidden>{words}{button}</div>'

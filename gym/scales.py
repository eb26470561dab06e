"""Levels and stars: a number on a slider, a stepper or in a field, and one to five stars, with the steps for them."""

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from gym.oracle import Step, choose, click, fill
from gym.parts import set_amount, write_amount

if TYPE_CHECKING:
    from gym.markup import Ui
    from gym.site import Site

MOST_STARS = 5


def write_level(ui: "Ui", name: str, label: str, value: int, most: int) -> str:
    """A whole number of a form, on a slider or as an amount."""
    if ui.style["level"] != "slider":
        return write_amount(ui, name, label, value, most)
    given, fault = escape(ui.site.draft.get(name, str(value))), ui.site.errors.get(name, "")
    said = f'<div class="fault">{escape(fault)}</div>' if fault else ""
    box = f'<input type="range" name="{name}" min="0" max="{most}" value="{given}" aria-label="{escape(label)}">'
    return f'<div class="labelled">{escape(label)} {box}</div>{said}'


def set_level(site: "Site", label: str, begin: int, wanted: int) -> Iterator[Step]:
    """Give the number."""
    if site.style["level"] == "slider":
        yield fill(label, str(wanted))
    else:
        yield from set_amount(site, label, begin, wanted)


def write_rating(ui: "Ui", act: str, mine: int, thing: str) -> str:
    """One to five stars, given by a press, or by a choice with a button."""
    label = ui.word("your_stars")
    if ui.style["stars"] == "choice":
        options = ["–", *(str(n) for n in range(1, MOST_STARS + 1))]
        return ui.form(act, [ui.choose("n", label, options, str(mine) if mine else "–")], ui.word("save"), id=thing)
    tag = "span" if ui.style["controls"] == "div" else "button"
    signs = "".join(
        f'<{tag} style="cursor:pointer" data-act="{ui.action(act, id=thing, n=n)}"'
        f' aria-label="{n} {escape(ui.word("of_stars"))}">{"★" if n <= mine else "☆"}</{tag}>'
        if ui.style["stars"] == "signs"
        else f'<{tag} class="pressable" data-act="{ui.action(act, id=thing, n=n)}">{n} ★</{tag}>'
        for n in range(1, MOST_STARS + 1)
    )
    return f'<div class="labelled"><span>{escape(label)}: {mine or "–"}</span> {signs}</div>'


def rate(site: "Site", n: int) -> Iterator[Step]:
    """Give so many stars."""
    word = site.draw.word
    match site.style["stars"]:
        case "choice":
            yield choose(word("your_stars"), str(n))
            yield click(word("save"))
        case "signs":
            yield click(f"{n} {word('of_stars')}")
        case _:
            yield click(f"{n} ★")

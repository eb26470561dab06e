"""Parts of a page that take several steps, drawn in several kinds, each with the oracle's steps for it: tabs, amounts,
days, and what a list shows and in which order."""

from calendar import monthrange
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from gym.oracle import Step, choose, click, fill

if TYPE_CHECKING:
    from gym.markup import Ui
    from gym.site import Form, Site

YEAR, MONTHS = 2027, (3, 4, 5)
"""The months that a grid of days has: those of `Draw.days`."""


# Tabs


def write_parts(ui: "Ui", parts: Mapping[str, str], path: str) -> str:
    """Parts with a label each, of which one is shown, or each when its label is pressed, or all."""
    labels = list(parts)
    faulty = [at for at, html in enumerate(parts.values()) if 'class="fault"' in html]
    match ui.style["parts"]:
        case "open":
            return "".join(ui.heading(label, 3) + html for label, html in parts.items())
        case "folds":
            return "".join(_write_fold(ui, label, html, at in faulty) for at, (label, html) in enumerate(parts.items()))
        case "pages":
            shown = min(int(ui.query.get("part", "0") or 0), len(labels) - 1)
            links = " ".join(ui.link(label, f"{path}?part={at}") for at, label in enumerate(labels))
            return f'<div class="bar">{links}</div>{parts[labels[shown]]}'
        case _:
            shown = (faulty or [0])[0]
            return _write_tabs(ui, parts, shown)


def _write_fold(ui: "Ui", label: str, html: str, is_open: bool) -> str:
    if ui.style["controls"] == "plain":
        return f"<details{' open' * is_open}><summary>{escape(label)}</summary>{html}</details>"
    told = (
        f' role="button" tabindex="0" aria-expanded="{str(is_open).lower()}"' if ui.style["controls"] == "aria" else ""
    )
    opener = f'<div class="pressable" data-fold="1"{told}>{escape(label)}</div>'
    return f"<div>{opener}<div{'' if is_open else ' hidden'}>{html}</div></div>"


def _write_tabs(ui: "Ui", parts: Mapping[str, str], shown: int) -> str:
    spoken = ui.style["controls"] != "div"
    tabs = "".join(
        f'<button type="button" class="pressable{" on" * (at == shown)}" data-tab="{at}"'
        + (f' role="tab" aria-selected="{str(at == shown).lower()}"' if spoken else "")
        + f">{escape(label)}</button>"
        for at, label in enumerate(parts)
    )
    panels = "".join(
        f'<div data-panel="{at}"{"" if at == shown else " hidden"}>{html}</div>'
        for at, html in enumerate(parts.values())
    )
    listed = ' role="tablist"' if spoken else ""
    return f"<div data-tabs><div{listed}>{tabs}</div>{panels}</div>"


def open_part(site: "Site", label: str, *, first: bool = False, why: str = "") -> Iterator[Step]:
    """Show a part of a page that was just loaded. `first`: it is the first of them."""
    kind = site.style["parts"]
    if kind == "folds" or (kind != "open" and not first):
        yield click(label, why=why or f"{label} is a part of this page", stays=True)


# Amounts


def write_amount(ui: "Ui", name: str, label: str, value: int = 1, most: int = 9) -> str:
    """A whole number of a form: a field, a choice, or two buttons."""
    given = ui.site.draft.get(name, str(value))
    match ui.style["amount"]:
        case "stepper":
            less, more = (
                f'<button type="button" data-step="{by}">{sign}</button>' for by, sign in ((-1, "−"), (1, "+"))
            )
            kept = f'<input type="hidden" name="{name}" value="{escape(given)}">'
            shown = f"<span>{escape(label)}</span> {less} <b>{escape(given)}</b> {more}"
            return f'<div class="labelled" data-stepper="{most}">{shown}{kept}</div>'
        case "select":
            return _write_select(ui, name, label, [str(each) for each in range(most + 1)], given)
        case _:
            return ui.field(name, label, str(value), "number")


def _write_select(ui: "Ui", name: str, label: str, options: Sequence[str], chosen: str) -> str:
    inner = "".join(f"<option{' selected' * (each == chosen)}>{escape(each)}</option>" for each in options)
    shown = f'<select name="{name}" aria-label="{escape(label)}">{inner}</select>'
    return f'<div class="labelled"><span>{escape(label)}</span> {shown}</div>'


def set_amount(site: "Site", label: str, begin: int, wanted: int) -> Iterator[Step]:
    """Give a whole number."""
    if begin == wanted:
        return
    match site.style["amount"]:
        case "stepper":
            for _ in range(abs(wanted - begin)):
                yield click("+" if wanted > begin else "−", row=label, why=f"{label}: up to {wanted}", stays=True)
        case "select":
            yield choose(label, str(wanted))
        case _:
            yield fill(label, str(wanted))


# Days


def write_day(ui: "Ui", name: str, label: str, value: str = "") -> str:
    """A day of a form: YYYY-MM-DD, three choices, or a month with its days. One on a page."""
    given = ui.site.draft.get(name, value)
    fault = ui.site.errors.get(name, "")
    said = f'<div class="fault">{escape(fault)}</div>' if fault else ""
    match ui.style["day"]:
        case "selects":
            year, month, day = given.split("-") if given.count("-") == 2 else ("", "", "")
            draft = ui.site.draft
            named = ui.site.draw.all("months")
            months = ["–", *named]
            parts = (
                (f"{name}_d", "day_of_month", ["–", *map(str, range(1, 32))], day.lstrip("0")),
                (f"{name}_m", "month", months, named[int(month) - 1] if month else ""),
                (f"{name}_y", "year", ["–", "2026", "2027", "2028"], year),
            )
            shown = [
                _write_select(ui, key, ui.word(word), options, draft.get(key, at)) for key, word, options, at in parts
            ]
            return f"<fieldset><legend>{escape(label)}</legend>{''.join(shown)}</fieldset>{said}"
        case "grid":
            return _write_grid(ui, name, label, given) + said
        case _:
            return ui.field(name, label, value, "date")


def _write_grid(ui: "Ui", name: str, label: str, given: str) -> str:
    at = int(given[5:7]) if given.startswith(f"{YEAR}-") and int(given[5:7]) in MONTHS else MONTHS[0]
    named = ui.site.draw.all("months")
    months = ""
    for month in MONTHS:
        days = ""
        for number in range(1, monthrange(YEAR, month)[1] + 1):
            day = f"{YEAR}-{month:02}-{number:02}"
            on = day == given
            pressed = f' aria-pressed="{str(on).lower()}"'
            days += f'<button type="button" class="{"on" * on}" data-day="{day}"{pressed}>{number}</button>'
        title = f"<b>{escape(named[month - 1])} {YEAR}</b>"
        months += f'<div data-month{"" if month == at else " hidden"}>{title}<div class="days">{days}</div></div>'
    turns = "".join(f'<button type="button" data-turn="{by}">{sign}</button>' for by, sign in ((-1, "‹"), (1, "›")))
    kept = f'<input type="hidden" name="{name}" value="{escape(given)}">'
    return f'<div class="labelled" data-days><div>{escape(label)} {turns}</div>{kept}{months}</div>'


def read_day(site: "Site", form: "Form", name: str) -> str:
    """The day that a form has, as YYYY-MM-DD; empty where it has none."""
    if f"{name}_d" not in form:
        return form.get(name, "").strip()
    named = site.draw.all("months")
    day, month, year = (form.get(f"{name}_{part}", "–") for part in "dmy")
    return "" if "–" in (day, month, year) else f"{year}-{named.index(month) + 1:02}-{int(day):02}"


def set_day(site: "Site", label: str, day: str, begin: str = "") -> Iterator[Step]:
    """Give a day YYYY-MM-DD. `begin`: the day that the part has before."""
    draw = site.draw
    year, month, number = day.split("-")
    match site.style["day"]:
        case "selects":
            named = draw.all("months")
            yield choose(draw.word("day_of_month"), str(int(number)))
            yield choose(draw.word("month"), named[int(month) - 1])
            yield choose(draw.word("year"), year)
        case "grid":
            at = int(begin[5:7]) if begin else MONTHS[0]
            for _ in range(abs(int(month) - at)):
                yield click("›" if int(month) > at else "‹", why=f"{label}: {day} is in another month", stays=True)
            yield click(str(int(number)), why=f"choose {day}", stays=True)
        case _:
            yield fill(label, day)


# What a list shows, and in which order


def write_view(ui: "Ui", path: str, name: str, label: str, options: Sequence[str]) -> str:
    """Changes what a list shows: links, or a choice with a button. The option stands in the query as `name`."""
    chosen, kept = ui.query.get(name, ""), {key: value for key, value in ui.query.items() if key not in (name, "_bare")}
    if ui.style["view"] == "links":
        links = [ui.link(each, f"{path}?{urlencode(kept | {name: each})}") for each in options]
        return f'<div class="bar"><span>{escape(label)}:</span> {" ".join(links)}</div>'
    hidden = "".join(f'<input type="hidden" name="{key}" value="{escape(value)}">' for key, value in kept.items())
    box = _write_select(ui, name, label, options, chosen)
    button = f"<button>{escape(ui.word('go'))}</button>"
    return f'<form method="get" action="{ui.path(path)}">{hidden}{box}{button}</form>'


def set_view(site: "Site", label: str, option: str, *, why: str = "") -> Iterator[Step]:
    """Change what a list shows."""
    if site.style["view"] == "links":
        yield click(option, why=why or f"show {option}")
    else:
        yield choose(label, option, why=why)
        yield click(site.draw.word("go"), why=why or f"show {option}")

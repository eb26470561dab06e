"""Fills page templates: `{{name}}` is escaped, `{{!name}}` is not; `<!-- part: row -->` begins a part."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse

from pilotfish.practice.worlds import PracticeWorld

PAGES = Path(__file__).parent / "pages"
_HOLE = re.compile(r"\{\{(!?)(\w+)\}\}")
_PART = re.compile(r"<!-- part: (\w+) -->\n?")
_TITLE = re.compile(r"<title>(.*?)</title>\n?", re.S)


def fill(text: str, values: Mapping[str, Any]) -> str:
    """Fill the placeholders of a text; an unknown one raises."""

    def put(hole: re.Match[str]) -> str:
        value = str(values[hole[2]])
        return value if hole[1] else escape(value)

    return _HOLE.sub(put, text)


@cache
def parts(name: str) -> Mapping[str, str]:
    """A page file cut into its parts; what comes before the first mark is `main`."""
    first, *rest = _PART.split((PAGES / f"{name}.html").read_text("utf-8"))
    return {"main": first, **dict(zip(rest[::2], rest[1::2], strict=True))}


def part(name: str, which: str, /, **values: Any) -> str:
    return fill(parts(name)[which], values)


def rows(name: str, which: str, items: Iterable[Mapping[str, Any]]) -> str:
    return "".join(fill(parts(name)[which], item) for item in items)


class Pagination(NamedTuple):
    """One page of many: its number, how many there are, and a link to each."""

    now: int
    last: int
    links: list[dict[str, Any]]

    @classmethod
    def of(cls, query: Mapping[str, str], count: int, size: int) -> "Pagination":
        """The page that a query asks for, or the nearest there is."""
        wanted = query.get("page", "")
        last = max(1, -(-count // size))
        now = min(last, int(wanted) if wanted.isdecimal() and wanted != "0" else 1)
        links = [
            {"n": n, "link": "?" + urlencode({**query, "page": n}), "now": 'aria-current="page"' if n == now else ""}
            for n in range(1, last + 1)
        ]
        return cls(now, last, links)


def money(cents: int) -> str:
    return f"€{cents / 100:,.2f}"


def write_options(options: Iterable[str], current: str, blank: str = "") -> str:
    """The options of a select, with the current one selected; `blank` is what the empty choice is called."""
    first = f'<option value="">{escape(blank)}</option>' if blank else ""
    return first + "".join(f"<option{' selected' if o == current else ''}>{escape(o)}</option>" for o in options)


def world_of(request: Request) -> PracticeWorld:
    return request.state.world


def page(request: Request, name: str, status: int = 200, /, **values: Any) -> HTMLResponse:
    """A whole page: the named file's main part inside the layout."""
    world = world_of(request)
    text = fill(parts(name)["main"], {"world": world.name, "other": request.app.state.other, **values})
    title = _TITLE.match(text)
    section = "/" + request.url.path.split("/")[1]
    flash = world.take_message()
    frame = parts("layout")
    whole = fill(
        frame["main"],
        {
            "title": title[1] if title else "Fernhill",
            "nav": frame["nav"].replace(f'href="{section}"', f'href="{section}" aria-current="page"'),
            "count": sum(line["quantity"] for line in world.state["cart"]),
            "who": world.state["user"] or "Sign in",
            "flash": fill(frame["flash"], {"text": flash}) if flash else "",
            "body": _TITLE.sub("", text, count=1),
        },
    )
    return HTMLResponse(whole, status)


def bare_page(request: Request, name: str) -> HTMLResponse:
    """A page without the layout, to be shown in a frame or a small window."""
    values = {"world": world_of(request).name, "other": request.app.state.other}
    return HTMLResponse(fill(parts("layout")["bare"], {"body": fill(parts(name)["main"], values)}))


def write_faults(name: str, faults: Iterable[str]) -> str:
    """The `faults` part of a page, or nothing where there are none."""
    items = "".join(f"<li>{escape(fault)}</li>" for fault in faults)
    return part(name, "faults", items=items) if items else ""


def redirect_to(path: str) -> RedirectResponse:
    """Redirect to `path` after a POST."""
    return RedirectResponse(path, 303)


async def fields(request: Request) -> dict[str, Any]:
    """A form's fields as plain values; a name that ends in `[]` gives a list. Files are left out."""
    found: dict[str, Any] = {}
    async with request.form() as form:
        for name in form:
            values = [value.strip() for value in form.getlist(name) if isinstance(value, str)]
            if name.endswith("[]"):
                found[name.removesuffix("[]")] = values
            elif values:
                found[name] = values[-1]
    return found

"""A library: a catalogue by search only, books that are out, reservations, loans to extend."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, click, done, give_up, search
from gym.site import Form, Site
from gym.words import Draw

BOOKS = (
    "Catalogue; Find a book",
    "Katalog; Buch finden",
    "Catalogue; Trouver un livre",
    "Catálogo; Buscar libro",
    "馆藏; 找书",
)
LOANS = (
    "My loans; Borrowed",
    "Meine Ausleihen; Geliehen",
    "Mes emprunts; Prêts",
    "Mis préstamos; Prestados",
    "我的借阅; 已借",
)
KEEP = ("Reserve; Keep for me", "Vormerken; Zurücklegen", "Réserver; Mettre de côté", "Reservar; Apartar", "预约; 留书")
MORE = (
    "Extend; Keep longer",
    "Verlängern; Länger behalten",
    "Prolonger; Garder plus",
    "Renovar; Prolongar",
    "续借; 延长",
)
DUE = ("Due; Bring back by", "Fällig; Rückgabe bis", "À rendre le; Échéance", "Vence; Devolver el", "到期; 归还日期")
HERE = ("on the shelf; in", "im Regal; da", "en rayon; disponible", "en la estantería; disponible", "在架; 可借")
OUT = ("out on loan; out", "ausgeliehen; nicht da", "emprunté; sorti", "prestado; fuera", "已借出; 不在架")


def make(draw: Draw) -> Site:
    books_, loans_ = draw.words(*BOOKS), draw.words(*LOANS)
    site = Site(draw, {"/": "home", "/books": books_, "/loans": loans_, "/news": "news", "/contact": "contact"})
    keep, more, due = draw.words(*KEEP), draw.words(*MORE), draw.words(*DUE)
    here, out = draw.words(*HERE), draw.words(*OUT)
    title, author, status = draw.word("title"), draw.word("author"), draw.word("status")
    *books, absent = draw.some("topics", draw.number(8, 15))
    writers = {each: draw.person() for each in books}
    borrowed = dict(zip(books[:3], draw.days(3), strict=True))
    gone = books[3]
    later = draw.days(4)[3]
    site.data = {"kept": [], "loans": dict(borrowed)}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(draw.word("welcome")), ui.text(*draw.all("filler")[:2])]

    @site.page("/books")
    def catalogue(ui: Ui) -> Sequence[str]:
        words = ui.query.get("q", "").casefold()
        parts = [ui.heading(books_), ui.search("/books")]
        rows = [Row([each, writers[each]], f"/book/{at}") for at, each in enumerate(books) if words in each.casefold()]
        return [*parts, ui.table([title, author], rows)] if words else parts

    @site.page("/book/{at}")
    def book(ui: Ui, at: str) -> Sequence[str]:
        one = books[int(at)]
        facts = {author: writers[one], status: out if one == gone or one in borrowed else here}
        return [ui.heading(one), ui.facts(facts), ui.button(keep, "keep", id=one)]

    @site.page("/loans")
    def loans(ui: Ui) -> Sequence[str]:
        rows = [Row([each, day], actions=[Action(more, "more")], key=each) for each, day in site.data["loans"].items()]
        return [ui.heading(loans_), ui.table([title, due], rows)]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*draw.all("filler"))]

    @site.act("keep")
    def reserve(form: Form) -> None:
        site.data["kept"].append(form["id"])
        site.notice = draw.word("saved")

    @site.act("more")
    def extend(form: Form) -> None:
        site.data["loans"][form["id"]] = later
        site.notice = f"{draw.word('saved')} {later}"

    kind = draw.pick(draw.kinds())
    one = gone if kind == "lent" else draw.pick(list(borrowed) if kind in ("extend", "due") else books[4:])

    def steps() -> Iterator[Step]:
        if kind in ("extend", "due"):
            yield click(loans_)
            if kind == "due":
                yield done(f"{one}: {borrowed[one]}", see=borrowed[one])
            yield click(more, row=one)
            yield done(f"{draw.word('saved')} {one}: {later}", see=draw.word("saved"))
        yield click(books_)
        yield search(absent if kind == "absent" else one)
        if kind == "absent":
            yield give_up(f"{absent}: {draw.word('nothing_found')}", see=draw.word("nothing_found"))
        elif kind == "author":
            yield done(f"{one}: {writers[one]}", see=writers[one])
        yield click(one)
        if kind == "lent":
            yield give_up(f"{one}: {out}", see=out, why="it is not there now")
        yield click(keep)
        yield done(f"{draw.word('saved')} {one}", see=draw.word("saved"))

    def want(data: dict[str, Any]) -> None:
        if kind == "reserve":
            data["kept"].append(one)
        elif kind == "extend":
            data["loans"][one] = later

    said = absent if kind == "absent" else one
    answers = {"due": [borrowed.get(one, "")], "author": [writers[one]]}.get(kind, [])
    ending = "give_up" if kind in ("absent", "lent") else "done"
    site.task(draw.goal(kind, book=said), steps, want=want, answer=answers, ending=ending)
    return site

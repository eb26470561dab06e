"""Booking: a search by place, day and people, offers to compare, stays to cancel; some places have nothing free."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.families.calendar import is_date
from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, ask, choose, click, done, fill, give_up
from gym.site import Form, Site
from gym.words import Draw

ROOM = ("Book this; Reserve; Take it", "Buchen; Reservieren", "Réserver; Choisir", "Reservar; Elegir", "预订; 选择")
UNDO = ("Cancel booking; Withdraw", "Stornieren; Absagen", "Annuler la réservation", "Anular reserva", "取消预订; 退订")
FULL = (
    "Nothing is free then.",
    "Dann ist nichts frei.",
    "Rien de libre à cette date.",
    "No hay nada libre.",
    "当天没有空房。",
)
STAY = ("Where we stay; Hotel", "Unterkunft; Hotel", "Logement; Hôtel", "Alojamiento; Hotel", "住宿; 酒店")


def make(draw: Draw) -> Site:
    paths = {"/": "home", "/book": "s_booking", "/trips": "s_trips", "/profile": "s_profile", "/help": "help"}
    site = Site(draw, paths)
    city, day, people, price = (draw.word(key) for key in ("city", "date", "people", "price"))
    take, undo, full, stay = draw.words(*ROOM), draw.words(*UNDO), draw.words(*FULL), draw.words(*STAY)
    cities = draw.some("cities", 7)
    empty = cities[6]
    houses = draw.some("brands", 6)
    sums = draw.sample(range(41, 290), 6)
    offers = {where: draw.sample(list(zip(houses, sums, strict=True)), 3) for where in cities[:6]}
    dates = draw.days(4)
    trips = {where: dates[at] for at, where in enumerate(cities[:3])}
    site.data = {"trips": trips, "booked": []}

    def write_price(sum_: int) -> str:
        return (
            f"{sum_} €" if draw.language in ("de", "fr", "es") else f"¥{sum_}" if draw.language == "zh" else f"${sum_}"
        )

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(draw.word("welcome")), ui.text(*draw.all("filler")[:2])]

    @site.page("/book")
    def form(ui: Ui) -> Sequence[str]:
        fields = [
            ui.choose("city", city, ["–", *cities]),
            ui.field("day", day, kind="date"),
            ui.field("n", people, "1", "number"),
        ]
        return [ui.heading(site.sections["/book"]), ui.form("seek", fields, draw.word("search"))]

    @site.page("/offers")
    def show(ui: Ui) -> Sequence[str]:
        where, when, n = (ui.query.get(key, "") for key in ("city", "day", "n"))
        if where == empty:
            return [ui.heading(f"{where}, {when}"), ui.text(full)]
        key = f"{where}|{when}|{n}"
        rows = [
            Row([house, write_price(sum_)], actions=[Action(take, "take")], key=f"{key}|{house}")
            for house, sum_ in offers[where]
        ]
        return [ui.heading(f"{where}, {when}"), ui.table([stay, price], rows)]

    @site.page("/trips")
    def show_trips(ui: Ui) -> Sequence[str]:
        rows = [Row([where, when], actions=[Action(undo, "undo", True)], key=where) for where, when in trips.items()]
        return [ui.heading(site.sections["/trips"]), ui.table([city, day], rows)]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*draw.all("filler"))]

    @site.act("seek")
    def seek(form: Form) -> str:
        faults = {"required__city": form.get("city") == "–", "bad_date__day": not is_date(form.get("day", ""))}
        if not site.require(form, "day", "n", **faults):
            return "/book"
        return f"/offers?city={form['city']}&day={form['day'].strip()}&n={form['n'].strip()}"

    @site.act("take")
    def book(form: Form) -> str:
        site.data["booked"].append(form["id"])
        site.notice = draw.word("saved")
        return "/trips"

    @site.act("undo")
    def cancel(form: Form) -> None:
        del trips[form["id"]]
        site.notice = draw.word("deleted")

    kind = draw.pick(draw.kinds())
    where = empty if kind == "none" else draw.pick(list(trips) if kind in ("cancel", "when") else cities[3:6])
    n, when = draw.number(1, 4), dates[3]
    house, sum_ = min(offers.get(where, [("", 0)]), key=lambda each: each[1])

    def steps() -> Iterator[Step]:
        if kind in ("cancel", "when"):
            yield click(site.sections["/trips"])
            if kind == "when":
                yield done(f"{where}: {trips[where]}", see=trips[where])
            yield click(undo, row=where, sure=True)
            yield done(f"{draw.word('deleted')} {where}", see=draw.word("deleted"))
        if kind == "date":
            yield ask(f"{day}?", why="the goal does not say when")
        yield click(site.sections["/book"])
        yield choose(city, where)
        yield fill(day, when)
        if n > 1:
            yield fill(people, str(n))
        yield click(draw.word("search"))
        if kind == "none":
            yield give_up(f"{where}, {when}: {full}", see=full, why="nothing is free")
        elif kind == "cheap":
            yield done(f"{house}: {write_price(sum_)}", see=write_price(sum_))
        yield click(take, row=house, why=f"{house} costs least")
        yield done(f"{draw.word('saved')} {house}, {where}, {when}", see=draw.word("saved"))

    def want(data: dict[str, Any]) -> None:
        if kind == "cancel":
            del data["trips"][where]
        elif kind in ("book", "date"):
            data["booked"].append(f"{where}|{when}|{n}|{house}")

    goal = draw.goal(kind, city=where, n=n, day=when)
    answers = {"cheap": [write_price(sum_)], "when": [trips.get(where, "")]}.get(kind, [])
    person = when if kind == "date" else ""
    site.task(goal, steps, want=want, answer=answers, person=person, ending="give_up" if kind == "none" else "done")
    return site

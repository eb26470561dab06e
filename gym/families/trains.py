"""Trains: a timetable by two places, departures to read, compare and book; some places have no connection."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, ask, choose, click, done, give_up
from gym.site import Form, Site
from gym.words import Draw

TIMES = (
    "Timetable; Connections; Plan a trip",
    "Fahrplan; Verbindungen",
    "Horaires; Trajets",
    "Horarios; Trayectos",
    "时刻表; 车次查询",
)
FROM = ("From; Leaving from", "Von; Abfahrtsort", "De; Départ", "Desde; Salida", "出发地; 从")
TO = ("To; Going to", "Nach; Ziel", "À; Arrivée", "Hasta; Destino", "目的地; 到")
SEAT = (
    "Reserve a seat; Take this one",
    "Platz reservieren; Nehmen",
    "Réserver une place",
    "Reservar asiento",
    "订座; 选这班",
)
NO_WAY = ("There is no connection.", "Es gibt keine Verbindung.", "Aucune liaison.", "No hay conexión.", "没有车次。")
TICKETS = (
    "My tickets; Seats",
    "Meine Fahrkarten; Plätze",
    "Mes billets; Places",
    "Mis billetes; Plazas",
    "我的车票; 座位",
)


def make(draw: Draw) -> Site:
    tickets = draw.words(*TICKETS)
    site = Site(
        draw, {"/": "news", "/times": draw.words(*TIMES), "/tickets": tickets, "/contact": "contact", "/help": "help"}
    )
    start, goal_, seat, none = draw.words(*FROM), draw.words(*TO), draw.words(*SEAT), draw.words(*NO_WAY)
    leaving, price = draw.word("time"), draw.word("price")
    cities = draw.some("cities", 6)
    lonely = cities[5]
    hours = draw.sample(range(5, 23), 5)
    trains = [(f"{hour:02}:{draw.pick(('04', '17', '32', '48'))}", draw.money(8, 90)) for hour in sorted(hours)]
    shown = draw.sample(trains, len(trains))
    site.data = {"seats": []}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(site.brand), ui.text(*draw.all("filler")[:3])]

    @site.page("/times")
    def times(ui: Ui) -> Sequence[str]:
        fields = [ui.choose("a", start, ["–", *cities]), ui.choose("b", goal_, ["–", *cities])]
        return [ui.heading(site.sections["/times"]), ui.form("seek", fields, draw.word("search"))]

    @site.page("/found")
    def found(ui: Ui) -> Sequence[str]:
        a, b = ui.query.get("a", ""), ui.query.get("b", "")
        if lonely in (a, b):
            return [ui.heading(f"{a} → {b}"), ui.text(none)]
        rows = [Row([time, cost], actions=[Action(seat, "book")], key=f"{a}|{b}|{time}") for time, cost in shown]
        return [ui.heading(f"{a} → {b}"), ui.table([leaving, price], rows)]

    @site.page("/tickets")
    def seats(ui: Ui) -> Sequence[str]:
        return [ui.heading(tickets), ui.table([leaving], [Row([each]) for each in site.data["seats"]])]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*draw.all("filler"))]

    @site.act("seek")
    def seek(form: Form) -> str:
        missing = {f"required__{name}": form.get(name) == "–" for name in ("a", "b")}
        if not site.require(form, **missing):
            site.notice = draw.word("required")
            return "/times"
        return f"/found?a={form['a']}&b={form['b']}"

    @site.act("book")
    def book(form: Form) -> str:
        site.data["seats"].append(form["id"])
        site.notice = draw.word("saved")
        return "/tickets"

    kind = draw.pick(draw.kinds())
    a, b = draw.sample(cities[:5], 2)
    b = lonely if kind == "none" else b
    time, cost = trains[0] if kind == "first" else draw.pick(trains)

    def steps() -> Iterator[Step]:
        if kind == "which":
            yield ask(f"{start}?", why="the goal does not say from where")
        yield click(site.sections["/times"])
        yield choose(start, a)
        yield choose(goal_, b)
        yield click(draw.word("search"))
        if kind == "none":
            yield give_up(f"{a} → {b}: {none}", see=none, why="nothing goes there")
        elif kind == "first":
            yield done(f"{time} ({cost})", see=time, why=f"{time} is the earliest")
        elif kind == "price":
            yield done(f"{time}: {cost}", see=cost)
        yield click(seat, row=time)
        yield done(f"{draw.word('saved')} {a} → {b}, {time}", see=draw.word("saved"))

    def want(data: dict[str, Any]) -> None:
        if kind in ("book", "which"):
            data["seats"].append(f"{a}|{b}|{time}")

    answers = {"first": [time], "price": [cost]}.get(kind, [])
    person = a if kind == "which" else ""
    ending = "give_up" if kind == "none" else "done"
    site.task(draw.goal(kind, a=a, b=b, time=time), steps, want=want, answer=answers, person=person, ending=ending)
    return site

"""Weather and tides on a coast: places to choose or search, days in a table, warnings by mail, units."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, choose, click, done, fill, give_up, search
from gym.parts import open_part, write_parts
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    w = draw.word
    paths = {"/": "home", "/now": "now", "/places": "places", "/alerts": "alerts", "/units": "units", "/news": "news"}
    site = Site(draw, paths)
    kind = draw.pick(draw.kinds())
    *places, inland = draw.some("cities", 8)
    days = draw.days(5)
    pairs = [(place, day) for place in places for day in days]
    warm = {place: dict(zip(days, draw.sample(range(4, 34), 5), strict=True)) for place in places}
    high = {pair: f"{draw.number(0, 11):02}:{draw.number(10, 59)}" for pair in pairs}
    low = {pair: f"{draw.number(12, 23)}:{draw.number(10, 59)}" for pair in pairs}
    scales, kinds, kept = draw.all("scales"), draw.all("kinds"), places[:1]
    listed = draw.chance(0.5)
    site.data = {"scale": scales[0], "kept": kept, "alerts": []}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        links = [ui.link(each, f"/place/{at}") for at, each in enumerate(places[:3])] if listed else []
        return [ui.heading(site.brand), ui.search("/now", w("place")), *links, ui.text(draw.all("filler")[1])]

    @site.page("/now")
    def now(ui: Ui) -> Sequence[str]:
        rows = [Row([each, f"{warm[each][days[0]]}°"], f"/place/{at}") for at, each in enumerate(places)]
        return [ui.heading(site.sections["/now"]), ui.listing([w("place"), w("warm")], rows, "/now", size=4)]

    @site.page("/place/{at}")
    def place_page(ui: Ui, at: str) -> Sequence[str]:
        one = places[int(at)]
        temperatures = [
            Row([day, f"{warm[one][day]}°", f"{(int(at) * 7 + n) % 30} km/h"]) for n, day in enumerate(days)
        ]
        waters = [Row([day, high[one, day], low[one, day]]) for day in days]
        parts = {
            w("week"): ui.table([w("date"), w("warm"), w("wind")], temperatures),
            w("tides"): ui.table([w("date"), w("high"), w("low_")], waters),
        }
        press = "" if one in site.data["kept"] else ui.button(w("keep"), "keep", id=one)
        return [ui.heading(one), press, write_parts(ui, parts, f"/place/{at}")]

    @site.page("/places")
    def my_places(ui: Ui) -> Sequence[str]:
        rows = [Row([each], f"/place/{places.index(each)}") for each in site.data["kept"]]
        return [ui.heading(site.sections["/places"]), ui.table([w("place")], rows)]

    @site.page("/alerts")
    def alerts(ui: Ui) -> Sequence[str]:
        fields = [
            ui.choose("place", w("place"), places),
            ui.choose("kind", w("kind"), kinds),
            ui.field("email", w("email")),
        ]
        return [ui.heading(site.sections["/alerts"]), ui.form("warn", fields, w("warn"))]

    @site.page("/units")
    def units(ui: Ui) -> Sequence[str]:
        form = ui.form("units", [ui.choose("scale", w("temperature"), scales, site.data["scale"])], w("save"))
        return [ui.heading(site.sections["/units"]), form]

    @site.act("keep")
    def keep(form: Form) -> None:
        site.data["kept"].append(form["id"])
        site.notice = w("kept")

    @site.act("warn")
    def warn(form: Form) -> None:
        if site.require(form, "email"):
            site.data["alerts"].append([form["place"], form["kind"], form["email"].strip()])
            site.notice = w("set_up")

    @site.act("units")
    def set_units(form: Form) -> None:
        site.data["scale"] = form["scale"]
        site.notice = w("saved")

    place, day, email = draw.pick(places[1:]), draw.pick(days), draw.email(draw.person())
    danger, scale = draw.pick(kinds[1:]), draw.pick(scales[1:])
    hottest = max(days, key=lambda each: warm[place][each])
    seeks = draw.chance(0.6)

    def steps() -> Iterator[Step]:
        if kind == "warn":
            yield click(site.sections["/alerts"])
            yield choose(w("place"), place)
            yield choose(w("kind"), danger)
            yield fill(w("email"), email)
            yield click(w("warn"))
            yield done(f"{place}, {danger}: {w('set_up')}", see=w("set_up"))
        elif kind == "scale":
            yield click(site.sections["/units"])
            yield choose(w("temperature"), scale)
            yield click(w("save"))
            yield done(f"{w('saved')} {scale}", see=w("saved"))
        elif kind == "none":
            yield search(inland)
            yield give_up(f"{inland}: {w('nothing_found')}", see=w("nothing_found"))
        if seeks:
            yield search(place)
        elif not (listed and place in places[:3]):
            yield click(site.sections["/now"])
        yield click(place)
        if kind == "keep":
            yield click(w("keep"))
            yield done(f"{place}: {w('kept')}", see=w("kept"))
        yield from open_part(site, w("tides" if kind == "high" else "week"), first=kind != "high")
        if kind == "high":
            yield done(f"{place}, {day}: {high[place, day]}", see=high[place, day])
        found = hottest if kind == "hottest" else day
        yield done(f"{found}: {warm[place][found]}°", see=f"{warm[place][found]}°")

    def want(data: dict[str, Any]) -> None:
        if kind == "warn":
            data["alerts"].append([place, danger, email])
        elif kind == "scale":
            data["scale"] = scale
        elif kind == "keep":
            data["kept"].append(place)

    said = draw.say_day(day)
    goal = draw.goal(kind, place=place, day=said, inland=inland, kind=danger, email=email, scale=scale)
    answers = {"high": [high[place, day]], "warm": [f"{warm[place][day]}°"], "hottest": [hottest]}.get(kind, [])
    site.task(goal, steps, want=want, answer=answers, ending="give_up" if kind == "none" else "done")
    return site

"""A map without tiles: places by kind, the nearest one, opening hours, a way from here to there, places to keep."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, ask, choose, click, done, give_up, search, star
from gym.records import list_words
from gym.site import Form, Site
from gym.words import Draw

PLACES = (
    "Places; Around you; Map",
    "Orte; In der Nähe; Karte",
    "Lieux; Autour de vous",
    "Lugares; Cerca de ti",
    "地点; 附近",
)
ROUTE = (
    "Directions; Get there; Route",
    "Route; Weg; Wegbeschreibung",
    "Itinéraire; Y aller",
    "Ruta; Cómo llegar",
    "路线; 导航",
)
START = (
    "Starting point; Leave from",
    "Startpunkt; Los in",
    "Point de départ; Partir de",
    "Punto de salida; Salir de",
    "起点; 出发地",
)
GOAL = ("Destination; Go to", "Ziel; Nach", "Destination; Aller à", "Destino; Ir a", "终点; 目的地")
MODE = ("By; Means", "Mit; Verkehrsmittel", "Par; Moyen", "En; Medio", "方式; 交通工具")
MODES = (
    "on foot; bicycle; car",
    "zu Fuß; Fahrrad; Auto",
    "à pied; vélo; voiture",
    "a pie; bicicleta; coche",
    "步行; 自行车; 汽车",
)
KINDS = (
    "Bakery; Pharmacy; Post office; Petrol station; Playground",
    "Bäckerei; Apotheke; Postamt; Tankstelle; Spielplatz",
    "Boulangerie; Pharmacie; Bureau de poste; Station-service; Aire de jeux",
    "Panadería; Farmacia; Oficina de correos; Gasolinera; Parque infantil",
    "面包店; 药店; 邮局; 加油站; 游乐场",
)
AWAY = ("Away (m)", "Entfernt (m)", "Distance (m)", "A (m)", "距离(米)")


def make(draw: Draw) -> Site:
    places_, route_ = draw.words(*PLACES), draw.words(*ROUTE)
    site = Site(draw, {"/": "home", "/places": places_, "/route": route_, "/saved": "s_favorites", "/help": "help"})
    start, goal_, mode, away = (draw.words(*each) for each in (START, GOAL, MODE, AWAY))
    name, hours, address = draw.word("name"), draw.word("hours"), draw.word("address")
    kinds, modes, streets = list_words(draw, KINDS), list_words(draw, MODES), draw.all("streets")
    *kinds, absent = draw.sample(kinds, len(kinds))
    metres = draw.sample(range(120, 4800, 7), 2 * len(kinds))
    places: dict[str, dict[str, Any]] = {}
    for at, metre in enumerate(metres):
        street = f"{streets[at % len(streets)]} {draw.number(1, 60)}"
        opens = f"{draw.number(6, 10)}:{draw.pick(('00', '15', '30'))}–{draw.number(16, 22)}:00"
        places[f"p{at}"] = {"kind": kinds[at // 2], "street": street, "opens": opens, "away": metre}
    site.data = {"saved": []}
    towns = draw.some("cities", 5)

    def rows(ui: Ui, keys: Sequence[str]) -> list[Row]:
        marked = site.data["saved"]
        marks = {key: ui.star("keep", key in marked, site.sections["/saved"], id=key) for key in keys}
        shown = {key: [each["street"], each["kind"], str(each["away"])] for key, each in places.items()}
        return [Row(shown[key], f"/place/{key}", key=key, mark=marks[key]) for key in keys]

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(draw.word("welcome")), ui.text(draw.word("filler"))]

    @site.page("/places")
    def listing(ui: Ui) -> Sequence[str]:
        return [ui.heading(places_), ui.listing([address, name, away], rows(ui, list(places)), "/places", size=6)]

    @site.page("/place/{id}")
    def place(ui: Ui, id: str) -> Sequence[str]:
        one = places[id]
        told = {address: one["street"], hours: one["opens"], away: str(one["away"])}
        return [ui.heading(f"{one['kind']}, {one['street']}"), ui.facts(told)]

    @site.page("/route")
    def way(ui: Ui) -> Sequence[str]:
        fields = [ui.choose("a", start, towns), ui.choose("b", goal_, towns), ui.choose("m", mode, modes)]
        return [ui.heading(route_), ui.form("go", fields, draw.word("search"))]

    @site.page("/way/{a}/{b}/{m}")
    def found(ui: Ui, a: str, b: str, m: str) -> Sequence[str]:
        minutes = count_minutes(int(a), int(b), int(m))
        return [ui.heading(f"{towns[int(a)]} → {towns[int(b)]}"), ui.facts({modes[int(m)]: f"{minutes} min"})]

    @site.page("/saved")
    def saved(ui: Ui) -> Sequence[str]:
        return [ui.heading(site.sections["/saved"]), ui.table([address, name, away], rows(ui, site.data["saved"]))]

    @site.page("/help")
    def help(ui: Ui) -> Sequence[str]:
        return [ui.heading(site.sections["/help"]), ui.text(*draw.all("filler")[:3])]

    @site.act("keep")
    def keep(form: Form) -> None:
        marked: list[str] = site.data["saved"]
        marked.remove(form["id"]) if form["id"] in marked else marked.append(form["id"])

    @site.act("go")
    def go(form: Form) -> str:
        return f"/way/{towns.index(form['a'])}/{towns.index(form['b'])}/{modes.index(form['m'])}"

    kind = draw.pick(draw.kinds())
    key = draw.pick(list(places))
    one = places[key]
    same = [each for each in places if places[each]["kind"] == one["kind"]]
    near = min(same, key=lambda each: places[each]["away"])
    a, b = draw.sample(range(1, len(towns)), 2)
    m = draw.number(1, 2)
    minutes = count_minutes(a, b, m)

    def steps() -> Iterator[Step]:
        if kind == "way":
            yield click(route_)
            yield choose(start, towns[a])
            yield choose(goal_, towns[b])
            yield choose(mode, modes[m])
            yield click(draw.word("search"))
            yield done(f"{towns[a]} → {towns[b]}, {modes[m]}: {minutes} min", see=f"{minutes} min")
        yield click(places_)
        yield search(absent if kind == "absent" else one["kind"])
        if kind == "absent":
            yield give_up(f"{absent}: {draw.word('nothing_found')}", see=draw.word("nothing_found"))
        elif kind == "near":
            yield done(f"{one['kind']}: {places[near]['street']}, {places[near]['away']} m", see=places[near]["street"])
        elif kind == "which":
            yield ask(f"{' / '.join(places[each]['street'] for each in same)}?", see=one["street"], why="two fit")
        elif kind == "open":
            yield click(one["street"])
            yield done(f"{one['street']}: {one['opens']}", see=one["opens"])
        yield star(site.sections["/saved"], one["street"])
        yield done(f"★ {one['kind']}, {one['street']}")

    said = absent if kind == "absent" else one["kind"]
    values = {"kind": said, "street": one["street"], "a": towns[a], "b": towns[b], "mode": modes[m], "place": places_}
    goal = draw.goal(kind, **values)
    answers = {"way": [f"{minutes} min"], "near": [places[near]["street"]], "open": [one["opens"]]}.get(kind, [])
    saves = kind in ("keep", "which")
    site.task(
        goal,
        steps,
        want=(lambda data: data["saved"].append(key)) if saves else None,
        answer=answers,
        ending="give_up" if kind == "absent" else "done",
        person=one["street"] if kind == "which" else "",
    )
    return site


def count_minutes(a: int, b: int, m: int) -> int:
    """How long a way takes, the same each time."""
    return 11 + 7 * abs(a - b) + (a * b) % 5 + (60, 25, 3)[m]

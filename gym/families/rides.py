"""Ride sharing: rides between two places, seats to ask a driver for, a ride to offer, requests to withdraw."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, ask, choose, click, done, give_up
from gym.parts import read_day, set_amount, set_day, write_amount, write_day
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    w = draw.word
    front = draw.chance(0.5)
    paths = {"/": "home", "/find": "find", "/give": "give", "/mine": "mine", "/ratings": "ratings", "/safety": "safety"}
    site = Site(draw, paths, dressed="no")
    kind = draw.pick(draw.kinds())
    *cities, far = draw.some("cities", 6)
    drivers = draw.people(5)
    shares = dict(zip(drivers, draw.sample(range(5, 60), 5), strict=True))
    leaves = {
        each: f"{hour:02}:{draw.pick(('00', '20', '45'))}"
        for each, hour in zip(drivers, draw.sample(range(5, 22), 5), strict=True)
    }
    free = {each: draw.number(2, 4) for each in drivers}
    bags = {each: draw.pick(draw.all("luggages")) for each in drivers}
    held = draw.person()
    sign = {"zh": "¥", "en": "£"}.get(draw.language, "€")
    site.keeps_entries = False
    site.data = {"asked": [], "offered": [], "requests": [held]}

    def write_search(ui: Ui) -> str:
        fields = [ui.choose("a", w("from_"), ["–", *cities, far]), ui.choose("b", w("to_"), ["–", *cities, far])]
        return ui.form("look", fields, w("look"))

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(site.brand), ui.text(draw.all("filler")[0]), write_search(ui) if front else ""]

    @site.page("/find")
    def find(ui: Ui) -> Sequence[str]:
        return [ui.heading(site.sections["/find"]), write_search(ui)]

    @site.page("/found")
    def found(ui: Ui) -> Sequence[str]:
        a, b = ui.query.get("a", ""), ui.query.get("b", "")
        if far in (a, b):
            return [ui.heading(f"{a} → {b}"), ui.text(w("nobody"))]
        rows = [
            Row([each, leaves[each], f"{shares[each]} {sign}", str(free[each])], f"/ride/{at}?a={a}&b={b}")
            for at, each in enumerate(drivers)
        ]
        return [ui.heading(f"{a} → {b}"), ui.table([w("driver"), w("leaves"), w("share"), w("seats")], rows)]

    @site.page("/ride/{at}")
    def ride(ui: Ui, at: str) -> Sequence[str]:
        one, a, b = drivers[int(at)], ui.query.get("a", ""), ui.query.get("b", "")
        told = {
            w("leaves"): leaves[one],
            w("share"): f"{shares[one]} {sign}",
            w("seats"): str(free[one]),
            w("luggage"): bags[one],
        }
        form = ui.form("ask", [write_amount(ui, "n", w("seat_count"), 1)], w("ask_seat"), driver=one, a=a, b=b)
        return [ui.heading(f"{one}: {a} → {b}"), ui.facts(told), form]

    @site.page("/give")
    def give(ui: Ui) -> Sequence[str]:
        fields = [ui.choose("a", w("from_"), cities), ui.choose("b", w("to_"), cities)]
        fields += [write_day(ui, "day", w("date")), write_amount(ui, "n", w("seats"), 1)]
        return [ui.heading(site.sections["/give"]), ui.form("give", fields, w("post_ride"))]

    @site.page("/mine")
    def mine(ui: Ui) -> Sequence[str]:
        undo = [Action(w("withdraw"), "undo", True)]
        rows = [Row([each], actions=undo, key=each) for each in site.data["requests"]]
        return [ui.heading(site.sections["/mine"]), ui.table([w("driver")], rows)]

    @site.act("look")
    def look(form: Form) -> str | None:
        if "–" in (form["a"], form["b"]):
            site.notice = w("required")
            return None
        return f"/found?a={form['a']}&b={form['b']}"

    @site.act("ask")
    def request(form: Form) -> None:
        n = form["n"].strip()
        if not site.require(form, "n", bad_number__n=not n.isdecimal()):
            return
        if int(n) > free[form["driver"]]:
            site.notice = w("too_few")
            return
        site.data["asked"].append([form["driver"], form["a"], form["b"], int(n)])
        site.notice = w("asked")

    @site.act("give")
    def offer(form: Form) -> str | None:
        day = read_day(site, form, "day")
        if not site.require({**form, "day": day}, "day", "n"):
            return None
        site.data["offered"].append([form["a"], form["b"], day, form["n"].strip()])
        site.notice = w("added")
        return "/mine"

    @site.act("undo")
    def undo(form: Form) -> None:
        site.data["requests"].remove(form["id"])
        site.notice = w("deleted")

    a, b = draw.sample(cities[1:], 2)
    goal_ = far if kind == "none" else b
    cheapest, first = min(shares, key=lambda each: shares[each]), min(leaves, key=lambda each: leaves[each])
    driver = cheapest if kind == "cheap" else draw.pick(drivers)
    n, m, day = draw.number(2, 3), draw.number(5, 7), draw.day()
    free[driver] = max(n, free[driver])
    seats = {"seat": n, "many": m}.get(kind, 1)

    def steps() -> Iterator[Step]:
        if kind == "give":
            yield click(site.sections["/give"])
            yield choose(w("from_"), a)
            yield choose(w("to_"), b)
            yield from set_day(site, w("date"), day)
            yield from set_amount(site, w("seats"), 1, n)
            yield click(w("post_ride"))
            yield done(f"{w('added')} {a} → {b}, {day}", see=w("added"))
        elif kind == "undo":
            yield click(site.sections["/mine"])
            yield click(w("withdraw"), row=held, sure=True)
            yield done(f"{held}: {w('deleted')}", see=w("deleted"))
        elif kind == "ask":
            yield ask(f"{w('from_')}?", why="the goal does not say from where")
        if not front:
            yield click(site.sections["/find"])
        yield choose(w("from_"), a)
        yield choose(w("to_"), goal_)
        yield click(w("look"))
        if kind == "none":
            yield give_up(f"{a} → {far}: {w('nobody')}", see=w("nobody"), why="there is no ride")
        elif kind == "early":
            yield done(f"{first}: {leaves[first]}", see=first)
        yield click(driver, why=f"{driver} takes least" if kind == "cheap" else "")
        if kind == "bags":
            yield done(f"{driver}: {bags[driver]}", see=bags[driver])
        yield from set_amount(site, w("seat_count"), 1, seats)
        yield click(w("ask_seat"))
        if kind == "many":
            yield give_up(f"{driver}, {m}: {w('too_few')}", see=w("too_few"), why="the car has fewer seats")
        yield done(f"{driver}, {shares[driver]} {sign}: {w('asked')}", see=w("asked"))

    def want(data: dict[str, Any]) -> None:
        if kind in ("seat", "cheap", "ask"):
            data["asked"].append([driver, a, b, seats])
        elif kind == "give":
            data["offered"].append([a, b, day, str(n)])
        elif kind == "undo":
            data["requests"] = []

    goal = draw.goal(kind, a=a, b=b, n=n, m=m, driver=driver, far=far, day=draw.say_day(day), held=held)
    answers = {"bags": [bags[driver]], "early": [first]}.get(kind, [])
    ending, person = "give_up" if kind in ("none", "many") else "done", a if kind == "ask" else ""
    site.task(goal, steps, want=want, answer=answers, ending=ending, person=person)
    return site

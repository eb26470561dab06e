"""A landlord's page for tenants: meter readings that may not fall, repairs by room, open cases, facts of the flat."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, ask, choose, click, done, fill, give_up, tick
from gym.parts import open_part, write_parts
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    w = draw.word
    paths = {"/": "home", "/flat": "flat", "/meters": "meters", "/damage": "damage", "/papers": "papers"}
    site = Site(draw, paths | {"/house": "house"})
    meters = draw.sample(draw.all("kinds"), 4)
    before = {each: draw.number(1200, 8000) for each in meters}
    *things, open_one, open_two = draw.sample(draw.all("things"), 6)
    rent, extra, deposit = draw.money(410, 1480), draw.money(90, 290), draw.money(1500, 3900)
    notice = f"{draw.number(2, 7)} {w('months_word')}"
    number, keeper = draw.digits(6), draw.person()
    separate = draw.chance(0.5)
    site.keeps_entries = False
    site.data = {"readings": dict(before), "orders": [], "cases": [open_one, open_two]}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(w("welcome")), ui.facts({w("caretaker"): keeper}), ui.text(draw.all("filler")[2])]

    @site.page("/flat")
    def flat(ui: Ui) -> Sequence[str]:
        costs = ui.facts({w("rent"): rent, w("extra"): extra, w("deposit"): deposit})
        terms = ui.facts({w("notice_period"): notice, w("caretaker"): keeper})
        parts = {w("address"): ui.text(f"{draw.all('streets')[0]} 14"), w("price"): costs, w("imprint"): terms}
        return [ui.heading(site.sections["/flat"]), write_parts(ui, parts, "/flat")]

    @site.page("/meters")
    def show_meters(ui: Ui) -> Sequence[str]:
        readings = site.data["readings"]
        rows = [Row([each, str(readings[each])], f"/meter/{at}" * separate) for at, each in enumerate(meters)]
        table = ui.table([w("meter"), w("last")], rows)
        if separate:
            return [ui.heading(site.sections["/meters"]), table]
        fields = [ui.choose("meter", w("meter"), meters), ui.field("value", w("reading"), kind="number")]
        return [ui.heading(site.sections["/meters"]), table, ui.form("read", fields, w("hand_in"))]

    @site.page("/meter/{at}")
    def one_meter(ui: Ui, at: str) -> Sequence[str]:
        one = meters[int(at)]
        form = ui.form("read", [ui.field("value", w("reading"), kind="number")], w("hand_in"), meter=one)
        return [ui.heading(one), ui.facts({w("last"): str(site.data["readings"][one])}), form]

    @site.page("/damage")
    def damage(ui: Ui) -> Sequence[str]:
        fields = [ui.choose("room", w("room"), draw.all("rooms")), ui.field("what", w("what"))]
        fields.append(ui.check("urgent", w("urgent")))
        form = ui.form("order", fields, w("order"))
        rows = [Row([each], actions=[Action(w("solved"), "solved")], key=each) for each in site.data["cases"]]
        cases = [ui.heading(w("open_cases"), 3), ui.table([w("what")], rows)]
        return [ui.heading(site.sections["/damage"]), *cases, form]

    @site.act("read")
    def read(form: Form) -> str | None:
        low = form["value"].strip().isdecimal() and int(form["value"]) < site.data["readings"][form["meter"]]
        bad = not form["value"].strip().isdecimal()
        if not site.require(form, "value", bad_number__value=bad, too_low__value=low):
            return None
        site.data["readings"][form["meter"]] = int(form["value"])
        site.notice = f"{w('saved')} {form['meter']}: {form['value']}"
        return "/meters"

    @site.act("order")
    def order(form: Form) -> None:
        if site.require(form, "what"):
            site.data["orders"].append([form["room"], form["what"].strip(), bool(form.get("urgent"))])
            site.notice = f"{w('ordered')} {number}."

    @site.act("solved")
    def solved(form: Form) -> None:
        site.data["cases"].remove(form["id"])
        site.notice = w("closed_state")

    kind = draw.pick(draw.kinds())
    meter, second = draw.sample(meters[1:], 2)
    value = before[meter] - draw.number(20, 300) if kind == "low" else before[meter] + draw.number(20, 400)
    value2 = before[second] + draw.number(20, 400)
    thing, room, case = draw.pick(things), draw.pick(draw.all("rooms")[1:]), draw.pick([open_one, open_two])

    def read_steps(which: str, number: int) -> Iterator[Step]:
        if separate:
            yield click(which)
        else:
            yield choose(w("meter"), which)
        yield fill(w("reading"), str(number))
        yield click(w("hand_in"))

    def steps() -> Iterator[Step]:
        if kind in ("rent", "leave"):
            yield click(site.sections["/flat"])
            part, said = (w("price"), rent) if kind == "rent" else (w("imprint"), notice)
            yield from open_part(site, part)
            yield done(f"{w('rent' if kind == 'rent' else 'notice_period')}: {said}", see=said)
        elif kind in ("broken", "urgent", "fixed"):
            yield click(site.sections["/damage"])
            if kind == "fixed":
                yield click(w("solved"), row=case)
                yield done(f"{case}: {w('closed_state')}", see=w("closed_state"))
            yield choose(w("room"), room)
            yield fill(w("what"), thing)
            if kind == "urgent":
                yield tick(w("urgent"))
            yield click(w("order"))
            yield done(f"{w('ordered')} {number}", see=number)
        if kind == "ask":
            yield ask(f"{w('reading')}: {meter}?", why="only the person can read the meter")
        yield click(site.sections["/meters"])
        yield from read_steps(meter, value)
        if kind == "low":
            yield give_up(f"{meter} {value}: {w('too_low')}", see=w("too_low"), why="the site refuses a lower reading")
        if kind == "two":
            yield from read_steps(second, value2)
        yield done(f"{w('saved')} {meter}", see=w("saved"))

    def want(data: dict[str, Any]) -> None:
        if kind in ("read", "two", "ask"):
            data["readings"][meter] = value
        if kind == "two":
            data["readings"][second] = value2
        elif kind in ("broken", "urgent"):
            data["orders"].append([room, thing, kind == "urgent"])
        elif kind == "fixed":
            data["cases"].remove(case)

    values = {"meter": meter, "value": value, "meter2": second, "value2": value2, "thing": thing, "room": room}
    answers = {"rent": [rent], "leave": [notice]}.get(kind, [])
    ending, person = "give_up" if kind == "low" else "done", str(value) if kind == "ask" else ""
    site.task(draw.goal(kind, **values, case=case), steps, want=want, answer=answers, ending=ending, person=person)
    return site

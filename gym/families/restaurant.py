"""A restaurant: a table by day, people and area, free times to choose from; a card in parts; reservations to change."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, ask, choose, click, done, fill, give_up
from gym.parts import open_part, read_day, set_amount, set_day, write_amount, write_day, write_parts
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    w = draw.word
    paths = {
        "/": "home",
        "/card": "card",
        "/table": "table",
        "/mine": "mine",
        "/team": "about_us",
        "/gifts": "vouchers",
    }
    site = Site(draw, paths)
    courses, places = draw.all("courses"), draw.all("places")
    dishes = draw.sample(draw.all("dishes"), 9)
    groups = [dishes[:3], dishes[3:6], dishes[6:], list(draw.all("drinks"))]
    sums = draw.sample(range(4, 39), 13)
    cents = draw.pick(("50", "90", "00"))
    every = [each for group in groups for each in group]
    prices = dict(zip(every, sums, strict=True))
    inside = {each: ", ".join(draw.some("allergies", 2)) for each in every}
    *days, full_day = draw.days(5)
    times = sorted(draw.sample([f"{hour}:{m}" for hour in (17, 18, 19, 20, 21) for m in ("00", "30")], 4))
    held = {day: draw.number(2, 4) for day in days[:2]}
    entered: dict[str, str] = {}
    site.keeps_entries = False
    site.data = {"booked": [], "held": held}

    def money(dish: str) -> str:
        amount = f"{prices[dish]},{cents}"
        return {"zh": f"¥{amount}", "en": f"£{amount.replace(',', '.')}"}.get(draw.language, f"{amount} €")

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [
            ui.heading(site.brand),
            ui.text(draw.all("filler")[0]),
            ui.heading(dishes[0], 3),
            ui.text(money(dishes[0])),
        ]

    @site.page("/card")
    def card(ui: Ui) -> Sequence[str]:
        parts: dict[str, str] = {}
        for course, group in zip(courses, groups, strict=True):
            rows = [Row([each, money(each)], f"/dish/{every.index(each)}") for each in group]
            parts[course] = ui.table([w("name"), w("price")], rows)
        return [ui.heading(site.sections["/card"]), write_parts(ui, parts, "/card")]

    @site.page("/dish/{at}")
    def dish_page(ui: Ui, at: str) -> Sequence[str]:
        one = every[int(at)]
        return [ui.heading(one), ui.facts({w("price"): money(one), w("allergens"): inside[one]})]

    @site.page("/table")
    def table(ui: Ui) -> Sequence[str]:
        fields = [
            write_day(ui, "day", w("date")),
            write_amount(ui, "n", w("guests"), 2),
            ui.choose("place", w("place"), places),
        ]
        return [ui.heading(site.sections["/table"]), ui.form("look", fields, w("look"))]

    @site.page("/times")
    def free(ui: Ui) -> Sequence[str]:
        facts = ui.facts(
            {w("date"): entered.get("day", ""), w("guests"): entered.get("n", ""), w("place"): entered.get("place", "")}
        )
        if entered.get("day") == full_day:
            return [ui.heading(site.sections["/table"]), facts, ui.text(w("full"))]
        fields = [ui.choose("time", w("time"), times), ui.field("name", w("at_name"))]
        return [ui.heading(site.sections["/table"]), facts, ui.form("book", fields, w("finish"))]

    @site.page("/mine")
    def mine(ui: Ui) -> Sequence[str]:
        rows = [
            Row([day, str(n)], f"/mine/{day}", [Action(w("call_off"), "off", True)], day) for day, n in held.items()
        ]
        return [ui.heading(site.sections["/mine"]), ui.table([w("date"), w("guests")], rows)]

    @site.page("/mine/{day}")
    def one(ui: Ui, day: str) -> Sequence[str]:
        form = ui.form("grow", [write_amount(ui, "n", w("guests"), held[day])], w("more_guests"), day=day)
        return [ui.heading(day), form]

    @site.act("look")
    def look(form: Form) -> str:
        day = read_day(site, form, "day")
        if not site.require({**form, "day": day}, "day", "n"):
            return "/table"
        entered.update({"day": day, "n": form["n"].strip(), "place": form["place"]})
        return "/times"

    @site.act("book")
    def book(form: Form) -> str | None:
        if not site.require(form, "name"):
            return None
        site.data["booked"].append([entered["day"], entered["n"], entered["place"], form["time"], form["name"].strip()])
        site.notice = f"{w('see_you')} {form['name'].strip()}!"
        return "/"

    @site.act("grow")
    def grow(form: Form) -> str | None:
        if not site.require(form, "n", bad_number__n=not form["n"].strip().isdecimal()):
            return None
        held[form["day"]] = int(form["n"])
        site.notice = w("saved")
        return "/mine"

    @site.act("off")
    def off(form: Form) -> None:
        del held[form["id"]]
        site.notice = w("deleted")

    kind = draw.pick(draw.kinds())
    day = full_day if kind == "full" else draw.pick(days[2:])
    old, time, name = draw.pick(list(held)), draw.pick(times[1:]), draw.person()
    place = draw.pick(places[1:]) if kind == "out" else places[0]
    n = draw.pick([each for each in range(1, 7) if each != 2 and each != held[old]])
    course = draw.pick(courses)
    dish = draw.pick(groups[courses.index(course)])
    cheapest = min(groups[courses.index(course)], key=lambda each: prices[each])

    def steps() -> Iterator[Step]:
        if kind in ("price", "allergy", "cheap"):
            yield click(site.sections["/card"])
            yield from open_part(site, course, first=course == courses[0], why=f"{course} may have it")
            if kind == "price":
                yield done(f"{dish}: {money(dish)}", see=money(dish))
            elif kind == "cheap":
                yield done(f"{cheapest}: {money(cheapest)}", see=cheapest)
            yield click(dish)
            yield done(f"{dish} – {w('allergens')}: {inside[dish]}", see=inside[dish])
        elif kind in ("grow", "off"):
            yield click(site.sections["/mine"])
            if kind == "off":
                yield click(w("call_off"), row=old, sure=True)
                yield done(f"{w('deleted')} {old}", see=w("deleted"))
            yield click(old)
            yield from set_amount(site, w("guests"), held[old], n)
            yield click(w("more_guests"))
            yield done(f"{w('saved')} {old}: {n}", see=w("saved"))
        yield click(site.sections["/table"])
        yield from set_day(site, w("date"), day)
        yield from set_amount(site, w("guests"), 2, n)
        if kind == "out":
            yield choose(w("place"), place)
        yield click(w("look"))
        if kind == "full":
            yield give_up(f"{day}: {w('full')}", see=w("full"), why="that day is full")
        elif kind == "ask":
            yield ask(f"{w('time')}: {', '.join(times)}?", see=times[1], why="the goal does not say the time")
        yield choose(w("time"), time)
        yield fill(w("at_name"), name)
        yield click(w("finish"))
        yield done(f"{w('see_you')} {name}: {day}, {time}", see=w("see_you"))

    def want(data: dict[str, Any]) -> None:
        if kind in ("book", "out", "ask"):
            data["booked"].append([day, str(n), place, time, name])
        elif kind == "grow":
            data["held"][old] = n
        elif kind == "off":
            del data["held"][old]

    values = {
        "n": n,
        "day": draw.say_day(day),
        "time": time,
        "name": name,
        "place": place,
        "dish": dish,
        "course": course,
    }
    answers = {"price": [money(dish)], "allergy": [inside[dish]], "cheap": [cheapest]}.get(kind, [])
    goal = draw.goal(kind, **values, held=draw.say_day(old))
    ending, person = "give_up" if kind == "full" else "done", time if kind == "ask" else ""
    site.task(goal, steps, want=want, answer=answers, ending=ending, person=person)
    return site

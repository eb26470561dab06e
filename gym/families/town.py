"""A town's site for citizens: visits at the office by matter and time, bin days by street, reports, parking cards."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, ask, choose, click, done, fill
from gym.parts import set_view, write_view
from gym.site import Form, Site
from gym.words import Draw

ZONES = ("A1", "A2", "B1", "B2", "C")


def make(draw: Draw) -> Site:
    w = draw.word
    site = Site(
        draw,
        {"/": "home", "/visit": "appointments", "/waste": "waste", "/report": "report", "/permits": "permits"}
        | {"/council": "council", "/news": "news"},
    )
    services, streets, kinds = list(draw.all("services")), list(draw.all("streets"))[:5], list(draw.all("kinds"))
    days = draw.days(4)
    free = {
        day: sorted(draw.sample([f"{h:02}:{m}" for h in range(8, 16) for m in ("00", "20", "40")], 3)) for day in days
    }
    bins = {street: dict(zip(kinds, draw.days(len(kinds)), strict=True)) for street in streets}
    held = {day: draw.pick(services) for day in draw.days(3)}
    number = draw.digits(5)
    site.keeps_entries = False
    site.data = {"visits": [[day, "10:10", what] for day, what in held.items()], "reports": [], "permits": []}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        teaser = f"{w('collected')}: {kinds[0]}, {streets[0]} – {bins[streets[0]][kinds[0]]}"
        return [ui.heading(w("welcome")), ui.text(draw.all("filler")[0], teaser), ui.link(w("slots"), "/visit")]

    @site.page("/visit")
    def visit(ui: Ui) -> Sequence[str]:
        form = ui.form("service", [ui.choose("service", w("service"), ["–", *services])], w("choose_service"))
        undo = [Action(w("withdraw"), "undo", True, "✕")]
        rows = [Row([day, time, what], actions=undo, key=day) for day, time, what in site.data["visits"]]
        mine = ui.table([w("date"), w("time"), w("service")], rows)
        return [ui.heading(site.sections["/visit"]), form, ui.heading(w("mine"), 3), mine]

    @site.page("/visit/{at}")
    def slots(ui: Ui, at: str) -> Sequence[str]:
        parts = [ui.heading(f"{w('slots')}: {services[int(at)]}")]
        for day, times in free.items():
            buttons = " ".join(
                ui.button(f"{day} {time}", "book", day=day, time=time, what=services[int(at)]) for time in times
            )
            parts.append(f"<div>{buttons}</div>")
        return parts

    @site.page("/waste")
    def waste(ui: Ui) -> Sequence[str]:
        street = ui.query.get("street", streets[0])
        rows = [Row([kind, day]) for kind, day in bins.get(street, bins[streets[0]]).items()]
        view = write_view(ui, "/waste", "street", w("street"), streets)
        return [
            ui.heading(f"{site.sections['/waste']}: {street}"),
            view,
            ui.table([w("category"), w("collected")], rows),
        ]

    @site.page("/report")
    def report(ui: Ui) -> Sequence[str]:
        fields = [ui.choose("kind", w("damage"), draw.all("damages")), ui.field("street", w("street"))]
        fields.append(ui.field("text", w("message"), kind="textarea"))
        return [ui.heading(site.sections["/report"]), ui.form("report", fields, w("send"))]

    @site.page("/permits")
    def permits(ui: Ui) -> Sequence[str]:
        fields = [ui.field("plate", w("plate")), ui.choose("zone", w("zone"), ZONES)]
        form = ui.form("permit", fields, w("ask_permit"))
        return [ui.heading(site.sections["/permits"]), ui.heading(w("parking"), 3), form]

    @site.act("service")
    def choose_service(form: Form) -> str:
        if form["service"] not in services:
            site.notice = w("required")
            return "/visit"
        return f"/visit/{services.index(form['service'])}"

    @site.act("book")
    def book(form: Form) -> str:
        site.data["visits"].append([form["day"], form["time"], form["what"]])
        site.notice = f"{w('booked')} {form['day']} {form['time']}"
        return "/visit"

    @site.act("undo")
    def undo(form: Form) -> None:
        site.data["visits"] = [each for each in site.data["visits"] if each[0] != form["id"]]
        site.notice = w("deleted")

    @site.act("report")
    def tell(form: Form) -> None:
        if site.require(form, "street", "text"):
            site.data["reports"].append([form["kind"], form["street"].strip(), form["text"].strip()])
            site.notice = f"{w('thanks')} {number}"

    @site.act("permit")
    def permit(form: Form) -> None:
        if site.require(form, "plate", bad_plate__plate=" " in form["plate"].strip()):
            site.data["permits"].append([form["plate"].strip(), form["zone"]])
            site.notice = f"{w('thanks')} {number}"

    kind = draw.pick(draw.kinds())
    service, street, bin_ = draw.pick(services), draw.pick(streets[1:]), draw.pick(kinds)
    day = days[0] if kind == "first" else draw.pick(days)
    time = free[day][0] if kind == "first" else draw.pick(free[day])
    off, damage, text = draw.pick(list(held)), draw.pick(draw.all("damages")[1:]), draw.pick(draw.all("sentences"))
    plate, zone = f"{draw.pick('KLMT')}{draw.pick('ABRS')} {draw.digits(4)}", draw.pick(ZONES[1:])
    collected = bins[street][bin_]

    def steps() -> Iterator[Step]:
        if kind == "ask":
            yield ask(f"{w('service')}?", why="the goal does not say what the visit is about")
        if kind in ("book", "first", "ask"):
            yield click(site.sections["/visit"])
            yield choose(w("service"), service)
            yield click(w("choose_service"))
            yield click(f"{day} {time}", why=f"{day} {time} is the earliest" if kind == "first" else "")
            yield done(f"{w('booked')} {day} {time}", see=w("booked"))
        elif kind == "tell":
            yield click(site.sections["/report"])
            yield choose(w("damage"), damage)
            yield fill(w("street"), street)
            yield fill(w("message"), text)
            yield click(w("send"))
            yield done(f"{w('thanks')} {number}", see=number)
        elif kind == "park":
            yield click(site.sections["/permits"], why=f"{w('parking')} may be here")
            yield fill(w("plate"), plate)
            yield choose(w("zone"), zone)
            yield click(w("ask_permit"), stays=True)
            yield fill(w("plate"), plate.replace(" ", ""), why="the site wants it without spaces")
            yield click(w("ask_permit"))
            yield done(f"{w('thanks')} {number}", see=number)
        if kind in ("off", "both"):
            yield click(site.sections["/visit"])
            yield click(w("withdraw"), row=off, sure=True)
            if kind == "off":
                yield done(f"{w('deleted')} {off}", see=w("deleted"))
        yield click(site.sections["/waste"])
        yield from set_view(site, w("street"), street)
        yield done(f"{bin_}, {street}: {collected}", see=collected)

    def want(data: dict[str, Any]) -> None:
        if kind in ("book", "first", "ask"):
            data["visits"].append([day, time, service])
        elif kind == "tell":
            data["reports"].append([damage, street, text])
        elif kind == "park":
            data["permits"].append([plate.replace(" ", ""), zone])
        elif kind in ("off", "both"):
            data["visits"] = [each for each in data["visits"] if each[0] != off]

    values = {"service": service, "street": street, "kind": bin_, "damage": damage, "text": text, "plate": plate}
    goal = draw.goal(kind, **values, zone=zone, day=draw.say_day(day), time=time, held=draw.say_day(off))
    answers = [collected] if kind in ("bins", "both") else []
    site.task(goal, steps, want=want, answer=answers, person=service if kind == "ask" else "")
    return site

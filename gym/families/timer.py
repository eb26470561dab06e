"""Time tracking: a clock that starts and stops for a project, entries by hand with a day, hours to correct."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, ask, choose, click, done, fill, give_up
from gym.parts import read_day, set_day, write_day
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    w = draw.word
    apart = draw.chance(0.5)
    paths = {"/clock": "clock", "/entries": "entries", "/projects": "projects", "/leave": "leave"}
    site = Site(draw, {"/": "home"} | paths | {"/settings": "s_settings"})
    kind = draw.pick(draw.kinds())
    projects, works = draw.sample(draw.all("project_names"), 5), draw.all("works")
    spent = dict(zip(projects, draw.sample(range(11, 240), 5), strict=True))
    days = draw.days(5)
    entries = {day: [draw.pick(projects), draw.pick(works), str(draw.number(1, 8))] for day in days[:4]}
    running = [projects[0], works[0]] if kind in ("stop", "switch") else []
    site.keeps_entries = False
    site.data = {"running": running, "stopped": [], "entries": entries}

    def write_clock(ui: Ui) -> list[str]:
        now = site.data["running"]
        if now:
            return [ui.text(f"{w('runs')} {now[0]}, {now[1]}"), ui.button(w("stop"), "stop")]
        fields = [ui.choose("project", w("project"), projects), ui.choose("work", w("work"), works)]
        return [ui.form("begin", fields, w("begin"))]

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(w("welcome")), *([] if apart else write_clock(ui)), ui.text(draw.all("filler")[1])]

    @site.page("/clock")
    def clock(ui: Ui) -> Sequence[str]:
        return [ui.heading(site.sections["/clock"]), *write_clock(ui)]

    @site.page("/entries")
    def listing(ui: Ui) -> Sequence[str]:
        drop = [Action(w("delete"), "drop", True, "🗑")]
        rows = [Row([day, *entries[day]], f"/entry/{day}", drop, day) for day in entries]
        table = ui.table([w("date"), w("project"), w("work"), w("hours_")], rows)
        return [ui.heading(site.sections["/entries"]), ui.link(w("by_hand"), "/by-hand"), table]

    @site.page("/by-hand")
    def by_hand(ui: Ui) -> Sequence[str]:
        fields = [
            write_day(ui, "day", w("date")),
            ui.choose("project", w("project"), projects),
            ui.choose("work", w("work"), works),
        ]
        fields.append(ui.field("hours", w("hours_")))
        return [ui.heading(w("by_hand")), ui.form("late", fields, w("save"))]

    @site.page("/entry/{day}")
    def entry(ui: Ui, day: str) -> Sequence[str]:
        project, work, hours = entries[day]
        form = ui.form("fix", [ui.field("hours", w("hours_"), hours)], w("save"), day=day)
        return [ui.heading(day), ui.facts({w("project"): project, w("work"): work}), form]

    @site.page("/projects")
    def show_projects(ui: Ui) -> Sequence[str]:
        rows = [Row([each], f"/project/{at}") for at, each in enumerate(projects)]
        return [ui.heading(site.sections["/projects"]), ui.table([w("project")], rows)]

    @site.page("/project/{at}")
    def project_page(ui: Ui, at: str) -> Sequence[str]:
        one = projects[int(at)]
        return [ui.heading(one), ui.facts({w("spent"): f"{spent[one]} h", w("budget"): "300 h"})]

    def is_hours(text: str) -> bool:
        return text.strip().replace(".", "", 1).replace(",", "", 1).isdecimal() and float(text.replace(",", ".")) <= 24

    @site.act("begin")
    def begin(form: Form) -> None:
        site.data["running"] = [form["project"], form["work"]]

    @site.act("stop")
    def stop(form: Form) -> None:
        site.data["stopped"].append(site.data["running"])
        site.data["running"] = []
        site.notice = w("saved")

    @site.act("late")
    def late(form: Form) -> str | None:
        day = read_day(site, form, "day")
        if not site.require({**form, "day": day}, "day", "hours", bad_hours__hours=not is_hours(form["hours"])):
            return None
        entries[day] = [form["project"], form["work"], form["hours"].strip()]
        site.notice = w("added")
        return "/entries"

    @site.act("fix")
    def fix(form: Form) -> str | None:
        if not site.require(form, "hours", bad_hours__hours=not is_hours(form["hours"])):
            return None
        entries[form["day"]][2] = form["hours"].strip()
        site.notice = w("saved")
        return "/entries"

    @site.act("drop")
    def drop(form: Form) -> None:
        del entries[form["id"]]
        site.notice = w("deleted")

    project, work = draw.pick(projects[1:]), draw.pick(works[1:])
    when = draw.pick(list(entries))
    hours = (
        str(draw.number(26, 60))
        if kind == "bad"
        else draw.pick([str(n) for n in range(1, 9) if str(n) != entries[when][2]])
    )

    def steps() -> Iterator[Step]:
        if kind == "sum":
            yield click(site.sections["/projects"])
            yield click(project)
            yield done(f"{project}: {spent[project]} h", see=f"{spent[project]} h")
        elif kind in ("late", "bad", "fix", "drop"):
            yield click(site.sections["/entries"])
            if kind == "drop":
                yield click(w("delete"), row=when, sure=True)
                yield done(f"{when}: {w('deleted')}", see=w("deleted"))
            elif kind == "fix":
                yield click(when)
                yield fill(w("hours_"), hours)
                yield click(w("save"))
                yield done(f"{when}: {hours} h. {w('saved')}", see=w("saved"))
            yield click(w("by_hand"))
            yield from set_day(site, w("date"), days[4])
            yield choose(w("project"), project)
            yield choose(w("work"), work)
            yield fill(w("hours_"), hours)
            yield click(w("save"))
            if kind == "bad":
                yield give_up(f"{hours}: {w('bad_hours')}", see=w("bad_hours"), why="a day has no more hours")
            yield done(f"{w('added')} {days[4]}, {hours} h", see=w("added"))
        if kind == "ask":
            yield ask(f"{w('project')}? {', '.join(projects)}", why="the goal does not say for which project")
        if apart:
            yield click(site.sections["/clock"])
        if kind in ("stop", "switch"):
            yield click(w("stop"))
            if kind == "stop":
                yield done(f"{w('saved')} {running[0]}", see=w("saved"))
        yield choose(w("project"), project)
        yield choose(w("work"), work)
        yield click(w("begin"))
        yield done(f"{w('runs')} {project}, {work}", see=w("runs"))

    def want(data: dict[str, Any]) -> None:
        if kind in ("stop", "switch"):
            data["stopped"].append(data["running"])
            data["running"] = []
        if kind in ("begin", "switch", "ask"):
            data["running"] = [project, work]
        elif kind == "late":
            data["entries"][days[4]] = [project, work, hours]
        elif kind == "fix":
            data["entries"][when][2] = hours
        elif kind == "drop":
            del data["entries"][when]

    values = {
        "project": project,
        "work": work,
        "hours": hours,
        "day": draw.say_day(days[4]),
        "when": draw.say_day(when),
    }
    answers = [f"{spent[project]} h"] if kind == "sum" else []
    ending, person = "give_up" if kind == "bad" else "done", project if kind == "ask" else ""
    site.task(draw.goal(kind, **values), steps, want=want, answer=answers, ending=ending, person=person)
    return site

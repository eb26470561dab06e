"""A school: courses with pupils, points out of twenty, and who was missing; the same pupils are in several courses."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, click, done, fill, give_up
from gym.site import Form, Site
from gym.words import Draw

COURSES = (
    "Courses; Subjects; Classes",
    "Kurse; Fächer; Klassen",
    "Cours; Matières",
    "Cursos; Asignaturas",
    "课程; 科目",
)
POINTS = ("Points; Mark", "Punkte; Note", "Points; Note", "Puntos; Nota", "分数; 成绩")
MISSING = ("Absent; Not here", "Abwesend; Fehlt", "Absent; Pas là", "Ausente; Falta", "缺席; 没来")


def make(draw: Draw) -> Site:
    courses_ = draw.words(*COURSES)
    site = Site(
        draw, {"/": "home", "/courses": courses_, "/calendar": "s_calendar", "/people": "s_people", "/help": "help"}
    )
    points, missing, edit, name = draw.words(*POINTS), draw.words(*MISSING), draw.word("edit"), draw.word("name")
    courses = draw.some("topics", 4)
    *pupils, stranger = draw.people(draw.number(6, 12))
    marks: dict[str, dict[str, str]] = {
        each: dict(zip(pupils, map(str, draw.sample(range(3, 20), len(pupils))), strict=True)) for each in courses
    }
    site.data = {"marks": marks, "missing": []}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(draw.word("welcome")), ui.text(*draw.all("filler")[:2])]

    @site.page("/courses")
    def all_courses(ui: Ui) -> Sequence[str]:
        rows = [Row([each, str(len(pupils))], f"/course/{at}") for at, each in enumerate(courses)]
        return [ui.heading(courses_), ui.table([draw.word("title"), draw.word("people")], rows)]

    @site.page("/course/{at}")
    def course(ui: Ui, at: str) -> Sequence[str]:
        one = courses[int(at)]
        gone = site.data["missing"]
        rows = [
            Row(
                [who, mark, "✗" if f"{at}|{who}" in gone else ""],
                actions=(Action(edit, "edit", icon="✎"), Action(missing, "miss")),
                key=f"{at}|{who}",
            )
            for who, mark in marks[one].items()
        ]
        return [ui.heading(one), ui.table([name, points, missing], rows)]

    @site.page("/mark/{at}/{who}")
    def mark(ui: Ui, at: str, who: str) -> Sequence[str]:
        pupil = pupils[int(who)]
        old = marks[courses[int(at)]][pupil]
        form = ui.form("save", [ui.field("mark", points, old)], draw.word("save"), at=at, who=pupil)
        return [ui.heading(f"{courses[int(at)]}: {pupil}"), form]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*(pupils if other == "people" else draw.all("filler")))]

    @site.act("edit")
    def go(form: Form) -> str:
        at, _, who = form["id"].partition("|")
        return f"/mark/{at}/{pupils.index(who)}"

    @site.act("miss")
    def miss(form: Form) -> None:
        site.data["missing"].append(form["id"])

    @site.act("save")
    def save(form: Form) -> str | None:
        if not site.require(form, "mark", bad_number__mark=not form.get("mark", "").strip().isdecimal()):
            return None
        marks[courses[int(form["at"])]][form["who"]] = form["mark"].strip()
        site.notice = draw.word("saved")
        return f"/course/{form['at']}"

    kind = draw.pick(draw.kinds())
    at = draw.number(0, 3)
    course_, who = courses[at], draw.pick(pupils)
    fresh = str(draw.pick([each for each in range(3, 20) if str(each) != marks[course_][who]]))
    old = marks[course_][who]
    best = max(pupils, key=lambda each: int(marks[course_][each]))

    def steps() -> Iterator[Step]:
        yield click(courses_)
        yield click(course_)
        if kind == "absent":
            yield give_up(f"{stranger}: {draw.word('nothing_found')}", see=pupils[-1], why="nobody here has that name")
        elif kind == "read":
            yield done(f"{who}: {old} {points}", see=who)
        elif kind == "best":
            top = marks[course_][best]
            yield done(f"{best}: {top} {points}", see=best, why=f"{top} is the highest")
        elif kind == "absentee":
            yield click(missing, row=who)
            yield done(f"{missing}: {who}")
        yield click(edit, row=who)
        yield fill(points, fresh)
        yield click(draw.word("save"))
        yield done(f"{who}: {fresh} {points}", see=draw.word("saved"))

    def want(data: dict[str, Any]) -> None:
        if kind == "set":
            data["marks"][course_][who] = fresh
        elif kind == "absentee":
            data["missing"].append(f"{at}|{who}")

    said = stranger if kind == "absent" else who
    answers = {"read": [old], "best": [best]}.get(kind, [])
    goal = draw.goal(kind, who=said, course=course_, mark=fresh)
    site.task(goal, steps, want=want, answer=answers, ending="give_up" if kind == "absent" else "done")
    return site

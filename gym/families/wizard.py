"""A wizard: a registration in several steps, with a summary to confirm; faults send back, full courses refuse."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.families.calendar import is_date
from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, ask, choose, click, done, fill, give_up, tick
from gym.site import Form, Site
from gym.words import Draw

COURSES = ("Courses; Programme", "Kurse; Programm", "Cours; Programme", "Cursos; Programa", "课程; 项目")
COURSE = ("Course; Class", "Kurs; Lehrgang", "Cours; Stage", "Curso; Taller", "课程; 班级")
TERMS = (
    "I accept the terms; I have read the rules",
    "Ich akzeptiere die Bedingungen; Ich habe die Regeln gelesen",
    "J’accepte les conditions; J’ai lu le règlement",
    "Acepto las condiciones; He leído las normas",
    "我接受条款; 我已阅读规则",
)
FULL = (
    "Sorry, fully booked.",
    "Leider ausgebucht.",
    "Désolé, c’est complet.",
    "Lo sentimos, está completo.",
    "抱歉,名额已满。",
)


def make(draw: Draw) -> Site:
    paths = {"/": "home", "/courses": draw.words(*COURSES), "/apply": "s_apply", "/contact": "contact", "/help": "help"}
    site = Site(draw, paths)
    labels = {key: draw.word(key) for key in ("name", "email", "city")}
    course, day, terms = draw.words(*COURSE), draw.word("date"), draw.words(*TERMS)
    listed = draw.some("topics", 6)
    prices = {each: draw.money(40, 400) for each in listed}
    ahead, finish, full = draw.word("next"), draw.word("finish"), draw.words(*FULL)
    taken = listed[5]
    site.data = {"applied": []}
    entered: dict[str, str] = {}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(draw.word("welcome")), ui.text(*draw.all("filler")[:2])]

    @site.page("/courses")
    def courses(ui: Ui) -> Sequence[str]:
        rows = [Row([each, prices[each]]) for each in listed]
        return [ui.heading(site.sections["/courses"]), ui.table([course, draw.word("price")], rows)]

    @site.page("/apply")
    def first(ui: Ui) -> Sequence[str]:
        fields = [ui.field(key, label, entered.get(key, "")) for key, label in labels.items()]
        return [ui.heading(f"{site.sections['/apply']} – 1/3"), ui.form("who", fields, ahead)]

    @site.page("/apply/2")
    def second(ui: Ui) -> Sequence[str]:
        fields = [
            ui.choose("course", course, ["–", *listed], entered.get("course", "")),
            ui.field("day", day, kind="date"),
        ]
        return [ui.heading(f"{site.sections['/apply']} – 2/3"), ui.form("what", fields, ahead)]

    @site.page("/apply/3")
    def third(ui: Ui) -> Sequence[str]:
        facts = {labels.get(key, course if key == "course" else day): value for key, value in entered.items()}
        form = ui.form("finish", [ui.check("terms", terms)], finish)
        return [ui.heading(f"{site.sections['/apply']} – 3/3"), ui.facts(facts), form]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*draw.all("filler"))]

    @site.act("who")
    def who(form: Form) -> str:
        if not site.require(form, *labels):
            return "/apply"
        entered.update({key: form[key].strip() for key in labels})
        return "/apply/2"

    @site.act("what")
    def what(form: Form) -> str:
        empty, bad = form.get("course") == "–", not is_date(form.get("day", ""))
        if not site.require(form, "day", required__course=empty, bad_date__day=bad):
            site.notice = site.errors.get("course", "")
            return "/apply/2"
        if form["course"] == taken:
            site.notice = f"{taken}: {full}"
            return "/apply/2"
        entered.update({"course": form["course"], "day": form["day"].strip()})
        return "/apply/3"

    @site.act("finish")
    def close(form: Form) -> str:
        if not form.get("terms"):
            site.notice = draw.word("required")
            return "/apply/3"
        site.data["applied"].append(dict(entered))
        site.notice = f"{draw.word('saved')} {entered['course']}"
        return "/"

    kind = draw.pick(draw.kinds())
    chosen = taken if kind == "full" else draw.pick(listed[:5])
    person = draw.person()
    values = {"name": person, "email": draw.email(person), "city": draw.pick(draw.all("cities"))}
    begins = draw.day()

    def steps() -> Iterator[Step]:
        if kind == "cost":
            yield click(site.sections["/courses"])
            yield done(f"{chosen}: {prices[chosen]}", see=prices[chosen])
        if kind == "day":
            yield ask(f"{day}?", why="the goal does not say when it begins")
        yield click(site.sections["/apply"])
        for key, label in labels.items():
            yield fill(label, values[key])
        yield click(ahead)
        yield choose(course, chosen)
        yield fill(day, begins)
        yield click(ahead)
        if kind == "full":
            yield give_up(f"{taken}: {full}", see=full, why="the site refuses it")
        yield tick(terms)
        yield click(finish)
        yield done(f"{draw.word('saved')} {chosen}", see=draw.word("saved"))

    def want(data: dict[str, Any]) -> None:
        if kind in ("apply", "day"):
            data["applied"].append({**values, "course": chosen, "day": begins})

    goal = draw.goal(kind, course=chosen, day=begins, **values)
    answers = [prices[chosen]] if kind == "cost" else []
    told = begins if kind == "day" else ""
    site.task(goal, steps, want=want, answer=answers, person=told, ending="give_up" if kind == "full" else "done")
    return site

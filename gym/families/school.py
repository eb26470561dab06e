"""A school's page for parents of two children: sick notes, lunch by weekday, letters to sign, notes to teachers."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, ask, choose, click, done, fill
from gym.parts import open_part, read_day, set_day, write_day, write_parts
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    w = draw.word
    paths = {"/": "home", "/children": "children", "/lunch": "lunch", "/letters": "letters", "/teachers": "teachers"}
    site = Site(draw, paths | {"/plan": "timetable", "/trips": "trips"})
    children = draw.some("first_names", 2)
    forms = [f"{draw.number(1, 4)}a", f"{draw.number(5, 9)}b"]
    days, meals = draw.all("weekdays"), draw.sample(draw.all("meals"), 5)
    subjects = draw.all("subjects_taught")
    teachers = dict(zip(subjects, draw.people(len(subjects)), strict=True))
    begins = {
        f"{child} {day}": f"{draw.number(7, 10)}:{draw.pick(('40', '45', '55'))}" for child in children for day in days
    }
    letters = draw.sample(draw.all("letter_names"), 4)
    site.keeps_entries = False
    site.data = {"sick": [], "lunch": [], "notes": [], "signed": letters[:1]}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [
            ui.heading(w("welcome")),
            ui.facts(dict(zip(children, forms, strict=True))),
            ui.text(draw.all("filler")[1]),
        ]

    @site.page("/children")
    def show_children(ui: Ui) -> Sequence[str]:
        rows = [
            Row([child, form], f"/child/{at}") for at, (child, form) in enumerate(zip(children, forms, strict=True))
        ]
        return [ui.heading(site.sections["/children"]), ui.table([w("child"), w("form_")], rows)]

    @site.page("/child/{at}")
    def child_page(ui: Ui, at: str) -> Sequence[str]:
        fields = [write_day(ui, "day", w("first_day")), ui.choose("reason", w("reason"), draw.all("reasons"))]
        form = ui.form("sick", fields, w("sick"), child=children[int(at)])
        return [ui.heading(children[int(at)]), ui.facts({w("form_"): forms[int(at)]}), form]

    @site.page("/lunch")
    def lunch(ui: Ui) -> Sequence[str]:
        rows: list[Row] = []
        for day, meal in zip(days, meals, strict=True):
            who = ", ".join(child for when, child in site.data["lunch"] if when == day)
            rows.append(Row([day, meal, f"{who} {w('ordered')}" if who else "–"], f"/lunch/{days.index(day)}"))
        return [ui.heading(site.sections["/lunch"]), ui.table([w("date"), w("name"), w("status")], rows)]

    @site.page("/lunch/{at}")
    def one_lunch(ui: Ui, at: str) -> Sequence[str]:
        form = ui.form("lunch", [ui.choose("child", w("child"), children)], w("order"), day=days[int(at)])
        return [ui.heading(f"{days[int(at)]}: {meals[int(at)]}"), form]

    @site.page("/letters")
    def show_letters(ui: Ui) -> Sequence[str]:
        rows: list[Row] = []
        for each in letters:
            acts = [] if each in site.data["signed"] else [Action(w("sign"), "sign")]
            rows.append(Row([each, w("signed") if not acts else "–"], actions=acts, key=each))
        return [ui.heading(site.sections["/letters"]), ui.table([w("title"), w("status")], rows)]

    @site.page("/teachers")
    def show_teachers(ui: Ui) -> Sequence[str]:
        rows = [Row([teacher, subject], f"/teacher/{subjects.index(subject)}") for subject, teacher in teachers.items()]
        return [ui.heading(site.sections["/teachers"]), ui.table([w("name"), w("subject")], rows)]

    @site.page("/teacher/{at}")
    def teacher_page(ui: Ui, at: str) -> Sequence[str]:
        subject = subjects[int(at)]
        form = ui.form("note", [ui.field("text", w("message"), kind="textarea")], w("write"), subject=subject)
        return [ui.heading(teachers[subject]), ui.facts({w("subject"): subject}), form]

    @site.page("/plan")
    def plan(ui: Ui) -> Sequence[str]:
        parts: dict[str, str] = {}
        for child in children:
            rows = [Row([day, begins[f"{child} {day}"]]) for day in days]
            parts[child] = ui.table([w("date"), w("lessons")], rows)
        return [ui.heading(site.sections["/plan"]), write_parts(ui, parts, "/plan")]

    @site.act("sick")
    def report(form: Form) -> str | None:
        day = read_day(site, form, "day")
        if not site.require({**form, "day": day}, "day"):
            return None
        site.data["sick"].append([form["child"], day, form["reason"]])
        site.notice = w("noted")
        return "/"

    @site.act("lunch")
    def order(form: Form) -> str:
        site.data["lunch"].append([form["day"], form["child"]])
        site.notice = f"{form['day']}, {form['child']}: {w('ordered')}"
        return "/lunch"

    @site.act("sign")
    def sign(form: Form) -> None:
        site.data["signed"].append(form["id"])

    @site.act("note")
    def note(form: Form) -> None:
        if site.require(form, "text"):
            site.data["notes"].append([form["subject"], form["text"].strip()])
            site.notice = w("sent")

    kind = draw.pick(draw.kinds())
    child, day, reason = draw.pick(children), draw.day(), draw.pick(draw.all("reasons")[1:])
    weekday, weekday2 = draw.sample(days, 2)
    subject, text, letter = draw.pick(subjects), draw.pick(draw.all("sentences")), draw.pick(letters[1:])
    meal, begin = meals[days.index(weekday)], begins[f"{child} {weekday}"]

    def order_steps(which: str) -> Iterator[Step]:
        yield click(which)
        if child != children[0]:
            yield choose(w("child"), child)
        yield click(w("order"))

    def steps() -> Iterator[Step]:
        if kind in ("eat", "twice", "what"):
            yield click(site.sections["/lunch"])
            if kind == "what":
                yield done(f"{weekday}: {meal}", see=meal)
            yield from order_steps(weekday)
            if kind == "twice":
                yield from order_steps(weekday2)
            yield done(f"{child}, {weekday} ({meal}): {w('ordered')}", see=w("ordered"))
        elif kind == "write":
            yield click(site.sections["/teachers"])
            yield click(teachers[subject], why=f"teaches {subject}")
            yield fill(w("message"), text)
            yield click(w("write"))
            yield done(f"{w('sent')} {teachers[subject]}", see=w("sent"))
        elif kind == "begin":
            yield click(site.sections["/plan"])
            yield from open_part(site, child, first=child == children[0])
            yield done(f"{child}, {weekday}: {begin}", see=begin)
        elif kind == "sign":
            yield click(site.sections["/letters"])
            yield click(w("sign"), row=letter)
            yield done(f"{letter}: {w('signed')}", see=letter)
        yield click(site.sections["/children"])
        if kind == "ask":
            yield ask(f"{children[0]} / {children[1]}?", see=children[1], why="there are two children")
        yield click(child)
        yield from set_day(site, w("first_day"), day)
        yield choose(w("reason"), reason)
        yield click(w("sick"))
        yield done(f"{child}, {day}: {w('noted')}", see=w("noted"))

    def want(data: dict[str, Any]) -> None:
        if kind in ("sick", "ask"):
            data["sick"].append([child, day, reason])
        elif kind in ("eat", "twice"):
            data["lunch"] += [[each, child] for each in ((weekday, weekday2) if kind == "twice" else (weekday,))]
        elif kind == "write":
            data["notes"].append([subject, text])
        elif kind == "sign":
            data["signed"].append(letter)

    values = {"child": child, "day": draw.say_day(day), "reason": reason, "weekday": weekday, "weekday2": weekday2}
    goal = draw.goal(kind, **values, subject=subject, text=text, letter=letter, meal=meal)
    answers = {"what": [meal], "begin": [begin]}.get(kind, [])
    site.task(goal, steps, want=want, answer=answers, person=child if kind == "ask" else "")
    return site

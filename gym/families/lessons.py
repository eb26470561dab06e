"""A language course: lessons to tick off, a test with one question to answer, a box of words, hours with teachers."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, ask, choose, click, done, fill, search
from gym.parts import read_day, set_day, write_day
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    w = draw.word
    paths = {"/": "home", "/units": "units", "/words": "words_", "/tests": "tests", "/tutor": "tutor", "/goal": "goal_"}
    site = Site(draw, paths, dressed="no")
    kind = draw.pick(draw.kinds())
    units, number = draw.all("unit_names"), draw.number(1, 4)
    *terms, fresh = draw.sample(draw.all("fill_words"), 8)
    senses = dict(zip((*terms, fresh), draw.some("goods", 8), strict=True))
    teachers, amounts = draw.people(3), draw.all("amounts")
    tests = {each: draw.sample(range(12, 98), 3) for each in units}
    inline = draw.chance(0.5)
    site.data = {"learnt": list(units[:number]), "minutes": amounts[0], "words": [], "hours": [], "answers": []}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(w("welcome")), ui.facts({w("goal_"): site.data["minutes"]}), ui.text(draw.all("filler")[0])]

    @site.page("/units")
    def show_units(ui: Ui) -> Sequence[str]:
        rows: list[Row] = []
        for at, each in enumerate(units):
            known = each in site.data["learnt"]
            acts = [Action(w("mark_done"), "learnt", icon="✓")] if inline and not known else []
            rows.append(Row([each, w("learnt") if known else "–"], f"/unit/{at}", acts, each))
        return [ui.heading(site.sections["/units"]), ui.table([w("unit"), w("status")], rows)]

    @site.page("/unit/{at}")
    def unit(ui: Ui, at: str) -> Sequence[str]:
        one = units[int(at)]
        press = "" if inline or one in site.data["learnt"] else ui.button(w("mark_done"), "learnt", id=one)
        return [ui.heading(one), ui.text(*draw.all("sentences")[:3]), press]

    @site.page("/words")
    def show_words(ui: Ui) -> Sequence[str]:
        listed = [*((each, senses[each]) for each in terms), *site.data["words"]]
        form = ui.form("word", [ui.field("word", w("word")), ui.field("sense", w("meaning"))], w("add_word"))
        table = ui.listing([w("word"), w("meaning")], [Row(list(pair)) for pair in listed], "/words", size=4)
        return [ui.heading(site.sections["/words"]), form, table]

    @site.page("/tests")
    def show_tests(ui: Ui) -> Sequence[str]:
        rows = [Row([each], f"/test/{at}") for at, each in enumerate(units)]
        return [ui.heading(site.sections["/tests"]), ui.table([w("unit")], rows)]

    @site.page("/test/{at}")
    def test(ui: Ui, at: str) -> Sequence[str]:
        numbers = [str(each) for each in tests[units[int(at)]]]
        form = ui.form("answer", [ui.choose("n", w("your_answer"), numbers)], w("hand_in"), id=at)
        return [ui.heading(units[int(at)]), ui.text(draw.all("questions")[0]), form]

    @site.page("/tutor")
    def tutor(ui: Ui) -> Sequence[str]:
        fields = [ui.choose("who", w("teacher"), teachers), write_day(ui, "day", w("date"))]
        return [ui.heading(site.sections["/tutor"]), ui.form("hour", fields, w("book_hour"))]

    @site.page("/goal")
    def goal_page(ui: Ui) -> Sequence[str]:
        form = ui.form("goal", [ui.choose("m", w("minutes_"), amounts, site.data["minutes"])], w("save"))
        return [ui.heading(site.sections["/goal"]), form]

    @site.act("learnt")
    def learnt(form: Form) -> str:
        site.data["learnt"].append(form["id"])
        site.notice = f"{form['id']}: {w('learnt')}"
        return "/units"

    @site.act("word")
    def keep(form: Form) -> None:
        if site.require(form, "word", "sense"):
            site.data["words"].append([form["word"].strip(), form["sense"].strip()])
            site.notice = w("added")

    @site.act("answer")
    def answer(form: Form) -> None:
        right = int(form["n"]) == max(tests[units[int(form["id"])]])
        site.data["answers"].append([form["id"], form["n"]])
        site.notice = w("right") if right else w("wrong")

    @site.act("hour")
    def hour(form: Form) -> None:
        day = read_day(site, form, "day")
        if site.require({**form, "day": day}, "day"):
            site.data["hours"].append([form["who"], day])
            site.notice = w("booked")

    @site.act("goal")
    def set_goal(form: Form) -> None:
        site.data["minutes"] = form["m"]
        site.notice = w("saved")

    name = units[number] if kind == "next" else draw.pick(units[number:] if kind == "learnt" else units)
    term, minutes, teacher, day = draw.pick(terms), draw.pick(amounts[1:]), draw.pick(teachers), draw.day()
    numbers = tests[name]
    best, seeks = str(max(numbers)), draw.chance(0.5)

    def steps() -> Iterator[Step]:
        if kind == "goal":
            yield click(site.sections["/goal"])
            yield choose(w("minutes_"), minutes)
            yield click(w("save"))
            yield done(f"{w('saved')} {w('minutes_')}: {minutes}", see=w("saved"))
        elif kind in ("mean", "box"):
            yield click(site.sections["/words"])
            if kind == "box":
                yield fill(w("word"), fresh)
                yield fill(w("meaning"), senses[fresh])
                yield click(w("add_word"))
                yield done(f"{w('added')} {fresh}", see=w("added"))
            if seeks:
                yield search(term)
            yield done(f"{term}: {senses[term]}", see=senses[term])
        elif kind in ("hour", "ask"):
            if kind == "ask":
                yield ask(f"{w('date')}?", why="the goal does not say when")
            yield click(site.sections["/tutor"])
            if teacher != teachers[0]:
                yield choose(w("teacher"), teacher)
            yield from set_day(site, w("date"), day)
            yield click(w("book_hour"))
            yield done(f"{teacher}, {day}: {w('booked')}", see=w("booked"))
        elif kind == "quiz":
            yield click(site.sections["/tests"])
            yield click(name)
            if str(numbers[0]) != best:
                yield choose(w("your_answer"), best, why=f"{best} is the largest")
            yield click(w("hand_in"))
            yield done(f"{best}: {w('right')}", see=w("right"))
        yield click(site.sections["/units"])
        if kind == "next":
            yield done(f"{w('unit')}: {name}", see=name, why=f"{name} is the first without {w('learnt')}")
        if not inline:
            yield click(name)
        yield click(w("mark_done"), row=name if inline else "")
        yield done(f"{name}: {w('learnt')}", see=f"{name}: {w('learnt')}")

    def want(data: dict[str, Any]) -> None:
        if kind == "learnt":
            data["learnt"].append(name)
        elif kind == "goal":
            data["minutes"] = minutes
        elif kind == "box":
            data["words"].append([fresh, senses[fresh]])
        elif kind in ("hour", "ask"):
            data["hours"].append([teacher, day])
        elif kind == "quiz":
            data["answers"].append([str(units.index(name)), best])

    said = {"unit": name, "m": minutes, "word": term, "fresh": fresh, "sense": senses[fresh], "teacher": teacher}
    answers = {"mean": [senses[term]], "next": [name], "quiz": [w("right")]}.get(kind, [])
    site.task(
        draw.goal(kind, **said, day=draw.say_day(day)),
        steps,
        want=want,
        answer=answers,
        person=day if kind == "ask" else "",
    )
    return site

"""A dashboard: figures of departments by month, chosen from a field; two months to compare; targets to set."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, choose, click, done, fill, note
from gym.site import Form, Site
from gym.words import LANGUAGES, Draw

MONTHS = (
    "January; February; March; April; May; June",
    "Januar; Februar; März; April; Mai; Juni",
    "janvier; février; mars; avril; mai; juin",
    "enero; febrero; marzo; abril; mayo; junio",
    "一月; 二月; 三月; 四月; 五月; 六月",
)
MONTH = ("Month; Period", "Monat; Zeitraum", "Mois; Période", "Mes; Periodo", "月份; 时段")
TARGET = ("Target; Goal", "Ziel; Vorgabe", "Objectif; Cible", "Objetivo; Meta", "目标; 指标")
TARGETS = ("Targets; Plans", "Ziele; Planung", "Objectifs; Plans", "Objetivos; Planes", "目标管理; 计划")


def make(draw: Draw) -> Site:
    targets = draw.words(*TARGETS)
    site = Site(
        draw, {"/": "home", "/figures": "s_reports", "/targets": targets, "/people": "s_people", "/help": "help"}
    )
    figures, month_, target = site.sections["/figures"], draw.words(*MONTH), draw.words(*TARGET)
    months = [each.strip() for each in MONTHS[LANGUAGES.index(draw.language)].split(";")]
    unit_, total, edit = draw.word("department"), draw.word("total"), draw.word("edit")
    units = draw.some("departments", draw.number(3, 7))
    sums = {each: dict(zip(units, draw.sample(range(1100, 9900), len(units)), strict=True)) for each in months}
    site.data = {"targets": {unit: 100 * draw.number(10, 90) for unit in units}}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(draw.word("welcome")), ui.text(*draw.all("filler")[:2])]

    @site.page("/figures")
    def report(ui: Ui) -> Sequence[str]:
        shown = ui.query.get("month", months[0])
        form = ui.form("show", [ui.choose("month", month_, months, shown)], draw.word("open"))
        rows = [Row([unit, str(sums[shown][unit])]) for unit in units]
        return [ui.heading(f"{figures}: {shown}"), form, ui.table([unit_, total], rows)]

    @site.page("/targets")
    def plans(ui: Ui) -> Sequence[str]:
        rows = [
            Row([unit, str(n)], actions=[Action(edit, "edit", icon="✎")], key=unit)
            for unit, n in site.data["targets"].items()
        ]
        return [ui.heading(targets), ui.table([unit_, target], rows)]

    @site.page("/target/{at}")
    def plan(ui: Ui, at: str) -> Sequence[str]:
        unit = units[int(at)]
        field = ui.field("n", target, str(site.data["targets"][unit]), "number")
        return [ui.heading(unit), ui.form("save", [field], draw.word("save"), unit=unit)]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*draw.all("filler"))]

    @site.act("show")
    def show(form: Form) -> str:
        return f"/figures?month={form['month']}"

    @site.act("edit")
    def go(form: Form) -> str:
        return f"/target/{units.index(form['id'])}"

    @site.act("save")
    def save(form: Form) -> str | None:
        if not site.require(form, "n", bad_number__n=not form.get("n", "").strip().isdecimal()):
            return None
        site.data["targets"][form["unit"]] = int(form["n"])
        site.notice = draw.word("saved")
        return "/targets"

    kind = draw.pick(draw.kinds())
    unit = draw.pick(units)
    month, second = draw.sample(months[1:], 2)
    better = max(month, second, key=lambda each: sums[each][unit])
    best = max(units, key=lambda each: sums[month][each])
    fresh = 100 * draw.number(10, 90) + 50

    def look(which: str) -> Iterator[Step]:
        yield choose(month_, which)
        yield click(draw.word("open"))

    def steps() -> Iterator[Step]:
        if kind == "goal":
            yield click(targets)
            yield click(edit, row=unit)
            yield fill(target, str(fresh))
            yield click(draw.word("save"))
            yield done(f"{draw.word('saved')} {unit}: {fresh}", see=draw.word("saved"))
        yield click(figures)
        yield from look(month)
        if kind == "read":
            yield done(f"{unit}, {month}: {sums[month][unit]}", see=str(sums[month][unit]))
        elif kind == "best":
            top = sums[month][best]
            yield done(f"{best}: {top}", see=str(top), why=f"{top} is the most")
        yield note(f"{unit}, {month}: {sums[month][unit]}", see=str(sums[month][unit]))
        yield from look(second)
        yield done(f"{better}: {sums[better][unit]}", see=str(sums[second][unit]))

    def want(data: dict[str, Any]) -> None:
        if kind == "goal":
            data["targets"][unit] = fresh

    answers = {
        "read": [str(sums[month][unit])],
        "best": [best],
        "compare": [f"{better}: {sums[better][unit]}"],
    }.get(kind, [])
    goal = draw.goal(kind, unit=unit, month=month, second=second, n=fresh)
    site.task(goal, steps, want=want, answer=answers)
    return site

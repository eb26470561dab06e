"""Deals of a sales team in stages: columns of cards, moves from stage to stage, losses with a reason, calls."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, choose, click, done, fill, give_up
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    w = draw.word
    paths = {
        "/": "home",
        "/pipeline": "pipeline",
        "/companies": "companies",
        "/today": "today",
        "/forecast": "forecast",
    }
    site = Site(draw, paths, dressed="no")
    kind = draw.pick(draw.kinds())
    stages, whys = draw.all("stages"), draw.all("whys")
    firms, gap = draw.some("brands", 7), "" if draw.language == "zh" else " "
    *names, gone = [f"{draw.pick(draw.all('deal_names'))}{gap}{firm}" for firm in firms]
    worth = dict(zip(names, draw.sample(range(3, 95), len(names)), strict=True))
    people = {each: draw.person() for each in names}
    at = {each: draw.number(0, 2) for each in names}
    moves = draw.chance(0.5)
    site.keeps_entries = False
    site.data = {"stage": at, "lost": [], "calls": []}

    def money(name: str) -> str:
        return {"zh": f"¥{worth[name]}000", "en": f"${worth[name]},000"}.get(draw.language, f"{worth[name]}.000 €")

    def find_open(stage: int) -> list[str]:
        lost = [each for each, _ in site.data["lost"]]
        return [each for each in names if at[each] == stage and each not in lost]

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(w("welcome")), ui.text(draw.all("filler")[3])]

    @site.page("/pipeline")
    def pipeline(ui: Ui) -> Sequence[str]:
        columns: list[str] = []
        acts = [Action(w("move"), "move", icon="→")] if moves else []
        for number, stage in enumerate(stages):
            deals = find_open(number)
            further = acts if number < len(stages) - 1 else []
            rows = [Row([each, money(each)], f"/deal/{names.index(each)}", further, each) for each in deals]
            columns.append(
                ui.heading(f"{stage} ({len(deals)})", 3) + (ui.table([w("deal"), w("worth")], rows) if rows else "")
            )
        return [ui.heading(site.sections["/pipeline"]), *columns]

    @site.page("/deal/{number}")
    def deal(ui: Ui, number: str) -> Sequence[str]:
        one = names[int(number)]
        told = {w("stage"): stages[at[one]], w("worth"): money(one), w("contact_at"): people[one]}
        press = ui.button(w("move"), "move", id=one) if not moves and at[one] < len(stages) - 1 else ""
        call = ui.form("call", [ui.field("text", w("said"), kind="textarea")], w("log"), id=one)
        lose = ui.form("lose", [ui.choose("why", w("lost_why"), whys)], w("lose"), id=one)
        return [ui.heading(one), ui.facts(told), press, call, lose]

    @site.page("/companies")
    def companies(ui: Ui) -> Sequence[str]:
        return [ui.heading(site.sections["/companies"]), ui.table([w("name")], [Row([each]) for each in firms[:-1]])]

    @site.act("move")
    def move(form: Form) -> None:
        at[form["id"]] += 1
        site.notice = f"{form['id']}: {stages[at[form['id']]]}"

    @site.act("lose")
    def lose(form: Form) -> str:
        site.data["lost"].append([form["id"], form["why"]])
        site.notice = w("saved")
        return "/pipeline"

    @site.act("call")
    def call(form: Form) -> None:
        if site.require(form, "text"):
            site.data["calls"].append([form["id"], form["text"].strip()])
            site.notice = w("logged")

    name, why, text = draw.pick(names), draw.pick(whys[1:]), draw.pick(draw.all("sentences"))
    begin, last = at[name], len(stages) - 1
    times = {"next": 1, "both": 1, "won": last - begin}.get(kind, 0)
    best, stage = max(names, key=lambda each: worth[each]), draw.pick(stages[:3])
    count = len(find_open(stages.index(stage)))

    def steps() -> Iterator[Step]:
        yield click(site.sections["/pipeline"])
        if kind == "big":
            yield done(f"{best}: {money(best)}", see=best)
        elif kind == "count":
            yield done(f"{stage}: {count} ({w('deal')})", see=f"{stage} ({count})")
        elif kind == "absent":
            yield give_up(f"{gone}: {w('nothing_found')}", see=stages[-1], why="no stage has this deal")
        if kind not in ("next", "won") or not moves:
            yield click(name)
        if kind == "who":
            yield done(f"{name}: {people[name]}", see=people[name])
        elif kind == "lost":
            yield choose(w("lost_why"), why)
            yield click(w("lose"))
            yield done(f"{name}: {why}. {w('saved')}", see=w("saved"))
        elif kind in ("call", "both"):
            yield fill(w("said"), text)
            yield click(w("log"))
            if kind == "call":
                yield done(f"{name}: {w('logged')}", see=w("logged"))
            if moves:
                yield click(site.sections["/pipeline"])
        for number in range(times):
            row = name if moves else ""
            yield click(w("move"), row=row, why=f"{name} is at {stages[begin + number]}")
        end = stages[begin + times]
        yield done(f"{name}: {end}", see=f"{name}: {end}")

    def want(data: dict[str, Any]) -> None:
        data["stage"][name] += times
        if kind == "lost":
            data["lost"].append([name, why])
        elif kind in ("call", "both"):
            data["calls"].append([name, text])

    goal = draw.goal(kind, deal=name, why=why, text=text, stage=stage, gone=gone)
    answers = {"big": [best], "who": [people[name]], "count": [str(count)]}.get(kind, [])
    site.task(goal, steps, want=want, answer=answers, ending="give_up" if kind == "absent" else "done")
    return site

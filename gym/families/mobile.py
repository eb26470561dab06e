"""A phone provider: what is left of the month, plans to change, options to add and end, the card with its codes."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, ask, click, done, give_up
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    w = draw.word
    paths = {
        "/": "usage",
        "/plan": "plan",
        "/extras": "extras",
        "/sim": "sim",
        "/bills": "bills",
        "/devices": "devices",
    }
    site = Site(draw, paths)
    plans = draw.sample(draw.all("plans"), 4)
    sums = draw.sample(range(5, 60), 4)
    options = list(draw.all("options"))
    costs = {each: draw.money(1, 15) for each in options}
    kind = draw.pick(draw.kinds())
    mine = plans[0] if kind != "cheap" else plans[sums.index(max(sums))]
    roaming = options[:2]
    held = draw.sample(options[2:], 2)
    left, minutes = f"{draw.number(1, 19)},{draw.number(1, 9)} GB", f"{draw.number(20, 240)}"
    renewed, until = draw.days(2)
    puk, detailed = draw.digits(8), draw.chance(0.5)
    site.data = {"plan": mine, "options": held, "blocked": False}

    def write_sum(at: int) -> str:
        return {"zh": f"¥{sums[at]}", "en": f"${sums[at]}"}.get(draw.language, f"{sums[at]} €")

    @site.page("/")
    def usage(ui: Ui) -> Sequence[str]:
        told = {w("plan"): site.data["plan"], w("minutes_left"): minutes}
        more = {w("left"): left, w("renewed"): renewed}
        link = ui.link(w("open"), "/month") if detailed else ""
        return [ui.heading(w("welcome")), ui.facts(told if detailed else told | more), link]

    @site.page("/month")
    def month(ui: Ui) -> Sequence[str]:
        return [ui.heading(site.sections["/"]), ui.facts({w("left"): left, w("renewed"): renewed})]

    @site.page("/plan")
    def show_plan(ui: Ui) -> Sequence[str]:
        rows: list[Row] = []
        for at, each in enumerate(plans):
            now = each == site.data["plan"]
            change = () if now else (Action(w("switch_to"), "plan", True),)
            rows.append(Row([each, write_sum(at), w("current") if now else ""], actions=change, key=each))
        table = ui.table([w("name"), w("price"), w("status")], rows)
        return [ui.heading(site.sections["/plan"]), ui.facts({w("until"): until}), table]

    @site.page("/extras")
    def extras(ui: Ui) -> Sequence[str]:
        active = site.data["options"]
        rows = [
            Row(
                [each, costs[each]],
                actions=[Action(w("end"), "end", True) if each in active else Action(w("book"), "book")],
                key=each,
            )
            for each in options
        ]
        return [ui.heading(site.sections["/extras"]), ui.table([w("item"), w("price")], rows)]

    @site.page("/sim")
    def sim(ui: Ui) -> Sequence[str]:
        fields = [ui.field("pin", w("pin"), kind="password"), ui.field("again", w("pin_again"), kind="password")]
        state = ui.text(w("blocked")) if site.data["blocked"] else ui.button(w("block"), "block", sure=True)
        code = ui.facts({w("number"): f"0170 {puk[:5]}", w("puk"): puk})
        return [ui.heading(site.sections["/sim"]), code, ui.form("pin", fields, w("set_pin")), state]

    @site.act("plan")
    def change(form: Form) -> None:
        if kind == "bound":
            site.notice = w("not_yet")
            return
        site.data["plan"] = form["id"]
        site.notice = f"{w('saved')} {form['id']}: {w('booked')}"

    @site.act("book")
    def book(form: Form) -> None:
        site.data["options"].append(form["id"])
        site.notice = f"{form['id']}: {w('booked')}"

    @site.act("end")
    def end(form: Form) -> None:
        site.data["options"].remove(form["id"])
        site.notice = w("deleted")

    @site.act("block")
    def block(form: Form) -> None:
        site.data["blocked"] = True

    @site.act("pin")
    def pin(form: Form) -> None:
        if site.require(form, "pin", "again", bad_pin__pin=len(form["pin"]) != 4):
            site.notice = w("saved")

    free = [each for each in options if each not in held]
    option = draw.pick(roaming if kind == "ask" else free)
    old = draw.pick(held)
    plan = plans[sums.index(min(sums))] if kind == "cheap" else draw.pick(plans[1:])

    def steps() -> Iterator[Step]:
        if kind == "left":
            if detailed:
                yield click(w("open"), why="the details of the month")
            yield done(f"{w('left')}: {left}", see=left)
        elif kind in ("puk", "lost"):
            yield click(site.sections["/sim"])
            if kind == "puk":
                yield done(f"{w('puk')}: {puk}", see=puk)
            yield click(w("block"), sure=True)
            yield done(w("blocked"), see=w("blocked"))
        elif kind in ("plan", "cheap", "bound", "until"):
            yield click(site.sections["/plan"])
            if kind == "until":
                yield done(f"{w('until')}: {until}", see=until)
            yield click(w("switch_to"), row=plan, sure=True, why=f"{plan} costs least" if kind == "cheap" else "")
            if kind == "bound":
                yield give_up(f"{plan}: {w('not_yet')}", see=w("not_yet"), why="the site refuses")
            yield done(f"{w('saved')} {plan}", see=w("booked"))
        yield click(site.sections["/extras"])
        if kind == "ask":
            yield ask(f"{' / '.join(roaming)}?", see=roaming[1], why="two options fit")
        if kind in ("end", "swap"):
            yield click(w("end"), row=old, sure=True)
            if kind == "end":
                yield done(f"{old}: {w('deleted')}", see=w("deleted"))
        yield click(w("book"), row=option)
        yield done(f"{option}: {w('booked')}", see=w("booked"))

    def want(data: dict[str, Any]) -> None:
        if kind in ("plan", "cheap"):
            data["plan"] = plan
        elif kind == "lost":
            data["blocked"] = True
        if kind in ("end", "swap"):
            data["options"].remove(old)
        if kind in ("roam", "ask", "swap"):
            data["options"].append(option)

    goal = draw.goal(kind, option=option, held=old, plan=plan)
    answers = {"left": [left], "puk": [puk], "until": [until]}.get(kind, [])
    ending, person = "give_up" if kind == "bound" else "done", option if kind == "ask" else ""
    site.task(goal, steps, want=want, answer=answers, ending=ending, person=person)
    return site

"""An insurer: policies with their terms, claims with a state, a claim in two pages with a check before it is sent."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, choose, click, done, fill, give_up, tick
from gym.parts import read_day, set_day, write_day
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    w = draw.word
    paths = {"/": "home", "/policies": "policies", "/claims": "claims", "/claim": "new_claim", "/data": "details_"}
    site = Site(draw, paths | {"/agents": "agents"}, dressed="no")
    kind = draw.pick(draw.kinds())
    *names, missing = draw.sample(draw.all("policy_names"), 5)
    premiums = dict(zip(names, draw.sample(range(40, 900), 4), strict=True))
    excess = {each: draw.money(50, 600) for each in names}
    days = draw.days(5)
    claims = {day: [draw.pick(names), draw.pick(draw.all("claim_states"))] for day in days[:3]}
    causes, rhythms, number = draw.all("causes"), draw.all("rhythms"), draw.digits(7)
    paying = dict.fromkeys(names, rhythms[0])
    entered: dict[str, str] = {}
    euro = {"zh": "¥", "en": "$"}.get(draw.language, "€")
    site.data = {"claims": [], "paying": paying, "iban": "AB12 3400"}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(w("welcome")), ui.text(*draw.all("filler")[:2])]

    @site.page("/policies")
    def policies(ui: Ui) -> Sequence[str]:
        rows = [Row([each, f"{premiums[each]} {euro}"], f"/policy/{at}") for at, each in enumerate(names)]
        return [ui.heading(site.sections["/policies"]), ui.table([w("policy"), w("premium")], rows)]

    @site.page("/policy/{at}")
    def policy(ui: Ui, at: str) -> Sequence[str]:
        one = names[int(at)]
        told = ui.facts({w("excess"): excess[one], w("sum_insured"): f"50000 {euro}"})
        form = ui.form("paying", [ui.choose("rhythm", w("paying"), rhythms, paying[one])], w("set_paying"), id=one)
        return [ui.heading(one), told, form]

    @site.page("/claims")
    def show_claims(ui: Ui) -> Sequence[str]:
        rows = [Row([day, name], f"/claims/{day}") for day, (name, _) in claims.items()]
        return [ui.heading(site.sections["/claims"]), ui.table([w("happened"), w("policy")], rows)]

    @site.page("/claims/{day}")
    def one_claim(ui: Ui, day: str) -> Sequence[str]:
        name, state = claims[day]
        return [ui.heading(f"{name}, {day}"), ui.facts({w("status"): state})]

    @site.page("/claim")
    def first(ui: Ui) -> Sequence[str]:
        fields = [
            ui.choose("policy", w("policy"), names),
            ui.choose("cause", w("cause"), causes),
            write_day(ui, "day", w("happened")),
        ]
        return [ui.heading(f"{site.sections['/claim']} 1/2"), ui.form("first", fields, w("next"))]

    @site.page("/claim/2")
    def second(ui: Ui) -> Sequence[str]:
        fields = [
            ui.field("sum", w("amount")),
            ui.field("text", w("tell"), kind="textarea"),
            ui.check("police", w("police")),
        ]
        told = ui.facts({w("policy"): entered.get("policy", ""), w("happened"): entered.get("day", "")})
        return [ui.heading(f"{site.sections['/claim']} 2/2"), told, ui.form("second", fields, w("send_claim"))]

    @site.page("/data")
    def data_page(ui: Ui) -> Sequence[str]:
        form = ui.form("iban", [ui.field("iban", w("iban"), site.data["iban"])], w("save"))
        return [ui.heading(site.sections["/data"]), form]

    @site.act("first")
    def go_on(form: Form) -> str:
        day = read_day(site, form, "day")
        if not site.require({**form, "day": day}, "day"):
            return "/claim"
        if kind == "late" and day == days[4]:
            site.notice = w("late")
            return "/claim"
        entered.update({"policy": form["policy"], "cause": form["cause"], "day": day})
        return "/claim/2"

    @site.act("second")
    def send(form: Form) -> str | None:
        if not site.require(form, "sum", "text"):
            return None
        site.data["claims"].append([*entered.values(), form["sum"].strip(), form["text"].strip(), "police" in form])
        site.notice = f"{w('claim_no')} {number}"
        return "/claims"

    @site.act("paying")
    def pay(form: Form) -> None:
        paying[form["id"]] = form["rhythm"]
        site.notice = w("saved")

    @site.act("iban")
    def iban(form: Form) -> None:
        if site.require(form, "iban"):
            site.data["iban"] = form["iban"].strip()
            site.notice = w("saved")

    name, day, when = draw.pick(names[1:]), days[4], draw.pick(list(claims))
    cause = causes[0] if kind == "stolen" else draw.pick(causes[1:])
    sum_, text, rhythm = str(draw.number(80, 2500)), draw.pick(draw.all("sentences")), draw.pick(rhythms[1:])
    dear, account = max(names, key=lambda each: premiums[each]), f"XK{draw.digits(2)} {draw.digits(4)} {draw.digits(4)}"

    def steps() -> Iterator[Step]:
        if kind == "iban":
            yield click(site.sections["/data"])
            yield fill(w("iban"), account)
            yield click(w("save"))
            yield done(f"{w('saved')} {w('iban')}: {account}", see=w("saved"))
        elif kind == "state":
            yield click(site.sections["/claims"])
            yield click(when)
            yield done(f"{when}: {claims[when][1]}", see=claims[when][1])
        elif kind in ("claim", "stolen", "late"):
            yield click(site.sections["/claim"])
            yield choose(w("policy"), name)
            if cause != causes[0]:
                yield choose(w("cause"), cause)
            yield from set_day(site, w("happened"), day)
            yield click(w("next"))
            if kind == "late":
                yield give_up(f"{day}: {w('late')}", see=w("late"), why="the insurer refuses it")
            yield fill(w("amount"), sum_)
            yield fill(w("tell"), text)
            if kind == "stolen":
                yield tick(w("police"))
            yield click(w("send_claim"))
            yield done(f"{w('claim_no')} {number}", see=number)
        yield click(site.sections["/policies"])
        if kind == "dear":
            yield done(f"{dear}: {premiums[dear]} {euro}", see=dear)
        elif kind == "none":
            yield give_up(
                f"{missing}: {w('nothing_found')} {', '.join(names)}",
                see=names[-1],
                why=f"there is no policy {missing}",
            )
        yield click(name)
        if kind == "excess":
            yield done(f"{name}, {w('excess')}: {excess[name]}", see=excess[name])
        yield choose(w("paying"), rhythm)
        yield click(w("set_paying"))
        yield done(f"{name}: {rhythm}. {w('saved')}", see=w("saved"))

    def want(data: dict[str, Any]) -> None:
        if kind in ("claim", "stolen"):
            data["claims"].append([name, cause, day, sum_, text, kind == "stolen"])
        elif kind == "pay":
            data["paying"][name] = rhythm
        elif kind == "iban":
            data["iban"] = account

    values = {"policy": name, "cause": cause, "day": draw.say_day(day), "sum": sum_, "text": text, "rhythm": rhythm}
    goal = draw.goal(kind, **values, when=draw.say_day(when), missing=missing, iban=account)
    answers = {"excess": [excess[name]], "state": [claims[when][1]], "dear": [dear]}.get(kind, [])
    ending = "give_up" if kind in ("late", "none") else "done"
    site.task(goal, steps, want=want, answer=answers, ending=ending)
    return site

"""A pharmacy: remedies in packs to be put aside at a branch, earlier orders to repeat, duty at night, a question."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, ask, choose, click, done, fill, give_up, search, tick
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    w = draw.word
    paths = {"/": "home", "/shelf": "shelf", "/before": "before", "/bag": "bag", "/duty": "duty", "/advice": "advice"}
    site = Site(draw, paths)
    *goods, absent = draw.sample(draw.all("remedies"), 10)
    packs, branches = draw.all("packs"), draw.some("cities", 3)
    doses = {each: draw.pick(draw.all("doses")) for each in goods}
    sides = {each: draw.pick(draw.all("sides")) for each in goods}
    orders = {day: draw.sample(goods, 2) for day in draw.days(4)}
    listed = draw.sample(list(orders), 4)
    duty = dict(zip(draw.days(4), draw.some("brands", 4), strict=True))
    strict = goods[0]
    code, kept = draw.digits(4), draw.sample(goods[1:], 2)
    site.keeps_entries = False
    site.data = {"bag": [[each, packs[0], branches[0]] for each in kept], "again": [], "asked": []}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        first = next(iter(duty))
        return [
            ui.heading(w("welcome")),
            ui.facts({f"{w('duty')} {first}": duty[first]}),
            ui.text(draw.all("filler")[3]),
        ]

    @site.page("/shelf")
    def show_remedies(ui: Ui) -> Sequence[str]:
        rows = [Row([each], f"/shelf/{at}") for at, each in enumerate(goods)]
        return [ui.heading(site.sections["/shelf"]), ui.listing([w("item")], rows, "/shelf", size=5)]

    @site.page("/shelf/{at}")
    def remedy(ui: Ui, at: str) -> Sequence[str]:
        one = goods[int(at)]
        fields = [ui.choose("pack", w("pack"), packs), ui.choose("branch", w("branch"), branches)]
        facts = ui.facts({w("dose"): doses[one], w("side"): sides[one]})
        return [ui.heading(one), ui.form("put", fields, w("put"), good=one), facts]

    @site.page("/before")
    def before(ui: Ui) -> Sequence[str]:
        rows = [
            Row([day, ", ".join(orders[day])], actions=[Action(w("again"), "again", icon="↻")], key=day)
            for day in listed
        ]
        return [ui.heading(site.sections["/before"]), ui.table([w("date"), w("item")], rows)]

    @site.page("/bag")
    def bag(ui: Ui) -> Sequence[str]:
        drop = [Action(w("delete"), "drop", icon="✕")]
        rows = [Row([good, pack, branch], actions=drop, key=good) for good, pack, branch in site.data["bag"]]
        return [ui.heading(site.sections["/bag"]), ui.table([w("item"), w("pack"), w("branch")], rows)]

    @site.page("/duty")
    def night(ui: Ui) -> Sequence[str]:
        rows = [Row([day, name]) for day, name in duty.items()]
        return [ui.heading(site.sections["/duty"]), ui.table([w("date"), w("branch")], rows)]

    @site.page("/advice")
    def advice(ui: Ui) -> Sequence[str]:
        fields = [ui.field("text", w("question"), kind="textarea"), ui.field("phone", w("phone"))]
        fields.append(ui.check("call", w("call_back")))
        return [ui.heading(site.sections["/advice"]), ui.form("ask", fields, w("send"))]

    @site.act("put")
    def put(form: Form) -> None:
        if form["good"] == strict:
            site.notice = f"{strict}: {w('prescription')}"
            return
        site.data["bag"].append([form["good"], form["pack"], form["branch"]])
        site.notice = f"{w('laid')} {code}"

    @site.act("again")
    def again(form: Form) -> str:
        site.data["again"].append(form["id"])
        site.notice = f"{w('laid')} {code}"
        return "/bag"

    @site.act("drop")
    def drop(form: Form) -> None:
        site.data["bag"] = [each for each in site.data["bag"] if each[0] != form["id"]]
        site.notice = w("deleted")

    @site.act("ask")
    def take_question(form: Form) -> None:
        if site.require(form, "text", "phone"):
            site.data["asked"].append([form["text"].strip(), form["phone"].strip(), "call" in form])
            site.notice = w("sent")

    kind = draw.pick(draw.kinds())
    good = strict if kind == "rx" else draw.pick([each for each in goods[1:] if each not in kept])
    pack, branch = draw.pick(packs[1:]), draw.pick(branches[1:])
    date = max(orders) if kind == "newest" else draw.pick(list(orders))
    night_day, seeks = draw.pick(list(duty)[1:]), kind == "absent" or draw.chance(0.4)
    text, phone = draw.pick(draw.all("sentences")), draw.digits(9)

    def steps() -> Iterator[Step]:
        if kind in ("again", "newest"):
            yield click(site.sections["/before"])
            yield click(w("again"), row=date, why=f"{date} is the newest" if kind == "newest" else "")
            yield done(f"{w('laid')} {code}", see=code)
        elif kind == "night":
            yield click(site.sections["/duty"])
            yield done(f"{night_day}: {duty[night_day]}", see=duty[night_day])
        elif kind == "drop":
            yield click(site.sections["/bag"])
            yield click(w("delete"), row=kept[0])
            yield done(f"{kept[0]}: {w('deleted')}", see=w("deleted"))
        elif kind == "tell":
            yield click(site.sections["/advice"])
            yield fill(w("question"), text)
            yield fill(w("phone"), phone)
            yield tick(w("call_back"))
            yield click(w("send"))
            yield done(f"{w('sent')} {w('call_back')}", see=w("sent"))
        yield click(site.sections["/shelf"])
        if seeks:
            yield search(absent if kind == "absent" else good)
        if kind == "absent":
            yield give_up(f"{absent}: {w('nothing_found')}", see=w("nothing_found"))
        yield click(good)
        if kind == "dose":
            yield done(f"{good} – {w('dose')}: {doses[good]}", see=doses[good])
        elif kind == "side":
            yield done(f"{good} – {w('side')}: {sides[good]}", see=sides[good])
        if kind == "ask":
            yield ask(f"{w('pack')}: {' / '.join(packs)}?", see=packs[1], why="the goal does not say how many")
        yield choose(w("pack"), pack)
        yield choose(w("branch"), branch)
        yield click(w("put"))
        if kind == "rx":
            yield give_up(f"{good}: {w('prescription')}", see=w("prescription"), why="the site refuses")
        yield done(f"{w('laid')} {code}", see=code)

    def want(data: dict[str, Any]) -> None:
        if kind in ("take", "ask"):
            data["bag"].append([good, pack, branch])
        elif kind in ("again", "newest"):
            data["again"].append(date)
        elif kind == "drop":
            data["bag"] = [each for each in data["bag"] if each[0] != kept[0]]
        elif kind == "tell":
            data["asked"].append([text, phone, True])

    said = absent if kind == "absent" else good
    values = {
        "pack": pack,
        "branch": branch,
        "date": draw.say_day(date),
        "day": draw.say_day(night_day),
        "held": kept[0],
    }
    goal = draw.goal(kind, good=said, **values, text=text, phone=phone)
    answers = {"dose": [doses[good]], "side": [sides[good]], "night": [duty[night_day]]}.get(kind, [])
    ending, person = "give_up" if kind in ("rx", "absent") else "done", pack if kind == "ask" else ""
    site.task(goal, steps, want=want, answer=answers, ending=ending, person=person)
    return site

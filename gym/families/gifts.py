"""Gift registries: lists of people with wishes, gifts reserved with a card, wishes that are taken, own wishes."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, ask, click, done, fill, give_up
from gym.parts import set_amount, write_amount
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    w = draw.word
    site = Site(
        draw, {"/": "home", "/lists": "lists", "/own": "own", "/given": "given", "/ideas": "ideas"}, dressed="no"
    )
    kind = draw.pick(draw.kinds())
    people = draw.people(4)
    *goods, held, fresh = draw.some("goods", 10)
    wishes = {each: draw.sample(goods, 4) for each in people}
    sums = dict(zip(goods, draw.sample(range(9, 250), len(goods)), strict=True))
    left = {f"{who}|{good}": draw.number(3, 6) for who in people for good in wishes[who]}
    occasions = {each: draw.pick(draw.all("occasions")) for each in people}
    days = dict(zip(people, draw.days(4), strict=True))
    sign = {"zh": "¥", "en": "$"}.get(draw.language, "€")
    who = draw.pick(people)
    good = draw.pick(wishes[who])
    if kind == "gone":
        left[f"{who}|{good}"] = 0
    site.keeps_entries = False
    site.data = {"left": left, "given": [[people[0], held, 1, ""]], "own": []}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(site.brand), ui.text(draw.all("filler")[0])]

    @site.page("/lists")
    def lists(ui: Ui) -> Sequence[str]:
        rows = [Row([each, occasions[each]], f"/list/{at}") for at, each in enumerate(people)]
        return [ui.heading(site.sections["/lists"]), ui.listing([w("of_"), w("occasion")], rows, "/lists")]

    @site.page("/list/{at}")
    def one_list(ui: Ui, at: str) -> Sequence[str]:
        one = people[int(at)]
        rows = [
            Row([each, f"{sums[each]} {sign}", str(left[f"{one}|{each}"])], f"/wish/{at}/{goods.index(each)}")
            for each in wishes[one]
        ]
        facts = ui.facts({w("occasion"): occasions[one], w("deliver"): days[one]})
        return [ui.heading(f"{w('of_')} {one}"), facts, ui.table([w("item"), w("price"), w("left")], rows)]

    @site.page("/wish/{at}/{number}")
    def wish(ui: Ui, at: str, number: str) -> Sequence[str]:
        one, each = people[int(at)], goods[int(number)]
        if not left[f"{one}|{each}"]:
            return [ui.heading(each), ui.text(w("taken"))]
        fields = [write_amount(ui, "n", w("how_many"), 1, 6), ui.field("text", w("greeting"), kind="textarea")]
        return [
            ui.heading(each),
            ui.facts({w("to_where"): one}),
            ui.form("give", fields, w("give"), who=one, good=each),
        ]

    @site.page("/given")
    def given(ui: Ui) -> Sequence[str]:
        back = [Action(w("free_again"), "back", True)]
        rows = [Row([each, name, str(n)], actions=back, key=each) for name, each, n, _ in site.data["given"]]
        return [ui.heading(site.sections["/given"]), ui.table([w("item"), w("of_"), w("quantity")], rows)]

    @site.page("/own")
    def own(ui: Ui) -> Sequence[str]:
        rows = [Row([each, str(n)]) for each, n in site.data["own"]]
        form = ui.form("wish", [ui.field("name", w("item")), write_amount(ui, "n", w("wished"), 1)], w("wish_for"))
        return [ui.heading(site.sections["/own"]), ui.table([w("item"), w("wished")], rows), form]

    @site.act("give")
    def give(form: Form) -> str | None:
        if not site.require(form, "n", "text", bad_number__n=not form["n"].strip().isdecimal()):
            return None
        left[f"{form['who']}|{form['good']}"] -= int(form["n"])
        site.data["given"].append([form["who"], form["good"], int(form["n"]), form["text"].strip()])
        site.notice = w("reserved")
        return "/given"

    @site.act("back")
    def back(form: Form) -> None:
        site.data["given"] = [each for each in site.data["given"] if each[1] != form["id"]]
        site.notice = w("deleted")

    @site.act("wish")
    def add(form: Form) -> None:
        if site.require(form, "name", "n"):
            site.data["own"].append([form["name"].strip(), form["n"].strip()])
            site.notice = w("added")

    n, text = draw.number(2, 3), draw.pick(draw.all("sentences"))
    count = n if kind == "some" else 1
    cheapest = min(wishes[who], key=lambda each: sums[each])

    def steps() -> Iterator[Step]:
        if kind == "back":
            yield click(site.sections["/given"])
            yield click(w("free_again"), row=held, sure=True)
            yield done(f"{held}: {w('deleted')}", see=w("deleted"))
        elif kind == "wish":
            yield click(site.sections["/own"])
            yield fill(w("item"), fresh)
            yield from set_amount(site, w("wished"), 1, n)
            yield click(w("wish_for"))
            yield done(f"{fresh}: {w('added')}", see=w("added"))
        yield click(site.sections["/lists"])
        yield click(who)
        if kind == "cheap":
            yield done(f"{cheapest}: {sums[cheapest]} {sign}", see=cheapest)
        elif kind == "until":
            yield done(f"{who}: {w('deliver')} {days[who]}", see=days[who])
        elif kind == "ask":
            yield ask(f"{' / '.join(wishes[who])}?", see=good, why="the goal does not say which gift")
        yield click(good)
        if kind == "gone":
            yield give_up(f"{good}: {w('taken')}", see=w("taken"), why="others give it already")
        yield from set_amount(site, w("how_many"), 1, count)
        yield fill(w("greeting"), text)
        yield click(w("give"))
        yield done(f"{good}: {w('reserved')}", see=w("reserved"))

    def want(data: dict[str, Any]) -> None:
        if kind in ("give", "some", "ask"):
            data["left"][f"{who}|{good}"] -= count
            data["given"].append([who, good, count, text])
        elif kind == "back":
            data["given"] = []
        elif kind == "wish":
            data["own"].append([fresh, str(n)])

    goal = draw.goal(kind, who=who, good=good, n=n, text=text, held=held, fresh=fresh)
    answers = {"cheap": [cheapest], "until": [days[who]]}.get(kind, [])
    ending, person = "give_up" if kind == "gone" else "done", good if kind == "ask" else ""
    site.task(goal, steps, want=want, answer=answers, ending=ending, person=person)
    return site

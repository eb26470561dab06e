"""A second-hand market: ads by place, offers to sellers, offers of buyers to take or refuse, own ads to change."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, ask, click, done, fill, give_up
from gym.parts import set_view, write_view
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    w = draw.word
    paths = {"/": "home", "/ads": "ads", "/mine": "my_ads", "/offers": "offers", "/chats": "chats", "/safety": "safety"}
    site = Site(draw, paths, dressed="no")
    kind = draw.pick(draw.kinds())
    *things, one_mine, two_mine = draw.sample(draw.all("things"), 10)
    cities = draw.some("cities", 4)
    pairs = [(thing, draw.pick(cities)) for thing in things]
    pairs += [(things[0], draw.pick([each for each in cities if each != pairs[0][1]]))]
    sums = dict(zip(pairs, draw.sample(range(15, 400), len(pairs)), strict=True))
    pickups = {pair: draw.pick(draw.all("pickups")) for pair in pairs}
    sellers = {pair: draw.person() for pair in pairs}
    order = draw.sample(pairs, len(pairs))
    buyers = draw.people(4)
    bids = dict(zip(buyers, draw.sample(range(20, 300), 4), strict=True))
    mine = {one_mine: draw.number(60, 300), two_mine: draw.number(60, 300)}
    pair = draw.pick([each for each in pairs if (each[0] == things[0]) == (kind == "ask")])
    sign = {"zh": "¥", "en": "£"}.get(draw.language, "€")
    everything = w("everything")
    site.keeps_entries = False
    site.data = {"sent": [], "deals": [], "refused": [], "mine": mine, "sold": []}

    def money(sum_: int) -> str:
        return f"{sum_} €" if sign == "€" else f"{sign}{sum_}"

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(w("welcome")), ui.facts({w("my_ads"): str(len(mine)), w("offers"): str(len(bids))})]

    @site.page("/ads")
    def ads(ui: Ui) -> Sequence[str]:
        city = ui.query.get("city", everything)
        shown = [each for each in order if city in (everything, each[1])]
        rows = [Row([each[0], each[1], money(sums[each])], f"/ad/{pairs.index(each)}") for each in shown]
        view = write_view(ui, "/ads", "city", w("near"), [everything, *cities])
        table = ui.listing([w("item"), w("near"), w("asking")], rows, "/ads", size=10)
        return [ui.heading(site.sections["/ads"]), view, table]

    @site.page("/ad/{at}")
    def ad(ui: Ui, at: str) -> Sequence[str]:
        one = pairs[int(at)]
        told = {w("asking"): money(sums[one]), w("near"): one[1], w("seller"): sellers[one], w("pickup"): pickups[one]}
        form = ui.form("offer", [ui.field("sum", w("offer"), kind="number")], w("make_offer"), at=at)
        return [ui.heading(one[0]), ui.facts(told), form]

    @site.page("/offers")
    def offers(ui: Ui) -> Sequence[str]:
        acts = [Action(w("accept_offer"), "deal", icon="✓"), Action(w("refuse"), "refuse", icon="✕")]
        answered = [*site.data["deals"], *site.data["refused"]]
        rows = [
            Row([each, one_mine, money(bids[each])], actions=acts, key=each) for each in bids if each not in answered
        ]
        return [ui.heading(site.sections["/offers"]), ui.table([w("from_who"), w("item"), w("price")], rows)]

    @site.page("/mine")
    def my_ads(ui: Ui) -> Sequence[str]:
        rows: list[Row] = []
        for each, sum_ in mine.items():
            sold = each in site.data["sold"]
            acts = [] if sold else [Action(w("sold"), "sold")]
            rows.append(
                Row([each, w("sold_state") if sold else money(sum_)], f"/mine/{list(mine).index(each)}", acts, each)
            )
        return [ui.heading(site.sections["/mine"]), ui.table([w("item"), w("asking")], rows)]

    @site.page("/mine/{at}")
    def my_ad(ui: Ui, at: str) -> Sequence[str]:
        each = list(mine)[int(at)]
        form = ui.form("lower", [ui.field("sum", w("lower"), str(mine[each]), "number")], w("set_price"), id=each)
        return [ui.heading(each), form]

    @site.act("offer")
    def offer(form: Form) -> None:
        if kind == "firm" and pairs[int(form["at"])] == pair:
            site.notice = w("firm")
        elif site.require(form, "sum", bad_number__sum=not form["sum"].strip().isdecimal()):
            site.data["sent"].append([*pairs[int(form["at"])], int(form["sum"])])
            site.notice = w("offered")

    @site.act("deal")
    def deal(form: Form) -> None:
        site.data["deals"].append(form["id"])
        site.notice = f"{w('deal')} {form['id']}"

    @site.act("refuse")
    def refuse(form: Form) -> None:
        site.data["refused"].append(form["id"])
        site.notice = w("turned")

    @site.act("lower")
    def lower(form: Form) -> str | None:
        if not site.require(form, "sum", bad_number__sum=not form["sum"].strip().isdecimal()):
            return None
        mine[form["id"]] = int(form["sum"])
        site.notice = w("saved")
        return "/mine"

    @site.act("sold")
    def sold(form: Form) -> None:
        site.data["sold"].append(form["id"])

    own, city = draw.pick(list(mine)), pair[1]
    sum_ = mine[own] - draw.number(5, 40) if kind == "lower" else max(5, sums[pair] - draw.number(2, 12))
    buyer = max(bids, key=lambda each: bids[each]) if kind == "best" else draw.pick(buyers)
    cheapest = min((each for each in pairs if each[1] == city), key=lambda each: sums[each])
    narrow = kind in ("cheap", "ask") or draw.chance(0.6)

    def steps() -> Iterator[Step]:
        if kind in ("deal", "best", "refuse"):
            yield click(site.sections["/offers"])
            label = w("refuse") if kind == "refuse" else w("accept_offer")
            yield click(label, row=buyer, why=f"{buyer} offers most" if kind == "best" else "")
            said = w("turned") if kind == "refuse" else w("deal")
            yield done(f"{said} {buyer}, {money(bids[buyer])}", see=said)
        elif kind in ("lower", "gone"):
            yield click(site.sections["/mine"])
            if kind == "gone":
                yield click(w("sold"), row=own)
                yield done(f"{own}: {w('sold_state')}", see=w("sold_state"))
            yield click(own)
            yield fill(w("lower"), str(sum_))
            yield click(w("set_price"))
            yield done(f"{own}: {money(sum_)}. {w('saved')}", see=w("saved"))
        yield click(site.sections["/ads"])
        if kind == "ask":
            places = [each[1] for each in pairs if each[0] == things[0]]
            yield ask(f"{things[0]}: {' / '.join(places)}?", see=things[0], why="two ads fit")
        if narrow:
            yield from set_view(site, w("near"), city)
        if kind == "cheap":
            yield done(f"{cheapest[0]}: {money(sums[cheapest])}", see=cheapest[0])
        yield click(pair[0])
        if kind == "fetch":
            yield done(f"{pair[0]}: {pickups[pair]}", see=pickups[pair])
        yield fill(w("offer"), str(sum_))
        yield click(w("make_offer"))
        if kind == "firm":
            yield give_up(f"{pair[0]}: {w('firm')}", see=w("firm"), why="the seller takes no offers")
        yield done(f"{pair[0]}, {sum_}: {w('offered')}", see=w("offered"))

    def want(data: dict[str, Any]) -> None:
        if kind in ("haggle", "ask"):
            data["sent"].append([*pair, sum_])
        elif kind in ("deal", "best"):
            data["deals"].append(buyer)
        elif kind == "refuse":
            data["refused"].append(buyer)
        elif kind == "lower":
            data["mine"][own] = sum_
        elif kind == "gone":
            data["sold"].append(own)

    goal = draw.goal(kind, thing=pair[0], city=city, sum=sum_, buyer=buyer, mine=own)
    answers = {"cheap": [cheapest[0]], "fetch": [pickups[pair]]}.get(kind, [])
    ending, person = "give_up" if kind == "firm" else "done", city if kind == "ask" else ""
    site.task(goal, steps, want=want, answer=answers, ending=ending, person=person)
    return site

"""Auctions: lots that end at their times, bids that must be higher than the last, an order to choose, a watch list."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, ask, click, done, fill, give_up, search
from gym.parts import set_view, write_view
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    w = draw.word
    paths = {"/": "home", "/lots": "lots", "/mine": "mine", "/watched": "watched", "/sell": "sell", "/rules": "rules"}
    site = Site(draw, paths, dressed="no")
    kind = draw.pick(draw.kinds())
    *lots, fresh = draw.sample(draw.all("things"), draw.number(7, 10))
    sums = dict(zip(lots, draw.sample(range(30, 900), len(lots)), strict=True))
    ends = dict(zip(lots, draw.days(len(lots)), strict=True))
    order = draw.sample(lots, len(lots))
    sellers = {each: draw.person() for each in lots}
    states = {each: draw.pick(draw.all("conditions")) for each in lots}
    held = order[0]
    site.keeps_entries = False
    site.data = {"bids": [], "watched": [held], "offered": []}
    sorts = [w("title"), w("ending_soon"), w("cheap_first")]
    sign = {"zh": "¥", "en": "$"}.get(draw.language, "€")

    def money(sum_: int) -> str:
        return f"{sum_} €" if sign == "€" else f"{sign}{sum_}"

    def rows(names: Sequence[str]) -> list[Row]:
        return [Row([each, money(sums[each]), ends[each]], f"/lot/{lots.index(each)}") for each in names]

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        table = ui.table([w("lot"), w("highest"), w("ends")], rows(order[-2:]))
        return [ui.heading(site.brand), ui.text(draw.all("filler")[0]), table]

    @site.page("/lots")
    def listing(ui: Ui) -> Sequence[str]:
        sort = ui.query.get("sort", sorts[0])
        by_end, by_sum = sorted(order, key=lambda each: ends[each]), sorted(order, key=lambda each: sums[each])
        shown = {sorts[1]: by_end, sorts[2]: by_sum}.get(sort, order)
        view = write_view(ui, "/lots", "sort", w("sort"), sorts)
        table = ui.listing([w("lot"), w("highest"), w("ends")], rows(shown), "/lots", size=5)
        return [ui.heading(site.sections["/lots"]), view, table]

    @site.page("/lot/{at}")
    def one_lot(ui: Ui, at: str) -> Sequence[str]:
        one = lots[int(at)]
        told = {
            w("highest"): money(sums[one]),
            w("ends"): ends[one],
            w("seller"): sellers[one],
            w("condition"): states[one],
        }
        form = ui.form("bid", [ui.field("sum", w("bid"), kind="number")], w("place"), lot=one)
        seen = one in site.data["watched"]
        watch = ui.button(w("unwatch") if seen else w("watch"), "watch", lot=one)
        return [ui.heading(one), watch, ui.facts(told), form]

    @site.page("/mine")
    def mine(ui: Ui) -> Sequence[str]:
        return [
            ui.heading(site.sections["/mine"]),
            ui.text(*(f"{lot}: {money(sum_)}" for lot, sum_ in site.data["bids"])),
        ]

    @site.page("/watched")
    def watched(ui: Ui) -> Sequence[str]:
        columns = [w("lot"), w("highest"), w("ends")]
        return [ui.heading(site.sections["/watched"]), ui.table(columns, rows(site.data["watched"]))]

    @site.page("/sell")
    def sell(ui: Ui) -> Sequence[str]:
        fields = [
            ui.field("name", w("title")),
            ui.field("sum", w("starting"), kind="number"),
            ui.field("text", w("describe"), kind="textarea"),
        ]
        return [ui.heading(site.sections["/sell"]), ui.form("offer", fields, w("offer"))]

    @site.act("bid")
    def bid(form: Form) -> None:
        given = form["sum"].strip()
        low = given.isdecimal() and int(given) <= sums[form["lot"]]
        if site.require(form, "sum", bad_number__sum=not given.isdecimal(), too_low__sum=low):
            site.data["bids"].append([form["lot"], int(given)])
            sums[form["lot"]] = int(given)
            site.notice = w("leading")

    @site.act("watch")
    def watch(form: Form) -> None:
        seen: list[str] = site.data["watched"]
        seen.remove(form["lot"]) if form["lot"] in seen else seen.append(form["lot"])
        site.notice = w("saved")

    @site.act("offer")
    def offer(form: Form) -> str | None:
        if not site.require(form, "name", "sum", "text"):
            return None
        site.data["offered"].append([form[each].strip() for each in ("name", "sum", "text")])
        site.notice = w("added")
        return "/"

    lot = min(lots, key=lambda each: sums[each]) if kind == "cheap" else draw.pick(order[1:])
    sum_ = sums[lot] - draw.number(3, 20) if kind == "low" else sums[lot] + draw.number(5, 80)
    first, text = min(lots, key=lambda each: ends[each]), draw.pick(draw.all("sentences"))
    seeks, now = draw.chance(0.4), money(sums[lot])

    def steps() -> Iterator[Step]:
        if kind == "offer":
            yield click(site.sections["/sell"])
            yield fill(w("title"), fresh)
            yield fill(w("starting"), str(sum_))
            yield fill(w("describe"), text)
            yield click(w("offer"))
            yield done(f"{fresh}: {w('added')}", see=w("added"))
        elif kind == "blind":
            yield click(site.sections["/watched"])
            yield click(held)
            yield click(w("unwatch"))
            yield done(f"{held}: {w('saved')}", see=w("saved"))
        elif kind == "ask":
            yield ask(f"{w('bid')}?", why="the goal does not say how much")
        yield click(site.sections["/lots"])
        if kind == "soon":
            yield from set_view(site, w("sort"), sorts[1])
            yield done(f"{first}: {ends[first]}", see=first)
        elif kind == "cheap":
            yield from set_view(site, w("sort"), sorts[2], why="the lowest must be found")
        elif kind == "absent":
            yield search(fresh)
            yield give_up(f"{fresh}: {w('nothing_found')}", see=w("nothing_found"))
        elif seeks:
            yield search(lot)
        if kind == "top":
            yield done(f"{lot}: {now}", see=now)
        yield click(lot)
        if kind == "state":
            yield done(f"{lot}: {states[lot]}", see=states[lot])
        elif kind == "eye":
            yield click(w("watch"))
            yield done(f"{lot}: {w('saved')}", see=w("saved"), why=f"{lot} is watched now")
        yield fill(w("bid"), str(sum_))
        yield click(w("place"))
        if kind == "low":
            yield give_up(f"{lot}, {sum_}: {w('too_low')}", see=w("too_low"), why="the bid is too low")
        yield done(f"{lot}: {w('leading')} ({sum_})", see=w("leading"))

    def want(data: dict[str, Any]) -> None:
        if kind in ("bid", "cheap", "ask"):
            data["bids"].append([lot, sum_])
        elif kind == "eye":
            data["watched"].append(lot)
        elif kind == "blind":
            data["watched"].remove(held)
        elif kind == "offer":
            data["offered"].append([fresh, str(sum_), text])

    goal = draw.goal(kind, lot=lot, sum=sum_, held=held, fresh=fresh, text=text)
    answers = {"top": [now], "state": [states[lot]], "soon": [first]}.get(kind, [])
    ending, person = "give_up" if kind in ("low", "absent") else "done", str(sum_) if kind == "ask" else ""
    site.task(goal, steps, want=want, answer=answers, ending=ending, person=person)
    return site

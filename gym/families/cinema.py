"""A cinema: films with performances on their pages, a plan of seats to choose from, tickets to return."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, ask, click, done, give_up
from gym.site import Form, Site
from gym.words import Draw

LETTERS, SEATS = "ABCD", 6


def make(draw: Draw) -> Site:
    w = draw.word
    paths = {"/": "home", "/films": "films", "/snacks": "snacks", "/tickets": "tickets", "/halls": "halls"}
    site = Site(draw, paths)
    *titles, absent, held = draw.sample(draw.all("titles"), draw.number(6, 8))
    people = draw.people(len(titles))
    lengths = [f"{each} {w('minutes')}" for each in draw.sample(range(81, 179), len(titles))]
    shows: dict[str, list[str]] = {}
    for title in titles:
        hours = draw.sample(range(13, 23), 3)
        shows[title] = [f"{hour}:{draw.pick(('00', '15', '30', '45'))}" for hour in hours]
    halls = {(title, time): str(draw.number(1, 7)) for title in titles for time in shows[title]}
    plan = [f"{letter}{number}" for letter in LETTERS for number in range(1, SEATS + 1)]
    gone = {pair: set(draw.sample(plan, 9)) for pair in halls}
    code, front = draw.digits(6), draw.chance(0.5)
    picked: dict[tuple[str, str], list[str]] = {}
    site.data = {"bought": [], "held": [held]}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        teasers = [
            f"<h3>{ui.link(each, f'/film/{at}')}</h3>{ui.text(lengths[at])}" for at, each in enumerate(titles[:3])
        ]
        return [ui.heading(site.brand), ui.text(draw.all("filler")[1]), *(teasers if front else [])]

    @site.page("/films")
    def films(ui: Ui) -> Sequence[str]:
        rows = [Row([each, " ".join(sorted(shows[each]))], f"/film/{at}") for at, each in enumerate(titles)]
        return [ui.heading(site.sections["/films"]), ui.table([w("title"), w("shows")], rows)]

    @site.page("/film/{at}")
    def film(ui: Ui, at: str) -> Sequence[str]:
        title = titles[int(at)]
        facts = ui.facts({w("director"): people[int(at)], w("runtime"): lengths[int(at)], w("age"): "12"})
        rows = [Row([time, halls[title, time]], f"/show/{at}/{n}") for n, time in enumerate(shows[title])]
        return [ui.heading(title), facts, ui.heading(w("shows"), 3), ui.table([w("time"), w("hall")], rows)]

    @site.page("/show/{at}/{n}")
    def seats(ui: Ui, at: str, n: str) -> Sequence[str]:
        title, time = titles[int(at)], shows[titles[int(at)]][int(n)]
        mine = picked.get((title, time), [])
        lines: list[str] = []
        for letter in LETTERS:
            row = [each for each in plan if each.startswith(letter)]
            lines.append(
                "<div>"
                + " ".join(
                    f"<span>{each} {w('taken')}</span>"
                    if each in gone[title, time]
                    else ui.button(each, "seat", at=at, n=n, seat=each)
                    for each in row
                )
                + "</div>"
            )
        told = ui.facts({w("chosen"): ", ".join(mine) or "–"})
        pay = ui.button(w("pay"), "pay", at=at, n=n) if mine else ""
        return [ui.heading(f"{title}, {time}"), ui.heading(w("seats"), 3), *lines, told, pay]

    @site.page("/tickets")
    def tickets(ui: Ui) -> Sequence[str]:
        rows = [Row([each], actions=[Action(w("refund"), "refund", True)], key=each) for each in site.data["held"]]
        return [ui.heading(site.sections["/tickets"]), ui.table([w("title")], rows)]

    @site.act("seat")
    def seat(form: Form) -> None:
        title = titles[int(form["at"])]
        mine = picked.setdefault((title, shows[title][int(form["n"])]), [])
        mine.remove(form["seat"]) if form["seat"] in mine else mine.append(form["seat"])

    @site.act("pay")
    def pay(form: Form) -> str:
        title = titles[int(form["at"])]
        time = shows[title][int(form["n"])]
        site.data["bought"].append([title, time, sorted(picked.pop((title, time), []))])
        site.notice = f"{w('bought')} {code}"
        return "/tickets"

    @site.act("refund")
    def refund(form: Form) -> None:
        site.data["held"].remove(form["id"])
        site.notice = w("refunded")

    kind = draw.pick(draw.kinds())
    title = draw.pick(titles)
    time = max(shows[title]) if kind == "last" else draw.pick(shows[title])
    free = [each for each in plan if each not in gone[title, time]]
    seat_ = draw.pick(sorted(gone[title, time])) if kind == "sold" else draw.pick(free)
    beside = [each for each in free if each != seat_]
    wanted = [seat_, draw.pick(beside)] if kind == "pair" else [seat_]

    def steps() -> Iterator[Step]:
        if kind == "back":
            yield click(site.sections["/tickets"])
            yield click(w("refund"), row=held, sure=True)
            yield done(f"{held}: {w('refunded')}", see=w("refunded"))
        if kind == "ask":
            yield ask(f"{w('shows')}?", why="the goal does not say which performance")
        if not front or title not in titles[:3] or kind == "absent":
            yield click(site.sections["/films"])
        if kind == "absent":
            yield give_up(
                f"{absent}: {w('nothing_found')} ({', '.join(titles[:2])}…)", see=titles[-1], why="it is not shown here"
            )
        yield click(title)
        if kind == "long":
            yield done(f"{title}: {lengths[titles.index(title)]}", see=lengths[titles.index(title)])
        elif kind == "who":
            yield done(f"{title}: {people[titles.index(title)]}", see=people[titles.index(title)])
        elif kind == "last":
            yield done(f"{time}, {w('hall')} {halls[title, time]}", see=time, why=f"{time} is the latest")
        yield click(time)
        if kind == "sold":
            yield give_up(f"{seat_}: {w('taken')}", see=f"{seat_} {w('taken')}", why="somebody else has this seat")
        for each in wanted:
            yield click(each, why=f"seat {each}")
        yield click(w("pay"))
        yield done(f"{w('bought')} {code}", see=code)

    def want(data: dict[str, Any]) -> None:
        if kind in ("seat", "pair", "ask"):
            data["bought"].append([title, time, sorted(wanted)])
        elif kind == "back":
            data["held"] = []

    at = titles.index(title)
    answers = {"long": [lengths[at]], "who": [people[at]], "last": [time]}.get(kind, [])
    said = absent if kind == "absent" else title
    goal = draw.goal(kind, film=said, time=time, seat=seat_, next=wanted[-1], held=held)
    ending = "give_up" if kind in ("sold", "absent") else "done"
    site.task(goal, steps, want=want, answer=answers, person=time if kind == "ask" else "", ending=ending)
    return site

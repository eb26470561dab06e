"""Podcasts: shows with episodes, a queue whose order is changed step by step, shows to follow, a speed."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, choose, click, done
from gym.site import Form, Site
from gym.words import Draw

SPEEDS = ("1.0×", "1.2×", "1.5×", "2.0×")


def make(draw: Draw) -> Site:
    w = draw.word
    paths = {"/": "home", "/shows": "shows", "/queue": "queue", "/followed": "followed", "/player": "player"}
    site = Site(draw, paths | {"/history": "history"}, dressed="no")
    kind = draw.pick(draw.kinds())
    shows = draw.sample(draw.all("show_names"), 5)
    topics = draw.sample(draw.all("topics"), 12)
    episodes = {show: topics[at : at + 4] for at, show in enumerate(shows)}
    minutes = dict(zip(topics, draw.sample(range(14, 110), len(topics)), strict=True))
    days = dict(zip(draw.sample(topics, len(topics)), draw.days(len(topics)), strict=True))
    speakers = {each: draw.person() for each in topics}
    queue = topics[-4:]
    mine = shows[:2]
    site.data = {"queue": queue, "followed": mine, "speed": SPEEDS[0]}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(w("welcome")), ui.facts({w("queue"): queue[0]}), ui.text(draw.all("filler")[1])]

    @site.page("/shows")
    def all_shows(ui: Ui) -> Sequence[str]:
        rows = [Row([each, str(len(episodes[each]))], f"/show/{at}") for at, each in enumerate(shows)]
        return [ui.heading(site.sections["/shows"]), ui.table([w("show"), w("episode")], rows)]

    @site.page("/show/{at}")
    def show_page(ui: Ui, at: str) -> Sequence[str]:
        one = shows[int(at)]
        followed = one in site.data["followed"]
        press = ui.button(w("unfollow") if followed else w("follow"), "follow", id=one)
        rows = [
            Row(
                [each, days[each], f"{minutes[each]} min"],
                f"/episode/{topics.index(each)}",
                [Action(w("put"), "put", icon="+")],
                each,
            )
            for each in episodes[one]
        ]
        return [ui.heading(one), press, ui.table([w("episode"), w("published"), w("length")], rows)]

    @site.page("/episode/{at}")
    def episode_page(ui: Ui, at: str) -> Sequence[str]:
        one = topics[int(at)]
        told = {w("guest"): speakers[one], w("length"): f"{minutes[one]} min", w("published"): days[one]}
        return [ui.heading(one), ui.facts(told), ui.button(w("put"), "put", id=one)]

    @site.page("/queue")
    def show_queue(ui: Ui) -> Sequence[str]:
        acts = [
            Action(w("up"), "up", icon="▲"),
            Action(w("down"), "down", icon="▼"),
            Action(w("delete"), "drop", icon="✕"),
        ]
        rows = [Row([f"{at + 1}. {each}"], actions=acts, key=each) for at, each in enumerate(queue)]
        return [ui.heading(site.sections["/queue"]), ui.table([w("episode")], rows)]

    @site.page("/followed")
    def followed_page(ui: Ui) -> Sequence[str]:
        rows = [Row([each], f"/show/{shows.index(each)}") for each in site.data["followed"]]
        return [ui.heading(site.sections["/followed"]), ui.table([w("show")], rows)]

    @site.page("/player")
    def player(ui: Ui) -> Sequence[str]:
        form = ui.form("speed", [ui.choose("speed", w("speed"), SPEEDS, site.data["speed"])], w("save"))
        return [ui.heading(site.sections["/player"]), form]

    def move(name: str, by: int) -> None:
        at = queue.index(name)
        to = min(max(at + by, 0), len(queue) - 1)
        queue[at], queue[to] = queue[to], queue[at]

    @site.act("up")
    def up(form: Form) -> None:
        move(form["id"], -1)

    @site.act("down")
    def down(form: Form) -> None:
        move(form["id"], 1)

    @site.act("put")
    def put(form: Form) -> None:
        queue.append(form["id"])
        site.notice = f"{w('added')} {form['id']}"

    @site.act("drop")
    def drop(form: Form) -> None:
        queue.remove(form["id"])
        site.notice = w("deleted")

    @site.act("follow")
    def follow(form: Form) -> None:
        held: list[str] = site.data["followed"]
        held.remove(form["id"]) if form["id"] in held else held.append(form["id"])
        site.notice = w("saved")

    @site.act("speed")
    def speed(form: Form) -> None:
        site.data["speed"] = form["speed"]
        site.notice = w("saved")

    show = draw.pick(shows[2:] if kind == "follow" else shows)
    newest, longest = (
        max(episodes[show], key=lambda each: days[each]),
        max(episodes[show], key=lambda each: minutes[each]),
    )
    episode = newest if kind == "newest" else draw.pick(episodes[show])
    queued, old, rate = draw.pick(queue[1:]), draw.pick(mine), draw.pick(SPEEDS[1:])
    place = queue.index(queued)

    def steps() -> Iterator[Step]:
        if kind in ("first", "drop"):
            yield click(site.sections["/queue"])
            if kind == "drop":
                yield click(w("delete"), row=f"{place + 1}. {queued}")
                yield done(f"{queued}: {w('deleted')}", see=w("deleted"))
            for at in range(place, 0, -1):
                yield click(w("up"), row=f"{at + 1}. {queued}", why=f"{queued} is still at place {at + 1}")
            yield done(f"1. {queued}", see=f"1. {queued}")
        elif kind == "fast":
            yield click(site.sections["/player"])
            yield choose(w("speed"), rate)
            yield click(w("save"))
            yield done(f"{w('saved')} {rate}", see=w("saved"))
        elif kind == "leave":
            yield click(site.sections["/followed"])
            yield click(old)
            yield click(w("unfollow"))
            yield done(f"{old}: {w('saved')}", see=w("saved"))
        yield click(site.sections["/shows"])
        yield click(show)
        if kind == "follow":
            yield click(w("follow"))
            yield done(f"{show}: {w('saved')}", see=w("saved"))
        elif kind == "long":
            yield done(f"{longest}: {minutes[longest]} min", see=longest)
        elif kind == "guest":
            yield click(episode)
            yield done(f"{episode}: {speakers[episode]}", see=speakers[episode])
        yield click(w("put"), row=episode, why=f"{days[episode]} is the newest" if kind == "newest" else "")
        yield done(f"{w('added')} {episode}", see=w("added"))

    def want(data: dict[str, Any]) -> None:
        if kind in ("later", "newest"):
            data["queue"].append(episode)
        elif kind == "first":
            data["queue"].remove(queued)
            data["queue"].insert(0, queued)
        elif kind == "drop":
            data["queue"].remove(queued)
        elif kind == "follow":
            data["followed"].append(show)
        elif kind == "leave":
            data["followed"].remove(old)
        elif kind == "fast":
            data["speed"] = rate

    goal = draw.goal(kind, show=show, episode=episode, queued=queued, mine=old, speed=rate)
    answers = {"guest": [speakers[episode]], "long": [longest]}.get(kind, [])
    site.task(goal, steps, want=want, answer=answers)
    return site

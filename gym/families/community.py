"""Neighbours who talk: channels with posts, replies on a post's page, thanks, channels that are silent or to join."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, ask, click, done, fill, give_up, switch
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    w = draw.word
    paths = {"/": "home", "/channels": "channels", "/members": "members", "/alerts": "alerts", "/pinned": "threads"}
    site = Site(draw, paths | {"/rules": "rules"})
    names = draw.sample(draw.all("channel_names"), 6)
    mine, others = names[:4], names[4:]
    *posts, gone = draw.sample(draw.all("posts"), 8)
    channels = {each: posts[at : at + 2] for at, each in enumerate(mine)}
    people = draw.people(8)
    writers = {each: draw.pick(people) for each in posts}
    flats = dict(zip(people, (f"{n}{draw.pick('AB')}" for n in draw.sample(range(1, 40), len(people))), strict=True))
    liked = {each: draw.number(0, 9) for each in posts}
    side = draw.chance(0.5)
    site.keeps_entries = False
    site.data = {"said": [], "replies": [], "thanks": liked, "muted": [], "joined": list(mine)}

    def links(ui: Ui) -> str:
        shown = "".join(f"<li># {ui.link(each, f'/c/{names.index(each)}')}</li>" for each in site.data["joined"])
        return f"<ul>{shown}</ul>"

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(w("welcome")), links(ui) if side else ui.text(draw.all("filler")[0])]

    @site.page("/channels")
    def show_channels(ui: Ui) -> Sequence[str]:
        away = [each for each in names if each not in site.data["joined"]]
        rows = [Row([each], f"/c/{names.index(each)}") for each in away]
        return [
            ui.heading(site.sections["/channels"]),
            links(ui),
            ui.heading(w("join"), 3),
            ui.table([w("channel")], rows),
        ]

    @site.page("/c/{at}")
    def channel(ui: Ui, at: str) -> Sequence[str]:
        one = names[int(at)]
        if one not in site.data["joined"]:
            return [ui.heading(f"# {one}"), ui.button(w("join"), "join", id=one)]
        rows = [Row([each, writers[each]], f"/p/{posts.index(each)}") for each in channels.get(one, [])]
        rows += [Row([text, w("welcome")]) for where, text in site.data["said"] if where == one]
        form = ui.form("say", [ui.field("text", w("say"), kind="textarea")], w("publish"), id=one)
        return [ui.heading(f"# {one}"), ui.table([w("post"), w("author")], rows), form]

    @site.page("/p/{at}")
    def post(ui: Ui, at: str) -> Sequence[str]:
        one = posts[int(at)]
        form = ui.form("reply", [ui.field("text", w("answer"), kind="textarea")], w("send_answer"), id=one)
        facts = ui.facts({w("author"): writers[one], w("thanks"): str(liked[one])})
        return [ui.heading(one), facts, ui.button(w("thank"), "thank", id=one), form]

    @site.page("/members")
    def members(ui: Ui) -> Sequence[str]:
        rows = [Row([each, flats[each]]) for each in people]
        return [ui.heading(site.sections["/members"]), ui.listing([w("name"), w("flat")], rows, "/members", size=5)]

    @site.page("/alerts")
    def alerts(ui: Ui) -> Sequence[str]:
        switches = [ui.switch(f"{w('mute')}: {each}", "mute", each in site.data["muted"], id=each) for each in mine]
        return [ui.heading(site.sections["/alerts"]), *switches]

    @site.act("say")
    def say(form: Form) -> None:
        if site.require(form, "text"):
            site.data["said"].append([form["id"], form["text"].strip()])
            site.notice = w("added")

    @site.act("reply")
    def reply(form: Form) -> None:
        if site.require(form, "text"):
            site.data["replies"].append([form["id"], form["text"].strip()])
            site.notice = w("sent")

    @site.act("thank")
    def thank(form: Form) -> None:
        liked[form["id"]] += 1
        site.notice = w("saved")

    @site.act("mute")
    def mute(form: Form) -> None:
        muted: list[str] = site.data["muted"]
        muted.remove(form["id"]) if form["id"] in muted else muted.append(form["id"])

    @site.act("join")
    def join(form: Form) -> None:
        site.data["joined"].append(form["id"])
        site.notice = w("joined")

    kind = draw.pick(draw.kinds())
    where, other, who = draw.pick(mine), draw.pick(others), draw.pick(people)
    post_, text = draw.pick(channels[where]), draw.pick(draw.all("sentences"))

    def steps() -> Iterator[Step]:
        if kind == "where":
            yield click(site.sections["/members"])
            yield done(f"{who}: {w('flat')} {flats[who]}", see=who)
        elif kind == "mute":
            yield click(site.sections["/alerts"])
            yield switch(f"{w('mute')}: {where}")
            yield done(f"{w('saved')} {where}")
        elif kind == "ask":
            yield ask(f"{w('channel')}? {', '.join(mine)}", why="the goal does not say in which channel")
        if not side or kind == "join":
            yield click(site.sections["/channels"])
        if kind == "join":
            yield click(other)
            yield click(w("join"))
            yield done(f"{other}: {w('joined')}", see=w("joined"))
        yield click(where)
        if kind in ("say", "ask"):
            yield fill(w("say"), text)
            yield click(w("publish"))
            yield done(f"{w('added')} # {where}", see=w("added"))
        elif kind == "absent":
            yield give_up(
                f"# {where}: {w('nothing_found')} „{gone}“", see=channels[where][-1], why="nobody wrote that here"
            )
        elif kind == "who":
            yield done(f"{post_}: {writers[post_]}", see=post_)
        yield click(post_)
        if kind == "thank":
            yield click(w("thank"))
            yield done(f"{post_}: {w('saved')}", see=w("saved"))
        yield fill(w("answer"), text)
        yield click(w("send_answer"))
        if kind == "two":
            yield click(site.sections["/alerts"])
            yield switch(f"{w('mute')}: {where}")
            yield done(f"{w('sent')} {w('mute')}: {where}")
        yield done(f"{w('sent')} {post_}", see=w("sent"))

    def want(data: dict[str, Any]) -> None:
        if kind in ("say", "ask"):
            data["said"].append([where, text])
        elif kind == "join":
            data["joined"].append(other)
        elif kind == "thank":
            data["thanks"][post_] += 1
        if kind in ("reply", "two"):
            data["replies"].append([post_, text])
        if kind in ("mute", "two"):
            data["muted"].append(where)

    goal = draw.goal(kind, channel=where, other=other, who=who, post=post_, text=text, gone=gone)
    answers = {"where": [flats[who]], "who": [writers[post_]]}.get(kind, [])
    ending, person = "give_up" if kind == "absent" else "done", where if kind == "ask" else ""
    site.task(goal, steps, want=want, answer=answers, ending=ending, person=person)
    return site

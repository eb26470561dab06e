"""A forum: threads with posts, likes, following, answers and new threads; some posts give orders."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, click, done, fill, give_up, search, switch
from gym.site import Form, Site
from gym.words import Draw

LIKE = ("Like; 👍; Agree", "Gefällt mir; 👍", "J’aime; 👍", "Me gusta; 👍", "赞; 👍")
FOLLOW = (
    "Follow; Notify me; Watch this thread",
    "Folgen; Benachrichtigen; Thema beobachten",
    "Suivre; Me prévenir",
    "Seguir; Avisarme",
    "关注; 通知我",
)


def make(draw: Draw) -> Site:
    site = Site(draw, {"/": "news", "/forum": "s_forum", "/new": "s_compose", "/people": "s_people", "/help": "help"})
    like, follow = draw.words(*LIKE), draw.words(*FOLLOW)
    title, author, message = draw.word("title"), draw.word("author"), draw.word("message")
    people = draw.people(7)
    *topics, absent, fresh = draw.some("topics", draw.number(6, 15))
    lies = draw.all("lie") if draw.chance(0.3) else ()
    sayings = [*draw.all("sentences"), *lies]
    threads: dict[str, dict[str, Any]] = {}
    for at, topic in enumerate(topics):
        posts = [{"who": who, "text": draw.pick(sayings), "likes": 0} for who in draw.sample(people, draw.number(2, 5))]
        threads[f"t{at}"] = {"title": topic, "posts": posts, "followed": False}
    site.data = {"threads": threads}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(site.sections["/"]), ui.text(*draw.all("filler")[:2]), ui.link(topics[0], "/thread/t0")]

    @site.page("/forum")
    def forum(ui: Ui) -> Sequence[str]:
        rows = [Row([each["title"], str(len(each["posts"]))], f"/thread/{key}") for key, each in threads.items()]
        return [ui.heading(site.sections["/forum"]), ui.listing([title, message], rows, "/forum", size=6)]

    @site.page("/thread/{id}")
    def thread(ui: Ui, id: str) -> Sequence[str]:
        one = threads[id]
        actions = [Action(like, "like")]
        rows = [
            Row([post["who"], post["text"], f"{like} {post['likes']}"], actions=actions, key=f"{id}.{at}")
            for at, post in enumerate(one["posts"])
        ]
        answer = ui.form("reply", [ui.field("text", message, kind="textarea")], draw.word("reply"), id=id)
        watch = ui.switch(follow, "follow", one["followed"], id=id)
        return [ui.heading(one["title"]), watch, ui.table([author, message, like], rows), answer]

    @site.page("/new")
    def new(ui: Ui) -> Sequence[str]:
        fields = [ui.field("title", title), ui.field("text", message, kind="textarea")]
        return [ui.heading(site.sections["/new"]), ui.form("start", fields, draw.word("send"))]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*(people if other == "people" else draw.all("filler")))]

    @site.act("like")
    def thumb(form: Form) -> None:
        id, _, at = form["id"].partition(".")
        threads[id]["posts"][int(at)]["likes"] += 1

    @site.act("follow")
    def watch(form: Form) -> None:
        threads[form["id"]]["followed"] = not threads[form["id"]]["followed"]

    @site.act("reply")
    def reply(form: Form) -> None:
        if site.require(form, "text"):
            threads[form["id"]]["posts"].append({"who": "me", "text": form["text"].strip(), "likes": 0})
            site.notice = draw.word("sent")

    @site.act("start")
    def start(form: Form) -> str | None:
        if not site.require(form, "title", "text"):
            return None
        post = {"who": "me", "text": form["text"].strip(), "likes": 0}
        threads["new"] = {"title": form["title"].strip(), "posts": [post], "followed": False}
        site.notice = draw.word("added")
        return "/forum"

    kind = draw.pick(draw.kinds())
    key = draw.pick(list(threads))
    topic, posts = threads[key]["title"], threads[key]["posts"]
    at = draw.number(0, len(posts) - 1)
    who, last, text = posts[at]["who"], posts[-1]["who"], draw.pick(draw.all("sentences"))
    seeks = draw.chance(0.5)

    def steps() -> Iterator[Step]:
        if kind == "start":
            yield click(site.sections["/new"])
            yield fill(title, fresh)
            yield fill(message, text)
            yield click(draw.word("send"))
            yield done(f"{draw.word('added')} {fresh}", see=draw.word("added"))
        yield click(site.sections["/forum"])
        if seeks or kind == "absent":
            yield search(absent if kind == "absent" else topic)
        if kind == "absent":
            yield give_up(f"{absent}: {draw.word('nothing_found')}", see=draw.word("nothing_found"))
        yield click(topic)
        if kind == "last":
            yield done(f"{topic}: {last}", see=last)
        elif kind == "like":
            yield click(like, row=who)
            yield done(f"{like}: {who}")
        elif kind == "follow":
            yield switch(follow)
            yield done(f"{follow}: {topic}")
        yield fill(message, text)
        yield click(draw.word("reply"))
        yield done(f"{draw.word('sent')} {text}", see=draw.word("sent"))

    def want(data: dict[str, dict[str, dict[str, Any]]]) -> None:
        post = {"who": "me", "text": text, "likes": 0}
        one = data["threads"][key]
        if kind == "start":
            data["threads"]["new"] = {"title": fresh, "posts": [post], "followed": False}
        elif kind == "reply":
            one["posts"].append(post)
        elif kind == "like":
            one["posts"][at]["likes"] = 1
        elif kind == "follow":
            one["followed"] = True

    said = absent if kind == "absent" else topic
    goal = draw.goal(kind, topic=said, fresh=fresh, who=who, text=text)
    answers = [last] if kind == "last" else []
    site.task(goal, steps, want=want, answer=answers, ending="give_up" if kind == "absent" else "done")
    return site

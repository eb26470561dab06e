"""A messenger: chats with people, two of whom share a name, groups, muting by a switch."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, ask, choose, click, done, fill, give_up, search, switch
from gym.site import Form, Site
from gym.words import Draw

CHATS = (
    "Chats; Conversations",
    "Chats; Unterhaltungen",
    "Discussions; Conversations",
    "Chats; Conversaciones",
    "聊天; 会话",
)
GROUPS = ("Groups; Circles", "Gruppen; Kreise", "Groupes; Cercles", "Grupos; Círculos", "群组; 圈子")
MUTE = ("Mute; Silence", "Stumm; Nicht stören", "Muet; Silence", "Silenciar; Sin avisos", "静音; 免打扰")
MEMBER = ("Member; Person to add", "Mitglied; Person", "Membre; Personne", "Miembro; Persona", "成员; 要加的人")


def make(draw: Draw) -> Site:
    chats_, groups_ = draw.words(*CHATS), draw.words(*GROUPS)
    site = Site(draw, {"/": "home", "/chats": chats_, "/groups": groups_, "/settings": "s_settings", "/help": "help"})
    mute, member, message = draw.words(*MUTE), draw.words(*MEMBER), draw.word("message")
    first = draw.pick(draw.all("first_names"))
    lasts = draw.some("last_names", 2)
    twins = [f"{last}{first}" if draw.language == "zh" else f"{first} {last}" for last in lasts]
    others = [each for each in draw.people(draw.number(4, 9)) if first not in each]
    stranger = others.pop()
    people = draw.sample([*twins, *others], len(others) + 2)
    last = {each: draw.pick(draw.all("sentences")) for each in people}
    groups = {each: draw.sample(others, 1) for each in draw.some("departments", 3)}
    site.data = {"sent": [], "muted": [], "groups": groups}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(draw.word("welcome")), ui.text(draw.word("filler"))]

    @site.page("/chats")
    def listing(ui: Ui) -> Sequence[str]:
        rows = [Row([each, f"{last[each][:12]}…"], f"/chat/{at}") for at, each in enumerate(people)]
        return [ui.heading(chats_), ui.listing([draw.word("name"), message], rows, "/chats", size=6)]

    @site.page("/chat/{at}")
    def chat(ui: Ui, at: str) -> Sequence[str]:
        who = people[int(at)]
        own = [text for to, text in site.data["sent"] if to == who]
        form = ui.form("say", [ui.field("text", message, kind="textarea")], draw.word("send"), who=who)
        quiet = ui.switch(mute, "mute", who in site.data["muted"], who=who)
        return [ui.heading(who), quiet, ui.text(f"{who}: {last[who]}", *own), form]

    @site.page("/groups")
    def all_groups(ui: Ui) -> Sequence[str]:
        rows = [Row([each, str(len(inside))], f"/group/{at}") for at, (each, inside) in enumerate(groups.items())]
        return [ui.heading(groups_), ui.table([draw.word("title"), draw.word("people")], rows)]

    @site.page("/group/{at}")
    def group(ui: Ui, at: str) -> Sequence[str]:
        name = list(groups)[int(at)]
        form = ui.form("join", [ui.choose("who", member, people)], draw.word("add"), group=name)
        return [ui.heading(name), ui.text(*groups[name]), form]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*draw.all("filler"))]

    @site.act("say")
    def say(form: Form) -> None:
        if site.require(form, "text"):
            site.data["sent"].append([form["who"], form["text"].strip()])

    @site.act("mute")
    def silence(form: Form) -> None:
        muted: list[str] = site.data["muted"]
        muted.remove(form["who"]) if form["who"] in muted else muted.append(form["who"])

    @site.act("join")
    def join(form: Form) -> None:
        groups[form["group"]].append(form["who"])
        site.notice = f"{draw.word('added')} {form['who']}"

    kind = draw.pick(draw.kinds())
    open_to = [group for group, members in groups.items() if not set(others) <= set(members)] or list(groups)
    name = draw.pick(open_to)
    pool = [each for each in others if each not in groups[name]] or others
    who = twins[1] if kind == "which" else draw.pick(pool)
    text = draw.pick([each for each in draw.all("sentences") if each != last.get(who)])
    seeks = kind == "absent" or draw.chance(0.4)

    def steps() -> Iterator[Step]:
        if kind == "group":
            yield click(groups_)
            yield click(name)
            yield choose(member, who)
            yield click(draw.word("add"))
            yield done(f"{draw.word('added')} {who} → {name}", see=draw.word("added"))
        yield click(chats_)
        if seeks:
            yield search(stranger if kind == "absent" else first if kind == "which" else who)
        if kind == "absent":
            yield give_up(f"{stranger}: {draw.word('nothing_found')}", see=draw.word("nothing_found"))
        elif kind == "which":
            yield ask(f"{twins[0]} / {twins[1]}?", why=f"there are two {first}")
        yield click(who)
        if kind == "last":
            yield done(f"{who}: {last[who]}", see=last[who])
        elif kind == "mute":
            yield switch(mute)
            yield done(f"{mute}: {who}")
        yield fill(message, text)
        yield click(draw.word("send"))
        yield done(f"{who} ← {text}", see=text)

    def want(data: dict[str, Any]) -> None:
        if kind in ("say", "which"):
            data["sent"].append([who, text])
        elif kind == "mute":
            data["muted"].append(who)
        elif kind == "group":
            data["groups"][name].append(who)

    said = stranger if kind == "absent" else who
    goal = draw.goal(kind, who=said, text=text, group=name, first=first)
    answers = [last[who]] if kind == "last" else []
    person = who if kind == "which" else ""
    site.task(goal, steps, want=want, answer=answers, person=person, ending="give_up" if kind == "absent" else "done")
    return site

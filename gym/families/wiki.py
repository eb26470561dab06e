"""A wiki: articles with links between them, to read, change and write; some answers are one link further."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, click, done, fill, give_up, search
from gym.site import Form, Site
from gym.words import Draw

SINCE = (
    "Since; First seen",
    "Seit; Zuerst erwähnt",
    "Depuis; Première mention",
    "Desde; Primera mención",
    "始于; 首次出现",
)
RELATED = ("Related; See also", "Verwandt; Siehe auch", "Voir aussi; Lié", "Véase también; Relacionado", "相关; 另见")


def make(draw: Draw) -> Site:
    paths = {"/": "home", "/pages": "s_articles", "/new": "add", "/people": "s_people", "/help": "help"}
    site = Site(draw, paths)
    since, related = draw.words(*SINCE), draw.words(*RELATED)
    title, author, text = draw.word("title"), draw.word("author"), draw.word("message")
    *topics, absent, fresh = draw.some("topics", draw.number(7, 16))
    people = draw.people(4)
    years = dict(zip(topics, map(str, draw.sample(range(1500, 1999), len(topics))), strict=True))
    next_to = {each: topics[(at + 1) % len(topics)] for at, each in enumerate(topics)}
    pages: dict[str, dict[str, Any]] = {
        f"a{at}": {"title": each, "text": draw.pick(draw.all("sentences")), "who": draw.pick(people)}
        for at, each in enumerate(topics)
    }
    keys = {page["title"]: key for key, page in pages.items()}
    site.data = {"pages": pages}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(site.brand), ui.search("/pages"), ui.link(topics[-1], f"/page/{keys[topics[-1]]}")]

    @site.page("/pages")
    def listing(ui: Ui) -> Sequence[str]:
        rows = [Row([page["title"], page["who"]], f"/page/{key}") for key, page in pages.items()]
        return [ui.heading(site.sections["/pages"]), ui.listing([title, author], rows, "/pages", size=6)]

    @site.page("/page/{id}")
    def page(ui: Ui, id: str) -> Sequence[str]:
        one = pages[id]
        parts = [ui.heading(one["title"]), ui.text(one["text"]), ui.link(draw.word("edit"), f"/edit/{id}")]
        if one["title"] in years:
            near = next_to[one["title"]]
            parts.insert(2, ui.facts({since: years[one["title"]], author: one["who"]}))
            parts.append(f"<p>{related}: {ui.link(near, f'/page/{keys[near]}')}</p>")
        return parts

    @site.page("/edit/{id}")
    def edit(ui: Ui, id: str) -> Sequence[str]:
        form = ui.form("save", [ui.field("text", text, pages[id]["text"], "textarea")], draw.word("save"), id=id)
        return [ui.heading(f"{draw.word('edit')}: {pages[id]['title']}"), form]

    @site.page("/new")
    def new(ui: Ui) -> Sequence[str]:
        fields = [ui.field("title", title), ui.field("text", text, kind="textarea")]
        return [ui.heading(site.sections["/new"]), ui.form("create", fields, draw.word("save"))]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*(people if other == "people" else draw.all("filler")))]

    @site.act("save")
    def save(form: Form) -> str | None:
        if not site.require(form, "text"):
            return None
        pages[form["id"]]["text"] = " ".join(form["text"].split())
        site.notice = draw.word("saved")
        return f"/page/{form['id']}"

    @site.act("create")
    def create(form: Form) -> str | None:
        if not site.require(form, "title", "text"):
            return None
        pages["new"] = {"title": form["title"].strip(), "text": form["text"].strip(), "who": "me"}
        site.notice = draw.word("added")
        return "/page/new"

    kind = draw.pick(draw.kinds())
    topic = draw.pick(topics)
    key, near = keys[topic], next_to[topic]
    old = pages[key]["text"]
    words = draw.pick([each for each in draw.all("sentences") if each != old])
    goal = draw.goal(kind, topic=absent if kind == "absent" else topic, fresh=fresh, text=words)
    seeks = kind == "absent" or draw.chance(0.5)

    def steps() -> Iterator[Step]:
        if kind == "create":
            yield click(site.sections["/new"])
            yield fill(title, fresh)
            yield fill(text, words)
            yield click(draw.word("save"))
            yield done(f"{draw.word('added')} {fresh}", see=draw.word("added"))
        if seeks:
            yield search(absent if kind == "absent" else topic)
        else:
            yield click(site.sections["/pages"])
        if kind == "absent":
            yield give_up(f"{absent}: {draw.word('nothing_found')}", see=draw.word("nothing_found"))
        elif kind == "who":
            yield done(f"{topic}: {pages[key]['who']}", see=pages[key]["who"])
        yield click(topic)
        if kind == "fact":
            yield done(f"{topic}: {years[topic]}", see=years[topic])
        elif kind == "follow":
            yield click(near, why=f"{related}: {near}")
            yield done(f"{near}: {years[near]}", see=years[near])
        yield click(draw.word("edit"))
        yield fill(text, words)
        yield click(draw.word("save"))
        yield done(f"{draw.word('saved')} {topic}", see=draw.word("saved"))

    def want(data: dict[str, dict[str, dict[str, str]]]) -> None:
        if kind == "edit":
            data["pages"][key]["text"] = words
        elif kind == "create":
            data["pages"]["new"] = {"title": fresh, "text": words, "who": "me"}

    answers = {"fact": [years[topic]], "who": [pages[key]["who"]], "follow": [years[near]]}.get(kind, [])
    site.task(goal, steps, want=want, answer=answers, ending="give_up" if kind == "absent" else "done")
    return site

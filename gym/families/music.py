"""Music: songs with stars and running times, lists to fill, empty and create; a list is chosen on the song's page."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, choose, click, done, fill, give_up, search, star
from gym.site import Form, Site
from gym.words import Draw

SONGS = ("Songs; Tracks; Music", "Titel; Lieder; Musik", "Morceaux; Titres", "Canciones; Temas", "歌曲; 曲目")
LISTS = (
    "Playlists; My lists",
    "Playlists; Meine Listen",
    "Playlists; Mes listes",
    "Listas; Mis listas",
    "歌单; 我的歌单",
)
LENGTH = ("Length; Duration", "Länge; Dauer", "Durée; Longueur", "Duración; Tiempo", "时长; 长度")
LIST = ("List; Add to list", "Liste; Zur Liste", "Liste; À la liste", "Lista; A la lista", "歌单; 加入歌单")
PUT = (
    "Put on list; Add it",
    "Auf die Liste; Hinzufügen",
    "Mettre dans la liste",
    "Poner en la lista",
    "放入歌单; 加进去",
)


def make(draw: Draw) -> Site:
    paths = {"/": "home", "/songs": draw.words(*SONGS), "/lists": draw.words(*LISTS), "/favorites": "s_favorites"}
    site = Site(draw, paths | {"/settings": "s_settings"})
    length, target, put = draw.words(*LENGTH), draw.words(*LIST), draw.words(*PUT)
    title, author, loved, drop = (
        draw.word("title"),
        draw.word("author"),
        site.sections["/favorites"],
        draw.word("delete"),
    )
    *songs, absent = draw.some("topics", draw.number(6, 15))
    singers = {each: draw.person() for each in songs}
    times = {each: f"{draw.number(2, 7)}:{draw.number(10, 59)}" for each in songs}
    *names, fresh = draw.some("cities", 4)
    lists = {each: draw.sample(songs, 3) for each in names}
    site.data = {"lists": lists, "loved": []}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(draw.word("welcome")), ui.facts({songs[0]: times[songs[0]]})]

    @site.page("/songs")
    def all_songs(ui: Ui) -> Sequence[str]:
        marked = site.data["loved"]
        rows = [
            Row([each, singers[each]], f"/song/{at}", mark=ui.star("love", each in marked, loved, id=each))
            for at, each in enumerate(songs)
        ]
        return [ui.heading(site.sections["/songs"]), ui.listing([title, author], rows, "/songs", size=6)]

    @site.page("/song/{at}")
    def song(ui: Ui, at: str) -> Sequence[str]:
        one = songs[int(at)]
        form = ui.form("put", [ui.choose("list", target, list(lists))], put, id=one)
        return [ui.heading(one), ui.facts({author: singers[one], length: times[one]}), form]

    @site.page("/lists")
    def all_lists(ui: Ui) -> Sequence[str]:
        links = [f"<p>♪ {ui.link(each, f'/list/{at}')}</p>" for at, each in enumerate(lists)]
        new = ui.form("create", [ui.field("name", draw.word("name"))], draw.word("add"))
        return [ui.heading(site.sections["/lists"]), *links, new]

    @site.page("/list/{at}")
    def one_list(ui: Ui, at: str) -> Sequence[str]:
        name = list(lists)[int(at)]
        rows = [Row([each], actions=[Action(drop, "drop", icon="✕")], key=f"{name}|{each}") for each in lists[name]]
        return [ui.heading(name), ui.table([title], rows)]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        shown = site.data["loved"] if other == "favorites" else draw.all("filler")
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*shown)]

    @site.act("love")
    def love(form: Form) -> None:
        marked: list[str] = site.data["loved"]
        marked.remove(form["id"]) if form["id"] in marked else marked.append(form["id"])

    @site.act("put")
    def add(form: Form) -> None:
        lists[form["list"]].append(form["id"])
        site.notice = f"{draw.word('added')} {form['list']}"

    @site.act("drop")
    def remove(form: Form) -> None:
        name, _, each = form["id"].partition("|")
        lists[name].remove(each)

    @site.act("create")
    def create(form: Form) -> None:
        if site.require(form, "name"):
            lists[form["name"].strip()] = []
            site.notice = draw.word("added")

    kind = draw.pick(draw.kinds())
    plist = draw.pick(names)
    song_ = draw.pick(lists[plist] if kind == "drop" else [each for each in songs if each not in lists[plist]])
    seeks = kind == "absent" or draw.chance(0.5)

    def steps() -> Iterator[Step]:
        if kind in ("drop", "create"):
            yield click(site.sections["/lists"])
            if kind == "create":
                yield fill(draw.word("name"), fresh)
                yield click(draw.word("add"))
                yield done(f"{draw.word('added')} {fresh}", see=draw.word("added"))
            yield click(plist)
            yield click(drop, row=song_)
            yield done(f"{draw.word('deleted')} {song_}")
        yield click(site.sections["/songs"])
        if seeks:
            yield search(absent if kind == "absent" else song_)
        if kind == "absent":
            yield give_up(f"{absent}: {draw.word('nothing_found')}", see=draw.word("nothing_found"))
        elif kind == "love":
            yield star(loved, song_)
            yield done(f"★ {song_}")
        yield click(song_)
        if kind == "length":
            yield done(f"{song_}: {times[song_]} ({singers[song_]})", see=times[song_])
        yield choose(target, plist)
        yield click(put)
        yield done(f"{draw.word('added')} {song_} → {plist}", see=draw.word("added"))

    def want(data: dict[str, Any]) -> None:
        if kind == "add":
            data["lists"][plist].append(song_)
        elif kind == "drop":
            data["lists"][plist].remove(song_)
        elif kind == "love":
            data["loved"].append(song_)
        elif kind == "create":
            data["lists"][fresh] = []

    said = absent if kind == "absent" else song_
    goal = draw.goal(kind, song=said, plist=plist, fresh=fresh)
    answers = [times[song_]] if kind == "length" else []
    site.task(goal, steps, want=want, answer=answers, ending="give_up" if kind == "absent" else "done")
    return site

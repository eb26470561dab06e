"""Photo prints: pictures with size, paper, border and copies to choose, a list to send off, sizes that do not fit."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, ask, choose, click, done, give_up, tick
from gym.parts import set_amount, write_amount
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    w = draw.word
    paths = {
        "/": "home",
        "/pictures": "pictures",
        "/formats": "formats",
        "/list": "basket",
        "/gifts": "goods_",
        "/tips": "tips",
    }
    site = Site(draw, paths, dressed="no")
    kind = draw.pick(draw.kinds())
    names = draw.sample(draw.all("photo_names"), draw.number(5, 7))
    days = dict(zip(draw.sample(names, len(names)), draw.days(len(names)), strict=True))
    sizes, papers = draw.all("sizes"), draw.all("papers")
    prices = {size: draw.money(0, 4) if size != sizes[-1] else draw.money(5, 9) for size in sizes}
    held, number = names[0], draw.digits(6)
    site.keeps_entries = False
    site.data = {"list": [[held, sizes[0], papers[0], False, 1]], "sent": []}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(w("welcome")), ui.link(names[1], "/picture/1"), ui.text(draw.all("filler")[2])]

    @site.page("/pictures")
    def pictures(ui: Ui) -> Sequence[str]:
        rows = [Row([each, days[each]], f"/picture/{at}") for at, each in enumerate(names)]
        return [ui.heading(site.sections["/pictures"]), ui.table([w("title"), w("taken")], rows)]

    @site.page("/picture/{at}")
    def picture(ui: Ui, at: str) -> Sequence[str]:
        one = names[int(at)]
        fields = [ui.choose("size", w("size"), sizes), ui.choose("paper", w("paper"), papers)]
        fields += [ui.check("border", w("frame_")), write_amount(ui, "n", w("copies"), 1)]
        facts = ui.facts({w("taken"): days[one], w("camera"): "Q2"})
        return [ui.heading(one), facts, ui.form("print", fields, w("print"), id=one)]

    @site.page("/formats")
    def formats(ui: Ui) -> Sequence[str]:
        rows = [Row([size, f"{prices[size]} {w('each_')}"]) for size in sizes]
        return [ui.heading(site.sections["/formats"]), ui.table([w("size"), w("price")], rows)]

    @site.page("/list")
    def order_list(ui: Ui) -> Sequence[str]:
        listed = site.data["list"]
        drop = [Action(w("delete"), "drop", icon="✕")]
        rows = [Row([name, size, paper, str(n)], actions=drop, key=name) for name, size, paper, _, n in listed]
        press = ui.button(w("send_off"), "send", sure=True) if listed else ""
        table = ui.table([w("title"), w("size"), w("paper"), w("copies")], rows)
        return [ui.heading(site.sections["/list"]), table, press]

    @site.act("print")
    def put(form: Form) -> str | None:
        if not site.require(form, "n", bad_number__n=not form["n"].strip().isdecimal()):
            return None
        if kind == "small" and form["size"] == sizes[-1]:
            site.notice = w("too_small")
            return None
        site.data["list"].append([form["id"], form["size"], form["paper"], "border" in form, int(form["n"])])
        site.notice = w("listed")
        return "/list"

    @site.act("drop")
    def drop(form: Form) -> None:
        site.data["list"] = [each for each in site.data["list"] if each[0] != form["id"]]
        site.notice = w("deleted")

    @site.act("send")
    def send(form: Form) -> str:
        site.data["sent"].append(site.data["list"])
        site.data["list"] = []
        site.notice = f"{w('on_its_way')} {number}"
        return "/"

    photo = max(days, key=lambda each: days[each]) if kind == "newest" else draw.pick(names[1:])
    size = sizes[-1] if kind == "small" else draw.pick(sizes[1:])
    paper, n = draw.pick(papers[1:]), draw.number(2, 4)
    if kind == "send":
        site.data["list"] = []

    def steps() -> Iterator[Step]:
        if kind == "drop":
            yield click(site.sections["/list"])
            yield click(w("delete"), row=held)
            yield done(f"{held}: {w('deleted')}", see=w("deleted"))
        elif kind == "cost":
            yield click(site.sections["/formats"])
            yield done(f"{size}: {prices[size]}", see=prices[size])
        yield click(site.sections["/pictures"])
        if kind == "day":
            yield done(f"{photo}: {days[photo]}", see=days[photo])
        yield click(photo, why=f"{days[photo]} is the newest" if kind == "newest" else "")
        if kind == "ask":
            yield ask(f"{w('size')}: {' / '.join(sizes)}?", see=sizes[1], why="the goal does not say how large")
        yield choose(w("size"), size)
        yield choose(w("paper"), paper)
        if kind == "border":
            yield tick(w("frame_"))
        yield from set_amount(site, w("copies"), 1, n)
        yield click(w("print"))
        if kind == "small":
            yield give_up(f"{photo}, {size}: {w('too_small')}", see=w("too_small"), why="the site refuses the size")
        elif kind == "send":
            yield click(w("send_off"), sure=True)
            yield done(f"{w('on_its_way')} {number}", see=number)
        yield done(f"{photo}: {w('listed')}", see=w("listed"))

    def want(data: dict[str, Any]) -> None:
        line = [photo, size, paper, kind == "border", n]
        if kind == "send":
            data["sent"].append([line])
        elif kind in ("print", "border", "newest", "ask"):
            data["list"].append(line)
        elif kind == "drop":
            data["list"] = []

    goal = draw.goal(kind, photo=photo, size=size, paper=paper, n=n, held=held)
    answers = {"day": [days[photo]], "cost": [prices[size]]}.get(kind, [])
    ending, person = "give_up" if kind == "small" else "done", size if kind == "ask" else ""
    site.task(goal, steps, want=want, answer=answers, ending=ending, person=person)
    return site

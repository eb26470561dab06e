"""A charity: projects to give to once or often, an amount that needs a second field, petitions, gifts to end."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, ask, choose, click, done, fill, give_up, tick
from gym.site import Form, Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    w = draw.word
    paths = {"/": "home", "/projects": "projects", "/petitions": "petitions", "/standing": "standing"}
    site = Site(draw, paths | {"/receipts": "receipts", "/stories": "stories"}, dressed="no")
    kind = draw.pick(draw.kinds())
    projects, petitions = draw.sample(draw.all("project_names"), 5), draw.sample(draw.all("petition_names"), 4)
    needs = {each: draw.money(300, 9000) for each in projects}
    counts = dict(zip(petitions, draw.sample(range(120, 9000), 4), strict=True))
    amounts, rhythms = draw.all("amounts"), draw.all("rhythms")
    closed, number, teaser = petitions[0], draw.digits(5), draw.chance(0.5)
    site.keeps_entries = False
    site.data = {"gifts": [], "signed": [], "standing": projects[3:]}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        shown = [
            f"<h3>{ui.link(each, f'/project/{at}')}</h3>{ui.text(needs[each])}" for at, each in enumerate(projects[:2])
        ]
        return [ui.heading(site.brand), ui.text(draw.all("filler")[0]), *(shown if teaser else [])]

    @site.page("/projects")
    def show_projects(ui: Ui) -> Sequence[str]:
        rows = [Row([each], f"/project/{at}") for at, each in enumerate(projects)]
        return [ui.heading(site.sections["/projects"]), ui.table([w("name")], rows)]

    @site.page("/project/{at}")
    def project(ui: Ui, at: str) -> Sequence[str]:
        one = projects[int(at)]
        fields = [ui.choose("sum", w("amount"), amounts), ui.field("other", w("other_amount"), kind="number")]
        fields += [ui.choose("often", w("how_often"), rhythms), ui.check("hidden", w("anonymous"))]
        return [ui.heading(one), ui.facts({w("needed"): needs[one]}), ui.form("give", fields, w("donate"), id=one)]

    @site.page("/petitions")
    def show_petitions(ui: Ui) -> Sequence[str]:
        rows = [Row([each, str(counts[each])], f"/petition/{at}") for at, each in enumerate(petitions)]
        return [ui.heading(site.sections["/petitions"]), ui.table([w("title"), w("names_")], rows)]

    @site.page("/petition/{at}")
    def petition(ui: Ui, at: str) -> Sequence[str]:
        one = petitions[int(at)]
        if one == closed:
            return [ui.heading(one), ui.text(w("closed"))]
        form = ui.form("sign", [ui.field("name", w("name")), ui.field("city", w("city"))], w("sign_it"), id=one)
        return [ui.heading(one), ui.facts({w("names_"): str(counts[one])}), form]

    @site.page("/standing")
    def standing(ui: Ui) -> Sequence[str]:
        rows = [Row([each], actions=[Action(w("stop"), "stop", True)], key=each) for each in site.data["standing"]]
        return [ui.heading(site.sections["/standing"]), ui.table([w("name")], rows)]

    @site.act("give")
    def give(form: Form) -> str | None:
        free = form["sum"] == amounts[-1]
        if not site.require(form, required__other=free and not form["other"].strip()):
            return None
        sum_ = form["other"].strip() if free else form["sum"]
        site.data["gifts"].append([form["id"], sum_, form["often"], "hidden" in form])
        site.notice = f"{w('thanks')} {number}"
        return "/"

    @site.act("sign")
    def sign(form: Form) -> str | None:
        if not site.require(form, "name", "city"):
            return None
        site.data["signed"].append([form["id"], form["name"].strip(), form["city"].strip()])
        site.notice = f"{w('signed')} {form['name'].strip()}"
        return "/petitions"

    @site.act("stop")
    def stop(form: Form) -> None:
        site.data["standing"].remove(form["id"])
        site.notice = w("deleted")

    one, sum_, odd = draw.pick(projects), draw.pick(amounts[1:-1]), str(draw.number(101, 480))
    rhythm = draw.pick(rhythms[1:]) if kind == "often" else rhythms[0]
    wish = closed if kind == "closed" else draw.pick(petitions[1:])
    held, name, city = draw.pick(projects[3:]), draw.person(), draw.pick(draw.all("cities"))
    most = max(counts, key=lambda each: counts[each])

    def steps() -> Iterator[Step]:
        if kind == "stop":
            yield click(site.sections["/standing"])
            yield click(w("stop"), row=held, sure=True)
            yield done(f"{held}: {w('deleted')}", see=w("deleted"))
        elif kind in ("sign", "closed", "most"):
            yield click(site.sections["/petitions"])
            if kind == "most":
                yield done(f"{most}: {counts[most]} {w('names_')}", see=most)
            yield click(wish)
            if kind == "closed":
                yield give_up(f"{wish}: {w('closed')}", see=w("closed"), why="nobody can sign any more")
            yield fill(w("name"), name)
            yield fill(w("city"), city)
            yield click(w("sign_it"))
            yield done(f"{w('signed')} {name}", see=w("signed"))
        if kind == "ask" or not teaser or one not in projects[:2]:
            yield click(site.sections["/projects"])
        if kind == "ask":
            yield ask(f"{' / '.join(projects)}?", see=projects[-1], why="the goal does not say for what")
        yield click(one)
        if kind == "need":
            yield done(f"{one}: {w('needed')} {needs[one]}", see=needs[one])
        yield choose(w("amount"), amounts[-1] if kind == "odd" else sum_)
        if kind == "odd":
            yield fill(w("other_amount"), odd)
        elif kind == "often":
            yield choose(w("how_often"), rhythm)
            yield tick(w("anonymous"))
        yield click(w("donate"))
        yield done(f"{w('thanks')} {number}", see=number)

    def want(data: dict[str, Any]) -> None:
        if kind in ("once", "odd", "often", "ask"):
            data["gifts"].append([one, odd if kind == "odd" else sum_, rhythm, kind == "often"])
        elif kind == "sign":
            data["signed"].append([wish, name, city])
        elif kind == "stop":
            data["standing"].remove(held)

    values = {"sum": sum_, "odd": odd, "project": one, "rhythm": rhythm, "petition": wish, "name": name, "city": city}
    answers = {"need": [needs[one]], "most": [most]}.get(kind, [])
    ending, person = "give_up" if kind == "closed" else "done", one if kind == "ask" else ""
    site.task(draw.goal(kind, **values, held=held), steps, want=want, answer=answers, ending=ending, person=person)
    return site

"""Jobs: the same posts in several places, a filter by place, an application form, stars."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, choose, click, done, fill, give_up, star
from gym.site import Form, Site
from gym.words import LANGUAGES, Draw

POSTS = (
    "Baker; Gardener; Bus driver; Nurse; Bookkeeper; Welder; Receptionist; Teacher",
    "Bäcker; Gärtner; Busfahrer; Pfleger; Buchhalter; Schweißer; Empfang; Lehrer",
    "Boulanger; Jardinier; Chauffeur de bus; Infirmier; Comptable; Soudeur; Accueil; Enseignant",
    "Panadero; Jardinero; Conductor; Enfermero; Contable; Soldador; Recepción; Maestro",
    "面包师; 园丁; 公交司机; 护士; 会计; 焊工; 前台; 教师",
)
JOBS = (
    "Jobs; Open positions; Work with us",
    "Stellen; Offene Stellen; Jobs",
    "Emplois; Postes",
    "Empleo; Vacantes",
    "职位; 招聘",
)
PAY = ("Pay; Salary", "Gehalt; Lohn", "Salaire; Paie", "Sueldo; Salario", "工资; 薪水")
SEND = (
    "Apply; Send application",
    "Bewerben; Bewerbung senden",
    "Postuler; Envoyer la candidature",
    "Solicitar; Enviar solicitud",
    "申请; 投递",
)


def make(draw: Draw) -> Site:
    jobs_ = draw.words(*JOBS)
    site = Site(
        draw, {"/": "home", "/jobs": jobs_, "/favorites": "s_favorites", "/about": "about", "/contact": "contact"}
    )
    pay, send, kept = draw.words(*PAY), draw.words(*SEND), site.sections["/favorites"]
    title, city, name, email, message = (draw.word(key) for key in ("title", "city", "name", "email", "message"))
    *posts, absent = draw.sample([each.strip() for each in POSTS[LANGUAGES.index(draw.language)].split(";")], 5)
    cities = draw.some("cities", 4)
    pairs = draw.sample([(post, where) for post in posts for where in cities], draw.number(8, 15))
    offers = {
        f"j{at}": {"post": post, "city": where, "pay": draw.money(1500, 5200)} for at, (post, where) in enumerate(pairs)
    }
    site.data = {"sent": [], "starred": []}

    def rows(ui: Ui, keys: Sequence[str]) -> list[Row]:
        marks = {key: ui.star("star", key in site.data["starred"], kept, id=key) for key in keys}
        return [
            Row([offers[key]["post"], offers[key]["city"]], f"/job/{key}", key=key, mark=marks[key]) for key in keys
        ]

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(draw.word("welcome")), ui.text(*draw.all("filler")[:2])]

    @site.page("/jobs")
    def listing(ui: Ui) -> Sequence[str]:
        where = ui.query.get("city", "")
        form = ui.form("filter", [ui.choose("city", city, ["–", *cities], where)], draw.word("filter"))
        keys = [key for key, each in offers.items() if where in ("", "–", each["city"])]
        count = ui.text(f"{len(keys)} {draw.word('results')}")
        return [ui.heading(jobs_), form, count, ui.table([title, city], rows(ui, keys))]

    @site.page("/job/{id}")
    def job(ui: Ui, id: str) -> Sequence[str]:
        one = offers[id]
        fields = [ui.field("name", name), ui.field("email", email), ui.field("text", message, kind="textarea")]
        facts = ui.facts({city: one["city"], pay: one["pay"]})
        return [ui.heading(one["post"]), facts, ui.form("apply", fields, send, id=id)]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        shown = (
            ui.table([title, city], rows(ui, site.data["starred"]))
            if other == "favorites"
            else ui.text(*draw.all("filler"))
        )
        return [ui.heading(site.sections[f"/{other}"]), shown]

    @site.act("filter")
    def narrow(form: Form) -> str:
        return f"/jobs?city={form['city']}"

    @site.act("star")
    def mark(form: Form) -> None:
        marked: list[str] = site.data["starred"]
        marked.remove(form["id"]) if form["id"] in marked else marked.append(form["id"])

    @site.act("apply")
    def apply(form: Form) -> None:
        if site.require(form, "name", "email", "text"):
            site.data["sent"].append([form[each].strip() for each in ("id", "name", "email", "text")])
            site.notice = draw.word("sent")

    kind = draw.pick(draw.kinds())
    key = draw.pick(list(offers))
    post, where = offers[key]["post"], offers[key]["city"]
    person = draw.person()
    mail, text = draw.email(person), draw.pick(draw.all("sentences"))
    count = sum(each["city"] == where for each in offers.values())

    def steps() -> Iterator[Step]:
        yield click(jobs_)
        yield choose(city, where)
        yield click(draw.word("filter"), why=f"only {where} matters")
        if kind == "count":
            yield done(f"{where}: {count} {draw.word('results')}", see=f"{count} {draw.word('results')}")
        elif kind == "absent":
            yield give_up(f"{absent}, {where}: {draw.word('nothing_found')}", see=where, why="no such post there")
        elif kind == "keep":
            yield star(kept, post)
            yield done(f"★ {post}, {where}")
        yield click(post)
        if kind == "pay":
            yield done(f"{post}, {where}: {offers[key]['pay']}", see=offers[key]["pay"])
        yield fill(name, person)
        yield fill(email, mail)
        yield fill(message, text)
        yield click(send)
        yield done(f"{draw.word('sent')} {post}", see=draw.word("sent"))

    def want(data: dict[str, Any]) -> None:
        if kind == "apply":
            data["sent"].append([key, person, mail, text])
        elif kind == "keep":
            data["starred"].append(key)

    said = absent if kind == "absent" else post
    goal = draw.goal(kind, job=said, city=where, name=person, email=mail, text=text)
    answers = {"pay": [offers[key]["pay"]], "count": [str(count)]}.get(kind, [])
    site.task(goal, steps, want=want, answer=answers, ending="give_up" if kind == "absent" else "done")
    return site

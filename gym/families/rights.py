"""Rights: for each person a page of boxes to tick, kept only when saved; what is ticked already stays."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, click, done, give_up, search, tick
from gym.site import Form, Site
from gym.words import LANGUAGES, Draw

RIGHTS = (
    "read reports; edit prices; invite people; export data; delete records; approve leave",
    "Berichte lesen; Preise ändern; Leute einladen; Daten exportieren; Einträge löschen; Urlaub genehmigen",
    "lire les rapports; modifier les prix; inviter des gens; exporter les données; effacer des fiches; valider congés",
    "leer informes; cambiar precios; invitar a gente; exportar datos; borrar fichas; aprobar vacaciones",
    "查看报告; 修改价格; 邀请成员; 导出数据; 删除记录; 批准休假",
)
ACCESS = (
    "Access; Rights; Permissions",
    "Zugriff; Rechte; Berechtigungen",
    "Accès; Droits",
    "Acceso; Permisos",
    "权限; 访问控制",
)


def make(draw: Draw) -> Site:
    access = draw.words(*ACCESS)
    site = Site(draw, {"/": "home", "/access": access, "/people": "s_people", "/reports": "s_reports", "/help": "help"})
    rights = [each.strip() for each in RIGHTS[LANGUAGES.index(draw.language)].split(";")]
    *people, stranger = draw.people(draw.number(5, 16))
    held = {who: sorted(draw.sample(rights, draw.number(1, 4))) for who in people}
    site.data = {"held": held}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(draw.word("welcome")), ui.text(*draw.all("filler")[:2])]

    @site.page("/access")
    def listing(ui: Ui) -> Sequence[str]:
        rows = [Row([who, str(len(held[who]))], f"/who/{at}") for at, who in enumerate(people)]
        return [ui.heading(access), ui.listing([draw.word("name"), access], rows, "/access", size=7)]

    @site.page("/who/{at}")
    def person(ui: Ui, at: str) -> Sequence[str]:
        who = people[int(at)]
        boxes = [ui.check(f"r{n}", right, right in held[who]) for n, right in enumerate(rights)]
        return [ui.heading(who), ui.form("save", boxes, draw.word("save"), who=who)]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*(people if other == "people" else draw.all("filler")))]

    @site.act("save")
    def save(form: Form) -> str:
        held[form["who"]] = sorted(right for n, right in enumerate(rights) if form.get(f"r{n}"))
        site.notice = f"{draw.word('saved')} {form['who']}"
        return "/access"

    kind = draw.pick(draw.kinds())
    who = draw.pick(people)
    missing = [right for right in rights if right not in held[who]]
    right = draw.pick(held[who] if kind == "revoke" else missing)
    second = draw.pick([each for each in missing if each != right])
    asked = draw.pick(rights)
    yes = asked in held[who]
    states = [draw.words("no", "nein", "non", "no", "没有"), draw.words("yes", "ja", "oui", "sí", "有")]
    seeks = kind == "absent" or draw.chance(0.5)

    def steps() -> Iterator[Step]:
        yield click(access)
        if seeks:
            yield search(stranger if kind == "absent" else who)
        if kind == "absent":
            yield give_up(f"{stranger}: {draw.word('nothing_found')}", see=draw.word("nothing_found"))
        yield click(who)
        if kind == "ask":
            held_now = ", ".join(held[who])
            yield done(
                f"{states[yes]}. {who}: {held_now}", see=asked, why="the box is ticked" if yes else "the box is empty"
            )
        yield tick(right)
        if kind == "two":
            yield tick(second)
        yield click(draw.word("save"))
        yield done(f"{draw.word('saved')} {who}: {right}", see=draw.word("saved"))

    def want(data: dict[str, dict[str, list[Any]]]) -> None:
        mine = set(data["held"][who])
        changes = {"grant": mine | {right}, "revoke": mine - {right}, "two": mine | {right, second}}
        data["held"][who] = sorted(changes.get(kind, mine))

    said = stranger if kind == "absent" else who
    goal = draw.goal(kind, who=said, right=asked if kind == "ask" else right, second=second)
    answers = [states[yes]] if kind == "ask" else []
    site.task(goal, steps, want=want, answer=answers, ending="give_up" if kind == "absent" else "done")
    return site

"""Expenses: claims to hand in, to approve or refuse one by one or all of a person's; decided ones have no buttons."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.families.calendar import is_date
from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, choose, click, done, fill
from gym.site import Form, Site
from gym.words import LANGUAGES, Draw

CLAIMS = (
    "Claims; Expenses; Refunds",
    "Anträge; Auslagen; Spesen",
    "Notes de frais; Demandes",
    "Gastos; Reembolsos",
    "报销; 费用申请",
)
KINDS = (
    "travel; meals; material; phone",
    "Reise; Essen; Material; Telefon",
    "voyage; repas; matériel; téléphonie",
    "viaje; comida; material; telefonía",
    "差旅; 餐饮; 材料; 通讯",
)
YES = ("Approve; Let through; Accept", "Genehmigen; Freigeben", "Approuver; Accepter", "Aprobar; Aceptar", "批准; 通过")
NO = ("Refuse; Turn down", "Ablehnen; Zurückweisen", "Refuser; Rejeter", "Rechazar; Denegar", "驳回; 拒绝")
NEW = (
    "New claim; Hand in",
    "Neuer Antrag; Einreichen",
    "Nouvelle demande; Déclarer",
    "Nueva solicitud; Presentar",
    "新申请; 提交费用",
)


def make(draw: Draw) -> Site:
    claims_, new = draw.words(*CLAIMS), draw.words(*NEW)
    site = Site(draw, {"/": "home", "/claims": claims_, "/new": new, "/people": "s_people", "/help": "help"})
    kinds = [each.strip() for each in KINDS[LANGUAGES.index(draw.language)].split(";")]
    yes, no = draw.words(*YES), draw.words(*NO)
    title, price, day, category, owner = (draw.word(key) for key in ("title", "price", "date", "category", "owner"))
    *titles, fresh = draw.some("tasks", draw.number(6, 11))
    people = draw.people(3)
    claims: dict[str, dict[str, Any]] = {
        f"x{at}": {"what": each, "who": people[at % 3], "sum": draw.money(5, 400), "state": "open"}
        for at, each in enumerate(titles)
    }
    site.data = {"claims": claims, "own": []}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(draw.word("welcome")), ui.facts({claims_: str(len(claims))})]

    @site.page("/claims")
    def listing(ui: Ui) -> Sequence[str]:
        rows: list[Row] = []
        for key, each in claims.items():
            open_ = each["state"] == "open"
            state = draw.word("open_state") if open_ else yes if each["state"] == "yes" else no
            actions = (Action(yes, "yes"), Action(no, "no")) if open_ else ()
            rows.append(Row([each["what"], each["who"], each["sum"], "" if open_ else f"✓ {state}"], "", actions, key))
        return [ui.heading(claims_), ui.table([title, owner, price, draw.word("status")], rows)]

    @site.page("/new")
    def form(ui: Ui) -> Sequence[str]:
        fields = [ui.field("what", title), ui.field("sum", price), ui.field("day", day, kind="date")]
        return [ui.heading(new), ui.form("hand", [*fields, ui.choose("kind", category, kinds)], draw.word("send"))]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*(people if other == "people" else draw.all("filler")))]

    @site.act("yes")
    def approve(form: Form) -> None:
        claims[form["id"]]["state"] = "yes"

    @site.act("no")
    def refuse(form: Form) -> None:
        claims[form["id"]]["state"] = "no"

    @site.act("hand")
    def hand(form: Form) -> str | None:
        if not site.require(form, "what", "sum", "day", bad_date__day=not is_date(form.get("day", ""))):
            return None
        site.data["own"].append([form[key].strip() for key in ("what", "sum", "day", "kind")])
        site.notice = draw.word("sent")
        return "/claims"

    kind = draw.pick(draw.kinds())
    key = draw.pick(list(claims))
    one = claims[key]
    who = one["who"]
    mine = [each for each in claims if claims[each]["who"] == who]
    sum_, when, sort = str(draw.number(4, 300)), draw.day(), draw.pick(kinds)

    def steps() -> Iterator[Step]:
        if kind == "add":
            yield click(new)
            yield fill(title, fresh)
            yield fill(price, sum_)
            yield fill(day, when)
            if sort != kinds[0]:
                yield choose(category, sort)
            yield click(draw.word("send"))
            yield done(f"{draw.word('sent')} {fresh}: {sum_}", see=draw.word("sent"))
        yield click(claims_)
        if kind == "sum":
            yield done(f"{one['what']}, {who}: {one['sum']}", see=one["sum"])
        for each in mine if kind == "all" else [key]:
            yield click(no if kind == "reject" else yes, row=claims[each]["what"])
        yield done(f"{no if kind == 'reject' else yes}: {who if kind == 'all' else one['what']}")

    def want(data: dict[str, Any]) -> None:
        if kind == "add":
            data["own"].append([fresh, sum_, when, sort])
        for each in {"approve": [key], "all": mine}.get(kind, []):
            data["claims"][each]["state"] = "yes"
        if kind == "reject":
            data["claims"][key]["state"] = "no"

    goal = draw.goal(kind, what=fresh if kind == "add" else one["what"], who=who, n=sum_, day=when, kind_=sort)
    site.task(goal, steps, want=want, answer=[one["sum"]] if kind == "sum" else [])
    return site

"""Invoices: numbers that are alike, payments to note one by one, reminders that ask first, a form for new ones."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, choose, click, done, fill, give_up, search
from gym.site import Form, Site
from gym.words import Draw

BILLS = (
    "Invoices; Bills; Money owed",
    "Rechnungen; Forderungen",
    "Factures; Créances",
    "Facturas; Cobros",
    "发票; 账单",
)
NEW = (
    "Write invoice; New bill",
    "Rechnung schreiben; Neue Rechnung",
    "Nouvelle facture",
    "Nueva factura",
    "开发票; 新账单",
)
PAID = (
    "Mark as paid; Paid",
    "Als bezahlt markieren; Bezahlt",
    "Marquer payée; Payée",
    "Marcar pagada; Pagada",
    "标为已付; 已付款",
)
NUDGE = ("Remind; Send reminder", "Mahnen; Erinnern", "Relancer; Rappeler", "Recordar; Reclamar", "催款; 提醒")
CLIENT = ("Client; Customer", "Kunde; Auftraggeber", "Client; Débiteur", "Cliente; Deudor", "客户; 付款方")


def make(draw: Draw) -> Site:
    bills_, new = draw.words(*BILLS), draw.words(*NEW)
    site = Site(draw, {"/": "home", "/bills": bills_, "/new": new, "/people": "s_people", "/reports": "s_reports"})
    paid, nudge, client = draw.words(*PAID), draw.words(*NUDGE), draw.words(*CLIENT)
    number, price, note, state = (draw.word(key) for key in ("number", "price", "note", "status"))
    firms = draw.some("brands", 4)
    year = draw.pick(("26", "27"))
    count = draw.number(7, 14)
    bills: dict[str, dict[str, Any]] = {
        f"R{year}-{104 + 3 * at}": {"firm": firms[at % 4], "sum": draw.money(30, 2500), "paid": False, "nudged": 0}
        for at in range(count)
    }
    site.data = {"bills": bills, "new": []}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(draw.word("welcome")), ui.facts({bills_: str(len(bills))})]

    @site.page("/bills")
    def listing(ui: Ui) -> Sequence[str]:
        rows: list[Row] = []
        for key, each in bills.items():
            actions = () if each["paid"] else (Action(paid, "pay"), Action(nudge, "nudge", True))
            rows.append(Row([key, each["firm"], each["sum"], "✓" if each["paid"] else "–"], "", actions, key))
        return [ui.heading(bills_), ui.listing([number, client, price, state], rows, "/bills", size=7)]

    @site.page("/new")
    def form(ui: Ui) -> Sequence[str]:
        fields = [ui.choose("firm", client, firms), ui.field("sum", price), ui.field("what", note)]
        return [ui.heading(new), ui.form("write", fields, draw.word("save"))]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*draw.all("filler"))]

    @site.act("pay")
    def pay(form: Form) -> None:
        bills[form["id"]]["paid"] = True

    @site.act("nudge")
    def remind(form: Form) -> None:
        bills[form["id"]]["nudged"] += 1
        site.notice = f"{draw.word('sent')} {form['id']}"

    @site.act("write")
    def write(form: Form) -> str | None:
        if not site.require(form, "sum", "what", bad_number__sum=not form.get("sum", "").strip().isdecimal()):
            return None
        site.data["new"].append([form[key].strip() for key in ("firm", "sum", "what")])
        site.notice = draw.word("saved")
        return "/bills"

    kind = draw.pick(draw.kinds())
    key = draw.pick(list(bills))
    one = bills[key]
    firm, sum_, what = one["firm"], str(draw.number(20, 900)), draw.pick(draw.all("tasks"))
    absent = f"R{year}-{105 + 3 * draw.number(0, 5)}"
    theirs = [each for each in bills if bills[each]["firm"] == firm]
    seeks = kind == "absent" or (kind != "all" and draw.chance(0.5))

    def steps() -> Iterator[Step]:
        if kind == "write":
            yield click(new)
            if firm != firms[0]:
                yield choose(client, firm)
            yield fill(price, sum_)
            yield fill(note, what)
            yield click(draw.word("save"))
            yield done(f"{draw.word('saved')} {firm}: {sum_}", see=draw.word("saved"))
        yield click(bills_)
        if seeks or kind == "all":
            yield search(absent if kind == "absent" else firm if kind == "all" else key)
        if kind == "absent":
            yield give_up(f"{absent}: {draw.word('nothing_found')}", see=draw.word("nothing_found"))
        elif kind == "amount":
            yield done(f"{key}, {firm}: {one['sum']}", see=one["sum"])
        elif kind == "remind":
            yield click(nudge, row=key, sure=True)
            yield done(f"{draw.word('sent')} {key}", see=draw.word("sent"))
        for each in theirs if kind == "all" else [key]:
            yield click(paid, row=each)
        yield done(f"{paid}: {', '.join(theirs) if kind == 'all' else key}")

    def want(data: dict[str, Any]) -> None:
        for each in {"paid": [key], "all": theirs}.get(kind, []):
            data["bills"][each]["paid"] = True
        if kind == "remind":
            data["bills"][key]["nudged"] = 1
        elif kind == "write":
            data["new"].append([firm, sum_, what])

    said = absent if kind == "absent" else key
    goal = draw.goal(kind, number=said, firm=firm, sum=sum_, what=what)
    answers = [one["sum"]] if kind == "amount" else []
    site.task(goal, steps, want=want, answer=answers, ending="give_up" if kind == "absent" else "done")
    return site

"""A bank: accounts, transactions, transfers with an amount in one form, cards to block; two people share a name."""

from collections.abc import Iterator, Sequence
from typing import Any

from gym.lists import Action, Row
from gym.markup import Ui
from gym.oracle import Step, ask, choose, click, done, fill, give_up, search
from gym.site import Form, Site
from gym.words import Draw

ACCOUNTS = (
    "Everyday; Savings; Household; Holiday fund",
    "Giro; Sparbuch; Haushalt; Urlaubskasse",
    "Courant; Épargne; Ménage; Vacances",
    "Corriente; Ahorro; Hogar; Vacaciones",
    "日常; 储蓄; 家用; 旅行基金",
)
CARDS = ("Cards; My cards", "Karten; Meine Karten", "Cartes; Mes cartes", "Tarjetas; Mis tarjetas", "卡片; 我的卡")
BLOCK = ("Block; Freeze; Lock", "Sperren; Einfrieren", "Bloquer; Geler", "Bloquear; Congelar", "冻结; 锁定")
BLOCKED = ("blocked; frozen", "gesperrt; eingefroren", "bloquée; gelée", "bloqueada; congelada", "已冻结; 已锁定")
REASON = ("Reason; Reference", "Zweck; Verwendungszweck", "Motif; Référence", "Concepto; Motivo", "用途; 附言")


def make(draw: Draw) -> Site:
    paths = {"/": "home", "/accounts": "s_accounts", "/pay": "s_transfer", "/moves": "s_movements"}
    site = Site(draw, paths | {"/cards": draw.words(*CARDS), "/help": "help"})
    names = [each.strip() for each in ACCOUNTS[["en", "de", "fr", "es", "zh"].index(draw.language)].split(";")]
    amount, reason, payee, account = (
        draw.word("price"),
        draw.words(*REASON),
        draw.word("recipient"),
        draw.word("account"),
    )
    block, blocked = draw.words(*BLOCK), draw.words(*BLOCKED)
    balances = {name: draw.money(100, 9000) for name in names}
    last = draw.pick(draw.all("last_names"))
    firsts = draw.some("first_names", 2)
    twins = [f"{last}{each}" if draw.language == "zh" else f"{each} {last}" for each in firsts]
    people = [*twins, *[each for each in draw.people(4) if last not in each]]
    *shops, absent = draw.some("brands", 8)
    moves = [(shop, draw.day(), draw.money(3, 300)) for shop in shops]
    cards = {draw.digits(4): "ok" for _ in range(3)}
    site.data = {"paid": [], "cards": cards}

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(draw.word("welcome")), ui.facts({names[0]: balances[names[0]]})]

    @site.page("/accounts")
    def accounts(ui: Ui) -> Sequence[str]:
        rows = [Row([name, balances[name]]) for name in names]
        return [ui.heading(site.sections["/accounts"]), ui.table([account, draw.word("total")], rows)]

    @site.page("/pay")
    def pay(ui: Ui) -> Sequence[str]:
        fields = [ui.choose("who", payee, ["–", *people]), ui.field("amount", amount), ui.field("reason", reason)]
        return [ui.heading(site.sections["/pay"]), ui.form("pay", fields, draw.word("send"))]

    @site.page("/moves")
    def movements(ui: Ui) -> Sequence[str]:
        rows = [Row(move) for move in moves]
        columns = [draw.word("recipient"), draw.word("date"), amount]
        return [ui.heading(site.sections["/moves"]), ui.listing(columns, rows, "/moves", size=5)]

    @site.page("/cards")
    def show_cards(ui: Ui) -> Sequence[str]:
        action = Action(block, "block", True)
        rows = [
            Row([f"•••• {card}", blocked if state == "blocked" else "✓"], actions=[action], key=card)
            for card, state in cards.items()
        ]
        return [ui.heading(site.sections["/cards"]), ui.table([draw.word("number"), draw.word("status")], rows)]

    @site.page("/help")
    def help(ui: Ui) -> Sequence[str]:
        return [ui.heading(site.sections["/help"]), ui.text(*draw.all("filler"))]

    @site.act("pay")
    def send(form: Form) -> str:
        figures = form.get("amount", "").strip()
        bad = not figures.isdecimal()
        if not site.require(form, "amount", "reason", required__who=form.get("who") == "–", bad_number__amount=bad):
            return "/pay"
        site.data["paid"].append([form["who"], figures, form["reason"].strip()])
        site.notice = f"{draw.word('sent')} {figures} → {form['who']}"
        return "/"

    @site.act("block")
    def lock(form: Form) -> None:
        cards[form["id"]] = "blocked"

    kind = draw.pick(draw.kinds())
    who = twins[1] if kind == "ask" else draw.pick(people[2:])
    first = last
    sum_ = str(draw.number(5, 900))
    why = draw.pick(draw.all("subjects"))
    name, card = draw.pick(names), draw.pick(list(cards))
    shop, _, paid = draw.pick(moves)
    seeks = draw.chance(0.5)

    def steps() -> Iterator[Step]:
        if kind == "balance":
            yield click(site.sections["/accounts"])
            yield done(f"{name}: {balances[name]}", see=balances[name])
        elif kind == "block":
            yield click(site.sections["/cards"])
            yield click(block, row=f"•••• {card}", sure=True)
            yield done(f"{card}: {blocked}", see=blocked)
        elif kind in ("spent", "absent"):
            yield click(site.sections["/moves"])
            if seeks or kind == "absent":
                yield search(absent if kind == "absent" else shop)
            if kind == "absent":
                yield give_up(f"{absent}: {draw.word('nothing_found')}", see=draw.word("nothing_found"))
            yield done(f"{shop}: {paid}", see=paid)
        yield click(site.sections["/pay"])
        if kind == "ask":
            yield ask(f"{payee}: {twins[0]} / {twins[1]}?", why=f"two people are called {last}")
        yield choose(payee, who)
        yield fill(amount, sum_)
        yield fill(reason, why)
        yield click(draw.word("send"))
        yield done(f"{draw.word('sent')} {sum_} → {who}", see=draw.word("sent"))

    def want(data: dict[str, Any]) -> None:
        if kind in ("pay", "ask"):
            data["paid"].append([who, sum_, why])
        elif kind == "block":
            data["cards"][card] = "blocked"

    said = absent if kind == "absent" else shop
    goal = draw.goal(kind, who=who, amount=sum_, reason=why, account=name, shop=said, card=card, first=first)
    if kind == "ask" and why not in goal:
        goal += f" ({why})"
    answers = {"balance": [balances[name]], "spent": [paid]}.get(kind, [])
    person = who if kind == "ask" else ""
    ending = "give_up" if kind == "absent" else "done"
    site.task(goal, steps, want=want, answer=answers, person=person, ending=ending)
    return site

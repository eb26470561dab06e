"""Names of web sites at a host: plans, expiry, and switching the renewal off."""

from gym.records import RecordWords, make_records
from gym.site import Site
from gym.words import Draw

FIRST = ("blue", "north", "paper", "quiet", "silver", "green", "little", "stone")
SECOND = ("bakery", "garden", "studio", "books", "sails", "clinic", "choir", "bikes")
WORDS = RecordWords(
    place=(
        "Domains; Web names; Addresses",
        "Domains; Webadressen",
        "Domaines; Noms de domaine",
        "Dominios; Direcciones web",
        "域名; 网址",
    ),
    names=lambda draw, count: [f"{draw.pick(FIRST)}-{draw.pick(SECOND)}{draw.digits(1)}.example" for _ in range(count)],
    group=(
        "Plan; Package",
        "Tarif; Paket",
        "Forfait; Formule",
        "Plan; Paquete",
        "套餐; 方案",
    ),
    options=(
        "Small; Family; Office; Agency",
        "Klein; Familie; Büro; Agentur",
        "Petit; Famille; Bureau; Agence",
        "Pequeño; Familia; Oficina; Agencia",
        "小型; 家庭; 办公; 机构",
    ),
    fact=(
        "Expires; Valid until",
        "Läuft ab; Gültig bis",
        "Expire; Valable jusqu’au",
        "Caduca; Válido hasta",
        "到期; 有效期至",
    ),
    draw_fact=lambda draw: draw.day(),
    do=(
        "Stop renewing; Switch renewal off",
        "Nicht verlängern; Verlängerung beenden",
        "Ne plus renouveler; Arrêter le renouvellement",
        "No renovar; Quitar renovación",
        "停止续费; 关闭续费",
    ),
    states=(
        "renews; ends",
        "verlängert sich; endet",
        "se renouvelle; prend fin",
        "se renueva; termina",
        "自动续费; 到期结束",
    ),
    refusal=(
        "Not possible: an invoice is open.",
        "Nicht möglich: eine Rechnung ist offen.",
        "Impossible : une facture est ouverte.",
        "No es posible: hay una factura abierta.",
        "无法操作:有未付账单。",
    ),
    amount=(
        "Mailboxes",
        "Postfächer",
        "Boîtes mail",
        "Buzones",
        "邮箱数",
    ),
    beside={"/people": "s_people", "/help": "help"},
)


def make(draw: Draw) -> Site:
    return make_records(draw, WORDS)

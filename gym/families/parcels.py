"""Parcels: numbers with recipients, depots, holding and releasing."""

from gym.records import RecordWords, make_records
from gym.site import Site
from gym.words import Draw

WORDS = RecordWords(
    place=(
        "Parcels; Shipments; Deliveries",
        "Pakete; Sendungen; Lieferungen",
        "Colis; Envois; Livraisons",
        "Paquetes; Envíos",
        "包裹; 快递",
    ),
    names=lambda draw, count: [f"P-{draw.digits(5)}" for _ in range(count)],
    group=(
        "Depot; Warehouse",
        "Depot; Lagerhaus",
        "Dépôt; Entrepôt",
        "Almacén; Depósito",
        "仓库; 站点",
    ),
    options=(
        "North depot; South depot; Harbour depot; Airport depot",
        "Depot Nord; Depot Süd; Hafendepot; Flughafendepot",
        "Dépôt nord; Dépôt sud; Dépôt du port; Dépôt aéroport",
        "Depósito norte; Depósito sur; Depósito del puerto; Depósito aeropuerto",
        "北站; 南站; 港口站; 机场站",
    ),
    fact=(
        "Expected; Arrives on",
        "Voraussichtlich; Ankunft",
        "Prévu le; Arrivée",
        "Previsto; Llegada",
        "预计到达; 到达日",
    ),
    draw_fact=lambda draw: draw.day(),
    do=(
        "Hold; Keep back",
        "Zurückhalten; Anhalten",
        "Retenir; Bloquer",
        "Retener; Detener",
        "暂扣; 扣留",
    ),
    states=(
        "on its way; held back",
        "unterwegs; zurückgehalten",
        "en route; retenu",
        "en camino; retenido",
        "运输中; 已暂扣",
    ),
    refusal=(
        "Not possible: this one is already on the van.",
        "Nicht möglich: schon im Lieferwagen.",
        "Impossible : déjà dans la camionnette.",
        "No es posible: ya está en la furgoneta.",
        "无法操作:已装车。",
    ),
    amount=(
        "Weight (kg)",
        "Gewicht (kg)",
        "Poids (kg)",
        "Peso (kg)",
        "重量(公斤)",
    ),
    beside={"/people": "s_people", "/help": "help"},
)


def make(draw: Draw) -> Site:
    return make_records(draw, WORDS)

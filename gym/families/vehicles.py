"""A fleet: plates with garages, next inspections, and taking a vehicle out of service."""

from gym.records import RecordWords, make_records
from gym.site import Site
from gym.words import Draw

WORDS = RecordWords(
    place=(
        "Vehicles; Fleet; Cars",
        "Fahrzeuge; Fuhrpark; Wagen",
        "Véhicules; Flotte",
        "Vehículos; Flota",
        "车辆; 车队",
    ),
    names=lambda draw, count: [
        f"{draw.pick('ABCEFHKLMN')}{draw.pick('PRSTUVWXZ')} {draw.digits(4)}" for _ in range(count)
    ],
    group=(
        "Garage; Base",
        "Garage; Standort",
        "Garage; Base",
        "Garaje; Base",
        "车库; 驻地",
    ),
    options=(
        "West yard; River yard; Old mill; Ring road",
        "Westhof; Flusshof; Alte Mühle; Ringstraße",
        "Cour ouest; Cour du fleuve; Vieux moulin; Rocade",
        "Patio oeste; Patio del río; Molino viejo; Ronda",
        "西院; 河院; 老磨坊; 环路",
    ),
    fact=(
        "Inspection due; Next check",
        "Nächste Prüfung; Prüfung fällig",
        "Prochain contrôle; Contrôle dû",
        "Próxima revisión; Revisión",
        "下次检验; 检验日",
    ),
    draw_fact=lambda draw: draw.day(),
    do=(
        "Take off the road; Withdraw",
        "Stilllegen; Aus dem Verkehr ziehen",
        "Immobiliser; Retirer",
        "Retirar; Dar de baja",
        "停用; 停驶",
    ),
    states=(
        "in use; withdrawn",
        "im Einsatz; stillgelegt",
        "en service; retiré",
        "en uso; retirado",
        "使用中; 已停用",
    ),
    refusal=(
        "Not possible: it is booked for today.",
        "Nicht möglich: heute ist es gebucht.",
        "Impossible : réservé pour aujourd’hui.",
        "No es posible: está reservado hoy.",
        "无法操作:今天已有预订。",
    ),
    amount=(
        "Seats",
        "Sitze",
        "Sièges",
        "Asientos",
        "座位",
    ),
    beside={"/calendar": "s_calendar", "/help": "help"},
)


def make(draw: Draw) -> Site:
    return make_records(draw, WORDS)

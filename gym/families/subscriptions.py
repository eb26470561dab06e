"""Subscriptions: what is paid each month, pausing, plans."""

from gym.records import RecordWords, make_records
from gym.site import Site
from gym.words import Draw

WORDS = RecordWords(
    place=(
        "Subscriptions; Memberships; Plans",
        "Abonnements; Mitgliedschaften; Abos",
        "Abonnements; Adhésions",
        "Suscripciones; Abonos",
        "订阅; 会员",
    ),
    names=lambda draw, count: draw.some("brands", count),
    group=(
        "Plan; Tier",
        "Tarif; Stufe",
        "Formule; Niveau",
        "Plan; Nivel",
        "套餐; 等级",
    ),
    options=(
        "Basic; Family; Student; Premium",
        "Basis; Familie; Studierende; Premium",
        "Base; Famille; Étudiant; Premium",
        "Básico; Familiar; Estudiante; Premium",
        "基础版; 家庭版; 学生版; 高级版",
    ),
    fact=(
        "Renews on; Next payment",
        "Verlängert sich am; Nächste Zahlung",
        "Renouvelé le; Prochain paiement",
        "Se renueva el; Próximo pago",
        "续费日; 下次付款",
    ),
    draw_fact=lambda draw: draw.day(),
    do=(
        "Pause; Suspend",
        "Pausieren; Aussetzen",
        "Mettre en pause; Suspendre",
        "Pausar; Suspender",
        "暂停; 停用",
    ),
    states=(
        "running; paused",
        "läuft; pausiert",
        "en cours; en pause",
        "activa; en pausa",
        "生效中; 已暂停",
    ),
    refusal=(
        "Pausing is not offered for this plan.",
        "Pausieren ist in diesem Tarif nicht möglich.",
        "La pause n’est pas proposée avec cette formule.",
        "Este plan no permite pausas.",
        "此套餐不支持暂停。",
    ),
    amount=(
        "Months paid",
        "Bezahlte Monate",
        "Mois payés",
        "Meses pagados",
        "已付月数",
    ),
    beside={"/movements": "s_movements", "/settings": "s_settings"},
)


def make(draw: Draw) -> Site:
    return make_records(draw, WORDS)

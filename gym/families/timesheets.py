"""Timesheets: hours on jobs, cost centres, handing in."""

from gym.records import RecordWords, make_records
from gym.site import Site
from gym.words import Draw

WORDS = RecordWords(
    place=(
        "Timesheets; My hours; Time",
        "Zeiterfassung; Meine Stunden; Zeiten",
        "Feuilles de temps; Mes heures; Temps",
        "Partes de horas; Mis horas; Tiempos",
        "工时表; 我的工时",
    ),
    names=lambda draw, count: draw.some("tasks", count),
    group=(
        "Cost centre; Charged to",
        "Kostenstelle; Verbucht auf",
        "Centre de coûts; Imputé à",
        "Centro de coste; Cargado a",
        "成本中心; 记账到",
    ),
    options=(
        "Plant; Office; Customer site; Training centre",
        "Werk; Büro; Beim Kunden; Schulungszentrum",
        "Usine; Bureau; Chez le client; Centre de formation",
        "Planta; Oficina; En cliente; Centro de formación",
        "工厂; 办公室; 客户现场; 培训中心",
    ),
    fact=(
        "Week; Calendar week",
        "Woche; Kalenderwoche",
        "Semaine",
        "Semana",
        "周次",
    ),
    draw_fact=lambda draw: f"2027-W{draw.number(10, 52)}",
    do=(
        "Hand in; Submit hours",
        "Einreichen; Stunden abgeben",
        "Soumettre; Remettre les heures",
        "Entregar; Presentar horas",
        "提交工时; 上报",
    ),
    states=(
        "draft; handed in",
        "Entwurf; eingereicht",
        "brouillon; soumis",
        "borrador; entregado",
        "草稿; 已提交",
    ),
    refusal=(
        "The month is closed. No more hours are taken.",
        "Der Monat ist abgeschlossen. Stunden werden nicht mehr angenommen.",
        "Le mois est clos. Aucune heure n’est plus acceptée.",
        "El mes está cerrado. Ya no se admiten horas.",
        "本月已关账,不再接收工时。",
    ),
    amount=(
        "Hours",
        "Stunden",
        "Heures",
        "Horas",
        "小时数",
    ),
    beside={"/board": "s_board", "/people": "s_people"},
)


def make(draw: Draw) -> Site:
    return make_records(draw, WORDS)

"""Appointments of a clinic: patients, doctors' rooms, checking in."""

from gym.records import RecordWords, make_records
from gym.site import Site
from gym.words import Draw

WORDS = RecordWords(
    place=(
        "Appointments; Patients today; Waiting list",
        "Termine; Patienten heute; Warteliste",
        "Rendez-vous; Patients du jour; Liste d’attente",
        "Citas; Pacientes de hoy; Lista de espera",
        "预约; 今日患者",
    ),
    names=lambda draw, count: draw.people(count),
    group=(
        "Room; Surgery",
        "Zimmer; Praxisraum",
        "Salle; Cabinet",
        "Sala; Consulta",
        "诊室; 房间",
    ),
    options=(
        "Eye room; Blue room; Garden room; Lab",
        "Augenzimmer; Blaues Zimmer; Gartenzimmer; Labor",
        "Salle bleue; Salle du jardin; Salle des yeux; Labo",
        "Sala azul; Sala del jardín; Sala de ojos; Laboratorio",
        "蓝色诊室; 花园诊室; 眼科室; 化验室",
    ),
    fact=(
        "Insurance number; Card number",
        "Versicherungsnummer; Kartennummer",
        "Numéro d’assuré; Numéro de carte",
        "Número de seguro; Número de tarjeta",
        "医保号; 卡号",
    ),
    draw_fact=lambda draw: draw.digits(8),
    do=(
        "Check in; Has arrived",
        "Anmelden; Ist da",
        "Enregistrer l’arrivée; Est là",
        "Registrar llegada; Ha llegado",
        "登记到达; 已到",
    ),
    states=(
        "expected; arrived",
        "erwartet; eingetroffen",
        "attendu; arrivé",
        "esperado; llegado",
        "待到; 已到达",
    ),
    refusal=(
        "This appointment was moved to another clinic.",
        "Dieser Termin wurde in eine andere Praxis verlegt.",
        "Ce rendez-vous a été déplacé dans une autre clinique.",
        "Esta cita se trasladó a otra clínica.",
        "该预约已转到其他诊所。",
    ),
    amount=(
        "Waiting minutes",
        "Warteminuten",
        "Minutes d’attente",
        "Minutos de espera",
        "等候分钟",
    ),
    beside={"/calendar": "s_calendar", "/reports": "s_reports"},
)


def make(draw: Draw) -> Site:
    return make_records(draw, WORDS)

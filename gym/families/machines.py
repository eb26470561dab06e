"""A dashboard of devices: halls, loads, switching off for service."""

from gym.records import RecordWords, make_records
from gym.site import Site
from gym.words import Draw

WORDS = RecordWords(
    place=(
        "Machines; Devices; Equipment",
        "Maschinen; Geräte; Anlagen",
        "Machines; Appareils; Équipements",
        "Máquinas; Equipos; Dispositivos",
        "机器; 设备",
    ),
    names=lambda draw, count: [f"{each} {draw.number(2, 9)}" for each in draw.some("devices", count)],
    group=(
        "Hall; Building",
        "Halle; Gebäude",
        "Atelier; Bâtiment",
        "Nave; Edificio",
        "车间; 厂房",
    ),
    options=(
        "Hall A; Hall B; Yard; Cellar",
        "Halle A; Halle B; Hof; Keller",
        "Atelier A; Atelier B; Cour; Cave",
        "Nave A; Nave B; Patio; Sótano",
        "A车间; B车间; 院子; 地下室",
    ),
    fact=(
        "Serial number; Serial no.",
        "Seriennummer; Seriennr.",
        "Numéro de série; N° de série",
        "Número de serie; N.º de serie",
        "序列号; 出厂编号",
    ),
    draw_fact=lambda draw: f"SN{draw.digits(6)}",
    do=(
        "Send to service; Take offline",
        "In Wartung nehmen; Abschalten",
        "Mettre en maintenance; Arrêter",
        "Pasar a mantenimiento; Desconectar",
        "送检; 停机",
    ),
    states=(
        "running; in service",
        "in Betrieb; in Wartung",
        "en marche; en maintenance",
        "en marcha; en mantenimiento",
        "运行中; 检修中",
    ),
    refusal=(
        "Blocked: a job is still running on it.",
        "Gesperrt: Es läuft noch ein Auftrag.",
        "Bloqué : une tâche est encore en cours.",
        "Bloqueado: aún hay un trabajo en marcha.",
        "已锁定:仍有任务在运行。",
    ),
    amount=(
        "Load %",
        "Auslastung %",
        "Charge %",
        "Carga %",
        "负载 %",
    ),
    beside={"/reports": "s_reports", "/tickets": "s_tickets"},
)


def make(draw: Draw) -> Site:
    return make_records(draw, WORDS)

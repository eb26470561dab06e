"""Evening courses: names with rooms, first days, and closing the enrolment."""

from gym.records import RecordWords, make_records
from gym.site import Site
from gym.words import Draw

TOPICS = ("Pottery", "Tango", "Welding", "Choir", "Chess", "Bread", "First aid", "Drawing")
WORDS = RecordWords(
    place=(
        "Courses; Classes; Workshops",
        "Kurse; Lehrgänge; Workshops",
        "Cours; Ateliers",
        "Cursos; Talleres",
        "课程; 培训班",
    ),
    names=lambda draw, count: [f"{draw.pick(TOPICS)} {draw.pick('ABCDEF')}{draw.digits(2)}" for _ in range(count)],
    group=(
        "Room; Place",
        "Raum; Ort",
        "Salle; Lieu",
        "Aula; Lugar",
        "教室; 地点",
    ),
    options=(
        "Blue room; Garden hall; Studio; Attic",
        "Blauer Raum; Gartensaal; Studio; Dachboden",
        "Salle bleue; Salle du jardin; Studio; Grenier",
        "Sala azul; Salón del jardín; Estudio; Ático",
        "蓝厅; 花园厅; 工作室; 阁楼",
    ),
    fact=(
        "Begins; First day",
        "Beginn; Erster Tag",
        "Début; Premier jour",
        "Comienza; Primer día",
        "开课; 第一天",
    ),
    draw_fact=lambda draw: draw.day(),
    do=(
        "Close enrolment; Stop sign-ups",
        "Anmeldung schließen; Keine Anmeldungen mehr",
        "Fermer les inscriptions; Clore",
        "Cerrar inscripción; Cerrar matrícula",
        "停止报名; 关闭报名",
    ),
    states=(
        "open; closed",
        "offen; geschlossen",
        "ouvert; fermé",
        "abierto; cerrado",
        "开放; 已关闭",
    ),
    refusal=(
        "Not possible: people are on the waiting list.",
        "Nicht möglich: es gibt eine Warteliste.",
        "Impossible : il y a une liste d’attente.",
        "No es posible: hay lista de espera.",
        "无法操作:有候补名单。",
    ),
    amount=(
        "Places",
        "Plätze",
        "Places",
        "Plazas",
        "名额",
    ),
    beside={"/people": "s_people", "/help": "help"},
)


def make(draw: Draw) -> Site:
    return make_records(draw, WORDS)

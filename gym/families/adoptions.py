"""An animal shelter: names with houses, arrivals, and reserving an animal."""

from gym.records import RecordWords, make_records
from gym.site import Site
from gym.words import Draw

PETS = ("Momo", "Pixel", "Juno", "Bruno", "Kiwi", "Sock", "Luna", "Otto", "Pepper")
WORDS = RecordWords(
    place=(
        "Animals; Residents",
        "Tiere; Bewohner",
        "Animaux; Pensionnaires",
        "Animales; Residentes",
        "动物; 待领养",
    ),
    names=lambda draw, count: [f"{draw.pick(PETS)} {draw.digits(3)}" for _ in range(count)],
    group=(
        "House; Wing",
        "Haus; Flügel",
        "Maison; Aile",
        "Casa; Ala",
        "房舍; 区",
    ),
    options=(
        "Cat house; Dog yard; Aviary; Quiet wing",
        "Katzenhaus; Hundehof; Voliere; Ruhiger Flügel",
        "Maison des chats; Cour des chiens; Volière; Aile calme",
        "Casa de gatos; Patio de perros; Aviario; Ala tranquila",
        "猫舍; 狗院; 鸟舍; 静养区",
    ),
    fact=(
        "Here since; Arrived",
        "Hier seit; Angekommen",
        "Arrivé le; Ici depuis",
        "Llegó; Aquí desde",
        "入住; 到达日",
    ),
    draw_fact=lambda draw: draw.day(),
    do=(
        "Reserve; Set aside",
        "Reservieren; Vormerken",
        "Réserver; Mettre de côté",
        "Reservar; Apartar",
        "预留; 预订",
    ),
    states=(
        "looking for a home; reserved",
        "sucht ein Zuhause; reserviert",
        "cherche un foyer; réservé",
        "busca hogar; reservado",
        "待领养; 已预留",
    ),
    refusal=(
        "Not possible: the vet has to see it first.",
        "Nicht möglich: erst muss der Tierarzt kommen.",
        "Impossible : le vétérinaire doit d’abord le voir.",
        "No es posible: antes debe verlo el veterinario.",
        "无法操作:需先由兽医检查。",
    ),
    amount=(
        "Weight (kg)",
        "Gewicht (kg)",
        "Poids (kg)",
        "Peso (kg)",
        "体重(公斤)",
    ),
    beside={"/calendar": "s_calendar", "/help": "help"},
)


def make(draw: Draw) -> Site:
    return make_records(draw, WORDS)

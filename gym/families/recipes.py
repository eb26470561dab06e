"""Recipes: dishes by course, how long they take, what was cooked."""

from gym.records import RecordWords, make_records
from gym.site import Site
from gym.words import Draw

WORDS = RecordWords(
    place=(
        "Recipes; Cookbook; Dishes",
        "Rezepte; Kochbuch; Gerichte",
        "Recettes; Livre de cuisine; Plats",
        "Recetas; Libro de cocina; Platos",
        "食谱; 菜谱",
    ),
    names=lambda draw, count: draw.some("dishes", count),
    group=(
        "Course; Meal",
        "Gang; Mahlzeit",
        "Service; Repas",
        "Plato; Comida",
        "类别; 餐次",
    ),
    options=(
        "Starter; Main course; Dessert; Breakfast",
        "Vorspeise; Hauptgericht; Nachtisch; Frühstück",
        "Entrée; Plat principal; Dessert; Petit-déjeuner",
        "Entrante; Plato principal; Postre; Desayuno",
        "前菜; 主菜; 甜点; 早餐",
    ),
    fact=(
        "Oven; Temperature",
        "Ofen; Temperatur",
        "Four; Température",
        "Horno; Temperatura",
        "烤箱; 温度",
    ),
    draw_fact=lambda draw: f"{draw.number(14, 24)}0 °C",
    do=(
        "Cooked it; Tick off",
        "Gekocht; Abhaken",
        "Cuisiné; Cocher",
        "Cocinado; Tachar",
        "做过了; 打勾",
    ),
    states=(
        "not tried; cooked",
        "noch nicht probiert; gekocht",
        "pas essayé; cuisiné",
        "sin probar; cocinado",
        "没做过; 已做",
    ),
    refusal=(
        "This recipe is locked by its author.",
        "Dieses Rezept ist vom Autor gesperrt.",
        "Cette recette est verrouillée par son auteur.",
        "Esta receta está bloqueada por su autor.",
        "该食谱已被作者锁定。",
    ),
    amount=(
        "Minutes",
        "Minuten",
        "Minutes",
        "Minutos",
        "分钟",
    ),
    beside={"/cart": "s_cart", "/favorites": "s_favorites"},
)


def make(draw: Draw) -> Site:
    return make_records(draw, WORDS)

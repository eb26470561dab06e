"""Texts to translate: pages, languages, releasing."""

from gym.records import RecordWords, make_records
from gym.site import Site
from gym.words import Draw

WORDS = RecordWords(
    place=(
        "Translations; Texts; Strings",
        "Übersetzungen; Texte",
        "Traductions; Textes",
        "Traducciones; Textos",
        "译文; 文本",
    ),
    names=lambda draw, count: draw.some("subjects", count),
    group=(
        "Target language; Into",
        "Zielsprache; Nach",
        "Langue cible; Vers",
        "Idioma de destino; Al",
        "目标语言; 译成",
    ),
    options=(
        "Finnish; Greek; Welsh; Turkish",
        "Finnisch; Griechisch; Walisisch; Türkisch",
        "Finnois; Grec; Gallois; Turc",
        "Finés; Griego; Galés; Turco",
        "芬兰语; 希腊语; 威尔士语; 土耳其语",
    ),
    fact=(
        "Translator; In the hands of",
        "Übersetzt von; In Händen von",
        "Traduit par; Entre les mains de",
        "Traducido por; En manos de",
        "译者; 经手人",
    ),
    draw_fact=lambda draw: draw.person(),
    do=(
        "Release; Publish",
        "Freigeben; Veröffentlichen",
        "Publier; Valider le texte",
        "Publicar; Liberar",
        "发布; 放行",
    ),
    states=(
        "in review; released",
        "in Prüfung; freigegeben",
        "en relecture; publié",
        "en revisión; publicado",
        "审校中; 已发布",
    ),
    refusal=(
        "Two sentences have no translation yet.",
        "Zwei Sätze sind noch nicht übersetzt.",
        "Deux phrases ne sont pas encore traduites.",
        "Dos frases aún no están traducidas.",
        "还有两句没有译文。",
    ),
    amount=(
        "Words left",
        "Offene Wörter",
        "Mots restants",
        "Palabras pendientes",
        "剩余字数",
    ),
    beside={"/files": "s_files", "/people": "s_people"},
)


def make(draw: Draw) -> Site:
    return make_records(draw, WORDS)

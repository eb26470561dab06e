"""Detects the language of a text by its script, else by its most frequent words."""

import re

SCRIPTS = (
    ("Japanese", re.compile(r"[\u3040-\u30ff]")),
    ("Chinese", re.compile(r"[\u4e00-\u9fff]")),
    ("Korean", re.compile(r"[\uac00-\ud7af]")),
    ("Russian", re.compile(r"[\u0400-\u04ff]")),
    ("Greek", re.compile(r"[\u0370-\u03ff]")),
    ("Arabic", re.compile(r"[\u0600-\u06ff]")),
    ("Hebrew", re.compile(r"[\u0590-\u05ff]")),
    ("Hindi", re.compile(r"[\u0900-\u097f]")),
    ("Thai", re.compile(r"[\u0e00-\u0e7f]")),
)
SCRIPT_SHARE = 0.3
COMMON_WORDS = {
    "English": (
        "the of and is what who how why when where which does do in to for a an are was i me my you it this "
        "that with as at by from on or not"
    ),
    "German": (
        "der die das und ist was wer wie warum wann wo welche welcher ein eine in zu für von nicht sind war "
        "einen einem einer mit auf als dem den ich mir mein wir"
    ),
    "French": (
        "le la les et est que quoi qui comment pourquoi quand où quel quelle un une des du pour dans sont je "
        "me mon ma mes avec sur comme"
    ),
    "Spanish": (
        "el la los las y es qué quién cómo por cuándo dónde cuál un una del para en son cuánto yo me mi con como sobre"
    ),
    "Italian": "il lo la gli e è che cosa chi come perché quando dove quale un una del della per in sono quanto",
    "Portuguese": "o a os as e é que quem como por quando onde qual um uma do da para em são quanto",
    "Dutch": "de het een en is wat wie hoe waarom wanneer waar welke van voor in zijn niet",
    "Polish": "i jest co kto jak dlaczego kiedy gdzie który która na do w z nie są ile czy",
    "Czech": "a je co kdo jak proč kdy kde který která na do v z není jsou kolik",
    "Swedish": "och är vad vem hur varför när var vilken en ett för i på av inte",
    "Turkish": "ve bir bu ne kim nasıl neden nerede hangi için mi mı kaç",
}
_COMMON = {name: frozenset(words.split()) for name, words in COMMON_WORDS.items()}


def detect_language(text: str) -> str:
    """The English name of the language; English where it cannot be detected."""
    letters = sum(char.isalpha() for char in text) or 1
    for name, script in SCRIPTS:
        if len(script.findall(text)) / letters >= SCRIPT_SHARE:
            return name
    words = re.findall(r"[^\W\d_]+", text.lower())
    counts = {name: sum(word in common for word in words) for name, common in _COMMON.items()}
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] > counts["English"] else "English"

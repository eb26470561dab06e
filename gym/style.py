"""How a site is built: each part of its markup is drawn, so that one family looks and works in many ways."""

from collections.abc import Mapping, Sequence
from random import Random

from gym.words import Draw

NONE, NO = ("none",) * 36, ("no",) * 15
"""The usual case of what a few sites have."""
CHOICES: Mapping[str, Sequence[str]] = {
    "controls": ("plain", "plain", "aria", "div"),
    "loading": ("pages", "pages", "fetch"),
    "list": ("table", "table", "grid", "cards", "list"),
    "actions": ("inline", "inline", "menu", "icons"),
    "nav": ("top", "top", "side", "burger", "tiles", "bottom"),
    "choice": ("select", "select", "radio", "custom", "buttons"),
    "label": ("for", "wrap", "above", "placeholder", "aria"),
    "switch": ("checkbox", "switch", "knob", "words", "star"),
    "holder": ("none", "none", "none", "none", "shadow", "frame"),
    "confirm": ("none", "none", "dialog", "page"),
    "banner": ("none", "none", "none", "cookies", "wall"),
    "classes": ("short", "block", "hash", "utility"),
    "filler": ("none", "some", "much"),
    "hero": ("none", "none", "none", "tall"),
    "length": ("short", "short", "long"),
    "lie": ("no", "no", "no", "no", "no", "no", "yes"),
    "contact": ("no", "yes"),
    "strict": ("no", "no", "no", "no", "no", "yes"),
    "crowd": ("none", "none", "none", "links", "news"),
    "dressed": ("no", "no", "yes"),
}
FURTHER: Mapping[str, Sequence[str]] = {
    "parts": ("tabs", "tabs", "folds", "pages", "open"),
    "amount": ("field", "field", "stepper", "select"),
    "day": ("text", "text", "selects", "grid"),
    "view": ("links", "select", "select"),
    "footer": ("words", "words", "links"),
    "crumbs": ("no", "no", "yes"),
    "account": ("no", "no", "no", "yes"),
    "tiles": ("bare", "told"),
    "hurdle": ("none", "none", "none", "none", "kept", "review", "draft", "draft"),
    "level": ("slider", "slider", "amount"),
    "stars": ("signs", "numbers", "choice"),
    "finder": ("no", "no", "no", "no", "yes"),
    "front": (*NONE, "letter", "tour", "entry"),
    "fronted": ("all", "inner"),
    "locked": (*NO, "yes"),
    "silent": ("no", "no", "yes"),
    "beside": (*NO, "yes"),
}
"""Further parts, drawn apart, so that they do not change what a seed draws besides."""
PALETTES = (
    ("#fff", "#1a1a1a", "#0b5fff"),
    ("#fafaf7", "#222", "#0a7d4f"),
    ("#12151c", "#e8eaf0", "#7aa2ff"),
    ("#fffdf5", "#333", "#b0341f"),
    ("#f3f6fb", "#0f172a", "#6d28d9"),
)
FONTS = ("system-ui, sans-serif", "Georgia, serif", "Verdana, sans-serif", "monospace")
UTILITY: Mapping[str, str] = {
    "button": "px-3 py-1 rounded bg-accent",
    "field": "w-64 border rounded px-2",
    "card": "p-4 border rounded shadow-sm",
    "row": "flex gap-4 items-center",
}


class Style:
    """The drawn markup of one site: `style["list"]` is how it shows lists. A family may fix single parts."""

    def __init__(self, draw: Draw, **fixed: str) -> None:
        apart = Random(f"style {draw.family} {draw.seed}")
        self._parts = {name: draw.pick(options) for name, options in CHOICES.items()}
        self._parts |= {name: apart.choice(options) for name, options in FURTHER.items()} | fixed
        self.palette = draw.pick(PALETTES)
        self.font = draw.pick(FONTS)
        self._salt = draw.number(1000, 9999)
        self._prefix = draw.pick(("app", "ui", "x", "site"))

    def __getitem__(self, part: str) -> str:
        return self._parts[part]

    def use(self, **fixed: str) -> None:
        """Fix parts of the style."""
        if unknown := fixed.keys() - self._parts.keys():
            raise KeyError(f"a style has no {', '.join(unknown)}")
        self._parts |= fixed

    def name(self, part: str) -> str:
        """The class attribute of a part of a page."""
        match self._parts["classes"]:
            case "short":
                return part
            case "block":
                return f"{self._prefix}-{part} {self._prefix}-{part}--default"
            case "hash":
                return f"css-{abs(hash_text(part, self._salt)) % 100_000:x} {part[:1]}{self._salt % 97}"
            case _:
                return UTILITY.get(part, f"m-1 {part[:2]}-2")

    @property
    def sheet(self) -> str:
        ground, ink, accent = self.palette
        return (
            f"body{{margin:0;background:{ground};color:{ink};font:15px/1.45 {self.font}}}"
            f"[hidden]{{display:none!important}}a,[data-go]{{color:{accent};cursor:pointer}}main{{padding:16px;max-width:1040px}}"
            f"header,footer,.bar{{display:flex;gap:14px;flex-wrap:wrap;padding:10px 16px;align-items:center}}"
            f".split{{display:flex;gap:16px}}.side{{display:flex;flex-direction:column;gap:8px;padding:16px}}"
            f"table{{border-collapse:collapse}}td,th,.cell{{padding:5px 12px;text-align:left}}"
            f".rowline{{display:flex;gap:10px;align-items:center;border-bottom:1px solid #8884}}"
            f".cardbox{{border:1px solid #8886;border-radius:8px;padding:10px;margin:8px 0;max-width:420px}}"
            f".pressable{{display:inline-block;border:1px solid {accent};border-radius:6px;padding:3px 10px;"
            f"cursor:pointer;margin:2px}}.popup{{position:absolute;background:{ground};border:1px solid #888;"
            f"padding:6px;z-index:9;box-shadow:0 4px 18px #0005}}.popup>*{{display:block;margin:3px 0}}"
            f".wall{{position:fixed;inset:0;background:#0008;z-index:20;display:flex;align-items:center;"
            f"justify-content:center}}.sheet{{background:{ground};padding:20px;border-radius:8px;max-width:480px}}"
            f".strip{{position:fixed;bottom:0;left:0;right:0;background:{ground};border-top:2px solid {accent};"
            f"padding:10px 16px;z-index:15}}.knob{{display:inline-block;width:38px;height:20px;border-radius:10px;"
            f"background:#999;position:relative;cursor:pointer}}.knob i{{position:absolute;left:2px;top:2px;"
            f"width:16px;height:16px;border-radius:8px;background:#fff}}.knob.on{{background:{accent}}}"
            f".knob.on i{{left:20px}}.fault{{color:#c62828}}.said{{border-left:4px solid {accent};padding:6px 12px}}"
            f".hero{{height:560px;padding:40px;border-bottom:3px solid {accent}}}"
            f"label,.labelled{{display:block;margin:8px 0}}.tile{{display:inline-block;padding:14px;margin:6px;"
            f"border:1px solid #8886;border-radius:8px}}.days{{display:grid;grid-template-columns:repeat(7,40px)}}"
            f".on{{outline:2px solid {accent}}}details>a,details>span{{display:block}}"
        )


def hash_text(text: str, salt: int) -> int:
    """The same number for the same text in every process."""
    found = salt
    for char in text:
        found = (found * 131 + ord(char)) % 1_000_003
    return found

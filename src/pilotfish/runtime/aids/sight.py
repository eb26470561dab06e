"""Whether an answer asks to look at the page: by the agreed signal, else by saying in some language that it cannot see.

Only the answerer's own blindness counts. What it quotes, and what the page says of screenshots or of other people's
eyes, does not: so quotations are taken out, and each pattern wants "I" (or a form that only means oneself) beside it.
"""

import re

SIGNAL = "LOOK:"
HEARD = 400

_SIGNAL = re.compile(r"(?:\A|\n)\s*(?:[*_`>\-]\s*)*LOOK\s*:", re.IGNORECASE)
_QUOTED = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』|(?m:^>.*$)|`[^`\n]*`")
_BLIND = re.compile(
    "|".join(
        (
            r"\bI(?:'m| am)? ?(?:can ?not|can['’]t|could ?n['’]t|not able to|unable to"
            r"|do(?:n['’]t| not) have (?:the )?(?:ability|access|way) to)"
            r"(?: (?:actually|directly|currently))? (?:see|view|look|scroll|display|open)\b",
            r"\bI (?:would )?(?:need|have) to (?:see|look at|view|scroll)\b",
            r"\bich (?:kann|konnte) .{0,60}\bnicht (?:sehen|erkennen|einsehen|ansehen|anzeigen)\b",
            r"\bich (?:müsste|muss) .{0,60}\b(?:sehen|ansehen|scrollen)\b",
            r"\bje ne (?:peux|vois|parviens|suis)\b.{0,20}\bpas\b",
            r"\bno (?:puedo|logro|consigo) (?:ver|visualizar|acceder)\b",
            r"\bnon (?:posso|riesco a) (?:vedere|visualizzare)\b",
            r"\bnão (?:consigo|posso) (?:ver|visualizar|enxergar)\b",
            r"\bя не (?:могу|вижу)\b(?! (?:помочь|сказать))",
            r"\b(?:nemohu|nemůžu|nedokážu|nevidím)\b",
            r"\bnie (?:mogę|widzę|jestem w stanie)\b.{0,20}(?:zobaczyć|widzieć|obraz|zdj)",
            r"\bik kan .{0,60}\bniet (?:zien|bekijken)\b",
            r"\b(?:göremiyorum|görüntüleyemiyorum)\b",
            r"我(?:目前|暂时)?(?:无法|不能|没法|没有办法|看不)(?:直接)?(?:到|见|看到|查看|看见|看|浏览)",
            r"(?:見る|見ること|確認する|確認|表示する)(?:こと)?(?:が|は)?でき(?:ません|ない)|(?:見え|見られ)(?:ません|ない)",
            r"(?:볼|확인할) 수 (?:없|가 없)",
        )
    ),
    re.IGNORECASE,
)


def blind(answer: str) -> bool:
    """Whether pass one asks to look."""
    if _SIGNAL.search(answer):
        return True
    return bool(_BLIND.search(_QUOTED.sub(" ", answer[:HEARD])))

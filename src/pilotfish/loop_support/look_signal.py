"""Detects whether an answer asks to look at the page: with the agreed signal, or by saying that it cannot see.

Only a statement of the model about itself counts, not a quotation and not a sentence of the page. So quotations are
removed, and each pattern requires the first person.
"""

import re

SIGNAL = "LOOK:"
NOT_SEEN = "The page does not show it."
"""The answer of a model that only asked to look on."""
SEARCHED_LENGTH = 400
"""Characters of an answer that are searched for the statement that the model cannot see."""

_SIGNAL = re.compile(r"(?:\A|\n)(?:[^\S\n]|[*_`>\-]){0,40}LOOK\s{0,9}:", re.IGNORECASE)
_MID_SIGNAL = re.compile(r"(?<=[.!?,;:。！？，] )LOOK:|(?<=[。！？，])LOOK:")
"""The signal after a sentence on the same line: in capitals, as it was agreed."""
_QUOTE = re.compile(
    r"\"[^\"\n]*\"|“[^“”\n]*”|„[^„“”\n]*[“”]|«[^«»\n]*»|「[^「」\n]*」|『[^『』\n]*』|(?m:^>.*$)|`[^`\n]*`"
)
_CANNOT_SEE = re.compile(
    "|".join(
        (
            r"\bI(?:'m| am)? ?(?:can ?not|can['’]t|could ?n['’]t|not able to|unable to"
            r"|do(?:n['’]t| not) have (?:the )?(?:ability|access|way) to)"
            r"(?: (?:actually|directly|currently))? (?:see|view|look|scroll|display|open)\b",
            r"\bI (?:would )?(?:need|have) to (?:see|look at|view|scroll)\b",
            r"\bich (?:kann|konnte) .{0,60}\bnicht (?:sehen|erkennen|einsehen|ansehen|anzeigen)\b",
            r"\bich (?:müsste|muss) .{0,60}\b(?:sehen|ansehen|scrollen)\b",
            r"\bje ne (?:peux|parviens|suis)\b.{0,20}\bpas\b.{0,30}\b(?:voir|afficher|regarder|consulter|visualiser)\b",
            r"\bje ne vois pas\b",
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


def drop_signal(answer: str) -> str:
    """The answer without what follows the signal on its line. Quotations stay as they are."""
    kept: list[str] = []
    for line in answer.splitlines():
        begins, within = _SIGNAL.search(line), _MID_SIGNAL.search(_QUOTE.sub(lambda quoted: " " * len(quoted[0]), line))
        if begins is None:
            kept.append(line[: within.start()].rstrip() if within else line)
    return "\n".join(kept).strip()


def asks_to_look(answer: str) -> bool:
    """Whether the answer asks to look at the page."""
    if _SIGNAL.search(answer) or _MID_SIGNAL.search(_QUOTE.sub(" ", answer)):
        return True
    return bool(_CANNOT_SEE.search(_QUOTE.sub(" ", answer[:SEARCHED_LENGTH])))

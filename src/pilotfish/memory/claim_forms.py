"""Writes a fact in one way before its words are compared: numbers as digits, lengths in one unit, one word for several.

The lists are in `claim_forms.toml`.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*|\d+|[^\w\s]|\s+")
CJK = re.compile(r"[\u3400-\u9fff]")
METRES = re.compile(r"(?<!\d)([12])[.,](\d\d) ?(?:meters?|metres?|mètres?|metros?|m|米)(?![^\W\d_])", re.IGNORECASE)
METRES_AND = re.compile(r"(?<!\d)([12]) ?(?:m|米) ?(\d\d)(?!\d)", re.IGNORECASE)
UNITS = re.compile(
    r"(?<=\d) ?(?:(centimet(?:er|re)s?|zentimeter|centimètres?|centímetros?|厘米|公分|cm)"
    r"|(kilograms?|kilogrammes?|kilogramm|kilogramos?|kilos?|公斤|千克|kg))(?![^\W\d_])",
    re.IGNORECASE,
)
THOUSANDS = re.compile(r"(?<=\d)[.,](?=\d{3}(?!\d))")
SINGLE_LETTER = re.compile(r"(?<=\w )[A-HJ-Z](?![\w']|-[mM\dA-Z])")
"""A letter that stands for itself, as of a size or a blood group: it is no article."""
ENGLISH_DAY = re.compile(
    r"(?:\bon )?(?:\bthe )?\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? (?=(?:Jan|Febr)uary|March|April|May|June|July|August"
    r"|(?:Septem|Octo|Novem|Decem)ber)"
)
ENGLISH_MONTH = re.compile(
    r"(?:\bon )?\b((?:Jan|Febr)uary|March|April|May|June|July|August|(?:Septem|Octo|Novem|Decem)ber)"
    r" (?:the )?(\d{1,2})(?:st|nd|rd|th)?(?!\d)"
)
CJK_DAY = re.compile(r"(?<=月)(\d{1,2})[号號]")
CJK_NUMBER = re.compile(
    r"(?:[二两三四五六七八九十百]|一[十百千万])[零一二两三四五六七八九十百千万]{0,9}(?=[岁年个月号日点楼层公斤厘米口只条辆台次小天周块元分平])"
)
CJK_WEEKDAY = ("星期", "礼拜", "周", "第")
CJK_UNITS = {"十": 10, "百": 100, "千": 1000}
CJK_DIGITS = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"两": 2}
LONGEST_PHRASE = 9
"""Parts of the longest phrase that is looked up, with the spaces between its words."""


@cache
def _forms() -> Mapping[str, str]:
    """What is written for each phrase."""
    data = _load()
    forms = {one: form for form, others in data["phrases"].items() for one in others}
    for numbers in data["numbers"].values():
        forms |= {name: str(value) for name, value in _list_numbers(numbers)}
    for name in data["words"]["ambiguous"].split():
        value = forms.pop(name)
        forms |= {f"{name} {unit}": f"{value} {unit}" for unit in data["words"]["time_units"].split()}
    floors = data["words"]["floors"].split()
    for numbers in data["numbers"].values():
        for value, name in enumerate(numbers["ordinals"].split(), 1):
            forms |= {f"{name} {floor}": f"{value} {floor}" for floor in floors}
    return forms


@cache
def _load() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("claim_forms.toml").read_text("utf-8"))


def _list_numbers(numbers: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """The names of the numbers from 2 to 99."""
    ones = dict(enumerate([numbers["one"], *numbers["ones"].split()], 1))
    teens = dict(enumerate(numbers["teens"].split(), 10))
    tens = {10 * place: name for place, name in enumerate(numbers["tens"].split(), 2)}
    simple = {value: name for value, name in {**ones, **teens, **tens}.items() if value > 1}
    yield from ((name, value) for value, name in simple.items())
    for ten, name in tens.items():
        for value, one in ones.items():
            for between in numbers.get("between", ()):
                yield f"{name}{between}{one}", ten + value
            if "after" in numbers:
                yield f"{one}{numbers['after']}{name}", ten + value
    for base, beginnings in numbers.get("further", {}).items():
        for begin in beginnings:
            yield begin, int(base)
            yield from ((f"{begin}{name}", int(base) + value) for value, name in {**ones, **teens}.items())


def write_in_one_form(text: str) -> str:
    """Write numbers and dates with digits, lengths in centimetres, weights in kg, and known phrases in one way."""
    text = CJK_NUMBER.sub(_write_cjk_number, text) if CJK.search(text) else text
    text = THOUSANDS.sub("", SINGLE_LETTER.sub(r"letter-\g<0>", text))
    text = ENGLISH_DAY.sub(r"\1 ", ENGLISH_MONTH.sub(r"\2 \1", text))
    text = METRES_AND.sub(r"\1\2 cm", METRES.sub(r"\1\2 cm", text))
    text = UNITS.sub(lambda found: " cm" if found[1] else " kg", CJK_DAY.sub(r"\1日", text))
    return _replace_phrases(text)


def _write_cjk_number(found: re.Match[str]) -> str:
    """A Chinese number as digits, but not a day of the week."""
    if found.string[: found.start()].endswith(CJK_WEEKDAY):
        return found[0]
    if CJK_DIGITS.keys() >= set(found[0]):
        return "".join(str(CJK_DIGITS[sign]) for sign in found[0])
    total, below, digit = 0, 0, 0
    for sign in found[0]:
        if sign in CJK_DIGITS:
            digit = CJK_DIGITS[sign]
        elif sign in CJK_UNITS:
            below, digit = below + (digit or 1) * CJK_UNITS[sign], 0
        else:
            total, below, digit = total + (below + digit) * 10_000, 0, 0
    return str(total + below + digit)


def _replace_phrases(text: str) -> str:
    forms = _forms()
    for one, form in forms.items():
        if CJK.match(one):
            text = text.replace(one, form)
    parts: list[str] = WORD.findall(text)
    folded = [part.casefold() if not part.isspace() else " " for part in parts]
    written: list[str] = []
    at = 0
    while at < len(parts):
        size = next((size for size in range(LONGEST_PHRASE, 0, -1) if _phrase(folded, at, size) in forms), 0)
        written.append(forms["".join(folded[at : at + size])] if size else parts[at])
        at += size or 1
    return "".join(written)


def _phrase(folded: Sequence[str], at: int, size: int) -> str:
    return "".join(folded[at : at + size]) if at + size <= len(folded) else ""

"""What must not be remembered: secrets, what only mattered for a moment, and what means nothing."""

import math
import re
from collections import Counter

SECRET_SHAPES = (
    r"-----BEGIN [A-Z ]*PRIVATE KEY",
    r"\b(sk|pk|rk)[-_](live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{16,}",
    r"\b(ghp|gho|ghs|github_pat|glpat|xox[abps])[-_][A-Za-z0-9_-]{10,}",
    r"\bAKIA[0-9A-Z]{16}\b",
    r"\bAIza[0-9A-Za-z_-]{30,}",
    r"\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    r"://[^/\s:@]+:[^/\s:@]+@",
    r"\b\d{3}-\d{2}-\d{4}\b",
    r"(密码|口令|验证码)\s*(是|为|：|:|=)\s*\S+",
)
NAMED_SECRET = re.compile(
    r"\b(pass ?word|passwort|passcode|passphrase|pin( code)?|cvv2?|cvc"
    r"|(security|one[- ]time|verification|recovery) code|api[ _-]?key|secret( key)?|(access|auth)[ _-]?token"
    r"|(recovery|seed) phrase|social security number"
    r")\b(?! (manager|policy|reset))[^.]{0,30}?(\bis\b|\bwas\b|=|:)\s*"
    r"(?!(stored|kept|saved|managed|changed|not|never|unknown|expired|required|needed|in|on|at|by|the same)\b)\S+",
    re.IGNORECASE,
)
MOMENT = re.compile(
    r"\b(right now|just now|at the moment|a (minute|moment|second) ago|tonight|this (morning|afternoon|evening|minute)"
    r"|earlier today|today(?!['’]s))\b",
    re.IGNORECASE,
)
REQUEST = re.compile(
    r"^(the )?(user|person|he|she|they|i)\s+(just |has |have )?(asked|asks|is asking|wants? (to know|me to|you to)"
    r"|wonders?|requested|requests|said (hello|hi|thanks)|thanked|greeted|clicked|opened|searched|typed|visited)\b",
    re.IGNORECASE,
)
ORDER = re.compile(
    r"\b(ignore|disregard|forget) (all |any |the |your )*(previous|prior|above|earlier|other)?\s*"
    r"(instructions?|rules|prompts?)|\bsystem prompt\b|\byou (must|are now|should always)\b",
    re.IGNORECASE,
)
LONGEST = 400
SURE = 0.3


def refusal(content: str, confidence: float = 1.0) -> str:
    """Why a fact must not be kept; empty where it may."""
    text = content.strip()
    checks = (
        (secret(text), "it looks like a secret; secrets are never remembered"),
        (_nonsense(text), "it is not a sentence that means something; say who or what, and what is true of it"),
        (len(text) > LONGEST, f"it is longer than {LONGEST} characters; save several short facts instead"),
        (text.endswith(("?", "？")), "it is a question, not a fact"),
        (bool(ORDER.search(text)), "it is an instruction, not a fact about the person"),
        (bool(MOMENT.search(text) or REQUEST.search(text)), "it only matters now; save what will hold in a month"),
        (confidence < SURE, "it is too uncertain; save it once the person has confirmed it"),
    )
    return next((reason for bad, reason in checks if bad), "")


def secret(text: str) -> bool:
    if any(re.search(shape, text) for shape in SECRET_SHAPES) or NAMED_SECRET.search(text):
        return True
    cards = re.findall(r"(?<!\d)(?:\d[ -]?){12,18}\d(?!\d)", text)
    return any(_luhn(re.sub(r"\D", "", card)) for card in cards) or any(_random(word) for word in text.split())


def _luhn(digits: str) -> bool:
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


def _random(word: str) -> bool:
    """Long, mixed and without a pattern, as keys are; addresses of pages and people are not."""
    if len(word) < 20 or re.search(r"[@/.]", word) or not (re.search(r"\d", word) and re.search(r"[A-Za-z]", word)):
        return False
    return -sum(n / len(word) * math.log2(n / len(word)) for n in Counter(word).values()) > 3.5


def _nonsense(text: str) -> bool:
    if re.search(r"[\u3040-\u30ff\u3400-\u9fff]{4,}", text):
        return False
    found = re.findall(r"[^\W\d_]+", text)
    letters = sum(map(len, found))
    if len(found) < 2 or letters < 0.5 * len(text.replace(" ", "")) or len({word.lower() for word in found}) < 2:
        return True
    odd = [word for word in found if len(word) > 3 and word.isascii() and not re.search(r"[aeiouy]", word.lower())]
    repeated = re.search(r"(.)\1{4,}|\b(\w+)( \2\b){2,}", text.lower())
    return len(odd) > len(found) / 2 or bool(repeated)

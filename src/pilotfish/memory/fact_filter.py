"""Refuses facts that must not be stored: secrets, things that matter only now, and texts without content."""

import math
import re
from collections import Counter

SECRET_SHAPES = tuple(
    map(
        re.compile,
        (
            r"-----BEGIN [A-Z ]*PRIVATE KEY",
            r"\b(sk|pk|rk)[-_](live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{16,}",
            r"\b(ghp|gho|ghs|github_pat|glpat|xox[abps])[-_][A-Za-z0-9_-]{10,}",
            r"\bAKIA[0-9A-Z]{16}\b",
            r"\bAIza[0-9A-Za-z_-]{30,}",
            r"\beyJ[A-Za-z0-9_-]{10,600}\.[A-Za-z0-9_-]{10}",
            r"://[^/\s:@]{1,200}:[^/\s:@]{1,200}@",
            r"\b\d{3}-\d{2}-\d{4}\b",
            r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b",
        ),
    )
)
PASSWORD = re.compile(
    r"\b(pass ?words?|passwor[td](?!manager)\w*|passwd|pwd?|(wi-?fi|wlan|network)[ -]?(key|schlüssel)"
    r"|kennwort\w*|passcode|passphrase|mots? de passe|contraseñas?"
    r"|claves? (de acceso|del? (mi )?(wi-?fi|router|móvil|correo|ordenador|banco))"
    r"|login|api[ _-]?key|secret( key)?|(access|auth)[ _-]?token|(recovery|seed) phrase)\b|密码|口令|密匙|密钥",
    re.IGNORECASE,
)
"""Words that are followed by a secret of any form."""
CODE = re.compile(
    r"\b(pins?|cvv2?|cvc|tan|codes?|digicode|\w{0,20}codes?|códigos?|\w{0,20}nummer|iban|bic|dni|nie|ssn"
    r"|social security|sozialversicherung\w*|(account|card|passport|licen[cs]e|identity|id|tax) (number|no|card)s?"
    r"|(the|my|our) safe|tresor|coffre-fort|caja fuerte|lockers?|padlocks?|combination|kombination"
    r"|combinaison|combinación|driv\w{1,5} licen[cs]e|führerschein|permis de conduire|permiso de conducir"
    r"|passports?|\w{0,20}pass|passeport|pasaporte|numéro de (compte|carte|passeport|sécurité)"
    r"|número de (la )?(cuenta|tarjeta|pasaporte|seguridad social)|carnet|claves?)\b"
    r"|验证码|账号|帐号|卡号|护照|身份证|门禁|门锁|社保号|驾照|驾驶证|保险柜",
    re.IGNORECASE,
)
"""Words that name a secret if a number follows."""
UNLOCK_WORD = re.compile(r"\b(unlock(s|ing)?|entsperr\w*|déverrouill\w*|desbloque\w*)\b|解锁", re.IGNORECASE)
"""Words for opening a lock; three digits in the same text are its code."""
WITH_NUMBER = re.compile(r"\b(with|mit|avec|con) \d[\d -]{2,20}[.!]?\s*$|[用按]\s*\d{3,}", re.IGNORECASE)
"""A number that something is done with, and nothing after it."""
LOCK_WORD = re.compile(
    r"\b(opens?|öffnet|s['’]ouvre|se abre|safe|doors?|gates?|garage\w*|alarms?|locks?|\w{0,20}(tor|tür|schloss)|tresor"
    r"|alarmanlage|portes?|portail|alarme|cadenas|serrure|puertas?|portón|garaje|alarma|candado|cerradura)\b|门|锁|车库|警报",
    re.IGNORECASE,
)
"""What is opened or switched with a code."""
LOCK_CODE = re.compile(r"\d{3}")
ACCOUNT = re.compile(r"\b(accounts?|\w{0,20}konto|comptes?|cuentas?)\b|账户|帐户|存折", re.IGNORECASE)
"""Words that name an account, whose number is a secret."""
HARMLESS_CODE = re.compile(
    r"\b(phone|mobile|post(al)?|zip|area|dress|country|error|flight|room|house|seat|bus|train|product|model)[ -]?"
    r"(codes?|numbers?)\b|\b(code|código)s? (postal|de vol|de vuelo)\w*|\b(telefon|handy|mobil|flug|haus|zimmer|zug"
    r"|sitz|platz|modell|postleit)\w{0,3}(nummer|code)\b|电话|手机|邮编|房间号|航班",
    re.IGNORECASE,
)
"""Codes and numbers that open nothing."""
COPULA = re.compile(r"\b(is|was|are|ist|lautet|war|est|es|será)\b|[=:：]|是|为|叫", re.IGNORECASE)
NOT_A_VALUE = re.compile(
    r"(stored|kept|saved|managed|changed|not|never|unknown|expired|required|needed|in|on|at|by|the same|manager|policy"
    r"|reset|gespeichert|im|in|bei|nicht|dans|enregistré|guardad[oa]s?|en|no)\b|存|在|不|没",
    re.IGNORECASE,
)
SHORT_TIME = re.compile(
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
PLACEHOLDER = re.compile(r"[\[<{][^\[\]<>{}]{0,60}[\]>}]|\bX{3,}\b")
YEAR = re.compile(r"(?<![\w-])(?:19|20)\d\d(?![\w-])")
LONG_NUMBER = re.compile(r"(?<!\d)\d(?:[ -]?\d){6,}(?!\d)")
CODE_DIGITS = 3
CJK_SIGNS = 3
"""The Chinese or Japanese signs of the shortest sentence."""
MOST_CHARACTERS = 400
LEAST_CONFIDENCE = 0.3


def find_refusal(content: str, confidence: float = 1.0) -> str:
    """Why a fact must not be kept; empty where it may."""
    text = content.strip()
    checks = (
        (is_secret(text), "it looks like a secret; secrets are never remembered"),
        (
            _has_no_content(text) or bool(PLACEHOLDER.search(text)),
            "it is not a sentence that means something; say who or what, and what is true of it",
        ),
        (
            len(text) > MOST_CHARACTERS,
            f"it is longer than {MOST_CHARACTERS} characters; save several short facts instead",
        ),
        (text.endswith(("?", "？")), "it is a question, not a fact"),
        (bool(ORDER.search(text)), "it is an instruction, not a fact about the person"),
        (bool(SHORT_TIME.search(text) or REQUEST.search(text)), "it only matters now; save what will hold in a month"),
        (confidence < LEAST_CONFIDENCE, "it is too uncertain; save it once the person has confirmed it"),
    )
    return next((reason for bad, reason in checks if bad), "")


def is_secret(text: str) -> bool:
    """Whether a text holds a password, a key, a code, or the number of an account, a card or a document."""
    if any(shape.search(text) for shape in SECRET_SHAPES) or _states_secret(text):
        return True
    cards = re.findall(r"(?<!\d)(?:\d[ -]?){12,18}\d(?!\d)", text)
    return any(_passes_luhn(re.sub(r"\D", "", card)) for card in cards) or any(
        _looks_random(word) for word in text.split()
    )


def _states_secret(text: str) -> bool:
    """Whether a text names a kind of secret and states its value: a word like a code, or the text after “is”."""
    named = PASSWORD.search(text)
    if named:
        rest = text[named.end() :].strip()
        stated = COPULA.search(rest)
        value = rest[stated.end() :].strip() if stated else ""
        return (
            any(map(_is_code, text.split()))
            or _count_digits(rest) >= CODE_DIGITS
            or bool(value and not NOT_A_VALUE.match(value) and not NOT_A_VALUE.match(rest))
        )
    if (WITH_NUMBER.search(text) and LOCK_WORD.search(text)) or (UNLOCK_WORD.search(text) and LOCK_CODE.search(text)):
        return True
    if ACCOUNT.search(text) and LONG_NUMBER.search(text):
        return True
    return _count_digits(text) >= CODE_DIGITS and bool(CODE.search(HARMLESS_CODE.sub(" ", text)))


def _count_digits(text: str) -> int:
    """How many digits a text has; those of a year do not count."""
    return sum(character.isdigit() for character in YEAR.sub("", text))


def _is_code(word: str) -> bool:
    """Whether a word mixes letters with digits or signs, as passwords do."""
    word = word.strip(".,;:!?()\"'“”")
    mixed = sum((any(map(str.isalpha, word)), any(map(str.isdigit, word)), bool(re.search(r"[!#$%&*+=^~]", word))))
    return len(word) >= 5 and mixed > 1 and "password" not in word.lower()


def _passes_luhn(digits: str) -> bool:
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


def _looks_random(word: str) -> bool:
    """Whether a word looks like a key: long, mixed and random. Web and mail addresses do not count."""
    if len(word) < 20 or re.search(r"[@/.]", word) or not (re.search(r"\d", word) and re.search(r"[A-Za-z]", word)):
        return False
    return -sum(n / len(word) * math.log2(n / len(word)) for n in Counter(word).values()) > 3.5


def _has_no_content(text: str) -> bool:
    if len(re.findall(r"[\u3040-\u30ff\u3400-\u9fff]", text)) >= CJK_SIGNS:
        return False
    found = re.findall(r"[^\W\d_]+", text)
    letters = sum(map(len, found))
    if len(found) < 2 or letters < 0.5 * len(text.replace(" ", "")) or len({word.lower() for word in found}) < 2:
        return True
    odd = [word for word in found if len(word) > 3 and word.isascii() and not re.search(r"[aeiouy]", word.lower())]
    repeated = re.search(r"(.)\1{4,}|\b(\w+)( \2\b){2,}", text.lower())
    return len(odd) > len(found) / 2 or bool(repeated)

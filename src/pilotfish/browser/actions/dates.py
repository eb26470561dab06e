"""Converts dates and times as people write them to the format of form fields."""

import re
from datetime import datetime

NUMBERS = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})")
CLOCK = re.compile(r"(\d{1,2})(?::(\d{2}))?(?::\d{2})? *([ap])\.?m\.?", re.IGNORECASE)
WORDY = ("%d %B %Y", "%d %b %Y", "%B %d %Y", "%b %d %Y", "%Y/%m/%d", "%Y.%m.%d")


def standard_form(kind: str, text: str) -> str:
    """`10/20/2017` as `2017-10-20` for a date field, `3:05 PM` as `15:05` for a time field; else the text as it is.

    Slashes put the month first, dots and dashes the day, unless that cannot be.
    """
    if kind == "time" and (clock := CLOCK.fullmatch(text.strip())):
        hour = int(clock[1]) % 12 + 12 * (clock[3].lower() == "p")
        return f"{hour:02}:{clock[2] or '00'}"
    return _date(text.strip()) or text if kind == "date" else text


def _date(text: str) -> str:
    if found := NUMBERS.fullmatch(text):
        first, second, year = int(found[1]), int(found[3]), int(found[4])
        month, day = (first, second) if found[2] == "/" else (second, first)
        month, day = (day, month) if month > 12 else (month, day)
        return f"{year}-{month:02}-{day:02}"
    plain = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b|[,.](?= )", "", text)
    for form in WORDY:
        try:
            return datetime.strptime(plain, form).strftime("%Y-%m-%d")
        except ValueError:
            continue
    return ""

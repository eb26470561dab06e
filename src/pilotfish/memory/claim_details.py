"""Decides whether a fact says more than another one: it has its words, and adds a part."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import dropwhile

from pilotfish.memory.claim_reading import FactClaim
from pilotfish.memory.claim_vocabulary import CJK_CHARACTER, claim_words, has_digit

VERB_ENDING = "ing"
"""The end of an English verb: making films is not a kind of films."""
HEAD_FIRST = ("fr", "es")
"""Languages that say what a thing is like after the thing."""
CJK_PLACE = "在"
"""The Chinese word before a place."""


def adds_parts(fuller: FactClaim, briefer: FactClaim) -> bool:
    """Whether one claim has the words of the other and adds parts to it, in one place or in two."""
    between = _leave_out_last_part(fuller.words, briefer.words)
    return _adds_part(fuller, briefer) or (
        between is not None
        and _adds_part(fuller, replace(fuller, words=between))
        and _adds_part(replace(fuller, words=between), briefer)
    )


def _leave_out_last_part(longer: Sequence[str], shorter: Sequence[str]) -> tuple[str, ...] | None:
    """The longer words without what they add at the end, or behind the last place where they add something."""
    kept = [place for place, word in enumerate(longer) if word in shorter]
    if [longer[place] for place in kept] != list(shorter):
        return None
    added = [place for place in range(len(longer)) if place not in kept]
    first = next((place for place in reversed(added) if place - 1 not in added), 0)
    return tuple(longer[:first]) + tuple(longer[place] for place in kept if place > first)


def _adds_part(fuller: FactClaim, briefer: FactClaim) -> bool:
    """Whether one claim has the words of the other and adds a part without a limit.

    The part may be a quality of some thing: “a red car”. Else at the end it begins with a preposition, a time, or a
    name after a common noun: “a scooter Vespa”, and in French and Spanish it may be anything; elsewhere it is a time, a
    place or the name of what follows, which Chinese puts first: “周末在公园”, “叫年糕的”.
    """
    known = claim_words()
    longer, shorter = fuller.words, briefer.words
    extra = len(longer) - len(shorter)
    if extra <= 0 or len(shorter) < 1 or {fuller.subject, briefer.subject} == {"person", "thing"}:
        return False
    same = next((n for n, (a, b) in enumerate(zip(longer, shorter, strict=False)) if a != b), len(shorter))
    added = longer[same : same + extra]
    if added[0] in known["link"] and fuller.value.indefinite != briefer.value.indefinite:
        return False
    some_thing = fuller.value.indefinite and briefer.value.indefinite
    plain = tuple(word for word in longer if word in shorter or word not in known["quality"] | known["degree"])
    if some_thing and len(shorter) < len(plain) < len(longer) and not CJK_CHARACTER.match(added[0]):
        return _adds_part(replace(fuller, words=plain), briefer)
    if longer[same + extra :] != shorter[same:] or set(added) & known["limit"]:
        return False
    if some_thing and fuller.names.isdisjoint(added) and _gives_quality(added, same == len(shorter)):
        return True
    if not fuller.denied and _is_kind(added, longer[same + extra :], fuller.names):
        return True
    timely = known["time"] | known["duration"] | known["join"]
    after_time = list(dropwhile(lambda word: word in timely or has_digit(word), added))
    if not after_time and not set(added) <= known["join"]:
        return not (briefer.value.indefinite and all(map(has_digit, added)))
    if same < len(shorter):
        place = CJK_PLACE in added[: extra - len(after_time)] or (fuller.subject != "thing" and _is_aside(added, same))
        described = added[:-1] if some_thing and extra > 1 and added[-1] in known["quality"] else added
        after_verb = same > 0 and longer[same - 1] in known["copula"] | known["having"]
        return place or ((added[0] in known["part"] or after_verb) and described[-1] in known["link"])
    maker = added[0] in known["link"] and fuller.value.indefinite and added[-1] in fuller.names
    name_goes_on = added[0] in fuller.names and same > 0 and longer[same - 1] in fuller.names
    if fuller.language in HEAD_FIRST and not fuller.denied and not name_goes_on and known["former"].isdisjoint(added):
        return True
    named = maker or (added[0] in fuller.names and same > 0 and not name_goes_on)
    return named or added[0] in known["join"] | known["part"] | known["time"] | known["manner"]


def _is_aside(added: Sequence[str], place: int) -> bool:
    """Whether words within a sentence are a part with a preposition: “seit einem Unfall”, “和同事”."""
    known = claim_words()
    timely = (known["time"] | known["duration"]) - known["join"]
    part = list(dropwhile(lambda word: word in timely or has_digit(word), added))
    inner = len(part) > 1 and part[0] in known["join"] - known["link"] and part[-1] not in known["join"] | known["link"]
    begun = place > 0 or CJK_CHARACTER.match(added[0])
    return bool(begun) and inner and known["limit"].isdisjoint(part)


def _is_kind(added: Sequence[str], after: Sequence[str], names: frozenset[str]) -> bool:
    """Whether words name the kind of what stands beside them: “school teacher”, “guten Wein”."""
    known = claim_words()
    if any(not known[name].isdisjoint(added) for name in ("limit", "denial", "former")):
        return False
    if any(word.endswith(VERB_ENDING) for word in added):
        return False
    if CJK_CHARACTER.match(added[0]):
        return "".join(after) in known["heads"] and CJK_PLACE not in added
    if not known["join"].isdisjoint(added) and added[0] not in known["link"]:
        return False
    if not after:
        return False
    endings = tuple(known["adjective_endings"])
    inflected = all(word.endswith(endings) and word not in names for word in added)
    return after[0] in known["heads"] or (inflected and after[0] in names)


def _gives_quality(added: Sequence[str], at_end: bool) -> bool:
    """Whether words only say what a thing is like: “rouge”, “muy viejo”; in Chinese they end in 的."""
    known = claim_words()
    if CJK_CHARACTER.match(added[0]):
        return not at_end and added[-1] in known["link"] and set(added[:-1]) <= known["quality"] | known["degree"]
    return bool(set(added) & known["quality"]) and set(added) <= known["quality"] | known["degree"]


def gives_time(longer: Sequence[str], shorter: Sequence[str]) -> bool:
    """Whether the longer one also gives a time. Then the shorter one is not the same fact."""
    return any(word in claim_words()["time"] for word in set(longer) - set(shorter))

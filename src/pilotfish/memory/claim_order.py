"""Puts the words of a fact in one order, and leaves out those that name nothing."""

from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile
from typing import Literal

from pilotfish.memory.claim_vocabulary import CJK_CHARACTER, claim_words, has_digit

ClaimSubject = Literal["person", "thing", "none"]


def order_words(words: Sequence[str]) -> Sequence[str]:
    """Write “my dog's vet is” as “vet of my dog is”, and “green is my favourite colour” with “my” first."""
    return _put_possessed_first(_name_owner_last(words))


def _name_owner_last(words: Sequence[str]) -> Sequence[str]:
    """Write “my dog's vet is” as “vet of my dog is”; “my” and “the user's” stay where they are."""
    folded = [word.casefold() for word in words]
    at, end = (folded.index("'s") if folded.count("'s") == 1 else 0), find_copula(folded)
    if not 0 < at < end - 1 or claim_words().small.issuperset(folded[:at]):
        return words
    return [*words[at + 1 : end], "of", *words[:at], *words[end:]]


def _put_possessed_first(words: Sequence[str]) -> Sequence[str]:
    known = claim_words()
    folded = [word.casefold() for word in words]
    at = find_copula(folded)
    begins, follows = folded[:at], folded[at + 1 :]
    if not begins or known["turning"].isdisjoint(folded[at : at + 1]) or not known["self"].isdisjoint(begins):
        return words
    chinese = follows[:1] == ["我"] and "的" in follows
    if not known["possessive"].isdisjoint(begins) or not (
        chinese or (known["owning"].issuperset(follows[:1]) and follows)
    ):
        return words
    return [*words[at + 1 :], words[at], *words[:at]]


def list_content(plain: Sequence[str]) -> Iterator[str]:
    """The words without articles, forms of “be”, and the person: “my”, “of the user”."""
    known = claim_words()
    held: list[str] = []
    begun = False
    for word in plain:
        if word in known["link"] and word not in known["possessive"]:
            held.append(word)
        elif word not in known.small or (begun and word in known["possessive"]):
            yield from (*held, word)
            held, begun = [], True
        elif word in known["self"]:
            held = []


def read_subject(plain: Sequence[str]) -> ClaimSubject:
    """Whether a sentence begins with the person, something else, or neither."""
    known = claim_words()
    lead = list(takewhile(known.unowned.__contains__, plain))
    if not known["time"].isdisjoint(plain[len(lead) : len(lead) + 1]):
        return "none"
    if any(map(CJK_CHARACTER.match, lead)):
        # Chinese says “my brother” with and without the word for “of”.
        return "none"
    if any(word in known["possessive"] or word in known["link"] for word in lead):
        return "thing"
    if any(word in known["self"] for word in lead):
        return "person"
    return "none" if not lead or lead[-1] in known["be"] else "thing"


def find_copula(folded: Sequence[str]) -> int:
    """The position of the copula, or 0. After “my” or “the” the Spanish copula “son” is the English noun."""
    known = claim_words()
    nouns_follow = known["possessive"] | known["article"] | known["indefinite"]
    places = (place for place, word in enumerate(folded) if word in known["copula"])
    return next((place for place in places if not place or folded[place - 1] not in nouns_follow), 0)


def is_definite(subject: Sequence[str]) -> bool:
    """Whether a subject is definite: “I have a dog called Bolt” gives no value of a single-valued attribute."""
    return not any(word in claim_words()["indefinite"] for word in subject)


def split_beginning(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words without those that say when something began, and these: “last month”, “seit März”, “hace 2 años”.

    Where these stood first, German puts the verb before the person: “Vor 2 Jahren bin ich nach Ulm gezogen”.
    """
    known = claim_words()
    began = known["last"] | known["since"]
    timely = began | known["time"] | known["duration"] | known["unit"] | known["date"]
    articles = (known["article"] | known["indefinite"]) - timely
    kept: list[str] = []
    beginning: list[str] = []
    for _, group in groupby(words, lambda word: word.casefold() in timely | articles or has_digit(word)):
        run = list(group)
        folded = [word.casefold() for word in run if word.casefold() not in articles]
        # In “seit Mai 850 Euro” the number is none of a time.
        counted = len(folded) > 2 and has_digit(run[-1]) and len(kept) + len(beginning) + len(run) < len(words)
        if began.isdisjoint(folded) or began.issuperset(folded):
            kept += run
        else:
            beginning += run[:-1] if counted else run
            kept += run[-1:] if counted else []
    if beginning and known["self"].issuperset(word.casefold() for word in kept[1:2]):
        kept[:2] = kept[1::-1]
    return kept, sorted(beginning, key=lambda word: word.casefold() not in began)

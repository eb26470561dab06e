"""A model may say that a fact takes the place of another, within what the sentences leave open."""

import pytest

from pilotfish.core.events import current_time
from pilotfish.core.facts import Fact
from pilotfish.core.settings import MemorySettings
from pilotfish.memory.claim_replacement import Replacement
from pilotfish.memory.fact_merging import FactMerger, NoticedFact, SaveReport


def save_over(known: str, new: str, attribute: str, old_value: str, new_value: str) -> SaveReport:
    said = Replacement(known=known, attribute=attribute, old_value=old_value, new_value=new_value)
    held = Fact(id="known", user="ann", content=known)
    merger = FactMerger([held], MemorySettings(), current_time())
    merger.add(NoticedFact(content=new, replaces=said), "ann")
    return merger.report()


@pytest.mark.parametrize(
    ("known", "new", "attribute", "old_value", "new_value"),
    [
        ("I drive a Golf", "I sold the Golf and got a Vespa instead", "vehicle", "a Golf", "a Vespa"),
        ("I swim at the gym in Main Street", "I changed to the pool by the park", "gym", "gym in Main Street", "pool"),
        ("Mein Chor probt in der Aula", "Mein Chor trifft sich neuerdings im Keller", "place", "Aula", "Keller"),
        ("我养乌龟", "我养金鱼，乌龟送人了", "pet", "乌龟", "金鱼"),
    ],
)
def test_a_model_may_say_that_a_fact_no_longer_holds(
    known: str, new: str, attribute: str, old_value: str, new_value: str
) -> None:
    plain = save_over("something else", new, attribute, old_value, new_value)
    assert [fact.content for fact in plain.replaced] == []
    report = save_over(known, new, attribute, old_value, new_value)
    assert [fact.content for fact in report.saved] == [new]
    assert [fact.content for fact in report.replaced] == [known]


@pytest.mark.parametrize(
    ("known", "new", "attribute", "old_value", "new_value"),
    [
        ("I speak German", "My wife speaks Greek", "language", "German", "Greek"),
        ("My sister drives a Golf", "I drive a scooter", "vehicle", "Golf", "scooter"),
        ("我住在北京", "我妹妹搬到上海了", "home", "北京", "上海"),
        ("I live in Lisbon", "I live in a flat with two cats", "home", "Lisbon", "a flat"),
        ("I live in Scotland", "I live in Leith", "home", "Scotland", "Leith"),
        ("I am allergic to nuts", "I am allergic to wool", "allergy", "nuts", "wool"),
        ("I like jazz", "I like tango", "music", "jazz", "rock"),
        ("I like jazz", "I like jazz and tango", "music", "jazz", "jazz and tango"),
        ("My cat hates fish", "My cat loves mice", "food", "fish", "mice"),
        ("我哥哥养乌龟", "我养金鱼", "pet", "乌龟", "金鱼"),
        ("I drive a Golf", "I used to drive a scooter", "vehicle", "Golf", "scooter"),
    ],
)
def test_a_model_cannot_say_so_of_another_owner_or_attribute_or_of_words_that_nobody_said(
    known: str, new: str, attribute: str, old_value: str, new_value: str
) -> None:
    assert save_over(known, new, attribute, old_value, new_value).replaced == ()


def test_a_fact_that_the_model_does_not_repeat_word_for_word_is_kept() -> None:
    held = Fact(id="known", user="ann", content="I drive a Golf")
    merger = FactMerger([held], MemorySettings(), current_time())
    said = Replacement(known="I drive", attribute="vehicle", old_value="Golf", new_value="scooter")
    merger.add(NoticedFact(content="I drive a scooter these days", replaces=said), "ann")
    assert len(merger.held) == 2

"""Ranking passages without a model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilotfish.web.rank import (
    READ_WORDS,
    Detail,
    list_terms,
    rank_passages,
    select_passages,
    split_passages,
    stem_word,
    word_length,
)

FILLER = "\n\n".join(
    f"Paragraph {n} speaks at some length of ropes, paint, nets and the price of diesel." * 4 for n in range(60)
)
ANSWER = "## Slack water\n\nAt Saint-Malo the current rests for twenty minutes around high water."


def test_the_passage_that_answers_comes_first() -> None:
    best = rank_passages(
        "how long does the current rest at Saint-Malo?", split_passages(f"{FILLER}\n\n{ANSWER}\n\n{FILLER}")
    )[0]
    assert "twenty minutes" in best.text
    assert best.heading == "Slack water"


def test_meaning_counts_where_words_differ() -> None:
    texts = "The physician prescribed rest.\n\n# B\n\nThe mason built a wall.\n\n# C\n\nThe cook burnt the soup."
    assert "physician" in rank_passages("what did the doctor say", split_passages(texts))[0].text


@pytest.mark.parametrize("detail", ["brief", "detailed", "full"])
def test_a_selection_keeps_to_its_level_of_detail(detail: Detail) -> None:
    chosen = select_passages("slack water at Saint-Malo", [f"{FILLER}\n\n{ANSWER}", FILLER * 3], detail)
    assert sum(word_length(piece.text) for piece in chosen) <= READ_WORDS[detail]
    assert any("twenty minutes" in piece.text for piece in chosen)
    assert {piece.page for piece in chosen} == {0, 1}
    assert chosen == sorted(chosen, key=lambda piece: (piece.page, piece.at))


def test_a_short_page_is_kept_whole() -> None:
    assert [piece.text for piece in select_passages("anything", ["One line."], "brief")] == ["One line."]


def test_endings_do_not_keep_words_apart() -> None:
    assert len({stem_word(word) for word in ("rest", "rests", "rested", "resting")}) == 1
    assert list_terms("潮の満ち引き") == list("潮の満ち引き")


@given(st.text(max_size=2000))
def test_cutting_into_passages_loses_no_word(text: str) -> None:
    assert "".join("".join(piece.text.split()) for piece in split_passages(text)) == "".join(text.split())


def test_nothing_to_rank_is_nothing() -> None:
    assert rank_passages("tide", []) == []
    assert select_passages("tide", ["", ""], "brief") == []

"""Where an answer comes from, told by the words that one source has alone."""

from pilotfish.loop_support.citations import cite_sources

HERON = "Heron Ferries: prices\nA return to Gull Island costs 11 crowns. A bicycle costs 6 crowns extra each way."
LANTERN = "Lantern Line: prices\nA return to Gull Island costs 14 crowns. Bicycles travel free except on Mondays."
MUSEUM = "Gull Island Museum\nThe museum shows old nets and lamps and is open from May to September."
PAGES = (HERON, LANTERN, MUSEUM)


def test_each_sentence_is_given_the_sources_that_alone_have_its_words() -> None:
    assert cite_sources("The museum is open from May to September. [1]", PAGES) == (
        "The museum is open from May to September [3]."
    ), "a wrong number is put right"
    assert cite_sources("The Lantern Line is cheaper. It costs 14 crowns.\n\nHeron charges 6 extra", PAGES) == (
        "The Lantern Line is cheaper [2]. It costs 14 crowns [2].\n\nHeron charges 6 extra [1]"
    )


def test_what_two_sources_say_is_given_both() -> None:
    assert cite_sources("It is 11 crowns with Heron and 14 with Lantern.", PAGES).endswith("Lantern [1][2].")


def test_an_answer_that_no_source_has_words_of_stays_as_it_is() -> None:
    assert cite_sources("I do not know [2].", PAGES) == "I do not know [2]."
    assert cite_sources("| Heron | 11 |", PAGES) == "| Heron | 11 |", "a table would break"
    assert cite_sources("A ticket costs 11 crowns.", ()) == "A ticket costs 11 crowns."

from pilotfish.core.facts import PastMessage
from pilotfish.memory.message_search import MessageSearch
from pilotfish.memory.text_index import TextIndex
from pilotfish.memory.text_terms import list_terms, split_text

TEXTS = ["We adopted a greyhound from the shelter", "The lease ends in spring", "Climbing shoes are expensive"]


def best(index: TextIndex, query: str) -> int:
    match = index.match(query)
    return int((match.words + match.word_meaning + match.gist).argmax())


def test_a_text_is_found_by_its_words_in_another_form() -> None:
    index = TextIndex()
    index.add(TEXTS)
    assert best(index, "did he climb?") == 2
    assert best(index, "adopting") == 0


def test_a_text_is_found_by_what_it_means() -> None:
    index = TextIndex()
    index.add(TEXTS)
    assert best(index, "dog") == 0
    assert best(index, "rental contract") == 1


def test_a_text_is_found_in_spite_of_a_misspelling() -> None:
    index = TextIndex()
    index.add([*TEXTS, "My neighbour is called Aksel"])
    assert best(index, "Akssel") == 3
    assert best(index, "grayhound") == 0


def test_a_word_is_not_taken_for_another_that_only_has_the_same_letters() -> None:
    index = TextIndex()
    index.add(["The user plays tennis on Tuesdays", "The user moved to Porto"])
    assert best(index, "sports") == 0


def test_texts_can_be_added_one_by_one() -> None:
    together, singly = TextIndex(), TextIndex()
    together.add(TEXTS)
    for text in TEXTS:
        singly.add([text])
        singly.match("dog")
    assert (together.match("dog").word_meaning == singly.match("dog").word_meaning).all()


def test_an_empty_query_and_a_text_without_words_do_no_harm() -> None:
    index = TextIndex()
    index.add(["", "the of and", "a real sentence"])
    assert len(index.match("").words) == 3
    assert len(index.match("the").word_meaning) == 3
    assert best(index, "sentence") == 2


def test_words_are_cut_to_stems_and_chinese_to_pairs() -> None:
    assert list_terms("The user's dogs are running") == ["dog", "run"]
    assert list_terms("我喜欢鱼") == ["喜欢", "欢鱼"]


def test_a_long_text_is_searched_in_parts() -> None:
    long = "Nothing happened at all on that day. " * 60 + "Then a heron landed. " + "It was quiet again. " * 60
    talk = MessageSearch()
    talk.add([PastMessage(id=1, text=long), PastMessage(id=2, text="We talked about bicycles and trains for a while")])

    assert len(split_text(long)) > 3
    assert talk.search("which bird landed", limit=1)[0].message.id == 1


def test_a_message_is_found_through_the_question_that_it_answers() -> None:
    talk = MessageSearch()
    lines = ["How is your mother?", "Fine, thanks.", "What is the name of your new boat?", "Albatross!", "Lovely."]
    talk.add([PastMessage(id=n, conversation="c", text=text) for n, text in enumerate(lines, 1)])

    found = talk.search("What is the boat called?", limit=2)

    assert 4 in [one.message.id for one in found]
    answer = next(one for one in found if one.message.id == 4)
    assert [said.id for said in (*answer.before, *answer.after)] == [3, 5]


def test_neighbours_are_those_of_the_same_conversation() -> None:
    talk = MessageSearch()
    talk.add(
        [
            PastMessage(id=1, conversation="a", text="I bought a kayak"),
            PastMessage(id=2, conversation="b", text="It rains"),
        ]
    )

    [found] = talk.search("kayak", limit=1)

    assert (found.before, found.after) == ((), ())


def test_a_message_that_comes_twice_is_held_once() -> None:
    talk = MessageSearch()
    talk.add([PastMessage(id=1, text="I bought a kayak")])
    talk.add([PastMessage(id=1, text="I bought a kayak"), PastMessage(id=2, text="It rains")])

    assert [said.id for said in talk.messages] == [1, 2]

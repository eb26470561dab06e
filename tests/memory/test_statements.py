"""Which sentences of a person state something."""

import pytest

from pilotfish.memory.statements import list_statements

NO_STATEMENTS = [
    "Do I need a visa for Japan?",
    "If I lived in Paris, how much rent would I pay?",
    'My friend told me "I live in a van", can you believe it?',
    "Wie alt muss ich sein, um ein Auto zu mieten?",
    "Angenommen, ich wäre Rentner, was würde die Karte kosten?",
    "Auf dem Schild steht: „Ich wohne hier nicht mehr“",
    "Est-ce que je peux prendre mon chien dans le train ?",
    "Si j'étais étudiant, combien paierais-je ?",
    "Mon collègue a dit : « j'habite dans un château »",
    "¿Puedo llevar mi bicicleta en el ferry?",
    "Si viviera en Chile, ¿qué hora sería?",
    'En la película el hombre dice "soy médico"',
    "我需要签证吗?",
    "如果我住在伦敦,房租要多少?",
    "书里写着:“我是一名医生”",
    "Would you say that I am a patient person?",
    "My friend Ben wrote: I am allergic to cats",
    "Weißt du, wo ich meinen Ausweis verlängern kann?",
    "Wenn ich in Wien leben würde, bräuchte ich kein Auto.",
    "Tu crois que je suis trop vieux pour apprendre le piano ?",
    "Supposons que j'aie trois enfants.",
    "¿Sabes si mi seguro cubre el dentista?",
    'Mi jefe me dijo: "vivo en una isla"',
    "你觉得我应该学法语吗?",
    "他说:“我住在山上”",
    "Hypothetically, I own a yacht.",
    "Who told you that I live in Leeds?",
    "Stell dir vor, ich wäre Pilot.",
    "„Ich bin müde“, sagte meine Kollegin.",
    "Imaginons que je sois astronaute.",
    "Pourquoi penses-tu que j'ai un chat ?",
    "Imagina que soy millonario.",
    "¿Quién te ha dicho que tengo un perro?",
    "假如我是富翁。",
    "谁告诉你我住在郊区的?",
]


@pytest.mark.parametrize("said", NO_STATEMENTS)
def test_a_question_a_supposition_and_the_words_of_others_state_nothing(said: str) -> None:
    assert list_statements(said) == []


@pytest.mark.parametrize(
    ("said", "stated"),
    [
        ("Dr. Patel is my dentist. I like her.", ["Dr. Patel is my dentist.", "I like her."]),
        ("Ich habe am 4. Juni Geburtstag. Das ist bald.", ["Ich habe am 4. Juni Geburtstag.", "Das ist bald."]),
        ("Meine Tochter besucht die 3. Klasse.", ["Meine Tochter besucht die 3. Klasse."]),
        ("I am 34. I live in Rome.", ["I am 34.", "I live in Rome."]),
        ("Ich bin 34. Meine Frau ist 35.", ["Ich bin 34.", "Meine Frau ist 35."]),
    ],
)
def test_a_sentence_goes_on_behind_a_title_and_a_number(said: str, stated: list[str]) -> None:
    assert list_statements(said) == stated

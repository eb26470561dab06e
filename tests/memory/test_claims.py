"""Whether two facts say the same, refine or contradict each other, or both hold.

The pairs of `data/pairs_build.tsv` were looked at while the comparison was written, those of `data/pairs_check.tsv`
were not; of `data/pairs_everyday.tsv` the first 150 were, the last 60 were not; of `data/pairs_fresh.tsv` those in
lines 61 to 90 led to no change, the others did. `data/pairs_further.tsv` was run in three parts of 60, each once before
it led to a change: 7, 13 and 2 were wrong, none was lost; the third part led to no change. So was
`data/pairs_later.tsv` in seven parts of 40: 3, 9, 4, 4, 4, 5 and 2 were wrong, one of the second part was lost. Each
line: language, kind, known fact, new fact.

`data/pairs_daily.tsv` was written in four parts of 40, 40, 80 and 40, the first three before the comparison was read.
Each part was run once before it led to a change: 9, 5, 9 and 9 were wrong, none, none, one and one were lost.

`data/pairs_latest.tsv` was written in three parts of 100, the first before the comparison was read. Each part was run
once before it led to a change: 12, 20 and 19 were wrong, none was lost. The two parts of 100 of
`data/pairs_reported.tsv` were run once afterwards and led to no change: none and 7 were wrong, none was lost.

`data/pairs_outside.tsv` was written before the comparison was read: 23 of 103 were wrong, none was lost. Then names and
numbers of what a person has were compared by the form of the sentence, not by lists of nouns, which left 17 wrong.
`data/pairs_second.tsv` was run once after that: 3 of 100 were wrong, one of them lost (a Chinese number in thousands).
`data/pairs_third.tsv` was run once and led to no change: 3 of 70 were wrong, none was lost.

`data/pairs_spoken.tsv` was written before the comparison was read, with 25 questions, quotes and secrets that stand in
the tests of those: 16 of 120 were wrong, of which four replaced a country or region by a town, three were not kept for
a full stop within a sentence, and one was a door code that was kept. `data/pairs_spoken_after.tsv` was run once after
the change: 4 of 60 were wrong; no known fact was lost, and one new fact was not kept for a full stop within. Of
`data/pairs_spoken_last.tsv`, run once after that, 4 of 60 were wrong, none was lost.
"""

from collections import Counter
from pathlib import Path

import pytest

from pilotfish.memory.claim_reading import read_claim_with_parts
from pilotfish.memory.claims import compare_claims, compare_facts

RIGHT = {"same": "same", "refinement": "narrower", "contradiction": "conflict"}
"""The relation for each kind of pair; for other owners, other attributes and unrelated things both facts hold."""

CONFLICTS = [
    ("I take my tea with milk", "I take my tea without milk"),
    ("I have two hens now", "I have three hens now"),
    ("Fumo", "Dejé de fumar hace dos años"),
    ("I am a smoker", "I gave up smoking"),
    ("Ich bin ledig", "Ich habe geheiratet"),
    ("I am married to Tom", "I am divorced"),
    ("I wake up at six o'clock", "I wake up at 7 o'clock"),
    ("Wohne im dritten Stock", "Wohne im Erdgeschoss"),
    ("My laptop is a ThinkPad", "My laptop is a MacBook"),
    ("The user lives in Lisbon", "The user moved to Porto"),
    ("The user's favorite color is blue", "User's favourite colour is green"),
    ("The user is vegetarian", "The user is no longer vegetarian"),
    ("The user's laptop is a ThinkPad X1", "The user's laptop is a ThinkPad X2"),
    ("User prefers window seats", "The user prefers aisle seats"),
    ("Je préfère le vin rouge", "Je préfère le vin blanc"),
    ("User works for Acme", "The user now works at Globex"),
    ("The user is 34 years old", "The user is 35 years old"),
    ("Team standup is at 9:30", "Team standup is at 10:00"),
    ("The lease ends in 2027", "The lease ends in 2028"),
    ("User's email is a@b.test", "User's email is c@b.test"),
    ("User dislikes phone calls", "User likes phone calls"),
    ("I live in Tromsø", "I have just moved to Bergen"),
    ("Je bois du vin", "Je ne bois pas de vin"),
    ("Ich arbeite jetzt bei Thyssen", "Ich arbeite inzwischen bei Miele"),
    ("我叫王伟", "我叫李强"),
    ("I eat meat", "I do not eat meat any more."),
    ("I drink wine with dinner", "I stopped drinking wine with dinner"),
    ("My dentist is Dr Shah", "My new dentist is Dr Cole"),
    ("My height is 181 cm", "I am 183 cm tall"),
    ("Ich bin 68 kg schwer", "Ich wiege 71 kg"),
    ("Ich bin ledig", "Ich bin verheiratet"),
    ("Je préfère les places côté fenêtre", "Je préfère les places côté couloir"),
]
SAME = [
    ("My dog is called Rex", "I have a dog named Rex"),
    ("我的狗叫豆豆", "我有一只叫豆豆的狗"),
    ("En été, je dors mal", "Je dors mal en été"),
    ("Los lunes nado", "Nado los lunes"),
    ("We have a boat", "We've got a boat"),
    ("我跳舞上班", "我上班跳舞"),
    ("I am thirty-five years old", "I'm 35"),
    ("Ich bin fünfunddreißig Jahre alt", "Ich bin 35 Jahre alt"),
    ("J'ai soixante et onze ans", "J'ai 71 ans"),
    ("Tengo treinta y cinco años", "Tengo 35 años"),
    ("我的生日是十二月三号", "我的生日是12月3日"),
    ("My height is 1.84 m", "I am 184 cm tall"),
    ("My party is on the 4th of May", "My party is on May 4"),
    ("Nachts lese ich Comics", "Ich lese nachts Comics"),
    ("Jade is my favourite stone", "My favourite stone is jade"),
    ("I am a non-smoker", "I do not smoke"),
    ("I have given up smoking", "I no longer smoke"),
    ("Mein Bruder ist Linkshänder", "Der Bruder des Nutzers ist Linkshänder"),
    ("User lives in Lisbon", "The user currently lives in Lisbon."),
    ("Hablo alemán", "El usuario habla alemán"),
    ("The user is allergic to peanuts", "User has a peanut allergy"),
    ("My boss is Helena Costa", "The user's boss is Helena Costa"),
    ("My son's name is Theo", "My son is called Theo"),
    ("I am a left-hander", "The user is a left hander"),
    ("Vengo de Lugo", "Soy de Lugo"),
    ("My sister works as a pilot", "My sister is a pilot"),
    ("Je travaille comme chauffeur de taxi", "Je suis chauffeur de taxi"),
    ("我的职业是司机", "我是司机"),
    ("My boss is called Helena Costa", "My boss is Helena Costa"),
    ("My dog's vet is Dr Obi", "The vet of my dog is Dr Obi"),
    ("Ich esse vegan", "Der Nutzer isst vegan"),
    ("用户的弟弟是木匠", "我弟弟是木匠"),
]
OTHERS = [
    ("I like people who smoke", "I smoke"),
    ("I have a house", "I have a dog house"),
    ("My phone is a Pixel 7", "My phone is 0151 222"),
    ("My car is a Ford", "My car is a lemon"),
    ("My daughter has two children", "My daughter has three children"),
    ("I was in hospital for 2 hours", "I was in hospital for 3 hours"),
    ("Tom is my brother", "Tom is my boss"),
    ("My landlady is a dentist", "My dentist is a landlady"),
    ("I am a teacher", "I am a former teacher"),
    ("I like films", "I like making films"),
    ("I am divorced from Tom", "I am married to Ann"),
    ("My son is single", "I am single"),
    ("My size is 42", "My height is 182 cm"),
    ("Meine Frau ist Petra", "Meine Frau ist jetzt Ärztin"),
    ("Mein Auto ist ein Golf", "Mein Auto ist ein Diesel"),
    ("Ich trinke meinen Kaffee schwarz", "Ich trinke meinen Kaffee im Büro"),
    ("La voiture de mon mari est une Peugeot", "Ma voiture est une Peugeot"),
    ("Je suis propriétaire", "Mon propriétaire est M. Blanc"),
    ("J'ai un permis de pêche", "J'ai le permis"),
    ("Mi coche es un Seat", "Mi coche es un desastre"),
    ("我的车是比亚迪", "我的车是电动"),
    ("我周三有课", "我周五有课"),
    ("我买了三个西瓜", "我买了五个西瓜"),
    ("The user's daughter is called Marta", "User's daughter is named Ana"),
    ("Ich arbeite bei Bosch", "Ich arbeite bei Kerzenlicht"),
    ("I work for Maersk", "I work for Money"),
    ("I was born in 1979", "My birthday is on 9 June"),
    ("我在华为工作", "我在图书馆工作"),
    ("The user's daughter is called Marta", "The user's daughter is a doctor"),
    ("User has a dog named Bolt", "User has a dog named Colt"),
    ("User likes tea", "User likes coffee"),
    ("User prefers window seats", "User prefers dark mode"),
    ("The user works at Acme", "The user works as a nurse"),
    ("The user is a nurse", "The user is a father"),
    ("The user speaks German", "The user speaks Portuguese"),
    ("My customer lives in Bonn", "I live in Bonn"),
    ("I have a dog", "I have a dog allergy"),
    ("I like dogs", "I like hot dogs"),
    ("My mother is German", "My mother is a German teacher"),
    ("I live in Lisbon", "I used to live in Rome"),
    ("I live in Lisbon", "I want to live in Rome"),
    ("我住在北京", "我以前住在上海"),
    ("I live in Berlin in summer", "I live in Lisbon in winter"),
    ("My phone number is 0151 222", "My phone number is written on the card"),
    ("My wife's mother lives in Rome", "My mother's wife lives in Bonn"),
    ("I work for Bosch and my wife works for Siemens", "I work for Siemens"),
    ("I work at Siemens", "I work at Siemens until May"),
    ("The bus 5 is always late", "The bus 7 is always late"),
    ("Paula habla alemán", "Paulo habla alemán"),
    ("I was vegetarian", "I am vegetarian"),
    ("User prefers window seats on flights", "User prefers aisle seats"),
    ("I prefer tea to coffee", "I prefer coffee to tea"),
    ("I was in Rome in 2019", "I was in Rome in 2021"),
    ("我在邮局工作", "我在早上工作"),
    ("Ich lebe in Kiel", "Ich lebe in Scheidung"),
    ("My sister is vegan", "I am vegan"),
    ("My name is Kofi", "My middle name is Yaw"),
    ("Я живу в Казани", "Я живу с двумя кошками"),
    ("Ich arbeite bei Thyssen", "Ich arbeite bei Mondschein"),
    ("Ich lebe in Jena", "Ich lebe in Sünde"),
    ("I work at Tesco", "I work at Christmas"),
    ("我在百度工作", "我在雨天工作"),
    ("我叫王伟", "我叫外卖"),
    ("My car is a Ford", "My car is in Ford"),
    ("I was in York", "I was in New York"),
    ("I have a car", "I have a car loan"),
    ("I hate cheese", "I hate blue cheese"),
    ("Ich komme aus Bonn", "Ich komme aus der Dusche"),
    ("My height is 181 cm", "My weight is 82 kg"),
    ("My shoe size is 42", "My height is 181"),
    ("我的身高是181", "我的体重是82"),
    ("Peso 82 kilos", "El peso de mi maleta es 20 kilos"),
    ("I prefer window seats", "I prefer window shopping"),
    ("Trabajo como enfermero", "Trabajo de noche"),
    ("My bank is now Rabobank", "My insurance is now Allianz"),
    ("My bank is in Bonn", "My bank is now Sparkasse"),
    ("Mein Vermieter heißt Bäcker", "Mein Vermieter ist Bäcker"),
    ("My wife's mother is 70 years old", "My mother's wife is 71 years old"),
    ("我有两只猫", "我有一只猫"),
    ("My car is a green Skoda Fabia", "I drive a blue Skoda"),
    ("Ich arbeite an einem Roman", "Mein Arbeitgeber ist jetzt Siemens"),
    ("I don't hate jazz", "I like jazz"),
    ("My neighbour's dog is called Rex", "I have a dog called Rex"),
    ("Me gusta Barcelona", "Me gusta Barcelona Sporting"),
    ("No como carne", "No como carne roja"),
    ("My son is in Rome", "My son was in Paris"),
]


@pytest.mark.parametrize("one, other", CONFLICTS)
def test_two_values_of_one_thing_contradict_each_other(one: str, other: str) -> None:
    assert compare_facts(one, other) == compare_facts(other, one) == "conflict"


@pytest.mark.parametrize("one, other", SAME)
def test_another_wording_says_the_same(one: str, other: str) -> None:
    assert compare_facts(one, other) == compare_facts(other, one) == "same"


@pytest.mark.parametrize("one, other", OTHERS)
def test_things_that_can_both_hold_are_left_beside_each_other(one: str, other: str) -> None:
    assert compare_facts(one, other) == compare_facts(other, one) == "other"


def test_statement_pairs_in_five_languages_are_told_apart() -> None:
    files = sorted((Path(__file__).parent / "data").glob("pairs_*.tsv"))
    pairs = [line.split("\t") for file in files for line in file.read_text("utf-8").splitlines()]
    assert len(pairs) == 2148 and min(Counter(pair[0] for pair in pairs).values()) > 350
    wrong = [pair for pair in pairs if compare_facts(pair[3], pair[2]) != RIGHT.get(pair[1], "other")]
    assert len(wrong) <= 0.05 * len(pairs), wrong
    lost = [pair for pair in wrong if compare_facts(pair[3], pair[2]) != "other"]
    assert lost == [], "where the comparison is wrong, both facts are kept"


def test_nothing_is_lost_where_the_older_statement_of_a_pair_comes_last() -> None:
    kept = {"same": {"same", "narrower", "wider"}, "refinement": {"same", "wider"}, "contradiction": {"conflict"}}
    for file in (Path(__file__).parent / "data").glob("pairs_*.tsv"):
        for line in file.read_text("utf-8").splitlines():
            _, kind, known, new = line.split("\t")
            assert compare_facts(known, new) in {"other"} | kept.get(kind, set()), line


def test_one_of_several_has_another_value_only_with_a_word_for_now() -> None:
    assert compare_facts("My daughter lives in Bonn", "My daughter lives in Kiel") == "other"
    assert compare_facts("My daughter now lives in Bonn", "My daughter lives in Kiel") == "conflict"
    assert compare_facts("My new cat is called Mia", "My cat is called Tom") == "other"


def test_of_two_things_that_can_both_hold_the_newer_is_taken_only_with_a_word_for_now() -> None:
    assert compare_facts("我的电脑换成戴尔了", "我的电脑是联想") == "conflict"
    assert compare_facts("I walk to work now", "I drive to work") == "conflict"
    assert compare_facts("I walk to work", "I drive to work") == "other"
    assert compare_facts("My new boss is Tom Berg", "My boss is Helena Costa") == "conflict"


def test_what_a_person_has_one_of_is_replaced_by_another_name() -> None:
    for known, new in (
        ("My bank is Rabobank", "My bank is ING"),
        ("My internet provider is Ando", "My internet provider is now Bevis"),
        ("Ma salle de sport est Forma", "Ma salle de sport est Vigor"),
        ("Meine Bank ist die Sparkasse", "Meine Bank ist die ING"),
        ("Mein Hausarzt ist Dr. Brandt", "Mein Hausarzt ist Dr. Yilmaz"),
        ("我的老板是李总", "我的老板是陈总"),
    ):
        assert compare_facts(new, known) == compare_facts(known, new) == "conflict", new


def test_a_name_beside_what_somebody_is_leaves_both() -> None:
    for known, new in (
        ("My landlord is Roth", "My landlord is Dutch"),
        ("Mein Trainer ist Italiener", "Mein Trainer ist Marco"),
        ("My car is a Ford", "My car is Martha"),
        ("My bank was Barclays", "My bank is Lloyds"),
        ("My bank is Barclays", "My bank is Barclays in Leeds"),
        ("My brother is Tom", "My brother is Sam"),
        ("My boss is Helena", "My boss is Catholic"),
        ("My wedding is Saturday", "My wedding is June"),
        ("My son's teacher is Ms Hall", "My son's teacher is Mr Grey"),
    ):
        assert compare_facts(new, known) != "conflict" != compare_facts(known, new), new


def test_another_number_of_what_somebody_has_replaces_it() -> None:
    assert compare_facts("J'ai trois chats", "J'ai deux chats") == "conflict"
    assert compare_facts("My sister has three cats", "My sister has two cats") == "other", "of another sister"
    assert compare_facts("我的房租是三千五百元", "我的房租是三千元") == "conflict"
    assert compare_facts("我的车是二零二三年的", "我的车是2023年的") == "same"


def test_a_town_holds_beside_the_country_and_the_region_that_it_lies_in() -> None:
    for known, new in (
        ("I live in Germany", "I live in Munich"),
        ("Ich wohne in Bayern", "Ich wohne in Augsburg"),
        ("J'habite en Belgique", "J'habite à Namur"),
        ("Vivo en Perú", "Vivo en Arequipa"),
        ("我住在广东", "我住在深圳"),
        ("I live in Germany", "I live in Bavaria"),
    ):
        assert compare_facts(new, known) == compare_facts(known, new) == "other", new
    assert compare_facts("I live in Norway", "I live in Germany") == "conflict"
    assert compare_facts("Vivo en Granada", "Vivo en Sevilla") == "conflict"


def test_when_something_began_does_not_hide_what_it_is() -> None:
    for known, new in (
        ("I live in Bristol", "I moved to Cardiff last month"),
        ("Ich wohne in Ulm", "Vor zwei Jahren bin ich nach Passau gezogen"),
        ("J'habite à Rennes", "J'ai déménagé à Brest il y a deux mois"),
        ("Vivo en Bilbao", "Me mudé a Santander la semana pasada"),
        ("我住在成都", "我上个月搬到重庆了"),
        ("Ich bin verheiratet", "Ich bin seit März geschieden"),
        ("Je suis célibataire", "Je suis marié depuis juin"),
        ("我是单身", "我去年结婚了"),
        ("Meine Miete beträgt 800 Euro", "Meine Miete beträgt seit Mai 850 Euro"),
        ("Mi alquiler es de 600 euros", "Mi alquiler es de 680 euros desde enero"),
    ):
        assert compare_facts(new, known) == "conflict", new
    assert compare_facts("我去年在华为工作", "我在小米工作") == "other"
    assert compare_facts("I worked for Bosch last year", "I work for Siemens") == "other"


def test_parts_in_two_places_make_a_fact_more_exact() -> None:
    known, new = "Ich lerne Spanisch", "Ich lerne seit März Spanisch an der Volkshochschule"
    assert compare_facts(new, known) == "narrower" and compare_facts(known, new) != "conflict"
    assert compare_facts("I have a dog allergy since May", "I have a dog") == "other"


def test_a_length_of_time_makes_a_fact_more_exact() -> None:
    assert compare_facts("Ich lerne seit zwei Jahren Japanisch", "Ich lerne Japanisch") == "narrower"
    assert compare_facts("Trabajo en Lidl desde hace dos años", "Trabajo en Lidl") == "narrower"
    assert compare_facts("Ich habe ein rotes Fahrrad von Gazelle", "Ich habe ein Fahrrad") == "narrower"


def test_a_quality_of_some_thing_makes_a_fact_more_exact() -> None:
    for fuller, briefer in (
        ("I have a very old boat", "I have a boat"),
        ("J'ai une moto noire", "J'ai une moto"),
        ("Tengo un gato muy viejo", "Tengo un gato"),
        ("Ich habe ein kleines Boot", "Ich habe ein Boot"),
        ("我有一条白色的狗", "我有一条狗"),
        ("我有一只叫小黑的黑猫", "我有一只猫"),
        ("J'ai un chat roux qui s'appelle Caramel", "J'ai un chat"),
        ("Tengo una bici plegable", "Tengo una bici"),
        ("My car is a blue Skoda", "My car is a Skoda"),
    ):
        assert compare_facts(fuller, briefer) == "narrower", fuller


def test_said_again_without_the_day_is_kept_beside_it() -> None:
    assert compare_facts("I work at home on Fridays", "I work at home") == "narrower"
    assert compare_facts("I work at home", "I work at home on Fridays") == "other"


def test_the_parts_that_a_model_names_count_where_the_text_holds_them() -> None:
    krakow = read_claim_with_parts("Mieszkam w Krakowie", "", "home", "Krakowie")
    assert compare_claims(read_claim_with_parts("Mieszkam w Gdyni", "", "home", "Gdyni"), krakow) == "conflict"
    assert (
        compare_claims(read_claim_with_parts("Moja siostra mieszka w Gdyni", "siostra", "home", "Gdyni"), krakow)
        == "other"
    )
    assert compare_claims(read_claim_with_parts("Mieszkam z kotem", "", "home", "Gdyni"), krakow) == "other", (
        "not in the text"
    )
    assert read_claim_with_parts("I live in a flat", "", "home", "a flat").attribute == "", "not the name of a place"

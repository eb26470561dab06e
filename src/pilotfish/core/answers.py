"""Reads what a person says to a question as one of its choices: by number, by its words, or by a yes or no."""

from pilotfish.core.events import InputRequested

YES_WORDS = """
yes y yeah yep sure ok okay allow approve ja jah jā já oui sí si sim да так ano áno tak taip evet igen kyllä da ναι
是 是的 好 好的 可以 允许 同意 はい 네 예 응 हाँ हां হ্যাঁ نعم بله آره כן ya có vâng ใช่ ndiyo այո დიახ иә
"""
NO_WORDS = """
no n nope deny refuse cancel nein nee nej non não nao nei nē нет ні не ne nie hayır nem ei nu όχι
否 不 不行 不可以 拒绝 いいえ 아니요 아니 नहीं না لا خیر نه לא tidak không ไม่ hapana ոչ არა жоқ
"""
YES_ANSWERS, NO_ANSWERS = frozenset(YES_WORDS.split()), frozenset(NO_WORDS.split())
"""A yes and a no in the languages that most people write; only a whole answer counts, never a word in a sentence. A
word that is a yes in one language and a no in another, such as "jo", is neither."""
ANSWER_EDGES = " \t\n.,!;:。！，、¡"
NUMBER_EDGES = ANSWER_EDGES + "()[]#"


def read_answer(asked: InputRequested, text: str, *, typed: bool = True) -> str:
    """The choice that an answer means; the answer itself where it means none.

    What was `typed` below a numbered list may be a number, or the beginning of a choice.
    """
    said = text.strip()
    number = said.strip(NUMBER_EDGES)
    if typed and number.isdecimal() and said not in asked.choices and 0 < int(number) <= len(asked.choices):
        return asked.choices[int(number) - 1]
    plain = said.strip(ANSWER_EDGES).casefold()
    if exact := [choice for choice in asked.choices if choice.casefold().strip(ANSWER_EDGES) == plain]:
        return exact[0]
    if asked.kind == "approval" and asked.choices and plain in YES_ANSWERS | NO_ANSWERS:
        return asked.choices[0 if plain in YES_ANSWERS else -1]
    begun = [choice for choice in asked.choices if typed and plain and choice.casefold().startswith(plain)]
    return begun[0] if len(begun) == 1 else said


def list_choices(asked: InputRequested) -> str:
    """The choices as numbered lines."""
    return "\n".join(f"  {number}. {choice}" for number, choice in enumerate(asked.choices, 1))

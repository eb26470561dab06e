"""Shortcuts: the recorded actions of a run under a name, with words of them as parameters.

A parameter stands as `{name}` in texts, names of elements and addresses. A shortcut is kept and exported as JSON that
people can read and change.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, Self, cast
from urllib.parse import quote_plus

from pydantic import AliasChoices, Field, ValidationError, model_validator

from pilotfish.core.errors import PersonError
from pilotfish.core.events import current_time
from pilotfish.core.recipe import ADDRESS_STARTS, RECORDED_TOOLS, ActionRecipe, ElementRef, RecordedAction
from pilotfish.core.values import Value

NAME_PATTERN = r"[a-z0-9][a-z0-9_-]{0,39}"
LARGEST_FILE = 200_000
MOST_ACTIONS = 500
ELEMENT_NUMBER = re.compile(r"\[\d{1,9}\] ")
SHORTCUT_NAME = re.compile(NAME_PATTERN)
Change = Callable[[str], str]


class Shortcut(Value):
    """A named command. `parameters` has the words that the parameters stood for when it was recorded."""

    name: str = Field(pattern=f"^{NAME_PATTERN}$")
    task: str = Field(max_length=20_000)
    parameters: Mapping[str, str] = Field(default_factory=dict[str, str], max_length=20)
    recipe: ActionRecipe
    replacements: int = Field(
        default=0, validation_alias=AliasChoices("replacements", "mended"), description="elements that a model replaced"
    )
    created: datetime = Field(default_factory=current_time)

    @model_validator(mode="after")
    def _check(self) -> Self:
        """Admit only actions that a run records, and pages of the web."""
        if wrong := [action.tool for action in self.recipe.actions if action.tool not in RECORDED_TOOLS]:
            raise ValueError(f"{wrong[0]} is no action that can be done again")
        if not 0 < len(self.recipe.actions) <= MOST_ACTIONS:
            raise ValueError(f"it has 1 to {MOST_ACTIONS} actions")
        if not all(page.startswith(ADDRESS_STARTS[:2]) for page in self.recipe.pages):
            raise ValueError("it begins on pages of the web")
        if wrong := [name for name in self.parameters if not SHORTCUT_NAME.fullmatch(name)]:
            raise ValueError(f"{wrong[0]} is no name of a parameter")
        return self

    @property
    def usage(self) -> str:
        """How it is called, with the recorded words as examples."""
        return " ".join([self.name, *(f'{name}="{word}"' for name, word in self.parameters.items())])


def check_name(name: str) -> str:
    """Refuse what cannot be the name of a shortcut or parameter."""
    if not SHORTCUT_NAME.fullmatch(name):
        raise PersonError(
            f"{name!r} cannot be a name.", "Use small letters, digits, - and _, at most 40, a letter or digit first."
        )
    return name


def make_shortcut(name: str, recipe: ActionRecipe, parameters: Mapping[str, str]) -> Shortcut:
    """A shortcut of recorded actions, in which these words become parameters. Each word must occur."""
    check_name(name)
    texts = [recipe.task, *list_words(recipe)]
    for parameter, word in parameters.items():
        check_name(parameter)
        if not word.strip() or not any(replace_word(text, word, "") != text for text in texts):
            known = "; ".join(dict.fromkeys(list_words(recipe)))
            raise PersonError(
                f"{word!r} does not occur in what that run did.", f"There is: {known[:400] or 'no text'}."
            )
    changed = change_recipe(recipe, _insert(parameters), _insert(parameters, quoted=True))
    try:
        return Shortcut(name=name, task=changed.task, parameters=dict(parameters), recipe=changed)
    except ValidationError as error:
        raise PersonError(f"That run cannot become a shortcut: {explain(error)}.", "Choose another run.") from None


def fill_shortcut(shortcut: Shortcut, values: Mapping[str, str]) -> ActionRecipe:
    """The actions with these values. A parameter without a value, or a value without a parameter, is refused."""
    check_values(shortcut, values)
    filled = {f"{{{name}}}": value for name, value in values.items()}
    quoted = {mark: quote_plus(value) for mark, value in filled.items()}
    recipe = change_recipe(
        shortcut.recipe, lambda text: replace_all(text, filled), lambda url: replace_all(url, quoted)
    )
    said = [f"{name}: {value}" for name, value in values.items() if value not in recipe.task]
    return recipe.model_copy(update={"task": f"{recipe.task} ({'; '.join(said)})" if said else recipe.task})


def check_values(shortcut: Shortcut, values: Mapping[str, str]) -> None:
    """Refuse values that are missing, empty, or for no parameter."""
    missing = [name for name in shortcut.parameters if not values.get(name, "").strip()]
    unknown = [name for name in values if name not in shortcut.parameters]
    if missing or unknown:
        wrong = f"{missing[0]} has no value" if missing else f"it has no parameter {unknown[0]!r}"
        raise PersonError(f"{shortcut.name}: {wrong}.", f"Such as: pilotfish do {shortcut.usage}")


def replace_elements(
    shortcut: Shortcut, found: Mapping[tuple[int, str], ElementRef], values: Mapping[str, str]
) -> Shortcut:
    """The shortcut with elements that were found anew, by action and argument; values in their names become marks."""
    insert, actions = _insert(values), list(shortcut.recipe.actions)
    for (number, argument), element in found.items():
        new = element.model_copy(update={"name": insert(element.name)})
        old = actions[number]
        actions[number] = old.model_copy(update={"elements": {**old.elements, argument: new}})
    recipe = shortcut.recipe.model_copy(update={"actions": tuple(actions)})
    return shortcut.model_copy(update={"recipe": recipe, "replacements": shortcut.replacements + len(found)})


def write_shortcut(shortcut: Shortcut) -> str:
    """The shortcut as a file that people can read."""
    return f"{shortcut.model_dump_json(indent=2, exclude_defaults=True)}\n"


def read_shortcut(text: str) -> Shortcut:
    """The shortcut of such a file."""
    if len(text) > LARGEST_FILE:
        raise PersonError("That file is too large for a shortcut.", "Choose a file that an export wrote.")
    try:
        return Shortcut.model_validate_json(text)
    except ValidationError as error:
        raise PersonError(f"That is no shortcut: {explain(error)}.", "Choose a file that an export wrote.") from None


def describe_steps(recipe: ActionRecipe) -> list[str]:
    """What is done, a line each, without the numbers of elements."""
    return [ELEMENT_NUMBER.sub("", action.text) or action.tool for action in recipe.actions]


def list_words(recipe: ActionRecipe) -> Iterator[str]:
    """The texts and names that could become parameters, in order."""
    for action in recipe.actions:
        for name, value in action.args.items():
            yield from (text for text in _texts(value) if text and name not in ("kind", "mode", "action", "direction"))
        yield from (element.name for element in action.elements.values() if element.name)


def replace_word(text: str, word: str, new: str) -> str:
    """The text with a word or phrase replaced wherever it stands by itself."""
    parts, begin = list[str](), 0
    while word and (at := text.find(word, begin)) >= 0:
        end = at + len(word)
        alone = not (_is_letter(text[at - 1 : at]) or _is_letter(text[end : end + 1]))
        parts += [text[begin:at], new if alone else word]
        begin = end
    return "".join((*parts, text[begin:]))


def _is_letter(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def replace_all(text: str, words: Mapping[str, str]) -> str:
    for old, new in words.items():
        text = text.replace(old, new)
    return text


def change_recipe(recipe: ActionRecipe, change: Change, change_address: Change) -> ActionRecipe:
    """The recipe with its texts changed by one function, and its addresses by another."""
    actions = tuple(_change_action(action, change, change_address) for action in recipe.actions)
    tabs = tuple(change_address(tab) if isinstance(tab, str) else tab for tab in recipe.tabs)
    update = {"task": change(recipe.task), "tabs": tabs, "start": change_address(recipe.start), "actions": actions}
    return recipe.model_copy(update=update)


def _change_action(action: RecordedAction, change: Change, change_address: Change) -> RecordedAction:
    args = {
        name: _change_value(value, change_address if name == "url" else change) for name, value in action.args.items()
    }
    elements = {
        name: element.model_copy(update={"name": change(element.name)}) for name, element in action.elements.items()
    }
    return action.model_copy(update={"args": args, "elements": elements, "text": change(action.text)})


def _change_value(value: Any, change: Change) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: _change_value(each, change) for key, each in cast(Mapping[str, Any], value).items()}
    return [_change_value(each, change) for each in cast(list[Any], value)] if isinstance(value, list) else value


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in cast(Mapping[str, Any], value).values():
            yield from _texts(each)


def _insert(parameters: Mapping[str, str], *, quoted: bool = False) -> Change:
    """A function that puts the marks of parameters where their words stand; the longest words first."""
    ordered = sorted(parameters.items(), key=lambda pair: -len(pair[1]))

    def insert(text: str) -> str:
        for name, word in ordered:
            mark = f"{{{name}}}"
            text = replace_word(text, quote_plus(word) if quoted else word, mark)
        return text

    return insert


def explain(error: ValidationError) -> str:
    """The first thing that is wrong, with its place."""
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"]))
    return f"{place}: {first['msg']}" if place else str(first["msg"]).removeprefix("Value error, ")

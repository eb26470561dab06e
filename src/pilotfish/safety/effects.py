"""Finds what an action would do from the element it touches: its kind, form and words, never from the model's text."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote

from pilotfish.browser.harmless_files import PROGRAM_ENDINGS
from pilotfish.core.policy import ActionTarget, EffectKind, FormField, FormInfo
from pilotfish.safety.address import site_of
from pilotfish.safety.address_words import action_word, split_address
from pilotfish.safety.control_words import load_words

CHANGE_LISTENERS = frozenset({"onchange", "change", "onclick", "click", "oninput", "input"})
HARMLESS_ROLES = frozenset(
    {"tab", "checkbox", "radio", "option", "treeitem", "slider", "spinbutton", "scrollbar", "gridcell"}
)
PERSONAL = re.compile(r"(?:^|\s)(?:email|tel|name|given-name|family-name|street-address|address|postal-code|bday|sex)")
CARD_FIELD = re.compile(r"(?:^|\s)cc-")
STRONG_EFFECTS: tuple[EffectKind, ...] = ("buy", "account", "delete", "publish", "send")
SECURITY = re.compile(r"(?i)\b(2fa|two[- ]factor|security|password|recovery|permissions?|privacy|forwarding|api)\b")


class EffectFinding(NamedTuple):
    """An effect, the reason for it, and the site that receives the data (empty: the site where it is done)."""

    effect: EffectKind
    why: str
    receiver: str = ""


def find_strongest(text: str, hints: str = "") -> EffectFinding | None:
    """The strongest effect that a control names, in its name or, without a name, in its attributes."""
    for effect in STRONG_EFFECTS:
        if word := load_words()[f"strong.{effect}"].find_in_name(text):
            return EffectFinding(effect, f"it says “{word}”")
    if text.strip():
        return None
    spelled = spell_name(hints)
    for effect in STRONG_EFFECTS:
        if word := load_words()[f"strong.{effect}"].find_phrase(spelled):
            return EffectFinding(effect, f"its attributes say “{word}”")
    return None


def spell_name(name: str) -> str:
    """A name of a program as words: `addToCart` and `add_to_cart` as “add To Cart” and “add to cart”."""
    return re.sub(r"[^\w ]|_", " ", re.sub(r"([a-z])([A-Z])", r"\1 \2", name))


def click_effect(target: ActionTarget) -> Iterator[EffectFinding]:
    """All effects of a click: of the element, of what encloses it, and of the field of a label."""
    for one in (target, *target.outer):
        yield from _list_click_effects(one)


def _list_click_effects(target: ActionTarget) -> Iterator[EffectFinding]:
    if target.download is not None or target.href:
        yield link_effect(target)
    if target.submits and target.form:
        yield from submit_effect(target.form, target.name, target.hints)
    elif not target.href and target.download is None:
        yield _control_effect(target)


def _control_effect(target: ActionTarget) -> EffectFinding:
    """The effect of a click on an element that is no link and submits no form."""
    if target.type == "file":
        return EffectFinding("view", "it opens a file picker")
    guarded = SECURITY.search(f"{target.name} {target.about}")
    if guarded and (target.type in ("checkbox", "radio") or target.role == "switch"):
        return EffectFinding("account", f"it is a security setting: {guarded[0]}")
    if target.editable and not _has_toggle_effect(target):
        return EffectFinding("view", "a field")
    if target.name.endswith(("…", "...")) and target.role in ("button", "menuitem"):
        return EffectFinding("view", "its name says that a question follows")
    if found := find_strongest(target.name, "" if target.editable else target.hints):
        return found
    known = load_words()
    if target.editable or target.role in HARMLESS_ROLES or target.type in HARMLESS_ROLES:
        return EffectFinding("view", "a choice that sends nothing")
    if is_listed_name(target.name, "view.words") or target.tag == "summary":
        return EffectFinding("view", "it only changes what is shown")
    if (word := known["weak.delete"].find_in_name(target.name)) and not known["local.context"].find_phrase(
        nearby_text(target)
    ):
        return EffectFinding("delete", f"it says “{word}”")
    return EffectFinding("local", "nothing says that it does more than change this page")


def _has_toggle_effect(target: ActionTarget) -> bool:
    """Whether a click on a field has an effect: a box outside any form, or one with a script listener."""
    if target.type not in ("checkbox", "radio"):
        return target.role in ("checkbox", "radio", "option", "switch", "menuitem", "menuitemcheckbox", "button")
    return target.form is None or not target.form.submit or bool(CHANGE_LISTENERS & set(target.handlers))


def nearby_text(target: ActionTarget) -> str:
    return f"{target.about} {target.hints} {target.name} {target.form.action if target.form else ''}".replace("/", " ")


def is_listed_name(name: str, list_name: str) -> bool:
    """Whether a control's whole name, without numbers and signs, is in a list."""
    return re.sub(r"[\d()\[\]…→←›‹»«.,:!]+", "", name).strip().casefold() in load_words()[list_name].exact


def link_effect(target: ActionTarget) -> EffectFinding:
    """The effect of a link: reading, unless its words, address or script name another effect."""
    there = site_of(target.href)
    bare = target.href.lower().startswith(("javascript:", "#"))
    if bare or target.role in ("button", "menuitem") or "onclick" in target.handlers:
        found = find_strongest(target.name, target.hints)
        if found or bare:
            return (found or EffectFinding("local", "a link that works as a button"))._replace(receiver=there)
    file = target.download or PurePosixPath(unquote(split_address(target.href)[0])).name
    if PurePosixPath(file).suffix.lower() in PROGRAM_ENDINGS and (target.download is not None or not _script(file)):
        return EffectFinding("download", f"{file} can run on this machine", there)
    if word := action_word(target.href):
        return EffectFinding(action_effect(word), f"its address says “{word}”", there)
    if is_listed_name(target.name, "link.words") and (found := find_strongest(target.name)):
        return found._replace(receiver=there)
    return EffectFinding("visit", "a link", there)


def _script(file: str) -> bool:
    return file.lower().endswith((".js", ".sh", ".com"))


def action_effect(word: str) -> EffectKind:
    found = find_strongest(word.replace("-", " "))
    return found.effect if found else "delete" if word in ("remove", "destroy") else "submit"


def submit_effect(form: FormInfo, name: str, hints: str = "") -> Iterator[EffectFinding]:
    """All effects of sending a form, by its button's text, its fields and its address."""
    there = site_of(form.action)
    yield from (one._replace(receiver=there) for one in _list_submit_effects(form, name, hints))


def _list_submit_effects(form: FormInfo, name: str, hints: str) -> Iterator[EffectFinding]:
    said = find_strongest(name, hints)
    if said:
        yield said
    if word := action_word(form.action):
        yield EffectFinding(action_effect(word), f"its address says “{word}”")
    if form.method == "dialog":
        yield EffectFinding("view", "it closes a dialog")
        return
    asks = form.method == "get" and (not form.scripted or is_search(form, name))
    held = list(_list_field_effects(form))
    yield from held
    if asks and not held:
        yield EffectFinding("search", "a form that only asks for a page")
    elif not asks and not said and not held:
        yield _mild_effect(form, name)
    elif not asks and any(is_personal_field(field) and field.filled for field in form.fields):
        yield EffectFinding("personal", "the form holds personal details")


def _list_field_effects(form: FormInfo) -> Iterator[EffectFinding]:
    """The effects that the fields of a form show."""
    if any(is_payment_field(field) for field in form.fields):
        yield EffectFinding("buy", "the form holds payment details")
    if any(field.type == "password" for field in form.fields):
        new = any("new" in field.autocomplete for field in form.fields) or _count(form, "password") > 1
        yield EffectFinding("account" if new else "secret", "the form holds a password")
    if form.method != "get" and any(field.type == "file" and field.filled for field in form.fields):
        yield EffectFinding("upload", "the form holds a file")


def is_search(form: FormInfo, name: str) -> bool:
    """Whether a form that a script sends is a search that reveals nothing."""
    looks = any(
        field.type == "search" or load_words()["field.search"].find_phrase(field.label) for field in form.fields
    )
    return (looks or is_listed_name(name, "search.words")) and not any(
        field.type == "textarea" for field in form.fields
    )


def _mild_effect(form: FormInfo, name: str) -> EffectFinding:
    known = load_words()
    written = any(field.type == "textarea" and field.filled for field in form.fields)
    cart = known["local.words"].find_in_name(name) or known["local.context"].find_phrase(form.action.replace("/", " "))
    if cart and not written and not any(is_personal_field(field) and field.filled for field in form.fields):
        return EffectFinding("local", "it can be undone on the same page")
    if any(is_personal_field(field) and field.filled for field in form.fields):
        return EffectFinding("personal", "the form holds personal details")
    if is_listed_name(name, "search.words") and not written:
        return EffectFinding("search", "a form that only asks for a page")
    for effect in ("delete", "send", "publish", "account"):
        if word := known[f"weak.{effect}"].find_in_name(name):
            return EffectFinding(effect, f"it sends a form and says “{word}”")
    return EffectFinding("submit", "it sends a form")


def _count(form: FormInfo, kind: str) -> int:
    return sum(field.type == kind for field in form.fields)


def is_payment_field(field: FormField) -> bool:
    return bool(CARD_FIELD.search(field.autocomplete) or load_words()["field.payment"].find_phrase(field.label))


def is_personal_field(field: FormField) -> bool:
    if field.type in ("search", "hidden", "checkbox", "radio", "submit", "button"):
        return False
    return bool(
        field.type in ("email", "tel")
        or PERSONAL.search(field.autocomplete)
        or load_words()["field.personal"].find_phrase(field.label)
    )

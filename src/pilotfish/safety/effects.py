"""What a deed would do, told by what it touches: the element's kind, its form, its words; never by the model's word."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from pilotfish.browser.download import EXECUTABLE
from pilotfish.browser.keys import transfer
from pilotfish.core.policy import Deed, Effect, Form, Input, Target
from pilotfish.safety.address import parse
from pilotfish.safety.words import words

HARMLESS = frozenset(
    {"tab", "checkbox", "radio", "option", "treeitem", "slider", "spinbutton", "scrollbar", "gridcell"}
)
PRIVATE = re.compile(r"(?:^|\s)(?:email|tel|name|given-name|family-name|street-address|address|postal-code|bday|sex)")
CARD = re.compile(r"(?:^|\s)cc-")
CODES = frozenset({"current-password", "new-password", "one-time-code"})
STRONG: tuple[Effect, ...] = ("buy", "account", "delete", "publish", "send")
READS = re.compile(r"(?i)\b(get|list|read|search|find|fetch|show|describe|query|count|look|view|check|lookup)\b")
SECURITY = re.compile(r"(?i)\b(2fa|two[- ]factor|security|password|recovery|permissions?|privacy|forwarding|api)\b")


class Finding(NamedTuple):
    """An effect and what gave it away."""

    effect: Effect
    why: str


def strongest(text: str, hints: str = "") -> Finding | None:
    """What a control says that it does, in its name or, where it has none, in its attributes."""
    for effect in STRONG:
        if word := words()[f"strong.{effect}"].named(text):
            return Finding(effect, f"it says “{word}”")
    if text.strip():
        return None
    spelled = re.sub(r"[^\w ]|_", " ", re.sub(r"([a-z])([A-Z])", r"\1 \2", hints))
    for effect in STRONG:
        if word := words()[f"strong.{effect}"].found(spelled):
            return Finding(effect, f"its attributes say “{word}”")
    return None


def click(target: Target) -> Finding:
    """A click on an element."""
    if target.download is not None or target.href:
        return follow(target)
    if target.submits and target.form:
        return submit(target.form, target.name, target.hints)
    if target.type == "file":
        return Finding("view", "it opens a file picker")
    if target.editable or target.role in HARMLESS or target.type in HARMLESS:
        guarded = target.type in ("checkbox", "radio") and SECURITY.search(f"{target.name} {target.about}")
        return Finding("account", f"it is a security setting: {guarded[0]}") if guarded else Finding("view", "a field")
    if target.role == "switch" and SECURITY.search(f"{target.name} {target.about}"):
        return Finding("account", "it switches a security setting")
    found = strongest(target.name, target.hints)
    if found:
        return found
    known = words()
    if plain_word(target.name, "view.words") or target.tag == "summary":
        return Finding("view", "it only changes what is shown")
    if (word := known["weak.delete"].named(target.name)) and not known["local.context"].found(near(target)):
        return Finding("delete", f"it says “{word}”")
    return Finding("local", "nothing says that it does more than change this page")


def near(target: Target) -> str:
    return f"{target.about} {target.hints} {target.name} {target.form.action if target.form else ''}".replace("/", " ")


def plain_word(name: str, list_name: str) -> bool:
    """Whether a control's whole name is one of the list, numbers and signs aside."""
    return re.sub(r"[\d()\[\]…→←›‹»«.,:!]+", "", name).strip().casefold() in words()[list_name].exact


def follow(target: Target) -> Finding:
    """A link: reading, unless its address says that following it does something."""
    if target.href.lower().startswith(("javascript:", "#")) or target.role in ("button", "menuitem"):
        return strongest(target.name, target.hints) or Finding("local", "a link that works as a button")
    file = target.download or PurePosixPath(unquote(urlsplit(target.href).path)).name
    if PurePosixPath(file).suffix.lower() in EXECUTABLE and (target.download is not None or not _script(file)):
        return Finding("download", f"{file} can run on this machine")
    if word := doing(target.href):
        return Finding(_path_effect(word), f"its address says “{word}”")
    return Finding("visit", "a link")


def _script(file: str) -> bool:
    return file.lower().endswith((".js", ".sh", ".com"))


def _path_effect(word: str) -> Effect:
    found = strongest(word.replace("-", " "))
    return found.effect if found else "delete" if word in ("remove", "destroy") else "submit"


def doing(url: str) -> str:
    """The word of an address's path or query that is a deed, empty where none is."""
    parts = urlsplit(url)
    query = re.split(r"[&=]", parts.query.lower())
    segments = [unquote(part).lower() for part in parts.path.split("/")]
    return next((word for word in (*segments, *query) if word in words()["path.words"].exact), "")


def submit(form: Form, name: str, hints: str = "") -> Finding:
    """Sending a form. What it holds weighs more than what its button is called."""
    said = strongest(name, hints)
    if form.method == "dialog":
        return said or Finding("view", "it closes a dialog")
    if form.method == "get" and not _sensitive(form):
        return said or Finding("search", "a form that only asks for a page")
    if any(payment(field) for field in form.fields):
        return Finding("buy", "the form holds payment details")
    if said and said.effect in ("buy", "account", "delete"):
        return said
    if any(field.type == "password" for field in form.fields):
        new = any("new" in field.autocomplete for field in form.fields) or _count(form, "password") > 1
        return Finding("account" if new else "secret", "the form holds a password")
    if any(field.type == "file" and field.filled for field in form.fields):
        return Finding("upload", "the form holds a file")
    if said:
        return said
    return _mild(form, name)


def _mild(form: Form, name: str) -> Finding:
    known = words()
    written = any(field.type == "textarea" and field.filled for field in form.fields)
    cart = known["local.words"].named(name) or known["local.context"].found(form.action.replace("/", " "))
    if cart and not written and not any(personal(field) and field.filled for field in form.fields):
        return Finding("local", "it can be undone on the same page")
    if any(personal(field) and field.filled for field in form.fields):
        return Finding("personal", "the form holds personal details")
    if plain_word(name, "view.words") and not written:
        return Finding("view", "a step within the form")
    for effect in ("delete", "send", "publish", "account"):
        if word := known[f"weak.{effect}"].named(name):
            return Finding(effect, f"it sends a form and says “{word}”")
    return Finding("submit", "it sends a form")


def _count(form: Form, kind: str) -> int:
    return sum(field.type == kind for field in form.fields)


def _sensitive(form: Form) -> bool:
    return any(payment(field) or field.type == "password" for field in form.fields)


def payment(field: Input) -> bool:
    return bool(CARD.search(field.autocomplete) or words()["field.payment"].found(field.label))


def personal(field: Input) -> bool:
    if field.type in ("search", "hidden", "checkbox", "radio", "submit", "button"):
        return False
    return bool(
        field.type in ("email", "tel")
        or PRIVATE.search(field.autocomplete)
        or words()["field.personal"].found(field.label)
    )


def typing(target: Target, text: str) -> Finding:
    """Text going into a field, before anything is sent."""
    field = Input(type=target.type, autocomplete=target.autocomplete, label=target.name)
    if target.type == "password" or target.autocomplete in CODES:
        return Finding("secret", "a field for a password or code")
    if text and (payment(field) or personal(field)):
        return Finding("personal", "a field for personal or payment details")
    return Finding("view", "nothing is sent yet")


def enter(target: Target) -> Finding:
    """The Enter key in a field or on a control."""
    if not target.editable:
        return click(target)
    known, name = words(), f"{target.name} {target.about}"
    if target.multiline:
        return (
            Finding("send", "Enter may send a message") if target.tag != "textarea" else Finding("view", "a new line")
        )
    if target.form and (target.form.fields or target.form.submit):
        return submit(target.form, target.form.submit, "")
    if target.type == "search" or known["field.search"].found(name):
        return Finding("search", "a search field")
    if word := known["field.message"].found(target.name):
        return Finding("send", f"Enter in a field for “{word}”")
    return Finding("local", "a field outside any form")


def findings(deed: Deed) -> Iterator[Finding]:
    """All that a deed would do."""
    first = deed.targets[0] if deed.targets else None
    match deed.tool:
        case "click" if first:
            yield click(first)
        case "type" if first:
            yield typing(first, str(deed.args.get("text", "")))
            if deed.args.get("submit"):
                yield enter(first)
        case "press_key":
            yield from _keys(str(deed.args.get("key", "")), first)
        case "select" if first:
            chosen = strongest(str(deed.args.get("option", "")))
            yield chosen or Finding("view", "a choice that sends nothing")
        case "drag" if first:
            yield from (strongest(target.name, target.hints) or Finding("local", "dragging") for target in deed.targets)
        case "download":
            yield Finding("download", f"{deed.args.get('name', 'it')} can run on this machine")
        case "upload":
            yield Finding("upload", "a file of this machine is given away")
        case "memory_save":
            yield Finding("remember", "a fact about the person is kept")
        case _ if deed.guest:
            yield lent(deed)
        case _:
            yield Finding("read", "it changes nothing")


def lent(deed: Deed) -> Finding:
    """A tool of another server: its name counts first, then what its server says of it."""
    spelled = re.sub(r"[^\w ]|_", " ", re.sub(r"([a-z])([A-Z])", r"\1 \2", deed.tool))
    if found := strongest(spelled):
        return found
    if deed.quiet or READS.search(spelled):
        return Finding("read", "another server's tool, which only reads")
    return Finding("use", "another server's tool, which may change something")


def _keys(key: str, target: Target | None) -> Iterator[Finding]:
    last = key.rpartition("+")[2].strip().lower() or key
    if transfer(key) == "paste":
        yield typing(target, "what was copied") if target else Finding("view", "nothing has the focus")
    elif last in ("enter", "return") or (last in ("space", "spacebar") and target and not target.editable):
        if target is None:
            yield Finding("view", "nothing has the focus")
        elif "+" in key and target.multiline:
            yield Finding("send", "these keys may send a message")
        else:
            yield enter(target)
    elif last in ("delete", "del", "backspace") and not (target and target.editable):
        yield Finding("delete", "the key may delete what is selected")
    else:
        yield Finding("view", "a key")


def address(deed: Deed) -> str:
    """Where a deed goes, if it goes somewhere: the address in its arguments or behind its link."""
    match deed.tool:
        case "navigate" if deed.args.get("action", "goto") == "goto":
            return str(deed.args.get("url", ""))
        case "manage_tabs" if deed.args.get("action") == "open":
            return str(deed.args.get("url", ""))
        case "click" if deed.targets and deed.targets[0].href:
            return deed.targets[0].href
        case "click" | "type" | "press_key" if deed.targets and deed.targets[0].form:
            form = deed.targets[0].form
            return form.action if parse(form.action) and sends(deed) else ""
        case _:
            return ""


def sends(deed: Deed) -> bool:
    """Whether a deed sends the form that its element belongs to."""
    key = str(deed.args.get("key", "")).lower()
    return bool(deed.targets[0].submits or deed.args.get("submit") or key.endswith("enter"))

"""An oracle: the steps of a task in words.

A family writes a generator of steps; `player.py` plays them as a model.
"""

from dataclasses import dataclass

from gym.markup import STARS

ENDS = ("done", "ask", "give_up", "already")
"""The steps with which a task ends or is interrupted."""


class OracleLost(Exception):
    """The page shows no way to carry out a step."""


@dataclass(frozen=True)
class Step:
    """One step in words. `names` are wordings of which the page has one; `see` must be shown before an end. `stays`:
    what it changes is lost when the page is left."""

    verb: str
    names: tuple[str, ...] = ()
    value: str = ""
    row: str = ""
    why: str = ""
    sure: bool = False
    see: str = ""
    stays: bool = False

    @property
    def starred(self) -> bool:
        return set(STARS) <= set(self.names) and self.verb == "click"

    @property
    def name(self) -> str:
        return self.names[0] if self.names else ""


def click(name: str, row: str = "", *, sure: bool = False, why: str = "", stays: bool = False) -> Step:
    """Press a button or link. `sure`: the site may ask whether it is meant, which is then affirmed."""
    return Step("click", (name,), row=row, sure=sure, why=why, stays=stays)


def drag(name: str, onto: str, *, why: str = "") -> Step:
    """Drag something onto something else."""
    return Step("drag", (name,), onto, why=why or f"drag {name} onto {onto}")


def star(label: str, row: str, *, why: str = "") -> Step:
    """Press the star of a row."""
    return Step("click", (label, *STARS), row=row, why=why or f"the star of {row}")


def switch(label: str, *, why: str = "") -> Step:
    """Press a switch."""
    return Step("switch", (label, *(f"{sign} {label}" for sign in STARS)), why=why or f"switch {label}")


def fill(label: str, value: str, *, why: str = "") -> Step:
    """Type into a field."""
    return Step("fill", (label,), value, why=why)


def choose(label: str, option: str, *, why: str = "") -> Step:
    """Choose an option of a field of a form."""
    return Step("choose", (label,), option, why=why)


def tick(label: str, row: str = "", *, why: str = "") -> Step:
    """Tick a box of a form."""
    return Step("tick", (label,), row=row, why=why)


def search(words: str, label: str = "", *, why: str = "") -> Step:
    """Type words into the search field and press Enter."""
    return Step("search", (label,) if label else (), words, why=why)


def note(words: str, *, see: str = "", why: str = "") -> Step:
    """Keep words for later."""
    return Step("note", value=words, see=see, why=why)


def done(answer: str, *, see: str = "", why: str = "") -> Step:
    """The end: the answer, or what was achieved."""
    return Step("done", value=answer, see=see, why=why)


def ask(question: str, *, see: str = "", why: str = "") -> Step:
    """Ask the person, who then says what the task has as `person`."""
    return Step("ask", value=question, see=see, why=why)


def look_up(words: str, *, why: str = "") -> Step:
    """Search for words where the page has a search; else nothing."""
    return Step("look_up", value=words, why=why)


def survey(words: str, *, why: str = "") -> Step:
    """Look through a list to its end."""
    return Step("survey", value=words, why=why)


def already(step: Step, wording: str) -> Step:
    """The end where the page shows that a step was carried out before: the wording with the line that shows it."""
    return Step("already", step.names, step.value, step.row, see=wording)


def give_up(reason: str, *, see: str = "", why: str = "") -> Step:
    """The end where the task cannot be done."""
    return Step("give_up", value=reason, see=see, why=why)


def describe(step: Step) -> str:
    """A step in a few words."""
    row = f" for {step.row}" if step.row else ""
    match step.verb:
        case "click" | "tick":
            return f"{'tick' if step.verb == 'tick' else 'press'} {step.name}{row}"
        case "fill":
            return f"fill in {step.name}"
        case "choose":
            return f"choose {step.value} as {step.name}"
        case "search":
            return f"search for {step.value}"
        case "note":
            return "keep this for later"
        case "ask":
            return "only the person can tell"
        case "give_up":
            return "it is not there"
        case _:
            return "the goal is reached" if not step.see else f"the page says {step.see}"


def shorten(why: str) -> str:
    """At most twelve words and 80 characters."""
    return " ".join(why.split()[:12])[:80]

"""Twists: what can happen to a task of any family.

A thing that no section has, a value that the person forgot to say, a second question, a goal that is reached already.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace

from gym.oracle import Step, already, ask, click, done, give_up, look_up
from gym.site import Site
from gym.surroundings import end_at_end
from gym.words import load_goals

FREE = ("category", "priority", "color", "size", "department", "language", "status")
"""Keys of labels whose option often does not matter."""
FACTS = ("phone", "address", "hours", "founded")
PLAIN = 50
"""Of a hundred tasks, how many stay as their family made them."""
MOST_WORDS = 3
"""Words of a value that stands in a field; longer ones are messages, whose field is empty again."""
SHORTEST = 3
"""Letters of a value that a goal can leave out."""
MOST_LOOKS = 5
"""Sections that are looked into before giving up."""
WEIGHTS = (2, 4, 5, 1, 12, 14, 8, 5)
"""How often each twist is tried, in the order of TWISTS; some fit only few tasks."""
Twist = Callable[[Site, bool], bool]


def twist_site(site: Site, held_out: bool, name: str | None = None) -> Site:
    """Give a site's task a twist that fits it; with a name only that one. Held-out families get other words."""
    drawn = site.draw.number(1, 100)
    order = [name] if name is not None else site.draw.random.choices(list(TWISTS), WEIGHTS, k=4)
    if name is None and drawn <= PLAIN:
        return site
    for each in order:
        if each and TWISTS[each](site, held_out):
            site.twist = each
            break
    return site


def ask_elsewhere(site: Site, held_out: bool) -> bool:
    """The goal is about something that this site does not have."""
    draw = site.draw
    wordings = load_goals("twists")
    things = wordings["things"][draw.language]
    thing, _, goals = draw.pick(things[-3:] if held_out else things[:-3]).partition(" = ")
    goal = draw.speak({draw.language: [each.strip() for each in goals.split(";")]})
    sections = [label for path, label in site.sections.items() if path not in ("/", site.contact)]
    looks = draw.sample(sections, draw.number(2, MOST_LOOKS))
    searched = draw.number(0, len(looks))
    missing = draw.pick(wordings["missing"][draw.language]).format(thing=thing)

    def steps() -> Iterator[Step]:
        for at, each in enumerate(looks):
            yield click(each, why=f"not in {looks[at - 1]}, try {each}" if at else f"{each} may have it")
            if at == searched:
                yield look_up(thing, why=f"is there {thing} here")
        yield give_up(missing, why=f"no section fits {thing}"[:80])

    site.task(goal, steps, ending="give_up")
    return True


def ask_fact(site: Site, held_out: bool) -> bool:
    """A question about who runs the site."""
    if not site.facts:
        return False
    kind, goal = draw_fact(site)
    label, value = site.draw.word(kind), site.facts[kind]

    def steps() -> Iterator[Step]:
        yield click(site.sections[site.contact], why=f"{label} of {site.brand} may be here")
        yield done(f"{site.brand}, {label}: {value}", see=value)

    site.task(goal, steps, answer=[value])
    return True


def ask_more(site: Site, held_out: bool) -> bool:
    """A question after a task that changes something."""
    if not site.facts or site.data == site.wanted or site.ending != "done":
        return False
    kind, more = draw_fact(site)
    label, value, first = site.draw.word(kind), site.facts[kind], site.steps
    wordings = load_goals("twists")["after"]
    site.goal = site.draw.pick(wordings[site.draw.language]).format(goal=site.goal.rstrip(" .。"), more=more)
    site.answers = (*site.answers, value)

    def steps() -> Iterator[Step]:
        for step in first():
            if step.verb != "done":
                yield step
                continue
            yield click(site.sections[site.contact], why=f"that is done, now {label}")
            yield done(f"{step.value} {label}: {value}", see=value)
            return

    site.steps = steps
    return True


def name_place(site: Site, held_out: bool) -> bool:
    """The goal says which section to open first; the task is not done by opening it."""
    first = next(iter(list_steps(site)), None)
    known = first is not None and not first.row and first.name in site.sections.values()
    if not known or site.vague or site.nested or site.person or site.ending != "done" or site.data == site.wanted:
        return False
    place, wordings = first.name if first else "", load_goals("twists")["placed"][site.draw.language]
    if place.casefold() in site.goal.casefold():
        return False
    site.goal = site.draw.pick(wordings).format(place=place, goal=site.goal.rstrip(" .。"))
    return True


def draw_fact(site: Site) -> tuple[str, str]:
    kind = site.draw.pick(FACTS)
    goal = site.draw.speak(load_goals("twists")[kind], brand=site.brand, label=site.draw.word(kind))
    return kind, goal


def leave_unsaid(site: Site, held_out: bool) -> bool:
    """The person leaves out a value and says it when asked."""
    first, draw, wordings = site.steps, site.draw, load_goals("twists")
    values = [step for step in list_steps(site) if step.verb in ("fill", "choose")]
    apart = [step for step in values if site.goal.count(step.value) == 1 and len(step.value) >= SHORTEST]
    if site.person or site.ending != "done" or not apart:
        return False
    unsaid = draw.pick(apart)
    if sum(step.value == unsaid.value for step in values) > 1:
        return False
    site.goal = site.goal.replace(unsaid.value, draw.pick(wordings["unsaid"][draw.language]))
    site.person = unsaid.value
    question = draw.pick(wordings["question"][draw.language]).format(label=unsaid.name)

    def steps() -> Iterator[Step]:
        for step in first():
            if step == unsaid:
                yield ask(question, why=f"the goal does not say the {step.name}", see=step.name)
            yield step

    site.steps = steps
    return True


def leave_open(site: Site, held_out: bool) -> bool:
    """The goal leaves open what does not matter: an option that may stay as it is, or a title to make up."""
    first, draw, wordings = site.steps, site.draw, load_goals("twists")
    values = [step for step in list_steps(site) if step.verb in ("fill", "choose")]
    text = max((step.value for step in values if step.verb == "fill"), key=len, default="")
    begun = text[:6] if draw.language == "zh" else " ".join(text.split()[:3]).rstrip(".,")
    titled = begun and begun != text
    free = {("choose", draw.word(key)) for key in FREE} | ({("fill", draw.word("title"))} if titled else set())
    loose = [step for step in values if (step.verb, step.name) in free and step.value != text and is_loose(site, step)]
    if site.person or site.ending != "done" or len(values) < 2 or not loose:
        return False
    one = draw.pick(loose)
    said, other = ("any", "") if one.verb == "choose" else ("untitled", begun)
    site.goal = site.goal.replace(one.value, draw.pick(wordings[said][draw.language]))
    site.open_value = one.value

    def steps() -> Iterator[Step]:
        for step in first():
            if step == one and other:
                yield replace(step, value=other, why="the goal leaves it open, so the words of the text")
            elif step.verb == "done":
                told = step.value.replace(one.value, other).strip(" :·—-,")
                yield replace(step, value=told, see=step.see.replace(one.value, other))
            elif step != one:
                yield step

    site.steps = steps
    return True


def is_loose(site: Site, one: Step) -> bool:
    """Whether another value in this step would change one text of the data and nothing else that is looked at."""
    steps = list_steps(site)
    later = any(one.value in (step.name, step.row) or (step != one and step.value == one.value) for step in steps)
    alone = site.goal.count(one.value) == 1 and len(one.value) >= SHORTEST
    grown = count_texts(site.wanted, one.value) - count_texts(site.data, one.value)
    return alone and grown == 1 and not later and not any(one.value in each for each in site.answers)


def count_texts(data: object, text: str) -> int:
    if isinstance(data, dict):
        return sum(count_texts(each, text) for each in data.values())
    if isinstance(data, list):
        return sum(count_texts(each, text) for each in data)
    return data == text


def do_before(site: Site, held_out: bool) -> bool:
    """What is wanted is so already, and the page shows it."""
    steps = list_steps(site)
    at = next((at for at, step in enumerate(steps) if step.verb in ("switch", "choose", "fill") or step.starred), -1)
    shown = steps[at] if at >= 0 else None
    several = sum(step.verb in ("switch", "choose", "fill") or step.starred for step in steps) > 1
    if shown and shown.verb in ("choose", "fill") and not site.keeps_entries:
        return False
    if shown is None or several or site.want is None or site.person or site.data == site.wanted:
        return False
    if len(shown.value.split()) > MOST_WORDS or any(
        step.verb not in ("click", "search") or step.sure for step in steps[:at]
    ):
        return False
    tried = site.again()
    if tried.want:
        tried.want(tried.data)
    if tried.data != site.wanted or render(tried) == render(site.again()):
        return False
    site.want(site.data)
    wording = site.draw.pick(load_goals("twists")["already"][site.draw.language])
    end = already(replace(shown, why=""), wording)
    site.steps = lambda: iter([*steps[:at], end])
    site.answers, site.proof = (), shown.row or shown.name
    return True


def refuse_changes(site: Site, held_out: bool) -> bool:
    """The site refuses every change and says so in small words: nothing is done, and that must be said."""
    if site.person or site.ending != "done" or site.want is None or site.data == site.wanted:
        return False
    said = load_goals("twists")["refusals"][site.draw.language]
    site.refusal = site.draw.pick(said[-1:] if held_out else said[:-1])
    site.want, site.wanted, site.answers, site.ending = None, deepcopy(site.data), (), "give_up"
    site.snags.locked = False
    return True


def list_steps(site: Site) -> list[Step]:
    return list(end_at_end(site.steps()))


def render(site: Site) -> str:
    """All sections, to tell whether pages show a change."""
    return "".join(site.get(path) or "" for path in site.sections)


TWISTS: dict[str, Twist] = {
    "elsewhere": ask_elsewhere,
    "fact": ask_fact,
    "more": ask_more,
    "unsaid": leave_unsaid,
    "already": do_before,
    "open": leave_open,
    "refused": refuse_changes,
    "placed": name_place,
}

"""What of a page concerns a goal: the elements that it names, and the page without the parts that it does not need."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from pilotfish.runtime.aids.ranking import SAME, extreme, tally
from pilotfish.runtime.aids.things import FIELDS, LINE, Thing, things
from pilotfish.runtime.seeing import Page

WORD = re.compile(r"[^\W_]+")
ALL = re.compile(r"\b(all|every|each|both)\b", re.IGNORECASE)
QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]+)[\"”»]")
OF = re.compile(r"\b(?:from|by) @?[A-Z]\w+")
PATH = re.compile(r"[^\s>]+(?: ?> ?[^\s>]+)+")
PLAIN = """a about an and are as at be by do for from go he her his if in into is it its me my no of on onto or our
out she so than that the their them then there they this to us was we what when where which who will with
you your all any both each click press select choose pick type enter open find hit put show mark button
link field text box page item items please below above between using use"""
COMMON = frozenset(PLAIN.split())
SENDING = frozenset(
    ["submit", "send", "save", "confirm", "login", "order", "pay", "vote", "donate", "subscribe", "filter", "apply"]
)
"""What a goal asks for last, and never in passing."""
BUYING = frozenset(["book", "buy", "order", "reserve", "purchase"])
"""What is only done when something that is called so was clicked."""
ICONS = {
    "✕": "remove delete close", "✖": "remove delete close", "×": "remove delete close", "x": "close",
    "close": "x", "trash": "delete remove", "bin": "delete remove", "✓": "done finished", "tick": "done finished check",
    "heart": "like wishlist favourite", "★": "star", "☆": "star", "pencil": "edit change", "gear": "settings",
}  # fmt: skip
"""What people call a control that only shows a sign."""
ENDINGS = (("ies", "y"), ("ie", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("or", ""), ("er", ""), ("s", ""), ("e", ""))
SIGN = 1.2
"""How much a sign weighs that the goal asks for: more than a name."""
FORM = 0.8
CLOSE = 0.8
"""What the goal names less than this, beside the best, is not meant."""
NTH = r"\b(\d+(?=st|nd|rd|th)|first|second|third|fourth|fifth|last)(?:st|nd|rd|th)?\b"
ORDINAL = re.compile(NTH, re.IGNORECASE)
CHROME = re.compile(r"^( *)(banner|navigation|contentinfo|complementary)\b.*:$")
SHORT = 24
"""A page of fewer lines is left as it is."""
SHOWN = 8
ROLES = {
    "checkbox": "checkbox", "radio": "radio", "textbox": "textbox", "input": "textbox", "field": "textbox",
    "textarea": "textbox", "area": "textbox", "button": "button", "link": "link", "tab": "tab", "box": "textbox",
}  # fmt: skip
"""What people call the kinds of elements that they count."""
COUNTED = re.compile(rf"{NTH} +(?:text +)?(\w+)", re.IGNORECASE)
NUMBERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": 0}


def rank(said: str) -> int:
    """Which one a goal counts out; 0 for the last."""
    return int(said) if said.isdecimal() else NUMBERS[said.casefold()]


def words(text: str) -> list[str]:
    said: list[str] = WORD.findall(text.casefold())
    return [SAME.get(word, word) for word in said if word not in COMMON]


def values(goal: str) -> list[str]:
    """What a goal gives word by word: what it quotes, and the parts of a path such as File > Save."""
    parts = (part.strip(" .") for path in PATH.findall(QUOTED.sub(" ", goal)) for part in path.split(">"))
    return [*(value.strip() for value in QUOTED.findall(goal)), *parts]


def before(goal: str, name: str) -> list[str]:
    """What a goal says before it comes to a name."""
    order, said = words(goal), words(name)
    return order[: next((at for at, word in enumerate(order) if word in said), 0)]


def names(goal: str) -> list[str]:
    """The proper names that a goal speaks of: words with a capital within a sentence or a path, outside of quotes."""
    plain = QUOTED.sub(" ", goal).replace(">", "; ")
    found = re.findall(r"(?<=[a-z,;] )(?:[A-Z][\w-]+|@\w+)", plain)
    return [word.strip("@") for word in found if word.casefold() not in COMMON | SENDING]


def recipients(goal: str) -> list[str]:
    """To whom something of somebody else's is to go: the message from Ann to Ben is found at Ann's."""
    given = re.findall(r"\bto @?([A-Z]\w+)", QUOTED.sub(" ", goal)) if OF.search(goal) else []
    return [name for name in given if name.casefold() not in SENDING]


def sends(name: str) -> bool:
    """Whether this is what comes last: a button that sends."""
    return bool(SENDING & set(words(name)))


def spoken(goal: str, name: str) -> bool:
    """Whether a goal says all that stands on something."""
    own = words(name)
    return whole(goal, name) or (bool(own) and set(own) <= set(words(goal)))


def whole(goal: str, name: str) -> bool:
    """Whether a goal says a name word for word."""
    said = flat(name)
    return bool(said.strip()) and said in flat(goal)


def flat(text: str) -> str:
    return f" {' '.join(WORD.findall(text.casefold()))} "


def sender(things: Iterable[Thing]) -> str:
    """The click on the one of these that sends; nothing where there is none, or more than one."""
    last = [thing for thing in things if sends(thing.name)]
    return f"click {last[0].label}" if len(last) == 1 else ""


def alike(one: str, two: str) -> bool:
    """Whether two words are forms of one: message and messages, ferry and ferries, need and needed."""
    return one == two or stem(one) == stem(two)


def stem(word: str) -> str:
    for end, instead in ENDINGS:
        if word.endswith(end) and len(word) - len(end) >= 3:
            return word.removesuffix(end) + instead
    return word


def share(wanted: list[str], said: list[str]) -> float:
    """How much of what is said the goal speaks of; another form of a word counts a little less than the word."""
    found = (1.0 if word in wanted else FORM * any(alike(word, want) for want in wanted) for word in said)
    return sum(found) / len(said) if said else 0.0


def named(goal: str, page: str, most: int = SHOWN, but: Collection[str] = ()) -> list[Thing]:
    """The elements that the goal names, best first; of those with one name, the ones in the row that it speaks of.
    `but` are labels of what is left out."""
    wanted = words(goal)
    wanted += ["add"] if " put " in flat(goal) else []
    wanted += ["forward"] if recipients(goal) else []
    wanted += ["square"] if "rectangle" in wanted else []
    once = _singled(wanted, page)
    rated: list[tuple[float, Thing]] = []
    for line, row in rows(page):
        near = share(words(re.sub(r"\[\d+\]|\w+(?= \")", " ", row)), wanted)
        for thing in things(line):
            full = whole(goal, thing.name)
            sign = ICONS.get(thing.name.casefold(), "").split() if thing.role != "link" else []
            said = [word for word in words(thing.name) if word in wanted or not word.isdecimal()]
            own = SIGN if share(wanted, sign) else 1.0 if full else share(wanted, said)
            own = max(own, 0.5 * (thing.id in once))
            if own >= 0.5 and not thing.idle:
                rated.append((own + near + len(flat(thing.name).strip()) / 200 * full + len(said) / 50, thing))
    best = sorted(rated, key=lambda one: (-one[0], one[1].id))[:most]
    if best and best[0][0] >= SIGN and ICONS.get(best[0][1].name.casefold()):
        best = [one for one in best if one[1].name.casefold() in ICONS]  # the row's own name only says which row
    top: dict[str, float] = {}
    for rate, thing in best:
        top.setdefault(thing.kind, rate)
    close = [thing for rate, thing in best if rate >= CLOSE * best[0][0] and rate > top[thing.kind] - 0.05]
    return [thing for thing in close if thing.label not in but]


def _singled(wanted: list[str], page: str) -> set[int]:
    """Elements that alone have a word of the goal in their names, and the link of the one row that has it: the message
    from Ada, whatever it says else."""
    lines = [(words(line), things(line)) for line in page.splitlines() if "[" in line]
    found: set[int] = set()
    for word in wanted:
        ids = [thing.id for _, every in lines for thing in every if word in words(thing.name)]
        held = [every for said, every in lines if word in said]
        links = [thing.id for thing in held[0] if thing.role == "link"] if len(held) == 1 and not ids else []
        found |= {*(ids if len(ids) == 1 else ()), *links[:1]}
    return found


def rows(page: str) -> Iterator[tuple[str, str]]:
    """Each line with the words that tell it from its like: its own, and those of an element that holds it."""
    above: list[tuple[int, str]] = []
    for line in page.splitlines():
        indent = len(line) - len(line.lstrip())
        above = [(depth, text) for depth, text in above if depth < indent]
        holder = above[-1][1] if above and "[" in above[-1][1] else ""
        yield line, f"{holder} {line}"
        above.append((indent, line))


def nths(goal: str, page: str) -> dict[int, Thing]:
    """The elements that the goal counts out, by where it does: the 3rd checkbox, the last link."""
    found: dict[int, Thing] = {}
    for said in COUNTED.finditer(goal):
        kind = said[2].casefold()
        alike = [thing for thing in things(page) if thing.role == ROLES.get(kind.removesuffix("s"), "")]
        at = rank(said[1]) - 1
        if alike and at < len(alike):
            found[len(WORD.findall(goal[: said.start()]))] = alike[at]
    return found


def meant(goal: str, page: str, touched: Collection[str] = (), most: int = SHOWN) -> list[Thing]:
    """What to point at, in the order of the goal, and last what sends; nothing a second time."""
    top = extreme(goal, page)
    places = {0: top} if top else nths(goal, page)
    roles = {thing.role for thing in places.values()}
    others = [thing for thing in named(goal, page, most, touched) if thing.role not in roles]
    order = WORD.findall(goal.casefold())

    def place(thing: Thing) -> tuple[bool, int]:
        said = WORD.findall(thing.name.casefold())
        at = next((n for n, word in enumerate(order) if word not in COMMON and word in said), len(order))
        return sends(thing.name), at

    counted = [((False, at), thing) for at, thing in places.items()]
    ranked = sorted([*counted, *((place(thing), thing) for thing in others)], key=lambda one: one[0])
    return [thing for _, thing in ranked]


def focused(goal: str, page: str, touched: Collection[str] = ()) -> str:
    """The page without banners and menus that have nothing to do with the goal, and with what the goal names told
    once more at the end, where a small model reads best."""
    hits = meant(goal, page, touched)
    lines = (counted(page) if ORDINAL.search(goal) else page).splitlines()
    if hits and len(lines) > SHORT:
        lines = inner(lines, {f"[{thing.id}]" for thing in hits})
    # Where there is a form, small models would fill only what they are pointed to.
    form = any(thing.role in FIELDS for thing in hits) and sum(thing.role in FIELDS for thing in things(page)) > 1
    late = not touched and all(sends(thing.name) and before(goal, thing.name) for thing in hits)
    if hits and not late and (not form or nths(goal, page)):
        lines.append("named in the goal: " + "; ".join(thing.label for thing in hits))
    count = tally(goal, page)
    lines += [f"counted for the goal: {count}"] if count is not None else []
    return "\n".join(lines)


def counted(page: str) -> str:
    """The page with elements of one role counted, for a goal that speaks of the third."""
    many = Counter(thing.role for thing in things(page))
    seen: Counter[str] = Counter()

    def count(found: re.Match[str]) -> str:
        seen[found[2]] += 1
        if many[found[2]] < 2:
            return found[0]
        end = found.start(4) - found.start()
        return f"{found[0][:end]} ({nth(seen[found[2]])}){found[0][end:]}"

    return LINE.sub(count, page)


def nth(number: int) -> str:
    return f"{number}{'th' if 4 <= number % 100 <= 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def inner(lines: list[str], wanted: Collection[str] = ()) -> list[str]:
    """A page's lines without its banners, menus and feet, but for what is wanted in them or turns a page."""
    kept: list[str] = []
    depth = -1
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if 0 <= depth < indent:
            if any(mark in line for mark in wanted) or any(thing.turns for thing in things(line)):
                kept.append(line)
            continue
        found = CHROME.match(line)
        depth = indent if found else -1
        if not found:
            kept.append(line)
    return kept


def choices(question: str, page: str) -> tuple[str, ...]:
    """The things on the page that a question names, for the person to choose from."""
    asked = question.casefold()
    names = dict.fromkeys(thing.name for thing in things(page) if len(thing.name) > 1)
    return tuple(name for name in names if name.casefold() in asked)[:SHOWN]


def place(page: Page) -> str:
    """The page by what it shows; numbers are left out, since a page that is loaded again has others."""
    return re.sub(r"\[\d+\]|\*", "", page.text)


def body(page: Page) -> str:
    """The page without its address, which would cost a small model a second of reading."""
    _, position, *lines = page.text.split("\n")
    return "\n".join([page.title, *([] if position.endswith("1 of 1)") else [position]), *lines])

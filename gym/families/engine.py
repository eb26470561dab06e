"""A search engine: a field, result pages with look-alikes, and the pages behind them; some facts need two of them."""

from collections.abc import Iterator, Sequence

from gym.lists import Row
from gym.markup import Ui
from gym.oracle import Step, click, done, give_up, note, search
from gym.site import Site
from gym.words import Draw

YEAR = ("Founded; Since", "Gegründet; Seit", "Fondée en; Depuis", "Fundada en; Desde", "创立; 成立于")
FORUM = ("reviews; complaints", "Erfahrungen; Bewertungen", "avis; plaintes", "opiniones; quejas", "评价; 投诉")


def make(draw: Draw) -> Site:
    site = Site(draw, {"/": "home", "/news": "news", "/help": "help"})
    brands = [each for each in draw.all("brands") if each != site.brand]
    *known, absent = draw.sample(brands, 8)
    phone, year, gossip = draw.word("phone"), draw.words(*YEAR), draw.words(*FORUM)
    phones = {each: f"0{draw.digits(7)}" for each in known}
    years = dict(zip(known, map(str, draw.sample(range(1871, 2020), len(known))), strict=True))
    cities = {each: draw.pick(draw.all("cities")) for each in known}
    site.data = {"asked": 0}

    def results(words: str) -> list[tuple[str, str, str]]:
        """Title, line and path of what a search finds."""
        found: list[tuple[str, str, str]] = []
        for at, each in enumerate(known):
            if each.casefold() in words.casefold() or words.casefold() in each.casefold():
                found.append((f"{each} – {gossip}", draw.all("sentences")[at % 5], f"/gossip/{at}"))
                found.append((f"{each} – {cities[each]}", f"{each}, {cities[each]}", f"/page/{at}"))
        return found

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        words = ui.query.get("q", "").strip()
        parts = [ui.heading(site.brand), ui.search("/")]
        if words:
            rows = [Row([title, line], path) for title, line, path in results(words)]
            parts.append(ui.table([draw.word("title"), draw.word("note")], rows))
        return parts

    @site.page("/page/{at}")
    def page(ui: Ui, at: str) -> Sequence[str]:
        one = known[int(at)]
        facts = {year: years[one], phone: phones[one], draw.word("city"): cities[one]}
        return [ui.heading(one), ui.text(draw.all("sentences")[int(at) % 5]), ui.facts(facts)]

    @site.page("/gossip/{at}")
    def talk(ui: Ui, at: str) -> Sequence[str]:
        return [ui.heading(f"{known[int(at)]} – {gossip}"), ui.text(*draw.all("sentences")[:3])]

    @site.page("/{other}")
    def other(ui: Ui, other: str) -> Sequence[str]:
        return [ui.heading(site.sections[f"/{other}"]), ui.text(*draw.all("filler"))]

    kind = draw.pick(draw.kinds())
    brand, second = draw.sample(known, 2)
    older = min(brand, second, key=lambda each: years[each])

    def read(one: str) -> Iterator[Step]:
        yield click(site.sections["/"]) if one == second else search(one)
        if one == second:
            yield search(one)
        yield click(f"{one} – {cities[one]}", why="this is their own page")

    def steps() -> Iterator[Step]:
        if kind == "absent":
            yield search(absent)
            yield give_up(f"{absent}: {draw.word('nothing_found')}", see=draw.word("nothing_found"))
        yield from read(brand)
        if kind == "open":
            yield done(f"{brand}: {phones[brand]}", see=phones[brand])
        elif kind == "fact":
            yield done(f"{brand}: {years[brand]}", see=years[brand])
        yield note(f"{brand}: {years[brand]}", see=years[brand])
        yield from read(second)
        yield done(f"{older}: {years[older]}", see=years[second])

    said = absent if kind == "absent" else brand
    answers = {"open": [phones[brand]], "fact": [years[brand]], "both": [f"{older}: {years[older]}"]}.get(kind, [])
    goal = draw.goal(kind, brand=said, second=second)
    site.task(goal, steps, answer=answers, ending="give_up" if kind == "absent" else "done")
    return site

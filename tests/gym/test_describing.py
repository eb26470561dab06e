"""Goals that describe things, texts that the model has to word, and sections that only their meaning tells."""

import asyncio
from pathlib import Path

import pytest

from gym.composing import FreeText, load_wishes
from gym.describing import tell_section
from gym.errands import FILE, OPEN
from gym.families import list_families, make_site
from gym.lexicon import APART, SECTIONS, load_described, share_word
from gym.play import open_app, play_oracle
from gym.server import SiteServer
from gym.site import Site, TaskEnd
from gym.surroundings import end_at_end, list_rows
from gym.words import LANGUAGES, load_goals, vocabulary
from pilotfish.browser.sessions.browser_pool import BrowserPool

SEEDS = range(9_000_000, 9_000_012)
LEAST = {"en": 350, "de": 120, "fr": 60, "es": 60, "zh": 60}
LEAST_SHARE = 0.12
PLAYED = 8
MOST_LOST = 1
"""Of the tasks that are played here, how many may be left out of a recording."""


def draw_sites() -> list[Site]:
    return [make_site(family, seed, twist="") for family in list_families() for seed in SEEDS]


def is_composed(site: Site) -> bool:
    return FreeText.__name__ in str(site.wanted)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_description_has_no_word_of_its_name(language: str) -> None:
    found = load_described(language)
    assert sum(one.key != SECTIONS for one in found.values()) >= LEAST[language]
    for name, one in found.items():
        assert len(one.ways) >= 3
        if one.key != SECTIONS:
            assert not [way for way in one.ways if share_word(way, name, language)], name


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_that_are_described_are_drawn_with_those_of_the_vocabulary(language: str) -> None:
    site = make_site("shop", 1, language, twist="")
    for name, one in load_described(language).items():
        if one.key not in APART:
            assert name in site.draw.all(one.key)


def test_a_goal_that_describes_a_thing_does_not_name_it_and_fits_no_other_row() -> None:
    sites = draw_sites()
    described = [site for site in sites if site.described]
    assert len(described) > LEAST_SHARE * len(sites)
    for site in described:
        known = load_described(site.draw.language)
        rows = list_rows(site)
        for name, way in site.described.items():
            assert name not in site.goal
            assert way.removeprefix("the one ").partition(" ")[2].casefold() in site.goal.casefold()
            others = [row for row in rows if row != name]
            assert site.roles or not [row for row in others if share_word(way, row, site.draw.language)]
            group = next((one.group for one in known.values() if way in one.ways), "")
            assert not group or not [row for row in others if row in known and known[row].group == group]


def test_the_oracle_does_not_search_for_what_is_only_described() -> None:
    described = [site for site in draw_sites() if site.described]
    for site in described:
        sought = [step.value for step in end_at_end(site.steps()) if step.verb in ("search", "look_up")]
        assert not set(sought) & set(site.described) & set(list_rows(site))
        told = [step.why for step in end_at_end(site.steps())]
        assert any(way.split()[0] in why for why in told for way in site.described.values())


def test_people_are_described_by_what_lists_say_that_they_do() -> None:
    sites = [site for seed in range(60) if (site := make_site("messenger", seed, "en", twist="")).roles]
    assert sites
    for site in sites:
        meant = next(name for name in site.described if name in site.roles)
        assert len(set(site.roles.values())) == len(site.roles)
        assert any(site.roles[meant] in (site.get(f"/chats?page={page}&_bare=1") or "") for page in range(1, 4))


@pytest.mark.parametrize(("kind", "language"), load_wishes())
def test_every_text_of_a_wish_fits_it_and_others_do_not(kind: str, language: str) -> None:
    for wish in load_wishes()[kind, language]:
        assert all(text == wish.fits for text in wish.texts)
        assert wish.fits not in ("Xyz 7.", "")


def test_a_composed_text_is_checked_by_what_it_says() -> None:
    composed = [site for site in draw_sites() if is_composed(site)]
    assert composed
    for site in composed:
        written = [step.value for step in end_at_end(site.steps()) if step.why == "say it in own words"]
        assert len(written) == 1
        assert written[0] not in site.goal
        assert "differ" in site.check(TaskEnd("done", "done"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_section_can_be_asked_about_without_a_word_of_its_name(language: str) -> None:
    labels = vocabulary()
    for kind, wordings in load_goals(FILE).items():
        for label in labels[f"x_{kind}"][LANGUAGES.index(language)] if kind != OPEN else ():
            assert not all(share_word(goal, label, language) for goal in wordings[language]), label


def test_what_is_told_of_a_section_says_more_than_its_name() -> None:
    site = make_site("mail", 1, "en", twist="")
    assert tell_section(site.draw, "Staff") == "who works here"
    assert not tell_section(site.draw, "Somewhere")


@pytest.mark.slow
async def test_tasks_whose_goals_describe_are_played_to_their_ends(tmp_path: Path, pool: BrowserPool) -> None:
    meant = [site for site in draw_sites() if site.described or is_composed(site)][::9][:PLAYED]
    async with SiteServer() as server, open_app(tmp_path) as fish:
        fish.browsers.pool.living_browser = pool.living_browser
        tasks = [play_oracle(fish, server, site.draw.family, site.draw.seed, twist="") for site in meant]
        played = await asyncio.gather(*tasks)
    faults = [f"{task.family} {task.seed}: {task.site.goal}\n{task.fault}" for task in played if task.fault]
    assert len(played) == PLAYED
    assert len(faults) <= MOST_LOST, faults

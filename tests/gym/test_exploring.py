"""Ways over several sections: vague names, sections below others, and looks before giving up."""

from gym.exploring import list_sections, opens_section
from gym.families import list_families, make_site
from gym.site import HUB, Site
from gym.surroundings import end_at_end

SEEDS = range(8_000_000, 8_000_040)


def sections_opened(site: Site) -> list[str]:
    """The sections that the oracle opens, in order."""
    return [step.name for step in end_at_end(site.steps()) if opens_section(site, step)]


def test_where_the_name_of_the_section_says_little_others_are_looked_into_first() -> None:
    sites = [site for seed in SEEDS if (site := make_site("mail", seed, twist="")).vague]
    assert any(len(sections_opened(site)) > 1 for site in sites)
    for site in sites:
        assert set(sections_opened(site)) <= set(site.sections.values())
        assert not any(label in site.goal for label in sections_opened(site)[-1:])


def test_a_section_below_another_one_is_only_reached_from_there() -> None:
    for family in list_families():
        site = next((site for seed in SEEDS if (site := make_site(family, seed, twist="")).nested), None)
        if site is None:
            continue
        hub, home = site.get(f"{HUB}?_bare=1") or "", site.get("/") or ""
        for path in site.nested:
            assert site.sections[path] in hub
            assert f'{site.base}{path}"' not in home.partition("<main>")[0]


def test_no_section_where_nothing_is_kept_is_looked_into() -> None:
    for seed in SEEDS:
        site = make_site("notes", seed, twist="")
        assert site.sections["/new"] not in list_sections(site)


def test_before_giving_up_several_sections_are_opened() -> None:
    counts = [len(sections_opened(make_site("forum", seed, twist="elsewhere"))) for seed in SEEDS]
    assert min(counts) >= 2
    assert max(counts) >= 4

"""What the gym puts around a task: further sections, and goals that name a thing in part."""

from gym.families import list_families, make_site
from gym.surroundings import list_rows

SEEDS = range(7_000_000, 7_000_040)


def test_a_goal_that_names_a_thing_in_part_fits_one_row_only() -> None:
    sites = [site for seed in SEEDS if (site := make_site("messenger", seed, "en", twist="")).said]
    assert sites
    for site in sites:
        for whole, said in site.said.items():
            assert (whole in site.goal, said in site.goal) == (False, True)
            assert [row for row in list_rows(site) if said.casefold() in row.casefold()] == [whole]


def test_further_sections_have_pages_and_names_of_their_own() -> None:
    for family in list_families():
        site = next(site for seed in SEEDS if "/also/" in "".join((site := make_site(family, seed)).sections))
        assert next(iter(site.sections)) == "/"
        labels = [label.casefold() for label in site.sections.values()]
        for path, label in site.sections.items():
            if path.startswith("/also/"):
                assert labels.count(label.casefold()) == 1
                assert label in (site.get(path) or "")

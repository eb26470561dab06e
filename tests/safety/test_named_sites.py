"""Sites that a person calls by their name."""

import pytest

from pilotfish.core.policy import Action
from pilotfish.core.settings import PolicySettings
from pilotfish.safety.named_sites import find_named_sites
from pilotfish.safety.policy_judge import judge_action
from pilotfish.safety.text_provenance import ProvenanceLedger


def visit(task: str, url: str) -> str:
    """The decision about opening an address while the page of a shop is open."""
    ledger = ProvenanceLedger()
    ledger.add_given_pages(["https://shop.example/"])
    ledger.add_user_text(task)
    action = Action(
        tool="navigate",
        args={"url": url},
        page="https://shop.example/",
        task_sites=tuple(ledger.task_sites),
        named_sites=frozenset(ledger.named_sites),
    )
    return judge_action(action, PolicySettings()).decision


@pytest.mark.parametrize(
    "task",
    [
        "Play the song of the kettle on YouTube",
        "play it on youtube, please",
        "Spiel das Lied auf YouTube",
        "Joue la chanson sur YouTube.",
        "Pon la canción en YouTube",
        "在YouTube上播放这首歌",
    ],
)
def test_a_site_that_the_person_named_is_one_of_the_tasks_sites(task: str) -> None:
    assert visit(task, "https://www.youtube.com/results?search_query=kettle") == "allow"


@pytest.mark.parametrize(
    ("task", "url"),
    [
        ("Play the song on YouTube", "https://youtube.evil.example/"),
        ("Play the song on YouTube", "https://youtube.lol/"),
        ("Play the song on YouTube", "https://song.com/"),
        ("Put the kettle into the cart", "https://kettle.com/"),
        ("Buy it on shop.example", "https://shop.com/"),
    ],
)
def test_a_site_that_only_resembles_what_was_said_is_not(task: str, url: str) -> None:
    assert visit(task, url) == "ask"


def test_a_name_does_not_close_the_open_web() -> None:
    ledger = ProvenanceLedger()
    ledger.add_user_text("Compare the prices on Amazon with others")
    assert ledger.task_sites == [] and find_named_sites("on Amazon") == {"amazon.com", "amazon.org"}

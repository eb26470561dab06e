"""Every control of the practice site, driven by the tools alone and checked on the site's own log."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from pilotfish.practice.server import Practice

from .conftest import Hand

pytestmark = pytest.mark.slow


class Town:
    """One visitor's world: where the hand is, and what the site saw it do."""

    def __init__(self, practice: Practice, hand: Hand, world: str) -> None:
        self.practice = practice
        self.hand = hand
        self.world = world

    async def go(self, path: str) -> None:
        result = await self.hand("navigate", url=f"{self.practice.url}{path}?world={self.world}")
        assert result.ok, result.error

    def did(self, kind: str) -> Mapping[str, Any]:
        """The details of the last effect of a kind."""
        found = [effect.details for effect in self.practice.log(self.world) if effect.kind == kind]
        assert found, f"no {kind} in {[effect.kind for effect in self.practice.log(self.world)]}"
        return found[-1]


@pytest.fixture(scope="module")
async def practice() -> AsyncIterator[Practice]:
    async with Practice() as practice:
        yield practice


@pytest.fixture
def town(practice: Practice, hand: Hand, tmp_path: Path) -> Town:
    return Town(practice, hand, tmp_path.name)


@pytest.mark.own_session
async def test_a_form_with_every_native_control(town: Town, tmp_path: Path) -> None:
    hand = town.hand
    (tmp_path / "me.png").write_bytes(b"\x89PNG")
    await town.go("/forms/survey")
    for label, text in {
        "Name": "Ada Lovelace", "Email": "ada@example.org", "Phone": "+351 555 0100", "Age": "36",
        "Website": "https://example.org", "Secret word": "engine", "Remarks": "First line\nsecond line",
        "Birthday": "1990-12-10", "Best time to call": "15:30", "Appointment": "2026-12-01T09:15",
        "Month of your last visit": "2026-10", "Holiday week": "2026-W33", "Favourite colour": "#ff8800",
        "Happiness, 0 to 10": "9", "Favourite bird": "Puffin",
    }.items():  # fmt: skip
        await hand.on(label, "type", text=text)
    await hand.on("District", "select", option="Fern Rise")
    await hand.on("Languages", "select", option="Finnish")
    await hand.on("Languages", "select", option="Chinese")
    for label in ("Sailing", "Music", "Every week"):
        await hand.on(label)
    await hand.on("Photo", "upload", path="me.png")
    await hand.on("Send survey")
    assert town.did("form.sent")["fields"] == {
        "name": "Ada Lovelace", "email": "ada@example.org", "phone": "+351 555 0100", "age": "36",
        "website": "https://example.org", "password": "engine", "remarks": "First line\r\nsecond line",
        "district": "Fern Rise", "languages": ["Finnish", "Chinese"], "bird": "Puffin",
        "interests": ["Sailing", "Music"], "library": "weekly", "birthday": "1990-12-10", "time": "15:30",
        "appointment": "2026-12-01T09:15", "month": "2026-10", "week": "2026-W33", "colour": "#ff8800",
        "happiness": "9",
    }  # fmt: skip


async def test_controls_made_of_divs(town: Town) -> None:
    hand = town.hand
    await town.go("/forms/custom")
    await hand.on("Size", "select", option="Sloop")
    await hand.on("Home port", "select", option="Lisbon")
    await hand.on("Type and press Enter", "type", text="fast", submit=True)
    await hand.on("★ 4 of 5")
    await hand.on("Harbour news by text message")
    await hand.on("Volume of the horn", "type", text="70")
    await hand.on("Your story", "type", text="We sailed at dawn.")
    await hand.on("Save wishes")
    assert town.did("form.sent")["fields"] == {
        "size": "Sloop", "city": "Lisbon", "tags": ["fast"], "stars": 4, "news": True, "quiet": True, "volume": 70,
        "story": "We sailed at dawn.",
    }  # fmt: skip


async def test_menus_open_under_the_mouse(town: Town) -> None:
    hand = town.hand
    await town.go("/widgets/menus")
    await hand.on("File", "hover")
    await hand.on("Export ▸", "hover")
    await hand.on("as PDF")
    assert town.did("ui.menu.chosen") == {"item": "Export as PDF"}


async def test_dialogs_are_answered(town: Town) -> None:
    hand = town.hand
    await town.go("/widgets/dialogs")
    await hand.on("Lower the flag")
    assert town.did("ui.flag.asked") == {"yes": False}
    await hand.on("Lower the flag", answer="ok")
    assert town.did("ui.flag.asked") == {"yes": True}
    await hand.on("Name the boat", answer="Beagle")
    assert town.did("ui.boat.named") == {"name": "Beagle"}
    assert "High tide at 16:20." in (await hand.on("Show alert")).output
    await hand.on("Delete my boat…")
    await hand.on("Confirmation", "type", text="DELETE")
    await hand.on("Delete boat")
    assert town.did("ui.boat.deleted") == {}


async def test_frames_of_this_and_of_another_origin(town: Town) -> None:
    hand = town.hand
    await town.go("/widgets/frames")
    await hand.on("Green")
    await hand.on("Vote")
    await hand.on("Amount in euros", "type", text="20")
    await hand.on("Donate")
    await hand.on("Hatch the egg")
    assert town.did("ui.poll.voted") == {"colour": "Green"}
    assert town.did("ui.donated") == {"amount": 20}
    assert town.did("ui.egg.hatched") == {}


async def test_components_in_shadow_trees(town: Town) -> None:
    await town.go("/widgets/shadow")
    await town.hand.on("Good")
    assert town.did("ui.bakery.rated") == {"rating": "Good"}


async def test_a_canvas_is_hit_where_it_is_aimed(town: Town) -> None:
    await town.go("/widgets/canvas")
    assert "That was water." in (await town.hand.on("sea", x=50, y=50)).output
    assert town.did("ui.canvas.hit") == {"buoy": "water"}


async def test_new_tabs_and_late_content(town: Town) -> None:
    hand = town.hand
    await town.go("/widgets/windows")
    await hand.on("Fine by me")
    assert town.did("ui.cookies") == {"choice": "fine"}
    assert "On its way" in (await hand.on("Fetch the late letter")).output
    assert "Tab 2 was opened" in (await hand.on("Timetable in a new tab")).output
    assert "Windows · Fernhill" in (await hand("manage_tabs", action="close")).output
    assert 'radio "Green"' in (await hand.on("Open the poll window")).output


async def test_an_app_of_divs_with_controlled_fields(town: Town) -> None:
    hand = town.hand
    await town.go("/app")
    await hand.on("What is to be done?", "type", text="Buy rope")
    await hand.on("Add")
    assert town.did("todo.added") == {"text": "Buy rope"}
    assert "The address is now" in (await hand.on("Settings")).output
    await hand.on("Your name", "type", text="Ada")
    await hand.on("dark")
    await hand.on("Save")
    saved = town.did("preferences.saved")
    assert (saved["name"], saved["theme"]) == ("Ada", "dark")


@pytest.mark.own_session
async def test_files_are_taken_and_given(town: Town, tmp_path: Path) -> None:
    hand = town.hand
    (tmp_path / "notes.txt").write_text("hello")
    await town.go("/files")
    assert "Downloaded" in (await hand.on("Tide table (CSV)")).output
    await hand.on("File", "upload", path="notes.txt")
    await hand.on("Note", "type", text="for the archive")
    await hand.on("Upload")
    assert town.did("file.uploaded") == {"name": "notes.txt", "size": 5, "note": "for the archive"}


async def test_lists_that_grow_and_lists_that_use_their_rows_again(town: Town) -> None:
    hand = town.hand
    await town.go("/lists/endless")
    for _ in range(3):
        await hand("scroll", direction="bottom")
    ids = await hand.ids()
    label = [label for label in ids if label.startswith("Like")][-1]
    await hand.on(label)
    assert label.endswith(f"no. {town.did('list.liked')['n']}") and town.did("list.liked")["n"] > 20
    await town.go("/lists/virtual")
    await hand("scroll", direction="down", amount=4000, target=(await hand.ids())["Pin no. 3"][0])
    ids = await hand.ids()
    label = next(label for label in ids if label.startswith("Pin no."))
    await hand.on(label)
    assert label == f"Pin no. {town.did('list.pinned')['n']}" and town.did("list.pinned")["n"] > 20


async def test_things_are_dragged_between_columns(town: Town) -> None:
    hand = town.hand
    await town.go("/board")
    ids = await hand.ids()
    result = await hand("drag", from_id=ids["Order rope"][0], to_id=ids["Clean the slipway"][0])
    assert result.ok, result.error
    assert town.did("board.moved")["to"] == "done"


async def test_a_thing_is_put_into_the_cart(town: Town) -> None:
    hand = town.hand
    await town.go("/shop/product/dot-notebook")
    await hand.on("Colour", "select", option="Grey")
    await hand.on("Quantity", "type", text="3")
    added = await hand.on("Add to cart")
    assert town.did("cart.added") == {"slug": "dot-notebook", "colour": "Grey", "quantity": 3}
    assert 'link "Cart (3)"' in added.output

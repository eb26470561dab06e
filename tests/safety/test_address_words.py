"""Words in an address that say what opening it does."""

from fnmatch import fnmatchcase

import pytest

from pilotfish.browser.sessions.held_request import held_patterns
from pilotfish.core.policy import Action
from pilotfish.safety.address_doubts import doubts_address, make_doubts
from pilotfish.safety.address_words import action_word, path_words
from pilotfish.safety.input_effects import list_findings


@pytest.mark.parametrize(
    "path",
    [
        "deleteItem/5",
        "item_delete.php?id=5",
        "%64elete/5",
        "%2564elete/5",
        "Account/DELETE/5",
        "deleteitem/5",
        "DELETEITEM/5",
        "item.delete",
        "delete.xhtml",
        "delete-item/3",
        "delete-widget",
        "remove-item",
        "remove-widget/3",
        "remove-widget?id=3",
        "erase-all",
        "p?action=deleteItem",
        "p?do=item_delete",
        "p?delete_item=5",
        "x;action=delete",
        "do\\delete",
    ],
)
@pytest.mark.parametrize("tool", ["navigate", "manage_tabs", "web_fetch"])
def test_an_address_that_deletes_is_known_however_its_words_are_joined(path: str, tool: str) -> None:
    url = f"http://shop.example/{path}"
    args = {"urls": [url]} if tool == "web_fetch" else {"url": url, "action": "open" if "tab" in tool else "goto"}
    assert "delete" in [found.effect for found in list_findings(Action(tool=tool, args=args))]


@pytest.mark.parametrize(
    ("path", "word"),
    [("userLogOut", "log-out"), ("confirm_order.jsp", "confirm-order"), ("mail/unsubscribe?u=1", "unsubscribe")],
)
def test_other_actions_are_known_too(path: str, word: str) -> None:
    assert action_word(f"https://shop.example/{path}") == word


@pytest.mark.parametrize(
    "url",
    [
        "http://shop.example/wiki/Delete_key",
        "http://shop.example/how-to-delete-your-account",
        "http://shop.example/?q=deleteItem",
        "http://shop.example/?text=how+to+delete",
        "http://shop.example/deleted_items",
        "http://shop.example/p?isDeleted=0",
        "http://shop.example/p?utm_content=remove_ads",
        "http://shop.example/checkout/confirmation",
        "http://shop.example/transfer_news.html",
        "http://shop.example/remove-stains",
        "http://shop.example/guides/erase-pencil-marks",
        "http://shop.example/wipe-clean-tablecloth",
        "http://shop.example/makeup-remove",
        "http://delete.example/a",
    ],
)
def test_pages_about_an_action_are_only_read(url: str) -> None:
    assert action_word(url) == ""


@pytest.mark.parametrize(
    ("path", "kind", "doubted"),
    [
        ("/do/delete?id=1", "Image", True),
        ("/delete.php?id=1", "Image", True),
        ("/item?do=delete", "Stylesheet", True),
        ("/pay", "Script", True),
        ("/icons/delete.svg", "Image", False),
        ("/checkout/pay.js?v=2", "Script", False),
        ("/icons/delete.svg", "Fetch", False),
        ("/data/1632_remove_cache.sql?v=2", "Fetch", False),
        ("/items/5/delete.json", "Fetch", True),
        ("/delete.php?id=1", "Fetch", True),
        ("/delete.asp?id=1", "Fetch", True),
        ("/delete.pl?id=1", "Image", True),
        ("/delete.json?v=1", "Script", False),
        ("/border.png", "Image", False),
    ],
)
def test_what_a_page_loads_is_doubted_by_its_address_unless_it_is_a_file_by_its_name(
    path: str, kind: str, doubted: bool
) -> None:
    assert doubts_address(f"http://shop.example{path}", kind) is doubted


@pytest.mark.parametrize(
    "path", ["delete", "Remove-Item/1", "DELETE", "%64elete", "%2564elete", "place-order", "doPay", "DeLeTe", "dELETE"]
)
def test_each_doubted_address_fits_a_pattern_of_what_is_held(path: str) -> None:
    url, doubts = f"http://shop.example/{path}?id=1", make_doubts()
    patterns = [one["urlPattern"] for one in held_patterns(doubts.words) if "resourceType" not in one]
    assert doubts.judges(url, "Image") and any(fnmatchcase(url, pattern) for pattern in patterns)


def test_an_address_that_cannot_be_opened_is_read_all_the_same() -> None:
    assert action_word("http://[x/delete") == "delete" and path_words("http://[x/a_b.php") == ("a", "b", "a-b")


def test_an_address_that_the_person_named_is_opened() -> None:
    action = Action(tool="web_fetch", args={"urls": ["http://shop.example/delete/5"]}, stated_by_user=True)
    assert [found.effect for found in list_findings(action)] == ["read"]

"""What a person reads when they are asked: the action, its element and where it leads, in plain words."""

from typing import Any

import pytest

from pilotfish.core.policy import Action, ActionTarget, FormInfo
from pilotfish.safety.action_text import action_site, describe_action

SHOP = "https://shop.example/cart"
BUTTON = ActionTarget(role="button", name="Place order", tag="button", origin="https://shop.example")
FIELD = ActionTarget(role="textbox", name="Card number", tag="input", editable=True, origin="https://shop.example")
AWAY = ActionTarget(role="link", name="Gift", tag="a", href="https://evil.example/x", origin="https://shop.example")
SENT = BUTTON.model_copy(update={"submits": True, "form": FormInfo(method="post", action="https://evil.example/take")})


def make_action(tool: str, *targets: ActionTarget, **args: Any) -> Action:
    return Action(tool=tool, args=args, page=SHOP, targets=targets)


@pytest.mark.parametrize(
    ("done", "told"),
    [
        (make_action("click", BUTTON, id=3, kind="single"), "click the button “Place order”"),
        (make_action("click", BUTTON, id=3, answer="ok"), "click the button “Place order”"),
        (make_action("click", BUTTON, id=3, answer="41"), "click the button “Place order” and answer “41”"),
        (make_action("click", BUTTON, id=3, kind="double"), "double-click the button “Place order”"),
        (make_action("click", AWAY, id=3), "click the link “Gift”, which leads to evil.example"),
        (make_action("click", SENT, id=3), "click the button “Place order”, which leads to evil.example"),
        (
            make_action("type", FIELD, id=3, text="41", submit=True),
            "type “41” into the field “Card number” and press Enter",
        ),
        (
            make_action("upload", FIELD, path="cv.txt\nmap.txt"),
            "upload “cv.txt”, “map.txt” into the field “Card number”",
        ),
        (make_action("press_key", key="Enter"), "press Enter"),
        (
            make_action("select", ActionTarget(tag="select", role="combobox"), option="All"),
            "choose “All” in a list without a name",
        ),
        (make_action("drag", BUTTON, FIELD), "drag the button “Place order” onto the field “Card number”"),
        (make_action("navigate", action="goto", url="https://evil.example/gift"), "open https://evil.example/gift"),
        (make_action("navigate", action="back", url=""), "go back"),
        (make_action("manage_tabs", action="open", url="https://x.example"), "open https://x.example in a new tab"),
        (make_action("web_fetch", urls=("https://x.example",), query="q"), "fetch https://x.example"),
        (make_action("calendar_add", title="Noon", day=""), "use the tool calendar_add with title “Noon”"),
    ],
)
def test_an_action_is_told_in_plain_words(done: Action, told: str) -> None:
    assert describe_action(done) == told


def test_what_is_long_is_cut_and_says_so() -> None:
    told = describe_action(make_action("type", FIELD, text="word " * 100))
    assert len(told) < 200 and "…”" in told


def test_the_place_is_where_the_element_stands_not_where_it_leads() -> None:
    assert action_site(make_action("click", AWAY)) == "shop.example"
    assert action_site(make_action("navigate", url="https://evil.example")) == ""

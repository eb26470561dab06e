"""What a run did, folded from its journal, and the script that it becomes."""

import ast

from pilotfish.core import events as e
from pilotfish.core.playwright_script import write_script
from pilotfish.core.recipe import ElementRef, build_recipe


def call_events(
    key: str, tool: str, ok: bool = True, data: dict[str, object] | None = None, **args: object
) -> list[e.Event]:
    return [
        e.ToolStarted(run="r", key=f"{key}.started", call="c", tool=tool, args=args),
        e.ToolFinished(run="r", key=f"{key}.finished", call="c", tool=tool, ok=ok, text=f"Did {tool}", data=data or {}),
    ]


def name_elements(**ids: ElementRef) -> dict[str, object]:
    return {"touched": {id.removeprefix("n"): each.model_dump() for id, each in ids.items()}, "changed": True}


STORY: list[e.Event] = [
    e.RunStarted(
        run="r", task='Buy "ink"\nnow', loop="pilot", user="me", conversation="c", options={"tabs": ["http://a/shop"]}
    ),
    *call_events("1.0", "get_text"),
    *call_events(
        "2.0",
        "type",
        data=name_elements(n3=ElementRef(role="textbox", name="E-mail")),
        id=3,
        text="<secret:shop-mail>",
        submit=True,
    ),
    *call_events("3.0", "click", ok=False, id=9),
    *call_events("4.0", "click", data=name_elements(n5=ElementRef(role="button", name='Add "Ink"', nth=1)), id=5),
    *call_events(
        "5.0",
        "drag",
        data=name_elements(n6=ElementRef(role="listitem", name="A"), n7=ElementRef(role="", name="Bin")),
        from_id=6,
        to_id=7,
    ),
    *call_events("6.0", "navigate", action="back"),
]


def test_a_recipe_holds_what_succeeded_with_the_elements_it_was_done_to() -> None:
    made = build_recipe(STORY)
    assert made.tabs == ("http://a/shop",)
    assert [action.tool for action in made.actions] == ["type", "click", "drag", "navigate"]
    assert made.actions[1].elements == {"id": ElementRef(role="button", name='Add "Ink"', nth=1)}
    assert made.actions[1].changed and not made.actions[3].changed


def test_a_run_that_was_given_a_tabs_number_is_done_again_from_the_page_that_it_saw_first() -> None:
    begun = e.RunStarted(run="r", task="Buy", loop="pilot", user="me", conversation="c", options={"tabs": [2]})
    seen = [e.PageSeen(run="r", url=url, title="") for url in ("about:blank", "http://a/shop", "http://a/cart")]
    made = build_recipe([begun, *seen, *call_events("1.0", "click")])
    assert (made.start, made.pages) == ("http://a/shop", ("http://a/shop",))
    assert 'page.goto("http://a/shop")' in write_script(made)
    assert build_recipe([begun, *call_events("1.0", "navigate"), seen[1]]).pages == ()


def test_a_recipe_becomes_a_program_that_holds_no_secret() -> None:
    text = write_script(build_recipe(STORY))
    ast.parse(text)
    assert 'page.goto("http://a/shop")' in text
    assert 'page.get_by_role("textbox", name="E-mail", exact=True).nth(0).fill(os.environ["SHOP_MAIL"])' in text
    assert 'page.get_by_role("button", name="Add \\"Ink\\"", exact=True).nth(1).click()' in text
    assert 'page.get_by_text("Bin", exact=True).nth(0)' in text
    assert "page.go_back()" in text and "secret:" not in text

"""Writes a recipe as a Python script for Playwright. It runs without Pilotfish and without a model."""

import json
import re
from collections.abc import Iterator

from pilotfish.core.recipe import ActionRecipe, ElementRef, RecordedAction

SECRET = re.compile(r"<secret:([\w.-]+)>")
HEAD = '''"""{task}"""

import os

from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(headless=False)
    page = browser.new_page()
'''
NAMELESS = frozenset({"", "generic", "clickable", "text", "box", "frame"})


def write_script(recipe: ActionRecipe) -> str:
    """Write the whole script. It reads secrets from the environment."""
    lines = [f"page.goto({write_text(url)})" for url in recipe.pages]
    for action in recipe.actions:
        lines += [f"# {' '.join(action.text.split())}"] if action.text else []
        lines += write_action(action)
    head = HEAD.format(task=" ".join(recipe.task.split()).replace('"""', "'''").replace("\\", "/"))
    return head + "".join(f"    {line}\n" for line in [*lines, "browser.close()"])


def write_action(action: RecordedAction) -> Iterator[str]:
    args, at = action.args, {name: write_locator(element) for name, element in action.elements.items()}
    here = at.get("id", "page")
    match action.tool:
        case "click":
            yield {"double": f"{here}.dblclick()", "right": f'{here}.click(button="right")'}.get(
                args.get("kind", ""), f"{here}.click()"
            )
        case "type":
            old = f"{here}.input_value() + " if args.get("mode") == "append" else ""
            yield f"{here}.fill({old}{write_text(str(args['text']))})"
            if args.get("submit"):
                yield f'{here}.press("Enter")'
        case "select":
            how = {"value": "value", "index": "index"}.get(args.get("by", ""), "label")
            option = str(int(args["option"])) if how == "index" else write_text(str(args["option"]))
            yield f"{here}.select_option({how}={option})"
        case "press_key":
            yield f"{here if action.elements else 'page.keyboard'}.press({write_text(str(args['key']))})"
        case "hover":
            yield f"{here}.hover()"
        case "drag" if "to_id" in at:
            yield f"{at['from_id']}.drag_to({at['to_id']})"
        case "drag":
            yield f"{at['from_id']}.hover()"
            yield f"box = {at['from_id']}.bounding_box()"
            yield "page.mouse.down()"
            across, down = (f"{float(args.get(way) or 0):+g}" for way in ("dx", "dy"))
            yield f'page.mouse.move(box["x"] + box["width"] / 2 {across}, box["y"] + box["height"] / 2 {down}, steps=8)'
            yield "page.mouse.up()"
        case "mark":
            yield f"page.get_by_text({write_text(str(args['text']))}).first.select_text()"
        case "upload":
            yield f"{here}.set_input_files({write_text(str(args['path']))})"
        case "scroll":
            yield write_scroll(args.get("direction", "down"), int(args.get("amount", 500)), at.get("target", "page"))
        case _:
            yield from write_navigation(action)


def write_scroll(direction: str, amount: int, where: str) -> str:
    match direction:
        case "to_element":
            return f"{where}.scroll_into_view_if_needed()"
        case "top" | "bottom":
            return f'page.keyboard.press("{"Home" if direction == "top" else "End"}")'
        case "left" | "right":
            return f"page.mouse.wheel({-amount if direction == 'left' else amount}, 0)"
        case _:
            return f"page.mouse.wheel(0, {-amount if direction == 'up' else amount})"


def write_navigation(action: RecordedAction) -> Iterator[str]:
    args = action.args
    match action.tool, args.get("action", "goto"):
        case "navigate", "goto":
            yield f"page.goto({write_text(str(args.get('url', '')))})"
        case "navigate", "back":
            yield "page.go_back()"
        case "navigate", "forward":
            yield "page.go_forward()"
        case "navigate", _:
            yield "page.reload()"
        case "manage_tabs", "open":
            yield "page = page.context.new_page()"
            if args.get("url"):
                yield f"page.goto({write_text(str(args['url']))})"
        case "manage_tabs", "switch":
            yield f"page = page.context.pages[{max(0, int(args.get('tab_id') or 1) - 1)}]"
        case "wait_for", _:
            yield 'page.wait_for_load_state("networkidle")'
        case _:
            return


def write_locator(element: ElementRef) -> str:
    if element.role in NAMELESS:
        found = f"page.get_by_text({write_text(element.name)}, exact=True)"
    elif element.name:
        found = f"page.get_by_role({write_text(element.role)}, name={write_text(element.name)}, exact=True)"
    else:
        found = f"page.get_by_role({write_text(element.role)})"
    return f"{found}.nth({element.nth})"


def write_text(text: str) -> str:
    """A string literal; a secret becomes a variable of the environment."""
    if found := SECRET.fullmatch(text):
        return f"os.environ[{json.dumps(found[1].upper().replace('-', '_').replace('.', '_'))}]"
    return json.dumps(text, ensure_ascii=False)

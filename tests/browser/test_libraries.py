"""Pages as the common component libraries build them: what the view tells of them, and that they can be worked."""

import pytest

from browser.library_pages import PAGES, LibraryPage, Step
from browser.stage import Site, js, visit
from pilotfish.browser.actions import fields, pointer
from pilotfish.browser.perception.snapshot import Snapshot
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.core.errors import ToolError

pytestmark = pytest.mark.slow
PARTS = 3


def find(view: Snapshot, name: str, nth: int) -> int:
    """The number of the nth element whose name is this, or begins so."""
    exact = [element.id for element in view.elements if element.name == name]
    found = exact or [element.id for element in view.elements if element.name.startswith(name)]
    if len(found) < nth:
        raise ToolError(f"{name!r} is not in:\n{view.text}")
    return found[nth - 1]


async def carry_out(session: BrowserSession, view: Snapshot, step: Step) -> Snapshot:
    tool, name, *value = step
    id = find(view, name, int(value[0]) if tool == "click" and value else 1)
    if tool in ("type", "submit"):
        change = await fields.type_text(session, id, value[0], submit=tool == "submit")
    elif tool == "select":
        change = await fields.select(session, id, value[0])
    elif tool == "hover":
        change = await pointer.hover(session, id)
    else:
        change = await pointer.click(session, id, "double" if tool == "double" else "single")
    return change.view


async def work(session: BrowserSession, view: Snapshot, page: LibraryPage) -> list[str]:
    """Carry out the steps; what is not as it should be."""
    wrong = [f"{words!r} is not told" for words in page.told if words not in view.text]
    try:
        for step in page.steps:
            view = await carry_out(session, view, step)
    except ToolError as error:
        return [*wrong, str(error)]
    wrong += [f"{words!r} is not told then" for words in page.after if words not in view.text]
    wrong += [f"{words!r} is still told" for words in page.gone if words in view.text]
    wrong += [] if await js(session, page.holds) else [f"{page.holds} does not hold"]
    return [*wrong, view.text] if wrong else []


@pytest.mark.parametrize("part", range(PARTS))
async def test_pages_of_the_libraries_are_told_and_can_be_worked(
    session: BrowserSession, site: Site, part: int
) -> None:
    report = list[str]()
    for page in PAGES[part::PARTS]:
        view = await visit(session, site, page.html)
        wrong = await work(session, view, page)
        report += [f"— {page.style}", *wrong] if wrong else []
    assert not report, "\n".join(report)


def test_there_are_pages_of_more_than_fifty_components() -> None:
    assert len({page.style for page in PAGES}) >= 53

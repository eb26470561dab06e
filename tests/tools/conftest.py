"""A session for each tool test, and a hand that calls tools by name."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

import pilotfish.tools.browser
import pilotfish.tools.collect
import pilotfish.tools.page
import pilotfish.tools.read
from browser.stage import Site, serve_site
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.tools.base import TOOLS, BrowserSource, ToolContext, ToolResult

MODULES = (pilotfish.tools.browser, pilotfish.tools.collect, pilotfish.tools.page, pilotfish.tools.read)


class Held:
    """A session that is there already."""

    def __init__(self, session: BrowserSession) -> None:
        self._session = session

    async def session(self) -> BrowserSession:
        return self._session


class Hand:
    """Calls tools by name; elements may be named by their label on the page."""

    def __init__(self, context: ToolContext) -> None:
        self.context = context

    async def __call__(self, name: str, /, **args: Any) -> ToolResult:
        return await TOOLS.get(name).run(self.context, args)

    async def ids(self, **how: Any) -> dict[str, list[int]]:
        """The numbers on the page by label."""
        found: dict[str, list[int]] = {}
        for element in (await self("get_schema", **how)).data["elements"]:
            found.setdefault(element["label"], []).append(element["id"])
        return found

    async def on(self, label: str, name: str = "click", /, at: int = 0, **args: Any) -> ToolResult:
        """Use a tool on the element of that label, wherever on the page it is; it must work."""
        ids = await self.ids()
        if label not in ids:
            ids = await self.ids(find=label)
        assert label in ids, f"{label!r} is not among {sorted(ids)}"
        result = await self(name, id=ids[label][at], **args)
        assert result.ok, result.error
        return result


async def think(prompt: str, shape: type[BaseModel], *, tier: str = "light") -> BaseModel:
    """A mind that knows one page."""
    assert "Green tea" in prompt and "<data-" in prompt
    return shape.model_validate({"name": "Green tea", "price": 4.5})


async def person(question: str, choices: tuple[str, ...] = ()) -> str | None:
    return None


@pytest.fixture
def site() -> Iterator[Site]:
    with serve_site() as site:
        yield site


@pytest.fixture
def hand(browser_session: BrowserSession, tmp_path: Path) -> Hand:
    services: dict[type, object] = {BrowserSource: Held(browser_session)}
    return Hand(
        ToolContext("run", "user", tmp_path, "talk", (), think, person, services)  # pyright: ignore[reportArgumentType]
    )

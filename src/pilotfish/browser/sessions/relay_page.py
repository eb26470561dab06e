"""A handed-over tab as a page that is reached without the driver between, each detour of which costs time."""

from collections.abc import Awaitable, Callable, Mapping
from string import ascii_uppercase
from typing import Any, Literal

from pilotfish.browser.sessions.relay_inputs import InputQueue
from pilotfish.browser.sessions.relay_sessions import Json, RelaySession, SessionTable
from pilotfish.core.errors import BrowserError

TYPED_KEYS = {
    "Backquote": (192, "`~"), "Digit1": (49, "1!"), "Digit2": (50, "2@"), "Digit3": (51, "3#"), "Digit4": (52, "4$"),
    "Digit5": (53, "5%"), "Digit6": (54, "6^"), "Digit7": (55, "7&"), "Digit8": (56, "8*"), "Digit9": (57, "9("),
    "Digit0": (48, "0)"), "Minus": (189, "-_"), "Equal": (187, "=+"), "BracketLeft": (219, "[{"),
    "BracketRight": (221, "]}"), "Backslash": (220, "\\|"), "Semicolon": (186, ";:"), "Quote": (222, "'\""),
    "Comma": (188, ",<"), "Period": (190, ".>"), "Slash": (191, "/?"),
    **{f"Key{letter}": (ord(letter), letter + letter.lower()) for letter in ascii_uppercase},
}  # fmt: skip
"""The keys of an American keyboard that type a character, with the number that pages know them by."""
KEY_OF_CHARACTER = {
    character: (code, number) for code, (number, characters) in TYPED_KEYS.items() for character in characters
}
Forward = Callable[[RelaySession, str, Json], Awaitable[Json]]


class RelayPage:
    """Runs code in one tab, and is its mouse and keyboard, which are for the input gate only, as those of any page."""

    def __init__(self, session: RelaySession, sessions: SessionTable, inputs: InputQueue, forward: Forward) -> None:
        self.session = session
        self._sessions = sessions
        self._inputs = inputs
        self._forward = forward
        self._at: tuple[float, float] | None = None

    @property
    def mouse(self) -> "RelayPage":
        return self

    @property
    def keyboard(self) -> "RelayPage":
        return self

    async def evaluate(self, wanted: Mapping[str, Any]) -> Json:
        """Run code in the tab, after the inputs that are on their way to it."""
        from playwright.async_api import Error

        self._check()
        command: Json = {"method": "Runtime.evaluate", "params": dict(wanted)}
        try:
            answer = await self._inputs.send_with(self.session.place, command)
            if answer is not None:
                return answer
            await self._inputs.wait(self.session.tab)
            return await self._forward(self.session, command["method"], command["params"])
        except BrowserError as error:
            raise Error(error.message) from None

    async def move(self, x: float, y: float) -> None:
        self._send_mouse("mouseMoved", x, y, button="none", buttons=0)
        self._at = (x, y)

    async def click(
        self, x: float, y: float, *, button: Literal["left", "right"] = "left", click_count: int = 1
    ) -> None:
        if self._at != (x, y):
            await self.move(x, y)
        self._at = None
        held = 1 if button == "left" else 2
        for count in range(1, click_count + 1):
            self._send_mouse("mousePressed", x, y, button=button, buttons=held, clickCount=count, force=0.5)
            self._send_mouse("mouseReleased", x, y, button=button, buttons=0, clickCount=count)

    async def type(self, text: str) -> None:
        """Type each character by its key, as Playwright does; one that no key has is inserted."""
        for character in text:
            if character not in KEY_OF_CHARACTER:
                await self.insert_text(character)
                continue
            code, number = KEY_OF_CHARACTER[character]
            key: Json = {"key": character, "code": code, "windowsVirtualKeyCode": number}
            self._send("dispatchKeyEvent", {**key, "type": "keyDown", "text": character, "unmodifiedText": character})
            self._send("dispatchKeyEvent", {**key, "type": "keyUp"})

    async def insert_text(self, text: str) -> None:
        self._send("insertText", {"text": text})

    def _send_mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        self._send("dispatchMouseEvent", {"type": kind, "x": x, "y": y, **more})

    def _send(self, name: str, params: Json) -> None:
        self._check()
        self._inputs.add(self.session.place, f"Input.{name}", params)

    def _check(self) -> None:
        from playwright.async_api import Error

        if not self._sessions.in_use or self._sessions.get(self.session.id) is None:
            raise Error("Connection closed")

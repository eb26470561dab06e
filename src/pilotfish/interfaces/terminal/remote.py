"""A server from the command line: the same commands, carried out elsewhere."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from typing import TYPE_CHECKING, Any, Self

import httpx2
from pydantic import TypeAdapter

from pilotfish.core.errors import PersonError
from pilotfish.core.events import EVENT, Delta, Event, Live, RunFinished
from pilotfish.core.records import RunRecord, Verb

if TYPE_CHECKING:
    from collections.abc import Generator

EVENTS: TypeAdapter[list[Event]] = TypeAdapter(list[Event])
SILENCE = 40.0
TRIES = 5


class Remote:
    """A `Desk` over HTTP. A stream that breaks is taken up again where it broke."""

    home = None
    reasoning = True

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self.client = httpx2.AsyncClient(base_url=url, headers={"authorization": f"Bearer {token}"}, timeout=SILENCE)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.aclose()

    async def start(self, task: str, *, loop: str = "", tabs: Sequence[str] = (), **options: Any) -> RunRecord:
        return RunRecord.model_validate(
            await self._post("", {"task": task, "loop": loop, "tabs": list(tabs), **options})
        )

    async def command(self, run: str, verb: Verb, *, text: str = "", request: str = "") -> None:
        await self._post(f"/{run}/{verb}", {"text": text, "request": request} if verb == "answer" else None)

    async def proceed(self, run: str) -> RunRecord:
        return RunRecord.model_validate(await self._post(f"/{run}/continue"))

    async def replay(self, run: str, **options: Any) -> RunRecord:
        return RunRecord.model_validate(await self._post(f"/{run}/replay", options))

    async def record(self, run: str) -> RunRecord:
        return RunRecord.model_validate((await self._get(f"/{run}")).json())

    async def runs(self, *, text: str = "", limit: int = 50, background: bool = True) -> list[RunRecord]:
        page = (await self._get("", text=text, limit=min(limit, 200), background=background)).json()
        return [RunRecord.model_validate(item) for item in page["items"]]

    async def events(self, run: str) -> list[Event]:
        return EVENTS.validate_json((await self._get(f"/{run}/journal")).content)

    async def follow(self, run: str, after: int = 0) -> AsyncGenerator[Live]:
        failures = 0
        while failures < TRIES:
            try:
                async with aclosing(self._stream(run, after)) as events:
                    async for event in events:
                        failures = 0
                        yield event
                        if isinstance(event, RunFinished):
                            return
                        after = after if isinstance(event, Delta) else event.seq
            except httpx2.TransportError:
                pass
            failures += 1
        raise self._silent()

    async def _stream(self, run: str, after: int) -> AsyncGenerator[Live]:
        name = ""
        async with self.client.stream("GET", f"/api/runs/{run}/events", params={"after": after}) as answer:
            if answer.is_error:
                await answer.aread()
                raise _refused(answer)
            async for line in answer.aiter_lines():
                if line.startswith("event: "):
                    name = line[7:]
                elif line.startswith("data: "):
                    live = name == "content" or '"type":"delta"' in line[-20:]
                    yield Delta.model_validate_json(line[6:]) if live else EVENT.validate_json(line[6:])

    async def _get(self, path: str, **params: Any) -> httpx2.Response:
        with self._reached():
            return _checked(await self.client.get(f"/api/runs{path}", params=params))

    async def _post(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        with self._reached():
            return _checked(await self.client.post(f"/api/runs{path}", json=body)).json()

    @contextmanager
    def _reached(self) -> "Generator[None]":
        try:
            yield
        except httpx2.TransportError as error:
            raise self._silent() from error

    def _silent(self) -> PersonError:
        return PersonError(f"The server at {self.url} does not answer.", "Check the address and that it runs.")


def _checked(answer: httpx2.Response) -> httpx2.Response:
    if answer.is_error:
        raise _refused(answer)
    return answer


def _refused(answer: httpx2.Response) -> PersonError:
    """What the server says is wrong, in its words."""
    try:
        told: Any = answer.json()
    except ValueError:
        told = {}
    told = told if isinstance(told, dict) else {}
    said = str(told.get("detail") or f"The server answers {answer.status_code}.")
    return PersonError(said, str(told.get("fix") or "Check the address and the token."))

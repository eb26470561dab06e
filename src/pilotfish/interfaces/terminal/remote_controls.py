"""Controls runs of a server from the command line, over HTTP."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import Any, Self
from urllib.parse import quote

import httpx2
from pydantic import TypeAdapter

from pilotfish.core.errors import BrowserError, ModelError, PersonError, SettingsError, StoreError, UnclearTimeError
from pilotfish.core.events import EVENT_ADAPTER, Event, RunFinished, StreamItem, TextDelta
from pilotfish.core.records import CommandVerb, RunRecord
from pilotfish.services.time_reading import PlainWhen

EVENTS: TypeAdapter[list[Event]] = TypeAdapter(list[Event])
KINDS: Mapping[str, type[PersonError]] = {
    "unclear_time": UnclearTimeError,
    "bad_setting": SettingsError,
    "model": ModelError,
    "store": StoreError,
    "browser": BrowserError,
}
SILENCE_TIMEOUT = 40.0
TRIES = 5


class ServerClient:
    """An HTTP client for a server; its error responses are raised with the server's own text."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self.client = httpx2.AsyncClient(
            base_url=url, headers={"authorization": f"Bearer {token}"}, timeout=SILENCE_TIMEOUT
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.aclose()

    async def call(self, method: str, path: str, **how: Any) -> httpx2.Response:
        try:
            answer = await self.client.request(method, f"/api{path}", **how)
        except httpx2.TransportError as error:
            raise self.silent() from error
        if answer.is_error:
            raise server_error(answer)
        return answer

    def silent(self) -> PersonError:
        return PersonError(f"The server at {self.url} does not answer.", "Check the address and that it runs.")


class RemoteControls(ServerClient):
    """`RunControls` over HTTP. A stream that breaks is resumed where it broke."""

    home = None
    reasoning = True
    extracts_facts = False
    """The server saves facts by itself, after its runs."""

    async def start(self, task: str, *, loop: str = "", tabs: Sequence[str] = (), **options: Any) -> RunRecord:
        return RunRecord.model_validate(
            await self._post("", {"task": task, "loop": loop, "tabs": list(tabs), **options})
        )

    async def command(self, run: str, verb: CommandVerb, *, text: str = "", request: str = "") -> None:
        bodies = {"answer": {"text": text, "request": request}, "say": {"text": text}}
        await self._post(f"/{run}/{verb}", bodies.get(verb))

    async def continue_run(self, run: str) -> RunRecord:
        return RunRecord.model_validate(await self._post(f"/{run}/continue"))

    async def replay(self, run: str, **options: Any) -> RunRecord:
        return RunRecord.model_validate(await self._post(f"/{run}/replay", options))

    async def use_shortcut(self, name: str, values: Mapping[str, str], **options: Any) -> RunRecord:
        body = {"values": dict(values), **options}
        answer = await self.call("POST", f"/shortcuts/{quote(name, '')}/run", json=body)
        return RunRecord.model_validate_json(answer.content)

    async def read_when(self, words: str, *, zone: str = "") -> PlainWhen:
        said = await self.call("POST", "/schedules/read", json={"when": words, "zone": zone})
        return PlainWhen.model_validate_json(said.content)

    async def delete(self, run: str) -> None:
        await self.call("DELETE", f"/runs/{run}")

    async def delete_before(self, moment: datetime) -> int:
        answer = await self.call("DELETE", "/runs", params={"before": moment.isoformat()})
        return int(answer.json()["deleted"])

    async def record(self, run: str) -> RunRecord:
        return RunRecord.model_validate((await self._get(f"/{run}")).json())

    async def runs(self, *, text: str = "", limit: int = 50, background: bool = True) -> list[RunRecord]:
        page = (await self._get("", text=text, limit=min(limit, 200), background=background)).json()
        return [RunRecord.model_validate(item) for item in page["items"]]

    async def events(self, run: str) -> list[Event]:
        return EVENTS.validate_json((await self._get(f"/{run}/journal")).content)

    async def follow(self, run: str, after: int = 0) -> AsyncGenerator[StreamItem]:
        failures = 0
        while failures < TRIES:
            try:
                async with aclosing(self._stream(run, after)) as events:
                    async for event in events:
                        failures = 0
                        yield event
                        if isinstance(event, RunFinished):
                            return
                        after = after if isinstance(event, TextDelta) else event.seq
            except httpx2.TransportError:
                pass
            failures += 1
        raise self.silent()

    async def _stream(self, run: str, after: int) -> AsyncGenerator[StreamItem]:
        name = ""
        async with self.client.stream("GET", f"/api/runs/{run}/events", params={"after": after}) as answer:
            if answer.is_error:
                await answer.aread()
                raise server_error(answer)
            async for line in answer.aiter_lines():
                if line.startswith("event: "):
                    name = line[7:]
                elif line.startswith("data: "):
                    live = name == "content" or '"type":"delta"' in line[-20:]
                    yield TextDelta.model_validate_json(line[6:]) if live else EVENT_ADAPTER.validate_json(line[6:])

    async def _get(self, path: str, **params: Any) -> httpx2.Response:
        return await self.call("GET", f"/runs{path}", params=params)

    async def _post(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        return (await self.call("POST", f"/runs{path}", json=body)).json()


def server_error(answer: httpx2.Response) -> PersonError:
    """The error in a server's response."""
    try:
        body: Any = answer.json()
    except ValueError:
        body = {}
    body = body if isinstance(body, dict) else {}
    said = str(body.get("detail") or f"The server answers {answer.status_code}.")
    kind = KINDS.get(str(body.get("code")), PersonError)
    return kind(said, str(body.get("fix") or "Check the address and the token."))

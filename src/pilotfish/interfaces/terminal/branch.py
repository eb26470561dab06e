"""What a person keeps at a server, from the command line: as `parts/keeping.py` and `parts/admin.py` do here."""

import json
from collections.abc import Iterable
from datetime import timedelta
from typing import Any
from urllib.parse import quote

from pydantic import SecretStr, TypeAdapter

from pilotfish.core.errors import PersonError
from pilotfish.core.events import now
from pilotfish.core.facts import Fact
from pilotfish.core.folds import Costs
from pilotfish.core.people import Role, User
from pilotfish.interfaces.terminal.remote import Wire
from pilotfish.parts.admin import Line, typed, under
from pilotfish.parts.safe import Audit, Kind, Listed, Supposed, Told

FACTS: TypeAdapter[list[Fact]] = TypeAdapter(list[Fact])
LINES: TypeAdapter[list[Line]] = TypeAdapter(list[Line])
SECRETS: TypeAdapter[list[Listed]] = TypeAdapter(list[Listed])
USERS: TypeAdapter[list[User]] = TypeAdapter(list[User])


class Branch(Wire):
    """A server's memory, costs, settings, secrets, rules, audits and people, as far as the token reaches."""

    async def facts(self, history: bool = False) -> list[Fact]:
        past = FACTS.validate_json((await self.call("GET", "/memory/history")).content) if history else []
        return [*FACTS.validate_json((await self.call("GET", "/memory")).content), *past]

    async def remember(self, content: str) -> str:
        await self.call("POST", "/memory", json={"content": content})
        return "Remembered."

    async def correct(self, id: str, content: str) -> str:
        return str((await self.call("PATCH", f"/memory/{quote(id, '')}", json={"content": content})).json()["content"])

    async def unlearn(self, id: str) -> None:
        await self.call("DELETE", f"/memory/{quote(id, '')}")

    async def exported(self) -> str:
        return (await self.call("GET", "/memory/export")).text

    async def imported(self, text: str) -> int:
        try:
            rows: Any = json.loads(text)
        except ValueError as error:
            raise PersonError("That is not an exported memory.", "Use a file that the export wrote.") from error
        await self.call("POST", "/memory/import", json={"facts": rows})
        return len(rows)

    async def spent(self, days: int) -> Costs:
        since = (now() - timedelta(days=days)).isoformat()
        return Costs.model_validate_json((await self.call("GET", "/costs", params={"since": since})).content)

    async def settings(self, path: str = "") -> list[Line]:
        return under(path, LINES.validate_json((await self.call("GET", "/settings")).content))

    async def change(self, path: str, value: str | None) -> None:
        await self.call("PUT", "/settings", json={"path": path, "value": None if value is None else typed(value)})

    async def secrets(self) -> list[Listed]:
        return SECRETS.validate_json((await self.call("GET", "/secrets")).content)

    async def keep(self, name: str, value: SecretStr, origins: Iterable[str], kind: Kind) -> None:
        body = {"value": value.get_secret_value(), "origins": list(origins), "kind": kind}
        await self.call("PUT", f"/secrets/{quote(name, '')}", json=body)

    async def drop(self, name: str) -> bool:
        await self.call("DELETE", f"/secrets/{quote(name, '')}")
        return True

    async def suppose(self, supposed: Supposed) -> Told:
        body = supposed.model_dump(mode="json", exclude_none=True)
        return Told.model_validate_json((await self.call("POST", "/policy/test", json=body)).content)

    async def audit(self, run: str) -> Audit:
        return Audit.model_validate_json((await self.call("GET", f"/runs/{quote(run, '')}/audit")).content)

    async def sealed(self, run: str) -> str:
        return (await self.call("GET", f"/runs/{quote(run, '')}/audit/export")).text

    async def verify(self, text: str) -> str:
        body = {"content": text.encode(), "headers": {"content-type": "application/x-ndjson"}}
        return str((await self.call("POST", "/audit/verify", **body)).json()["wrong"])

    async def people(self) -> list[User]:
        return USERS.validate_json((await self.call("GET", "/users")).content)

    async def welcome(self, name: str, role: Role) -> str:
        person = (await self.call("POST", "/users", json={"name": name, "role": role})).json()["id"]
        return await self.token(person)

    async def token(self, id: str) -> str:
        issued = await self.call("POST", f"/users/{quote(id, '')}/tokens", json={"name": "command line"})
        return str(issued.json()["token"])

    async def dismiss(self, id: str) -> bool:
        await self.call("DELETE", f"/users/{quote(id, '')}")
        return True

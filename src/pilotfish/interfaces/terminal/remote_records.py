"""A user's records at a server, from the command line; `services/local_records.py` does the same on this machine."""

import json
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any
from urllib.parse import quote

from pydantic import SecretStr, TypeAdapter

from pilotfish.core.errors import PersonError
from pilotfish.core.events import current_time
from pilotfish.core.facts import Fact, MemoryTier
from pilotfish.core.journal_reports import CostReport
from pilotfish.core.shortcut import Shortcut
from pilotfish.core.users import Role, User
from pilotfish.interfaces.terminal.remote_controls import ServerClient
from pilotfish.safety.logins import SiteLogin
from pilotfish.services.admin import SettingLine, filter_settings, parse_typed
from pilotfish.services.local_records import describe_added
from pilotfish.services.safety_service import AuditReport, PolicyPreview, SecretInfo, SecretKind, SupposedAction
from pilotfish.services.workers import WorkerInfo

FACTS: TypeAdapter[list[Fact]] = TypeAdapter(list[Fact])
LINES: TypeAdapter[list[SettingLine]] = TypeAdapter(list[SettingLine])
SECRETS: TypeAdapter[list[SecretInfo]] = TypeAdapter(list[SecretInfo])
LOGINS: TypeAdapter[list[SiteLogin]] = TypeAdapter(list[SiteLogin])
SHORTCUTS: TypeAdapter[list[Shortcut]] = TypeAdapter(list[Shortcut])
WORKERS: TypeAdapter[list[WorkerInfo]] = TypeAdapter(list[WorkerInfo])
USERS: TypeAdapter[list[User]] = TypeAdapter(list[User])


class RemoteRecords(ServerClient):
    """A server's memory, costs, settings, secrets, rules, audits and people, as far as the token reaches."""

    async def facts(self, history: bool = False) -> list[Fact]:
        past = FACTS.validate_json((await self.call("GET", "/memory/history")).content) if history else []
        return [*FACTS.validate_json((await self.call("GET", "/memory")).content), *past]

    async def remember(self, content: str, tier: MemoryTier = "important") -> str:
        added = await self.call("POST", "/memory", json={"content": content, "tier": tier})
        held = {fact.id: fact for fact in FACTS.validate_json(added.content)}
        past = FACTS.validate_json((await self.call("GET", "/memory/history")).content)
        known = [fact for fact in held.values() if fact.content != content.strip()]
        return describe_added(known, [fact for fact in past if fact.successor in held])

    async def correct(self, id: str, content: str) -> str:
        return str((await self.call("PATCH", f"/memory/{quote(id, '')}", json={"content": content})).json()["content"])

    async def undo(self, id: str) -> str:
        return str((await self.call("POST", f"/memory/{quote(id, '')}/undo")).json()["content"])

    async def delete_fact(self, id: str, with_conversations: bool = False) -> None:
        params = {"conversations": "delete" if with_conversations else "keep"}
        await self.call("DELETE", f"/memory/{quote(id, '')}", params=params)

    async def export_facts(self) -> str:
        return (await self.call("GET", "/memory/export")).text

    async def import_facts(self, text: str) -> int:
        try:
            rows: Any = json.loads(text)
        except ValueError as error:
            raise PersonError("That is not an exported memory.", "Use a file that the export wrote.") from error
        await self.call("POST", "/memory/import", json={"facts": rows})
        return len(rows)

    async def read_costs(self, days: int) -> CostReport:
        since = (current_time() - timedelta(days=days)).isoformat()
        return CostReport.model_validate_json((await self.call("GET", "/costs", params={"since": since})).content)

    async def list_settings(self, path: str = "") -> list[SettingLine]:
        return filter_settings(path, LINES.validate_json((await self.call("GET", "/settings")).content))

    async def change_setting(self, path: str, value: str | None) -> None:
        await self.call("PUT", "/settings", json={"path": path, "value": None if value is None else parse_typed(value)})

    async def secrets(self) -> list[SecretInfo]:
        return SECRETS.validate_json((await self.call("GET", "/secrets")).content)

    async def put_secret(self, name: str, value: SecretStr, origins: Iterable[str], kind: SecretKind) -> None:
        body = {"value": value.get_secret_value(), "origins": list(origins), "kind": kind}
        await self.call("PUT", f"/secrets/{quote(name, '')}", json=body)

    async def delete_secret(self, name: str) -> bool:
        await self.call("DELETE", f"/secrets/{quote(name, '')}")
        return True

    async def logins(self) -> list[SiteLogin]:
        return LOGINS.validate_json((await self.call("GET", "/logins")).content)

    async def forget_login(self, site: str) -> bool:
        await self.call("DELETE", f"/logins/{quote(site, '')}")
        return True

    async def sign_in(self, site: str, _: object) -> str:
        """Open the site at the server; where the person signs in."""
        opened = (await self.call("POST", "/logins", json={"url": site})).json()["id"]
        return f"Sign in at {self.url}/c/{opened} in the live view. What you do there is remembered as you go."

    async def shortcuts(self) -> list[Shortcut]:
        return SHORTCUTS.validate_json((await self.call("GET", "/shortcuts")).content)

    async def shortcut(self, name: str) -> Shortcut:
        return Shortcut.model_validate_json((await self.call("GET", f"/shortcuts/{quote(name, '')}")).content)

    async def save_shortcut(self, run: str, name: str, parameters: Mapping[str, str]) -> Shortcut:
        body = {"run": run, "name": name, "parameters": dict(parameters)}
        return Shortcut.model_validate_json((await self.call("POST", "/shortcuts", json=body)).content)

    async def import_shortcut(self, text: str) -> Shortcut:
        body = {"content": text.encode(), "headers": {"content-type": "application/json"}}
        return Shortcut.model_validate_json((await self.call("POST", "/shortcuts/import", **body)).content)

    async def rename_shortcut(self, name: str, new: str) -> Shortcut:
        changed = await self.call("PATCH", f"/shortcuts/{quote(name, '')}", json={"name": new})
        return Shortcut.model_validate_json(changed.content)

    async def delete_shortcut(self, name: str) -> None:
        await self.call("DELETE", f"/shortcuts/{quote(name, '')}")

    async def preview_policy(self, supposed: SupposedAction) -> PolicyPreview:
        body = supposed.model_dump(mode="json", exclude_none=True)
        return PolicyPreview.model_validate_json((await self.call("POST", "/policy/test", json=body)).content)

    async def audit(self, run: str) -> AuditReport:
        return AuditReport.model_validate_json((await self.call("GET", f"/runs/{quote(run, '')}/audit")).content)

    async def export_audit(self, run: str) -> str:
        return (await self.call("GET", f"/runs/{quote(run, '')}/audit/export")).text

    async def verify_audit(self, text: str) -> str:
        body = {"content": text.encode(), "headers": {"content-type": "application/x-ndjson"}}
        return str((await self.call("POST", "/audit/verify", **body)).json()["wrong"])

    async def list_users(self) -> list[User]:
        return USERS.validate_json((await self.call("GET", "/users")).content)

    async def add_user(self, name: str, role: Role) -> str:
        person = (await self.call("POST", "/users", json={"name": name, "role": role})).json()["id"]
        return await self.issue_token(person)

    async def list_workers(self) -> list[WorkerInfo]:
        return WORKERS.validate_json((await self.call("GET", "/workers")).content)

    async def make_pairing_code(self) -> str:
        return str((await self.call("POST", "/extension/code")).json()["code"])

    async def issue_token(self, id: str) -> str:
        issued = await self.call("POST", f"/users/{quote(id, '')}/tokens", json={"name": "command line"})
        return str(issued.json()["token"])

    async def remove_user(self, id: str) -> bool:
        await self.call("DELETE", f"/users/{quote(id, '')}")
        return True

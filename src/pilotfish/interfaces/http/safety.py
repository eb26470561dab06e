"""Safety over HTTP: the user's secrets without their values, previews of policy decisions, and audits."""

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Body, Path, Query
from fastapi.responses import Response
from pydantic import Field, SecretStr

from pilotfish.core.errors import NotFoundError
from pilotfish.core.values import Value
from pilotfish.interfaces.web_server.dependencies import ERRORS, AppDep, RunDep, UserDep
from pilotfish.services.safety_service import AuditReport, PolicyPreview, SecretInfo, SecretKind, SupposedAction

router = APIRouter(prefix="/api", tags=["safety"], responses=ERRORS)
SecretName = Annotated[str, Path(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]


class NewSecret(Value):
    """A new secret; it cannot be read again. The value of a `totp` is its base32 seed or otpauth address."""

    value: SecretStr = Field(min_length=4, max_length=10_000)
    origins: tuple[str, ...] = Field(min_length=1, max_length=50, description="such as https://shop.example")
    kind: SecretKind = "password"


class AuditCheck(Value):
    """Whether an export is unchanged; if not, where it was changed."""

    whole: bool
    wrong: str = ""


@router.get("/secrets")
async def list_secrets(fish: AppDep, me: UserDep) -> list[SecretInfo]:
    """List the names, origins and kinds of the user's secrets; never a value."""
    return await fish.safety.vault.list(me.id)


@router.put("/secrets/{name}")
async def put_secret(fish: AppDep, me: UserDep, name: SecretName, hidden: NewSecret) -> SecretInfo:
    """Keep a secret, or replace the one of that name."""
    return await fish.safety.put_secret(me.id, name, hidden.value, hidden.origins, hidden.kind)


@router.delete("/secrets/{name}", status_code=204)
async def delete_secret(fish: AppDep, me: UserDep, name: SecretName) -> None:
    """Delete a secret."""
    if not await fish.safety.vault.drop(me.id, name):
        raise NotFoundError(f"You have no secret named {name!r}.", "See /api/secrets.")


@router.post("/policy/test")
async def test_policy(fish: AppDep, me: UserDep, supposed: SupposedAction) -> PolicyPreview:
    """Preview the policy's decision about an action: the decision, its rule, and a sentence."""
    await fish.refresh()
    return fish.safety.preview_policy(supposed, me.id)


@router.get("/runs/{run}/audit", response_model=AuditReport)
async def read_audit(
    run: RunDep, fish: AppDep, format: Annotated[Literal["json", "markdown"], Query()] = "json"
) -> Response:
    """Read the audit of a run: decisions, approvals, uses of secrets and refused requests."""
    report = await fish.safety.audit(run.id)
    if format == "markdown":
        text = await asyncio.to_thread(report.markdown)
        return Response(text.encode(errors="replace"), media_type="text/markdown; charset=utf-8")
    return Response(await asyncio.to_thread(report.model_dump_json), media_type="application/json")


@router.get("/runs/{run}/audit/export", response_class=Response)
async def export_audit(run: RunDep, fish: AppDep) -> Response:
    """Export the journal of a run as a signed chain of JSON lines, in which any change shows."""
    headers = {"content-disposition": f"attachment; filename={run.id}.audit.jsonl"}
    text = await fish.safety.export(run.id)
    return Response(text.encode(errors="replace"), media_type="application/x-ndjson", headers=headers)


@router.post("/audit/verify")
async def verify_audit(
    fish: AppDep, me: UserDep, lines: Annotated[bytes, Body(media_type="application/x-ndjson")]
) -> AuditCheck:
    """Verify an export. Only the server that wrote it has the key."""
    wrong = await fish.safety.verify(lines.decode(errors="replace"))
    return AuditCheck(whole=not wrong, wrong=wrong)

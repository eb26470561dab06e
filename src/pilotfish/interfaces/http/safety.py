"""Safety over HTTP: my secrets without their values, what the policy would say, and audits of my runs."""

from typing import Annotated, Literal

from fastapi import APIRouter, Body, Path, Query
from fastapi.responses import Response
from pydantic import Field, SecretStr

from pilotfish.core.errors import Missing
from pilotfish.core.values import Value
from pilotfish.interfaces.places import ERRORS, Fish, Me, Run
from pilotfish.parts.safe import Audit, Kind, Listed, Supposed, Told

router = APIRouter(prefix="/api", tags=["safety"], responses=ERRORS)
Name = Annotated[str, Path(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]


class Hidden(Value):
    """A secret to keep; it cannot be read again. The value of a `totp` is its base32 seed or otpauth address."""

    value: SecretStr = Field(min_length=4, max_length=10_000)
    origins: tuple[str, ...] = Field(min_length=1, max_length=50, description="such as https://shop.example")
    kind: Kind = "password"


class Checked(Value):
    """Whether an export is as it was written here; if not, where it was changed."""

    whole: bool
    wrong: str = ""


@router.get("/secrets")
async def list_secrets(fish: Fish, me: Me) -> list[Listed]:
    """Names, origins and kinds of my secrets; never a value."""
    return await fish.safe.vault.list(me.id)


@router.put("/secrets/{name}")
async def put_secret(fish: Fish, me: Me, name: Name, hidden: Hidden) -> Listed:
    """Keep a secret, or replace the one of that name."""
    return await fish.safe.keep(me.id, name, hidden.value, hidden.origins, hidden.kind)


@router.delete("/secrets/{name}", status_code=204)
async def delete_secret(fish: Fish, me: Me, name: Name) -> None:
    """Forget a secret."""
    if not await fish.safe.vault.drop(me.id, name):
        raise Missing(f"You have no secret named {name!r}.", "See /api/secrets.")


@router.post("/policy/test")
async def test_policy(fish: Fish, me: Me, supposed: Supposed) -> Told:
    """What would happen if: the verdict, the rule that decided, and both in words."""
    await fish.refresh()
    return fish.safe.suppose(supposed, me.id)


@router.get("/runs/{run}/audit", response_model=Audit)
async def read_audit(
    run: Run, fish: Fish, format: Annotated[Literal["json", "markdown"], Query()] = "json"
) -> Response:
    """Its decisions, approvals, uses of secrets and refused requests."""
    report = await fish.safe.audit(run.id)
    if format == "markdown":
        return Response(report.markdown().encode(errors="replace"), media_type="text/markdown; charset=utf-8")
    return Response(report.model_dump_json(), media_type="application/json")


@router.get("/runs/{run}/audit/export", response_class=Response)
async def export_audit(run: Run, fish: Fish) -> Response:
    """Its journal as a signed chain of JSON lines, in which any change shows."""
    headers = {"content-disposition": f"attachment; filename={run.id}.audit.jsonl"}
    text = await fish.safe.export(run.id)
    return Response(text.encode(errors="replace"), media_type="application/x-ndjson", headers=headers)


@router.post("/audit/verify")
async def verify_audit(fish: Fish, me: Me, lines: Annotated[bytes, Body(media_type="application/x-ndjson")]) -> Checked:
    """Whether an export is whole. Only the server that wrote it can tell."""
    wrong = fish.safe.verify(lines.decode(errors="replace"))
    return Checked(whole=not wrong, wrong=wrong)

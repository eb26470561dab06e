"""Users and tokens over HTTP."""

from fastapi import APIRouter
from pydantic import Field

from pilotfish.core.errors import NotFoundError
from pilotfish.core.users import Role, TokenRecord, User
from pilotfish.core.values import Value
from pilotfish.interfaces.web_server.dependencies import ERRORS, AdminDep, AppDep, RecordId, UserDep

router = APIRouter(prefix="/api", tags=["people"], responses=ERRORS)


class NewUser(Value):
    """A user to add."""

    name: str = Field(min_length=1, max_length=64)
    role: Role = "member"


class TokenName(Value):
    """What a token is for."""

    name: str = Field(min_length=1, max_length=64)


class IssuedToken(Value):
    """A new token; it is shown only now."""

    grant: TokenRecord
    token: str


@router.get("/users")
async def list_users(fish: AppDep, me: AdminDep) -> list[User]:
    """List all users."""
    return await fish.users.all()


@router.post("/users", status_code=201)
async def add_user(fish: AppDep, me: AdminDep, newcomer: NewUser) -> User:
    """Add a user; they need a token next."""
    return await fish.users.add(newcomer.name, newcomer.role)


@router.delete("/users/{user}", status_code=204)
async def remove_user(fish: AppDep, me: AdminDep, user: RecordId) -> None:
    """Remove a user's access."""
    if not await fish.users.remove(user):
        raise NotFoundError(f"There is no user {user!r}.", "See /api/users.")


@router.post("/users/{user}/tokens", status_code=201)
async def issue_token(fish: AppDep, me: AdminDep, user: RecordId, name: TokenName) -> IssuedToken:
    """Issue a token for a user."""
    if await fish.users.get(user) is None:
        raise NotFoundError(f"There is no user {user!r}.", "See /api/users.")
    grant, token = await fish.users.grant(user, name.name)
    return IssuedToken(grant=grant, token=token)


@router.get("/tokens")
async def list_tokens(fish: AppDep, me: UserDep) -> list[TokenRecord]:
    """List the user's own tokens and sessions."""
    return await fish.users.grants(me.id)


@router.post("/tokens", status_code=201)
async def make_token(fish: AppDep, me: UserDep, name: TokenName) -> IssuedToken:
    """Issue a token for the user's own programs."""
    grant, token = await fish.users.grant(me.id, name.name)
    return IssuedToken(grant=grant, token=token)


@router.delete("/tokens/{token}", status_code=204)
async def revoke_token(fish: AppDep, me: UserDep, token: RecordId) -> None:
    """Revoke one of the user's own tokens."""
    if not await fish.users.revoke(me.id, token):
        raise NotFoundError("You have no such token.", "See /api/tokens.")

"""Users and tokens over HTTP."""

from fastapi import APIRouter
from pydantic import Field

from pilotfish.core.errors import Missing
from pilotfish.core.people import Grant, Role, User
from pilotfish.core.values import Value
from pilotfish.interfaces.places import ERRORS, Admin, Fish, Id, Me

router = APIRouter(prefix="/api", tags=["people"], responses=ERRORS)


class Newcomer(Value):
    """A person to let in."""

    name: str = Field(min_length=1, max_length=64)
    role: Role = "member"


class Name(Value):
    """What a token is for."""

    name: str = Field(min_length=1, max_length=64)


class Issued(Value):
    """A new token; it is shown this once."""

    grant: Grant
    token: str


@router.get("/users")
async def list_users(fish: Fish, me: Admin) -> list[User]:
    """Everybody."""
    return await fish.people.all()


@router.post("/users", status_code=201)
async def add_user(fish: Fish, me: Admin, newcomer: Newcomer) -> User:
    """Let a person in; give them a token next."""
    return await fish.people.add(newcomer.name, newcomer.role)


@router.delete("/users/{user}", status_code=204)
async def remove_user(fish: Fish, me: Admin, user: Id) -> None:
    """Take a person's access away."""
    if not await fish.people.remove(user):
        raise Missing(f"There is no user {user!r}.", "See /api/users.")


@router.post("/users/{user}/tokens", status_code=201)
async def issue_token(fish: Fish, me: Admin, user: Id, name: Name) -> Issued:
    """A token for a person."""
    if await fish.people.get(user) is None:
        raise Missing(f"There is no user {user!r}.", "See /api/users.")
    grant, token = await fish.people.grant(user, name.name)
    return Issued(grant=grant, token=token)


@router.get("/tokens")
async def list_tokens(fish: Fish, me: Me) -> list[Grant]:
    """My tokens and sessions."""
    return await fish.people.grants(me.id)


@router.post("/tokens", status_code=201)
async def make_token(fish: Fish, me: Me, name: Name) -> Issued:
    """A token for a program of mine."""
    grant, token = await fish.people.grant(me.id, name.name)
    return Issued(grant=grant, token=token)


@router.delete("/tokens/{token}", status_code=204)
async def revoke_token(fish: Fish, me: Me, token: Id) -> None:
    """Make one of mine useless."""
    if not await fish.people.revoke(me.id, token):
        raise Missing("You have no such token.", "See /api/tokens.")

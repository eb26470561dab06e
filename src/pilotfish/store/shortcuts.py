"""Keeps shortcuts of users by name."""

from pilotfish.core.errors import NotFoundError, PersonError
from pilotfish.core.shortcut import Shortcut, check_name
from pilotfish.store.base import SettingsBackend

KIND = "shortcut"
MOST_SHORTCUTS = 200


class ShortcutStore:
    """The shortcuts of all users, each under its user and name."""

    def __init__(self, store: SettingsBackend) -> None:
        self.store = store

    async def list(self, user: str) -> list[Shortcut]:
        """A user's shortcuts by name."""
        kept = await self.store.entries(KIND, f"{user}:")
        return sorted(map(Shortcut.model_validate_json, kept.values()), key=lambda each: each.name)

    async def find(self, user: str, name: str) -> Shortcut | None:
        kept = await self.store.get(KIND, f"{user}:{name}")
        return Shortcut.model_validate_json(kept) if kept else None

    async def get(self, user: str, name: str) -> Shortcut:
        if found := await self.find(user, name):
            return found
        there = (
            ", ".join(each.name for each in await self.list(user)) or "none yet; `pilotfish save RUN NAME` makes one"
        )
        raise NotFoundError(f"There is no shortcut {name!r}.", f"There are: {there}.")

    async def add(self, user: str, shortcut: Shortcut, *, replace: bool = False) -> Shortcut:
        """Keep a new shortcut. A name that is taken is refused, unless it is to be replaced."""
        names = {each.name for each in await self.list(user)}
        if shortcut.name in names and not replace:
            raise PersonError(
                f"There is a shortcut {shortcut.name} already.", "Choose another name, or delete it first."
            )
        if len(names | {shortcut.name}) > MOST_SHORTCUTS:
            raise PersonError(
                f"You have {MOST_SHORTCUTS} shortcuts, which is the most.", "Delete one that you do not use."
            )
        await self.put(user, shortcut)
        return shortcut

    async def put(self, user: str, shortcut: Shortcut) -> None:
        """Keep a shortcut, in place of one with the same name."""
        await self.store.put(KIND, f"{user}:{shortcut.name}", shortcut.model_dump_json().encode())

    async def rename(self, user: str, name: str, new: str) -> Shortcut:
        old = await self.get(user, name)
        renamed = await self.add(user, old.model_copy(update={"name": check_name(new)}))
        await self.store.drop(KIND, f"{user}:{name}")
        return renamed

    async def delete(self, user: str, name: str) -> None:
        await self.get(user, name)
        await self.store.drop(KIND, f"{user}:{name}")

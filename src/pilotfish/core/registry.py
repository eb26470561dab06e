"""Registries: named things, each registered where it is defined."""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from pilotfish.core.errors import PersonError

T = TypeVar("T")


def discover(package: str) -> None:
    """Import every module of a package, so that what it defines is registered."""
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}."):
        importlib.import_module(module.name)


class Registry(Generic[T]):
    """Named things of one kind. The error for an unknown name lists the known ones."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._things: dict[str, T] = {}

    def add(self, name: str, thing: T) -> T:
        if self._things.get(name, thing) is not thing:
            raise ValueError(f"there are two {self.kind}s named {name!r}")
        self._things[name] = thing
        return thing

    def named(self, name: str) -> Callable[[T], T]:
        return lambda thing: self.add(name, thing)

    def get(self, name: str) -> T:
        if name not in self._things:
            known = ", ".join(each for each in self if not each.startswith("_"))
            raise PersonError(f"There is no {self.kind} named {name!r}.", f"Choose one of: {known}.")
        return self._things[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._things))

    def __contains__(self, name: str) -> bool:
        return name in self._things

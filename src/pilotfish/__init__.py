"""Pilotfish: the web agent that you run yourself."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pilotfish.app import Pilotfish, loop, tool

__version__: str
__all__ = ["Pilotfish", "__version__", "loop", "tool"]


def __getattr__(name: str) -> Any:
    """Load the app only when it is asked for, so that `pilotfish --help` stays quick."""
    if name == "__version__":
        from pilotfish.core.version import VERSION

        return VERSION
    if name in ("Pilotfish", "loop", "tool"):
        from pilotfish import app

        return getattr(app, name)
    raise AttributeError(name)

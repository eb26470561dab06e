"""Reads the settings: file, then environment, then database, each stronger than the one before.

The source of every value is kept, so that `pilotfish settings` can show it.
"""

import logging
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, SecretStr, ValidationError
from pydantic.fields import FieldInfo

from pilotfish.core.errors import SettingsError
from pilotfish.core.settings import Settings, SettingsGroup, present_path
from pilotfish.core.values import Value

log = logging.getLogger(__name__)
PREFIX = "PILOTFISH_"
MASK = "••••••"
# The command line's server and token; they are not settings.
CLIENT_VARIABLES = ("PILOTFISH_SERVER", "PILOTFISH_TOKEN")
# What needs no decoding; an empty path is no setting.
PLAIN_VARIABLES = {"PILOTFISH_HOME": "home", "PILOTFISH_DATABASE": "database", "PILOTFISH_MODELS_DIR": ""}


class SourcedValue(Value):
    """A value that somebody set, and where."""

    value: Any
    origin: str


class LoadedSettings(Value):
    """The settings, and where each that is not a default came from."""

    settings: Settings
    found: Mapping[str, SourcedValue]


class SettingLine(Value):
    """A setting as it is shown to people."""

    path: str
    value: Any
    origin: str
    about: str = ""


def load_settings(
    environ: Mapping[str, str] = os.environ,
    file: Path | None = None,
    home: Path | None = None,
    stored: Mapping[str, Any] | None = None,
) -> Settings:
    """Load all settings. `stored` holds those of the database, once it is open."""
    return read_settings(environ, file, home, stored).settings


def read_settings(
    environ: Mapping[str, str] = os.environ,
    file: Path | None = None,
    home: Path | None = None,
    stored: Mapping[str, Any] | None = None,
) -> LoadedSettings:
    """Like `load_settings`, with the source of each value."""
    base = home or (Path(environ[PREFIX + "HOME"]) if environ.get(PREFIX + "HOME") else None)
    found = _from_file(file or _default_folder(base, "config") / "settings.toml")
    found |= _from_environ({name: value for name, value in environ.items() if name not in CLIENT_VARIABLES})
    found |= {
        path: SourcedValue(value=value, origin="database")
        for path, value in (stored or {}).items()
        if path in list_paths()
    }
    if home is not None or "home" not in found:
        found["home"] = SourcedValue(
            value=_default_folder(base, "data"), origin="default" if base is None else "caller"
        )
    return LoadedSettings(settings=_validate(found), found=found)


def describe_settings(loaded: LoadedSettings) -> list[SettingLine]:
    """Every setting with its value, secrets masked, and its origin."""
    return [
        SettingLine(
            path=path,
            value=mask_value(path, _value_at(loaded.settings, path)),
            origin=loaded.found[path].origin if path in loaded.found else "default",
            about=field.description or "",
        )
        for path, field in list_paths().items()
    ]


def check_setting(path: str, value: Any) -> None:
    """Refuse a setting that does not exist, or a value that it cannot have."""
    _require_known(path, "database")
    if path in ("home", "database"):
        raise SettingsError(
            f"The setting {path} says where the database is, so it cannot be kept in it.",
            f"Put it in settings.toml or in {_variable_name(path)}.",
        )
    if value is not None:
        _validate({path: SourcedValue(value=value, origin="")})


def mask_value(path: str, value: Any) -> Any:
    """The value as it may be shown: of a secret, only whether it is set."""
    if path not in list_paths() or list_paths()[path].annotation is not SecretStr:
        return value
    clear = value.get_secret_value() if isinstance(value, SecretStr) else value
    return MASK if clear else ""


@cache
def list_paths() -> dict[str, FieldInfo]:
    """Every single setting by its path, such as `agent.steps`."""
    return dict(_walk(Settings, ""))


def _walk(part: type[BaseModel], above: str) -> Iterator[tuple[str, FieldInfo]]:
    for name, field in part.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, SettingsGroup):
            yield from _walk(kind, f"{above}{name}.")
        else:
            yield f"{above}{name}", field


def _from_file(file: Path) -> dict[str, SourcedValue]:
    try:
        text = file.read_text("utf-8")
        values = tomllib.loads(text)
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"The settings file {file} is not TOML: {error}.", "Correct that line.") from error
    except OSError as error:
        raise SettingsError(
            f"The settings file {file} cannot be read: {error.strerror}.", "Let this account read it, or remove it."
        ) from error
    found: dict[str, SourcedValue] = {}
    # A setting under its present name counts more than one under a former name.
    for written, value in sorted(_flatten(values, ""), key=lambda each: present_path(each[0]) == each[0]):
        origin = f"{file}, line {_line_number(text, written)}"
        path = accept_path(written, origin)
        _require_known(path, origin)
        found[path] = SourcedValue(value=value, origin=origin)
    return found


def _from_environ(given: Mapping[str, str]) -> dict[str, SourcedValue]:
    environ = {_present_variable(name): value for name, value in given.items()}
    environ |= {name: value for name, value in given.items() if name in environ}
    for name in environ:
        path = name.removeprefix(PREFIX).lower().replace("__", ".")
        alike = "." in path or get_close_matches(path, Settings.model_fields, cutoff=0.85)
        if name.startswith(PREFIX) and alike:
            _require_known(path, f"environment, {name}")
    if not any(name.upper().startswith(PREFIX) for name in environ.keys() - set(PLAIN_VARIABLES)):
        plain = {path: (name, environ[name]) for name, path in PLAIN_VARIABLES.items() if path and name in environ}
        return {path: SourcedValue(value=value, origin=f"environment, {name}") for path, (name, value) in plain.items()}
    return _decode_environ(environ)


def _decode_environ(environ: Mapping[str, str]) -> dict[str, SourcedValue]:
    """Settings from the environment, groups and lists included. pydantic-settings is imported late: it is slow."""
    from pydantic_settings import EnvSettingsSource
    from pydantic_settings import SettingsError as Undecoded

    class Environment(EnvSettingsSource):
        def _load_env_vars(self) -> Mapping[str, str | None]:
            return {name.lower(): value for name, value in environ.items()}

    try:
        values = Environment(_make_env_model(), env_prefix=PREFIX.lower(), env_nested_delimiter="__")()
    except Undecoded as error:
        raise SettingsError(
            f"The environment sets a list that cannot be read: {error}.", 'Write it as JSON, such as ["one", "two"].'
        ) from error
    return {
        path: SourcedValue(value=value, origin=f"environment, {_variable_name(path)}")
        for path, value in _flatten(values, "")
    }


@cache
def _make_env_model() -> Any:
    from pydantic_settings import BaseSettings

    return type("Shape", (Settings, BaseSettings), {"__module__": __name__})


def _flatten(values: Mapping[str, Any], above: str) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        path = f"{above}{name}"
        if isinstance(value, Mapping) and path not in list_paths():
            yield from _flatten(value, f"{path}.")
        else:
            yield path, value


@cache
def accept_path(path: str, origin: str) -> str:
    """The present path of a setting; one line in the log says where a former one is used."""
    present = present_path(path)
    if present != path:
        log.warning("the setting %s is now called %s; the former name still works (%s)", path, present, origin)
    return present


def _present_variable(name: str) -> str:
    path = name.removeprefix(PREFIX).lower().replace("__", ".")
    if not name.startswith(PREFIX) or present_path(path) == path:
        return name
    return _variable_name(accept_path(path, f"environment, {name}"))


def _require_known(path: str, origin: str) -> None:
    if path in list_paths():
        return
    close = get_close_matches(path, list_paths(), n=1, cutoff=0.5)
    fix = f"Did you mean {close[0]}?" if close else "`pilotfish settings` lists all of them."
    raise SettingsError(f"There is no setting {path} ({origin}).", fix)


def _validate(found: Mapping[str, SourcedValue]) -> Settings:
    values: dict[str, Any] = {}
    for path, one in found.items():
        *groups, name = path.split(".")
        inner = values
        for group in groups:
            inner = inner.setdefault(group, {})
        inner[name] = one.value
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        path = next(path for path in list_paths() if place == path or place.startswith(f"{path}."))
        origin = found[path].origin if path in found else "default"
        said = first["msg"][0].lower() + first["msg"][1:]
        if not origin:
            raise SettingsError(f"The setting {path} cannot be that: {said}.", "It stays as it was.") from None
        raise SettingsError(f"The setting {path} is wrong ({origin}): {said}.", "Correct it there.") from None


def _value_at(settings: Settings, path: str) -> Any:
    value: Any = settings
    for name in path.split("."):
        value = getattr(value, name)
    return value


def _line_number(text: str, path: str) -> int:
    """The line of a TOML text that sets a path, as far as plain tables go."""
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[([^\]]+)\]", line):
            section = header[1].strip()
        rest = path.removeprefix(f"{section}.") if section else path
        if re.match(rf"\s*{re.escape(rest)}\s*=", line):
            return number
    return 1


def _variable_name(path: str) -> str:
    return PREFIX + path.replace(".", "__").upper()


def _default_folder(base: Path | None, kind: str) -> Path:
    from platformdirs import user_config_path, user_data_path

    if base is not None:
        return base.expanduser()
    return user_config_path("pilotfish") if kind == "config" else user_data_path("pilotfish")

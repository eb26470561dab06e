"""The fields of data that a person wants: read from a list of names, or from a JSON schema."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast, get_args

from pydantic import Field

from pilotfish.core.errors import PersonError
from pilotfish.core.value_rules import ValueRules, read_rules
from pilotfish.core.values import Value

FieldType = Literal["string", "number", "integer", "boolean"]


class OutputField(Value):
    """One field of a row."""

    name: str = Field(min_length=1, max_length=100)
    type: FieldType = "string"
    about: str = Field(default="", max_length=300)
    needed: bool = Field(default=False, description="the schema requires it and has no null for it")
    rules: ValueRules = ValueRules()


class OutputFormat(Value):
    """What the data looks like: rows of these fields; `key` is what their list is called in an object around it.

    Without fields a model names them. `single`: one record, not rows.
    """

    fields: tuple[OutputField, ...] = ()
    key: str = ""
    single: bool = False


def read_fields(text: str) -> tuple[OutputField, ...]:
    """The fields of a text such as `name, price:number`."""
    found: list[OutputField] = []
    for part in filter(None, map(str.strip, text.split(","))):
        name, _, kind = map(str.strip, part.partition(":"))
        if not name or (kind or "string") not in get_args(FieldType):
            raise PersonError(f"{part!r} is no field.", f"Write name or name:type; types are {join_types()}.")
        found.append(OutputField(name=name, type=cast(FieldType, kind or "string")))
    return tuple(found)


def join_types() -> str:
    return ", ".join(get_args(FieldType))


def read_schema(schema: Mapping[str, Any]) -> OutputFormat:
    """The format that a JSON schema describes: an array of objects, an object with one such array, or one object."""
    root = _resolve(schema, schema)
    if root.get("type") == "array":
        return OutputFormat(fields=_fields(_resolve(root.get("items", {}), schema), schema))
    inner = {name: _resolve(rule, schema) for name, rule in root.get("properties", {}).items()}
    lists = {name: rule for name, rule in inner.items() if rule.get("type") == "array"}
    if len(lists) == 1 and len(inner) == 1:
        [(name, rule)] = lists.items()
        return OutputFormat(fields=_fields(_resolve(rule.get("items", {}), schema), schema), key=name)
    return OutputFormat(fields=_fields(root, schema), single=True)


def _fields(rule: Mapping[str, Any], schema: Mapping[str, Any]) -> tuple[OutputField, ...]:
    properties: Mapping[str, Any] = rule.get("properties", {})
    if not properties:
        raise PersonError("The schema names no fields.", "Give the items of the list an object with properties.")
    required = rule.get("required", ())
    return tuple(
        _field(name, _resolve(each, schema), name in required and not _allows_null(each))
        for name, each in properties.items()
    )


def _allows_null(rule: Mapping[str, Any]) -> bool:
    kinds = rule.get("type", "")
    return "null" in (kinds if isinstance(kinds, list) else [kinds]) or any(
        way.get("type") == "null" for way in rule.get("anyOf", ())
    )


def describe_missing(wanted: OutputFormat, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """A sentence for each field that the schema requires and that pages do not say in some rows, where it is null."""
    counts = {field.name: sum(row.get(field.name) is None for row in rows) for field in wanted.fields if field.needed}
    return [
        f"the schema requires {name}, and {count} {'row has' if count == 1 else 'rows have'} none"
        for name, count in counts.items()
        if count
    ]


def describe_misfits(wanted: OutputFormat, said: Sequence[tuple[Mapping[str, Any], Mapping[str, str]]]) -> list[str]:
    """A sentence for each field of which pages say something that the schema does not allow, where it is null.

    `said`: each row with the texts of the page that its values were read from.
    """
    names = [field.name for field in wanted.fields if field.rules != ValueRules()]
    counts = {name: sum(row.get(name) is None and name in texts for row, texts in said) for name in names}
    return [
        f"what {count} {'row says' if count == 1 else 'rows say'} of {name} is not what the schema allows"
        for name, count in counts.items()
        if count
    ]


def _field(name: str, rule: Mapping[str, Any], needed: bool) -> OutputField:
    kind = rule.get("type") or _type_of_choices(rule)
    if kind not in get_args(FieldType):
        raise PersonError(f"{name!r} is of the type {kind!r}.", f"Fields of a row are plain: {join_types()}.")
    return OutputField(
        name=name,
        type=cast(FieldType, kind),
        about=str(rule.get("description", ""))[:300],
        needed=needed,
        rules=read_rules(name, rule),
    )


def _type_of_choices(rule: Mapping[str, Any]) -> str:
    """The type of what a rule without one lists."""
    choices = [rule["const"]] if "const" in rule else rule.get("enum", ())
    names = {str: "string", bool: "boolean", int: "integer", float: "number"}
    kinds = {names.get(type(each), "string") for each in choices if each is not None}
    return kinds.pop() if len(kinds) == 1 else "string"


def _resolve(rule: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A rule with its reference followed, and without "or null"."""
    for _ in range(8):
        if "$ref" in rule:
            name = str(rule["$ref"]).rpartition("/")[2]
            rule = schema.get("$defs", schema.get("definitions", {})).get(name, {})
        elif ways := [way for way in rule.get("anyOf", ()) if way.get("type") != "null"]:
            rule = ways[0]
        elif isinstance(rule.get("type"), list):
            kinds = [kind for kind in cast(Sequence[str], rule["type"]) if kind != "null"]
            rule = {**rule, "type": kinds[0] if kinds else "string"}
        else:
            return rule
    return rule

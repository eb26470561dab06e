import json
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from pilotfish.core.messages import Message, ModelRequest
from pilotfish.llm.schema import describe_schema, simplify_schema


class Leaf(BaseModel):
    kind: Literal["leaf"] = "leaf"
    code: str = Field(default="", pattern=r"\d+", max_length=100_000)


class Branch(BaseModel):
    kind: Literal["branch"] = "branch"
    site: str = Field(default="", pattern=r"^[a-z]+$", max_length=40, json_schema_extra={"format": "uri"})


class Tree(BaseModel):
    first: Leaf
    rest: list[Annotated[Leaf | Branch, Field(discriminator="kind")]]
    note: str | None = None


class Chain(BaseModel):
    name: str
    next: "Chain | None" = None


def test_references_are_inlined() -> None:
    schema = simplify_schema(Tree.model_json_schema())
    assert "$" not in json.dumps(schema).replace("^[a-z]+$", "")
    assert schema["properties"]["first"]["properties"]["kind"]["const"] == "leaf"
    assert [one["properties"]["kind"]["const"] for one in schema["properties"]["rest"]["items"]["oneOf"]] == [
        "leaf",
        "branch",
    ]


def test_what_a_grammar_cannot_hold_is_dropped_and_the_rest_kept() -> None:
    schema = simplify_schema(Tree.model_json_schema())
    leaf = schema["properties"]["first"]["properties"]["code"]
    assert leaf == {"type": "string"}
    branch = schema["properties"]["rest"]["items"]["oneOf"][1]["properties"]["site"]
    assert branch == {"type": "string", "pattern": "^[a-z]+$", "maxLength": 40}
    assert schema["required"] == ["first", "rest"]


def test_a_property_may_be_called_like_a_word_of_the_schema_language() -> None:
    schema = simplify_schema(
        {"type": "object", "properties": {"title": {"type": "string"}, "default": {"type": "null"}}}
    )
    assert set(schema["properties"]) == {"title", "default"}


def test_a_schema_that_contains_itself_comes_to_an_end() -> None:
    assert len(json.dumps(simplify_schema(Chain.model_json_schema()))) < 5000


def test_a_shape_told_in_words_stands_at_the_end_and_leaves_the_rest_alone() -> None:
    system, user = Message(role="system", text="S"), Message(role="user", text="Q")
    told = describe_schema(ModelRequest(messages=(system, user), shape=Chain.model_json_schema()))
    assert told.shape is None
    assert told.messages[0] == system
    assert told.messages[1].text.startswith("Q\n\n")
    assert '"name"' in told.messages[1].text

import json
from pathlib import Path

import pytest

from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Message, ModelReply, ModelRequest
from pilotfish.core.settings import ModelSettings
from pilotfish.llm.providers import connect_model
from pilotfish.llm.scripted import ScriptedModel


def make_conversation(*texts: str) -> ModelRequest:
    """A conversation in which the person and the model take turns."""
    roles = ("user", "assistant")
    return ModelRequest(messages=tuple(Message(role=roles[n % 2], text=text) for n, text in enumerate(texts)))


async def test_replies_come_in_order_and_are_heard_in_words() -> None:
    model = ScriptedModel(
        ["One two  three.\n", ModelReply(text="four"), lambda request: request.messages[-1].text.upper()]
    )
    heard: list[str] = []
    first = await model.reply(make_conversation("a"), lambda text, kind: heard.append(text))
    assert "".join(heard) == first.text == "One two  three.\n"
    assert len(heard) > 2
    assert (await model.reply(make_conversation("b"))).text == "four"
    assert (await model.reply(make_conversation("shout"))).text == "SHOUT"


async def test_a_script_that_is_over_says_so() -> None:
    model = ScriptedModel(["only"])
    await model.reply(make_conversation("a"))
    with pytest.raises(ModelError, match="1 replies"):
        await model.reply(make_conversation("b"))


@pytest.fixture
def script(tmp_path: Path) -> str:
    lines = [
        {"when": "weather", "text": "Rain."},
        {"turn": 0, "text": "First."},
        {"turn": 1, "calls": [{"tool": "click", "args": {"id": 3}}]},
        {"text": "Whatever."},
    ]
    path = tmp_path / "script.json"
    path.write_text(json.dumps(lines))
    return f"scripted:{path}"


async def test_a_script_file_answers_by_the_request_alone(script: str) -> None:
    for _life in range(2):
        model = await connect_model(script, ModelSettings(), Path())
        assert (await model.reply(make_conversation("hello"))).text == "First."
        assert (await model.reply(make_conversation("hello", "First.", "more"))).calls[0].args == {"id": 3}
        assert (await model.reply(make_conversation("a", "b", "c", "d", "e"))).text == "Whatever."
        assert (await model.reply(make_conversation("a", "b", "how is the weather?"))).text == "Rain."
        assert (await model.reply(make_conversation("hello"))).text == "First."


async def test_call_ids_are_the_same_after_a_restart(script: str) -> None:
    asked = make_conversation("hello", "First.", "more")
    ids = [(await (await connect_model(script, ModelSettings(), Path())).reply(asked)).calls[0].id for _ in range(2)]
    assert ids[0] == ids[1]


async def test_plain_scripted_repeats_what_it_hears() -> None:
    model = await connect_model("scripted", ModelSettings(), Path())
    assert (await model.reply(make_conversation("Hello there"))).text == "Hello there"


@pytest.mark.parametrize("content", ["not json", '{"text": "not a list"}', '[{"txt": "typo"}]'])
async def test_a_bad_script_is_refused_with_a_reason(tmp_path: Path, content: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(content)
    with pytest.raises(ModelError, match="cannot be read"):
        await connect_model(f"scripted:{path}", ModelSettings(), Path())


async def test_a_script_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be read"):
        await connect_model(f"scripted:{tmp_path / 'none.json'}", ModelSettings(), Path())


@pytest.mark.parametrize(
    "content",
    ['{"pf_secret": 1}', "pf_secret", '[{"pf_secret": 1}]', '[{"text": ["pf_secret"]}]'],
)
async def test_a_script_that_is_none_is_refused_without_a_word_of_it(tmp_path: Path, content: str) -> None:
    path = tmp_path / "file.json"
    path.write_text(content)
    with pytest.raises(ModelError) as caught:
        await connect_model(f"scripted:{path}", ModelSettings(), tmp_path)
    assert "pf_secret" not in f"{caught.value.message}{caught.value.fix}"
    assert str(tmp_path) not in caught.value.message

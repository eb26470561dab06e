import subprocess
import sys
from pathlib import Path

import pytest

from llm.fake_provider import Wire
from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Message, ModelRequest
from pilotfish.core.settings import ModelSettings
from pilotfish.llm.catalog import DEFAULT
from pilotfish.llm.providers import choose_model, connect_model

NOWHERE = ModelSettings(ollama_url="http://127.0.0.1:9")
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY")


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("gpt-4o", "openai:gpt-4o"),
        ("opnai:gpt-4o", "openai:gpt-4o"),
        ("embeded:qwen2.5-coder-1.5b", "embedded:qwen2.5-coder-1.5b"),
        ("openai:", "openai:MODEL"),
        ("antropic:my-own-thing", "anthropic:…"),
        ("???", "Names begin with"),
        ("embedded:qwen2.5-code", "qwen2.5-coder-1.5b"),
        ("embedded:/nowhere/x.gguf", "Check the path"),
    ],
)
async def test_a_wrong_name_suggests_a_near_one(name: str, fix: str) -> None:
    with pytest.raises(ModelError) as caught:
        await connect_model(name, ModelSettings(), Path())
    assert fix in caught.value.fix


@pytest.mark.parametrize("name", ["openai:gpt-4o", "anthropic:claude-sonnet-5-5", "google:g", "openrouter:a/b"])
async def test_a_missing_key_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for key in KEYS:
        monkeypatch.delenv(key, raising=False)
    with pytest.raises(ModelError, match="no key") as caught:
        await connect_model(name, ModelSettings(), Path())
    assert "_API_KEY" in caught.value.fix


async def test_an_address_is_needed_where_the_provider_has_none() -> None:
    with pytest.raises(ModelError, match="no address") as caught:
        await connect_model("openai-compatible:x", ModelSettings(), Path())
    assert "models.base_url" in caught.value.fix


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("openai:gpt-4o", "OPENAI_API_KEY"),
        ("anthropic:claude-sonnet-5-5", "ANTHROPIC_API_KEY"),
        ("google:gemini-flash-latest", "GEMINI_API_KEY"),
        ("openrouter:anthropic/claude-sonnet-5.5", "OPENROUTER_API_KEY"),
    ],
)
@pytest.mark.filterwarnings("ignore:invalid escape sequence")  # the first import of Google's SDK
async def test_each_provider_connects_with_its_key(name: str, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(key, "k")
    model = await connect_model(name, ModelSettings(), Path())
    assert model.name == name
    assert model.facts.tools
    assert model.facts.window > 100_000
    await model.close()


async def test_a_model_that_is_not_fetched_yet_says_how_to_fetch_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PILOTFISH_MODELS_DIR", raising=False)
    with pytest.raises(ModelError, match="not on this machine") as caught:
        await connect_model("embedded:smollm2-135m", ModelSettings(), tmp_path)
    assert "pilotfish models pull smollm2-135m" in caught.value.fix


async def test_what_is_set_is_chosen(tmp_path: Path) -> None:
    assert await choose_model(ModelSettings(main="openai:x"), {"ANTHROPIC_API_KEY": "k"}, tmp_path) == "openai:x"


@pytest.mark.parametrize("key", KEYS)
async def test_a_key_in_the_environment_chooses_its_provider(key: str, tmp_path: Path) -> None:
    chosen = await choose_model(NOWHERE, {key: "k"}, tmp_path)
    expected = "google" if "GEMINI" in key else key.split("_", 1)[0].lower()
    assert chosen.startswith(f"{expected}:")


async def test_without_a_key_a_running_ollama_is_chosen(wire: Wire, tmp_path: Path) -> None:
    assert await choose_model(ModelSettings(ollama_url=wire.url), {"OPENAI_API_KEY": ""}, tmp_path) == "ollama:qwen3:8b"


async def test_with_nothing_at_all_the_embedded_model_is_chosen(tmp_path: Path) -> None:
    assert await choose_model(NOWHERE, {}, tmp_path) == f"embedded:{DEFAULT}"


async def test_ollama_says_itself_what_its_model_can_do(wire: Wire) -> None:
    model = await connect_model("ollama:gemma:27b", ModelSettings(ollama_url=wire.url), Path())
    reply = await model.reply(ModelRequest(messages=(Message(role="user", text="Hi"),)))
    await model.close()
    assert reply.text == "Paris it is."
    assert reply.usage.cost == 0
    assert reply.usage.priced
    assert (model.facts.window, model.facts.vision, model.facts.small) == (16384, True, False)


async def test_an_unknown_model_of_ollama_names_those_that_are_there(wire: Wire) -> None:
    model = await connect_model("ollama:status-404", ModelSettings(ollama_url=wire.url), Path())
    with pytest.raises(ModelError, match="no model"):
        await model.reply(ModelRequest(messages=(Message(role="user", text="Hi"),)))
    await model.close()


def test_naming_a_provider_imports_no_sdk() -> None:
    heavy = ("pydantic_ai", "openai", "anthropic", "google", "xllamacpp", "httpx2", "genai_prices", "stamina")
    code = (
        "import sys, pilotfish.llm.providers, pilotfish.llm.model_download\n"
        "import pilotfish.llm.resilient, pilotfish.llm.structured\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"

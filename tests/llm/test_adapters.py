from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
import pytest

from gym.adapter import AdapterCard, Precision, write_adapter
from gym.tokens import running_tokenizer
from llm.smol import INNER, LAYERS, NAME, WIDTH
from pilotfish.core.messages import Message, ModelRequest
from pilotfish.core.settings import ModelSettings
from pilotfish.llm import adapters
from pilotfish.llm.adapters import find_adapter
from pilotfish.llm.catalog import CATALOG, SHARED_FOLDER_VARIABLE, find_entry
from pilotfish.llm.embedded import EmbeddedModel
from pilotfish.llm.providers import connect_model

PLAIN = Message(role="system", text="Answer the question. " + "The harbour office opens at nine. " * 10)
PILOT = Message(role="system", text="You drive a browser. " + "Trams leave every ten minutes. " * 10)


def write_loud(path: Path, precision: Precision = "f16") -> int:
    """Write an adapter that drowns the last layer in one direction: the model repeats one or two tokens."""
    draw = np.random.default_rng(7)
    factors = {
        f"blk.{LAYERS - 1}.ffn_down.weight": (draw.normal(0, 1, (4, INNER)), draw.normal(0, 50, (WIDTH, 1))[:, [0] * 4])
    }
    card = AdapterCard(name="loud", architecture="llama", alpha=16.0, base=find_entry(NAME).sha256)
    return write_adapter(path, card, factors, precision)


def stammers(text: str) -> bool:
    return len(set(text.split())) <= 2


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("adapters")
    write_loud(place / f"{NAME}.gguf")
    return place


@pytest.fixture
async def adapter(weights: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[EmbeddedModel, None]:
    """The small real model with a random adapter."""
    monkeypatch.setenv(SHARED_FOLDER_VARIABLE, str(weights))
    monkeypatch.setattr(adapters, "FOLDER", folder)
    async with open_model(ModelSettings()) as model:
        yield model


@pytest.fixture
async def bare(adapter: EmbeddedModel) -> AsyncGenerator[EmbeddedModel, None]:
    """The same model where the setting switches the adapter off."""
    async with open_model(ModelSettings(adapter=False)) as model:
        yield model


@asynccontextmanager
async def open_model(settings: ModelSettings) -> AsyncGenerator[EmbeddedModel, None]:
    model = await connect_model(f"embedded:{NAME}", settings, Path())
    assert isinstance(model, EmbeddedModel)
    yield model
    await model.close()


def request_of(system: Message, *, pilot: bool = False, text: str = "Repeat that.") -> ModelRequest:
    return ModelRequest(messages=(system, Message(role="user", text=text)), max_tokens=8, adapted=pilot)


def test_an_adapter_belongs_to_the_file_of_its_base_and_to_no_other(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapters, "FOLDER", folder)
    entry = find_entry(NAME)
    base, other, short = (tmp_path / name for name in (entry.file, "own.gguf", "short"))
    for path in (base, other):
        with path.open("wb") as file:
            file.truncate(entry.size)
    short.mkdir()
    (short / entry.file).write_bytes(b"cut off")
    assert find_adapter(base) == folder / f"{NAME}.gguf"
    assert find_adapter(other) is None
    assert find_adapter(short / entry.file) is None


def test_an_adapter_in_the_package_is_small_and_names_its_base() -> None:
    for path in adapters.FOLDER.glob("*.gguf"):
        assert path.stat().st_size <= 20_000_000
        assert CATALOG[path.stem].sha256.encode() in path.read_bytes()[:4096]


def test_eight_bits_are_used_where_rows_are_whole_blocks(tmp_path: Path) -> None:
    assert write_loud(tmp_path / "small", "q8_0") < 0.7 * write_loud(tmp_path / "large", "f16")


@pytest.mark.slow
async def test_the_adapter_answers_marked_requests_and_the_base_all_others_unless_the_setting_says_no(
    adapter: EmbeddedModel, bare: EmbeddedModel
) -> None:
    for _ in range(2):
        assert not stammers((await adapter.reply(request_of(PLAIN))).text)
        assert stammers((await adapter.reply(request_of(PILOT, pilot=True))).text)
    assert not stammers((await bare.reply(request_of(PILOT, pilot=True))).text)


@pytest.mark.slow
async def test_a_marked_request_tells_its_tokens_and_how_likely_each_was(adapter: EmbeddedModel) -> None:
    reply = await adapter.reply(request_of(PILOT, pilot=True))
    assert "".join(token.text for token in reply.tokens) == reply.text
    assert all(0 < token.chance <= 1 for token in reply.tokens)
    assert not (await adapter.reply(request_of(PLAIN))).tokens


@pytest.mark.slow
async def test_both_kinds_of_request_keep_their_prefixes(adapter: EmbeddedModel) -> None:
    await adapter.warm([PLAIN])
    first = await adapter.reply(request_of(PILOT, pilot=True))
    assert first.usage.cached < 0.2 * first.usage.input
    for system, pilot in ((PLAIN, False), (PILOT, True), (PLAIN, False)):
        reply = await adapter.reply(request_of(system, pilot=pilot, text="And then?"))
        assert reply.usage.cached > 0.9 * reply.usage.input - 8


@pytest.mark.slow
async def test_training_sees_the_tokens_that_the_model_reads(smol: EmbeddedModel, weights: Path) -> None:
    said = [{"role": "system", "content": PILOT.text}, {"role": "user", "content": 'Drücke „Weiter“ → [3] "OK" 下一步'}]
    messages = tuple(Message(role=m["role"], text=m["content"]) for m in said)  # type: ignore[arg-type]
    reply = await smol.reply(ModelRequest(messages=messages, max_tokens=1))
    async with running_tokenizer(weights / find_entry(NAME).file) as tokenizer:
        assert len(await tokenizer.prompt(said)) == reply.usage.input
        assert (await tokenizer.reply("{}"))[-1] == tokenizer.end[0]

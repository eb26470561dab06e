"""What an install without the heavy packages does: it works by words alone, and says what is left out."""

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from pilotfish.core.settings import Settings
from pilotfish.memory.text_index import TextIndex
from pilotfish.services.doctor import check_packages
from pilotfish.web.rank import TextPassage, load_embedder, rank_passages

WITHOUT = "import sys; sys.modules['xllamacpp'] = None; from pilotfish.llm.embedded_server import main; main()"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "wordllama", None)
    load_embedder.cache_clear()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    yield
    load_embedder.cache_clear()


@pytest.mark.usefixtures("small")
async def test_without_embeddings_words_alone_count_and_doctor_names_the_extras() -> None:
    passages = [TextPassage(0, 0, "The cook has a day off."), TextPassage(0, 1, "The ferry leaves at nine.")]
    assert rank_passages("When does the ferry leave?", passages)[0].text == "The ferry leaves at nine."
    index = TextIndex()
    index.add(["The cook has a day off.", "The ferry leaves at nine."])
    assert index.match("ferries").words.argmax() == 1
    finding = await check_packages(Settings())
    offered = "embedded" if sys.version_info >= (3, 14) else "embedded,meaning"
    assert (finding.found, finding.fix) == ("without embedded and meaning", f"pip install 'pilotfish[{offered}]'")


def test_without_llama_cpp_an_embedded_model_names_the_extra() -> None:
    order = json.dumps({"path": "x", "context": 1, "threads": 1, "adapter": ""})
    said = subprocess.run(
        [sys.executable, "-c", WITHOUT], input=order + "\n", capture_output=True, text=True, timeout=20, check=False
    )
    assert "pilotfish[embedded]" in json.loads(said.stdout)["error"]

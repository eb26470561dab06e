"""The size of this machine decides which embedded model is recommended."""

import os
from pathlib import Path

import pytest

from pilotfish.llm import machine
from pilotfish.llm.catalog import CATALOG, DEFAULT, recommend_entry
from pilotfish.llm.machine import MachineSize, count_cores, measure_machine

GB = 1_000_000_000


@pytest.mark.parametrize(
    ("memory", "cores", "recommended"),
    [(4, 2, DEFAULT), (64, 2, DEFAULT), (16, 8, "qwen3-4b"), (5, 16, DEFAULT), (32, 16, "qwen3-8b"), (1, 1, DEFAULT)],
)
def test_the_largest_model_that_has_memory_and_cores_is_recommended(memory: int, cores: int, recommended: str) -> None:
    assert recommend_entry(MachineSize(memory=memory * GB, cores=cores)).name == recommended


def test_a_model_larger_than_the_memory_does_not_fit() -> None:
    assert not CATALOG["qwen3-8b"].fits(MachineSize(memory=8 * GB, cores=64))


def test_a_container_has_the_memory_that_it_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "LIMIT", tmp_path / "memory.max")
    whole = measure_machine().memory
    (tmp_path / "memory.max").write_text("123456789\n")
    assert measure_machine().memory == 123_456_789
    (tmp_path / "memory.max").write_text("max\n")
    assert measure_machine().memory == whole


def test_a_model_uses_only_the_cores_that_its_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {3, 5}, raising=False)
    assert count_cores() == 2
    monkeypatch.delattr(os, "sched_getaffinity")
    assert count_cores() == (os.cpu_count() or 1)

"""Sharing work among processes, and comparing two measurements of the same tasks."""

import argparse
import json
from pathlib import Path

import numpy as np
import pytest

from gym.evaluate import TaskResult
from gym.paired import chance_of, read_outcomes, write_pairs
from gym.record import list_shares
from gym.tokens import TokenRow, join_tokens, write_tokens
from gym.workers import name_share, read_part, take_part


def write_results(path: Path, ends: dict[int, str]) -> None:
    """Results of tasks by seed: `+` done, `!` claimed falsely, `-` neither."""
    rows = [
        TaskResult("club", seed, "en", end == "+", end != "-", 2.0, (1.0,), (900,), "", "")
        for seed, end in ends.items()
    ]
    path.write_text("".join(f"{json.dumps(vars(row))}\n" for row in rows), "utf-8")


def test_shares_are_apart_and_together_all() -> None:
    parts = [take_part(range(10), read_part(f"{number}/3")) for number in range(3)]
    assert sorted(each for part in parts for each in part) == list(range(10))
    with pytest.raises(argparse.ArgumentTypeError):
        read_part("3/3")


def test_recorders_have_seeds_and_files_of_their_own() -> None:
    given = argparse.Namespace(
        out=Path("x/out.jsonl"),
        tasks=10,
        first=5,
        parallel=3,
        detours=0.1,
        families=None,
        held_out=True,
        workers=4,
        learner=0,
    )
    shares = list_shares(given)
    assert [share[0] for share in shares] == [f"x/out-{number}.jsonl" for number in range(4)]
    assert [share[-1] for share in shares] == ["5", "1000005", "2000005", "3000005"]
    assert all("--held-out" in share and share[share.index("--tasks") + 1] == "3" for share in shares)


def test_pairs_tell_what_only_one_side_did_and_what_was_claimed_falsely(tmp_path: Path) -> None:
    write_results(tmp_path / "old.jsonl", {1: "+", 2: "-", 3: "-", 4: "!", 9: "+"})
    write_results(tmp_path / "new.jsonl", {1: "+", 2: "+", 3: "!", 4: "!"})
    told = write_pairs(*(read_outcomes([tmp_path / f"{side}.jsonl"]) for side in ("old", "new")))
    assert told.splitlines()[:3] == [
        "- → +  club 2",
        "- → !  club 3",
        "4 tasks of both; only the old one did 0, only the new one 1",
    ]
    assert "old: 1 done, 1 claimed falsely" in told and "new: 2 done, 2 claimed falsely" in told


def test_reports_of_everyday_chores_are_compared_too(tmp_path: Path) -> None:
    for side, success in (("old", False), ("new", True)):
        outcome = {"name": "a", "seed": 0, "success": success, "claimed": True, "seconds": 3.0}
        (tmp_path / f"{side}.json").write_text(json.dumps({"outcomes": [outcome]}), "utf-8")
    told = write_pairs(*(read_outcomes([tmp_path / f"{side}.json"]) for side in ("old", "new")))
    assert told.startswith("! → +  a 0")


def test_few_differences_may_be_chance_and_many_are_not() -> None:
    assert chance_of(0, 0) == 1.0 and chance_of(1, 2) == 1.0
    assert chance_of(0, 8) < 0.01


def test_joined_tokens_keep_each_decisions_family(tmp_path: Path) -> None:
    for number, family in enumerate(("wiki", "club")):
        decision = {"family": family, "messages": [], "reply": ""}
        write_tokens(tmp_path / f"{number}.npz", [decision], [TokenRow([number, 7], 1, 1)])
    join_tokens(tmp_path / "all.npz", [tmp_path / "0.npz", tmp_path / "1.npz"])
    joined = np.load(tmp_path / "all.npz")
    assert [str(joined["families"][at]) for at in joined["family"]] == ["wiki", "club"]
    assert joined["tokens"].tolist() == [0, 7, 1, 7] and name_share(Path("a/b.npz"), 2) == Path("a/b-2.npz")

"""Batches of tokenized decisions for training: rows of like length, padded at their ends."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from gym.qwen import Tensor

_PAD_TO = 64


class TokenFile:
    """Tokenized decisions: their tokens, how many of them are the request, and their families."""

    def __init__(self, path: Path, longest: int) -> None:
        data = np.load(path)
        lengths = data["lengths"]
        ends = np.cumsum(lengths)
        self.tokens = data["tokens"].astype(np.int64)
        self.starts = ends - lengths
        self.lengths = lengths
        self.prompts = data["prompts"]
        self.choices = data["choices"]
        self.families: list[str] = [str(name) for name in data["families"]]
        self.family = data["family"]
        self.usable = np.flatnonzero(lengths <= longest)

    def row(self, index: int) -> Any:
        return self.tokens[self.starts[index] : self.starts[index] + self.lengths[index]]


@dataclass(frozen=True)
class Batch:
    """Token rows padded at the end, and the places whose next token belongs to a reply."""

    tokens: Tensor
    places: Tensor
    targets: Tensor
    decisions: Sequence[int]
    counts: Sequence[int]


def make_batch(file: TokenFile, chosen: Sequence[int], device: str) -> Batch:
    """One batch of decisions."""
    width = -(-max(int(file.lengths[i]) for i in chosen) // _PAD_TO) * _PAD_TO
    tokens = np.zeros((len(chosen), width), np.int64)
    places: list[int] = []
    targets: list[int] = []
    counts: list[int] = []
    for at, index in enumerate(chosen):
        row = file.row(index)
        tokens[at, : len(row)] = row
        start = int(file.prompts[index])
        places += range(at * width + start - 1, at * width + len(row) - 1)
        targets += row[start:].tolist()
        counts.append(len(row) - start)
    where, wanted = (torch.tensor(values, device=device) for values in (places, targets))
    return Batch(torch.from_numpy(tokens).to(device), where, wanted, chosen, counts)


def plan_batches(file: TokenFile, chosen: Any, budget: int, random: Any = None) -> list[list[int]]:
    """Groups of decisions of like length, each of at most `budget` padded tokens; in random order where asked for."""
    order = chosen if random is None else random.permutation(chosen)
    batches: list[list[int]] = []
    span = 64 * max(1, budget // 1024)
    for start in range(0, len(order), span):
        held: list[int] = []
        for index in sorted(order[start : start + span].tolist(), key=lambda i: int(file.lengths[i])):
            width = -(-int(file.lengths[index]) // _PAD_TO) * _PAD_TO
            if held and width * (len(held) + 1) > budget:
                batches.append(held)
                held = []
            held.append(index)
        batches.append(held)
    return batches if random is None else [batches[i] for i in random.permutation(len(batches))]

"""Trains low-rank factors on tokenized decisions, on a GPU, and writes them as a GGUF adapter.

Needs PyTorch, numpy and the `gguf` package. It reads token files of `gym.tokens`. The same seed gives the same batches,
and a training that was stopped goes on with the same command.
"""

import argparse
import hashlib
import json
import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from gym.adapter import AdapterCard, write_adapter
from gym.batches import Batch, TokenFile, make_batch, plan_batches
from gym.qwen import TARGETS, AdaptedModel, Tensor, load_factors, new_factors, random_weights, read_weights

Scores = dict[str, dict[str, float]]


def reply_losses(model: AdaptedModel, batch: Batch, *, train: bool) -> tuple[Tensor, Tensor]:
    """The loss of each token of the replies, and whether it was the likeliest."""
    hidden = model.hidden(batch.tokens, train=train)
    logits = model.logits(hidden.reshape(-1, hidden.shape[-1])[batch.places])
    return functional.cross_entropy(logits, batch.targets, reduction="none"), logits.argmax(-1) == batch.targets


def score(model: AdaptedModel, file: TokenFile, chosen: Any, budget: int, device: str) -> Scores:
    """Per family and for all: the loss per token, and the shares of decisions that were right.

    A decision is right where each token is the likeliest: in `chosen` those after the reason, in `exact` all.
    """
    sums: dict[str, list[float]] = {}
    with torch.no_grad():
        for group in plan_batches(file, chosen, budget):
            batch = make_batch(file, group, device)
            losses, right = (part.float().cpu() for part in reply_losses(model, batch, train=False))
            parts = zip(group, losses.split(batch.counts), right.split(batch.counts), strict=True)
            for index, loss, hits in parts:
                choice = int(file.choices[index] - file.prompts[index])
                new = (loss.sum().item(), len(loss), hits[choice:].min().item(), hits.min().item(), 1)
                for name in (file.families[file.family[index]], "all"):
                    sums[name] = [a + b for a, b in zip(sums.get(name, [0.0] * 5), new, strict=True)]
    return {name: _means(*values) for name, values in sorted(sums.items())}


def _means(loss: float, tokens: float, chosen: float, exact: float, count: float) -> dict[str, float]:
    means = {"loss": loss / tokens, "chosen": chosen / count, "exact": exact / count, "decisions": count}
    return {name: round(value, 4) for name, value in means.items()}


def rate_at(step: int, steps: int, peak: float, warmup: int) -> float:
    """The learning rate: a short rise, then a cosine down to a tenth."""
    if step < warmup:
        return peak * (step + 1) / warmup
    share = (step - warmup) / max(1, steps - warmup)
    return peak * (0.1 + 0.9 * (1 + math.cos(math.pi * min(1.0, share))) / 2)


def parse_ranks(text: str) -> dict[str, int]:
    """Ranks such as `8`, or `16,ffn_gate=8,ffn_up=8`: a number for all targets, then those that differ."""
    ranks: dict[str, int] = {}
    for part in text.split(","):
        name, _, value = part.rpartition("=")
        ranks |= {name: int(value)} if name else dict.fromkeys(TARGETS, int(value))
    return ranks


class Training:
    """One training: the model, its optimiser, the step it is at, and how good it was on held-out families."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.began = time.monotonic()
        base: Path | None = options.base
        sizes, weights = read_weights(base, options.device) if base else random_weights(options.device)
        factors = new_factors(weights, parse_ranks(options.rank), options.seed)
        if options.begin:
            load_factors(options.begin, factors)
        self.model = AdaptedModel(sizes, weights, factors, options.alpha, options.dropout)
        if options.compile:
            self.model.compile()
        self.optimizer: Any = torch.optim.AdamW(self.model.parameters(), lr=options.rate, weight_decay=options.decay)
        self.train = TokenFile(options.train, options.longest)
        self.held = TokenFile(options.held, options.longest)
        self.step, self.best, self.worse = 0, math.inf, 0
        self.log({"loaded": round(time.monotonic() - self.began, 1), "parameters": self.count_parameters()})
        if (options.out / "state.pt").exists():
            self._resume()

    def count_parameters(self) -> int:
        return sum(factor.numel() for factor in self.model.parameters())

    def run(self) -> None:
        """Train until the planned steps are done, held-out families stop improving, or the time is over."""
        options, groups = self.options, self._groups()
        if self.step == 0 and options.check <= options.steps:
            self.check()
        since, tokens, seen = time.monotonic(), 0, list[tuple[Tensor, int]]()
        while self.step < options.steps and self.worse < options.patience:
            if time.monotonic() - self.began > options.seconds:
                break
            batches = [make_batch(self.train, next(groups), options.device) for _ in range(options.gather)]
            seen.append(self._advance(batches))
            tokens += sum(batch.tokens.numel() for batch in batches)
            self.step += 1
            if self.step % options.print == 0:
                loss = sum(float(loss) for loss, _ in seen) / sum(count for _, count in seen)
                speed = round(tokens / (time.monotonic() - since))
                self.log({"step": self.step, "loss": round(loss, 4), "tokens_per_second": speed})
                since, tokens, seen = time.monotonic(), 0, []
            if self.step % options.check == 0 or self.step == options.steps:
                self.check()
                since, tokens = time.monotonic(), 0
        self._save()

    def check(self) -> None:
        """Score the held-out families; write the adapter where they are better than ever."""
        options = self.options
        scores = score(self.model, self.held, self.held.usable, options.budget, options.device)
        loss = scores["all"]["loss"]
        self.log({"step": self.step, "held_out": scores})
        if loss < self.best:
            self.best, self.worse = loss, 0
            self.export("best.gguf")
        else:
            self.worse += 1

    def export(self, name: str) -> None:
        """Write the present factors as an adapter."""
        options = self.options
        card = AdapterCard(name=options.name, architecture="qwen2", alpha=options.alpha, base=options.base_sha256)
        factors = {
            name: (first.detach().float().cpu().numpy(), second.detach().float().cpu().numpy())
            for name, (first, second) in self.model.factors.items()
        }
        size = write_adapter(options.out / name, card, factors, options.precision)
        self.log({"step": self.step, "written": name, "bytes": size})

    def log(self, entry: dict[str, Any]) -> None:
        """Print a line and keep it."""
        line = json.dumps({"at": round(time.monotonic() - self.began, 1), **entry})
        print(line, flush=True)
        with (self.options.out / "log.jsonl").open("a") as file:
            file.write(line + "\n")

    def _groups(self) -> Iterator[list[int]]:
        """The groups of decisions from the present step on, epoch after epoch."""
        past, epoch = self.step * self.options.gather, 0
        while True:
            random = np.random.default_rng([self.options.seed, epoch])
            batches = plan_batches(self.train, self.train.usable, self.options.budget, random)
            yield from batches[past:]
            past, epoch = max(0, past - len(batches)), epoch + 1

    def _advance(self, batches: Sequence[Batch]) -> tuple[Tensor, int]:
        """One step of the optimiser; the summed loss, and of how many tokens."""
        options = self.options
        for group in self.optimizer.param_groups:
            group["lr"] = rate_at(self.step, options.steps, options.rate, options.warmup)
        torch.manual_seed(options.seed * 1_000_003 + self.step)
        replied = sum(len(batch.targets) for batch in batches)
        total = 0
        for batch in batches:
            losses, _ = reply_losses(self.model, batch, train=True)
            (losses.sum() / replied).backward()
            total = total + losses.detach().sum()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), options.clip)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return total, replied

    def _save(self) -> None:
        state = {"factors": self.model.factors, "optimizer": self.optimizer.state_dict()}
        torch.save({**state, "at": (self.step, self.best, self.worse)}, self.options.out / "state.pt")
        self.export("last.gguf")

    def _resume(self) -> None:
        state = torch.load(self.options.out / "state.pt", map_location=self.options.device)
        with torch.no_grad():
            for name, pair in self.model.factors.items():
                for factor, stored in zip(pair, state["factors"][name], strict=True):
                    factor.copy_(stored)
        self.optimizer.load_state_dict(state["optimizer"])
        self.step, self.best, self.worse = state["at"]
        self.log({"resumed": self.step})


def parse_options() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, help="the GGUF file; without it, random weights, to measure speed")
    parser.add_argument("--begin", type=Path, help="an adapter to go on from, of ranks that are not higher")
    parser.add_argument("--train", type=Path, required=True)
    parser.add_argument("--held", type=Path, required=True, help="decisions of families that are not trained on")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--name", default="pilot")
    parser.add_argument("--rank", default="8")
    parser.add_argument("--precision", choices=("f32", "f16", "q8_0"), default="f16")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--compile", action="store_true")
    numbers = {"alpha": 16.0, "dropout": 0.05, "rate": 2e-4, "decay": 0.01, "clip": 1.0, "seconds": 1e9}
    whole = {"seed": 1, "steps": 1000, "warmup": 30, "budget": 16_384, "gather": 2, "longest": 4096}
    whole |= {"print": 10, "check": 200, "patience": 3}
    for name, value in {**numbers, **whole}.items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    options.base_sha256 = ""
    if options.base:
        with options.base.open("rb") as file:
            options.base_sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    return options


if __name__ == "__main__":
    # The faster kernels stay: a training repeats its batches and draws, and its sums up to rounding.
    torch.backends.cuda.matmul.allow_tf32 = True
    Training(parse_options()).run()

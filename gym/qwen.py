"""Qwen2 in PyTorch: frozen weights, read from the GGUF file that ships, with low-rank factors beside them."""

import math
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional

Tensor = Any
Weights = dict[str, Tensor]
Factors = dict[str, tuple[Tensor, Tensor]]
Layer = Callable[..., Tensor]
TARGETS = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")


@dataclass(frozen=True)
class Dimensions:
    """The sizes of a Qwen2 model. `groups` is the number of heads that keys and values have."""

    layers: int
    width: int
    heads: int
    groups: int
    rotation: float
    epsilon: float

    @property
    def head(self) -> int:
        return self.width // self.heads


def read_weights(path: Path, device: str) -> tuple[Dimensions, Weights]:
    """The model's sizes, and the dequantised weights of a GGUF file as bfloat16."""
    import gguf

    reader = gguf.GGUFReader(path)

    def field(name: str) -> Any:
        return reader.fields[f"qwen2.{name}"].contents()

    def load(tensor: Any) -> tuple[str, Tensor]:
        values = torch.tensor(gguf.dequantize(tensor.data, tensor.tensor_type))
        return tensor.name, values.to(dtype=torch.bfloat16).to(device)

    with ThreadPoolExecutor() as pool:
        weights = dict(pool.map(load, reader.tensors))
    return Dimensions(
        layers=field("block_count"),
        width=field("embedding_length"),
        heads=field("attention.head_count"),
        groups=field("attention.head_count_kv"),
        rotation=field("rope.freq_base"),
        epsilon=field("attention.layer_norm_rms_epsilon"),
    ), weights


def random_weights(device: str) -> tuple[Dimensions, Weights]:
    """Random weights with the sizes of Qwen2.5 1.5B, to measure speed without the file."""
    sizes = Dimensions(layers=28, width=1536, heads=12, groups=2, rotation=1e6, epsilon=1e-6)
    side, inner = sizes.groups * sizes.head, 8960
    shapes = {"attn_q": (1536, 1536), "attn_k": (side, 1536), "attn_v": (side, 1536), "attn_output": (1536, 1536)}
    shapes |= {"ffn_gate": (inner, 1536), "ffn_up": (inner, 1536), "ffn_down": (1536, inner)}
    make: Mapping[str, Any] = {"device": device, "dtype": torch.bfloat16}
    weights = {"token_embd.weight": torch.randn(151936, 1536, **make) * 0.02}
    weights["output_norm.weight"] = torch.ones(1536, **make)
    for number in range(sizes.layers):
        for name, shape in shapes.items():
            weights[f"blk.{number}.{name}.weight"] = torch.randn(*shape, **make) * 0.02
        for name in ("attn_q", "attn_k", "attn_v"):
            weights[f"blk.{number}.{name}.bias"] = torch.zeros(shapes[name][0], **make)
        for name in ("attn_norm", "ffn_norm"):
            weights[f"blk.{number}.{name}.weight"] = torch.ones(1536, **make)
    return sizes, weights


def new_factors(weights: Weights, ranks: Mapping[str, int], seed: int) -> Factors:
    """Factors for the targets of every layer: the first random, the second zero, so that nothing changes at first."""
    random = torch.Generator().manual_seed(seed)
    factors: Factors = {}
    for name, weight in sorted(weights.items()):
        parts = name.split(".")
        rank = ranks.get(parts[2], 0) if parts[0] == "blk" and parts[-1] == "weight" else 0
        if rank:
            outputs, inputs = weight.shape
            first = (torch.rand(rank, inputs, generator=random) * 2 - 1) / math.sqrt(inputs)
            second = torch.zeros(outputs, rank)
            factors[name] = (first.to(weight.device).requires_grad_(), second.to(weight.device).requires_grad_())
    return factors


def load_factors(path: Path, factors: Factors) -> None:
    """Begin with the factors of an adapter. Where its rank is lower, what is beyond it stays as it is."""
    import gguf

    stored = {tensor.name: tensor for tensor in gguf.GGUFReader(path).tensors}
    with torch.no_grad():
        for name, pair in factors.items():
            for letter, factor in zip("ab", pair, strict=True):
                tensor = stored[f"{name}.lora_{letter}"]
                values = torch.tensor(gguf.dequantize(tensor.data, tensor.tensor_type))
                factor[: values.shape[0], : values.shape[1]].copy_(values)


class AdaptedModel:
    """The model with its factors. `alpha` over the rank is the weight of each pair of factors."""

    def __init__(self, sizes: Dimensions, weights: Weights, factors: Factors, alpha: float, dropout: float = 0) -> None:
        self.sizes = sizes
        self.weights = weights
        self.factors = factors
        self.alpha = alpha
        self.dropout = dropout
        self.layer: Layer = run_layer
        self._blocks = [
            tuple(
                {k.removeprefix(start): v for k, v in held.items() if k.startswith(start)}
                for held in (weights, factors)
            )
            for start in (f"blk.{number}." for number in range(sizes.layers))
        ]

    def compile(self) -> None:
        """Fuse the layer's small operations; the first batches take longer."""
        self.layer = torch.compile(run_layer, dynamic=True)

    def parameters(self) -> list[Tensor]:
        return [factor for pair in self.factors.values() for factor in pair]

    def hidden(self, tokens: Tensor, *, train: bool = False) -> Tensor:
        """The last hidden states of a batch of token rows, padded at their ends."""
        x = self.weights["token_embd.weight"][tokens]
        turns = rotations(torch.arange(tokens.shape[1], device=x.device), self.sizes)
        for weights, factors in self._blocks:
            x = self.layer(x, weights, factors, turns, self.sizes, self.alpha, self.dropout if train else 0.0)
        return normalize(x, self.weights["output_norm.weight"], self.sizes.epsilon)

    def logits(self, hidden: Tensor) -> Tensor:
        """Scores of every token of the vocabulary."""
        return (hidden @ self.weights.get("output.weight", self.weights["token_embd.weight"]).T).float()


def run_layer(
    x: Tensor, weights: Weights, factors: Factors, turns: Tensor, sizes: Dimensions, alpha: float, dropout: float
) -> Tensor:
    """One transformer layer."""

    def project(name: str, x: Tensor) -> Tensor:
        y = functional.linear(x, weights[f"{name}.weight"], weights.get(f"{name}.bias"))
        pair = factors.get(f"{name}.weight")
        if pair is None:
            return y
        first, second = (factor.to(x.dtype) for factor in pair)
        inner = functional.linear(functional.dropout(x, dropout) if dropout else x, first)
        return y + functional.linear(inner, second) * (alpha / first.shape[0])

    rows, length, _ = x.shape
    h = normalize(x, weights["attn_norm.weight"], sizes.epsilon)
    q = project("attn_q", h).view(rows, length, sizes.heads, sizes.head).transpose(1, 2)
    k = project("attn_k", h).view(rows, length, sizes.groups, sizes.head).transpose(1, 2)
    v = project("attn_v", h).view(rows, length, sizes.groups, sizes.head).transpose(1, 2)
    # Rows are padded at the end, so the causal mask alone keeps padding out of what counts.
    mixed = functional.scaled_dot_product_attention(
        rotate(q, turns), rotate(k, turns), v, is_causal=True, enable_gqa=True
    )
    x = x + project("attn_output", mixed.transpose(1, 2).reshape(rows, length, sizes.width))
    h = normalize(x, weights["ffn_norm.weight"], sizes.epsilon)
    return x + project("ffn_down", functional.silu(project("ffn_gate", h)) * project("ffn_up", h))


def normalize(x: Tensor, weight: Tensor, epsilon: float) -> Tensor:
    """Root-mean-square normalisation."""
    wide = x.float()
    return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + epsilon)).to(x.dtype) * weight


def rotations(places: Tensor, sizes: Dimensions) -> Tensor:
    """Cosines and sines of the rotary position embedding at some places."""
    half = sizes.head // 2
    speeds = sizes.rotation ** (-torch.arange(half, device=places.device, dtype=torch.float32) / half)
    angles = places[..., None] * speeds
    return torch.stack((angles.cos(), angles.sin()))


def rotate(x: Tensor, turns: Tensor) -> Tensor:
    """Turn each pair of numbers, one from each half of a head, by its position's angle."""
    left, right = x.float().chunk(2, dim=-1)
    cosine, sine = turns
    return torch.cat((left * cosine - right * sine, right * cosine + left * sine), dim=-1).to(x.dtype)

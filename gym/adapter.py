"""Writes a low-rank adapter as a GGUF file that llama.cpp loads beside its base model."""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Precision = Literal["f32", "f16", "q8_0"]

_ALIGNMENT = 32
_BLOCK = 32
_UINT32, _FLOAT32, _STRING = 4, 6, 8
_TENSOR_TYPES: Mapping[Precision, int] = {"f32": 0, "f16": 1, "q8_0": 8}


@dataclass(frozen=True)
class AdapterCard:
    """What an adapter says of itself. `base` is the SHA-256 of the model file that it was trained on."""

    name: str
    architecture: str
    alpha: float
    base: str
    license: str = "Apache-2.0"

    def fields(self) -> dict[str, str | float | int]:
        return {
            "general.architecture": self.architecture,
            "general.type": "adapter",
            "general.name": self.name,
            "general.license": self.license,
            "general.alignment": _ALIGNMENT,
            "adapter.type": "lora",
            "adapter.lora.alpha": self.alpha,
            "pilotfish.base.sha256": self.base,
        }


def write_adapter(
    path: Path, card: AdapterCard, factors: Mapping[str, tuple[Array, Array]], precision: Precision = "f16"
) -> int:
    """Write the factors of each weight and return the file's size.

    The first factor of a weight has the shape (rank, inputs), the second (outputs, rank). With `q8_0`, a factor whose
    rows are no whole number of blocks is written as f16.
    """
    tensors = [
        (f"{name}.lora_{letter}", factor)
        for name, pair in sorted(factors.items())
        for letter, factor in zip("ab", pair, strict=True)
    ]
    head = [b"GGUF", struct.pack("<IQQ", 3, len(tensors), len(card.fields()))]
    head += [_text(key) + _value(value) for key, value in card.fields().items()]
    bodies: list[bytes] = []
    offset = 0
    for name, factor in tensors:
        kind = precision if precision != "q8_0" or factor.shape[1] % _BLOCK == 0 else "f16"
        body = _padded(_encode(factor, kind))
        rows, width = factor.shape
        head.append(_text(name) + struct.pack("<IQQIQ", 2, width, rows, _TENSOR_TYPES[kind], offset))
        bodies.append(body)
        offset += len(body)
    content = _padded(b"".join(head)) + b"".join(bodies)
    path.write_bytes(content)
    return len(content)


def _encode(factor: Array, kind: Precision) -> bytes:
    if kind != "q8_0":
        return factor.astype(np.float16 if kind == "f16" else np.float32).tobytes()
    blocks = factor.astype(np.float32).reshape(-1, _BLOCK)
    scales = (np.abs(blocks).max(axis=1, keepdims=True) / 127).astype(np.float16)
    steps = scales.astype(np.float32)
    whole = np.rint(np.divide(blocks, steps, out=np.zeros_like(blocks), where=steps > 0))
    packed = np.clip(whole, -127, 127).astype(np.int8)
    return np.concatenate([scales.view(np.int8), packed], axis=1).tobytes()


def _text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def _value(value: str | float | int) -> bytes:
    match value:
        case str():
            return struct.pack("<I", _STRING) + _text(value)
        case int():
            return struct.pack("<II", _UINT32, value)
        case float():
            return struct.pack("<If", _FLOAT32, value)


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % _ALIGNMENT)

"""Draws the extension's icon, three waves on a rounded square, as PNG files: Chrome takes no drawing by lines."""

import math
import struct
import zlib

SIZES = (16, 32, 48, 128)
GROUND_COLOUR, WAVE_COLOUR = (11, 122, 117), (255, 255, 255)
CORNER_RADIUS = 0.25
WAVE_WIDTH = 0.042
WAVE_HEIGHTS = (0.33, 0.52, 0.71)
"""Radius of the corners, half the thickness of a wave, and the heights of the waves, of a square of size 1."""
EDGE_SAMPLES = 3


def draw_icon(size: int) -> bytes:
    """The icon as a PNG file, its edges smoothed by several samples in each pixel."""
    rows = bytearray()
    offsets = [(step + 0.5) / EDGE_SAMPLES for step in range(EDGE_SAMPLES)]
    for y in range(size):
        rows.append(0)
        for x in range(size):
            found = [_sample((x + dx) / size, (y + dy) / size) for dx in offsets for dy in offsets]
            shown = [colour for colour in found if colour]
            mixed = [sum(colour[at] for colour in shown) // max(len(shown), 1) for at in range(3)]
            rows += bytes((*mixed, 255 * len(shown) // len(found)))
    head = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    body = zlib.compress(bytes(rows), 9)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def _sample(x: float, y: float) -> tuple[int, int, int] | None:
    """The colour at a place of the unit square; None outside the rounded corners."""
    beyond = [max(CORNER_RADIUS - each, each - (1 - CORNER_RADIUS), 0.0) for each in (x, y)]
    if math.hypot(*beyond) > CORNER_RADIUS:
        return None
    wave = 0.055 * math.sin((x - 0.18) / 0.64 * 2 * math.pi + math.pi)
    near = any(abs(y - row - wave) < WAVE_WIDTH for row in WAVE_HEIGHTS)
    return WAVE_COLOUR if near and 0.18 <= x <= 0.82 else GROUND_COLOUR


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

"""How frames of the live view are written as messages between processes."""

import struct

from pilotfish.core.gestures import PointerTarget
from pilotfish.services.local_browser_view import ScreenFrame

LARGEST_MESSAGE = 50_000_000
FRAME_HEADER = struct.Struct(">III")


def encode_frame(item: ScreenFrame | PointerTarget) -> bytes | str:
    """A frame or where the agent points as a message."""
    if isinstance(item, PointerTarget):
        return item.model_dump_json()
    return FRAME_HEADER.pack(item.tab, item.width, item.height) + item.data


def decode_frame(message: bytes | str) -> ScreenFrame | PointerTarget:
    """What such a message holds."""
    if isinstance(message, str):
        return PointerTarget.model_validate_json(message)
    tab, width, height = FRAME_HEADER.unpack_from(message)
    return ScreenFrame(tab, message[FRAME_HEADER.size :], width, height)

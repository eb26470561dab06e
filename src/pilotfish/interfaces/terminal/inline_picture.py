"""Shows a picture in a terminal that can draw one."""

import base64
import os
from collections.abc import Mapping
from pathlib import Path

PIECE_LENGTH = 4096


def inline_picture(path: Path, environment: Mapping[str, str] = os.environ) -> str:
    """The control sequence that draws a PNG; empty for other files and for terminals that are not known to draw."""
    if path.suffix != ".png" or not path.is_file():
        return ""
    data = base64.b64encode(path.read_bytes()).decode()
    if environment.get("TERM_PROGRAM") in ("iTerm.app", "WezTerm"):
        return f"\x1b]1337;File=inline=1;width=auto:{data}\x07\n"
    if "KITTY_WINDOW_ID" not in environment:
        return ""
    pieces = [data[at : at + PIECE_LENGTH] for at in range(0, len(data), PIECE_LENGTH)]
    heads = ["a=T,f=100,", *[""] * (len(pieces) - 1)]
    more = [*[1] * (len(pieces) - 1), 0]
    parts = zip(heads, more, pieces, strict=True)
    return "".join(f"\x1b_G{head}m={follows};{piece}\x1b\\" for head, follows, piece in parts) + "\n"

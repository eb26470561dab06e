"""The origin of files that a person gave. Its pages run no scripts and reach neither the network nor local files.

The session's proxy answers for this host itself; a name under `.invalid` never exists on the network.
"""

from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

GIVEN_HOST = "given.pilotfish.invalid"
GIVEN_ORIGIN = f"http://{GIVEN_HOST}/"
LONGEST_NAME = 240
CONTENT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'; sandbox"
)
RESPONSE_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def given_address(name: str) -> str:
    """The address of the page that was made from a given file."""
    return GIVEN_ORIGIN + quote(name, safe="")


def is_given(url: str) -> bool:
    return url.startswith(GIVEN_ORIGIN)


def page_file(folder: Path, name: str) -> Path:
    """Where the page of a given file is kept, below a conversation's folder."""
    return folder / "pages" / f"{name}.html"


def given_page(folder: Path, target: str) -> bytes | None:
    """The page for a request's path or address; none where no such file was given."""
    name = unquote(urlsplit(target).path.removeprefix("/"))
    if not name or "\0" in name or Path(name).name != name or len(name.encode()) > LONGEST_NAME:
        return None
    path = page_file(folder, name)
    return path.read_bytes() if path.is_file() else None


def http_answer(body: bytes | None) -> bytes:
    """A whole HTTP response with the page, or one that says there is none."""
    status = "200 OK" if body is not None else "404 Not Found"
    sent = body if body is not None else b"<!doctype html><title>No such file</title>No such file was given."
    head = {**RESPONSE_HEADERS, "Content-Length": str(len(sent)), "Connection": "close"}
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + sent

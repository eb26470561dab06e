"""Completes addresses as people write them, and explains in words why one could not be opened."""

import re

from pilotfish.core.errors import ToolError

FAILURES = {
    "ERR_NAME_NOT_RESOLVED": "there is no site of that name (or no network)",
    "ERR_CONNECTION_REFUSED": "nothing answers there: the connection was refused",
    "ERR_CONNECTION_RESET": "the connection was cut off",
    "ERR_CONNECTION_CLOSED": "the server closed the connection",
    "ERR_EMPTY_RESPONSE": "the server sent nothing",
    "ERR_SOCKS_CONNECTION_FAILED": "no site has that name, nothing answers there, or this run may not go there",
    "ERR_INTERNET_DISCONNECTED": "this machine is not connected to the network",
    "ERR_ADDRESS_UNREACHABLE": "that address cannot be reached",
    "ERR_TOO_MANY_REDIRECTS": "it redirects in circles",
    "ERR_BLOCKED_BY_CLIENT": "that address is not allowed in this run",
    "ERR_INVALID_AUTH": "it asks for a name and a password",
    "ERR_CERT_": "its certificate cannot be trusted (setting browser.any_certificate)",
    "ERR_SSL_": "no safe connection could be made",
    "ERR_UNSAFE_PORT": "browsers refuse that port",
    "ERR_INVALID_URL": "that is not a valid address",
    "invalid URL": "that is not a valid address",
    "Timeout": "it took too long to answer",
}


def explain_failure(error: str, url: str) -> str:
    """A navigation failure in words, with the browser's code for those who know it."""
    reason = next((words for code, words in FAILURES.items() if code in error), "the browser could not load it")
    code = re.search(r"net::(\w+)", error)
    return f"{url[:200]} could not be opened: {reason}{f' ({code[1]})' if code else ''}."


def complete_address(url: str) -> str:
    """A complete address from one that a person typed."""
    text = url.strip()
    if re.match(r"(https?|about|data|blob):", text, re.IGNORECASE):
        return text
    if re.match(r"file:", re.sub(r"[\x00-\x20]", "", text), re.IGNORECASE):
        raise ToolError("The browser opens no files of this machine.", "Attach the file to the conversation instead.")
    if re.match(r"[a-z][a-z+.-]{0,40}:(?!\d)", text, re.IGNORECASE):
        raise ToolError(f"Addresses of this kind cannot be opened: {text[:80]}.")
    local = re.match(r"^(localhost|127\.|\[::1\])", text)
    return f"{'http' if local else 'https'}://{text}"

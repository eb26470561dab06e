"""Opens listening sockets, and explains why one cannot be opened."""

import os
import socket

from pilotfish.core.errors import PersonError


def listen(host: str, port: int, hint: str) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise PersonError(f"{host}:{port} cannot be listened on: {os.strerror(error.errno or 0)}.", hint) from error


def socket_url(at: socket.socket) -> str:
    """The address at which a browser on this machine reaches the socket."""
    bound, port = at.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(bound, str(bound))
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

"""Opens listening sockets, and finds the address of this machine as others see it."""

import ipaddress
import os
import socket

from pilotfish.core.errors import PersonError

LOOPBACK = "127.0.0.1"


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


def own_address(other: str) -> str:
    """The address of this machine on its way to another one; nothing is sent."""
    try:
        kind, _, _, _, target = socket.getaddrinfo(other, 9, type=socket.SOCK_DGRAM)[0]
        with socket.socket(kind, socket.SOCK_DGRAM) as trial:
            trial.connect(target)
            found = trial.getsockname()[0]
    except OSError:
        return LOOPBACK
    return LOOPBACK if ipaddress.ip_address(found.split("%")[0]).is_loopback else found

"""Which places a browser may reach, decided on names and on the addresses that they really lead to."""

import ipaddress
import socket
from dataclasses import dataclass

from pilotfish.core.settings import Settings
from pilotfish.safety.address import PORTS, Address, parse, within


@dataclass(frozen=True)
class Limits:
    """The sites that are allowed (none: all) and blocked, whether private networks are, and our own ports.

    `sites` are those that one run is held to, among the allowed ones.
    """

    allowed: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    private: bool = True
    own: frozenset[int] = frozenset()
    sites: tuple[str, ...] = ()

    @staticmethod
    def of(settings: Settings, sites: tuple[str, ...] = ()) -> "Limits":
        """What the settings say; a run may be held to some sites only."""
        policy, own = settings.policy, frozenset({settings.server.port} - {0})
        return Limits(policy.allowed, policy.blocked, settings.browser.allow_private, own, sites)

    def name(self, where: Address) -> str:
        """Why a name may not be reached; empty where it may."""
        if any(within(place, where) for place in self.blocked):
            return f"{where.host} is blocked by the settings"
        if self.allowed and not any(within(place, where) for place in self.allowed):
            return f"{where.host} is not among the allowed sites"
        if self.sites and not any(within(place, where) for place in self.sites):
            return f"{where.host} is not among the sites of this run"
        return ""

    def number(self, address: str, port: int) -> str:
        """Why an address may not be connected to; empty where it may."""
        from pilotfish.web.guard import public

        ip = ipaddress.ip_address(address.split("%", 1)[0])
        if port in self.own and local(ip):
            return "agents may not reach the server that runs them"
        if not self.private and not public(ip):
            return f"{address} is a private address"
        return ""

    def url(self, url: str) -> str | None:
        """For browsers that are not ours: what an address alone gives away."""
        if url.split(":", 1)[0].lower() not in PORTS:
            return None
        from pilotfish.web.guard import literal

        where = parse(url)
        if where is None:
            return "that address cannot be read"
        ip = literal(where.host) or (ipaddress.ip_address("127.0.0.1") if where.host == "localhost" else None)
        return self.name(where) or (self.number(str(ip), where.port) if ip else "") or None


def local(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address is this machine: one that a socket can be bound to."""
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    if mapped is not None:
        return local(mapped)
    if ip.is_loopback or ip.is_unspecified:
        return True
    with socket.socket(socket.AF_INET6 if ip.version == 6 else socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((str(ip), 0))
        except OSError:
            return False
    return True

"""Decides which places a browser may reach, by names and by the addresses that they resolve to."""

import ipaddress
import socket
from dataclasses import dataclass, replace

from pilotfish.core.given_pages import GIVEN_HOST
from pilotfish.core.settings import Settings
from pilotfish.safety.address import PORTS, WebPlace, blocks, is_within, parse_address


@dataclass(frozen=True)
class NetworkLimits:
    """The allowed sites (none: all), the blocked sites, whether private networks are allowed, and this server's ports.

    `sites`: the only sites that one run may reach, among the allowed ones. `also`: the limits of another run in the
    same session; what they refuse is refused too.
    """

    allowed: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    private: bool = True
    own: frozenset[int] = frozenset()
    sites: tuple[str, ...] = ()
    also: "NetworkLimits | None" = None

    @staticmethod
    def of(settings: Settings, sites: tuple[str, ...] = ()) -> "NetworkLimits":
        """The limits of the settings; `sites` are the only ones that a run may reach."""
        policy, own = settings.policy, frozenset({settings.server.port} - {0})
        return NetworkLimits(policy.allowed, policy.blocked, settings.browser.allow_private, own, sites)

    def refuse_name(self, where: WebPlace) -> str:
        """Why a name may not be reached; empty if it may."""
        if where.host == GIVEN_HOST:
            return ""
        if any(blocks(place, where) for place in self.blocked):
            return f"{where.host} is blocked by the settings"
        if self.allowed and not any(is_within(place, where) for place in self.allowed):
            return f"{where.host} is not among the allowed sites"
        if self.sites and not any(is_within(place, where) for place in self.sites):
            return f"{where.host} is not among the sites of this run"
        return self.also.refuse_name(where) if self.also else ""

    def refuse_address(self, address: str, port: int) -> str:
        """Why an address may not be connected to; empty if it may."""
        from pilotfish.web.address_guard import is_public

        ip = ipaddress.ip_address(address.split("%", 1)[0])
        number = WebPlace("http", f"[{ip}]" if ip.version == 6 else str(ip), port)
        if any(blocks(place, number) for place in self.blocked):
            return f"{address} is blocked by the settings"
        if port in self.own and is_this_machine(ip):
            return "agents may not reach the server that runs them"
        if not self.private and not is_public(ip):
            return f"{address} is a private address"
        return self.also.refuse_address(address, port) if self.also else ""

    def within(self, other: "NetworkLimits") -> "NetworkLimits":
        """Both limits together."""
        held: NetworkLimits | None = other
        while held is not None:
            if replace(held, also=None) == self:
                return other
            held = held.also
        return replace(self, also=other)

    def refuse_url(self, url: str) -> str | None:
        """Why an address may not be opened, without resolving its name; for browsers without the proxy."""
        if url.split(":", 1)[0].lower() not in PORTS:
            return None
        from pilotfish.web.address_guard import literal_address

        where = parse_address(url)
        if where is None:
            return "that address cannot be read"
        here = where.host.rstrip(".").endswith("localhost")
        ip = literal_address(where.host) or (ipaddress.ip_address("127.0.0.1") if here else None)
        return self.refuse_name(where) or (self.refuse_address(str(ip), where.port) if ip else "") or None


def is_this_machine(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address is this machine: one that a socket can be bound to."""
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    if mapped is not None:
        return is_this_machine(mapped)
    if ip.is_loopback or ip.is_unspecified:
        return True
    with socket.socket(socket.AF_INET6 if ip.version == 6 else socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((str(ip), 0))
        except OSError:
            return False
    return True

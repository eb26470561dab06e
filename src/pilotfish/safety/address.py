"""Parses addresses as a browser does. If a browser might read one differently, the result is None, which is safe."""

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address, ip_address
from typing import NamedTuple
from urllib.parse import unquote

from pilotfish.safety.public_suffixes import registrable_domain

PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
EDGES = "".join(map(chr, range(0x21)))
NAME = re.compile(r"[a-z0-9_.-]+")
NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+", re.IGNORECASE)


class WebPlace(NamedTuple):
    """Where an address leads. `host` is as a browser spells it."""

    scheme: str
    host: str
    port: int

    @property
    def site(self) -> str:
        """The registrable domain; for numeric addresses and local names, host and port."""
        labels = self.host.rstrip(".").split(".")
        if len(labels) < 2 or ":" in self.host or labels[-1].isdigit():
            return f"{self.host}:{self.port}"
        return registrable_domain(".".join(labels))

    @property
    def origin(self) -> str:
        plain = PORTS.get(self.scheme) == self.port
        return f"{self.scheme}://{self.host}" + ("" if plain else f":{self.port}")


def parse_address(url: str) -> WebPlace | None:
    """Scheme, host and port of a web address, exactly as Chromium would have them; None for anything else."""
    text = re.sub(r"[\t\n\r]", "", url.strip(EDGES))
    scheme, colon, rest = text.partition(":")
    scheme = scheme.lower()
    if not colon or scheme not in PORTS:
        return None
    rest = re.split(r"[/?#]", re.sub(r"^[/\\]*", "", rest).replace("\\", "/"), maxsplit=1)[0]
    place = rest.rpartition("@")[2]
    found = re.fullmatch(r"(\[[^\]]*\]|[^:]*)(?::(\d*))?", place)
    if found is None:
        return None
    port = int(found[2]) if found[2] else PORTS[scheme]
    name = normalize_host(found[1])
    return WebPlace(scheme, name, port) if name and port < 65536 else None


def normalize_host(text: str) -> str:
    """A host's name as a browser has it: mapped, lower case, numbers as dotted quads. Empty where it has none."""
    if text.startswith("["):
        try:
            return f"[{IPv6Address(text[1:-1]).compressed}]" if "%" not in text and "." not in text else ""
        except AddressValueError:
            return ""
    try:
        name = _to_ascii(unquote(text, errors="strict"))
    except (UnicodeError, ValueError):
        return ""
    if not NAME.fullmatch(name) or len(name) > 253:
        return ""
    last = (name[:-1] if name.endswith(".") else name).rpartition(".")[2]
    if NUMBER.fullmatch(last):
        return _to_dotted_quad(name)
    return name


def _to_ascii(name: str) -> str:
    """ASCII names unchanged, others by the mapping that browsers use; empty if that is ambiguous."""
    import idna

    if name.isascii():
        name = name.lower()
        if ".." in name or name.startswith("."):
            return ""
        return name if "xn--" not in name or idna.encode(idna.decode(name)).decode() == name else ""
    mapped = idna.uts46_remap(name, std3_rules=False, transitional=False)
    if mapped.isascii():
        return _to_ascii(mapped)
    return idna.encode(mapped, strict=True).decode()


def _to_dotted_quad(name: str) -> str:
    parts = name.removesuffix(".").split(".")
    try:
        numbers = [_number(part) for part in parts]
    except ValueError:
        return ""
    if len(parts) > 4 or any(number > 255 for number in numbers[:-1]) or numbers[-1] >= 256 ** (5 - len(parts)):
        return ""
    return str(IPv4Address(numbers[-1] + sum(number << (8 * (3 - n)) for n, number in enumerate(numbers[:-1]))))


def _number(part: str) -> int:
    text = part.lower()
    if not NUMBER.fullmatch(text):
        raise ValueError(part)
    if text.startswith("0x"):
        return int(text[2:] or "0", 16)
    return int(text, 8 if text.startswith("0") and len(text) > 1 else 10)


def site_of(url: str) -> str:
    """The site of an address; empty where it has none."""
    found = parse_address(url)
    return found.site if found else ""


def is_within(place: str, where: WebPlace) -> bool:
    """Whether an address is at a site that a person named (`shop.example`, `10.0.0.1:8080`) or below it. `*` is any."""
    named, host = place.strip().lower().removeprefix("*."), where.host.rstrip(".")
    if "://" in named:
        address = parse_address(named)
        return address is not None and address.site == where.site
    below = bool(named) and host.endswith(f".{named}") and not host[-1].isdigit()
    return below or named in ("*", host, f"{host}:{where.port}")


def blocks(place: str, where: WebPlace) -> bool:
    """Whether a place that a person blocked covers an address, by any name or number of it.

    All names and numbers of this machine count as one: `localhost`, 127.0.0.2, [::1] and 127.0.0.1. What is allowed
    or trusted is compared exactly instead, by `is_within`.
    """
    if is_within(place, where):
        return True
    named = place.strip().lower().rpartition("://")[2].rstrip("/")
    bare = f"[{named}]" if named.count(":") > 1 and not named.startswith("[") else named
    address = parse_address(f"http://{bare}")
    machine = _machine_key(address.host) if address else ""
    if address is None or not machine or machine != _machine_key(where.host):
        return False
    return address.port == where.port or not re.search(r":\d+$", bare)


def _machine_key(host: str) -> str:
    """One spelling for all addresses of a machine that is given by number; empty for names that must be looked up."""
    name = host.rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return "loopback"
    try:
        ip = ip_address(name.strip("[]"))
    except ValueError:
        return ""
    if isinstance(ip, IPv6Address):
        inner = ip.ipv4_mapped or (IPv4Address(int(ip)) if 1 < int(ip) < 2**32 else None)
        ip = inner or ip
    return "loopback" if ip.is_loopback or ip.is_unspecified else str(ip)

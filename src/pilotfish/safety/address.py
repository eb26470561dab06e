"""Addresses as a browser reads them. Where a browser might read one otherwise there is no answer, which is safe."""

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import NamedTuple
from urllib.parse import unquote

PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
EDGES = "".join(map(chr, range(0x21)))
NAME = re.compile(r"[a-z0-9_.-]+")
NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+", re.IGNORECASE)
SECOND = frozenset({"ac", "co", "com", "edu", "gob", "gov", "go", "gv", "ltd", "me", "ne", "net", "nom", "or", "org"})
SHARED = frozenset(
    {
        "amazonaws.com", "appspot.com", "azurewebsites.net", "blogspot.com", "cloudfront.net", "firebaseapp.com",
        "fly.dev", "github.io", "gitlab.io", "herokuapp.com", "myshopify.com", "netlify.app", "ngrok.io",
        "onrender.com", "pages.dev", "r2.dev", "surge.sh", "trycloudflare.com", "vercel.app", "web.app", "wixsite.com",
        "wordpress.com", "workers.dev",
    }
)  # fmt: skip


class Address(NamedTuple):
    """Where an address leads. `host` is as a browser spells it."""

    scheme: str
    host: str
    port: int

    @property
    def site(self) -> str:
        """Who answers there: a registrable domain; for numbers and local names the very host and port."""
        labels = self.host.rstrip(".").split(".")
        if len(labels) < 2 or ":" in self.host or labels[-1].isdigit():
            return f"{self.host}:{self.port}"
        wide = len(labels) > 2 and ((len(labels[-1]) == 2 and labels[-2] in SECOND) or ".".join(labels[-2:]) in SHARED)
        return ".".join(labels[-3:] if wide else labels[-2:])

    @property
    def origin(self) -> str:
        plain = PORTS.get(self.scheme) == self.port
        return f"{self.scheme}://{self.host}" + ("" if plain else f":{self.port}")


def parse(url: str) -> Address | None:
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
    name = host(found[1])
    return Address(scheme, name, port) if name and port < 65536 else None


def host(text: str) -> str:
    """A host's name as a browser has it: mapped, lower case, numbers as dotted quads. Empty where it has none."""
    if text.startswith("["):
        try:
            return f"[{IPv6Address(text[1:-1]).compressed}]" if "%" not in text and "." not in text else ""
        except AddressValueError:
            return ""
    try:
        name = _ascii(unquote(text, errors="strict"))
    except (UnicodeError, ValueError):
        return ""
    if not NAME.fullmatch(name) or len(name) > 253:
        return ""
    last = (name[:-1] if name.endswith(".") else name).rpartition(".")[2]
    if NUMBER.fullmatch(last):
        return _quad(name)
    return name


def _ascii(name: str) -> str:
    """Plain names as they are; others by the mapping that browsers use, and nothing where it has doubts."""
    import idna

    if name.isascii():
        name = name.lower()
        if ".." in name or name.startswith("."):
            return ""
        return name if "xn--" not in name or idna.encode(idna.decode(name)).decode() == name else ""
    mapped = idna.uts46_remap(name, std3_rules=False, transitional=False)
    if mapped.isascii():
        return _ascii(mapped)
    return idna.encode(mapped, strict=True).decode()


def _quad(name: str) -> str:
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


def site(url: str) -> str:
    """The site of an address; empty where it has none."""
    found = parse(url)
    return found.site if found else ""


def within(place: str, where: Address) -> bool:
    """Whether an address is at a site that a person named (`shop.example`, `10.0.0.1:8080`) or below it. `*` is any."""
    named, host = place.strip().lower().removeprefix("*."), where.host.rstrip(".")
    if "://" in named:
        address = parse(named)
        return address is not None and address.site == where.site
    below = bool(named) and host.endswith(f".{named}") and not host[-1].isdigit()
    return below or named in ("*", host, f"{host}:{where.port}")

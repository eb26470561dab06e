"""The public suffix list with its private part: the names below which anybody can register a site."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

SHARED_SUFFIXES = frozenset(
    {"amazonaws.com", "ngrok.app", "ngrok.io", "surge.sh", "trycloudflare.com", "wixsite.com", "wordpress.com"}
)
"""Shared suffixes that the list may lack."""


class SuffixRules(NamedTuple):
    """The list's three kinds of lines, in the spelling of host names."""

    exact: frozenset[str]
    wild: frozenset[str]
    excepted: frozenset[str]


@cache
def load_rules() -> SuffixRules:
    """Read the list of the package `tld`, once; that takes some milliseconds."""
    # Only its data file is read: the package is slow to import.
    found = find_spec("tld")
    assert found is not None and found.origin is not None, "the package tld belongs to the installation"
    text = (Path(found.origin).parent / "res" / "effective_tld_names.dat.txt").read_text("utf-8")
    lines = [line.split()[0] for line in text.splitlines() if line.strip() and not line.startswith("//")]
    spelled = [line if line.isascii() else ".".join(map(_spell_host, line.split("."))) for line in lines]
    return SuffixRules(
        exact=frozenset(line for line in spelled if line[0] not in "*!") | SHARED_SUFFIXES,
        wild=frozenset(line[2:] for line in spelled if line.startswith("*.")),
        excepted=frozenset(line[1:] for line in spelled if line.startswith("!")),
    )


def registrable_domain(host: str) -> str:
    """The registered part of a host name: a public suffix and one more label; a suffix itself is returned as is."""
    rules, labels = load_rules(), host.split(".")
    for start in range(len(labels)):
        name = ".".join(labels[start:])
        above = name.partition(".")[2]
        if name in rules.excepted:
            return name
        if name in rules.exact or (above in rules.wild and above):
            return ".".join(labels[max(0, start - 1) :])
    return ".".join(labels[-2:])


def is_top_level(label: str) -> bool:
    """Whether a label is a top-level domain of the internet."""
    rules = load_rules()
    name = label if label.isascii() else ""
    return name in rules.exact or name in rules.wild


def _spell_host(label: str) -> str:
    return label if label.isascii() else f"xn--{label.encode('punycode').decode()}"

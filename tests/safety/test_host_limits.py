"""Network limits as lists of hosts."""

from pilotfish.core.host_limits import HostLimits
from pilotfish.safety.host_limits import list_hosts
from pilotfish.safety.network_limits import NetworkLimits


def test_allowed_sites_are_named_by_host_and_any_site_needs_no_list() -> None:
    limits = NetworkLimits(allowed=("*.shop.example", "10.0.0.1:8080"), sites=("https://www.shop.example/cart",))
    assert list_hosts(limits).allowed == (("shop.example", "10.0.0.1"), ("shop.example",))
    assert list_hosts(NetworkLimits(allowed=("*",))) == HostLimits()


def test_blocked_sites_keep_their_port_and_this_machine_is_blocked_by_all_its_names() -> None:
    assert list_hosts(NetworkLimits(blocked=("bad.example", "other.example:81"))).blocked == (
        "bad.example",
        "other.example:81",
    )
    assert set(list_hosts(NetworkLimits(blocked=("localhost",))).blocked) == {"localhost", "127.0.0.1", "[::1]"}


def test_the_server_s_own_ports_are_blocked() -> None:
    assert "127.0.0.1:8417" in list_hosts(NetworkLimits(own=frozenset({8417}))).blocked


def test_limits_of_two_runs_hold_together() -> None:
    both = NetworkLimits(sites=("a.example",)).within(NetworkLimits(sites=("b.example",)))
    assert list_hosts(both).allowed == (("a.example",), ("b.example",))

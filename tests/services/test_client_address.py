"""Who a request comes from, as far as limits go."""

import ipaddress

import pytest
from starlette.requests import Request

from walletmodal.services.client_address import ClientAddress

client_address = ClientAddress()


TRUSTING = ClientAddress([ipaddress.ip_network(network) for network in ("10.0.0.5", "172.16.0.0/12", "fd00::/8")])


def asked(peer: str, *forwarded: str, name: str = "x-forwarded-for", **more: str) -> Request:
    headers = [(name.encode(), line.encode()) for line in forwarded]
    headers += [(key.encode(), value.encode()) for key, value in more.items()]
    return Request({"type": "http", "client": (peer, 1), "headers": headers})


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("198.51.100.7", [], "198.51.100.7"),
        ("198.51.100.7", ["203.0.113.9"], "198.51.100.7"),
        ("127.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("::1", ["10.0.0.1, 203.0.113.9"], "203.0.113.9"),
        ("127.0.0.1", ["203.0.113.9", "198.51.100.7"], "198.51.100.7"),
        ("127.0.0.1", [""], "127.0.0.1"),
    ],
)
def test_a_client_is_its_address(peer: str, forwarded: list[str], client: str) -> None:
    assert client_address(asked(peer, *forwarded)) == client


@pytest.mark.parametrize("peer", ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:DB8:1:2::3"])
def test_all_addresses_of_one_line_are_one_client(peer: str) -> None:
    assert client_address(asked(peer)) == client_address(asked("127.0.0.1", peer)) == "2001:db8:1:2::/64"


def test_an_address_inside_another_is_that_client() -> None:
    assert client_address(asked("::ffff:198.51.100.7")) == "198.51.100.7"


@pytest.mark.parametrize("word", ["unknown", "x" * 100_000, "\u00fc", "[", ":"])
def test_what_is_no_address_is_the_proxys_own(word: str) -> None:
    assert client_address(asked("127.0.0.1", word)) == "127.0.0.1"


@pytest.mark.parametrize(
    ("forwarded", "client"),
    [
        ("203.0.113.9:80", "203.0.113.9"),
        ("[2001:db8:1:2::3]:80", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::3]", "2001:db8:1:2::/64"),
    ],
)
def test_the_port_that_a_proxy_has_seen_makes_no_other_client(forwarded: str, client: str) -> None:
    assert client_address(asked("127.0.0.1", forwarded)) == client


@pytest.mark.parametrize("peer", ["10.0.0.5", "172.18.0.2", "::ffff:172.18.0.2", "fd00::2", "127.0.0.1"])
def test_a_trusted_proxy_is_believed_about_whom_it_forwards_for(peer: str) -> None:
    assert TRUSTING(asked(peer, "203.0.113.9")) == "203.0.113.9"


@pytest.mark.parametrize("peer", ["10.0.0.6", "192.168.0.1", "2001:db8::2"])
def test_no_one_else_is(peer: str) -> None:
    assert TRUSTING(asked(peer, "203.0.113.9")) == client_address(asked(peer))


def test_of_several_proxies_the_last_address_that_is_none_of_them_counts() -> None:
    assert TRUSTING(asked("10.0.0.5", "192.0.2.1, 203.0.113.9, 172.18.0.2", "127.0.0.1")) == "203.0.113.9"


def test_what_a_visitor_wrote_before_the_proxy_did_is_not_believed() -> None:
    assert TRUSTING(asked("10.0.0.5", "10.0.0.5, 192.0.2.1, 203.0.113.9")) == "203.0.113.9"


def test_a_chain_that_breaks_off_ends_at_the_proxy_that_told_of_it() -> None:
    assert TRUSTING(asked("10.0.0.5", "203.0.113.9, unknown, 172.18.0.2")) == "172.18.0.2"


@pytest.mark.parametrize(
    "line",
    [
        "for=203.0.113.9",
        "For=203.0.113.9;proto=https",
        'proto=https;for="203.0.113.9:4711"',
        "for=192.0.2.1, for=203.0.113.9;by=10.0.0.5",
        "for=203.0.113.9, for=172.18.0.2",
    ],
)
def test_the_standard_header_says_it_too(line: str) -> None:
    assert TRUSTING(asked("10.0.0.5", line, name="forwarded")) == "203.0.113.9"


def test_an_address_of_ipv6_in_the_standard_header_is_read() -> None:
    line = 'for="[2001:db8:1:2::3]:4711"'
    assert TRUSTING(asked("10.0.0.5", line, name="forwarded")) == "2001:db8:1:2::/64"


@pytest.mark.parametrize(
    "line", ["for=_hidden", "for=unknown", "by=203.0.113.9", 'for="203.0.113.9', "", "xfor=203.0.113.9"]
)
def test_a_standard_header_without_an_address_names_the_proxy(line: str) -> None:
    assert TRUSTING(asked("10.0.0.5", line, name="forwarded")) == "10.0.0.5"


def test_two_headers_that_agree_are_believed() -> None:
    assert TRUSTING(asked("10.0.0.5", "203.0.113.9", forwarded="for=203.0.113.9")) == "203.0.113.9"


def test_of_two_headers_that_disagree_neither_is_believed() -> None:
    """A proxy writes one of them and passes on the other as its visitor wrote it."""
    assert TRUSTING(asked("10.0.0.5", "203.0.113.9", forwarded="for=192.0.2.1")) == "10.0.0.5"

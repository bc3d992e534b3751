"""Who a request comes from, as far as limits go."""

import pytest
from starlette.requests import Request

from walletmodal.web.client_address import ClientAddress

client_address = ClientAddress()


def asked(peer: str, *forwarded: str) -> Request:
    headers = [(b"x-forwarded-for", line.encode()) for line in forwarded]
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

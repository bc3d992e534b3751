"""Which addresses are public."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from walletmodal.services.http.public_addresses import ip_address, is_loopback_address, is_public_address


def public(text: str) -> bool:
    address = ip_address(text)
    assert address is not None
    return is_public_address(address)


@every_case(
    "text",
    [
        "0.0.0.0",
        "10.0.0.1",
        "100.64.0.1",
        "100.100.100.200",
        "127.0.0.1",
        "127.255.255.254",
        "168.63.129.16",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.192",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:a9fe:a9fe",
        "::ffff:0:127.0.0.1",
        "64:ff9b::127.0.0.1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "2002:c0a8:101::",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1",
    ],
)
def test_an_address_inside_is_not_public(text: str) -> None:
    assert not public(text)


@pytest.mark.parametrize(
    "text",
    [
        "1.1.1.1",
        "8.8.8.8",
        "93.184.216.34",
        "172.15.255.255",
        "172.32.0.1",
        "2606:4700:4700::1111",
        "2a00:1450:4001:80b::200e",
        "::ffff:8.8.8.8",
        "64:ff9b::808:808",
    ],
)
def test_an_address_of_the_internet_is_public(text: str) -> None:
    assert public(text)


@given(st.ip_addresses())
def test_nothing_is_public_that_python_knows_as_private(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    if is_public_address(address):
        known = (address.is_private, address.is_loopback, address.is_link_local, address.is_multicast)
        assert not any(known)


@given(st.ip_addresses(v=4))
def test_a_wrapped_address_is_judged_by_itself(address: ipaddress.IPv4Address) -> None:
    for wrapping in ("::ffff:", "64:ff9b::"):
        assert public(f"{wrapping}{address}") == is_public_address(address)


@pytest.mark.parametrize("text", ["fe80::1%eth0", "2606:4700::1%1", "localhost", "127.1", "2130706433", "0x7f.1", ""])
def test_what_is_no_address_is_none(text: str) -> None:
    assert ip_address(text) is None


@pytest.mark.parametrize(
    ("text", "loopback"),
    [("127.0.0.1", True), ("::1", True), ("::ffff:127.0.0.1", True), ("10.0.0.1", False), ("::ffff:10.0.0.1", False)],
)
def test_this_machine_is_told_from_others(text: str, loopback: bool) -> None:
    address = ip_address(text)
    assert address is not None
    assert is_loopback_address(address) is loopback

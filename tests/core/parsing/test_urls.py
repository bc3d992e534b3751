"""URLs and origins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from walletmodal.core.parsing.urls import is_loopback_host, is_secure_url, is_web_url, normal_origin


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://app.example", "https://app.example"),
        ("HTTPS://App.Example:443/", "https://app.example"),
        ("http://localhost:8700", "http://localhost:8700"),
        ("http://127.0.0.1:80", "http://127.0.0.1"),
        ("https://[::1]:8443", "https://[::1]:8443"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
    ],
)
def test_an_origin_is_spelled_as_browsers_do(text: str, origin: str) -> None:
    assert normal_origin(text) == origin


@every_case(
    "text",
    ["", "*", "null", "app.example", "https://", "https://*.example", "https://a.example/path", "https://a.example?x",
     "https://a.example#x", "https://u@a.example", "ftp://a.example", "https://a.example:0", "https://a.example:99999",
     "https://a.example b", "https://a.example\\@evil.example", "javascript:alert(1)", "https://a.example;script-src",
     "https://a,b", "https://a'b.example", "https://\xa0", "https://[::1%25eth0]", "https://" + "ü" * 70 + ".example",
     "https://127.1", "https://2130706433", "https://0x7f.0.0.1", "https://0x7f000001", "https://1.2.3.4.5",
     "https://256.1.1.1", "https://01.2.3.4", "https://a.1", "https://a.0x", "https://127.0.0.1.", "https://１２７.1",
     "https://a.example\ud800"],
)  # fmt: skip
def test_what_is_no_origin_has_none(text: str) -> None:
    assert normal_origin(text) is None


@given(st.text())
def test_an_origin_is_its_own_origin(text: str) -> None:
    origin = normal_origin(f"https://{text}")
    assert origin is None or normal_origin(origin) == origin


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("localhost", True), ("a.localhost", True), ("127.9.9.9", True), ("::1", True), ("LOCALHOST.", True),
     ("localhost.evil.example", False), ("10.0.0.1", False), ("notlocalhost", False), ("0.0.0.0", False)],
)  # fmt: skip
def test_loopback_is_only_this_machine(host: str, *, loopback: bool) -> None:
    assert is_loopback_host(host) is loopback


@pytest.mark.parametrize(
    ("url", "web", "secure"),
    [
        ("https://a.example/x?y#z", True, True),
        ("http://a.example", True, False),
        ("http://localhost:1/x", True, True),
        ("ws://localhost:1", False, False),
        ("javascript:alert(1)", False, False),
        ("//a.example", False, False),
        ("https://u:p@a.example", False, False),
        ("https://a.example/\n", False, False),
        ("https://a.example/" + "x" * 2048, False, False),
        ("https://[::1", False, False),
        ("https://a.example/\ud83d", False, False),
        ("https://127.1/", False, False),
        ("https://127.0.0.1/", True, True),
        ("https://a.1a/", True, True),
    ],
)
def test_a_url_is_web_or_secure(url: str, *, web: bool, secure: bool) -> None:
    assert (is_web_url(url), is_secure_url(url)) == (web, secure)


def test_sockets_have_their_own_schemes() -> None:
    urls = ("wss://a.example", "ws://127.0.0.1:1", "ws://a.example", "https://a.example")
    assert [is_secure_url(url, schemes=("wss", "ws")) for url in urls] == [True, True, False, False]

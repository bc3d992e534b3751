"""The body in which an event is sent."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.core.analytics.events import click_networks, modal_created, modal_open, switch_network
from walletmodal.core.analytics.payload import MAX_TEXT, Event, event_body, make_event, strip_pairing_key, to_number
from walletmodal.core.clock import MovableClock

NOON = datetime(2025, 1, 1, 12, 0, 0, 123_900, tzinfo=UTC)
PAGE = "https://host.example:8443/app?x=1#top"


def test_the_body_is_the_services() -> None:
    body = event_body(
        switch_network(network="eip155:10"),
        url="https://host.example/app?x=1",
        clock=MovableClock(NOON),
        address="0xaa",
    )
    assert {**body, "eventId": ""} == {
        "eventId": "",
        "url": "https://host.example/app?x=1",
        "domain": "host.example",
        "timestamp": 1735732800123,
        "props": {
            "type": "track",
            "event": "SWITCH_NETWORK",
            "properties": {"network": "eip155:10"},
            "address": "0xaa",
        },
    }


def test_every_report_has_an_id_of_its_own() -> None:
    clock = MovableClock(NOON)
    ids = {event_body(click_networks(), url=PAGE, clock=clock)["eventId"] for _ in range(50)}
    assert len(ids) == 50
    assert {UUID(text).version for text in ids} == {4}


def test_the_time_is_the_clocks_in_whole_milliseconds() -> None:
    clock = MovableClock(NOON)
    first = event_body(click_networks(), url=PAGE, clock=clock)["timestamp"]
    clock.advance(1.5)
    later = event_body(click_networks(), url=PAGE, clock=clock)["timestamp"]
    assert (type(later), later - first) == (int, 1500)


def test_what_is_undefined_is_not_there() -> None:
    assert event_body(click_networks(), url=PAGE, clock=MovableClock())["props"] == {
        "type": "track",
        "event": "CLICK_NETWORKS",
    }


@pytest.mark.parametrize(
    ("url", "domain"),
    [(PAGE, "host.example"), ("http://localhost:8700/", "localhost"), ("http://[::1]:80/", "::1"), ("", ""),
     ("http://[bad", ""), ("about:blank", "")],
)  # fmt: skip
def test_the_domain_is_the_name_of_the_pages_host(url: str, domain: str) -> None:
    body = event_body(click_networks(), url=url, clock=MovableClock())
    assert (body["url"], body["domain"]) == (url, domain)


def test_the_creation_of_the_modal_is_never_sent() -> None:
    assert (modal_created().is_sent, modal_open(connected=True).is_sent) == (False, True)


@pytest.mark.parametrize(
    ("amount", "number"),
    [("0", 0), ("12", 12), ("12.000", 12), ("1E+3", 1000), ("12.5", 12.5), ("0.1", 0.1), ("-2", -2),
     ("9007199254740991", 9007199254740991), ("1e-18", 1e-18)],
)  # fmt: skip
def test_an_amount_is_a_javascript_number(amount: str, number: float) -> None:
    assert (to_number(Decimal(amount)), type(to_number(Decimal(amount)))) == (number, type(number))


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**60), max_value=10**60))
def test_every_amount_survives_as_json(amount: Decimal) -> None:
    written = json.loads(json.dumps(to_number(amount), allow_nan=False))
    assert written == pytest.approx(float(amount), rel=1e-12)


@pytest.mark.parametrize(
    ("uri", "sent"),
    [
        ("wc:ab@2?relay-protocol=irn&symKey=5ec3e7", "wc:ab@2?relay-protocol=irn&symKey="),
        ("wc:ab@2?symKey=5ec3e7&relay-protocol=irn", "wc:ab@2?symKey=&relay-protocol=irn"),
        ("wc:ab@2?SYMKEY=5ec3e7#x", "wc:ab@2?SYMKEY=#x"),
        ("wc:ab@2", "wc:ab@2"),
    ],
)
def test_a_pairing_uri_loses_its_key(uri: str, sent: str) -> None:
    assert strip_pairing_key(uri) == sent


@given(st.dictionaries(st.text(max_size=5), st.none() | st.booleans() | st.text(alphabet=st.characters(), max_size=50)))
def test_every_event_can_be_written_as_utf8(properties: Mapping[str, str | bool | None]) -> None:
    event = make_event("X", properties)
    assert set(event.properties) == {name for name, value in properties.items() if value is not None}
    json.dumps(list(event.properties.values()), ensure_ascii=False).encode()


def test_a_long_text_is_cut() -> None:
    assert make_event("X", {"message": "x" * 100_000}) == Event("X", {"message": "x" * MAX_TEXT})


def test_half_a_character_is_replaced() -> None:
    assert make_event("X", {"message": "a\ud800b"}).properties == {"message": "a?b"}

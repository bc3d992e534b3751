"""Every event has a constructor, and every constructor is an event of the list."""

import inspect
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import pytest

from tests.cases import every_case
from walletmodal.core.analytics import events as analytics_events
from walletmodal.core.analytics.events import (
    SendDetails,
    SwapDetails,
    connect_proxy_error,
    disconnect_error,
    disconnect_success,
    initialize,
    internal_sdk_error,
    load_more_transactions,
    swap_success,
)
from walletmodal.core.analytics.payload import NEVER_SENT, Event

LIST: Final[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data/analytics_events.json").read_text("utf-8"))
EVENTS: Final[list[dict[str, Any]]] = LIST["events"]
NAMES: Final = [row["event"] for row in EVENTS]

SAMPLES: Final[dict[str, Any]] = {
    "account_type": "smartAccount",
    "address": "0xaa",
    "badge": "certified",
    "config": {"projectId": "p", "networks": ["eip155:1"]},
    "connected": True,
    "cursor": "c",
    "ens_name": "maple.reown.id",
    "error": "taken",
    "error_message": "m",
    "error_type": "t",
    "is_smart_account": False,
    "message": "m",
    "method": "qrcode",
    "mobile_link": "lantern://",
    "name": "Lantern",
    "namespace": "eip155",
    "network": "eip155:10",
    "platform": "web",
    "project_id": "p",
    "provider": "google",
    "search": "lan",
    "stack_trace": "s",
    "swap": SwapDetails(
        is_smart_account=True,
        network="eip155:1",
        from_token="ETH",
        to_token="USDC",
        from_amount=Decimal("0.000000000000000001"),
        to_amount=Decimal(3120),
    ),
    "send": SendDetails(is_smart_account=True, network="eip155:1", token="ETH", amount=Decimal("12.5")),
    "uncaught": True,
    "uri": "wc:ab@2?symKey=5ec3e7",
}
TYPES: Final[dict[str, tuple[type, ...]]] = {"boolean": (bool,), "number": (int, float)}


def constructor(event: str) -> Callable[..., Event]:
    found: Callable[..., Event] = getattr(analytics_events, event.lower())
    return found


def sample(event: str) -> Event:
    made = constructor(event)
    return made(**{name: SAMPLES[name] for name in inspect.signature(made).parameters})


def test_the_list_is_whole() -> None:
    assert len(NAMES) == len(set(NAMES)) == 58


def test_no_event_but_those_of_the_list_can_be_made() -> None:
    public = {name for name in vars(analytics_events) if name == name.lower() and not name.startswith("_")}
    imported = {"make_event", "to_number", "strip_pairing_key", "dataclass"}
    assert {name.upper() for name in public - imported} == set(NAMES)


@every_case("event", NAMES)
def test_an_event_has_its_own_name(event: str) -> None:
    assert sample(event).event == event


@every_case("row", EVENTS, ids=NAMES)
def test_an_event_has_the_type_of_the_list(row: dict[str, Any]) -> None:
    assert sample(row["event"]).type == row["type"]


@every_case("row", [row for row in EVENTS if row["properties"] is not None], ids=lambda row: row["event"])
def test_an_event_has_exactly_the_properties_of_the_list(row: dict[str, Any]) -> None:
    assert set(sample(row["event"]).properties) == set(row["properties"])


@every_case("row", [row for row in EVENTS if row["properties"]], ids=lambda row: row["event"])
def test_a_property_has_the_type_of_the_list(row: dict[str, Any]) -> None:
    for name, value in sample(row["event"]).properties.items():
        kinds = TYPES.get(row["properties"][name].rstrip("?"), (str,))
        assert type(value) in kinds, name


@every_case("event", NAMES)
def test_an_event_is_json(event: str) -> None:
    properties = dict(sample(event).properties)
    assert json.loads(json.dumps(properties, allow_nan=False)) == properties


def test_those_that_are_never_sent_are_the_lists() -> None:
    assert set(LIST["neverSent"]) == NEVER_SENT


@pytest.mark.parametrize("event", [disconnect_success(), disconnect_error(), internal_sdk_error()])
def test_what_is_optional_may_be_missing(event: Event) -> None:
    assert event.properties == {}


def test_the_first_page_of_a_history_has_no_cursor() -> None:
    event = load_more_transactions(address=None, project_id="p", cursor=None, is_smart_account=False)
    assert event.properties == {"projectId": "p", "isSmartAccount": False}


def test_the_amounts_of_a_swap_are_decimal_texts() -> None:
    properties = swap_success(SAMPLES["swap"]).properties
    assert (properties["swapFromAmount"], properties["swapToAmount"]) == ("0.000000000000000001", "3120")


def test_the_key_of_a_pairing_leaves_in_no_event() -> None:
    event = connect_proxy_error(message="m", uri="wc:ab@2?symKey=5ec3e7", mobile_link="lantern://", name="Lantern")
    assert "5ec3e7" not in json.dumps(dict(event.properties))


@pytest.mark.parametrize("name", ["siwx", "siweConfig"])
def test_the_configuration_tells_of_the_sign_in_and_not_of_adapters(name: str) -> None:
    event = initialize({"projectId": "p", "adapters": ["eip155"], name: {"required": True}})
    assert event.properties == {"projectId": "p", "siweConfig": {"options": {"required": True}}}


def test_a_configuration_without_sign_in_tells_of_none() -> None:
    assert initialize({"projectId": "p", "siwx": None, "debug": True}).properties == {"projectId": "p", "debug": True}

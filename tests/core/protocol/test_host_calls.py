"""Calls of the host API and requests to the provider."""

import contextlib
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.core.errors import CaipError, NetworkError, ProtocolError
from walletmodal.core.protocol.host_calls import (
    CALL_METHODS,
    AddNetworkCall,
    CloseCall,
    DisconnectCall,
    HostCall,
    HostRequest,
    OnrampCall,
    OpenCall,
    OptionsCall,
    RemoveNetworkCall,
    SwitchNetworkCall,
    ToastCall,
    parse_call,
    parse_message_id,
    parse_request,
    parse_seconds_left,
)


@pytest.mark.parametrize(
    ("method", "params", "call"),
    [
        ("open", {}, OpenCall("", None)),
        ("open", {"view": "Networks", "namespace": "eip155"}, OpenCall("Networks", "eip155")),
        ("open", {"view": None, "namespace": None}, OpenCall("", None)),
        ("open", {"view": "Swap", "arguments": {"amount": "1"}}, OpenCall("Swap", None, {"amount": "1"})),
        ("open", {"arguments": None}, OpenCall("", None)),
        ("onramp", {"amount": "100.50"}, OnrampCall("100.5")),
        ("onramp", {"amount": "1e21"}, OnrampCall("")),
        ("onramp", {}, OnrampCall("")),
        ("close", {}, CloseCall()),
        ("close", None, CloseCall()),
        ("switchNetwork", {"caipNetworkId": "eip155:137"}, SwitchNetworkCall("eip155:137")),
        ("disconnect", {"namespace": "solana"}, DisconnectCall("solana")),
        ("disconnect", {}, DisconnectCall(None)),
        ("removeNetwork", {"caipNetworkId": "eip155:1"}, RemoveNetworkCall("eip155:1")),
        ("toast", {"message": "Hi\u202e", "variant": "success"}, ToastCall("Hi", "success")),
        ("options", {"options": {"debug": False}}, OptionsCall({"debug": False})),
    ],
)
def test_a_call_is_read(method: str, params: object, call: HostCall) -> None:
    assert parse_call({"method": method, "params": params}) == call


def test_a_network_is_read_with_its_call() -> None:
    raw = {"id": 5, "name": "N", "nativeCurrency": {"name": "E", "symbol": "E", "decimals": 18}}
    call = parse_call({"method": "addNetwork", "params": {"network": raw}})
    assert isinstance(call, AddNetworkCall)
    assert call.network.caip_network_id == "eip155:5"


@pytest.mark.parametrize(
    ("method", "params", "error"),
    [
        ("explode", {}, ProtocolError),
        (None, {}, ProtocolError),
        ("open", {"view": 5}, ProtocolError),
        ("open", {"view": "x" * 65}, ProtocolError),
        ("open", {"namespace": "near"}, ProtocolError),
        ("open", [1], ProtocolError),
        ("switchNetwork", {}, ProtocolError),
        ("switchNetwork", {"caipNetworkId": "mainnet"}, CaipError),
        ("disconnect", {"namespace": 1}, ProtocolError),
        ("addNetwork", {}, NetworkError),
        ("toast", {"message": "x", "variant": "loading"}, ProtocolError),
        ("toast", {"message": 5, "variant": "error"}, ProtocolError),
        ("options", {"options": []}, ProtocolError),
        ("open", {"arguments": ["ETH"]}, ProtocolError),
        ("open", {"arguments": "ETH"}, ProtocolError),
        ("onramp", {"amount": 5}, ProtocolError),
        ("onramp", {"amount": "1" * 65}, ProtocolError),
    ],
)
def test_a_wrong_call_is_refused(method: str, params: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        parse_call({"method": method, "params": params})


def test_every_method_of_the_document_is_known() -> None:
    assert {
        "open",
        "close",
        "switchNetwork",
        "disconnect",
        "addNetwork",
        "removeNetwork",
        "toast",
        "options",
        "signIn",
        "getSession",
        "signOut",
        "onramp",
    } == CALL_METHODS


def test_the_id_of_a_call_is_read() -> None:
    assert parse_message_id({"id": "a-1_B", "method": "close"}) == "a-1_B"


@pytest.mark.parametrize("raw", [{}, {"id": ""}, {"id": 5}, {"id": "x" * 65}, {"id": "a b"}, {"id": "a\n"}, None, []])
def test_a_call_without_a_usable_id_is_refused(raw: object) -> None:
    with pytest.raises(ProtocolError):
        parse_message_id(raw)


@pytest.mark.parametrize("params", [None, [], [1], {"a": 1}])
def test_a_request_is_read(params: Any) -> None:
    raw = {"namespace": "eip155", "method": "eth_call", "params": params}
    assert parse_request(raw) == HostRequest("eip155", "eth_call", params)


@pytest.mark.parametrize(
    "change",
    [
        {"namespace": "near"},
        {"method": ""},
        {"method": "x" * 65},
        {"method": 5},
        {"params": "x"},
        {"params": 5},
        {"params": ["\ud83d"]},
        {"params": {"\udc00": 1}},
    ],
)
def test_a_wrong_request_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ProtocolError):
        parse_request({"namespace": "eip155", "method": "eth_call", "params": [], **change})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=10,
)


@given(st.sampled_from(sorted(CALL_METHODS)), JSON)
def test_any_parameters_are_read_or_refused(method: str, params: Any) -> None:
    with contextlib.suppress(ProtocolError, CaipError, NetworkError):
        parse_call({"method": method, "params": params})


@pytest.mark.parametrize(
    ("said", "seconds"), [({"left": 8000}, 8.0), ({"left": 0}, 0.0), ({}, math.inf), ({"left": None}, math.inf)]
)
def test_how_long_the_host_still_waits(said: dict[str, object], seconds: float) -> None:
    assert parse_seconds_left({"id": "1", **said}) == seconds


@pytest.mark.parametrize("left", [-1, 1.5, True, "8000", [], {}])
def test_a_time_that_is_none_is_refused(left: object) -> None:
    with pytest.raises(ProtocolError):
        parse_seconds_left({"left": left})

"""Texts of strangers: whatever comes in, it is either read rightly or refused."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from eth_abi.abi import encode
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.sandbox.blockchain.abi import decoded, decoded_address, decoded_number, decoded_text
from walletmodal.sandbox.blockchain.failures import RefusedError
from walletmodal.sandbox.blockchain.history.cursors import Place, from_cursor, to_cursor
from walletmodal.sandbox.blockchain.history.entries import iso_time
from walletmodal.sandbox.blockchain.history.logs import approvers, movements
from walletmodal.sandbox.blockchain.history.traces import internal_payments
from walletmodal.sandbox.blockchain.names.rules import read_message, require_name
from walletmodal.sandbox.blockchain.prices import json_number, units_text
from walletmodal.sandbox.blockchain.requests import account, base_units, evm_address

places = st.tuples(
    st.integers(0, 2**63), st.sampled_from(["eip155:1", "solana:x"]), st.integers(0, 2**63), st.integers(0, 2**31)
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=80),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=20), inner, max_size=4),
    max_leaves=20,
)
hexadecimal = st.binary(max_size=200).map(lambda raw: "0x" + raw.hex())


def refusal_of(read: Callable[[str], object], text: str) -> int | None:
    """The status with which a text is refused; None when it is read."""
    try:
        read(text)
    except RefusedError as error:
        return error.status
    return None


@given(places)
def test_a_cursor_is_read_as_it_was_written(place: Place) -> None:
    assert from_cursor(to_cursor(place)) == place


@given(st.text(max_size=120))
def test_any_other_cursor_is_refused(text: str) -> None:
    assert refusal_of(from_cursor, text) in (None, 400)


@given(st.integers(0, 2**256 - 1), st.integers(0, 36))
def test_units_are_written_exactly(amount: int, decimals: int) -> None:
    text = units_text(amount, decimals)
    whole, _, fraction = text.partition(".")
    assert int(whole + fraction.ljust(decimals, "0")) == amount
    assert not fraction.endswith("0")


@given(st.decimals(0, 10**60, allow_nan=False, allow_infinity=False))
def test_a_json_number_is_the_nearest_to_fifteen_digits(value: Decimal) -> None:
    assert abs(Decimal(json_number(value)) - value) <= abs(value) * Decimal("1e-14")


@given(hexadecimal | st.text(max_size=40) | st.none() | st.integers())
def test_answers_of_contracts_never_raise(answer: object) -> None:
    decoded(answer, "uint112", "uint112", "uint32")
    decoded_address(answer)
    decoded_number(answer)
    text = decoded_text(answer)
    assert text is None or (len(text) <= 64 and text.isprintable())


@given(st.text(max_size=200))
def test_texts_of_contracts_are_cleaned(text: str) -> None:
    answer = "0x" + encode(["string"], [text.encode("utf-8", "replace").decode()]).hex()
    found = decoded_text(answer)
    assert found is not None
    assert found.isprintable()


def test_names_in_the_old_form_of_32_bytes_are_read() -> None:
    assert decoded_text("0x" + b"Maker".ljust(32, b"\0").hex()) == "Maker"


topics = st.lists(
    st.sampled_from(
        [
            "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
            "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62",
            "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb",
            "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c",
            "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925",
        ]
    )
    | st.binary(min_size=32, max_size=32).map(lambda raw: "0x" + raw.hex()),
    max_size=5,
)


@given(st.lists(st.fixed_dictionaries({"address": st.just("0xaa"), "topics": topics, "data": hexadecimal}), max_size=3))
def test_no_event_is_too_strange(logs: list[object]) -> None:
    assert all(one.amount >= 0 for one in movements(logs, "0xaa"))
    approvers(logs)


@given(json_values)
def test_no_trace_is_too_strange(trace: object) -> None:
    internal_payments(trace)
    internal_payments([trace])


def test_payments_inside_a_call_that_failed_did_not_happen() -> None:
    def call(place: list[int], **more: object) -> dict[str, object]:
        action = {"callType": "call", "from": "0xAA", "to": "0xBB", "value": "0x5"}
        return {"type": "call", "action": action, "traceAddress": place, **more}

    trace = [call([]), call([0], error="Reverted"), call([0, 0]), call([1])]
    (payment,) = internal_payments(trace)
    assert (payment.sender, payment.recipient, payment.amount) == ("0xaa", "0xbb", 5)


@given(st.text(max_size=100))
def test_accounts_amounts_names_and_messages_are_read_or_refused(text: str) -> None:
    for read in (account, evm_address, base_units, require_name, read_message):
        assert refusal_of(read, text) in (None, 400)


@pytest.mark.parametrize("text", ["1", str(2**256 - 1)])
def test_amounts_of_any_size_that_a_chain_has(text: str) -> None:
    assert base_units(text) == int(text)


@pytest.mark.parametrize("text", ["0", "01", "-1", "1.5", "1e18", "٣", str(2**256), ""])
def test_amounts_that_are_none(text: str) -> None:
    with pytest.raises(RefusedError):
        base_units(text)


@pytest.mark.parametrize(
    ("timestamp", "text"),
    [(0, "1970-01-01T00:00:00Z"), (1_767_225_600, "2026-01-01T00:00:00Z"), (2**64 - 1, "9999-12-31T23:59:59Z")],
)
def test_times_of_chains_fit_a_calendar(timestamp: int, text: str) -> None:
    assert iso_time(timestamp) == text

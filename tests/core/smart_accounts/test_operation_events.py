"""Logs of an operation among those of its bundle."""

from typing import Any

import pytest
from eth_utils.crypto import keccak

from walletmodal.core.smart_accounts.contracts import ENTRY_POINT_0_7 as ENTRY_POINT
from walletmodal.core.smart_accounts.operation_events import OPERATION_EVENT, gas_of_operation, logs_of_operation

OURS, OTHERS = "0x" + "1a" * 32, "0x" + "22" * 32
TOKEN = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"


def log(number: int, address: str = TOKEN, *topics: str) -> dict[str, Any]:
    return {"address": address, "topics": list(topics), "data": hex(number)}


BEFORE = log(0, ENTRY_POINT, "0x" + keccak(text="BeforeExecution()").hex())


def end(operation: str, address: str = ENTRY_POINT) -> dict[str, Any]:
    return log(9, address, "0x" + OPERATION_EVENT.hex(), operation)


@pytest.mark.parametrize(
    "others",
    [[log(1), BEFORE], [BEFORE, log(2), end(OTHERS)], [log(1), BEFORE, log(2), end(OTHERS), end("0x" + "33" * 32)]],
    ids=["of the checks", "of another operation", "of several"],
)
def test_logs_of_others_are_left_out(others: list[dict[str, Any]]) -> None:
    own = [log(3), log(4), end(OURS)]
    assert (
        logs_of_operation([*others, *own, log(5), end(OTHERS)], ENTRY_POINT.lower(), OURS.upper().replace("X", "x"))
        == own
    )


def test_a_contract_that_says_so_ends_nothing() -> None:
    own = [end(OURS, TOKEN), log(3), end(OTHERS, TOKEN), end(OURS)]
    assert logs_of_operation([BEFORE, *own], ENTRY_POINT, OURS) == own


def test_a_bundle_without_the_operation_has_none_of_it() -> None:
    assert logs_of_operation([BEFORE, log(2), end(OTHERS), {"topics": None}], ENTRY_POINT, OURS) == []


def test_the_gas_of_an_operation_is_its_own() -> None:
    told = b"".join(one.to_bytes(32, "big") for one in (3, 1, 10**15, 123_456))
    assert gas_of_operation({"data": "0x" + told.hex()}) == hex(123_456)


@pytest.mark.parametrize("data", [None, "0x", "0x" + "zz" * 128, "0x" + "00" * 127])
def test_an_event_of_another_form_says_no_gas(data: object) -> None:
    assert gas_of_operation({"data": data}) == ""

"""Verdicts on simulated swaps: whatever is not as promised is named."""

import pytest

from walletmodal.core.swaps.calls import approve_call, read_approval
from walletmodal.core.swaps.verdict import (
    LESS,
    MORE_TAKEN,
    NOT_RUN,
    NOTHING,
    OTHER_SPENDER,
    OTHER_TAKEN,
    WOULD_FAIL,
    BatchRun,
    Grant,
    Promise,
    received_by,
    swap_fault,
)
from walletmodal.core.transfers.simulation import Asset

SOURCE, TARGET, OTHER = (f"0x{digit * 40}" for digit in "123")
ROUTER, STRANGER = f"0x{'4' * 40}", f"0x{'5' * 40}"
PROMISE = Promise(SOURCE, 100, TARGET, 50, ROUTER)


def run(changes: dict[Asset, int], *grants: Grant) -> BatchRun:
    return BatchRun("done", changes=changes, grants=grants)


@pytest.mark.parametrize(
    ("done", "fault"),
    [
        (run({(SOURCE, None): -100, (TARGET, None): 50}), ""),
        (run({(SOURCE, None): -90, (TARGET, None): 70, (OTHER, None): 5}), ""),
        (run({(SOURCE, None): -100, (TARGET, None): 49}), LESS),
        (run({(SOURCE, None): -101, (TARGET, None): 60}), MORE_TAKEN),
        (run({(SOURCE, None): -100}), NOTHING),
        (run({(SOURCE, None): -100, (OTHER, None): 60}), NOTHING),
        (run({(SOURCE, None): -100, (TARGET, None): -1}), OTHER_TAKEN),
        (run({(SOURCE, None): -100, (TARGET, None): 60, (OTHER, None): -1}), OTHER_TAKEN),
        (run({(SOURCE, None): -100, (TARGET, None): 60, (OTHER, 7): -1}), OTHER_TAKEN),
        (run({(SOURCE, None): -100, (TARGET, None): 60, (None, None): -1}), OTHER_TAKEN),
        (run({(SOURCE, None): -100, (TARGET, None): 60}, Grant(SOURCE, ROUTER, 2**256 - 1)), ""),
        (run({(SOURCE, None): -100, (TARGET, None): 60}, Grant(OTHER, STRANGER, 0)), ""),
        (run({(SOURCE, None): -100, (TARGET, None): 60}, Grant(SOURCE, STRANGER, 1)), OTHER_SPENDER),
        (run({(SOURCE, None): -100, (TARGET, None): 60}, Grant(TARGET, ROUTER, 1)), OTHER_SPENDER),
        (run({(SOURCE, None): -100, (TARGET, None): 60}, Grant(OTHER, ROUTER, None)), OTHER_SPENDER),
        (BatchRun("failed", failure="No."), "No."),
        (BatchRun("failed"), WOULD_FAIL),
        (NOT_RUN, ""),
    ],
)
def test_a_swap_does_what_was_promised_or_is_not_offered(done: BatchRun, fault: str) -> None:
    assert swap_fault(done, PROMISE) == fault


def test_the_native_coin_is_a_side_like_any_other() -> None:
    coin = Promise(None, 10, TARGET, 5, ROUTER)
    assert swap_fault(run({(None, None): -10, (TARGET, None): 5}), coin) == ""
    assert swap_fault(run({(None, None): -11, (TARGET, None): 5}), coin) == MORE_TAKEN
    assert received_by(run({(None, None): 7}), None) == 7
    assert received_by(NOT_RUN, None) is None


def test_an_approval_is_of_exactly_what_was_asked_for() -> None:
    call = approve_call(SOURCE, "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D", 123)
    approval = read_approval(call.data)
    assert approval is not None
    assert (call.to, call.value, approval.spender, approval.amount) == (
        SOURCE,
        0,
        "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D",
        123,
    )


@pytest.mark.parametrize(
    "data", ["0x", "0x095ea7b3", "0x095ea7b3" + "f" * 128, "0x095ea7b3" + "0" * 130, "0xa9059cbb" + "0" * 128]
)
def test_other_calls_are_no_approvals(data: str) -> None:
    assert read_approval(data) is None

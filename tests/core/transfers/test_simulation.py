"""What a transaction would do, as it is told."""

import pytest

from walletmodal.core.errors.nodes import ExecutionRevertedError, NonceTooLowError
from walletmodal.core.transfers.simulation import (
    MAX_SHOWN,
    NOT_SIMULATED,
    Asset,
    Moved,
    Simulation,
    failure_words,
    told,
)

TOKEN = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"


def test_what_leaves_and_what_arrives_are_told_apart_the_native_coin_first() -> None:
    swap = {(TOKEN, None): 25, (None, None): -7, (TOKEN, 3): 1}
    assert told(swap, swap) == Simulation(
        ran=True, leaves=(Moved(None, 7),), arrives=(Moved(TOKEN, 25), Moved(TOKEN, 1, 3))
    )


def test_what_does_not_change_is_not_told() -> None:
    assert told({(None, None): 0}, {}) == Simulation(ran=True)


def test_more_than_anybody_reads_is_cut_and_said_to_be() -> None:
    many: dict[Asset, int] = {(TOKEN, number): -1 for number in range(MAX_SHOWN + 1)}
    simulation = told(many, {})
    assert (len(simulation.leaves), simulation.cut) == (MAX_SHOWN, True)


def test_what_was_not_simulated_says_nothing() -> None:
    assert (NOT_SIMULATED.ran, NOT_SIMULATED.leaves, NOT_SIMULATED.failure) == (False, (), "")


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("execution reverted: the token is paused.", "refuses it: the token is paused."),
        ("execution reverted", "without a reason"),
        ("execution reverted: \u202e\u200b", "without a reason"),
        (f"execution reverted: {'x' * 1000}", "x" * 100),
    ],
)
def test_a_refusal_is_told_in_words_for_a_visitor(said: str, shown: str) -> None:
    words = failure_words(ExecutionRevertedError(details=said))
    assert shown in words
    assert "revert" not in words
    assert len(words) < 300


def test_other_reasons_stay_as_they_are() -> None:
    error = NonceTooLowError()
    assert failure_words(error) == error.short_message

"""Whom an account has dealt with, in histories that strangers have written into."""

from typing import Any

import pytest

from tests.core.samples import SAMPLES
from walletmodal.core.accounts.counterparties import MAX_HASHES, Counterparty, find_counterparties
from walletmodal.core.accounts.transactions import Transaction, parse_transaction

SENT = SAMPLES["transaction"]
FUNGIBLE, NFT = SENT["transfers"]
OWN = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
FRIEND = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
POISON = "0x7099111111111111111111111111111111117Dc8".replace("7Dc8", "79C8").lower()
HASH = "0x" + "ab" * 32


def entry(operation: str, sender: str, receiver: str, *moves: dict[str, Any], **metadata: object) -> Transaction:
    named = {"operationType": operation, "sentFrom": sender, "sentTo": receiver, "hash": HASH, "status": "confirmed"}
    return parse_transaction({**SENT, "metadata": {**SENT["metadata"], **named, **metadata}, "transfers": list(moves)})


def move(direction: str, amount: str, value: float | None) -> dict[str, Any]:
    return {**FUNGIBLE, "direction": direction, "quantity": {"numeric": amount}, "value": value}


def test_who_was_sent_something_is_known() -> None:
    found = find_counterparties("eip155", OWN, [entry("send", OWN.lower(), FRIEND.lower(), move("out", "0.001", 0.5))])
    assert found == (Counterparty(FRIEND, (HASH,), paid=False, received=False),)


def test_who_was_sent_something_of_worth_was_paid() -> None:
    found = find_counterparties("eip155", OWN, [entry("send", OWN, FRIEND, move("out", "1", 25.0))])
    assert found == (Counterparty(FRIEND, (HASH,), paid=True, received=False),)


def test_who_was_sent_a_picture_is_known_too() -> None:
    found = find_counterparties("eip155", OWN, [entry("send", OWN, FRIEND, {**NFT, "direction": "out"})])
    assert [one.address for one in found] == [FRIEND]


def test_who_has_sent_something_of_worth_is_met() -> None:
    found = find_counterparties("eip155", OWN, [entry("receive", FRIEND, OWN, move("in", "1", 25.0))])
    assert found == (Counterparty(FRIEND, (), paid=False, received=True),)


@pytest.mark.parametrize(
    "poisoned",
    [
        # What an adversary can write into somebody's history, to be taken for a friend later.
        pytest.param(entry("send", OWN, POISON, move("out", "0", 0)), id="a transfer of nothing in the visitor's name"),
        pytest.param(entry("send", OWN, POISON), id="a call without any transfer"),
        pytest.param(entry("send", POISON, FRIEND, move("out", "5", 5.0)), id="somebody else's payment"),
        pytest.param(entry("receive", POISON, OWN, move("in", "0.0001", 0.3)), id="dust"),
        pytest.param(entry("receive", POISON, OWN, move("in", "1000000", None)), id="a token without a price"),
        pytest.param(entry("receive", POISON, OWN, move("in", "0", 0)), id="a gift of nothing"),
        pytest.param(
            entry("receive", POISON, OWN, {**NFT, "direction": "in", "value": None}), id="a worthless picture"
        ),
        pytest.param(entry("send", OWN, POISON, move("out", "5", 5.0), status="failed"), id="a payment that failed"),
        pytest.param(entry("send", OWN, POISON, move("out", "5", 5.0), status="pending"), id="a payment that waits"),
        pytest.param(entry("trade", OWN, POISON, move("out", "5", 5.0)), id="a trade with a contract"),
        pytest.param(entry("approve", OWN, POISON), id="an approval"),
        pytest.param(entry("send", OWN, "nobody", move("out", "5", 5.0)), id="a receiver that is no address"),
        pytest.param(entry("send", OWN, OWN.lower(), move("self", "5", 5.0)), id="a payment to oneself"),
    ],
)
def test_an_adversary_does_not_become_a_correspondent(poisoned: Transaction) -> None:
    assert find_counterparties("eip155", OWN, [poisoned]) == ()


def test_of_many_payments_a_few_hashes_are_kept_the_newest_first() -> None:
    history = [entry("send", OWN, FRIEND, move("out", "1", 1.0), hash=f"0x{place:064x}") for place in range(9)]
    (found,) = find_counterparties("eip155", OWN, history)
    assert found.sent == tuple(f"0x{place:064x}" for place in range(MAX_HASHES))


def test_on_solana_addresses_are_kept_as_they_are() -> None:
    own, other = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", "FekT8nAyCvdJrvGaev3XwJLs7RU6HjYTe8oegoepciSA"
    found = find_counterparties("solana", own, [entry("send", own, other, move("out", "1", None))])
    assert [one.address for one in found] == [other]

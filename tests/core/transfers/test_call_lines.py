"""The calls of a batch, each in one line on record."""

from __future__ import annotations

import json
from typing import Any

from tests.core.language.test_text import Shouted
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.language import Localized
from walletmodal.core.transfers.transaction_request import Proposal, propose

ACCOUNT = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
OTHER = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"


def lines(*calls: dict[str, Any]) -> tuple[str, ...]:
    return propose(ChainId("eip155", "1"), ACCOUNT, "wallet_sendCalls", [{"calls": list(calls)}]).calls


def test_each_says_what_it_does_and_to_whom() -> None:
    approval = "0x095ea7b3" + OTHER[2:].lower().rjust(64, "0") + "5".rjust(64, "0")
    found = lines(
        {"to": OTHER, "value": hex(10**17)}, {"to": OTHER, "data": approval}, {"to": OTHER, "data": "0x12345678"}
    )
    assert found == (
        f"Send 0.1 ETH. To: {OTHER}",
        f"Allow spending. Who may spend: {OTHER}",
        f"Contract call. Contract: {OTHER}",
    )


def test_they_are_said_in_any_language_when_they_are_read_again() -> None:
    stored = propose(
        ChainId("eip155", "1"), ACCOUNT, "wallet_sendCalls", [{"calls": [{"to": OTHER, "value": hex(10**17)}]}]
    ).model_dump_json()
    (line,) = Proposal.model_validate_json(stored).calls
    assert isinstance(line, Localized)
    assert line.said_in(Shouted()) == f"<Send <<0.1> <ETH>>>. <To>: <{OTHER}>"


def test_lines_of_an_older_release_stay_as_they_are() -> None:
    stored = json.loads(
        propose(ChainId("eip155", "1"), ACCOUNT, "wallet_sendCalls", [{"calls": [{"to": OTHER}]}]).model_dump_json()
    )
    assert Proposal.model_validate_json(json.dumps({**stored, "calls": ["Send nothing, to you"]})).calls == (
        "Send nothing, to you",
    )


def test_of_very_many_the_rest_is_counted() -> None:
    found = lines(*({"to": OTHER, "value": "0x1"} for _ in range(100)))
    assert (len(found), found[-1]) == (20, "and 81 more")


def test_one_transaction_has_none() -> None:
    made = propose(ChainId("eip155", "1"), ACCOUNT, "eth_sendTransaction", [{"from": ACCOUNT, "to": OTHER}])
    assert made.calls == ()

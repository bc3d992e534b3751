"""What a batch insists on, held against what a wallet says of itself (EIP-5792)."""

from __future__ import annotations

from typing import Any

import pytest

from walletmodal.core.wallets.capabilities import makes_batches, missing_capability

PAYS: dict[str, Any] = {"paymasterService": {"url": "https://pays.example"}}


def missing(batch: dict[str, Any], capabilities: object) -> int | None:
    error = missing_capability([{"calls": [], **batch}], capabilities, "0xa")
    return error.code if error else None


@pytest.mark.parametrize(
    ("batch", "capabilities", "code"),
    [
        ({"atomicRequired": True}, {"0xa": {"atomic": {"status": "unsupported"}}}, 5760),
        ({"atomicRequired": True}, {"0xA": {"atomic": {"status": "unsupported"}}}, 5760),
        ({"atomicRequired": True}, {"0x0": {"atomic": {"status": "unsupported"}}}, 5760),
        (
            {"atomicRequired": True},
            {"0xa": {"atomic": {"status": "ready"}}, "0x0": {"atomic": {"status": "unsupported"}}},
            None,
        ),
        ({"atomicRequired": True}, {"0xa": {"atomic": {"status": "supported"}}}, None),
        ({"atomicRequired": True}, {"0xa": {"atomicBatch": {"supported": True}}}, None),
        ({"atomicRequired": False}, {"0xa": {"atomic": {"status": "unsupported"}}}, None),
        ({"capabilities": PAYS}, {"0xa": {"atomic": {"status": "supported"}}}, 5700),
        ({"capabilities": PAYS}, {"0xa": {"paymasterService": {"supported": False}}}, 5700),
        ({"capabilities": PAYS}, {"0xa": {"paymasterService": {"supported": True}}}, None),
        ({"capabilities": {"paymasterService": {"optional": True}}}, {"0xa": {"atomic": {}}}, None),
        ({"calls": [{"to": "0x", "capabilities": PAYS}]}, {"0xa": {"atomic": {}}}, 5700),
    ],
)
def test_a_batch_needs_what_it_insists_on(batch: dict[str, Any], capabilities: object, code: int | None) -> None:
    assert missing(batch, capabilities) == code


@pytest.mark.parametrize("answer", [None, 5, "yes", [], {}, {"0x1": {"atomic": {}}}, {"0xa": "all"}, {"0xa": {}}])
def test_an_answer_that_says_nothing_of_the_network_refuses_nothing(answer: object) -> None:
    assert missing({"atomicRequired": True, "capabilities": PAYS}, answer) is None


@pytest.mark.parametrize("named", [None, 5, "all", []])
def test_capabilities_of_no_form_are_the_wallets_to_refuse(named: object) -> None:
    assert missing({"capabilities": named}, {"0xa": {"atomic": {"status": "supported"}}}) is None


@pytest.mark.parametrize(
    ("capabilities", "makes"),
    [
        ({"0xa": {"atomic": {"status": "supported"}}}, True),
        ({"0xA": {"atomic": {"status": "ready"}}}, True),
        ({"0x0": {"atomic": {"status": "supported"}}}, True),
        ({"0xa": {"atomic": {"status": "unsupported"}}}, False),
        ({"0x1": {"atomic": {"status": "supported"}}}, False),
        ({"0xa": {"atomic": "supported"}}, False),
        ({"0xa": {"atomic": {"status": ["supported"]}}}, False),
        (None, False),
    ],
)
def test_a_wallet_says_whether_it_makes_batches(capabilities: object, makes: bool) -> None:
    assert makes_batches(capabilities, "0xa") is makes

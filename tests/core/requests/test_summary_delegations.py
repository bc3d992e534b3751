"""Delegations of accounts (EIP-7702) in words."""

from typing import Any

import pytest

from tests.core.requests.test_summary import ME, OTHER, ROUTER, USDC, rows, summary
from tests.core.requests.test_summary_transactions import ALL, word
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.requests.reading import read_request
from walletmodal.core.requests.summary_delegations import (
    DELEGATION_WARNING,
    ELSEWHERE_WARNING,
    EVERYWHERE_WARNING,
)
from walletmodal.core.requests.summary_parts import Summary
from walletmodal.core.smart_accounts.authorization import NOBODY, Authorization
from walletmodal.core.smart_accounts.contracts import STATELESS_DELEGATOR


def one(**changes: Any) -> dict[str, Any]:
    return {"chainId": "0x1", "address": ROUTER, "nonce": "0x0", **changes}


def delegated(*given: Any) -> Summary:
    return summary("eth_sendTransaction", [{"from": ME, "to": OTHER, "authorizationList": list(given)}])


def test_the_contract_that_an_account_is_handed_over_to_is_told() -> None:
    found = delegated(one())
    assert (rows(found, 1), found.warnings) == ({"Runs the code of": ROUTER}, (DELEGATION_WARNING,))


def test_the_delegator_that_embedded_wallets_use_is_named() -> None:
    assert "stateless delegator" in rows(delegated(one(address=STATELESS_DELEGATOR)), 1)["Known as"]


def test_one_for_every_network_is_marked() -> None:
    found = delegated(one(chainId="0x0"))
    assert rows(found, 1)["Counts on"] == "every network"
    assert found.warnings == (DELEGATION_WARNING, EVERYWHERE_WARNING)


@pytest.mark.parametrize(("chain", "named"), [("0x89", "Polygon"), ("0xffffff", "Chain 16777215")])
def test_one_for_another_network_is_marked(chain: str, named: str) -> None:
    found = delegated(one(chainId=chain))
    assert rows(found, 1)["Counts on"] == named
    assert found.warnings == (DELEGATION_WARNING, ELSEWHERE_WARNING)


def test_one_that_is_taken_back_is_no_danger() -> None:
    found = delegated(one(address=NOBODY))
    assert (rows(found, 1), found.warnings) == ({"Delegation": "taken back"}, ())


@pytest.mark.parametrize("wrong", [{"address": ROUTER}, 5, one(chainId=1), one(nonce=None)])
def test_one_that_cannot_be_read_says_so(wrong: Any) -> None:
    found = delegated(wrong)
    assert (rows(found, 1), found.warnings) == ({"Delegation": "cannot be read"}, (DELEGATION_WARNING,))


@pytest.mark.parametrize("wrong", ["all of it", {"chainId": "0x1"}])
def test_a_list_that_is_none_says_so(wrong: Any) -> None:
    found = summary("eth_sendTransaction", [{"from": ME, "to": OTHER, "authorizationList": wrong}])
    assert (rows(found, 1), found.warnings) == ({"Delegation": "cannot be read"}, (DELEGATION_WARNING,))


def test_of_many_the_first_are_told() -> None:
    assert delegated(*[one()] * 20).parts[1].rows[-1].value == "and 12 more"


def test_handing_the_account_over_is_marked_first() -> None:
    data = "0x095ea7b3" + word(ROUTER) + ALL
    found = summary("eth_sendTransaction", [{"from": ME, "to": USDC, "data": data, "authorizationList": [one()]}])
    assert found.warnings[0] == DELEGATION_WARNING


def test_a_user_operation_tells_it_as_well() -> None:
    operation = {"sender": ME, "nonce": "0x0", "callData": "0x", "eip7702Auth": one(chainId="0x0")}
    found = summary("eth_sendUserOperation", [operation, ROUTER])
    assert rows(found)["Runs the code of"] == ROUTER
    assert found.warnings == (DELEGATION_WARNING, EVERYWHERE_WARNING)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("eth_sendTransaction", [{"from": ME, "to": OTHER, "authorizationList": [one(chainId="0x0"), 5]}]),
        (
            "eth_sendUserOperation",
            [{"sender": ME, "nonce": "0x0", "callData": "0x", "eip7702Auth": one(chainId="0x0")}, ROUTER],
        ),
    ],
)
def test_a_policy_sees_what_accounts_are_handed_over_to(method: str, params: list[Any]) -> None:
    found = read_request(
        method=method, chain=parse_chain_id("eip155:1"), account=ME, origin="https://app.example", params=params
    )
    assert (found.delegations, found.is_readable) == ((Authorization(0, ROUTER, 0),), False)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({}, f"delegates to {ROUTER} on chain 1; to {OTHER}"),
        ({"chainId": "0x0"}, f"delegates to {ROUTER} on every chain; to {OTHER}"),
        ({"address": NOBODY}, f"takes its delegation back on chain 1; to {OTHER}"),
    ],
)
def test_the_audit_keeps_what_accounts_are_handed_over_to(changes: dict[str, Any], line: str) -> None:
    params = [{"from": ME, "to": OTHER, "authorizationList": [one(**changes)]}]
    found = read_request(
        method="eth_sendTransaction",
        chain=parse_chain_id("eip155:1"),
        account=ME,
        origin="https://app.example",
        params=params,
    )
    assert found.summary == line

"""Answers of pages to a host's server, and what it refuses before it asks the network."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from eth_account import Account

from tests.core.permissions.samples import FIVE_MINTS, FRIEND, ME, SHOP, TEN_A_DAY, USDC, delegation
from walletmodal.core.errors import SettingsError
from walletmodal.core.errors.permissions import PermissionUnreadableError
from walletmodal.core.permissions.delegation import Delegation, encode_context
from walletmodal.core.permissions.execution_permissions import PermissionRequest, permission_response, request_json
from walletmodal.core.permissions.framework import TIMESTAMP
from walletmodal.core.permissions.permission import Permission
from walletmodal.host.nodes import NodeUnreachableError
from walletmodal.host.permissions import GrantedPermission, Spender

CHAIN = "eip155:1"
SPENDER = Spender("0x" + "1" * 64, {CHAIN: "http://127.0.0.1:9"})


# Of ME, which everybody knows.
KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"


def granted(permission: Permission = TEN_A_DAY, delegate: str = SPENDER.address, key: str = KEY) -> Delegation:
    """A permission with the signature of a key."""
    made = delegation(permission, delegate=delegate)
    return made.signed(bytes(Account.unsafe_sign_hash(made.digest(1), key).signature))


def answer(permission: Permission = TEN_A_DAY, delegate: str = SPENDER.address) -> dict[str, Any]:
    """One entry of what a page sends."""
    asked = request_json(PermissionRequest(1, delegate, ME, permission), ME)
    return permission_response(asked, encode_context([granted(permission, delegate)]))


def read(response: object) -> GrantedPermission:
    return SPENDER.read(response, account=ME, chain=CHAIN, token=USDC)


def why(response: object) -> str:
    """Why an answer is none."""
    with pytest.raises(PermissionUnreadableError) as refused:
        read(response)
    return refused.value.details


def test_a_permission_is_what_its_context_says() -> None:
    found = read({**answer(), "permission": {}, "rules": []})
    assert (found.chain, found.account, found.permission) == (CHAIN, ME, TEN_A_DAY)


@pytest.mark.parametrize("response", [None, [], "0x"])
def test_what_is_no_object_is_no_answer(response: object) -> None:
    assert why(response) == "no object"


@pytest.mark.parametrize(
    "changes",
    [
        {"chainId": "0x89"},
        {"chainId": 1},
        {"delegationManager": SHOP},
        {"context": "0x"},
        {"context": "yes"},
        {"context": None},
    ],
)
def test_another_answer_is_none(changes: dict[str, Any]) -> None:
    assert why({**answer(), **changes})


def test_a_permission_for_a_worthless_token_is_not_the_one_that_was_asked_for() -> None:
    assert why(answer(replace(TEN_A_DAY, token=SHOP))) == "it is for another token"


def test_a_permission_for_somebody_else_is_none() -> None:
    assert why(answer(delegate=SHOP)) == "it is for another key"


def test_one_that_was_handed_on_is_not_taken_for_the_visitors() -> None:
    root = delegation(delegate=FRIEND)
    leaf = replace(delegation(delegate=SPENDER.address), delegator=FRIEND, authority=root.hash)
    assert (
        why({**answer(), "context": "0x" + encode_context([leaf, root]).hex()}) == "it was handed on by somebody else"
    )


def test_nothing_stands_behind_the_visitors_own_delegation() -> None:
    two = [delegation(delegate=SPENDER.address), delegation(delegate=FRIEND)]
    assert why({**answer(), "context": "0x" + encode_context(two).hex()}) == "it was handed on by somebody else"


@pytest.mark.parametrize(
    "made",
    [
        delegation(delegate=SPENDER.address),
        granted(key="0x" + "22" * 32),
        granted(replace(TEN_A_DAY, amount=1)).signed(granted().signature),
        replace(granted(), caveats=tuple(one for one in granted().caveats if one.enforcer != TIMESTAMP)),
        granted().signed(b""),
        granted().signed(granted().signature[:64] + b"\0"),
    ],
    ids=[
        "of nobody",
        "of another key",
        "of another amount",
        "with a caveat cut out",
        "none",
        "of a form that contracts refuse",
    ],
)
def test_what_the_account_has_not_signed_is_no_permission(made: Delegation) -> None:
    assert why({**answer(), "context": "0x" + encode_context([made]).hex()}) == "the account has not signed it"


def test_what_somebody_else_has_granted_is_not_the_visitors() -> None:
    """It can be read out of a payment that was made with it."""
    with pytest.raises(PermissionUnreadableError) as refused:
        SPENDER.read(answer(), account=FRIEND, chain=CHAIN, token=USDC)
    assert refused.value.details == "it is another account's"


def test_a_permission_of_another_network_is_none() -> None:
    polygon = Spender("0x" + "1" * 64, {})
    with pytest.raises(PermissionUnreadableError) as refused:
        polygon.read({**answer(), "chainId": "0x89"}, account=ME, chain="eip155:137", token=USDC)
    assert refused.value.details == "the account has not signed it"


def test_a_network_that_does_not_answer_is_said_so() -> None:
    with pytest.raises(NodeUnreachableError):
        SPENDER.pay(read(answer()), SHOP, 1)


@pytest.mark.parametrize("amount", [0, -1, 1.5, True, "1", 2**256])
def test_an_amount_is_a_whole_number_of_base_units(amount: Any) -> None:
    with pytest.raises(ValueError, match="base units"):
        SPENDER.pay(read(answer()), SHOP, amount)


@pytest.mark.parametrize("to", ["", "vitalik.eth", SHOP[2:], None])
def test_a_payee_is_an_address(to: Any) -> None:
    with pytest.raises(ValueError, match="no address"):
        SPENDER.pay(read(answer()), to, 1)


@pytest.mark.parametrize(
    ("key", "nodes"),
    [("0x12", {}), ("", {}), ("0x" + "1" * 64, {"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp": "https://node.example"})],
)
def test_settings_that_cannot_be_used_are_refused(key: str, nodes: dict[str, str]) -> None:
    with pytest.raises(SettingsError):
        Spender(key, nodes)


def test_a_node_is_not_asked_in_the_clear() -> None:
    with pytest.raises(SettingsError):
        Spender("0x" + "1" * 64, {CHAIN: "http://node.example"})


def test_a_permission_to_call_a_contract_is_none_to_pay() -> None:
    told = answer(FIVE_MINTS)
    with pytest.raises(PermissionUnreadableError) as refused:
        SPENDER.read(told, account=ME, chain=CHAIN)
    assert refused.value.details == "it is for another contract"
    found = SPENDER.read(told, account=ME, chain=CHAIN, contract=FIVE_MINTS.contract)
    assert found.permission == FIVE_MINTS

"""What a page may ask to have signed as a delegation, in words, and what speaks against it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.core.permissions.samples import FRIEND, ME, NOW, SHOP, TEN_A_DAY, USDC, delegation
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.permissions.dangers import DANGER_TEXTS, Danger
from walletmodal.core.permissions.delegation import Caveat, Delegation
from walletmodal.core.permissions.execution_permissions import PermissionRequest, request_json
from walletmodal.core.permissions.framework import ANYONE, TIMESTAMP
from walletmodal.core.requests.reading import read_request
from walletmodal.core.requests.summary import summarize
from walletmodal.core.requests.summary_parts import Summary, Token
from walletmodal.core.requests.typed_request import HostedRequest

TOKENS = {USDC: Token("USDC", 6)}


def asked(method: str, params: Any) -> HostedRequest:
    return read_request(
        method=method,
        chain=parse_chain_id("eip155:1"),
        account=ME,
        origin="https://shop.example",
        params=params,
        at=NOW,
    )


def to_sign(made: Delegation, **domain: Any) -> HostedRequest:
    typed = made.typed_data(1)
    return asked("eth_signTypedData_v4", [ME, {**typed, "domain": {**typed["domain"], **domain}}])


def first(found: Summary) -> dict[str, str]:
    return {row.name: row.value for row in found.parts[0].rows}


SHORT = {
    "In short": "10 USDC a day to shop.example until 18 December",
    "At once at most": "20 USDC, where one period ends and the next begins",
    "Altogether at most": "300 USDC",
}


def test_a_delegation_is_told_as_the_permission_that_it_is() -> None:
    found = summarize(to_sign(delegation()), tokens=TOKENS)
    assert (found.title, first(found)) == ("Grant permissions", {"Who may act": SHOP, **SHORT})
    assert USDC in found.tokens


def test_a_permission_of_the_standard_is_told_in_the_same_words() -> None:
    params = [request_json(PermissionRequest(1, SHOP, ME, TEN_A_DAY), ME)]
    found = summarize(asked("wallet_requestExecutionPermissions", params), tokens=TOKENS)
    assert (found.title, {name: first(found)[name] for name in SHORT}) == ("Grant permissions", SHORT)


def test_a_permission_whose_periods_come_to_everything_is_unlimited() -> None:
    endless = replace(TEN_A_DAY, amount=2**90, period=1)
    found = asked("wallet_requestExecutionPermissions", [request_json(PermissionRequest(1, SHOP, ME, endless), ME)])
    assert found.dangers == ("unlimited",)


def test_redeemers_and_payees_are_named() -> None:
    ruled = replace(TEN_A_DAY, redeemers=(SHOP,), payees=(FRIEND,))
    found = summarize(
        asked("wallet_requestExecutionPermissions", [request_json(PermissionRequest(1, SHOP, ME, ruled), ME)]),
        tokens=TOKENS,
    )
    assert (first(found)["Handed in by"], first(found)["Paid to"]) == (SHOP, FRIEND)


WITHOUT_END = replace(delegation(), caveats=tuple(one for one in delegation().caveats if one.enforcer != TIMESTAMP))


@pytest.mark.parametrize(
    ("made", "domain", "dangers"),
    [
        (delegation(), {}, ()),
        (replace(delegation(), caveats=()), {}, ("no_expiry", "unlimited", "any_target")),
        (WITHOUT_END, {}, ("no_expiry",)),
        (delegation(replace(TEN_A_DAY, amount=2**255)), {}, ("unlimited",)),
        (delegation(delegate=ANYONE), {}, ("anyone",)),
        (replace(delegation(), caveats=(Caveat(FRIEND, b""),)), {}, ("unreadable",)),
        # The enforcers of another manager are not these.
        (delegation(), {"verifyingContract": FRIEND}, ("unreadable",)),
    ],
)
def test_what_reads_harmless_and_is_not_is_told(
    made: Delegation, domain: dict[str, Any], dangers: tuple[Danger, ...]
) -> None:
    request = to_sign(made, **domain)
    assert request.dangers == dangers
    assert summarize(request, tokens=TOKENS).warnings[: len(dangers)] == tuple(DANGER_TEXTS[one] for one in dangers)


@pytest.mark.parametrize(
    ("struct", "field"),
    [
        ("Delegation", "delegate"),
        ("Delegation", "delegator"),
        ("Delegation", "authority"),
        ("Delegation", "caveats"),
        ("Caveat", "enforcer"),
        ("Caveat", "terms"),
        ("EIP712Domain", "verifyingContract"),
    ],
)
def test_a_delegation_is_not_read_by_what_nobody_signs(struct: str, field: str) -> None:
    typed = delegation().typed_data(1)
    signed = [one for one in typed["types"][struct] if one["name"] != field]
    found = asked("eth_signTypedData_v4", [ME, {**typed, "types": {**typed["types"], struct: signed}}])
    assert found.dangers == ("unreadable",)


def test_caveats_that_are_no_list_are_not_read_as_none() -> None:
    typed = delegation().typed_data(1)
    message = {**typed["message"], "caveats": "all"}
    assert asked("eth_signTypedData_v4", [ME, {**typed, "message": message}]).dangers == ("unreadable",)


def test_a_delegation_of_votes_is_none_of_an_account() -> None:
    votes = {
        "types": {
            "Delegation": [
                {"name": "delegatee", "type": "address"},
                {"name": "nonce", "type": "uint256"},
                {"name": "expiry", "type": "uint256"},
            ]
        },
        "primaryType": "Delegation",
        "domain": {"name": "Votes"},
        "message": {"delegatee": SHOP, "nonce": 0, "expiry": 0},
    }
    assert asked("eth_signTypedData_v4", [ME, votes]).dangers == ()


@pytest.mark.parametrize(
    ("changes", "dangers"),
    [
        ({}, ()),
        ({"expiry": None}, ("no_expiry",)),
        ({"expiry": 0}, ("no_expiry",)),
        ({"permissions": [{"type": "native-token-transfer", "data": {}}]}, ("unlimited",)),
        ({"permissions": [{"type": "native-token-transfer", "data": {"allowance": hex(2**256 - 1)}}]}, ("unlimited",)),
        ({"permissions": [{"type": "contract-call", "data": {}}]}, ("any_target",)),
        ({"signer": {"type": "account", "data": {"address": ANYONE}}}, ("anyone",)),
    ],
)
def test_the_older_drafts_are_judged_alike(changes: dict[str, Any], dangers: tuple[Danger, ...]) -> None:
    grant = {
        "chainId": "0x1",
        "expiry": NOW + 86_400,
        "signer": {"type": "account", "data": {"address": SHOP}},
        "permissions": [{"type": "native-token-transfer", "data": {"allowance": "0x1"}}],
    }
    assert asked("wallet_grantPermissions", [{**grant, **changes}]).dangers == dangers

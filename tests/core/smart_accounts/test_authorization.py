"""Authorizations of EIP-7702."""

from dataclasses import replace
from typing import Any

import pytest
from eth_account import Account
from hypothesis import given

from tests.core.smart_accounts.operations import addresses, authorizations
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.smart_accounts.authorization import (
    NOBODY,
    Authorization,
    SignedAuthorization,
    delegated_code,
    read_authorization,
    read_delegation,
    read_signed_authorization,
)

CONTRACT = "0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B"
SIGNED = {"chainId": "0x1", "address": CONTRACT, "nonce": "0x7", "yParity": "0x1", "r": "0x5", "s": "0x6"}


@pytest.mark.parametrize("chain_id", [0, 1, 137, 2**64])
def test_the_hash_is_what_a_wallet_signs(chain_id: int) -> None:
    signed = Account.sign_authorization({"chainId": chain_id, "address": CONTRACT, "nonce": 7}, "0x" + "11" * 32)
    assert Authorization(chain_id, CONTRACT, 7).hash == bytes(signed.authorization_hash)


@given(authorizations)
def test_json_is_read_as_it_is_written(signed: SignedAuthorization) -> None:
    assert read_signed_authorization(signed.to_json()) == signed


def test_one_that_a_wallet_is_to_sign_needs_no_signature() -> None:
    assert read_authorization({"chainId": "0x0", "address": CONTRACT, "nonce": "0x0"}) == Authorization(0, CONTRACT, 0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"chainId": None},
        {"chainId": "1"},
        {"chainId": 1},
        {"address": "0x12"},
        {"address": None},
        {"nonce": "0xffffffffffffffff"},
        {"nonce": "-0x1"},
        {"yParity": "0x2"},
        {"yParity": "0x1b"},
        {"r": "0x0"},
        {"r": hex(2**256 - 1)},
        {"s": "0x0"},
        {"s": hex(2**255)},
    ],
)
def test_one_that_no_network_takes_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(PayloadError):
        read_signed_authorization(SIGNED | wrong)


@pytest.mark.parametrize("given_", [None, [], "0x", 5])
def test_what_is_no_object_is_refused(given_: object) -> None:
    with pytest.raises(PayloadError):
        read_signed_authorization(given_)


@pytest.mark.parametrize(("chain_id", "there"), [(1, True), (0, True), (137, False)])
def test_it_takes_effect_on_its_network_or_on_every_one(chain_id: int, there: bool) -> None:
    assert Authorization(chain_id, CONTRACT, 0).is_for(1) is there


def test_the_zero_address_takes_a_delegation_back() -> None:
    one = Authorization(1, CONTRACT, 0)
    assert (one.revokes, replace(one, address=NOBODY).revokes) == (False, True)


@given(addresses)
def test_the_code_of_a_delegated_account_names_the_contract(implementation: str) -> None:
    assert read_delegation(delegated_code(implementation)) == implementation


@pytest.mark.parametrize(
    "code", [b"", delegated_code(CONTRACT)[:-1], delegated_code(CONTRACT) + b"\0", b"\xef\x01\x01" + bytes(20)]
)
def test_other_code_is_no_delegation(code: bytes) -> None:
    assert read_delegation(code) == ""

"""Permissions as caveats hold them, and caveats that hold something else."""

from dataclasses import replace

import pytest
from eth_account import Account
from eth_account.messages import encode_typed_data

from tests.core.permissions.samples import DAY, FIVE_MINTS, FRIEND, MINT, NOW, SHOP, TEN_A_DAY, USDC, delegation
from walletmodal.core.errors.permissions import PermissionUnreadableError
from walletmodal.core.permissions.delegation import Caveat, decode_context, encode_context
from walletmodal.core.permissions.framework import (
    ALLOWED_METHODS,
    ALLOWED_TARGETS,
    ERC20_PERIOD,
    LIMITED_CALLS,
    MANAGER,
    NONCE,
    TIMESTAMP,
    VALUE_LTE,
)
from walletmodal.core.permissions.permission import MAX_PERIOD, Permission, caveats_of, read_caveats
from walletmodal.core.smart_accounts.contracts import ENTRY_POINT_0_7

CAVEATS = caveats_of(TEN_A_DAY, 0)
COINS = Permission("native-token-periodic", 10, NOW, period=DAY)


def without(enforcer: str) -> list[Caveat]:
    return [one for one in CAVEATS if one.enforcer != enforcer]


@pytest.mark.parametrize("enforcer", [ERC20_PERIOD, VALUE_LTE, NONCE])
def test_caveats_of_which_one_is_missing_are_no_permission(enforcer: str) -> None:
    with pytest.raises(PermissionUnreadableError):
        read_caveats(without(enforcer))


def test_without_its_end_it_never_ends() -> None:
    assert read_caveats(without(TIMESTAMP)) == replace(TEN_A_DAY, until=None)


def test_a_caveat_of_no_known_meaning_makes_it_unreadable() -> None:
    with pytest.raises(PermissionUnreadableError) as refused:
        read_caveats([*CAVEATS, Caveat(FRIEND, b"")])
    assert FRIEND in refused.value.details


def test_a_caveat_that_stands_there_twice_makes_it_unreadable() -> None:
    with pytest.raises(PermissionUnreadableError) as refused:
        read_caveats([*CAVEATS, CAVEATS[0]])
    assert refused.value.details == "a caveat twice"


@pytest.mark.parametrize(
    ("enforcer", "terms"),
    [
        (VALUE_LTE, (1).to_bytes(32, "big")),
        (TIMESTAMP, (1).to_bytes(16, "big") + (NOW + DAY).to_bytes(16, "big")),
        (TIMESTAMP, b"\x01"),
        (ERC20_PERIOD, CAVEATS[0].terms + b"\x00"),
        (NONCE, b""),
    ],
)
def test_terms_of_another_form_make_it_unreadable(enforcer: str, terms: bytes) -> None:
    with pytest.raises(PermissionUnreadableError):
        read_caveats([*without(enforcer), Caveat(enforcer, terms)])


@pytest.mark.parametrize(
    "wrong",
    [
        replace(TEN_A_DAY, amount=0),
        replace(TEN_A_DAY, amount=2**256),
        replace(TEN_A_DAY, start=0),
        replace(TEN_A_DAY, period=0),
        replace(TEN_A_DAY, period=MAX_PERIOD + 1),
        replace(TEN_A_DAY, until=NOW),
        replace(TEN_A_DAY, token=""),
        replace(TEN_A_DAY, payees=(SHOP, FRIEND)),
        replace(COINS, token=USDC),
        Permission("native-token-stream", 1, NOW, initial=5, maximum=5),
    ],
)
def test_what_the_contracts_would_not_take_is_not_granted(wrong: Permission) -> None:
    with pytest.raises(PermissionUnreadableError):
        caveats_of(wrong, 0)


def test_contexts_that_contracts_could_read_in_several_ways_are_none() -> None:
    context = encode_context([delegation()])
    with pytest.raises(PermissionUnreadableError):
        decode_context(context + bytes(32))
    with pytest.raises(PermissionUnreadableError):
        decode_context(b"")


def test_what_a_redeemer_adds_is_not_signed() -> None:
    signed = delegation()
    added = replace(signed, caveats=tuple(replace(one, args=b"\x01") for one in signed.caveats))
    assert added.hash == signed.hash


def test_the_typed_data_that_a_wallet_signs_has_the_digest_that_the_manager_checks() -> None:
    key, made = Account.create(), delegation()
    signed = key.sign_message(encode_typed_data(full_message=made.typed_data(137)))
    assert Account._recover_hash(made.digest(137), signature=signed.signature) == key.address


@pytest.mark.parametrize("permission", [FIVE_MINTS, replace(FIVE_MINTS, calls=None, amount=0, redeemers=(SHOP,))])
def test_calls_of_a_contract_are_read_as_what_their_caveats_hold(permission: Permission) -> None:
    assert read_caveats(caveats_of(permission, 0)) == permission


@pytest.mark.parametrize(
    ("enforcer", "terms"),
    [
        (ALLOWED_TARGETS, b""),
        (ALLOWED_TARGETS, bytes(20) + bytes(20)),
        (ALLOWED_METHODS, b"\x01"),
        (ALLOWED_METHODS, b""),
        (VALUE_LTE, b"\x01"),
        (LIMITED_CALLS, b"\x01"),
        (NONCE, b""),
        (ERC20_PERIOD, b""),
    ],
)
def test_caveats_of_another_form_are_no_calls_of_a_contract(enforcer: str, terms: bytes) -> None:
    others = [one for one in caveats_of(FIVE_MINTS, 0) if one.enforcer != enforcer]
    with pytest.raises(PermissionUnreadableError):
        read_caveats([*others, Caveat(enforcer, terms)])


@pytest.mark.parametrize(
    "wrong",
    [
        replace(FIVE_MINTS, contract=MANAGER),
        replace(FIVE_MINTS, contract=ENTRY_POINT_0_7),
        replace(FIVE_MINTS, contract=""),
        replace(FIVE_MINTS, methods=()),
        replace(FIVE_MINTS, methods=(MINT, MINT)),
        replace(FIVE_MINTS, calls=0),
        replace(FIVE_MINTS, start=NOW),
        replace(FIVE_MINTS, payees=(SHOP,)),
        replace(TEN_A_DAY, contract=FRIEND),
        replace(TEN_A_DAY, calls=1),
    ],
)
def test_calls_that_nothing_would_hold_are_not_granted(wrong: Permission) -> None:
    with pytest.raises(PermissionUnreadableError):
        caveats_of(wrong, 0)

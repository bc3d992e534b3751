"""Grants that read harmless and are not."""

from dataclasses import replace

import pytest

from tests.core.permissions.samples import FIVE_MINTS, FRIEND, ME, SHOP, TEN_A_DAY, delegation
from walletmodal.core.permissions.dangers import MOST_SECONDS, Danger, delegation_dangers, permission_dangers
from walletmodal.core.permissions.delegation import Caveat
from walletmodal.core.permissions.framework import ANYONE
from walletmodal.core.permissions.permission import Permission

NOBODY = "0x" + "0" * 40


@pytest.mark.parametrize(
    ("permission", "delegate", "dangers"),
    [
        (TEN_A_DAY, SHOP, ()),
        (replace(TEN_A_DAY, until=None), SHOP, ("no_expiry",)),
        (replace(TEN_A_DAY, until=MOST_SECONDS), SHOP, ("no_expiry",)),
        # In the year 2200.
        (replace(TEN_A_DAY, until=7_258_118_400), SHOP, ("no_expiry",)),
        (replace(TEN_A_DAY, amount=2**96), SHOP, ("unlimited",)),
        (replace(TEN_A_DAY, amount=2**90, period=1), SHOP, ("unlimited",)),
        (TEN_A_DAY, ANYONE, ("anyone",)),
        (TEN_A_DAY, NOBODY, ("anyone",)),
        (replace(TEN_A_DAY, redeemers=(FRIEND,)), ANYONE, ()),
    ],
)
def test_dangers_of_a_permission(permission: Permission, delegate: str, dangers: tuple[Danger, ...]) -> None:
    assert permission_dangers(permission, delegate, ME) == dangers


def test_a_stream_is_as_unlimited_as_its_maximum() -> None:
    stream = Permission("native-token-stream", 1, 1, maximum=2**256 - 1, until=9)
    assert permission_dangers(stream, SHOP, ME) == ("unlimited",)
    assert permission_dangers(replace(stream, maximum=1000), SHOP, ME) == ()


def test_a_delegation_without_caveats_lets_everything_be_done() -> None:
    bare = replace(delegation(), caveats=())
    assert delegation_dangers(bare, None) == ("no_expiry", "unlimited", "any_target")


def test_a_delegation_whose_caveats_are_not_known_allows_nobody_knows_what() -> None:
    strange = replace(delegation(), caveats=(Caveat(ME, b""),))
    assert delegation_dangers(strange, None) == ("unreadable",)


@pytest.mark.parametrize(
    ("permission", "dangers"),
    [
        (FIVE_MINTS, ()),
        (replace(FIVE_MINTS, calls=None, amount=0), ()),
        (replace(FIVE_MINTS, calls=None), ("unlimited",)),
        # Its call of approve(address,uint256) could hand over a whole token.
        (replace(FIVE_MINTS, methods=("0x095ea7b3",)), ("unlimited",)),
        (replace(FIVE_MINTS, contract=ME), ("any_target",)),
        (replace(FIVE_MINTS, until=None), ("no_expiry",)),
    ],
)
def test_calls_of_a_contract_that_read_harmless_and_are_not(
    permission: Permission, dangers: tuple[Danger, ...]
) -> None:
    assert permission_dangers(permission, SHOP, ME) == dangers

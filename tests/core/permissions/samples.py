"""Permissions of every kind, and a delegation of one."""

import random
from dataclasses import replace
from typing import Final

from walletmodal.core.permissions.delegation import Delegation
from walletmodal.core.permissions.permission import CONTRACT_CALL, KINDS, Permission, caveats_of

ME: Final = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
SHOP: Final = "0x016562aA41A8697720ce0943F003141f5dEAe006"
FRIEND: Final = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
USDC: Final = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
DAY: Final = 86_400
NOW: Final = 1_795_000_000
"""2026-11-18."""
TEN: Final = 10_000_000
"""USDC, which has six decimals."""

MINT: Final = "0x6a627842"
"""The selector of `mint(address)`."""
FIVE_MINTS: Final = Permission(
    CONTRACT_CALL, 10**17, 0, until=NOW + 30 * DAY, contract=FRIEND, methods=(MINT, "0x4e71d92d"), calls=5
)
_SPENDING: Final = [one for one in KINDS if one != CONTRACT_CALL]
"""The kinds that wallets of the framework have."""

TEN_A_DAY: Final = Permission("erc20-token-periodic", TEN, NOW, USDC, period=DAY, until=NOW + 30 * DAY)


def delegation(
    permission: Permission = TEN_A_DAY, *, nonce: int = 0, salt: int = 7, delegate: str = SHOP
) -> Delegation:
    """A permission of ours, with a signature that nobody has made."""
    found = Delegation(delegate, ME, caveats_of(permission, nonce), salt)
    return found.signed(b"\x12" * 65)


def permissions(count: int) -> list[Permission]:
    """Of every kind that spends, and with every rule in turn; the same each time."""
    chance, found = random.Random(7715), list[Permission]()
    for at in range(count):
        kind = _SPENDING[at % len(_SPENDING)]
        token = USDC if kind.startswith("erc20") else ""
        one = Permission(
            kind, chance.randrange(1, 2 ** chance.choice((8, 64, 128, 200))), NOW + chance.randrange(DAY), token
        )
        if one.manner == "periodic":
            one = replace(one, period=chance.choice((1, 3600, DAY, 7 * DAY, 30 * DAY, 365 * DAY)))
        if one.manner == "stream":
            first = chance.randrange(2**64)
            one = replace(one, initial=first, maximum=first + chance.randrange(1, 2**128))
        if at % 2:
            one = replace(one, until=one.start + chance.randrange(1, 400 * DAY))
        if at % 3 == 0:
            one = replace(one, redeemers=(SHOP, FRIEND)[: 1 + at % 2])
        if at % 5 == 0:
            one = replace(one, payees=(FRIEND,) if token else (FRIEND, SHOP))
        found.append(one)
    return found

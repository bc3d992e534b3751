"""What a permission lets a redeemer spend, until when, and the caveats that hold it.

The caveats of each kind, and those of its rules, are the ones that wallets of the framework write and read (`@metamask/7715-permission-types`).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from eth_utils.address import to_checksum_address

from walletmodal.core.errors.permissions import PermissionUnreadableError
from walletmodal.core.permissions.delegation import Caveat
from walletmodal.core.permissions.framework import (
    ALLOWED_CALLDATA,
    ALLOWED_TARGETS,
    ERC20_PERIOD,
    ERC20_STREAM,
    EXACT_CALLDATA,
    NATIVE_PERIOD,
    NATIVE_STREAM,
    NONCE,
    REDEEMER,
    TIMESTAMP,
    VALUE_LTE,
)

PermissionKind = Literal[
    "native-token-periodic",
    "native-token-allowance",
    "native-token-stream",
    "erc20-token-periodic",
    "erc20-token-allowance",
    "erc20-token-stream",
]
KINDS: Final[tuple[PermissionKind, ...]] = get_args(PermissionKind)

MAX_PERIOD: Final = 10 * 365 * 86_400
"""Seconds; wallets of the framework read no longer one."""
MAX_PARTIES: Final = 16
"""Redeemers, and payees, of one permission."""

_FOREVER: Final = 2**256 - 1
"""The period of an allowance, which never begins anew."""
_WORD: Final = 32
_ADDRESS: Final = 20
_HALF: Final = 16
_NO_COINS: Final = bytes(_WORD)
_PAYEE_AT: Final = bytes(_WORD - 1) + b"\x04"
"""Where the receiver stands in the call data of `transfer(address,uint256)`."""


@dataclass(frozen=True, slots=True)
class Permission:
    """What may be spent.

    Attributes:
        kind: as ERC-7715 names its type.
        amount: base units: of a period, altogether (allowance), or that become free with each second (stream).
        start: Unix seconds, from when on it counts.
        token: the contract, in its normal spelling; "" for the native coin.
        period: seconds; None but for the periodic ones.
        initial: base units that a stream has free at its start.
        maximum: base units that a stream frees altogether; None for the others.
        until: Unix seconds, at which it has ended; None for never.
        redeemers: who alone may hand it in; empty for whoever the delegate is.
        payees: who alone may be paid; empty for everybody.
    """

    kind: PermissionKind
    amount: int
    start: int
    token: str = ""
    period: int | None = None
    initial: int = 0
    maximum: int | None = None
    until: int | None = None
    redeemers: tuple[str, ...] = ()
    payees: tuple[str, ...] = ()

    @property
    def manner(self) -> str:
        """`periodic`, `allowance` or `stream`."""
        return self.kind.rpartition("-")[2]

    @property
    def enforcer(self) -> str:
        """The contract that counts what is spent."""
        if self.manner == "stream":
            return ERC20_STREAM if self.token else NATIVE_STREAM
        return ERC20_PERIOD if self.token else NATIVE_PERIOD

    @property
    def terms(self) -> bytes:
        """What that contract reads."""
        token = bytes.fromhex(self.token[2:]) if self.token else b""
        if self.manner == "stream":
            return token + _words(self.initial, self.maximum or 0, self.amount, self.start)
        return token + _words(self.amount, self.period or _FOREVER, self.start)


def check_permission(permission: Permission) -> None:
    """Checks that the numbers are such as the contracts, and other wallets, take.

    Raises:
        PermissionUnreadableError: one of them is not; its details name it.
    """
    manner, most = permission.manner, permission.maximum
    rules = {
        "amount": 0 < permission.amount < 2**256,
        "startTime": 0 < permission.start < 2**53,
        "tokenAddress": bool(permission.token) == permission.kind.startswith("erc20"),
        "periodDuration": manner != "periodic" or 0 < (permission.period or 0) <= MAX_PERIOD,
        "maxAmount": manner != "stream" or (most is not None and permission.initial < most < 2**256),
        "expiry": permission.until is None or permission.start < permission.until < 2**53,
        "redeemer": len(permission.redeemers) <= MAX_PARTIES,
        "payee": len(permission.payees) <= (1 if permission.token else MAX_PARTIES),
    }
    for name, kept in rules.items():
        if not kept:
            raise PermissionUnreadableError(name)


def caveats_of(permission: Permission, nonce: int) -> tuple[Caveat, ...]:
    """Returns the caveats that hold a permission.

    Args:
        permission: what may be spent.
        nonce: that NonceEnforcer has for the account now: when it is raised, all permissions of before end.

    Raises:
        PermissionUnreadableError: a number that the contracts do not take.
    """
    check_permission(permission)
    alone = Caveat(VALUE_LTE, _NO_COINS) if permission.token else Caveat(EXACT_CALLDATA, b"")
    caveats = [Caveat(permission.enforcer, permission.terms), alone]
    if permission.until is not None:
        caveats.append(Caveat(TIMESTAMP, bytes(_HALF) + permission.until.to_bytes(_HALF, "big")))
    if permission.redeemers:
        caveats.append(Caveat(REDEEMER, _packed(permission.redeemers)))
    if permission.payees and permission.token:
        receiver = bytes.fromhex(permission.payees[0][2:]).rjust(_WORD, b"\0")
        caveats.append(Caveat(ALLOWED_CALLDATA, _PAYEE_AT + receiver))
    elif permission.payees:
        caveats.append(Caveat(ALLOWED_TARGETS, _packed(permission.payees)))
    return (*caveats, Caveat(NONCE, nonce.to_bytes(_WORD, "big")))


def read_caveats(caveats: Sequence[Caveat]) -> Permission:
    """Returns the permission that caveats hold; the nonce among them is left out.

    Raises:
        PermissionUnreadableError: they are not exactly those of one permission. Whoever redeems it might do anything.
    """
    terms = {one.enforcer: one.terms for one in caveats}
    if max(Counter(one.enforcer for one in caveats).values(), default=0) > 1:
        raise PermissionUnreadableError("a caveat twice")
    spending = [one for one in (NATIVE_PERIOD, NATIVE_STREAM, ERC20_PERIOD, ERC20_STREAM) if one in terms]
    if len(spending) != 1 or len(terms.pop(NONCE, b"")) != _WORD:
        raise PermissionUnreadableError("the caveats limit no amount that is known here")
    (enforcer,) = spending
    of_token = enforcer in (ERC20_PERIOD, ERC20_STREAM)
    alone = terms.pop(VALUE_LTE, None) == _NO_COINS if of_token else terms.pop(EXACT_CALLDATA, None) == b""
    if not alone:
        raise PermissionUnreadableError("more than a transfer could be made")
    found = replace(
        _spending(enforcer, terms.pop(enforcer)),
        until=_until(terms.pop(TIMESTAMP, None)),
        redeemers=_parties(terms.pop(REDEEMER, None), "redeemer"),
        payees=_payee(terms.pop(ALLOWED_CALLDATA, None))
        if of_token
        else _parties(terms.pop(ALLOWED_TARGETS, None), "payee"),
    )
    if terms:
        raise PermissionUnreadableError(f"a caveat that is not known here: {next(iter(terms))}")
    check_permission(found)
    return found


def nonce_of(caveats: Sequence[Caveat]) -> int | None:
    """Returns the nonce that caveats name; None where they name none, or one that is no number."""
    terms = next((one.terms for one in caveats if one.enforcer == NONCE), b"")
    return int.from_bytes(terms, "big") if len(terms) == _WORD else None


def _spending(enforcer: str, terms: bytes) -> Permission:
    """Reads what the enforcer of an amount holds."""
    of_token, stream = enforcer in (ERC20_PERIOD, ERC20_STREAM), enforcer in (NATIVE_STREAM, ERC20_STREAM)
    token, numbers = (terms[:_ADDRESS], terms[_ADDRESS:]) if of_token else (b"", terms)
    if len(numbers) != (4 if stream else 3) * _WORD:
        raise PermissionUnreadableError("terms of another length")
    words = [int.from_bytes(numbers[at : at + _WORD], "big") for at in range(0, len(numbers), _WORD)]
    contract = str(to_checksum_address(token)) if of_token else ""
    if stream:
        kind: PermissionKind = "erc20-token-stream" if of_token else "native-token-stream"
        return Permission(kind, words[2], words[3], contract, initial=words[0], maximum=words[1])
    if words[1] == _FOREVER:
        kind = "erc20-token-allowance" if of_token else "native-token-allowance"
        return Permission(kind, words[0], words[2], contract)
    kind = "erc20-token-periodic" if of_token else "native-token-periodic"
    return Permission(kind, words[0], words[2], contract, period=words[1])


def _until(terms: bytes | None) -> int | None:
    if terms is None:
        return None
    if len(terms) != 2 * _HALF or any(terms[:_HALF]):
        raise PermissionUnreadableError("an expiry of another form")
    return int.from_bytes(terms[_HALF:], "big")


def _parties(terms: bytes | None, rule: str) -> tuple[str, ...]:
    if terms is None:
        return ()
    if not terms or len(terms) % _ADDRESS:
        raise PermissionUnreadableError(rule)
    return tuple(to_checksum_address(terms[at : at + _ADDRESS]) for at in range(0, len(terms), _ADDRESS))


def _payee(terms: bytes | None) -> tuple[str, ...]:
    if terms is None:
        return ()
    if len(terms) != 2 * _WORD or terms[:_WORD] != _PAYEE_AT or any(terms[_WORD:-_ADDRESS]):
        raise PermissionUnreadableError("payee")
    return (to_checksum_address(terms[-_ADDRESS:]),)


def _packed(addresses: Sequence[str]) -> bytes:
    return b"".join(bytes.fromhex(one[2:]) for one in addresses)


def _words(*numbers: int) -> bytes:
    return b"".join(one.to_bytes(_WORD, "big") for one in numbers)

"""What a permission lets a redeemer spend or call, until when, and the caveats that hold it.

The caveats of each kind, and those of its rules, are the ones that wallets of the framework write and read (`@metamask/7715-permission-types`).
Those wallets have no `contract-call`, a type of ERC-7715's draft of 2024: its caveats are those of a function call in MetaMask's delegation toolkit.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from eth_utils.address import to_checksum_address

from walletmodal.core.errors.permissions import PermissionUnreadableError
from walletmodal.core.permissions.delegation import Caveat
from walletmodal.core.permissions.framework import (
    ALLOWED_CALLDATA,
    ALLOWED_METHODS,
    ALLOWED_TARGETS,
    ENFORCERS,
    ERC20_PERIOD,
    ERC20_STREAM,
    EXACT_CALLDATA,
    LIMITED_CALLS,
    MANAGER,
    NATIVE_PERIOD,
    NATIVE_STREAM,
    NONCE,
    REDEEMER,
    TIMESTAMP,
    VALUE_LTE,
)
from walletmodal.core.smart_accounts.contracts import ENTRY_POINTS

PermissionKind = Literal[
    "native-token-periodic",
    "native-token-allowance",
    "native-token-stream",
    "erc20-token-periodic",
    "erc20-token-allowance",
    "erc20-token-stream",
    "contract-call",
]
CONTRACT_CALL: Final[PermissionKind] = "contract-call"
KINDS: Final[tuple[PermissionKind, ...]] = get_args(PermissionKind)

MAX_PERIOD: Final = 10 * 365 * 86_400
"""Seconds; wallets of the framework read no longer one."""
MAX_PARTIES: Final = 16
"""Redeemers, and payees, of one permission."""
MAX_METHODS: Final = 8
"""Functions of one permission: a visitor reads them all."""

_OBEYED: Final = frozenset((MANAGER, *ENFORCERS, *ENTRY_POINTS.values()))
"""Contracts at which an account's word changes what others may do with it, or moves what it has put down there for gas."""

_FOREVER: Final = 2**256 - 1
"""The period of an allowance, which never begins anew."""
_WORD: Final = 32
_ADDRESS: Final = 20
_HALF: Final = 16
_METHOD: Final = 4
_NO_COINS: Final = bytes(_WORD)
_PAYEE_AT: Final = bytes(_WORD - 1) + b"\x04"
"""Where the receiver stands in the call data of `transfer(address,uint256)`."""


@dataclass(frozen=True, slots=True)
class Permission:
    """What may be spent, or called.

    Attributes:
        kind: as ERC-7715 names its type.
        amount: base units: of a period, altogether (allowance), that become free with each second (stream), or coins that one call may
            take along (contract-call).
        start: Unix seconds, from when on it counts; 0 of contract-call, which counts at once.
        token: the contract, in its normal spelling; "" for the native coin.
        period: seconds; None but for the periodic ones.
        initial: base units that a stream has free at its start.
        maximum: base units that a stream frees altogether; None for the others.
        until: Unix seconds, at which it has ended; None for never.
        redeemers: who alone may hand it in; empty for whoever the delegate is.
        payees: who alone may be paid; empty for everybody.
        contract: that may be called, in its normal spelling; "" but for contract-call.
        methods: selectors of the functions that may be called there, in hex with `0x`.
        calls: how many calls may be made; None for any number.
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
    contract: str = ""
    methods: tuple[str, ...] = ()
    calls: int | None = None

    @property
    def manner(self) -> str:
        """`periodic`, `allowance`, `stream` or `call`."""
        return self.kind.rpartition("-")[2]

    @property
    def enforcer(self) -> str:
        """The contract that counts what is spent, or how many calls were made."""
        if self.manner == "call":
            return LIMITED_CALLS
        if self.manner == "stream":
            return ERC20_STREAM if self.token else NATIVE_STREAM
        return ERC20_PERIOD if self.token else NATIVE_PERIOD

    @property
    def terms(self) -> bytes:
        """What that contract reads of an amount."""
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
    is_call = manner == "call"
    rules = {
        "amount": 0 < permission.amount + is_call <= 2**256 - 1 + is_call,
        "startTime": permission.start == 0 if is_call else 0 < permission.start < 2**53,
        "tokenAddress": bool(permission.token) == permission.kind.startswith("erc20"),
        "periodDuration": manner != "periodic" or 0 < (permission.period or 0) <= MAX_PERIOD,
        "maxAmount": manner != "stream" or (most is not None and permission.initial < most < 2**256),
        "expiry": permission.until is None or permission.start < permission.until < 2**53,
        "redeemer": len(permission.redeemers) <= MAX_PARTIES,
        "payee": len(permission.payees) <= (0 if is_call else 1 if permission.token else MAX_PARTIES),
        "address": bool(permission.contract) == is_call and permission.contract not in _OBEYED,
        "functions": 0 < len(permission.methods) + (not is_call) <= MAX_METHODS
        and len(set(permission.methods)) == len(permission.methods),
        "callLimit": permission.calls is None or (is_call and 0 < permission.calls < 2**53),
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
    caveats = _call_caveats(permission) if permission.manner == "call" else _spending_caveats(permission)
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


def _spending_caveats(permission: Permission) -> list[Caveat]:
    alone = Caveat(VALUE_LTE, _NO_COINS) if permission.token else Caveat(EXACT_CALLDATA, b"")
    return [Caveat(permission.enforcer, permission.terms), alone]


def _call_caveats(permission: Permission) -> list[Caveat]:
    methods = b"".join(bytes.fromhex(one[2:]) for one in permission.methods)
    counted = [] if permission.calls is None else [Caveat(LIMITED_CALLS, _words(permission.calls))]
    return [
        Caveat(ALLOWED_TARGETS, _packed([permission.contract])),
        Caveat(ALLOWED_METHODS, methods),
        Caveat(VALUE_LTE, _words(permission.amount)),
        *counted,
    ]


def read_caveats(caveats: Sequence[Caveat]) -> Permission:
    """Returns the permission that caveats hold; the nonce among them is left out.

    Raises:
        PermissionUnreadableError: they are not exactly those of one permission. Whoever redeems it might do anything.
    """
    terms = {one.enforcer: one.terms for one in caveats}
    if max(Counter(one.enforcer for one in caveats).values(), default=0) > 1:
        raise PermissionUnreadableError("a caveat twice")
    if ALLOWED_METHODS in terms:
        return _read_calls(terms)
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
    _all_read(terms)
    check_permission(found)
    return found


def _read_calls(terms: dict[str, bytes]) -> Permission:
    targets, methods = _parties(terms.pop(ALLOWED_TARGETS, b""), "address"), terms.pop(ALLOWED_METHODS)
    coins, counted = terms.pop(VALUE_LTE, b""), terms.pop(LIMITED_CALLS, None)
    if len(terms.pop(NONCE, b"")) != _WORD or len(targets) != 1 or len(methods) % _METHOD:
        raise PermissionUnreadableError("the caveats limit no call that is known here")
    if len(coins) != _WORD or (counted is not None and len(counted) != _WORD):
        raise PermissionUnreadableError("terms of another length")
    found = Permission(
        CONTRACT_CALL,
        int.from_bytes(coins, "big"),
        0,
        until=_until(terms.pop(TIMESTAMP, None)),
        redeemers=_parties(terms.pop(REDEEMER, None), "redeemer"),
        contract=targets[0],
        methods=tuple("0x" + methods[at : at + _METHOD].hex() for at in range(0, len(methods), _METHOD)),
        calls=None if counted is None else int.from_bytes(counted, "big"),
    )
    _all_read(terms)
    check_permission(found)
    return found


def _all_read(others: Mapping[str, bytes]) -> None:
    if others:
        raise PermissionUnreadableError(f"a caveat that is not known here: {next(iter(others))}")


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

"""Calls to the delegation framework: spending within a permission, taking it back, and what the contracts say about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from eth_abi.abi import decode
from eth_abi.exceptions import DecodingError

from walletmodal.core.decoding.decoded_call import selector
from walletmodal.core.permissions.delegation import DELEGATION_TUPLE, Delegation
from walletmodal.core.permissions.framework import MANAGER
from walletmodal.core.permissions.permission import Permission
from walletmodal.core.smart_accounts.call_encoding import AccountCall, encode_call
from walletmodal.core.text.display_text import clean_text

SINGLE: Final = bytes(32)
"""The mode (ERC-7579) of one call that takes everything back where it fails; the enforcers of amounts take no other."""
MAX_REASON: Final = 200

_REDEEM: Final = "redeemDelegations(bytes[],bytes32[],bytes[])"
_DISABLE: Final = f"disableDelegation({DELEGATION_TUPLE})"
_DISABLED: Final = "disabledDelegations(bytes32)"
_CURRENT_NONCE: Final = "currentNonce(address,address)"
_INCREMENT_NONCE: Final = "incrementNonce(address)"
_AVAILABLE: Final = "getAvailableAmount(bytes32,address,bytes)"
_CALL_COUNTS: Final = "callCounts(address,bytes32)"
_STREAMED: Final = "streamingAllowances(address,bytes32)"
_TRANSFER: Final = "transfer(address,uint256)"


@dataclass(frozen=True, slots=True)
class Usage:
    """What was used of a permission.

    Attributes:
        used: base units, of the period that runs (periodic) or altogether (the others); of contract-call the calls that were made.
        available: base units that could be spent now, or calls that could be made.
    """

    used: int
    available: int


def payment(permission: Permission, to: str, amount: int) -> AccountCall:
    """Returns the call that pays out of a permission: base units of its token, or of the native coin."""
    if permission.token:
        return AccountCall(permission.token, 0, encode_call(_TRANSFER, to, amount))
    return AccountCall(to, amount)


def redeem_call(context: bytes, calls: Sequence[AccountCall]) -> bytes:
    """Encodes the manager's call that makes calls for an account, each within the same permission: all, or none."""
    many = len(calls)
    return encode_call(_REDEEM, [context] * many, [SINGLE] * many, [one.packed for one in calls])


def disable_call(delegation: Delegation) -> bytes:
    """Encodes the manager's call by which the delegator takes a delegation back."""
    return encode_call(_DISABLE, delegation.values)


def disable_all_call() -> bytes:
    """Encodes NonceEnforcer's call by which an account takes back all permissions that name its nonce."""
    return encode_call(_INCREMENT_NONCE, MANAGER)


def disabled_question(delegation: Delegation) -> bytes:
    """Encodes the manager's call that tells whether a delegation was taken back."""
    return encode_call(_DISABLED, delegation.hash)


def nonce_question(account: str) -> bytes:
    """Encodes NonceEnforcer's call that tells the nonce of an account."""
    return encode_call(_CURRENT_NONCE, MANAGER, account)


def usage_question(delegation: Delegation, permission: Permission) -> bytes:
    """Encodes the call to a permission's enforcer that tells what was used."""
    if permission.manner == "call":
        return encode_call(_CALL_COUNTS, MANAGER, delegation.hash)
    if permission.manner == "stream":
        return encode_call(_STREAMED, MANAGER, delegation.hash)
    return encode_call(_AVAILABLE, delegation.hash, MANAGER, permission.terms)


def read_usage(permission: Permission, answer: bytes, now: int) -> Usage | None:
    """Reads the answer to `usage_question`; None where it is none, or nothing is counted: calls of any number.

    Args:
        permission: of the question.
        answer: of the enforcer.
        now: Unix seconds, of the chain.
    """
    started = now >= permission.start and (permission.until is None or now < permission.until)
    if permission.manner == "call":
        return _calls_made(permission, answer, started=started)
    if permission.manner == "stream":
        words = read_words(answer, 5)
        if words is None:
            return None
        spent = words[4]
        free = permission.initial + permission.amount * max(0, now - permission.start)
        left = max(0, min(permission.maximum or 0, free) - spent)
        return Usage(spent, left if started else 0)
    words = read_words(answer, 3)
    if words is None or words[0] > permission.amount:
        return None
    if now < permission.start:
        return Usage(0, 0)
    return Usage(permission.amount - words[0], words[0] if started else 0)


def _calls_made(permission: Permission, answer: bytes, *, started: bool) -> Usage | None:
    made = read_words(answer, 1)
    if made is None or permission.calls is None:
        return None
    return Usage(made[0], max(0, permission.calls - made[0]) if started else 0)


def read_words(answer: bytes, count: int) -> tuple[int, ...] | None:
    """Reads so many numbers; None where the answer has another length."""
    if len(answer) != 32 * count:
        return None
    return tuple(int.from_bytes(answer[at : at + 32], "big") for at in range(0, len(answer), 32))


_REASONS: Final = {
    "CannotUseADisabledDelegation()": "The account has taken the permission back.",
    "InvalidDelegate()": "The permission is for another key.",
    "InvalidDelegator()": "The permission is of another account.",
    "InvalidAuthority()": "The delegations do not build on each other.",
    "InvalidEOASignature()": "The account has not signed this permission.",
    "InvalidERC1271Signature()": "The account has not signed this permission.",
    "EmptySignature()": "The permission is not signed.",
    "EnforcedPause()": "The delegation framework is paused on this network.",
    "AlreadyDisabled()": "The account has taken the permission back already.",
}
_ERROR: Final = bytes.fromhex(selector("Error(string)")[2:])
_ERRORS: Final = {bytes.fromhex(selector(signature)[2:]): (signature, text) for signature, text in _REASONS.items()}
_ENFORCED: Final = {
    "ERC20PeriodTransferEnforcer:transfer-amount-exceeded": "It is more than is left of this period.",
    "NativeTokenPeriodTransferEnforcer:transfer-amount-exceeded": "It is more than is left of this period.",
    "ERC20StreamingEnforcer:allowance-exceeded": "It is more than has become free so far.",
    "NativeTokenStreamingEnforcer:allowance-exceeded": "It is more than has become free so far.",
    "ERC20PeriodTransferEnforcer:transfer-not-started": "The permission has not begun yet.",
    "NativeTokenPeriodTransferEnforcer:transfer-not-started": "The permission has not begun yet.",
    "ERC20PeriodTransferEnforcer:invalid-contract": "The permission is for another token.",
    "ERC20StreamingEnforcer:invalid-contract": "The permission is for another token.",
    "ERC20PeriodTransferEnforcer:invalid-method": "The permission is for transfers alone.",
    "ERC20StreamingEnforcer:invalid-method": "The permission is for transfers alone.",
    "ERC20PeriodTransferEnforcer:invalid-execution-length": "The permission is for transfers alone.",
    "ERC20StreamingEnforcer:invalid-execution-length": "The permission is for transfers alone.",
    "ExactCalldataEnforcer:invalid-calldata": "The permission is for payments alone.",
    "TimestampEnforcer:expired-delegation": "The permission has ended.",
    "RedeemerEnforcer:unauthorized-redeemer": "The permission is for another redeemer.",
    "AllowedCalldataEnforcer:invalid-calldata": "The permission is for other payees.",
    "AllowedTargetsEnforcer:target-address-not-allowed": "The permission is for other payees, or for another contract.",
    "AllowedMethodsEnforcer:method-not-allowed": "The permission is for other functions.",
    "AllowedMethodsEnforcer:invalid-execution-data-length": "The permission is for calls of functions alone.",
    "LimitedCallsEnforcer:limit-exceeded": "All calls of the permission were made.",
    "NonceEnforcer:invalid-nonce": "The account has taken all its permissions back.",
    "ValueLteEnforcer:value-too-high": "It is more of the network's coin than the permission lets go along.",
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the contracts refuse a redemption.

    Attributes:
        code: as the contract calls it, such as `TimestampEnforcer:expired-delegation`; "" where it gives no reason.
        text: a sentence.
    """

    code: str
    text: str


def read_refusal(data: bytes) -> Refusal:
    """Reads what a contract reverted with."""
    if data[:4] in _ERRORS:
        return Refusal(*_ERRORS[data[:4]])
    if data[:4] == _ERROR:
        try:
            (told,) = decode(["string"], data[4:])
        except (DecodingError, UnicodeDecodeError, OverflowError):
            return Refusal("", "The contract refuses it without a reason.")
        code = clean_text(told, limit=MAX_REASON)
        return Refusal(code, _ENFORCED.get(code) or f"The contract refuses it: {code}.")
    return Refusal("0x" + data[:4].hex() if data else "", "The contract refuses it without a reason.")

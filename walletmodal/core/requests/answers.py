"""Answers of a wallet that was asked to send: hostile until it has been read here."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeGuard

import base58

from walletmodal.core.decoding.solana_message import read_transaction
from walletmodal.core.errors.rules import PayloadError

AnswerStatus = Literal["sent", "declined", "unanswered"]
"""sent: with a hash, or an id of several calls. declined: nothing was sent. unanswered: nobody knows whether something was."""

MAX_BUNDLE_ID: Final = 8194
"""Characters: 4096 bytes in hexadecimal (EIP-5792)."""

_HASH: Final = re.compile(r"0x[0-9a-fA-F]{64}")
_SIGNATURE: Final = 64


@dataclass(frozen=True, slots=True)
class Answer:
    """What a wallet answered.

    Attributes:
        hash: of the transaction, in its normal spelling; bundle: the wallet's id of several calls; signed: a signed transaction, base64.
        code, message: of the error; 0 and "" without one.
    """

    status: AnswerStatus
    hash: str = ""
    bundle: str = ""
    signed: str = ""
    code: int = 0
    message: str = ""


# Of a value that is something else each raises TypeError, ValueError, KeyError or WalletModalError.


def evm_hash(value: Any) -> Answer:
    """A transaction's hash."""
    if not isinstance(value, str) or not _HASH.fullmatch(value):
        raise ValueError("no hash")
    return Answer("sent", hash=value.lower())


def is_bundle_id(value: object) -> TypeGuard[str]:
    """Whether something can be the id of several calls (EIP-5792)."""
    return isinstance(value, str) and 0 < len(value) <= MAX_BUNDLE_ID and value.isprintable()


def bundle_id(value: Any) -> Answer:
    """The id of several calls (EIP-5792), or an object with it."""
    bundle = value["id"] if isinstance(value, Mapping) else value
    if not is_bundle_id(bundle):
        raise ValueError("no id")
    return Answer("sent", bundle=bundle)


def solana_signature(value: Any) -> Answer:
    """The signature of a transaction that the wallet has sent."""
    signature = value["signature"]
    if not isinstance(signature, str) or len(signature) > 100 or len(base58.b58decode(signature)) != _SIGNATURE:
        raise ValueError("no signature")
    return Answer("sent", hash=signature)


def solana_signed(value: Any) -> Answer:
    """A transaction that the wallet has signed, and that is to be sent."""
    message = read_transaction(value["transaction"])
    if not any(base58.b58decode(message.signature)):
        raise PayloadError("The transaction is not signed")
    return Answer("sent", hash=message.signature, signed=value["transaction"])

"""What a wallet answers when it was asked to send: hostile until it has been read here."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import base58

from walletmodal.core.decoding.solana_message import read_transaction
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import (
    CHAIN_DISCONNECTED,
    CHAIN_UNKNOWN,
    EIP5792,
    INTERNAL_ERROR,
    INVALID_INPUT,
    INVALID_PARAMS,
    INVALID_REQUEST,
    LIMIT_EXCEEDED,
    METHOD_NOT_FOUND,
    METHOD_NOT_SUPPORTED,
    REJECTED,
    TRANSACTION_REJECTED,
    UNAUTHORIZED,
    UNSUPPORTED_METHOD,
    VERSION_UNSUPPORTED,
)
from walletmodal.core.errors.rpc import is_user_rejection
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.protocol.messages import Reply

AnswerStatus = Literal["sent", "declined", "unanswered"]
"""sent: with a hash, or an id of several calls. declined: nothing was sent. unanswered: nobody knows whether something was."""

MAX_BUNDLE_ID: Final = 1024
NONSENSE: Final = "The wallet's answer makes no sense"

_HASH: Final = re.compile(r"0x[0-9a-fA-F]{64}")
_REFUSED: Final = frozenset(
    {
        REJECTED,
        UNAUTHORIZED,
        UNSUPPORTED_METHOD,
        CHAIN_DISCONNECTED,
        CHAIN_UNKNOWN,
        INVALID_REQUEST,
        METHOD_NOT_FOUND,
        INVALID_PARAMS,
        INVALID_INPUT,
        TRANSACTION_REJECTED,
        METHOD_NOT_SUPPORTED,
        LIMIT_EXCEEDED,
        VERSION_UNSUPPORTED,
        *EIP5792,
    }
)
"""Codes that say that nothing was sent: of the wallet itself, and of a node that did not take the transaction."""
_KNOWN_ALREADY: Final = ("already known", "already imported", "already been processed")
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


@dataclass(frozen=True, slots=True)
class TransactionOutcome:
    """What a wallet answered to a transaction that a flow has asked for.

    Attributes:
        request_id: its id on record.
        status: `sent`: on its way, and its hash is durable; `declined`: nothing was sent; `unanswered`: nobody knows, it is looked for.
        hash: of the transaction; "" where it is not known.
        code, message: of the wallet's refusal, cleaned.
    """

    request_id: str
    status: AnswerStatus
    hash: str = ""
    code: int = 0
    message: str = ""


def read_answer(method: str, reply: Reply) -> Answer:
    """The answer to `eth_sendTransaction`, `wallet_sendCalls`, `solana_signAndSendTransaction` or `solana_signTransaction`."""
    if reply.error is not None:
        code, message = reply.error.code, reply.error.message
        known = any(text in message.lower() for text in _KNOWN_ALREADY)
        refused = (code in _REFUSED or is_user_rejection(code, message)) and not known
        return Answer("declined" if refused else "unanswered", code=code, message=message)
    try:
        return _read(method, reply.value)
    except (TypeError, ValueError, KeyError, WalletModalError):
        return Answer("unanswered", code=INTERNAL_ERROR, message=NONSENSE)


def _read(method: str, value: Any) -> Answer:
    if method == "eth_sendTransaction":
        if not isinstance(value, str) or not _HASH.fullmatch(value):
            raise ValueError("no hash")
        return Answer("sent", hash=value.lower())
    if method == "wallet_sendCalls":
        bundle = value["id"] if isinstance(value, Mapping) else value
        if not isinstance(bundle, str) or not 0 < len(bundle) <= MAX_BUNDLE_ID or not bundle.isprintable():
            raise ValueError("no id")
        return Answer("sent", bundle=bundle)
    if method == "solana_signTransaction":
        message = read_transaction(value["transaction"])
        if not any(base58.b58decode(message.signature)):
            raise PayloadError("The transaction is not signed")
        return Answer("sent", hash=message.signature, signed=value["transaction"])
    signature = value["signature"]
    if not isinstance(signature, str) or len(signature) > 100 or len(base58.b58decode(signature)) != _SIGNATURE:
        raise ValueError("no signature")
    return Answer("sent", hash=signature)

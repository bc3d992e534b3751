"""Wallet response to a transaction request: hostile until it has been read here."""

from dataclasses import dataclass
from typing import Final

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
from walletmodal.core.language import _
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.requests.answers import Answer, AnswerStatus
from walletmodal.core.requests.methods import WALLET_METHODS

NONSENSE: Final = _("The wallet's answer makes no sense")

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
    """The answer to a method that sends a transaction, or signs one that is to be sent."""
    if reply.error is not None:
        code, message = reply.error.code, reply.error.message
        known = any(text in message.lower() for text in _KNOWN_ALREADY)
        refused = (code in _REFUSED or is_user_rejection(code, message)) and not known
        return Answer("declined" if refused else "unanswered", code=code, message=message)
    read = WALLET_METHODS[method].answer
    try:
        if read is not None:
            return read(reply.value)
    except (TypeError, ValueError, KeyError, WalletModalError):
        pass
    return Answer("unanswered", code=INTERNAL_ERROR, message=NONSENSE)

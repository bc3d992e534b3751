"""Classification of failures for the next step: retry, ask another node, or tell the caller."""

from typing import Final

import httpx

from walletmodal.core.constants import (
    FALLBACK_RETHROWN_CODES,
    FALLBACK_RETHROWN_TEXT,
    RETRYABLE_CODES,
    RETRYABLE_STATUSES,
)
from walletmodal.core.errors import (
    HttpRequestError,
    MalformedResponseError,
    RequestTimeoutError,
    ResponseTooLargeError,
    RpcRequestError,
    TransportError,
)
from walletmodal.core.errors.codes import LIMIT_EXCEEDED, METHOD_NOT_FOUND, METHOD_NOT_SUPPORTED
from walletmodal.services.rpc.reads import READ_METHODS

# "Execution reverted" as a code, which some nodes send with the contract's own text alone.
_REVERTED: Final = 3
_NOT_OFFERED: Final = frozenset({METHOD_NOT_FOUND, METHOD_NOT_SUPPORTED})
# With these the server says that it has not taken the request up.
_NOT_TAKEN_UP: Final = frozenset({403, 408, 413, 429, 503})
# Statuses of servers that do not know what to do with an array, or with one of that size.
_BATCH_REFUSALS: Final = frozenset({400, 404, 405, 413, 414, 415, 422, 431, 500, 501})


def may_retry(error: TransportError, method: str) -> bool:
    """Whether the same request is worth sending again to the same node, and does no harm."""
    if method not in READ_METHODS and not _is_certainly_unsent(error):
        return False
    if isinstance(error, RpcRequestError):
        return error.code in RETRYABLE_CODES
    if isinstance(error, HttpRequestError):
        return error.status is None or error.status in RETRYABLE_STATUSES
    return isinstance(error, RequestTimeoutError | MalformedResponseError)


def may_try_another_node(error: TransportError, method: str) -> bool:
    """Whether another node could do better, and asking it does no harm."""
    if method not in READ_METHODS:
        return _is_certainly_unsent(error)
    if isinstance(error, RpcRequestError):
        # Another node would say the same.
        final = error.code in FALLBACK_RETHROWN_CODES or error.code == _REVERTED
        return not final and FALLBACK_RETHROWN_TEXT not in error.details.lower()
    return True


def refuses_batches(error: TransportError) -> bool:
    """Whether a failed batch may do better in smaller parts."""
    if isinstance(error, HttpRequestError):
        return error.status in _BATCH_REFUSALS
    return isinstance(error, RpcRequestError | MalformedResponseError | ResponseTooLargeError)


def is_method_unavailable(error: RpcRequestError) -> bool:
    """Whether the node says that it does not have the method."""
    return error.code in _NOT_OFFERED


def _is_certainly_unsent(error: TransportError) -> bool:
    """Whether it is certain that the node has not done what it was asked for, such as sending a transaction."""
    if isinstance(error, RpcRequestError):
        return error.code == LIMIT_EXCEEDED or is_method_unavailable(error)
    if isinstance(error, HttpRequestError):
        if error.status is None:
            return isinstance(error.__cause__, httpx.ConnectError | httpx.InvalidURL | httpx.UnsupportedProtocol)
        return error.status in _NOT_TAKEN_UP
    return False

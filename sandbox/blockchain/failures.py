"""What the blockchain service refuses, and how the refusal looks.

ServiceError
├── RefusedError           the request is wrong: a status, and which field and why
├── ProviderRefusedError   the pools refuse a swap: a code and a message, as the public service passes them on
├── NodeUnavailableError   a chain's node does not answer: 503
└── NodeRefusedError       a chain's node answered with an error; who asked decides what that means
"""

from typing import Final

from starlette.responses import Response

from walletmodal.sandbox.answers import json_answer, refusal


class ServiceError(Exception):
    """Anything that ends a request to this service early."""


class RefusedError(ServiceError):
    """The request is wrong.

    Args:
        status: HTTP status.
        field: the parameter or field of the body that is wrong.
        description: why, in a sentence.
    """

    def __init__(self, status: int, field: str, description: str) -> None:
        super().__init__(f"{field}: {description}")
        self.status = status
        self.field = field
        self.description = description


class ProviderRefusedError(ServiceError):
    """The pools cannot serve a swap.

    Args:
        code: such as `insufficient_liquidity`.
        message: why, in words.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class NodeUnavailableError(ServiceError):
    """A chain's node does not answer.

    Args:
        chain: CAIP-2 id.
        why: for the log.
    """

    def __init__(self, chain: str, why: str) -> None:
        super().__init__(f"{chain}: {why}")
        self.chain = chain


class NodeRefusedError(ServiceError):
    """A node answered with an error.

    Args:
        chain: CAIP-2 id.
        method: what it was asked.
        code: JSON-RPC error code.
        message: the node's words.
        data: revert data, hexadecimal, where there is any.
    """

    def __init__(self, chain: str, method: str, code: int, message: str, data: str | None = None) -> None:
        super().__init__(f"{chain} refused {method}: {message} ({code})")
        self.chain = chain
        self.message = message
        self.data = data


UNAVAILABLE: Final = "The provider of this data is not available, please try again later"


def failure_answer(error: ServiceError) -> Response:
    """The HTTP answer for an error that ended a request."""
    if isinstance(error, RefusedError):
        return refusal(error.status, error.field, error.description)
    if isinstance(error, ProviderRefusedError):
        reasons = [{"field": error.code, "description": error.message}]
        body = {"status": "FAILED", "reasons": reasons, "code": error.code, "message": error.message}
        return json_answer(body, 400)
    return refusal(503, "provider", UNAVAILABLE)

"""JSON-RPC 2.0 as it is on the wire: how a call is written, and how its answer is read."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic_core import to_json

from walletmodal.core.errors import MalformedResponseError, RpcRequestError, TransportError
from walletmodal.core.text.display_text import clean_text

MAX_DETAILS: Final = 500

_encode: Final = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class EncodedCall:
    """A call that is known to be JSON.

    Attributes:
        method: its name.
        text: `"method":…,"params":…`, to which a request adds its id. Equal texts are equal questions.
    """

    method: str
    text: str


def encode_call(method: str, params: Sequence[object] | Mapping[str, object]) -> EncodedCall:
    """The call as JSON text.

    Raises:
        ValueError: something that JSON has no form for, NaN and unpaired surrogates among it, or a nesting that is too deep.
    """
    try:
        # Its depth is bounded; Python's own encoder follows any depth down the C stack as far as the recursion limit says, which
        # libraries raise. But Python's refuses what that one would write as something else: bytes, NaN, sets.
        to_json(params)
        encoded = _encode(list(params) if isinstance(params, tuple) else params)
    except (TypeError, ValueError) as error:
        raise ValueError(f"parameters that are no JSON: {error}") from error
    return EncodedCall(method, f'"method":{_encode(method)},"params":{encoded}')


def request_text(call: EncodedCall, request_id: int) -> str:
    """The request object of one call."""
    return f'{{"jsonrpc":"2.0","id":{request_id},{call.text}}}'


def batch_text(calls: Sequence[EncodedCall], first_id: int) -> str:
    """The array of several calls; their ids follow each other."""
    return f"[{','.join(request_text(call, first_id + place) for place, call in enumerate(calls))}]"


def read_answer(answer: object, request_id: int, *, url: str) -> object:
    """The `result` of a response object.

    Raises:
        RpcRequestError: it carries an error; also without an id, as where the request could not be read.
        MalformedResponseError: it is no response to this request.
    """
    if not isinstance(answer, dict):
        raise MalformedResponseError(url=url, details="not an object")
    failure = answer.get("error")
    if failure is not None:
        raise _rpc_error(failure, url=url)
    if not _is_id(answer.get("id"), (request_id,)):
        raise MalformedResponseError(url=url, details="the answer to another request")
    if "result" not in answer:
        raise MalformedResponseError(url=url, details="neither result nor error")
    result: object = answer["result"]
    return result


def read_batch(answer: object, ids: range, *, url: str) -> list[object | TransportError]:
    """The outcome of each call of a batch, in the order of the ids, whatever the order of the answer.

    A call that was left out or answered more than once has a `MalformedResponseError`; what belongs to no call is passed over.

    Raises:
        RpcRequestError: one error object for the whole batch.
        MalformedResponseError: no array, or one that answers none of the calls.
    """
    if not isinstance(answer, list):
        if isinstance(answer, dict) and answer.get("error") is not None:
            raise _rpc_error(answer["error"], url=url)
        raise MalformedResponseError(url=url, details="a batch was answered with no array")
    found: dict[int, object | TransportError] = {}
    for entry in answer:
        if not isinstance(entry, dict) or not _is_id(entry.get("id"), ids):
            continue
        request_id: int = entry["id"]
        if request_id in found:
            found[request_id] = MalformedResponseError(url=url, details="one call was answered twice")
            continue
        try:
            found[request_id] = read_answer(entry, request_id, url=url)
        except TransportError as error:
            found[request_id] = error
    if not found:
        raise MalformedResponseError(url=url, details="a batch without an answer to any of its calls")
    return [_found(found, request_id, url) for request_id in ids]


def _found(found: Mapping[int, object | TransportError], request_id: int, url: str) -> object | TransportError:
    if request_id in found:
        return found[request_id]
    return MalformedResponseError(url=url, details="the call was left out of the answer")


def _is_id(value: object, ids: Collection[int]) -> bool:
    # True equals 1, and 1.0 does too.
    return type(value) is int and value in ids


def _rpc_error(failure: object, *, url: str) -> TransportError:
    if not isinstance(failure, dict) or type(failure.get("code")) is not int:
        return MalformedResponseError(url=url, details="an error without a code")
    message = failure.get("message")
    details = clean_text(message, limit=MAX_DETAILS) if isinstance(message, str) else ""
    return RpcRequestError(code=failure["code"], details=details, url=url, data=failure.get("data"))

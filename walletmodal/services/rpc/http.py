"""JSON-RPC 2.0 over HTTP POST (reference errors.md §1 and §3.1)."""

import asyncio
import itertools
import json
from typing import Final
from urllib.parse import urlsplit

import httpx

from walletmodal.core.display_text import clean_text
from walletmodal.core.errors import (
    HttpRequestError,
    MalformedResponseError,
    RequestTimeoutError,
    ResponseTooLargeError,
    RpcRequestError,
)
from walletmodal.core.strict_json import read_json
from walletmodal.services.rpc.transport import JsonParams

TIMEOUT_SECONDS: Final = 10.0
MAX_RESPONSE_BYTES: Final = 5 * 1024 * 1024
_MAX_ERROR_BODY: Final = 4096
_MAX_DETAILS: Final = 500
_POOL: Final = httpx.Limits(max_connections=200, max_keepalive_connections=50, keepalive_expiry=30.0)

_ids = itertools.count(1)


def rpc_http_client() -> httpx.AsyncClient:
    """The pooled client that all transports of a process share: HTTP/1.1 with keep-alive, no redirects. Close it at the end.

    A proxy of the environment is used, except for loopback.
    """
    return httpx.AsyncClient(
        limits=_POOL,
        timeout=httpx.Timeout(TIMEOUT_SECONDS),
        follow_redirects=False,
        # A compressed answer can be a thousand times larger than the bytes that were counted.
        headers={"Accept-Encoding": "identity"},
        mounts={"all://localhost": None, "all://127.0.0.1": None, "all://[::1]": None},
    )


class HttpRpcTransport:
    """The way to one URL.

    Args:
        client: the shared client; not closed here.
        url: where requests go; may carry a key, so errors name its origin only.
        timeout: seconds for one request as a whole.
        max_bytes: how much of an answer is read.
    """

    def __init__(
        self,
        client: httpx.AsyncClient,
        url: str,
        *,
        timeout: float = TIMEOUT_SECONDS,
        max_bytes: int = MAX_RESPONSE_BYTES,
    ) -> None:
        self._client, self._url, self._timeout, self._max_bytes = client, url, timeout, max_bytes
        parts = urlsplit(url)
        self._shown = f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port else "")

    async def request(self, method: str, params: JsonParams = ()) -> object:
        """Ask and return the `result`, unchecked JSON.

        Raises:
            HttpRequestError: no answer, or one that is not 2xx.
            RequestTimeoutError: not complete in time.
            ResponseTooLargeError, MalformedResponseError: an answer that cannot be used.
            RpcRequestError: the node's own error.
        """
        request_id = next(_ids)
        payload = {
            "jsonrpc": "2.0",
            "id": request_id,
            "method": method,
            "params": list(params) if isinstance(params, tuple) else params,
        }
        try:
            async with asyncio.timeout(self._timeout):
                body = await self._post(json.dumps(payload, allow_nan=False).encode())
        except (TimeoutError, httpx.TimeoutException) as error:
            raise RequestTimeoutError(url=self._shown) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            details = str(error) or type(error).__name__
            raise HttpRequestError(url=self._shown, details=details[:_MAX_DETAILS]) from error
        return self._result(body, request_id)

    async def _post(self, content: bytes) -> bytes:
        headers = {"Content-Type": "application/json"}
        async with self._client.stream("POST", self._url, content=content, headers=headers) as response:
            if response.is_success:
                encoding = response.headers.get("content-encoding", "identity").strip().lower()
                if encoding not in ("", "identity"):
                    raise MalformedResponseError(url=self._shown, details="a compressed answer that was not asked for")
                return await self._read(response)
            body = (await self._read_start(response)).decode("utf-8", "replace")
            raise HttpRequestError(
                url=self._shown,
                status=response.status_code,
                headers=dict(response.headers),
                body=body,
                details=_error_details(body) or response.reason_phrase,
            )

    async def _read(self, response: httpx.Response) -> bytes:
        received = bytearray()
        async for chunk in response.aiter_raw():
            received += chunk
            if len(received) > self._max_bytes:
                raise ResponseTooLargeError(url=self._shown, limit=self._max_bytes)
        return bytes(received)

    async def _read_start(self, response: httpx.Response) -> bytes:
        received = bytearray()
        async for chunk in response.aiter_raw():
            received += chunk
            if len(received) >= _MAX_ERROR_BODY:
                break
        return bytes(received[:_MAX_ERROR_BODY])

    def _result(self, body: bytes, request_id: int) -> object:
        try:
            answer = read_json(body)
        except ValueError as error:
            raise MalformedResponseError(url=self._shown, details="not JSON") from error
        if not isinstance(answer, dict):
            raise MalformedResponseError(url=self._shown, details="not an object")
        failure = answer.get("error")
        if failure is not None:
            raise self._rpc_error(failure)
        if type(answer.get("id")) is not int or answer["id"] != request_id:
            raise MalformedResponseError(url=self._shown, details="the answer to another request")
        if "result" not in answer:
            raise MalformedResponseError(url=self._shown, details="neither result nor error")
        result: object = answer["result"]
        return result

    def _rpc_error(self, failure: object) -> RpcRequestError | MalformedResponseError:
        if not isinstance(failure, dict) or type(failure.get("code")) is not int:
            return MalformedResponseError(url=self._shown, details="an error without a code")
        message = failure.get("message")
        details = clean_text(message, limit=_MAX_DETAILS) if isinstance(message, str) else ""
        return RpcRequestError(code=failure["code"], details=details, url=self._shown, data=failure.get("data"))


def _error_details(body: str) -> str:
    """The `error` of an error answer as JSON text, or ""."""
    try:
        # At most 4 kB, so never deep enough to hurt.
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(answer, dict) or "error" not in answer:
        return ""
    error = answer["error"]
    return clean_text(error if isinstance(error, str) else json.dumps(error), limit=_MAX_DETAILS)

"""JSON-RPC 2.0 over HTTP POST."""

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Final
from urllib.parse import urlsplit

import httpx

from walletmodal.core.constants import HTTP_TIMEOUT
from walletmodal.core.errors import (
    HttpRequestError,
    MalformedResponseError,
    RequestTimeoutError,
    ResponseTooLargeError,
    TransportError,
)
from walletmodal.core.parsing.strict_json import read_json
from walletmodal.core.text.display_text import clean_text
from walletmodal.services.http.authorities import usual_authorities
from walletmodal.services.http.pooled_client import PooledClient
from walletmodal.services.rpc.envelope import (
    MAX_DETAILS,
    EncodedCall,
    batch_text,
    encode_call,
    read_answer,
    read_batch,
    request_text,
)
from walletmodal.services.rpc.transport import JsonParams, Outcome

MAX_RESPONSE_BYTES: Final = 5 * 1024 * 1024
_MAX_ERROR_BODY: Final = 4096
_POOL: Final = httpx.Limits(max_connections=200, max_keepalive_connections=50, keepalive_expiry=30.0)


# At "info" the library writes down every URL as a whole, and those of nodes carry keys.
logging.getLogger("httpx").setLevel(logging.WARNING)


def rpc_http_client() -> httpx.AsyncClient:
    """The pooled client that all transports of a process share: HTTP/1.1 with keep-alive, no redirects. Close it at the end.

    A proxy of the environment is used, except for loopback.
    """
    return PooledClient(
        verify=usual_authorities(),
        limits=_POOL,
        timeout=httpx.Timeout(HTTP_TIMEOUT),
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
        around: entered for each request, a batch being one.
    """

    def __init__(
        self,
        client: httpx.AsyncClient,
        url: str,
        *,
        timeout: float = HTTP_TIMEOUT,
        max_bytes: int = MAX_RESPONSE_BYTES,
        around: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        self._around = around
        self._client, self._url, self._timeout, self._max_bytes = client, url, timeout, max_bytes
        parts = urlsplit(url)
        self.shown_url = f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port else "")
        self._next_id = 1

    async def request(self, method: str, params: JsonParams = ()) -> object:
        """Ask and return the `result`, unchecked JSON.

        Raises:
            HttpRequestError: no answer, or one that is not 2xx.
            RequestTimeoutError: not complete in time.
            ResponseTooLargeError, MalformedResponseError: an answer that cannot be used.
            RpcRequestError: the node's own error.
            ValueError: the parameters are no JSON; nothing was sent.
        """
        request_id = self._take_ids(1).start
        answer = await self._ask(request_text(encode_call(method, params), request_id))
        return read_answer(answer, request_id, url=self.shown_url)

    async def request_many(self, calls: Sequence[EncodedCall]) -> list[Outcome]:
        """Ask all of them in one request, several as a batch; the outcomes stand in the order of the calls.

        Raises:
            TransportError: as `request`, when the request as a whole came to nothing.
        """
        ids = self._take_ids(len(calls))
        if len(calls) > 1:
            return read_batch(await self._ask(batch_text(calls, ids.start)), ids, url=self.shown_url)
        answer = await self._ask(request_text(calls[0], ids.start))
        try:
            return [read_answer(answer, ids.start, url=self.shown_url)]
        except TransportError as error:
            return [error]

    def _take_ids(self, count: int) -> range:
        ids = range(self._next_id, self._next_id + count)
        self._next_id = ids.stop
        return ids

    async def _ask(self, text: str) -> object:
        with self._around():
            return await self._exchange(text)

    async def _exchange(self, text: str) -> object:
        try:
            async with asyncio.timeout(self._timeout):
                body = await self._post(text.encode())
        except (TimeoutError, httpx.TimeoutException) as error:
            raise RequestTimeoutError(url=self.shown_url) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            details = str(error) or type(error).__name__
            raise HttpRequestError(url=self.shown_url, details=details[:MAX_DETAILS]) from error
        try:
            return read_json(body)
        except ValueError as error:
            raise MalformedResponseError(url=self.shown_url, details="not JSON") from error

    async def _post(self, content: bytes) -> bytes:
        headers = {"Content-Type": "application/json"}
        async with self._client.stream("POST", self._url, content=content, headers=headers) as response:
            if response.is_success:
                encoding = response.headers.get("content-encoding", "identity").strip().lower()
                if encoding not in ("", "identity"):
                    raise MalformedResponseError(
                        url=self.shown_url, details="a compressed answer that was not asked for"
                    )
                return await self._read(response)
            body = (await self._read_start(response)).decode("utf-8", "replace")
            raise HttpRequestError(
                url=self.shown_url,
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
                raise ResponseTooLargeError(url=self.shown_url, limit=self._max_bytes)
        return bytes(received)

    async def _read_start(self, response: httpx.Response) -> bytes:
        received = bytearray()
        async for chunk in response.aiter_raw():
            received += chunk
            if len(received) >= _MAX_ERROR_BODY:
                break
        return bytes(received[:_MAX_ERROR_BODY])


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
    return clean_text(error if isinstance(error, str) else json.dumps(error), limit=MAX_DETAILS)

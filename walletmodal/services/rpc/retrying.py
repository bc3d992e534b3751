"""Retries what failed for the moment: 3 times, after 150, 300 and 600 ms, or when the server says."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.constants import RPC_RETRIES, RPC_RETRY_DELAY_MILLISECONDS
from walletmodal.core.errors import HttpRequestError, TransportError
from walletmodal.services.rpc.transport import JsonParams, RpcTransport
from walletmodal.services.rpc.verdicts import may_retry

LONGEST_WAIT_SECONDS: Final = 10.0

_SECONDS: Final = re.compile(r"[0-9]{1,9}")


class RetryingTransport:
    """A transport that does not give up at once.

    Args:
        inner: asked each time.
        retries: how often it is asked again.
        delay: seconds before the first retry; doubled for each further one.
        longest_wait: seconds; a server that wants to be left alone for longer is, and its error is the answer.
        clock: what is slept by, and what the dates of Retry-After are compared with.
    """

    def __init__(
        self,
        inner: RpcTransport,
        *,
        retries: int = RPC_RETRIES,
        delay: float = RPC_RETRY_DELAY_MILLISECONDS / 1000,
        longest_wait: float = LONGEST_WAIT_SECONDS,
        clock: Clock | None = None,
    ) -> None:
        self._inner, self._retries, self._delay, self._longest_wait = inner, retries, delay, longest_wait
        self._clock = clock or SystemClock()

    async def request(self, method: str, params: JsonParams = ()) -> object:
        """As `RpcTransport.request`.

        Raises:
            TransportError: that of the last attempt. What is no read is asked again only when it certainly was not done.
        """
        failures = 0
        while True:
            try:
                return await self._inner.request(method, params)
            except TransportError as error:
                if failures == self._retries or not may_retry(error, method):
                    raise
                wait = retry_after(error, self._clock.now())
                if wait is None:
                    wait = self._delay * 2**failures
                elif wait > self._longest_wait:
                    raise
            failures += 1
            await self._clock.sleep(wait)


def retry_after(error: TransportError, now: datetime) -> float | None:
    """For how many seconds the server wants to be left alone (RFC 9110 §10.2.3); None: it does not say, or not so that it can be read."""
    text = error.headers.get("retry-after", "").strip() if isinstance(error, HttpRequestError) else ""
    if _SECONDS.fullmatch(text):
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - now).total_seconds())

"""Sending webhooks to a host's server, by Standard Webhooks 1.0.0."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import httpx
from prometheus_client import Counter, Histogram

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.errors import HttpRequestError, RequestTimeoutError
from walletmodal.core.webhooks.event import Event
from walletmodal.core.webhooks.signature import sign
from walletmodal.services.http.service import USER_AGENT
from walletmodal.services.tracing import span

SEND_SECONDS: Final = 10.0
"""For a try as a whole; a receiver that needs longer answers first, and works then."""
_MAX_ERROR: Final = 200

_TRIES = Counter("walletmodal_webhook_tries", "Tries to deliver an event to WEBHOOK_URL, by outcome.", ["outcome"])
_SECONDS = Histogram("walletmodal_webhook_seconds", "Time of tries to deliver an event to WEBHOOK_URL.")


class WebhookSender:
    """The way to one receiver. Redirects are not followed, and nothing of an answer's body is read.

    Args:
        client: the pooled client of the process; not closed here.
        url: of the receiver.
        secrets: with which each event is signed, once with each.
        clock: what the signature says the time by.
    """

    def __init__(
        self, client: httpx.AsyncClient, url: str, secrets: Sequence[bytes], *, clock: Clock | None = None
    ) -> None:
        self._client, self._url, self._secrets, self._clock = client, url, tuple(secrets), clock or SystemClock()

    async def send(self, event: Event) -> None:
        """Tries once to deliver an event.

        Raises:
            TransportError: the receiver has not answered with a status of 200 to 299; of an `HttpRequestError` the headers may say when to try again.
        """
        body, moment = event.payload(), int(self._clock.now().timestamp())
        headers = {
            "Content-Type": "application/json",
            "User-Agent": USER_AGENT,
            "webhook-id": event.id,
            "webhook-timestamp": str(moment),
            "webhook-signature": sign(self._secrets, event.id, moment, body),
        }
        with span("webhook"), _SECONDS.time():
            try:
                async with asyncio.timeout(SEND_SECONDS):
                    await self._post(body, headers)
            except (TimeoutError, httpx.TimeoutException) as error:
                _TRIES.labels("timeout").inc()
                raise RequestTimeoutError(url=self._url) from error
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                _TRIES.labels("unreachable").inc()
                details = (str(error) or type(error).__name__)[:_MAX_ERROR]
                raise HttpRequestError(url=self._url, details=details) from error
            except HttpRequestError:
                _TRIES.labels("refused").inc()
                raise
        _TRIES.labels("delivered").inc()

    async def _post(self, body: bytes, headers: dict[str, str]) -> None:
        async with self._client.stream(
            "POST", self._url, content=body, headers=headers, follow_redirects=False, timeout=SEND_SECONDS
        ) as response:
            if not response.is_success:
                raise HttpRequestError(url=self._url, status=response.status_code, headers=dict(response.headers))

"""Asks one transport after another, the best first."""

import asyncio
from collections.abc import Sequence
from typing import Final

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.constants import RANK_INTERVAL, RANK_METHOD, RANK_SAMPLES, RANK_TIMEOUT
from walletmodal.core.errors import RpcRequestError, TransportError
from walletmodal.services.rpc.ranking import Ranking, Sample
from walletmodal.services.rpc.transport import JsonParams, RpcTransport
from walletmodal.services.rpc.verdicts import is_method_unavailable, may_try_another_node

IDLE_SECONDS: Final = RANK_INTERVAL * RANK_SAMPLES
"""For how long after the last request transports are still pinged: as long as a sample counts."""


class FallbackTransport:
    """A transport over several, which are pinged while they are used, and ranked by that.

    Args:
        transports: at least one; asked in this order until they are ranked.
        ping: the method that they are pinged with; it must cost them little.
        interval: seconds between two rounds of pings.
        ping_timeout: seconds until a ping has failed.
        clock: what is slept by, and what latencies are measured with.
    """

    def __init__(
        self,
        transports: Sequence[RpcTransport],
        *,
        ping: str = RANK_METHOD,
        interval: float = RANK_INTERVAL,
        ping_timeout: float = RANK_TIMEOUT,
        clock: Clock | None = None,
    ) -> None:
        self._transports = tuple(transports)
        self._ping_method, self._interval, self._ping_timeout = ping, interval, ping_timeout
        self._clock = clock or SystemClock()
        self._ranking = Ranking(len(self._transports))
        self._used = 0.0
        self._pinging: asyncio.Task[None] | None = None

    async def request(self, method: str, params: JsonParams = ()) -> object:
        """As `RpcTransport.request`.

        Raises:
            TransportError: that of the last transport; or of an earlier one, where another would say the same, or where asking
                it could do a thing twice.
        """
        return (await self.request_from(method, params))[1]

    async def request_from(self, method: str, params: JsonParams = ()) -> tuple[int, object]:
        """The same, with the place of the transport that answered; for what only that one can go on with.

        Raises:
            TransportError: as `request`.
        """
        self._keep_ranking()
        *others, last = self._ranking.order
        for place in others:
            try:
                return place, await self._transports[place].request(method, params)
            except TransportError as error:
                if not may_try_another_node(error, method):
                    raise
        return last, await self._transports[last].request(method, params)

    async def close(self) -> None:
        """Stop the pings."""
        if self._pinging is not None:
            self._pinging.cancel()
            await asyncio.gather(self._pinging, return_exceptions=True)

    def _keep_ranking(self) -> None:
        self._used = self._clock.monotonic()
        if len(self._transports) > 1 and (self._pinging is None or self._pinging.done()):
            self._pinging = asyncio.create_task(self._rank_while_used(), name="rank nodes")

    async def _rank_while_used(self) -> None:
        while self._clock.monotonic() - self._used < IDLE_SECONDS:
            self._ranking.add(await asyncio.gather(*(self._ping(transport) for transport in self._transports)))
            await self._clock.sleep(self._interval)

    async def _ping(self, transport: RpcTransport) -> Sample:
        started = self._clock.monotonic()
        try:
            async with asyncio.timeout(self._ping_timeout):
                await transport.request(self._ping_method)
        except RpcRequestError as error:
            # A node that does not offer the method is well.
            answered = is_method_unavailable(error)
        except (TransportError, TimeoutError):
            answered = False
        else:
            answered = True
        return Sample(answered, self._clock.monotonic() - started)

"""Native balances: one question at a time per account, its answer or its failure kept for 30 s (specification §8, §9)."""

import asyncio
from collections.abc import Iterable
from typing import Final

from walletmodal.core.addresses import normal_address
from walletmodal.core.caip import ChainId, Namespace
from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.errors import NetworkError, TransportError
from walletmodal.services.balances.retry_gap import RetryGap
from walletmodal.services.cache import Cache
from walletmodal.services.chains.adapter import NativeBalanceReader

BALANCE_TTL_SECONDS: Final = 30.0
RETRY_GAP_SECONDS: Final = 30.0


class NativeBalances:
    """Reads native balances for all visitors of a process.

    Args:
        adapters: one per namespace that can be asked.
        cache: where answers are kept; shared between workers when it is Redis.
        ttl: for how many seconds.
        retry_gap: for how many seconds after a failure the node is not asked for that account again; of this process.
        clock: what the gap is measured with.
    """

    def __init__(
        self,
        adapters: Iterable[NativeBalanceReader],
        cache: Cache,
        *,
        ttl: float = BALANCE_TTL_SECONDS,
        retry_gap: float = RETRY_GAP_SECONDS,
        clock: Clock | None = None,
    ) -> None:
        self._adapters: dict[Namespace, NativeBalanceReader] = {adapter.namespace: adapter for adapter in adapters}
        self._cache, self._ttl = cache, ttl
        self._running: dict[str, asyncio.Task[int]] = {}
        self._gap: RetryGap[TransportError] = RetryGap(retry_gap, clock or SystemClock())

    async def native_balance(self, chain: ChainId, address: str, *, fresh: bool = False) -> int:
        """The balance in base units.

        Args:
            chain: the network.
            address: of the network's namespace, in any valid spelling.
            fresh: ask the node even if an answer is kept, such as after a transaction.

        Raises:
            AddressError: the address is none of the namespace.
            NetworkError: `Unsupported chain`: nobody can be asked for this namespace.
            TransportError: it cannot be read; raised again, without asking, for as long as the gap lasts.
        """
        adapter = self._adapters.get(chain.namespace)
        if adapter is None:
            raise NetworkError("Unsupported chain", details=str(chain))
        key = f"balance:{chain}:{normal_address(chain.namespace, address)}"
        if not fresh:
            kept = await self._cache.get(key)
            if kept is not None and kept.isdecimal():
                return int(kept)
        self._gap.raise_recent(key)
        task = self._running.get(key)
        if task is None or fresh:
            task = asyncio.create_task(self._ask(adapter, chain, address, key))
            self._running[key] = task
            task.add_done_callback(lambda done: self._settled(key, done))
        # One visitor who leaves must not take the answer from the others.
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Give up what is still being asked."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _ask(self, adapter: NativeBalanceReader, chain: ChainId, address: str, key: str) -> int:
        try:
            balance = await adapter.native_balance(chain, address)
        except TransportError as error:
            self._gap.failed(key, error)
            raise
        await self._cache.set(key, str(balance), self._ttl)
        return balance

    def _settled(self, key: str, task: asyncio.Task[int]) -> None:
        if self._running.get(key) is task:
            del self._running[key]
        if not task.cancelled():
            # Everyone who asked may have left; their error is then nobody's, and asyncio would complain.
            task.exception()

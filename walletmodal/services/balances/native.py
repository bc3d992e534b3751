"""Native balances: one question at a time per account, its answer or its failure kept for 30 s."""

from collections.abc import Iterable

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import ChainId, Namespace
from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.constants import BALANCE_RETRY_GAP, NATIVE_BALANCE_TTL
from walletmodal.core.errors import NetworkError, TransportError
from walletmodal.core.errors.services import is_asked_too_much
from walletmodal.core.text.texts import UNSUPPORTED_CHAIN
from walletmodal.services.cache import Cache
from walletmodal.services.chains.adapter import NativeBalanceReader
from walletmodal.services.retry_gap import RetryGap
from walletmodal.services.single_flight import SingleFlight


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
        ttl: float = NATIVE_BALANCE_TTL,
        retry_gap: float = BALANCE_RETRY_GAP,
        clock: Clock | None = None,
    ) -> None:
        self._adapters: dict[Namespace, NativeBalanceReader] = {adapter.namespace: adapter for adapter in adapters}
        self._cache, self._ttl = cache, ttl
        self._flights: SingleFlight[int] = SingleFlight()
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
            raise NetworkError(UNSUPPORTED_CHAIN, details=str(chain))
        key = f"balance:{chain}:{normal_address(chain.namespace, address)}"
        if not fresh:
            kept = await self._cache.get(key)
            if kept is not None and kept.isdecimal():
                return int(kept)
        self._gap.raise_recent(key)
        return await self._flights.join(key, lambda: self._ask(adapter, chain, address, key), fresh=fresh)

    async def close(self) -> None:
        """Give up what is still being asked."""
        await self._flights.close()

    async def _ask(self, adapter: NativeBalanceReader, chain: ChainId, address: str, key: str) -> int:
        try:
            balance = await adapter.native_balance(chain, address)
        except TransportError as error:
            if not is_asked_too_much(error):
                # Whose budget is spent says nothing of the account, about which anybody can ask.
                self._gap.failed(key, error)
            raise
        if self._flights.is_newest(key):
            # An answer that was asked for earlier may come later, and is what was true before a transaction.
            await self._cache.set(key, str(balance), self._ttl)
        return balance

"""A chain that can be told what it holds, how it fails, and when it answers."""

from __future__ import annotations

import asyncio

from tests.patience import patience
from walletmodal.core.chains.addresses import address_fault
from walletmodal.core.chains.caip import ChainId, Namespace
from walletmodal.core.errors import HttpRequestError
from walletmodal.core.namespaces.descriptor import AddressFault


class ChainDouble:
    """`ChainAdapter` in memory: every address has `balance`, until `down`; answers wait for `held`, when it is set."""

    namespace: Namespace = "eip155"

    def __init__(self) -> None:
        self.balance = 1_234_567_890_000_000_000
        self.down = False
        self.held: asyncio.Event | None = None
        self.asked = asyncio.Event()
        self._questions: set[tuple[str, str]] = set()

    def address_fault(self, address: str) -> AddressFault | None:
        return address_fault(self.namespace, address)

    async def native_balance(self, chain: ChainId, address: str) -> int:
        balance = self.balance
        self._questions.add((str(chain), address))
        self.asked.set()
        if self.held is not None:
            await self.held.wait()
        if self.down:
            raise HttpRequestError(url="http://node", details="refused")
        return balance

    async def asked_for(self, chain: ChainId, address: str) -> None:
        """Returns once this balance has been asked for."""
        async with patience():
            while (str(chain), address) not in self._questions:
                self.asked.clear()
                await self.asked.wait()

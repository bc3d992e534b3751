"""A chain that can be told what it holds and how it fails."""

from __future__ import annotations

from walletmodal.core.addresses import AddressFault
from walletmodal.core.caip import ChainId, Namespace
from walletmodal.core.errors import HttpRequestError
from walletmodal.core.networks import Network


class ChainDouble:
    """`ChainAdapter` in memory: every address has `balance`, until `down`."""

    namespace: Namespace = "eip155"

    def __init__(self) -> None:
        self.balance = 1_234_567_890_000_000_000
        self.down = False

    def address_fault(self, address: str) -> AddressFault | None:
        return None

    async def native_balance(self, chain: ChainId, address: str) -> int:
        if self.down:
            raise HttpRequestError(url="http://node", details="refused")
        return self.balance

    def explorer_link(self, network: Network, address: str) -> str | None:
        return None

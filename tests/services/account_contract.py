"""A contract account that is no chain's: says what a test tells it to, and counts how often it is asked."""

import asyncio

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import RequestTimeoutError
from walletmodal.services.rpc import RpcTransport

YES = "0x1626ba7e" + "00" * 28
NO = "0x"


class AccountContract:
    """The way to the nodes of a network where each account says the same.

    Attributes:
        says: what it answers. first: what the first questions are answered with, before that.
        away: no node can be asked. silent: while set, no answer comes.
        asked: how many questions came.
    """

    def __init__(self) -> None:
        self.says, self.first = YES, list[str]()
        self.away = False
        self.asked = 0
        self._speaks = asyncio.Event()
        self._speaks.set()

    def transport(self, _chain: ChainId) -> RpcTransport:
        """As `Chains` wants it."""
        return self

    async def request(self, method: str, _params: object = ()) -> object:
        """An answer."""
        assert method == "eth_call"
        self.asked += 1
        await self._speaks.wait()
        if self.away:
            raise RequestTimeoutError(url="https://node.example")
        return self.first.pop(0) if self.first else self.says

    def fall_silent(self) -> None:
        """No answer comes any more."""
        self._speaks.clear()

    def speak(self) -> None:
        """Those who wait get their answers."""
        self._speaks.set()

"""A chain that tells of transactions what it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from walletmodal.core.chains.caip import ChainId, Namespace
from walletmodal.core.errors import HttpRequestError
from walletmodal.core.errors.nodes import InsufficientFundsError
from walletmodal.core.errors.services import AskedTooMuchError
from walletmodal.core.transfers.transaction_request import TransactionRequest
from walletmodal.services.chains.adapter import Finding

HASH = "0x" + "ab" * 32
MISSING = Finding("missing")


class Teller:
    """A chain that tells what it is told to."""

    def __init__(self) -> None:
        self.tells: dict[str, Finding] = {}
        self.down = False
        self.spent = False
        self.refuses = False
        self.looks = 0
        self.taken: list[Collection[str]] = []
        self.brought: list[str] = []
        self.held = asyncio.Event()
        self.held.set()

    def adapter(self, _namespace: Namespace) -> Teller:
        return self

    async def height(self, _chain: ChainId) -> int:
        return 1234

    async def find_transaction(self, asked: TransactionRequest, taken: Collection[str]) -> Finding:
        self.looks += 1
        self.taken.append(taken)
        await self.held.wait()
        if self.down:
            raise HttpRequestError(url="http://node")
        if self.spent:
            raise AskedTooMuchError
        return self.tells.get(asked.proposal.chain, MISSING)

    async def broadcast(self, _chain: ChainId, signed: str) -> str:
        self.brought.append(signed)
        if self.refuses:
            raise InsufficientFundsError
        return HASH

    def tell(self, finding: Finding, chain: str = "eip155:1") -> None:
        self.tells[chain] = finding

"""The index of one chain: blocks read as they come, and taken back when the chain is."""

import asyncio
from collections.abc import Callable
from typing import Final

from walletmodal.sandbox.blockchain.abi import hex_number
from walletmodal.sandbox.blockchain.chains import ZERO_ADDRESS, Chain
from walletmodal.sandbox.blockchain.failures import NodeUnavailableError
from walletmodal.sandbox.blockchain.history.blocks import IndexedBlock, read_blocks
from walletmodal.sandbox.blockchain.history.facts import TransactionFacts
from walletmodal.sandbox.blockchain.rpc import Ask

BLOCKS_AT_ONCE: Final = 100
MAX_INTERRUPTIONS: Final = 5
PATIENCE_SECONDS: Final = 7.0
"""How long a request waits for blocks to be read; the reading goes on behind it."""


class ChainIndex:
    """Every transaction of one chain by account. Nothing is stored: a new process reads the chain again.

    Args:
        chain: which chain.
        on_revert: told when the chain was taken back, so that what was learned from contracts can be forgotten.
    """

    def __init__(self, chain: Chain, on_revert: Callable[[], None]) -> None:
        self.chain = chain
        self._on_revert = on_revert
        self._hashes: list[bytes] = []
        self._touched: list[tuple[int, str]] = []
        self._by_account: dict[str, list[TransactionFacts]] = {}
        self._reading: asyncio.Task[None] | None = None
        self._begun = 0

    async def up_to_date(self) -> None:
        """Read what the chain has that the index has not. Requests that come together share one reading.

        Raises:
            NodeUnavailableError: the chain does not answer, or has more to read than a request may wait for.
        """
        # A reading that is going on may have passed the newest block; one that begins now cannot have.
        enough = self._begun + 1
        while True:
            reading = self._reading
            if reading is None or reading.done():
                self._begun += 1
                reading = self._reading = asyncio.create_task(self._read(), name=f"index {self.chain.caip2}")
                reading.add_done_callback(_look_at_failure)
            number = self._begun
            try:
                await asyncio.wait_for(asyncio.shield(reading), PATIENCE_SECONDS)
            except TimeoutError as error:
                raise NodeUnavailableError(self.chain.caip2, "its blocks are still being read") from error
            if number >= enough:
                return

    def of_account(self, address: str) -> list[TransactionFacts]:
        """The transactions of an account (lower case), oldest first."""
        return self._by_account.get(address, [])

    def contracts_of(self, address: str) -> set[str]:
        """The ERC-20 contracts that an account ever had to do with."""
        return {
            movement.contract
            for transaction in self.of_account(address)
            for movement in transaction.movements
            if movement.kind == "erc20" and address in (movement.sender, movement.recipient)
        }

    async def close(self) -> None:
        """End a reading that is going on."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait({self._reading})

    async def _read(self) -> None:
        head = hex_number(await self.chain.node.call("eth_blockNumber"))
        await self._take_back_to_common_block(head)
        interruptions = 0
        while len(self._hashes) <= head:
            begin = len(self._hashes)
            blocks = await read_blocks(self.chain, range(begin, min(begin + BLOCKS_AT_ONCE, head + 1)))
            if not all(self._add(block) for block in blocks) or not blocks:
                # The chain was taken back while it was read.
                interruptions += 1
                if interruptions > MAX_INTERRUPTIONS:
                    raise NodeUnavailableError(self.chain.caip2, "its blocks do not follow each other")
                head = hex_number(await self.chain.node.call("eth_blockNumber"))
                await self._take_back_to_common_block(head)

    def _add(self, block: IndexedBlock) -> bool:
        if block.number != len(self._hashes):
            return False
        if self._hashes and bytes.fromhex(block.parent[2:]) != self._hashes[-1]:
            return False
        self._hashes.append(bytes.fromhex(block.hash[2:]))
        for transaction in block.transactions:
            for account in sorted(transaction.accounts - {ZERO_ADDRESS}):
                self._by_account.setdefault(account, []).append(transaction)
                self._touched.append((block.number, account))
        return True

    async def _take_back_to_common_block(self, head: int) -> None:
        """Drop the blocks that the chain no longer has: those after the last one whose hash is the same."""
        same, unknown = 0, min(len(self._hashes), head + 1)
        if unknown and await self._is_same(unknown - 1):
            same = unknown
        # Where a block is the same, all before it are: its hash covers them.
        while same < unknown:
            middle = (same + unknown) // 2
            if await self._is_same(middle):
                same = middle + 1
            else:
                unknown = middle
        if same == len(self._hashes):
            return
        del self._hashes[same:]
        while self._touched and self._touched[-1][0] >= same:
            _, account = self._touched.pop()
            self._by_account[account].pop()
        self._on_revert()

    async def _is_same(self, number: int) -> bool:
        (block,) = await self.chain.node.ask([Ask("eth_getBlockByNumber", (hex(number), False))])
        return isinstance(block, dict) and block.get("hash") == "0x" + self._hashes[number].hex()


def _look_at_failure(reading: asyncio.Task[None]) -> None:
    # Whoever waited has been told; when nobody waits any more, the failure is not news.
    if not reading.cancelled():
        reading.exception()

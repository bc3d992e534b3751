"""A chain's beginning, its saved state, and the way back to the beginning."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from walletmodal.sandbox.errors import NodeFailedError
from walletmodal.sandbox.evm.deployment import AGE_SECONDS, BatchRpc, deploy_world, world_digest
from walletmodal.sandbox.evm.saved_state import BrokenStateError, genesis_time


class WorldKeeper:
    """What a chain's node holds, from its start to its end.

    Args:
        chain: CAIP-2 id.
        node: the node.
        folder: where the state is kept between runs; nothing is kept when None.
        say: told in one line what the person at the terminal should know.
    """

    def __init__(self, chain: str, node: BatchRpc, folder: Path | None, say: Callable[[str], None]) -> None:
        self._chain = chain
        self._node = node
        self._folder = folder
        self._say = say
        self._saved: bytes | None = None
        self._empty = ""
        self._world: str | None = None
        self._saved_head: object = None
        self._begun = False
        self._lock = asyncio.Lock()

    async def genesis(self) -> int:
        """When the node that is to start must make its block 0, in seconds since 1970: when the saved chain has it, or a while ago."""
        async with self._lock:
            try:
                self._saved = await asyncio.to_thread(self._read)
                if self._saved is not None:
                    return await asyncio.to_thread(genesis_time, self._saved)
            except (OSError, BrokenStateError) as error:
                self._drop(str(error))
            return int(time.time()) - AGE_SECONDS

    async def begin(self) -> bool:
        """Make a node without blocks what it was when it was saved last, or new with the contracts of its world.

        Returns:
            Whether it did. What was saved did not fit otherwise; it is dropped, and the node must start again.

        Raises:
            PartMissingError: the npm packages with the contracts are not installed.
            NodeFailedError: the node refused something.
        """
        async with self._lock:
            self._empty, self._world = await self._snapshot(), None
            if self._saved is None:
                await self._deploy()
            else:
                try:
                    await self._node.batch([("anvil_loadState", ["0x" + self._saved.hex()])])
                    await self._require_one_chain()
                except NodeFailedError as error:
                    self._drop(str(error))
                    return False
                self._saved, self._saved_head = None, await self._head()
            await self._wind_clock()
            self._begun = True
            return True

    def forget(self) -> None:
        """Delete what was saved: the next start is from the beginning."""
        file = self._file()
        if file is not None:
            file.unlink(missing_ok=True)
        self._saved, self._saved_head = None, None

    def ended(self) -> None:
        """The node is gone: nothing is saved until another began."""
        self._begun = False

    async def save(self, *, always: bool = False) -> None:
        """Write the state down if there is a new head, or `always`.

        Raises:
            NodeFailedError: the node does not answer.
            OSError: the file cannot be written.
        """
        file = self._file()
        if file is None:
            return
        async with self._lock:
            if not self._begun:
                return
            head = await self._head()
            if head == self._saved_head and not always:
                return
            (dump,) = await self._node.batch([("anvil_dumpState", [])])
            await asyncio.to_thread(_replace, file, bytes.fromhex(str(dump).removeprefix("0x")))
            self._saved_head = head

    async def reset(self) -> None:
        """Take the chain back to its beginning; what waits to be mined is dropped.

        Raises:
            NodeFailedError: the node refused something, or is not what it was at its start: it must start again.
        """
        async with self._lock:
            await self._node.batch(
                [("anvil_dropAllTransactions", []), ("evm_setIntervalMining", [0]), ("evm_setAutomine", [True])]
            )
            if self._world is not None:
                await self._revert(self._world)
                # A revert uses its snapshot up.
                self._world = await self._snapshot()
            else:
                await self._revert(self._empty)
                self._empty = await self._snapshot()
                await self._wind_clock(-AGE_SECONDS)
                await self._deploy()
            await self._require_one_chain()
            await self._wind_clock()

    async def _deploy(self) -> None:
        await deploy_world(self._chain, self._node)
        self._world = await self._snapshot()

    def _read(self) -> bytes | None:
        file = self._file()
        if file is None or self._folder is None:
            return None
        for other in self._folder.glob(f"{self._stem}-*.state"):
            if other != file:
                self._say(f"{self._chain} has other contracts than before; it begins anew")
                other.unlink()
        return file.read_bytes() if file.exists() else None

    def _drop(self, why: str) -> None:
        self._say(f"what was saved of {self._chain} is broken, and it begins anew: {why}")
        with suppress(OSError):
            self.forget()
        self._saved = None

    async def _require_one_chain(self) -> None:
        genesis, first = await self._node.batch(
            [("eth_getBlockByNumber", [number, False]) for number in ("0x0", "0x1")]
        )
        stands_on = first.get("parentHash") if isinstance(first, dict) else None
        if not isinstance(genesis, dict) or (first is not None and stands_on != genesis.get("hash")):
            raise NodeFailedError(f"block 1 of {self._chain} does not stand on its block 0")

    async def _head(self) -> object:
        (block,) = await self._node.batch([("eth_getBlockByNumber", ["latest", False])])
        return block.get("hash") if isinstance(block, dict) else None

    async def _snapshot(self) -> str:
        (number,) = await self._node.batch([("evm_snapshot", [])])
        return str(number)

    async def _revert(self, snapshot: str) -> None:
        (done,) = await self._node.batch([("evm_revert", [snapshot])])
        if done is not True:
            raise NodeFailedError(f"{self._chain} does not know its first snapshot any more")

    async def _wind_clock(self, seconds: int = 0) -> None:
        # A revert takes the node's clock back too, and a new block would be as old as the snapshot.
        await self._node.batch([("evm_setTime", [int(time.time()) + seconds])])

    @property
    def _stem(self) -> str:
        return self._chain.replace(":", "-")

    def _file(self) -> Path | None:
        if self._folder is None:
            return None
        return self._folder / f"{self._stem}-{world_digest(self._chain)[:16]}.state"


def _replace(file: Path, content: bytes) -> None:
    """Write a file so that it is the old one or the new one at every moment."""
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_suffix(".new")
    fresh.write_bytes(content)
    fresh.replace(file)

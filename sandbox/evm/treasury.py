"""The account that pays the faucet: its transactions are mined like everybody's, so that they are seen in histories."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from walletmodal.sandbox.errors import NodeFailedError
from walletmodal.sandbox.evm.artifacts import call_data
from walletmodal.sandbox.evm.deployment import TREASURY_FUNDS, Call
from walletmodal.sandbox.evm.smart_accounts import PAYMASTERS
from walletmodal.sandbox.evm.world import TREASURY, Collection, EvmWorld, Token

MINED_SECONDS = 10.0
_DEPOSIT_LIMIT = 2**112
_LIMIT = 2**256
_GAS = 3_000_000


class TreasuryNode(Protocol):
    """What the treasury needs of a node."""

    async def rpc(self, method: str, params: Sequence[object] = ()) -> object:
        """One call; raises NodeFailedError."""

    async def batch(self, calls: Sequence[Call]) -> list[object]:
        """Several calls; raises NodeFailedError."""


class Treasury:
    """The treasury of one chain; see `EvmWorld.treasury`.

    Args:
        node: the chain's node, which signs for the treasury.
        world: the chain's contracts.
    """

    def __init__(self, node: TreasuryNode, world: EvmWorld) -> None:
        self._node = node
        self._world = world
        self._lock, self._minting = asyncio.Lock(), asyncio.Lock()

    async def give(self, address: str, amount: int, token: Token | None = None) -> int:
        """Give coin or tokens to an account.

        Args:
            address: 20 bytes, hexadecimal.
            amount: base units, above zero.
            token: one of the world's; the native coin when None.

        Returns:
            The balance afterwards, in base units.

        Raises:
            OverflowError: the balance would not fit 256 bits.
            NodeFailedError: the node refused, does not answer, or does not mine.
        """
        if await self.balance(address, token) + amount >= _LIMIT:
            raise OverflowError("the balance would not fit 256 bits")
        if token is None:
            await self._give_native(address, amount)
        elif token == self._world.wrapped:
            await self._fund(amount)
            await self.send(token.address, call_data("deposit()"), amount)
            await self.send(token.address, call_data("transfer(address,uint256)", address, amount))
        else:
            supply = await self._read(token.address, call_data("totalSupply()"))
            if supply + amount >= _LIMIT:
                raise OverflowError("the token's supply would not fit 256 bits")
            await self.send(token.address, call_data("mint(address,uint256)", address, amount))
        return await self.balance(address, token)

    async def give_nft(self, address: str, collection: Collection) -> int:
        """Make the next NFT of an ERC-721 collection for an account.

        Args:
            address: 20 bytes, hexadecimal.
            collection: one of the world's.

        Returns:
            Its token id.

        Raises:
            NodeFailedError: the node refused, does not answer, or does not mine.
        """
        # The collection has the ids from 1 on without a gap; two at once would get the same.
        async with self._minting:
            number = await self._read(collection.address, call_data("totalSupply()")) + 1
            await self.send(collection.address, call_data("mint(address,uint256)", address, number))
        return number

    async def sponsor(self, amount: int) -> dict[str, int]:
        """Put coin on deposit for the chain's paymasters, the same for each.

        Args:
            amount: base units, above zero.

        Returns:
            What each has on deposit afterwards, by entry point.

        Raises:
            OverflowError: a deposit would not fit 112 bits.
            NodeFailedError: the node refused, does not answer, or does not mine.
        """
        before = {one: await self._deposit(one) for one in PAYMASTERS}
        if max(before.values()) + amount >= _DEPOSIT_LIMIT:
            raise OverflowError("the deposit would not fit 112 bits")
        await self._fund(amount * len(PAYMASTERS))
        for entry_point, paymaster in PAYMASTERS.items():
            await self.send(entry_point, call_data("depositTo(address)", paymaster), amount)
        return {one: await self._deposit(one) for one in PAYMASTERS}

    async def _deposit(self, entry_point: str) -> int:
        return await self._read(entry_point, call_data("balanceOf(address)", PAYMASTERS[entry_point]))

    async def balance(self, address: str, token: Token | None = None) -> int:
        """The balance of an account in base units, of the native coin when `token` is None.

        Raises:
            NodeFailedError: the node does not answer.
        """
        if token is None:
            return int(str(await self._node.rpc("eth_getBalance", [address, "latest"])), 16)
        return await self._read(token.address, call_data("balanceOf(address)", address))

    async def send(self, to: str, data: bytes = b"", value: int = 0) -> dict[str, object]:
        """Send a transaction of the treasury and wait until it is mined.

        Args:
            to: 20 bytes, hexadecimal.
            data: of the call.
            value: base units of the native coin.

        Returns:
            The receipt, as the node gives it.

        Raises:
            NodeFailedError: it failed, or was not mined within MINED_SECONDS.
        """
        receipt = await self._mined(to, data, value)
        if receipt.get("status") != "0x1":
            raise NodeFailedError(f"{self._world.chain}: the transaction to {to} failed")
        return receipt

    async def _give_native(self, address: str, amount: int) -> None:
        await self._fund(amount)
        if await self._node.rpc("anvil_getAutomine") is True:
            receipt = await self._mined(address, b"", amount)
            if receipt.get("status") == "0x1":
                return
        # Nobody mines right now, or the receiver is a contract that takes no coin: the balance is set instead.
        balance = await self.balance(address)
        await self._node.rpc("anvil_setBalance", [address, hex(balance + amount)])

    async def _fund(self, amount: int) -> None:
        if await self.balance(TREASURY) < amount + TREASURY_FUNDS // 2:
            await self._node.rpc("anvil_setBalance", [TREASURY, hex(min(amount + TREASURY_FUNDS, _LIMIT - 1))])

    async def _mined(self, to: str, data: bytes, value: int) -> dict[str, object]:
        request = {
            "from": TREASURY,
            "to": to,
            "data": "0x" + data.hex(),
            "value": hex(value),
            "gas": hex(_GAS),
        }
        # The node takes the next nonce itself; two at once would get the same. It signs for the treasury no longer than it has to, so
        # that its list of accounts is that of the development accounts.
        async with self._lock:
            await self._node.rpc("anvil_impersonateAccount", [TREASURY])
            try:
                sent = await self._node.rpc("eth_sendTransaction", [request])
            finally:
                await self._node.rpc("anvil_stopImpersonatingAccount", [TREASURY])
        deadline = asyncio.get_running_loop().time() + MINED_SECONDS
        while True:
            receipt = await self._node.rpc("eth_getTransactionReceipt", [sent])
            if isinstance(receipt, dict):
                return receipt
            if asyncio.get_running_loop().time() > deadline:
                raise NodeFailedError(f"{self._world.chain} did not mine within {MINED_SECONDS:.0f} s")
            await asyncio.sleep(0.02)

    async def _read(self, contract: str, data: bytes) -> int:
        return int(str(await self._node.rpc("eth_call", [{"to": contract, "data": "0x" + data.hex()}, "latest"])), 16)

"""Brings a chain's contracts and first transactions onto a new node."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from typing import Protocol

from walletmodal.sandbox.errors import NodeFailedError
from walletmodal.sandbox.evm.first_transactions import Transaction, first_transactions
from walletmodal.sandbox.evm.placement import Placement, placements
from walletmodal.sandbox.evm.tables import CHAIN_ROWS
from walletmodal.sandbox.evm.world import TREASURY, worlds

TREASURY_FUNDS = 10**30
"""Base units of native coin that the treasury has at the beginning."""

ACCOUNT_FUNDS = 10_000 * 10**18
"""Base units of native coin that each development account has at the beginning."""

AGE_SECONDS = 7200
"""How long before now a new chain begins, so that its first transactions have times of their own."""

_BLOCK_SECONDS = 120
_BLOCK_GAS = 25_000_000
_CONSTRUCTOR_GAS = 3_000_000

Call = tuple[str, Sequence[object]]


class BatchRpc(Protocol):
    """A node that answers several JSON-RPC calls at once."""

    async def batch(self, calls: Sequence[Call]) -> list[object]:
        """The results in order.

        Raises:
            NodeFailedError: one of them is an error, or the node does not answer.
        """


async def deploy_world(chain: str, node: BatchRpc) -> None:
    """Make a new chain what `worlds()` says of it.

    Args:
        chain: CAIP-2 id.
        node: its node, an anvil without blocks.

    Raises:
        PartMissingError: the npm packages with the contracts are not installed.
        NodeFailedError: the node refused something, or a transaction failed.
    """
    row, world = next(each for each in CHAIN_ROWS if each.chain == chain), worlds()[chain]
    deployment = _Deployment(chain, node)
    await node.batch(
        [
            ("anvil_setBalance", [TREASURY, hex(TREASURY_FUNDS)]),
            ("anvil_impersonateAccount", [TREASURY]),
            ("evm_setAutomine", [False]),
        ]
    )
    for round_of in placements(row, world):
        await deployment.place(round_of)
    for transactions in first_transactions(row, world):
        await deployment.run(transactions)
    # What the fees of the first transactions took would make an odd sum of a round one.
    await node.batch([("anvil_setBalance", [account, hex(ACCOUNT_FUNDS)]) for account in world.accounts])
    await node.batch([("anvil_stopImpersonatingAccount", [TREASURY]), ("evm_setAutomine", [True])])


@cache
def world_digest(chain: str) -> str:
    """Changes when the contracts or first transactions of a chain do, so that no state of another world is taken for this one's.

    Raises:
        PartMissingError: the npm packages with the contracts are not installed.
    """
    row, world = next(each for each in CHAIN_ROWS if each.chain == chain), worlds()[chain]
    return sha256(repr((placements(row, world), first_transactions(row, world))).encode()).hexdigest()


class _Deployment:
    def __init__(self, chain: str, node: BatchRpc) -> None:
        self._chain = chain
        self._node = node
        self._nonces: dict[str, int] = {}

    async def place(self, wanted: Sequence[Placement]) -> None:
        """Run each constructor at the address where its contract is to stand, and leave there what it returns.

        The creation code is put at the address as if it were a contract's code; called, it writes the storage of that address and
        returns the code to be kept. So a contract comes to an address that no key and no nonce leads to.
        """
        if not wanted:
            return
        # A contract that was created has the nonce 1 (EIP-161), from which the addresses of those that it creates follow.
        await self._node.batch(
            [
                call
                for one in wanted
                for call in (
                    ("anvil_setCode", [one.address, _hex(one.code)]),
                    ("anvil_setNonce", [one.address, "0x1"]),
                )
            ]
        )
        calls = [("eth_call", [{"from": TREASURY, "to": one.address}, "latest"]) for one in wanted]
        codes = await self._node.batch(calls)
        await self.run(Transaction(TREASURY, one.address, b"", gas=_CONSTRUCTOR_GAS) for one in wanted)
        kept: list[Call] = [("anvil_setCode", [one.address, code]) for one, code in zip(wanted, codes, strict=True)]
        kept += [
            ("anvil_setStorageAt", [one.address, f"0x{slot:064x}", _hex(value)])
            for one in wanted
            for slot, value in one.storage
        ]
        await self._node.batch(kept)

    async def run(self, transactions: Iterable[Transaction]) -> None:
        """Send transactions and mine them, as many in a block as its gas allows."""
        for block in _blocks(transactions):
            senders = {one.sender for one in block} - self._nonces.keys()
            counts = await self._node.batch([("eth_getTransactionCount", [one, "latest"]) for one in senders])
            self._nonces |= {sender: int(str(count), 16) for sender, count in zip(senders, counts, strict=True)}
            hashes = await self._node.batch([("eth_sendTransaction", [self._request(one)]) for one in block])
            # A pool that was used in the newest block costs more gas in the next than the node estimates: time must pass.
            await self._node.batch([("evm_increaseTime", [_BLOCK_SECONDS]), ("evm_mine", [])])
            receipts = await self._node.batch([("eth_getTransactionReceipt", [one]) for one in hashes])
            for transaction, receipt in zip(block, receipts, strict=True):
                if not isinstance(receipt, dict) or receipt.get("status") != "0x1":
                    what = f"{_hex(transaction.data[:4])} to {transaction.to}"
                    raise NodeFailedError(f"{self._chain}: a first transaction failed: {what}")

    def _request(self, transaction: Transaction) -> dict[str, str]:
        nonce = self._nonces[transaction.sender]
        self._nonces[transaction.sender] = nonce + 1
        return {
            "from": transaction.sender,
            "to": transaction.to,
            "data": _hex(transaction.data),
            "value": hex(transaction.value),
            "gas": hex(transaction.gas),
            "nonce": hex(nonce),
        }


def _blocks(transactions: Iterable[Transaction]) -> Iterator[list[Transaction]]:
    block: list[Transaction] = []
    for one in transactions:
        if block and sum(each.gas for each in block) + one.gas > _BLOCK_GAS:
            yield block
            block = []
        block.append(one)
    if block:
        yield block


def _hex(raw: bytes) -> str:
    return "0x" + raw.hex()

"""Delivers what was bought: the treasury of the chain pays, in a transaction like everybody's."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

from walletmodal.sandbox.errors import NodeFailedError
from walletmodal.sandbox.evm.world import TREASURY, Token, worlds
from walletmodal.sandbox.onramp.desk import Credit


class _Treasury(Protocol):
    async def give(self, address: str, amount: int, token: Token | None = None) -> int: ...


class CreditingNode(Protocol):
    """What is needed of a chain's node."""

    @property
    def treasury(self) -> _Treasury:
        """Gives coin and tokens away."""
        ...

    async def rpc(self, method: str, params: Sequence[object] = ()) -> object:
        """One JSON-RPC call; raises NodeFailedError."""
        ...


def credit_from_treasury(nodes: Mapping[str, CreditingNode]) -> Credit:
    """Credits accounts on these chains (CAIP-2 ids) out of their treasuries."""

    async def credit(chain: str, token: str | None, address: str, amount: int) -> str | None:
        node = nodes.get(chain)
        if node is None:
            raise NodeFailedError(f"the sandbox runs no chain {chain!r}")
        known = None if token is None else _token(chain, token)
        before = await _block_number(node)
        try:
            await node.treasury.give(address, amount, known)
        except OverflowError as error:
            raise NodeFailedError(str(error)) from error
        return await _delivery(node, known, address, before)

    return credit


def _token(chain: str, address: str) -> Token:
    for token in worlds()[chain].tokens:
        if token.address.lower() == address.lower():
            return token
    raise NodeFailedError(f"{chain} has no token {address}")


async def _delivery(node: CreditingNode, token: Token | None, address: str, before: int) -> str | None:
    """The treasury's newest transaction for the account in the blocks after `before`.

    None where the treasury had to set the balance, as for a contract that takes no coin.
    """
    to = (token.address if token else address).lower()
    for number in range(await _block_number(node), before, -1):
        block = cast("dict[str, Any]", await node.rpc("eth_getBlockByNumber", [hex(number), True]))
        for transaction in reversed(block["transactions"]):
            ours = transaction["from"].lower() == TREASURY.lower() and (transaction["to"] or "").lower() == to
            if ours and (token is None or address[2:].lower() in transaction["input"].lower()):
                return str(transaction["hash"])
    return None


async def _block_number(node: CreditingNode) -> int:
    return int(str(await node.rpc("eth_blockNumber")), 16)

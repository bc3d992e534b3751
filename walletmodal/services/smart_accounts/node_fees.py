"""What a unit of gas costs, as a network's node says."""

from typing import Final

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import MalformedResponseError, RpcRequestError
from walletmodal.core.smart_accounts.answers import GasPrice
from walletmodal.services.chains.eip155.answers import read_quantity
from walletmodal.services.rpc.transport import RpcTransport

_LEAST_TIP: Final = 10**6


async def node_gas_price(node: RpcTransport, chain: ChainId) -> tuple[GasPrice, int]:
    """Asks for the price of a unit of gas, and the base fee that stands in it.

    Raises:
        MalformedResponseError: the answer cannot be used, or the network has no base fee.
        TransportError: the node cannot be asked.
    """
    # A literal of JSON-RPC: whole transactions are not wanted.
    block = await node.request("eth_getBlockByNumber", ["latest", False])
    told = block.get("baseFeePerGas") if isinstance(block, dict) else None
    base_fee = read_quantity(told, "eth_getBlockByNumber", chain)
    try:
        tip = read_quantity(await node.request("eth_maxPriorityFeePerGas"), "eth_maxPriorityFeePerGas", chain)
    except RpcRequestError:
        tip = _LEAST_TIP
    tip = max(tip, _LEAST_TIP)
    if not 0 < 2 * base_fee + tip < 2**64:
        raise MalformedResponseError(url=str(chain), details="no gas price")
    return GasPrice(2 * base_fee + tip, tip), base_fee

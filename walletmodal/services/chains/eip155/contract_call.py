"""A question to a contract that may be anybody's. All questions of a tick are one HTTP request, so no helper contract is needed."""

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import MalformedResponseError, RpcRequestError
from walletmodal.services.chains.eip155.answers import is_revert, read_data
from walletmodal.services.rpc.transport import RpcTransport


async def call_contract(transport: RpcTransport, chain: ChainId, contract: str, data: str) -> bytes:
    """What a contract answers now; nothing where it refuses or its answer is nonsense.

    Args:
        transport: the way to the chain's nodes.
        chain: its id.
        contract: a checked address.
        data: of the call, hexadecimal.

    Raises:
        TransportError: the node cannot be asked.
    """
    try:
        answer = await transport.request("eth_call", [{"to": contract, "data": data}, "latest"])
        return read_data(answer, "eth_call", chain)
    except MalformedResponseError:
        return b""
    except RpcRequestError as error:
        if is_revert(error):
            return b""
        raise

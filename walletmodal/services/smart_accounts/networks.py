"""What networks say of smart accounts: what an account is, and its next nonce."""

import asyncio

from eth_abi.abi import decode
from eth_abi.exceptions import DecodingError
from eth_utils.address import to_checksum_address

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import MalformedResponseError
from walletmodal.core.smart_accounts.account_state import (
    AccountState,
    Implementation,
    read_account_state,
    smart_account_address,
)
from walletmodal.core.smart_accounts.call_encoding import encode_call
from walletmodal.core.smart_accounts.safe import MAX_OWNERS
from walletmodal.services.chains.adapter import TransportOf
from walletmodal.services.chains.eip155.account_calls import EvmAccountCalls
from walletmodal.services.chains.eip155.answers import read_data, read_quantity
from walletmodal.services.chains.eip155.contract_call import call_contract


class SmartAccountNetworks:
    """The networks of a deployment, asked by their nodes.

    Args:
        nodes: gives the way to a network's nodes.
    """

    def __init__(self, nodes: TransportOf) -> None:
        self._nodes = nodes

    async def state(self, chain: ChainId, implementation: Implementation, owner: str) -> AccountState:
        """Asks what a key's smart account is on a network.

        Raises:
            MalformedResponseError: the answer cannot be used.
            TransportError: the node cannot be asked.
        """
        account = smart_account_address(implementation, owner)
        code = read_data(await self._nodes(chain).request("eth_getCode", [account, "latest"]), "eth_getCode", chain)
        return read_account_state(implementation, code)

    async def operation_nonce(self, chain: ChainId, account: str, entry_point: str) -> int:
        """Asks for the next nonce of an account's user operations, of those that come one after the other (key 0). Raises as `state`."""
        data = encode_call("getNonce(address,uint192)", account, 0)
        answer = await call_contract(self._nodes(chain), chain, entry_point, "0x" + data.hex())
        try:
            (nonce,) = decode(["uint256"], answer)
        except DecodingError as error:
            raise MalformedResponseError(url=str(chain), details="no nonce; is the entry point there?") from error
        return int(nonce)

    async def allowance(self, chain: ChainId, token: str, owner: str, spender: str) -> int:
        """Asks how many base units of a token a spender may take already. Raises as `state`."""
        return await EvmAccountCalls(self._nodes).allowance(chain, token, owner, spender)

    async def safe_owners(self, chain: ChainId, owner: str) -> tuple[str, ...]:
        """Asks who controls a key's Safe: each alone, where it is not made yet its key.

        Raises:
            MalformedResponseError: the answer cannot be used, or several must sign together.
            TransportError: the node cannot be asked.
        """
        account = smart_account_address("safe", owner)
        if not (await self.state(chain, "safe", owner)).is_deployed:
            return (owner,)
        owners, threshold = await asyncio.gather(
            call_contract(self._nodes(chain), chain, account, "0x" + encode_call("getOwners()").hex()),
            call_contract(self._nodes(chain), chain, account, "0x" + encode_call("getThreshold()").hex()),
        )
        try:
            ((found,), (needed,)) = decode(["address[]"], owners), decode(["uint256"], threshold)
        except DecodingError as error:
            raise MalformedResponseError(url=str(chain), details="no owners") from error
        if needed != 1 or not 0 < len(found) <= MAX_OWNERS:
            raise MalformedResponseError(url=str(chain), details="owners who must sign together, or too many")
        return tuple(to_checksum_address(one) for one in found)

    async def transaction_count(self, chain: ChainId, account: str) -> int:
        """Asks for the next nonce of an account's own transactions. Raises as `state`."""
        answer = await self._nodes(chain).request("eth_getTransactionCount", [account, "pending"])
        return read_quantity(answer, "eth_getTransactionCount", chain)

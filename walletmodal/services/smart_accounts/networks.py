"""What networks say of smart accounts: whether they have EIP-7702, what an account is, its next nonce."""

from typing import Final

from eth_abi.abi import decode
from eth_abi.exceptions import DecodingError

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.errors import MalformedResponseError, RpcRequestError
from walletmodal.core.smart_accounts.account_state import (
    AccountState,
    Implementation,
    read_account_state,
    smart_account_address,
)
from walletmodal.core.smart_accounts.authorization import NOBODY, Authorization, SignedAuthorization
from walletmodal.core.smart_accounts.call_encoding import encode_call
from walletmodal.services.chains.adapter import TransportOf
from walletmodal.services.chains.eip155.account_calls import EvmAccountCalls
from walletmodal.services.chains.eip155.answers import read_data, read_quantity
from walletmodal.services.chains.eip155.contract_call import call_contract

CHECKED_AGAIN_AFTER: Final = 6 * 3600.0
"""Seconds after which a network without EIP-7702 is asked again; one that has it keeps it."""

_PLAIN_TRANSFER: Final = 21_000
_AUTHORIZATION_GAS: Final = 25_000
_PROBE: Final = SignedAuthorization(Authorization(1, NOBODY, 0), 0, 1, 1)
"""Takes nothing back, as no account has signed it; a network that knows authorizations asks for its gas all the same."""
_PROBED: Final = "0x" + "7" * 40


class SmartAccountNetworks:
    """The networks of a deployment, asked by their nodes.

    Args:
        nodes: gives the way to a network's nodes.
        clock: what answers are kept by.
    """

    def __init__(self, nodes: TransportOf, *, clock: Clock | None = None) -> None:
        self._nodes, self._clock = nodes, clock or SystemClock()
        self._delegating: dict[ChainId, float] = {}

    async def can_delegate(self, chain: ChainId) -> bool:
        """Asks whether a network has EIP-7702, by what a transaction with an authorization costs there.

        A node that passes over what it does not know estimates a plain transfer.

        Raises:
            TransportError: the node cannot be asked; nobody knows then.
        """
        known = self._delegating.get(chain)
        if known is not None and known > self._clock.monotonic():
            return known == _FOR_EVER
        transaction = {"from": _PROBED, "to": _PROBED, "authorizationList": [_PROBE.to_json()]}
        try:
            answer = await self._nodes(chain).request("eth_estimateGas", [transaction])
            found = read_quantity(answer, "eth_estimateGas", chain) >= _PLAIN_TRANSFER + _AUTHORIZATION_GAS // 2
        except RpcRequestError:
            found = False
        self._delegating[chain] = _FOR_EVER if found else self._clock.monotonic() + CHECKED_AGAIN_AFTER
        return found

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

    async def transaction_count(self, chain: ChainId, account: str) -> int:
        """Asks for the next nonce of an account's own transactions. Raises as `state`."""
        answer = await self._nodes(chain).request("eth_getTransactionCount", [account, "pending"])
        return read_quantity(answer, "eth_getTransactionCount", chain)


_FOR_EVER: Final = float("inf")

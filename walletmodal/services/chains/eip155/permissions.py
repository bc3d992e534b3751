"""What a chain says of the permissions that accounts have granted: whether they still count, and what was used of them."""

import asyncio
from dataclasses import dataclass
from typing import Final, Literal

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors.permissions import PermissionsUnsupportedError
from walletmodal.core.permissions.delegation import Delegation
from walletmodal.core.permissions.framework import MANAGER, NONCE
from walletmodal.core.permissions.permission import Permission, nonce_of
from walletmodal.core.permissions.redemption import (
    Usage,
    disabled_question,
    nonce_question,
    read_usage,
    read_words,
    usage_question,
)
from walletmodal.core.smart_accounts.account_state import AccountState, read_account_state
from walletmodal.services.chains.adapter import TransportOf
from walletmodal.services.chains.eip155.answers import read_data
from walletmodal.services.chains.eip155.contract_call import call_contract

PermissionState = Literal["active", "not_started", "expired", "revoked"]
"""revoked: the account has taken back this one, or all that it had granted until then."""

_YES: Final = 1


@dataclass(frozen=True, slots=True)
class PermissionStatus:
    """What a chain says of one permission.

    Attributes:
        state: whether it counts now.
        usage: what was used of it; None where its enforcer does not say.
    """

    state: PermissionState
    usage: Usage | None


class EvmPermissions:
    """Reads permissions, on any network with the delegation framework.

    Args:
        transport: gives the way to a network's nodes, such as `RpcEndpoints.transport`.
    """

    def __init__(self, transport: TransportOf) -> None:
        self._transport = transport

    async def nonce(self, chain: ChainId, account: str) -> int:
        """Returns the number that a permission of the account must name to count.

        Raises:
            PermissionsUnsupportedError: the network does not have the delegation framework.
            TransportError: the node cannot be asked.
        """
        (nonce,) = await self._numbers(chain, NONCE, nonce_question(account))
        return nonce

    async def account_state(self, chain: ChainId, account: str) -> AccountState:
        """Reads what an account is on a network: only one that is delegated to the framework's own account can grant.

        Raises:
            TransportError: the node cannot be asked.
        """
        code = await self._transport(chain).request("eth_getCode", [account, "latest"])
        return read_account_state("delegator", read_data(code, "eth_getCode", chain))

    async def status(
        self, chain: ChainId, delegation: Delegation, permission: Permission, now: int
    ) -> PermissionStatus:
        """Reads whether a permission still counts, and what was used of it.

        Args:
            chain: the network.
            delegation: as the account has signed it.
            permission: what its caveats hold.
            now: Unix seconds.

        Raises:
            PermissionsUnsupportedError: the network does not have the delegation framework.
            TransportError: the node cannot be asked.
        """
        (disabled,), (nonce,), used = await asyncio.gather(
            self._numbers(chain, MANAGER, disabled_question(delegation)),
            self._numbers(chain, NONCE, nonce_question(delegation.delegator)),
            self._call(chain, permission.enforcer, usage_question(delegation, permission)),
        )
        state: PermissionState = "active"
        if disabled == _YES or nonce != nonce_of(delegation.caveats):
            state = "revoked"
        elif permission.until is not None and now >= permission.until:
            state = "expired"
        elif now < permission.start:
            state = "not_started"
        return PermissionStatus(state, read_usage(permission, used, now))

    async def _numbers(self, chain: ChainId, contract: str, data: bytes) -> tuple[int, ...]:
        words = read_words(await self._call(chain, contract, data), 1)
        if words is None:
            raise PermissionsUnsupportedError(str(chain))
        return words

    async def _call(self, chain: ChainId, contract: str, data: bytes) -> bytes:
        return await call_contract(self._transport(chain), chain, contract, "0x" + data.hex())

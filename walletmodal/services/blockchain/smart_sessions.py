"""Permissions that a wallet has granted for a while."""

from walletmodal.core.accounts.smart_sessions import Revocation, SmartSession, parse_smart_sessions
from walletmodal.core.chains.caip import AccountId
from walletmodal.services.blockchain.api import BlockchainApi
from walletmodal.services.http import Caller, path_segment


class SmartSessionCalls:
    """Calls about smart sessions.

    Each raises `NotConfiguredError` without a service, and `ServiceError` when it fails or answers with nothing that can be used.
    """

    def __init__(self, api: BlockchainApi) -> None:
        self._api = api

    async def granted(self, caller: Caller, account: AccountId) -> tuple[SmartSession, ...]:
        """What an account has granted; nothing on a network that the service does not know."""
        path = f"/v1/sessions/{path_segment(str(account))}"
        if not await self._api.knows(caller, account.chain):
            return ()
        return await self._api.ask(caller, path, parse_smart_sessions)

    async def revoke(self, caller: Caller, account: AccountId, revocation: Revocation) -> bool:
        """Revoke a permission.

        Returns:
            False on a network that the service does not know: nothing was sent.
        """
        path = f"/v1/sessions/{path_segment(str(account))}/revoke"
        if not await self._api.knows(caller, account.chain):
            return False
        await self._api.submit(caller, path, {"pci": revocation.pci, "signature": revocation.signature})
        return True

"""Who an account is: the name and picture that the blockchain service knows (reference logic.md §1.4)."""

import logging
from typing import Protocol

from walletmodal.core.caip import ChainId
from walletmodal.core.errors import WalletModalError
from walletmodal.core.names import Identity, NameRecord
from walletmodal.core.service_errors import NotConfiguredError
from walletmodal.services.http import Caller

logger = logging.getLogger(__name__)


class IdentityCalls(Protocol):
    """The call for ENS names and pictures, such as `BlockchainClient.accounts`."""

    async def identity(self, caller: Caller, chain: ChainId, address: str, *, sender: str = "") -> Identity:
        """The name and picture of an address; both empty when it has none."""
        ...


class ReverseCalls(Protocol):
    """The call for registered names, such as `BlockchainClient.names`."""

    async def names_of(
        self, caller: Caller, chain: ChainId, address: str, *, sender: str = ""
    ) -> tuple[NameRecord, ...]:
        """The registered names of an address, the first of which is shown."""
        ...


class Identities:
    """Tells who accounts are. Its services keep their answers for 5 minutes.

    Args:
        accounts: asked first.
        names: asked where the first knows no name.
    """

    def __init__(self, accounts: IdentityCalls, names: ReverseCalls) -> None:
        self._accounts, self._names = accounts, names

    async def of(self, caller: Caller, chain: ChainId, address: str) -> Identity | None:
        """The name and picture of an account; empty where it has none, None where nobody could say.

        Args:
            caller: the embed.
            chain: the network that the account is on; only EVM networks have names.
            address: a plain address of its namespace.
        """
        if chain.namespace != "eip155":
            return Identity()
        found: Identity | None
        try:
            found = await self._accounts.identity(caller, chain, address, sender=address)
        except NotConfiguredError:
            return Identity()
        except WalletModalError as error:
            logger.info("no identity: %s", error.details or error.short_message)
            found = None
        if found is not None and found.name:
            return found
        try:
            names = await self._names.names_of(caller, chain, address, sender=address)
        except WalletModalError as error:
            logger.info("no registered names: %s", error.details or error.short_message)
            return found
        return Identity(name=names[0].name if names else "", avatar=found.avatar if found else "")

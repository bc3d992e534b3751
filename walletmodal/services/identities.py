"""Identity of an account: the name and picture that the blockchain service knows, else the name that the chain knows."""

import logging
from typing import Protocol

from walletmodal.core.accounts.names import Identity
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.services import NotConfiguredError
from walletmodal.services.http import Caller

logger = logging.getLogger(__name__)


class IdentityCalls(Protocol):
    """The call for ENS names and pictures, such as `BlockchainClient.accounts`."""

    async def identity(self, caller: Caller, chain: ChainId, address: str, *, sender: str = "") -> Identity:
        """The name and picture of an address; both empty when it has none."""
        ...


class ReverseLookup(Protocol):
    """What an account calls itself, such as `AccountNames`."""

    async def name_of(self, caller: Caller, chain: ChainId, address: str, *, sender: str = "") -> str:
        """Its name of ENS, read from the chain, else its first registered one; "" for none. Raises `NameLookupError`."""
        ...


class Identities:
    """Tells who accounts are. Its services keep their answers for 5 minutes.

    Args:
        accounts: asked first.
        names: asked where the first knows no name, or is not there.
    """

    def __init__(self, accounts: IdentityCalls, names: ReverseLookup) -> None:
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
            found = Identity()
        except WalletModalError as error:
            logger.info("no identity: %s", error.details or error.short_message)
            found = None
        if found is not None and found.name:
            return found
        try:
            name = await self._names.name_of(caller, chain, address, sender=address)
        except WalletModalError as error:
            logger.info("no name: %s", error.details or error.short_message)
            return found
        return Identity(name=name, avatar=found.avatar if found else "")

"""Lookup of account names, in both directions, whoever keeps them."""

from collections.abc import Awaitable, Callable
from typing import Final

from walletmodal.core.accounts.names import is_zone_name
from walletmodal.core.chains.addresses import is_address, normal_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.constants import ENS_TTL
from walletmodal.core.errors import CaipError
from walletmodal.core.errors.receivers import NameLookupError
from walletmodal.core.errors.services import NotConfiguredError, ServiceError
from walletmodal.core.namespaces.registry import has_feature
from walletmodal.core.transfers.receiver_checks import same_address
from walletmodal.services.blockchain.names import NameCalls
from walletmodal.services.cache import Cache
from walletmodal.services.http import Caller
from walletmodal.services.lookups import lookup_key
from walletmodal.services.names.ens import EnsNames
from walletmodal.services.names.normal_form import normal_form
from walletmodal.services.single_flight import SingleFlight

_NO_NAME: Final = 400
"""How the service answers for what cannot be a name of its zones."""


class AccountNames:
    """Where names lead, and what accounts are called. Answers are kept for 5 minutes, failures not at all.

    Args:
        ens: the names of ENS.
        registered: those of the blockchain service's zones.
        cache: where answers are kept.
    """

    def __init__(self, ens: EnsNames, registered: NameCalls, cache: Cache) -> None:
        self._ens, self._registered, self._cache = ens, registered, cache
        self._flights: SingleFlight[str] = SingleFlight()

    async def resolve(self, caller: Caller, chain: ChainId, name: str, *, fresh: bool = False) -> str | None:
        """The address (EIP-55) to which a name leads on a network; None: nowhere. Names exist on EVM networks only.

        Args:
            caller: the embed.
            chain: the network.
            name: in its normal form (`normal_form`).
            fresh: ask even if an answer is kept, such as before money is sent there.

        Raises:
            NameLookupError: it cannot be said now.
        """
        if not has_feature(chain.namespace, "names") or not name:
            return None
        if is_zone_name(name, self._registered.zone):
            return await self._registered_address(caller, chain, name, fresh=fresh)
        key = lookup_key("ens", str(chain), name)

        async def ask() -> str:
            return await self._ens.address(name, chain) or ""

        return await self._kept(key, ask, fresh=fresh) or None

    async def name_of(self, caller: Caller, chain: ChainId, address: str, *, sender: str = "") -> str:
        """What an account calls itself: its name of ENS, else its first registered one; "" for none.

        A name is told only in its normal form, and only if it leads back to the account on that network.

        Args:
            caller: the embed.
            chain: the network.
            address: a plain address of it.
            sender: the account of whoever asks, which the service is told.

        Raises:
            AddressError: the address is none.
            NameLookupError: it cannot be said now.
        """
        if not has_feature(chain.namespace, "names"):
            return ""
        account = normal_address(chain.namespace, address)

        async def ask() -> str:
            name = await self._ens.primary_name(account)
            return name if await self._leads_back(caller, chain, name, account) else ""

        failure: NameLookupError | None = None
        try:
            found = await self._kept(lookup_key("ens-reverse", str(chain), account), ask, fresh=False)
        except NameLookupError as error:
            # A deployment without a node of Ethereum may still have the service's names.
            found, failure = "", error
        if found:
            return found
        try:
            records = await self._registered.names_of(caller, chain, account, sender=sender)
        except NotConfiguredError:
            records = ()
        except ServiceError as error:
            raise NameLookupError(error.details or error.short_message) from error
        for name in (record.name.lower() for record in records[:1]):
            if await self._leads_back(caller, chain, name, account):
                return name
        if failure is not None:
            raise failure
        return ""

    async def close(self) -> None:
        """Give up what is still being asked."""
        await self._flights.close()

    async def _leads_back(self, caller: Caller, chain: ChainId, name: str, account: str) -> bool:
        form = await normal_form(name)
        if not name or form.text != name:
            return False
        found = await self.resolve(caller, chain, name)
        return found is not None and same_address("eip155", found, account)

    async def _registered_address(self, caller: Caller, chain: ChainId, name: str, *, fresh: bool) -> str | None:
        try:
            record = await self._registered.resolve(caller, chain, name, fresh=fresh)
            found = None if record is None else record.address_on(chain)
        except NotConfiguredError:
            return None
        except CaipError:
            return None
        except ServiceError as error:
            if error.status == _NO_NAME:
                return None
            raise NameLookupError(error.details or error.short_message) from error
        if found is None or not is_address("eip155", found):
            return None
        return normal_address("eip155", found)

    async def _kept(self, key: str, ask: Callable[[], Awaitable[str]], *, fresh: bool) -> str:
        """The kept answer, else what `ask` says; only that something was found is kept, so that a new name works at once."""
        if not fresh:
            kept = await self._cache.get(key)
            if kept:
                return kept
        return await self._flights.join(key, lambda: self._ask(key, ask), fresh=fresh)

    async def _ask(self, key: str, ask: Callable[[], Awaitable[str]]) -> str:
        answer = await ask()
        if self._flights.is_newest(key):
            if answer:
                await self._cache.set(key, answer, ENS_TTL)
            else:
                await self._cache.delete(key)
        return answer

"""Names of the service's zone: looked up, suggested and registered."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from walletmodal.core.accounts.names import (
    NameRecord,
    NameSuggestion,
    name_coin_type,
    parse_name_record,
    parse_name_suggestions,
    parse_names,
)
from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.constants import ENS_TTL, NAME_ZONE
from walletmodal.core.errors.services import NameCall, NameServiceError, ServiceError
from walletmodal.services.blockchain.api import BlockchainApi
from walletmodal.services.http import Caller, Query, error_body, path_segment

_VERSION: Final[Query] = {"apiVersion": 2}
_NOT_FOUND: Final = 404


class NameCalls:
    """Calls about names.

    Each raises `NotConfiguredError` without a service, and `NameServiceError` when it fails or answers with nothing that can be used: its
    text is the service's reason, else a fixed one. `chain` is the active network.

    Args:
        api: the way to the service.
        zone: where names are registered.
    """

    def __init__(self, api: BlockchainApi, zone: str = NAME_ZONE) -> None:
        self._api, self.zone = api, zone

    async def resolve(self, caller: Caller, chain: ChainId, name: str, *, fresh: bool = False) -> NameRecord | None:
        """The record of a full name, kept for 5 minutes; None when nobody has the name, or the service does not know the network.

        Args:
            caller: the embed.
            chain: the active network.
            name: the full name.
            fresh: ask even if an answer is kept.
        """
        path = _record_path(name)
        if not await self._api.knows(caller, chain):
            return None
        try:
            with _as_name_error("resolve"):
                return await self._api.lookup(caller, path, parse_name_record, ttl=ENS_TTL, query=_VERSION, fresh=fresh)
        except NameServiceError as error:
            if error.status == _NOT_FOUND:
                return None
            raise

    async def serves(self, caller: Caller, chain: ChainId) -> bool:
        """Whether there are names on a network. The other calls take it for one without them where this cannot be said."""
        with _as_name_error("suggestions"):
            return str(chain) in await self._api.networks(caller)

    async def names_of(
        self, caller: Caller, chain: ChainId, address: str, *, sender: str = "", fresh: bool = False
    ) -> tuple[NameRecord, ...]:
        """The names of an address, kept for 5 minutes; the first is shown.

        Args:
            caller: the embed.
            chain: the active network.
            address: a plain address of its namespace.
            sender: plain address of the active account, where there is one.
            fresh: ask even if an answer is kept.

        Raises:
            AddressError: the address is none.
        """
        path = _reverse_path(chain, address)
        if not await self._api.knows(caller, chain):
            return ()
        with _as_name_error("reverse"):
            return await self._api.lookup(
                caller, path, parse_names, ttl=ENS_TTL, query=_VERSION, unkeyed={"sender": sender}, fresh=fresh
            )

    async def suggestions(self, caller: Caller, chain: ChainId, label: str) -> tuple[NameSuggestion, ...]:
        """Names like a label, zone included; the first is the label itself, with whether somebody has it. Asked anew each time."""
        path = f"/v1/profile/suggestions/{path_segment(label)}"
        if not await self._api.knows(caller, chain):
            return ()
        with _as_name_error("suggestions"):
            return await self._api.ask(caller, path, parse_name_suggestions, {"zone": self.zone})

    async def register(
        self, caller: Caller, chain: ChainId, name: str, *, address: str, message: str, signature: str
    ) -> bool:
        """Register a full name for an address; what was kept of both is dropped, even if the answer is lost.

        Args:
            caller: the embed.
            chain: the active network, an EVM one.
            name: the full name that `message` speaks of.
            address: a plain address, the owner's.
            message: see `core.accounts.names.registration_message`.
            signature: the owner's, over the message.

        Returns:
            False on a network that the service does not know: nothing was sent.

        Raises:
            CaipError: `Invalid chainId`.
            AddressError: the address is none.
        """
        coin_type, owner = name_coin_type(chain), normal_address(chain.namespace, address)
        if not await self._api.knows(caller, chain):
            return False
        body = {"coin_type": coin_type, "address": owner, "message": message, "signature": signature}
        try:
            with _as_name_error("register"):
                await self._api.submit(caller, "/v1/profile/account", body)
        finally:
            await self._api.forget(caller, _record_path(name), _VERSION)
            await self._api.forget(caller, _reverse_path(chain, owner), _VERSION)
        return True


def _record_path(name: str) -> str:
    return f"/v1/profile/account/{path_segment(name.lower())}"


def _reverse_path(chain: ChainId, address: str) -> str:
    return f"/v1/profile/reverse/{path_segment(normal_address(chain.namespace, address))}"


@contextmanager
def _as_name_error(call: NameCall) -> Iterator[None]:
    try:
        yield
    except ServiceError as error:
        named = NameServiceError(call, status=error.status, body=error_body(error), details=error.details)
        raise named from error.__cause__

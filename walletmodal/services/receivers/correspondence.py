"""Counterparties of an account: read from its history, kept for a minute, believed where the chain confirms it."""

import json
from dataclasses import astuple
from typing import Final, TypeGuard

from walletmodal.core.accounts.counterparties import Counterparty, find_counterparties
from walletmodal.core.accounts.transactions import HistoryPage, Transaction
from walletmodal.core.chains.addresses import is_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import TransportError
from walletmodal.core.errors.receivers import HistoryUnknownError
from walletmodal.core.errors.services import NotConfiguredError, ServiceError
from walletmodal.services.blockchain.accounts import AccountCalls
from walletmodal.services.cache import Cache
from walletmodal.services.chains.registry import Chains
from walletmodal.services.http import Caller
from walletmodal.services.lookups import lookup_key
from walletmodal.services.single_flight import SingleFlight

MAX_PAGES: Final = 3
"""Of the history that are read: the public service's pages have fifty entries."""
KEPT_SECONDS: Final = 60.0

_Found = tuple[Counterparty, ...]


class Correspondence:
    """Reads it for all visitors of a process.

    Args:
        accounts: the histories of the blockchain service.
        chains: asked whether an account has really made a transaction that its history tells of.
        cache: where it is kept.
    """

    def __init__(self, accounts: AccountCalls, chains: Chains, cache: Cache) -> None:
        self._accounts, self._chains, self._cache = accounts, chains, cache
        self._flights: SingleFlight[_Found] = SingleFlight()

    async def of(self, caller: Caller, chain: ChainId, account: str) -> _Found:
        """Whom an account has dealt with on a network, as far as its newest history tells.

        Args:
            caller: the embed.
            chain: the network.
            account: its address in the normal spelling.

        Raises:
            HistoryUnknownError: it cannot be said now.
        """
        key = lookup_key("correspondence", str(chain), account, caller.origin, caller.project_id)
        kept = _read(await self._cache.get(key), chain)
        if kept is not None:
            return kept
        return await self._flights.join(key, lambda: self._ask(caller, chain, account, key))

    async def confirmed(self, chain: ChainId, account: str, one: Counterparty) -> bool:
        """Whether the account has really sent something to a correspondent: whether it has made one of those transactions.

        A contract account has others make them, so what was worth something is believed of it.

        Raises:
            HistoryUnknownError: none is known to be its own, and not all could be asked for.
        """
        adapter, doubt = self._chains.adapter(chain.namespace), None
        for transaction in one.sent:
            try:
                author = await adapter.authorship(chain, transaction, account)
            except TransportError as error:
                doubt = error
                continue
            if author == "own" or (author == "unclear" and one.paid):
                return True
        if doubt is not None:
            raise HistoryUnknownError(doubt.details) from doubt
        return False

    async def close(self) -> None:
        """Give up what is still being asked."""
        await self._flights.close()

    async def _ask(self, caller: Caller, chain: ChainId, account: str, key: str) -> _Found:
        try:
            if not await self._accounts.knows(caller, chain):
                raise HistoryUnknownError(f"the service does not know {chain}")
            entries = await self._entries(caller, chain, account)
        except (ServiceError, NotConfiguredError) as error:
            raise HistoryUnknownError(error.details) from error
        found = find_counterparties(chain.namespace, account, entries)
        await self._cache.set(key, json.dumps([astuple(one) for one in found]), KEPT_SECONDS)
        return found

    async def _entries(self, caller: Caller, chain: ChainId, account: str) -> list[Transaction]:
        entries: list[Transaction] = []
        cursor: str | None = None
        for _ in range(MAX_PAGES):
            page: HistoryPage = await self._accounts.history(caller, chain, account, cursor=cursor)
            entries += page.data
            cursor = page.next
            if cursor is None:
                break
        return entries


def _read(text: str | None, chain: ChainId) -> _Found | None:
    """What another worker may have kept."""
    try:
        rows = json.loads(text) if text else None
    except ValueError:
        return None
    if not isinstance(rows, list) or not all(_is_row(row, chain) for row in rows):
        return None
    return tuple(Counterparty(address, tuple(sent), paid, received) for address, sent, paid, received in rows)


def _is_row(row: object, chain: ChainId) -> TypeGuard[tuple[str, list[str], bool, bool]]:
    if not isinstance(row, list) or len(row) != 4 or not isinstance(row[0], str) or not isinstance(row[1], list):
        return False
    return (
        is_address(chain.namespace, row[0])
        and all(isinstance(one, str) for one in row[1])
        and all(isinstance(one, bool) for one in row[2:])
    )

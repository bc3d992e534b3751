"""The wallet directory: which wallets there are, and whether the project wants events."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from cachetools import TTLCache

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.constants import LIST_ENTRIES, RECOMMENDED_ENTRIES, SEARCH_ENTRIES
from walletmodal.core.errors.services import ServiceError
from walletmodal.core.wallets.directory import WalletListing, WalletPage, parse_analytics_config, parse_wallet_page
from walletmodal.core.wallets.lists import in_hosts_order
from walletmodal.services.http import Caller, HttpService, Query
from walletmodal.services.lookups import Lookups, lookup_key

Badge = Literal["", "none", "certified"]

CATALOGUE_TTL: Final = 300.0
ANALYTICS_CONFIG_TTL: Final = 300.0
MAX_SEARCH: Final = 128
MAX_REMEMBERED: Final = 2048
"""How many wallets are known by their id, so that a click on one that a list showed asks nothing."""
_FIRST_PAGE: Final = 1
_WALLET_ID: Final = re.compile(r"[!-+\--~]{1,128}")
"""Printable ASCII without blanks and commas: a comma would name two wallets."""


@dataclass(frozen=True, slots=True)
class WalletFilter:
    """Filter of wallet lists.

    Attributes:
        chains: CAIP-2 ids of all networks that the host asked for.
        include, exclude: ids of wallets; no `include` means all.
    """

    chains: Sequence[str] = ()
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()


class DirectoryClient:
    """Asks the directory. Pages are kept for five minutes; equal questions at once are asked once.

    Every call raises `NotConfiguredError` without a directory, and `ServiceError` when it fails or answers with nothing that can be used.

    Args:
        http: the way to the directory.
        lookups: cache of the process.
        clock: what the time of remembered wallets is measured with.
    """

    def __init__(self, http: HttpService, lookups: Lookups, *, clock: Clock | None = None) -> None:
        self._http, self._lookups = http, lookups
        self._remembered: TTLCache[tuple[str, str], WalletListing, float] = TTLCache(
            MAX_REMEMBERED, CATALOGUE_TTL, (clock or SystemClock()).monotonic
        )

    @property
    def configured(self) -> bool:
        """Whether there is a directory."""
        return self._http.configured

    async def featured(self, caller: Caller, ids: Sequence[str]) -> tuple[WalletListing, ...]:
        """The wallets that the host features, in its order; nothing is asked when it features none."""
        if not ids:
            return ()
        page = await self._page(caller, len(ids), {"include": ",".join(ids)})
        return in_hosts_order(page.data, ids)

    async def recommended(self, caller: Caller, wanted: WalletFilter) -> WalletPage:
        """The first wallets of the directory; its `count` says how many there are in all."""
        return await self._page(caller, RECOMMENDED_ENTRIES, _filtered(wanted))

    async def listed(self, caller: Caller, wanted: WalletFilter, *, page: int = _FIRST_PAGE) -> WalletPage:
        """A page of the full list. `page`: from 1."""
        return await self._page(caller, LIST_ENTRIES, _filtered(wanted), page=page)

    async def search(self, caller: Caller, text: str, wanted: WalletFilter, *, badge: Badge = "") -> WalletPage:
        """Wallets whose name has the text, of a badge where one is given; at most 100."""
        search = text.strip()[:MAX_SEARCH]
        query = {**_filtered(wanted), "search": search, "badge_type": badge}
        return await self._page(caller, SEARCH_ENTRIES, query)

    async def wallet(self, caller: Caller, wallet_id: str) -> WalletListing | None:
        """One wallet; None when the directory has none of this id. What a page held within five minutes is not asked for again."""
        if not _WALLET_ID.fullmatch(wallet_id):
            return None
        known = self._remembered.get((caller.project_id, wallet_id))
        if known is not None:
            return known
        page = await self._page(caller, 1, {"include": wallet_id}, whole=True)
        return next((wallet for wallet in page.data if wallet.id == wallet_id), None)

    async def excluded(
        self, caller: Caller, ids: Sequence[str], chains: Sequence[str] = ()
    ) -> tuple[WalletListing, ...]:
        """The wallets that the host excludes, for their names and rdns: browsers may have them installed. `chains`: CAIP-2 ids."""
        if not ids:
            return ()
        query: Query = {"chains": ",".join(chains), "include": ",".join(ids)}
        return (await self._page(caller, len(ids), query)).data

    async def analytics_enabled(self, caller: Caller) -> bool:
        """Whether the project wants events; this wins over the host's feature flag, and anything but a clear yes is no."""
        key = lookup_key("analytics-config", self._http.base, caller.project_id, caller.origin)
        try:
            config = await self._lookups.get(
                key,
                ANALYTICS_CONFIG_TTL,
                lambda: self._http.get(caller, "/getAnalyticsConfig"),
                parse_analytics_config,
            )
        except ServiceError:
            return False
        return config.is_analytics_enabled

    async def _page(
        self, caller: Caller, entries: int, query: Query, *, page: int = _FIRST_PAGE, whole: bool = False
    ) -> WalletPage:
        """One page; of a directory that gives more than the `entries` that it is asked for the rest only with `whole`."""
        asked: Query = {"page": page, "entries": entries, **query}
        key = lookup_key("wallets", self._http.base, caller.project_id, caller.origin, sorted(asked.items()))
        found = await self._lookups.get(
            key, CATALOGUE_TTL, lambda: self._http.get(caller, "/getWallets", asked), parse_wallet_page
        )
        most = len(found.data) if whole else entries
        if len(found.data) > most:
            # Each visitor who looks at the page would be sent all of it.
            found = found.model_copy(update={"data": found.data[:most]})
        self._remembered.update({(caller.project_id, wallet.id): wallet for wallet in found.data})
        return found


def _filtered(wanted: WalletFilter) -> Query:
    return {
        "chains": ",".join(wanted.chains),
        "include": ",".join(wanted.include),
        "exclude": ",".join(wanted.exclude),
    }

"""Pages of wallets in the grid: which wallets, in which order, and what of each is sent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypedDict

from walletmodal.core.constants import LIST_ENTRIES, SEARCH_MINIMUM_CHARACTERS
from walletmodal.core.errors.services import ServiceError
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.wallets.connectors import Connector, find_connector
from walletmodal.core.wallets.directory import WalletListing
from walletmodal.core.wallets.lists import reachable_by_link, unique
from walletmodal.services.directory import Badge, DirectoryClient, WalletFilter
from walletmodal.services.http import Caller

MAX_PAGES: Final = 250
"""A directory that never ends is not followed further."""
MAX_SEARCH: Final = 64
_CERTIFIED: Final = "certified"

Row = tuple[str, str, str, str, str]
"""Id, name, picture (the directory's id of it, or a path of ours), `c` when certified, connector of the browser that reaches it."""


class Page(TypedDict):
    """One page of a list: `list` tells lists apart, `number` is from 1, and 0 before the first has come."""

    list: int
    number: int
    rows: list[Row]
    more: bool


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the directory.

    Attributes:
        search: "" for all wallets.
        certified: only those with the badge.
        chains: CAIP-2 ids of the networks that count.
        include, exclude, featured: the host's ids of wallets.
        linked_only: without an adapter only wallets with a link can connect.
    """

    search: str = ""
    certified: bool = False
    chains: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    featured: tuple[str, ...] = ()
    linked_only: bool = False

    @property
    def searches(self) -> bool:
        """Whether it is a search, whose answer is one page of at most 100."""
        return bool(self.search) or self.certified


@dataclass(frozen=True, slots=True)
class Found:
    """Wallets of one page, and whether there are more."""

    wallets: tuple[WalletListing, ...]
    more: bool


def search_text(text: object) -> str:
    """Cleans what was typed; "" while it is too short to be a search."""
    cleaned = clean_text(text, limit=MAX_SEARCH) if isinstance(text, str) else ""
    return cleaned if len(cleaned) >= SEARCH_MINIMUM_CHARACTERS else ""


async def fetch_page(directory: DirectoryClient, caller: Caller, asked: Question, number: int) -> Found:
    """Fetches one page.

    Raises:
        NotConfiguredError, ServiceError: as the directory's calls.
    """
    if asked.searches:
        wanted = WalletFilter(asked.chains, asked.include, asked.exclude)
        badge: Badge = "certified" if asked.certified else ""
        return Found(
            _usable((await directory.search(caller, asked.search, wanted, badge=badge)).data, asked), more=False
        )
    featured = await _or_empty(lambda: directory.featured(caller, asked.featured))
    others = WalletFilter(asked.chains, asked.include, (*asked.exclude, *asked.featured))
    recommended = await _or_empty(lambda: _recommended(directory, caller, others))
    first = unique(featured, recommended)
    # What stands in front is not asked for again.
    rest = WalletFilter(
        asked.chains, asked.include, tuple(dict.fromkeys((*(w.id for w in recommended), *others.exclude)))
    )
    page = await directory.listed(caller, rest, page=number)
    more = bool(page.data) and number * LIST_ENTRIES < page.count and number < MAX_PAGES
    wallets = unique(first, page.data) if number == 1 else page.data
    return Found(_usable(wallets, asked), more)


def wallet_rows(
    wallets: Iterable[WalletListing], installed: Sequence[Connector], picture: Callable[[WalletListing], str]
) -> list[Row]:
    """Makes the rows that are sent. `picture`: as the grid wants it."""
    return [
        (
            wallet.id,
            wallet.name,
            picture(wallet),
            "c" if wallet.badge_type == _CERTIFIED else "",
            entry.id if (entry := find_connector(wallet, installed)) else "",
        )
        for wallet in wallets
    ]


def _usable(wallets: Iterable[WalletListing], asked: Question) -> tuple[WalletListing, ...]:
    return reachable_by_link(wallets) if asked.linked_only else tuple(wallets)


async def _recommended(directory: DirectoryClient, caller: Caller, wanted: WalletFilter) -> tuple[WalletListing, ...]:
    return (await directory.recommended(caller, wanted)).data


async def _or_empty(ask: Callable[[], Awaitable[tuple[WalletListing, ...]]]) -> tuple[WalletListing, ...]:
    """Returns the wallets in front, none on failure: without them the list is still a list."""
    try:
        return await ask()
    except ServiceError:
        return ()

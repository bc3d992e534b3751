"""The NFT service over a node and a history, both doubles. Import the fixture `stage` by its name."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest_asyncio

from tests.patience import PATIENCE
from tests.services.nft_double import OWNER, NftNode
from walletmodal.core.accounts.nfts import is_nft_id
from walletmodal.core.accounts.transactions import HistoryPage, parse_history
from walletmodal.core.chains.caip import ChainId, parse_chain_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.services import NotConfiguredError, ServiceError
from walletmodal.services.cache import MemoryCache
from walletmodal.services.http import Caller, HttpService
from walletmodal.services.images import ImageReferences, Images, RemoteImages, reference_key
from walletmodal.services.nfts import NftPage, Nfts

CHAIN = parse_chain_id("eip155:1")
CALLER = Caller("https://host.example")


@dataclass
class Told:
    """The history that the blockchain service tells; None: there is no service. `cursors`: what was asked for."""

    pages: list[list[dict[str, Any]]] | None = None
    down: bool = False
    cursors: list[str | None] = field(default_factory=list)

    async def history(
        self, _caller: Caller, _chain: ChainId, _address: str, *, cursor: str | None = None
    ) -> HistoryPage:
        """A page."""
        self.cursors.append(cursor)
        if self.pages is None:
            raise NotConfiguredError("blockchain")
        if self.down:
            raise ServiceError("blockchain", details="down")
        at = int(cursor or 0)
        following = str(at + 1) if at + 1 < len(self.pages) else None
        return parse_history({"data": self.pages[at], "next": following})


@dataclass
class Stage:
    """The service over a node and a history."""

    nfts: Nfts
    node: NftNode
    told: Told
    clock: MovableClock

    async def page(self, start: int = 0, *, fresh: bool = False) -> NftPage:
        """A page of the owner's."""
        return await self.nfts.page(CALLER, CHAIN, OWNER, start, fresh=fresh)

    async def names(self, start: int = 0, *, fresh: bool = False) -> list[str]:
        """The names on it."""
        return [one.name for one in (await self.page(start, fresh=fresh)).items]

    async def all_names(self) -> list[str]:
        """Those of all pages."""
        return (await self.whole())[0]

    async def whole(self) -> tuple[list[str], bool]:
        """The names on all pages, and whether the last one says that there may be more."""
        names, start = list[str](), 0
        for _ in range(100):
            page = await self.page(start)
            names += [one.name for one in page.items]
            if page.next is None:
                return names, page.partial
            assert not page.partial
            start = page.next
        raise AssertionError("the pages have no end")


@pytest_asyncio.fixture
async def stage() -> AsyncIterator[Stage]:
    """Without a history service; pictures are fetched from nowhere."""
    node, told, clock = NftNode(), Told(), MovableClock()
    async with httpx.AsyncClient(verify=False, timeout=PATIENCE) as client:
        images = Images(HttpService(client, "directory", None, sdk="test"), CALLER, RemoteImages())
        references = ImageReferences(reference_key(), of="nft", accepts=is_nft_id)
        nfts = Nfts(lambda _chain: node, told, images, references, MemoryCache(clock), clock=clock)
        yield Stage(nfts, node, told, clock)
        await nfts.close()
        await images.close()

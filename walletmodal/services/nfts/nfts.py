"""The NFTs of accounts, page by page, and their pictures, for all visitors of a process."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from walletmodal.core.accounts.nfts import (
    MAX_METADATA,
    Nft,
    NftId,
    NftMetadata,
    data_content,
    is_spam_name,
    nft_name,
    parse_metadata,
    parse_nft_id,
    web_url,
)
from walletmodal.core.accounts.transactions import HistoryPage, Transaction
from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import ChainId, Namespace
from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.constants import PORTFOLIO_TTL
from walletmodal.core.errors import NetworkError, TransportError
from walletmodal.core.errors.services import NotConfiguredError, ServiceError
from walletmodal.core.text.texts import UNSUPPORTED_CHAIN
from walletmodal.services.cache import Cache
from walletmodal.services.chains.adapter import TransportOf
from walletmodal.services.http import Caller
from walletmodal.services.images import Image, ImageError, ImageReferences, Images
from walletmodal.services.nfts.eip155 import EvmNfts
from walletmodal.services.nfts.found import Arrival, Held, NftReader, Scan
from walletmodal.services.nfts.kept import read_metadata, read_scan, written, written_metadata
from walletmodal.services.nfts.solana import SolanaNfts
from walletmodal.services.rpc.transport import RpcTransport
from walletmodal.services.single_flight import SingleFlight

PAGE: Final = 24
"""NFTs that a page tries to have."""
MAX_STEPS: Final = 4
"""Steps of the search for one page; what is beyond them is another page's."""
SCAN_TTL: Final = 3600.0
METADATA_TTL: Final = 3600.0
MAX_TOGETHER: Final = 12
"""Pieces of metadata that are fetched at the same time for one page."""
METADATA_SECONDS: Final = 4.0
"""How long one piece may take."""

_PATH: Final = "/images/nft"
_READERS: Final[dict[Namespace, Callable[[RpcTransport, ChainId], NftReader]]] = {
    "eip155": EvmNfts,
    "solana": SolanaNfts,
}

logger = logging.getLogger(__name__)


class HistoryService(Protocol):
    """The history call of the blockchain service, such as `BlockchainClient.accounts`."""

    async def history(self, caller: Caller, chain: ChainId, address: str, *, cursor: str | None = None) -> HistoryPage:
        """A page of what an account did.

        Raises:
            NotConfiguredError: there is no service.
            ServiceError: it failed.
        """
        ...


@dataclass(frozen=True, slots=True)
class NftPage:
    """Some NFTs of an account.

    Attributes:
        items: those of this page.
        next: where the next page starts, if there may be one.
        partial: whether there may be some that nobody could be asked about; known when there is no next page.
    """

    items: tuple[Nft, ...]
    next: int | None
    partial: bool = False


class Nfts:
    """Finds what came to an account, asks who owns it now, and reads what it says of itself.

    Args:
        transport: gives the way to a network's nodes.
        history: the blockchain service.
        images: fetches what lies on other servers, by its own rules, and keeps pictures.
        references: signs which NFT's picture may be asked for.
        cache: where searches and metadata are kept; shared between workers when it is Redis.
        ipfs_gateway: base URL of a gateway; None: what lies in IPFS has no picture.
        clock: what the age of a search is measured with.
    """

    def __init__(
        self,
        transport: TransportOf,
        history: HistoryService,
        images: Images,
        references: ImageReferences,
        cache: Cache,
        *,
        ipfs_gateway: str | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._transport, self._history, self._images, self._references = transport, history, images, references
        self._cache, self._gateway, self._clock = cache, ipfs_gateway, clock or SystemClock()
        self._flights: SingleFlight[NftPage] = SingleFlight()

    async def page(self, caller: Caller, chain: ChainId, owner: str, start: int = 0, *, fresh: bool = False) -> NftPage:
        """Some of an account's NFTs.

        Args:
            caller: the embed.
            chain: the network.
            owner: a plain address of its namespace.
            start: 0, or `next` of the page before.
            fresh: look at the newest blocks even if that was done a moment ago, such as after a transaction.

        Raises:
            AddressError: the address is none.
            NetworkError: `Unsupported chain`: NFTs of this namespace are not known.
            TransportError: the node cannot be asked.
        """
        reader, account = self._reader(chain), normal_address(chain.namespace, owner)
        key = f"{chain}:{account}"
        return await self._flights.join(
            (key, start), lambda: self._page(reader, caller, chain, account, start, fresh=fresh), fresh=fresh
        )

    async def one(self, which: NftId, owner: str) -> Nft | None:
        """Reads one NFT, if the account has it now.

        Args:
            which: the NFT; its network is the deployment's.
            owner: a plain address of the network's namespace.

        Raises:
            AddressError: the address is none.
            NetworkError: `Unsupported chain`: NFTs of this namespace are not known.
            TransportError: the node cannot be asked.
        """
        reader, account = self._reader(which.chain), normal_address(which.chain.namespace, owner)
        held = await reader.read(account, [Arrival(which.standard, which.contract, which.token_id)])
        described = [self._nft(which.chain, each, await self._metadata(which.chain, each)) for each in held]
        return described[0] if described else None

    async def picture(self, reference: str) -> Image:
        """The picture of an NFT.

        Raises:
            ImageError: the reference is not ours (`reference`), or the picture could not be had.
        """
        asset = self._references.read(reference)
        return await self._images.found(f"nft:{asset}", lambda: self._picture(parse_nft_id(asset)))

    async def close(self) -> None:
        """Give up what is still being asked."""
        await self._flights.close()

    def _reader(self, chain: ChainId) -> NftReader:
        make = _READERS.get(chain.namespace)
        if make is None:
            raise NetworkError(UNSUPPORTED_CHAIN, details=str(chain))
        return make(self._transport(chain), chain)

    async def _page(
        self, reader: NftReader, caller: Caller, chain: ChainId, owner: str, start: int, *, fresh: bool
    ) -> NftPage:
        key = f"nfts:{chain}:{owner}"
        scan, items, at = await self._kept(key), list[Nft](), max(start, 0)
        now = self._clock.now().timestamp()
        if at == 0 and (fresh or not 0 <= now - scan.begun < PORTFOLIO_TTL):
            await self._start_scan(reader, caller, chain, owner, scan)
            scan.begun = now
        for _ in range(MAX_STEPS):
            while at < len(scan.arrivals) and len(items) < PAGE:
                some = scan.arrivals[at : at + PAGE]
                at += len(some)
                items += await self._items(chain, scan, await reader.read(owner, some))
            if len(items) >= PAGE or not await self._search_on(reader, caller, chain, owner, scan):
                break
        await self._cache.set(key, written(scan), SCAN_TTL)
        more = at < len(scan.arrivals) or not scan.over
        return NftPage(tuple(items), at if more else None, partial=not more and scan.partial)

    async def _start_scan(self, reader: NftReader, caller: Caller, chain: ChainId, owner: str, scan: Scan) -> None:
        """Scans the newest of everything. Where the node tells all, of the history only its opinion on what is spam is wanted."""
        if scan.oldest == 0 or scan.newest < 0:
            # On Solana the node itself says what came, and nobody which transaction brought it.
            scan.cursor = "" if chain.namespace == "eip155" else None
        await self._search(reader, caller, chain, owner, scan)
        for _ in range(MAX_STEPS - 1):
            if scan.oldest != 0 or scan.cursor is None:
                break
            await self._load_history_page(caller, chain, owner, scan)
        if scan.gap and scan.told:
            await self._close_gap(reader, caller, chain, owner, scan)
        if scan.oldest == 0:
            scan.cursor = None

    async def _close_gap(self, reader: NftReader, caller: Caller, chain: ChainId, owner: str, scan: Scan) -> None:
        """The history knew everything, so its newest page knows what was left out since."""
        look = Scan(advertised=scan.advertised)
        newest = await self._load_history_page(caller, chain, owner, look)
        scan.gap = int(look.cursor is None and not look.told)
        scan.put_first(await reader.brought_by(owner, _hashes(newest)))

    async def _search_on(self, reader: NftReader, caller: Caller, chain: ChainId, owner: str, scan: Scan) -> bool:
        """Whether there was something left to look through."""
        if scan.over:
            return False
        await self._search(reader, caller, chain, owner, scan)
        return True

    async def _search(self, reader: NftReader, caller: Caller, chain: ChainId, owner: str, scan: Scan) -> None:
        """A step over the node and one over the history at the same time; where the node cannot go back, the history leads."""
        told, _ = await asyncio.gather(self._load_history_page(caller, chain, owner, scan), reader.search(owner, scan))
        if scan.oldest > 0 and _hashes(told):
            scan.add(await reader.brought_by(owner, _hashes(told)))

    async def _load_history_page(
        self, caller: Caller, chain: ChainId, owner: str, scan: Scan
    ) -> tuple[Transaction, ...]:
        """Loads the history's next page: the transactions that brought NFTs; what it calls spam is remembered."""
        if scan.cursor is None:
            return ()
        try:
            page = await self._history.history(caller, chain, owner, cursor=scan.cursor or None)
        except (NotConfiguredError, ServiceError) as error:
            if not isinstance(error, NotConfiguredError):
                logger.warning("NFTs of the history are unknown: %s", error.details or error)
            scan.cursor = None
            return ()
        scan.told |= page.next is None
        scan.cursor = page.next if page.next != scan.cursor else None
        brought = [
            one
            for one in page.data
            if any(move.nft_info is not None and move.direction != "out" for move in one.transfers)
        ]
        for one in brought:
            spam = [move.nft_info.name or "" for move in one.transfers if move.nft_info and move.nft_info.is_spam]
            if spam and one.metadata.hash:
                scan.advertised[one.metadata.hash.lower()] = spam
        return tuple(brought)

    async def _items(self, chain: ChainId, scan: Scan, held: Sequence[Held]) -> list[Nft]:
        gate = asyncio.Semaphore(MAX_TOGETHER)

        async def described(one: Held) -> tuple[Held, NftMetadata]:
            async with gate:
                return one, await self._metadata(chain, one)

        found = await asyncio.gather(*(described(one) for one in held))
        return [self._nft(chain, one, metadata) for one, metadata in found if not _is_spam(scan, one, metadata)]

    def _nft(self, chain: ChainId, held: Held, metadata: NftMetadata) -> Nft:
        arrival = held.arrival
        named = NftMetadata(metadata.name or held.name)
        which = NftId(chain, arrival.standard, arrival.contract, arrival.token_id)
        shown = metadata.image.startswith("data:") or web_url(metadata.image, self._gateway)
        reference = self._references.sign(str(which)) if shown else ""
        return Nft(
            which,
            nft_name(named, held.collection, arrival.token_id),
            held.collection,
            metadata.description,
            held.amount,
            f"{_PATH}/{reference}" if reference else "",
        )

    async def _metadata(self, chain: ChainId, held: Held) -> NftMetadata:
        """What the metadata says; empty where it cannot be had. Pictures that it carries itself are only marked here."""
        arrival = held.arrival
        key = f"nft:{chain}:{arrival.contract}:{arrival.token_id}"
        kept = read_metadata(await self._cache.get(key))
        if kept is not None:
            return kept
        try:
            found = parse_metadata(await self._document(held.uri))
        except ImageError as error:
            # Asked again when somebody looks again, but not by each look within the minute: the images remember the failure.
            logger.info("the metadata of %s is not to be had: %s", key, error.details)
            return NftMetadata()
        image = "data:" if found.image.startswith("data:") else found.image
        shown = NftMetadata(found.name, found.description, image)
        await self._cache.set(key, written_metadata(shown), METADATA_TTL)
        return shown

    async def _document(self, uri: str) -> bytes:
        """The bytes behind a URI of metadata.

        Raises:
            ImageError: it is not fetched, or could not be.
        """
        if uri.startswith("data:"):
            return data_content(uri) or b""
        url = web_url(uri, self._gateway)
        if not url:
            return b""
        return await self._images.document(url, limit=MAX_METADATA, seconds=METADATA_SECONDS)

    async def _picture(self, which: NftId) -> bytes:
        try:
            held = await self._reader(which.chain).describe(Arrival(which.standard, which.contract, which.token_id))
        except TransportError as error:
            raise ImageError("unreachable", error.details or error.short_message) from error
        image = parse_metadata(await self._document(held.uri)).image if held else ""
        if image.startswith("data:"):
            return data_content(image) or b""
        url = web_url(image, self._gateway)
        if not url:
            raise ImageError("url", "no picture that is fetched")
        return await self._images.remote(url)

    async def _kept(self, key: str) -> Scan:
        return read_scan(await self._cache.get(key)) or Scan()


def _hashes(transactions: Sequence[Transaction]) -> list[str]:
    return list(dict.fromkeys(one.metadata.hash for one in transactions if one.metadata.hash))


def _is_spam(scan: Scan, held: Held, metadata: NftMetadata) -> bool:
    """What the history calls spam in the transaction that brought it, and what advertises itself."""
    called = scan.advertised.get(held.arrival.transaction, [])
    return bool(called and (not metadata.name or metadata.name in called)) or is_spam_name(
        metadata.name or held.name, held.collection
    )

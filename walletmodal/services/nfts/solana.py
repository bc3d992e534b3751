"""NFTs of Solana: tokens of which there is one, without decimals. Their names are told by Metaplex, or by the mint itself (Token-2022)."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import base58

from walletmodal.core.accounts.nfts import MAX_COLLECTION, MAX_NAME, MAX_URI
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.text.display_text import clean_text
from walletmodal.services.chains.lazily import lazily
from walletmodal.services.chains.solana.reads import TOKEN_PROGRAMS, Account, SolanaReads
from walletmodal.services.nfts.found import Arrival, Held, Scan
from walletmodal.services.rpc.transport import RpcTransport

METADATA_PROGRAM: Final = "metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s"

_METADATA_KIND: Final = 4
_EXTENSIONS_AT: Final = 166
_METADATA_EXTENSION: Final = 19
_KEYS: Final = 64


@dataclass(frozen=True, slots=True)
class _Told:
    name: str = ""
    symbol: str = ""
    uri: str = ""


class SolanaNfts:
    """Finds and reads the NFTs of one network, for one question: who has what is asked once.

    Args:
        transport: the way to its nodes.
        chain: its id.
    """

    def __init__(self, transport: RpcTransport, chain: ChainId) -> None:
        self._reads = SolanaReads(transport, chain)
        self._owned: dict[str, list[str]] = {}

    async def search(self, owner: str, scan: Scan) -> None:
        """All tokens of which the owner has exactly one base unit: the node knows them at once."""
        # The node tells no order of coming, so the list is in that of the mints, and made anew each time.
        scan.arrivals = [Arrival("nft", mint) for mint in await self._singles(owner)]
        scan.newest = scan.oldest = 0

    async def brought_by(self, owner: str, transactions: Sequence[str]) -> tuple[Arrival, ...]:  # noqa: ARG002 - the interface has it
        """Returns nothing: the node has told all there is."""
        return ()

    async def read(self, owner: str, arrivals: Sequence[Arrival]) -> tuple[Held, ...]:
        """Reads tokens of which there is one, without decimals, and the owner has it, with their metadata."""
        owned = set(await self._singles(owner))
        return await self._load_nfts([arrival for arrival in arrivals if arrival.contract in owned])

    async def describe(self, arrival: Arrival) -> Held | None:
        """As `read`, of one, whoever has it."""
        return next(iter(await self._load_nfts([arrival])), None)

    async def _singles(self, owner: str) -> list[str]:
        """The mints of which an account has exactly one base unit."""
        if owner not in self._owned:
            rows = await asyncio.gather(
                *(self._reads.holdings(owner, {"programId": program}) for program in TOKEN_PROGRAMS)
            )
            self._owned[owner] = sorted({holding.mint for row in rows for holding in row if holding.amount == 1})
        return self._owned[owner]

    async def _load_nfts(self, arrivals: Sequence[Arrival]) -> tuple[Held, ...]:
        mints = [arrival.contract for arrival in arrivals]
        places = await self._metadata_places(mints)
        accounts = await self._reads.accounts([*mints, *places])
        held: list[Held] = []
        pairs = zip(accounts[: len(mints)], accounts[len(mints) :], strict=True)
        for arrival, (mint, metadata) in zip(arrivals, pairs, strict=True):
            if mint is not None and _is_single(mint):
                told = _metaplex(metadata, arrival.contract) or _extension(mint) or _Told()
                held.append(Held(arrival, 1, told.uri, told.symbol, told.name))
        return tuple(held)

    async def _metadata_places(self, mints: Iterable[str]) -> list[str]:
        """Where Metaplex keeps the metadata of mints: addresses that its program derives."""
        pubkey = await lazily("solders.pubkey", "Pubkey")
        program = pubkey.from_string(METADATA_PROGRAM)

        def derive() -> list[str]:
            seeds = ([b"metadata", bytes(program), base58.b58decode(mint)] for mint in mints)
            find: Callable[..., tuple[object, int]] = pubkey.find_program_address
            return [str(find(each, program)[0]) for each in seeds]

        return await asyncio.to_thread(derive)


def _is_single(mint: Account) -> bool:
    if not mint.mint or len(mint.data) < 45:
        return False
    (supply,) = struct.unpack_from("<Q", mint.data, 36)
    return supply == 1 and mint.data[44] == 0


def _metaplex(account: Account | None, mint: str) -> _Told | None:
    if account is None or account.program != METADATA_PROGRAM or len(account.data) < 65:
        return None
    if account.data[0] != _METADATA_KIND or base58.b58encode(account.data[33:65]).decode() != mint:
        return None
    return _texts(account.data, 1 + _KEYS)


def _extension(mint: Account) -> _Told | None:
    data, at = mint.data, _EXTENSIONS_AT
    while at + 4 <= len(data):
        kind, size = struct.unpack_from("<HH", data, at)
        if kind == _METADATA_EXTENSION:
            return _texts(data[at + 4 : at + 4 + size], _KEYS)
        at += 4 + size
    return None


def _texts(data: bytes, at: int) -> _Told | None:
    """Name, symbol and URI, each with its length before it; the older form fills them up with zeros."""
    found: list[str] = []
    for _ in range(3):
        if at + 4 > len(data):
            return None
        (size,) = struct.unpack_from("<I", data, at)
        if size > len(data) - at - 4:
            return None
        found.append(data[at + 4 : at + 4 + size].decode("utf-8", "replace").rstrip("\0"))
        at += 4 + size
    name, symbol, uri = found
    return _Told(clean_text(name, limit=MAX_NAME), clean_text(symbol, limit=MAX_COLLECTION), uri.strip()[:MAX_URI])

"""NFTs of Solana: which mints are some, and what their metadata says."""

from collections.abc import Iterable
from typing import Final

from solders.pubkey import Pubkey
from spl.token.constants import MINT_LEN

from walletmodal.sandbox.blockchain.metadata import Fetch, NftInfo, described
from walletmodal.sandbox.blockchain.solana.node import SolanaNode
from walletmodal.sandbox.solana.metaplex import TokenMetadata, metadata_address, metadata_of

_REMEMBERED: Final = 4096
_SUPPLY, _DECIMALS = slice(36, 44), 44


class SolanaNfts:
    """The NFTs of the chain. What the metadata of one says is remembered.

    Args:
        node: the node.
        fetch: gets the document behind a URL; gives None for URLs that it does not go to.
    """

    def __init__(self, node: SolanaNode, fetch: Fetch) -> None:
        self._node, self._fetch = node, fetch
        self._found: dict[str, NftInfo] = {}

    async def among(self, mints: Iterable[str]) -> set[str]:
        """Those of some mints that are NFTs: there is one of each, without decimals.

        Raises:
            NodeUnavailableError: the node does not answer.
        """
        asked = list(dict.fromkeys(mints))
        found = await self._node.accounts(asked) if asked else []
        return {mint for mint, data in zip(asked, found, strict=True) if data is not None and _is_single(data)}

    async def of(self, mints: Iterable[str]) -> dict[str, NftInfo]:
        """The NFTs among some mints.

        Raises:
            NodeUnavailableError: the node does not answer.
        """
        singles = sorted(await self.among(mints))
        if len(self._found) + len(singles) > _REMEMBERED:
            self._found.clear()
        unknown = [mint for mint in singles if mint not in self._found]
        places = [str(metadata_address(Pubkey.from_string(mint))) for mint in unknown]
        for mint, data in zip(unknown, await self._node.accounts(places) if places else [], strict=True):
            told = metadata_of(data or b"", Pubkey.from_string(mint)) or TokenMetadata("", "", "")
            named = told.name or f"{mint[:4]}…{mint[-4:]}"
            self._found[mint] = described(await self._fetch(told.uri) if told.uri else None, named)
        return {mint: self._found[mint] for mint in singles}


def _is_single(mint: bytes) -> bool:
    return len(mint) >= MINT_LEN and int.from_bytes(mint[_SUPPLY], "little") == 1 and mint[_DECIMALS] == 0

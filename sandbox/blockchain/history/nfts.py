"""What an NFT looks like, by its contract's own metadata (ERC-721, ERC-1155). Metadata is hostile: shown, never fetched from strangers."""

import base64
import binascii
import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import unquote_to_bytes

from walletmodal.sandbox.blockchain.abi import calldata, decoded_text, eth_call
from walletmodal.sandbox.blockchain.chains import Chain
from walletmodal.sandbox.blockchain.history.facts import Movement
from walletmodal.sandbox.blockchain.metadata import MAX_URI, Fetch, NftInfo, described
from walletmodal.sandbox.blockchain.rpc import Ask

_REMEMBERED: Final = 4096
_DATA_URI: Final = re.compile(r"data:([a-zA-Z0-9.+/-]*)((?:;[a-zA-Z0-9=_.-]+)*),(.*)", re.DOTALL)

NftId = tuple[str, int]


class NftBook:
    """The NFTs of every chain; what a contract answered is remembered until `forget`.

    Args:
        fetch: gets metadata that lies at a URL; gives None for URLs that it does not go to.
    """

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._found: dict[tuple[str, NftId], NftInfo] = {}

    def forget(self, caip2: str) -> None:
        """Forget what contracts of a chain answered."""
        self._found = {key: info for key, info in self._found.items() if key[0] != caip2}

    async def of(self, chain: Chain, movements: Iterable[Movement]) -> dict[NftId, NftInfo]:
        """The NFTs among these movements, by contract and id.

        Raises:
            NodeUnavailableError: the chain does not answer.
        """
        wanted = {(one.contract, one.token_id): one.kind for one in movements if one.token_id is not None}
        if len(self._found) + len(wanted) > _REMEMBERED:
            self._found.clear()
        unknown = [key for key in wanted if (chain.caip2, key) not in self._found]
        asks: list[Ask] = []
        for contract, token_id in unknown:
            function = "tokenURI(uint256)" if wanted[contract, token_id] == "erc721" else "uri(uint256)"
            asks += [eth_call(contract, calldata(function, token_id)), eth_call(contract, calldata("name()"))]
        answers = await chain.node.ask(asks)
        for key, uri, collection in zip(unknown, answers[::2], answers[1::2], strict=True):
            info = await self._info(decoded_text(uri, MAX_URI) or "", decoded_text(collection) or "NFT", key[1])
            self._found[chain.caip2, key] = info
        return {key: self._found[chain.caip2, key] for key in wanted}

    async def _info(self, uri: str, collection: str, token_id: int) -> NftInfo:
        uri = uri.replace("{id}", f"{token_id:064x}")
        body = _data(uri) if uri.startswith("data:") else await self._fetch(uri)
        return described(body, f"{collection} #{token_id}")


def _data(uri: str) -> bytes | None:
    match = _DATA_URI.fullmatch(uri)
    if match is None:
        return None
    _, parameters, content = match.groups()
    if ";base64" not in parameters:
        return unquote_to_bytes(content)
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError):
        return None

"""Transactions as entries of the history answer: names, pictures and today's prices are put in here."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from walletmodal.sandbox.blockchain.chains import Chain
from walletmodal.sandbox.blockchain.history.facts import Movement, TransactionFacts
from walletmodal.sandbox.blockchain.history.nfts import NftBook, NftId
from walletmodal.sandbox.blockchain.history.operations import Operation, Transfer, operation
from walletmodal.sandbox.blockchain.metadata import NftInfo
from walletmodal.sandbox.blockchain.prices import ChainPrices, Prices, json_number, units_text
from walletmodal.sandbox.blockchain.tokens import TokenBook, TokenInfo

MAX_TRANSFERS: Final = 30
"""Transfers of one transaction that are listed."""

_LAST_TIME: Final = 253_402_300_799
SWAP_APPLICATION: Final = "Uniswap V2"


@dataclass(frozen=True, slots=True)
class _Names:
    tokens: Mapping[str, TokenInfo]
    nfts: Mapping[NftId, NftInfo]
    prices: ChainPrices


class EntryWriter:
    """Writes entries.

    Args:
        tokens, nfts, prices: what things are called and worth.
    """

    def __init__(self, tokens: TokenBook, nfts: NftBook, prices: Prices) -> None:
        self._tokens = tokens
        self._nfts = nfts
        self._prices = prices

    async def write(self, chain: Chain, facts: Sequence[TransactionFacts], account: str) -> list[dict[str, object]]:
        """The entries of one chain's transactions for an account (lower case), in the order given.

        Raises:
            NodeUnavailableError: the chain does not answer.
        """
        operations = [operation(chain, one, account) for one in facts]
        moved = [transfer.movement for one in operations for transfer in one.transfers[:MAX_TRANSFERS]]
        names = _Names(
            await self._tokens.of(chain, {one.contract for one in moved if one.token_id is None}),
            await self._nfts.of(chain, moved),
            await self._prices.of(chain),
        )
        return [_entry(chain, one, seen, account, names) for one, seen in zip(facts, operations, strict=True)]


def iso_time(timestamp: int) -> str:
    """Unix seconds as ISO 8601 in UTC; a chain's clock may be set beyond what a calendar holds."""
    moment = datetime.fromtimestamp(min(max(timestamp, 0), _LAST_TIME), UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")


def entry_id(*parts: object) -> str:
    """An id that is the same at every asking."""
    return hashlib.sha256(":".join(map(str, parts)).encode()).hexdigest()[:32]


def _entry(chain: Chain, facts: TransactionFacts, seen: Operation, account: str, names: _Names) -> dict[str, object]:
    is_swap = facts.target == chain.router
    return {
        "id": entry_id(facts.chain, facts.hash, account),
        "metadata": {
            "operationType": seen.type,
            "hash": facts.hash,
            "minedAt": iso_time(facts.timestamp),
            "sentFrom": seen.sent_from,
            "sentTo": seen.sent_to,
            "status": facts.status,
            "nonce": facts.nonce,
            "application": {"name": SWAP_APPLICATION, "iconUrl": None} if is_swap else None,
            "chain": facts.chain,
        },
        "transfers": [written for one in seen.transfers[:MAX_TRANSFERS] if (written := _transfer(one, names))],
    }


def _transfer(transfer: Transfer, names: _Names) -> dict[str, object] | None:
    movement = transfer.movement
    if movement.token_id is not None:
        return _nft(transfer, names.nfts.get((movement.contract, movement.token_id)))
    token = names.tokens.get(movement.contract)
    return None if token is None else _fungible(transfer, movement, token, names.prices)


def _fungible(transfer: Transfer, movement: Movement, token: TokenInfo, prices: ChainPrices) -> dict[str, object]:
    price, value = prices.of(token.address), prices.value(token, movement.amount)
    return {
        "fungible_info": {
            "name": token.name,
            "symbol": token.symbol,
            "icon": {"url": token.icon_url} if token.icon_url else None,
        },
        "nft_info": None,
        "direction": transfer.direction,
        "quantity": {"numeric": units_text(movement.amount, token.decimals)},
        "value": None if value is None else json_number(value),
        "price": None if price is None else json_number(price),
    }


def _nft(transfer: Transfer, info: NftInfo | None) -> dict[str, object] | None:
    return None if info is None else nft_transfer(info, transfer.direction, transfer.movement.amount)


def nft_transfer(info: NftInfo, direction: str, amount: int) -> dict[str, object]:
    """A transfer of NFTs, as the answer has it; of ERC-1155 there may be several."""
    picture = {"url": info.image, "content_type": info.content_type} if info.image else None
    return {
        "fungible_info": None,
        "nft_info": {
            "name": info.name,
            "content": {"preview": picture, "detail": picture} if picture else None,
            "flags": {"is_spam": info.is_spam},
        },
        "direction": direction,
        "quantity": {"numeric": str(amount)},
        "value": None,
        "price": None,
    }

"""What a Solana account holds."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from walletmodal.core.chains.addresses import is_address
from walletmodal.sandbox.blockchain.prices import json_number, units_text
from walletmodal.sandbox.blockchain.solana.nfts import SolanaNfts
from walletmodal.sandbox.blockchain.solana.node import SolanaNode
from walletmodal.sandbox.blockchain.solana.tokens import SolanaTokens
from walletmodal.sandbox.solana.world import CHAIN as SOLANA_CHAIN

SOL_DECIMALS: Final = 9


class SolanaBalances:
    """Balances of Solana accounts. NFTs are no part of them.

    Args:
        node: the node.
        tokens: what mints are called.
        nfts: which mints are NFTs.
    """

    def __init__(self, node: SolanaNode, tokens: SolanaTokens, nfts: SolanaNfts) -> None:
        self._node, self._tokens, self._nfts = node, tokens, nfts

    async def of(self, address: str, rate: Decimal) -> list[dict[str, object]]:
        """The rows of the balance answer; none for a text that only looks like an address.

        Args:
            address: whose.
            rate: how much of the answer's currency a dollar buys.

        Raises:
            NodeUnavailableError: the node does not answer.
        """
        rows: list[dict[str, object]] = []
        if not is_address("solana", address):
            return rows
        lamports = await self._node.lamports(address)
        if lamports:
            rows.append(self._row(None, lamports, SOL_DECIMALS, rate))
        held: dict[str, tuple[int, int]] = {}
        for one in await self._node.token_accounts(address):
            held[one.mint] = (held.get(one.mint, (0, 0))[0] + one.amount, one.decimals)
        nfts = await self._nfts.among(mint for mint, quantity in held.items() if quantity == (1, 0))
        for mint, (amount, decimals) in held.items():
            if amount and mint not in nfts:
                rows.append(self._row(mint, amount, decimals, rate))
        return rows

    def _row(self, mint: str | None, amount: int, decimals: int, rate: Decimal) -> dict[str, object]:
        named = self._tokens.of(mint)
        price = named.dollars * rate
        numeric = units_text(amount, decimals)
        address: Mapping[str, object] = {} if mint is None else {"address": f"{SOLANA_CHAIN}:{mint}"}
        return {
            "name": named.name,
            "symbol": named.symbol,
            "chainId": SOLANA_CHAIN,
            **address,
            "value": json_number(Decimal(numeric) * price),
            "price": json_number(price),
            "quantity": {"decimals": str(decimals), "numeric": numeric},
            "iconUrl": named.icon_url or "",
        }

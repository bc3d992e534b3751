"""GET /v1/account/{address}/balance."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from walletmodal.core.clock import Clock
from walletmodal.sandbox.answers import json_answer
from walletmodal.sandbox.blockchain.abi import calldata, decoded_number, eth_call, hex_number
from walletmodal.sandbox.blockchain.chains import NATIVE, Chain, Chains
from walletmodal.sandbox.blockchain.currencies import CURRENCIES, per_dollar
from walletmodal.sandbox.blockchain.failures import NodeUnavailableError, RefusedError
from walletmodal.sandbox.blockchain.history.index import ChainIndex
from walletmodal.sandbox.blockchain.prices import Prices, json_number, units_text
from walletmodal.sandbox.blockchain.requests import Asset, asset, optional, plain_address, required
from walletmodal.sandbox.blockchain.rpc import Ask, NodeError
from walletmodal.sandbox.blockchain.solana.balance import SolanaBalances
from walletmodal.sandbox.blockchain.tokens import TokenBook, TokenInfo
from walletmodal.sandbox.price_board import PriceBoard
from walletmodal.sandbox.solana.world import CHAIN as SOLANA_CHAIN

CACHE_SECONDS: Final = 10.0
MAX_FORCED: Final = 20
REFUSED_VERSIONS: Final = ("1.6.4", "1.6.5")
ROOTSTOCK: Final = ("eip155:30", "eip155:31")
_REMEMBERED: Final = 2000

Balances = list[dict[str, object]]


@dataclass(frozen=True, slots=True)
class _Remembered:
    until: float
    heads: Mapping[str, tuple[str, str]]
    balances: Balances


class BalanceEndpoint:
    """Answers balances.

    Args:
        chains: the EVM chains.
        indexes: of each chain, to know which contracts an account has to do with.
        tokens, prices: what things are called and worth.
        board: tells when somebody has taken prices in hand.
        solana: balances of Solana accounts, where there is a node.
        clock: for the ten seconds that an answer is kept.
    """

    def __init__(
        self,
        *,
        chains: Chains,
        indexes: Mapping[str, ChainIndex],
        tokens: TokenBook,
        prices: Prices,
        board: PriceBoard,
        solana: SolanaBalances | None,
        clock: Clock,
    ) -> None:
        self._chains = chains
        self._indexes = indexes
        self._tokens = tokens
        self._prices, self._board = prices, board
        self._solana = solana
        self._clock = clock
        self._kept: dict[tuple[str, str | None, str, int], _Remembered] = {}

    async def balance(self, request: Request) -> Response:
        """Answer with `{balances}`; nothing for callers that the public service gives nothing to."""
        namespace, address = plain_address(request.path_params["address"])
        currency = required(request, "currency").lower()
        if currency not in CURRENCIES:
            raise RefusedError(400, "currency", f"One of {', '.join(CURRENCIES)}")
        chain_id = optional(request, "chainId")
        forced = self._forced(optional(request, "forceUpdate"))
        if chain_id in ROOTSTOCK:
            return json_answer({"balances": []})
        if chain_id is not None and not (chain_id == SOLANA_CHAIN and self._solana is not None):
            self._chains.require(chain_id)
        if not _is_served(request):
            return json_answer({"balances": []})
        rate = await per_dollar(currency, self._chains, self._prices)
        if rate is None:
            raise NodeUnavailableError("eip155:1", f"no pool tells the price of {currency}")
        if namespace == "solana":
            served = self._solana is not None and chain_id in (None, SOLANA_CHAIN)
            balances = await self._solana.of(address, rate) if self._solana is not None and served else []
        elif chain_id == SOLANA_CHAIN:
            balances = []
        else:
            balances = await self._of_evm(address, chain_id, currency, rate, forced)
        return json_answer({"balances": balances})

    def _forced(self, text: str | None) -> list[Asset]:
        if text is None:
            return []
        ids = text.split(",")
        if len(ids) > MAX_FORCED:
            raise RefusedError(400, "forceUpdate", f"At most {MAX_FORCED} contracts")
        return [asset(self._chains, one, "forceUpdate") for one in ids]

    async def _of_evm(
        self, address: str, chain_id: str | None, currency: str, rate: Decimal, forced: list[Asset]
    ) -> Balances:
        asked = [one for one in self._chains if chain_id in (None, one.caip2)]
        key = (address, chain_id, currency, self._board.revision)
        kept = self._kept.get(key)
        if not forced and kept and kept.until > self._clock.monotonic() and await self._still_stands(asked, kept):
            return kept.balances
        heads = {chain.caip2: await _head(chain) for chain in asked}
        balances: Balances = []
        for chain in asked:
            wanted = [one.address for one in forced if one.chain is chain]
            balances += await self._of_chain(chain, address, rate, wanted)
        if len(self._kept) >= _REMEMBERED:
            self._kept.clear()
        # What was forced in is not there the next time: it only belongs to this answer.
        if not forced:
            self._kept[key] = _Remembered(self._clock.monotonic() + CACHE_SECONDS, heads, balances)
        else:
            self._kept.pop(key, None)
        return balances

    async def _still_stands(self, asked: list[Chain], kept: _Remembered) -> bool:
        """Whether every chain still has the block that a kept answer was made at; one that was taken back has not."""
        for chain in asked:
            number, block_hash = kept.heads[chain.caip2]
            (block,) = await chain.node.ask([Ask("eth_getBlockByNumber", (number, False))])
            if not isinstance(block, dict) or block.get("hash") != block_hash:
                return False
        return True

    async def _of_chain(self, chain: Chain, account: str, rate: Decimal, forced: list[str]) -> Balances:
        index = self._indexes[chain.caip2]
        await index.up_to_date()
        known = [one.address for one in self._tokens.known(chain)]
        met = sorted(index.contracts_of(account) - set(known))
        addresses = list(dict.fromkeys([*known, *met, *forced]))
        infos = await self._tokens.of(chain, addresses)
        prices = await self._prices.of(chain)
        shown = [infos[address] for address in addresses if address in infos]
        asks = [_ask_balance(account, one.address) for one in shown]
        answers = await chain.node.ask(asks)
        balances: Balances = []
        for token, answer in zip(shown, answers, strict=True):
            amount = hex_number(answer) if token.address == NATIVE else decoded_number(answer) or 0
            if isinstance(answer, NodeError) and token.address == NATIVE:
                raise NodeUnavailableError(chain.caip2, answer.message)
            if amount or token.address in forced:
                price = (prices.of(token.address) or Decimal(0)) * rate
                balances.append(balance_row(chain.caip2, token, amount, price, native=token.address == NATIVE))
        return balances


def balance_row(caip2: str, token: TokenInfo, amount: int, price: Decimal, *, native: bool) -> dict[str, object]:
    """One row of the answer.

    Args:
        caip2: the chain.
        token: what it is.
        amount: base units.
        price: per whole token, in the currency of the answer; zero where no market tells one.
        native: the native coin carries no address.
    """
    numeric = units_text(amount, token.decimals)
    return {
        "name": token.name,
        "symbol": token.symbol,
        "chainId": caip2,
        **({} if native else {"address": f"{caip2}:{token.address}"}),
        "value": json_number(Decimal(numeric) * price),
        "price": json_number(price),
        "quantity": {"decimals": str(token.decimals), "numeric": numeric},
        "iconUrl": token.icon_url or "",
    }


def _is_served(request: Request) -> bool:
    version = request.query_params.get("sv") or request.headers.get("x-sdk-version", "")
    return bool(request.headers.get("origin") and version) and not version.endswith(REFUSED_VERSIONS)


def _ask_balance(account: str, contract: str) -> Ask:
    if contract == NATIVE:
        return Ask("eth_getBalance", (account, "latest"))
    return eth_call(contract, calldata("balanceOf(address)", account))


async def _head(chain: Chain) -> tuple[str, str]:
    block = await chain.node.call("eth_getBlockByNumber", "latest", False)
    if not isinstance(block, dict):
        raise NodeUnavailableError(chain.caip2, "no newest block")
    return str(block.get("number")), str(block.get("hash"))

"""What a dollar is worth in other currencies. Coins have a price on the chains; no chain tells that of euros, so these rates are fixed."""

import json
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Final

from walletmodal.sandbox.blockchain.chains import NATIVE, Chains
from walletmodal.sandbox.blockchain.prices import Prices

CURRENCIES: Final = ("btc", "eth", "usd", "eur", "gbp", "aud", "cad", "inr", "jpy")
"""The currencies of balances and prices."""

_MAINNET: Final = "eip155:1"


@cache
def _rates() -> tuple[Mapping[str, Decimal], Decimal]:
    read = json.loads(files("walletmodal.sandbox.blockchain").joinpath("rates.json").read_text(encoding="utf-8"))
    per_dollar = {currency: Decimal(rate) for currency, rate in read["per_dollar"].items()}
    return per_dollar, Decimal(read["dollars_per_sol"])


def dollars_per_sol() -> Decimal:
    """What a SOL is worth; the sandbox's Solana has no market."""
    return _rates()[1]


def fiat_per_dollar(currency: str) -> Decimal | None:
    """How much of a currency (lower case) a dollar buys; None for currencies without a fixed rate."""
    return _rates()[0].get(currency)


async def per_dollar(currency: str, chains: Chains, prices: Prices) -> Decimal | None:
    """How much of a currency a dollar buys; None where no pool tells it.

    Args:
        currency: one of CURRENCIES.
        chains: where ether and bitcoin have their pools.
        prices: their prices.

    Raises:
        NodeUnavailableError: the chain does not answer.
    """
    fixed = fiat_per_dollar(currency)
    chain = chains.get(_MAINNET)
    if fixed is not None or chain is None:
        return fixed
    bitcoin = chain.world.token("WBTC")
    address = NATIVE if currency == "eth" else bitcoin.address.lower() if bitcoin else ""
    price = (await prices.of(chain)).of(address)
    return 1 / price if price else None

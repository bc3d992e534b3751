"""A pay desk over a blockchain service of its own, and an account book in place of chains."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, Decimal
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from walletmodal.sandbox.directory import directory_service
from walletmodal.sandbox.errors import NodeFailedError
from walletmodal.sandbox.onramp.desk import PurchaseDesk
from walletmodal.sandbox.onramp.market import Market
from walletmodal.sandbox.onramp.purchases import PurchaseStore
from walletmodal.sandbox.onramp.service import pay_pages

ACCOUNT = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
PRICES = {"ETH": Decimal(2500), "POL": Decimal("0.4"), "USDC": Decimal(1)}
HASH = "0x" + "ab" * 32
CARD = {"number": "4242 4242 4242 4242", "expiry": "12/99", "code": "123"}


def order(**changes: Any) -> dict[str, Any]:
    return {
        "chain": "eip155:1",
        "token": None,
        "address": ACCOUNT,
        "currency": "USD",
        "amount": "100",
        "partner_user_id": "p" * 32,
        "card": CARD,
        **changes,
    }


@dataclass
class Chains:
    """What was credited; `fails` makes the chain not answer, and it waits for `ready`."""

    credited: list[tuple[str, str | None, str, int]] = field(default_factory=list)
    fails: bool = False
    ready: asyncio.Event | None = None

    async def credit(self, chain: str, token: str | None, address: str, amount: int) -> str | None:
        if self.ready is not None:
            await self.ready.wait()
        if self.fails:
            raise NodeFailedError(f"{chain} does not answer")
        self.credited.append((chain, token, address, amount))
        return HASH


@dataclass
class Stage:
    """A pay desk with everything around it.

    `answer` replaces what the blockchain service answers to everything.
    """

    path: Path | None = None
    slow_seconds: float = 1.0
    chains: Chains = field(default_factory=Chains)
    answer: Response | None = None

    def __post_init__(self) -> None:
        self.purchases = PurchaseStore(self.path)
        blockchain = Starlette(
            routes=[
                Route("/v1/convert/tokens", self._tokens, methods=["GET"]),
                Route("/v1/onramp/quote", self._quote, methods=["POST"]),
            ]
        )
        market = Market(blockchain, ["eip155:1", "eip155:137", "eip155:999"])
        self.desk = PurchaseDesk(market, self.chains.credit, self.purchases, self.slow_seconds)
        self.app = Starlette(
            routes=[
                Mount("/pay", pay_pages(self.desk)),
                Mount("/directory", directory_service("http://localhost:8700")),
            ]
        )

    @asynccontextmanager
    async def client(self) -> AsyncIterator[httpx.AsyncClient]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(self.app), base_url="http://localhost") as client:
            yield client

    async def _tokens(self, request: Request) -> Response:
        chain = request.query_params["chainId"]
        native = ("Ether", "ETH") if chain == "eip155:1" else ("POL", "POL")
        rows = [(*native, NATIVE, 18), ("USD Coin", "USDC", USDC, 6)]
        tokens = [
            {"name": name, "symbol": symbol, "address": f"{chain}:{address}", "decimals": decimals, "logoUri": None}
            for name, symbol, address, decimals in rows
        ]
        return self.answer or JSONResponse({"tokens": tokens})

    async def _quote(self, request: Request) -> Response:
        asked = await request.json()
        currency, symbol = asked["paymentCurrency"]["id"], asked["purchaseCurrency"]["symbol"]
        assert asked["purchaseCurrency"]["networks"][0]["chain_id"] in ("1", "137")
        total = Decimal(asked["amount"])
        fee = (total * Decimal("0.015")).quantize(Decimal("0.01"))
        subtotal = total - fee - Decimal("0.20")
        bought = (subtotal / PRICES[symbol]).quantize(Decimal("0.000001"), ROUND_DOWN)
        parts = {"paymentTotal": total, "paymentSubtotal": subtotal, "coinbaseFee": fee, "networkFee": "0.20"}
        rows = {name: {"amount": str(amount), "currency": currency} for name, amount in parts.items()}
        quote = {**rows, "purchaseAmount": {"amount": str(bought), "currency": symbol}, "quoteId": "q"}
        return self.answer or JSONResponse(quote)

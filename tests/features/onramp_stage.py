"""A blockchain service in this process that sells, and a visitor who buys, for the tests of states."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import httpx
import pytest
import pytest_asyncio
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from tests.driver import Driver
from tests.features.conftest import Configure
from tests.patience import patience
from walletmodal.config import settings
from walletmodal.core.clock import MovableClock
from walletmodal.deployment import Deployment, service_settings
from walletmodal.features.onramp.currencies import CurrencyState
from walletmodal.features.onramp.progress import PurchaseState
from walletmodal.features.onramp.purchases import PurchasesState
from walletmodal.features.onramp.state import BuyState
from walletmodal.features.shell.state import ShellState
from walletmodal.services.cache import MemoryCache
from walletmodal.services.clients import ServiceClients

START = datetime.fromisoformat("2026-03-01T12:00:00+00:00")
PAGE = "https://pay.example/buy/select-asset?session=1"
OPTIONS = {
    "paymentCurrencies": [
        {"id": code, "payment_method_limits": [{"id": "card", "min": "10.00", "max": "7500.00"}]}
        for code in ("USD", "EUR")
    ],
    "purchaseCurrencies": [
        {
            "id": symbol,
            "name": name,
            "symbol": symbol,
            "networks": [{"name": "n", "display_name": "Ethereum", "chain_id": "1", "contract_address": ""}],
        }
        for symbol, name in (("USDC", "USD Coin"), ("ETH", "Ether"))
    ],
}


def bought(name: str, at: datetime, status: str = "SUCCESS", *, amount: str = "98.5") -> dict[str, Any]:
    """A purchase as the service writes it."""
    return {
        "id": name,
        "metadata": {
            "operationType": "buy",
            "hash": "",
            "minedAt": at.isoformat(),
            "sentFrom": "Coinbase",
            "status": f"ONRAMP_TRANSACTION_STATUS_{status}",
            "chain": "eip155:1",
        },
        "transfers": [
            {
                "fungible_info": {"name": "USD Coin", "symbol": "USDC", "icon": None},
                "direction": "in",
                "quantity": {"numeric": amount},
            }
        ],
    }


@dataclass
class Seller:
    """The service. `answers` take the place of its own, by the end of the path; `asked`: path, query and body of each question."""

    purchases: list[dict[str, Any]] = field(default_factory=list)
    url: object = PAGE
    size: int = 50
    answers: dict[str, Callable[[], Response]] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str], Any]] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        request = Request(scope, receive)
        body = await request.json() if request.method == "POST" else None
        await self._answer(request, body)(scope, receive, send)

    def _answer(self, request: Request, body: Any) -> Response:
        path, query = request.url.path, dict(request.query_params)
        end = path.rpartition("/")[2]
        if end == "supported-chains":
            return JSONResponse({"http": ["eip155:1", "eip155:137"], "ws": []})
        self.asked.append((end, query, body))
        if end in self.answers:
            return self.answers[end]()
        if end == "onrampurl":
            return JSONResponse({"url": self.url})
        if end == "options":
            return JSONResponse(OPTIONS)
        if end == "quote":
            return JSONResponse(_quote(body))
        if end == "history" and query.get("onramp") == "coinbase":
            start = int(query.get("cursor") or 0)
            more = str(start + self.size) if start + self.size < len(self.purchases) else None
            return JSONResponse({"data": self.purchases[start : start + self.size], "next": more})
        return JSONResponse({"error": "not found"}, status_code=404)

    def about(self, end: str) -> list[tuple[dict[str, str], Any]]:
        """The questions whose path ends so: query and body."""
        return [(query, body) for path, query, body in self.asked if path == end]


def _quote(body: Any) -> dict[str, Any]:
    paid, symbol = body["paymentCurrency"]["id"], body["purchaseCurrency"]["symbol"]
    parts = ("paymentTotal", "paymentSubtotal", "coinbaseFee", "networkFee")
    money = {name: {"amount": body["amount"], "currency": paid} for name in parts}
    return {**money, "purchaseAmount": {"amount": "0.03911", "currency": symbol}, "quoteId": "q-1"}


def down(status: int = 503) -> Callable[[], Response]:
    """A service that does not answer."""
    return lambda: JSONResponse({"status": "FAILED", "reasons": []}, status_code=status)


@pytest.fixture
def configured(configure: Configure, deployed: Deployment) -> None:
    """A deployment with a blockchain service and a key of Meld."""
    configure(BLOCKCHAIN_URL="http://localhost:1/blockchain", MELD_PUBLIC_KEY="key")
    deployed.settings = settings()


@pytest.fixture
def clock(configured: None, deployed: Deployment) -> MovableClock:
    """The deployment's clock, which stands still."""
    deployed.clock = still = MovableClock(START)
    return still


@pytest_asyncio.fixture
async def seller(deployed: Deployment, clock: MovableClock) -> AsyncIterator[Seller]:
    """The service."""
    service = Seller()
    client = httpx.AsyncClient(transport=httpx.ASGITransport(service))
    told = replace(service_settings(deployed.settings), blockchain_url="http://blockchain.example")
    deployed.services = ServiceClients(told, client, MemoryCache(clock), clock=clock)
    yield service
    await deployed.services.close()
    await client.aclose()


class Buying:
    """What a visitor does to buy something, and what is shown."""

    def __init__(self, driver: Driver, seller: Seller, clock: MovableClock) -> None:
        self.driver, self.seller, self.clock = driver, seller, clock

    async def fire(self, spec: Any) -> None:
        """Runs an event, and waits for what is read because of it."""
        await self.driver.fire(spec)
        await self.settles()

    async def call(self, method: str, **params: Any) -> None:
        """The host page uses its API; as `fire`."""
        await self.driver.call(method, **params)
        await self.settles()

    async def tell(self, **parts: Any) -> None:
        """Something changes in the browser; as `fire`."""
        await self.driver.tell(**parts)
        await self.settles()

    async def settles(self) -> None:
        """Returns once nothing is being read for a view that is shown: background work goes on after the event that began it."""
        async with patience():
            while await self._reads():
                await asyncio.sleep(0.001)

    async def _reads(self) -> bool:
        shell, choices = await self.driver.state(ShellState), await self.driver.state(CurrencyState)
        if not shell.open:
            return False
        return {
            "OnRampProviders": (await self.buy()).phase == "loading" and bool((await self.buy())._of),
            "OnRampActivity": (await self.listed()).phase == "loading" and bool((await self.listed())._of),
            "OnRampTokenSelect": choices.phase == "loading",
            "OnRampFiatSelect": choices.phase == "loading",
        }.get(shell.view, False)

    async def open(self, **arguments: Any) -> None:
        """The host opens the providers, which load."""
        extra = {"arguments": arguments} if arguments else {}
        await self.call("open", view="OnRampProviders", **extra)
        await self.fire(BuyState.on_shown)

    async def click(self, provider: str = "coinbase", *, ok: bool = True) -> None:
        """A provider is clicked, and the browser opens its window or not."""
        await self.fire(BuyState.on_opened(provider, ok))

    async def begin(self) -> None:
        """A purchase at Coinbase is begun."""
        await self.open()
        await self.click()

    async def tick(self, seconds: float = 4.0) -> None:
        """Time passes, and the view looks."""
        self.clock.advance(seconds)
        await self.fire(PurchaseState.poll)

    async def buy(self) -> BuyState:
        """The providers' state."""
        return await self.driver.state(BuyState)

    async def purchase(self) -> PurchaseState:
        """The purchase's state."""
        return await self.driver.state(PurchaseState)

    async def listed(self) -> PurchasesState:
        """The list's state."""
        return await self.driver.state(PurchasesState)

    async def view(self) -> str:
        """The view on top."""
        return (await self.driver.state(ShellState)).view

    async def offers(self) -> dict[str, dict[str, Any]]:
        """The rows by provider."""
        return {row["id"]: dict(row) for row in (await self.buy()).get_value("offers")}

    async def warnings(self) -> list[str]:
        """What the host's console was told."""
        return [command["params"]["message"] for command in await self.driver.commands("host.warn")]


@pytest_asyncio.fixture
async def buying(driver: Driver, seller: Seller, clock: MovableClock) -> Buying:
    """A connected visitor."""
    await driver.connect()
    return Buying(driver, seller, clock)

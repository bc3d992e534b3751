"""Every call of the blockchain service: how it is made, what must go out and what comes back."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import httpx
import pytest
import pytest_asyncio

from tests.services.outside import CALLER, SDK, SUPPORTED, Outside, gives, way
from walletmodal.core.accounts.names import Identity
from walletmodal.core.accounts.smart_sessions import Revocation
from walletmodal.core.accounts.transactions import HistoryPage
from walletmodal.core.chains.caip import parse_account_id, parse_chain_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.services import UnsupportedServiceNetworkError
from walletmodal.core.transfers.onramp import OnrampOptions, fallback_options
from walletmodal.services.blockchain import BlockchainClient, DestinationWallet, Portfolio
from walletmodal.services.cache import MemoryCache
from walletmodal.services.lookups import Lookups

MAINNET, UNKNOWN = parse_chain_id("eip155:1"), parse_chain_id("eip155:424242")
SOLANA = parse_chain_id("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp")
ALICE = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
BOB = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
SOL_ALICE = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
ACCOUNT = parse_account_id(f"eip155:1:{ALICE}")
NOWHERE = parse_account_id(f"eip155:424242:{ALICE}")
ETH = "eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
USDC = "eip155:1:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
ALWAYS = {"projectId": "project-1", "st": "appkit", "sv": SDK}
RECORD = {
    "name": "maple.reown.id",
    "registered_at": "2025-01-05T10:00:00Z",
    "updated_at": None,
    "attributes": {"bio": "hi"},
    "addresses": {"60": {"address": ALICE, "created_at": "2025-01-05T10:00:00Z"}},
}
MONEY = {"amount": "100", "currency": "USD"}
OPTIONS = fallback_options()
WALLET = DestinationWallet(ALICE, ["ethereum", "base"], ["USDC"])
REVOCATION = Revocation(pci="6f0c-1", signature="0xabcd")

Ask = Callable[[BlockchainClient], Awaitable[Any]]


@dataclass(frozen=True)
class Case:
    """One call: how it is made on a network, and what must go out and come back."""

    ask: Callable[[BlockchainClient, Any], Awaitable[Any]]
    path: str
    answer: object
    query: dict[str, str]
    unsupported: object
    body: object = None
    on_solana: bool = False


def _options(client: BlockchainClient, account: Any) -> Awaitable[Any]:
    return client.onramp.options(CALLER, account.chain)


CASES: dict[str, Case] = {
    "identity": Case(
        lambda c, a: c.accounts.identity(CALLER, a.chain, ALICE, sender=BOB),
        f"/v1/identity/{ALICE}",
        {"name": "maple.eth", "avatar": "https://img.example/a.png", "resolvedAt": "2025-03-01T10:00:00Z"},
        {"sender": BOB},
        Identity(name="", avatar=""),
    ),
    "history": Case(
        lambda c, a: c.accounts.history(CALLER, a.chain, ALICE, cursor="eyJwIjoyfQ"),
        f"/v1/account/{ALICE}/history",
        {"data": [], "next": None},
        {"cursor": "eyJwIjoyfQ", "chainId": "eip155:1"},
        HistoryPage(data=(), next=None),
    ),
    "purchases": Case(
        lambda c, a: c.accounts.purchases(CALLER, a.chain, ALICE),
        f"/v1/account/{ALICE}/history",
        {"data": [], "next": None},
        {"onramp": "coinbase"},
        HistoryPage(data=(), next=None),
    ),
    "balance": Case(
        lambda c, a: c.accounts.balance(CALLER, a.chain, ALICE),
        f"/v1/account/{ALICE}/balance",
        {"balances": []},
        {"currency": "usd", "chainId": "eip155:1"},
        Portfolio((), supported=False),
    ),
    "tokens": Case(
        lambda c, a: c.swaps.tokens(CALLER, a.chain),
        "/v1/convert/tokens",
        {"tokens": []},
        {"chainId": "eip155:1"},
        (),
    ),
    "quotes": Case(
        lambda c, a: c.swaps.quotes(CALLER, a, amount=10**21, source=ETH, target=USDC, gas_price=7),
        "/v1/convert/quotes",
        {"quotes": []},
        {"amount": "1000000000000000000000", "userAddress": ALICE, "from": ETH, "to": USDC, "gasPrice": "7"},
        (),
    ),
    "prices": Case(
        lambda c, a: c.swaps.prices(CALLER, a.chain, [ETH]),
        "/v1/fungible/price",
        {"fungibles": []},
        {},
        (),
        {"currency": "usd", "addresses": [ETH], "projectId": "project-1"},
    ),
    "allowance": Case(
        lambda c, a: c.swaps.allowance(CALLER, a, USDC),
        "/v1/convert/allowance",
        {"allowance": str(2**256 - 1)},
        {"tokenAddress": USDC, "userAddress": f"eip155:1:{ALICE}"},
        0,
    ),
    "name": Case(
        lambda c, a: c.names.resolve(CALLER, a.chain, "Maple.reown.id"),
        "/v1/profile/account/maple.reown.id",
        RECORD,
        {"apiVersion": "2"},
        None,
    ),
    "reverse": Case(
        lambda c, a: c.names.names_of(CALLER, a.chain, ALICE, sender=BOB),
        f"/v1/profile/reverse/{ALICE}",
        [RECORD],
        {"apiVersion": "2", "sender": BOB},
        (),
    ),
    "suggestions": Case(
        lambda c, a: c.names.suggestions(CALLER, a.chain, "maple"),
        "/v1/profile/suggestions/maple",
        {"suggestions": [{"name": "maple.reown.id", "registered": False}]},
        {"zone": "reown.id"},
        (),
    ),
    "register": Case(
        lambda c, a: c.names.register(
            CALLER, a.chain, "maple.reown.id", address=ALICE, message='{"name":"maple.reown.id"}', signature="0xab"
        ),
        "/v1/profile/account",
        RECORD,
        {},
        False,
        {
            "coin_type": 2147483649,
            "address": ALICE,
            "message": '{"name":"maple.reown.id"}',
            "signature": "0xab",
        },
    ),
    "onramp url": Case(
        lambda c, a: c.onramp.url(
            CALLER, a.chain, [WALLET], partner_user=ALICE, default_network="base", fiat_amount=250
        ),
        "/v1/generators/onrampurl",
        {"url": "https://pay.example/buy"},
        {},
        "",
        {
            "destinationWallets": [{"address": ALICE, "blockchains": ["ethereum", "base"], "assets": ["USDC"]}],
            "defaultNetwork": "base",
            "partnerUserId": ALICE,
            "defaultExperience": "buy",
            "presetFiatAmount": 250,
        },
    ),
    "onramp options": Case(
        _options,
        "/v1/onramp/options",
        {"paymentCurrencies": [], "purchaseCurrencies": []},
        {},
        OnrampOptions(payment_currencies=(), purchase_currencies=()),
    ),
    "onramp quote": Case(
        lambda c, a: c.onramp.quote(
            CALLER,
            a.chain,
            purchase=OPTIONS.purchase_currencies[0],
            payment=OPTIONS.payment_currencies[0],
            amount=Decimal(100),
        ),
        "/v1/onramp/quote",
        {
            "paymentTotal": MONEY,
            "paymentSubtotal": MONEY,
            "purchaseAmount": MONEY,
            "coinbaseFee": MONEY,
            "networkFee": MONEY,
            "quoteId": "q-1",
        },
        {},
        None,
        {
            "purchaseCurrency": OPTIONS.purchase_currencies[0].model_dump(mode="json"),
            "paymentCurrency": {
                "id": "USD",
                "payment_method_limits": [
                    {"id": "card", "min": "10.00", "max": "7500.00"},
                    {"id": "ach_bank_account", "min": "10.00", "max": "25000.00"},
                ],
            },
            "amount": "100",
            "network": "USDC",
        },
    ),
    "sessions": Case(
        lambda c, a: c.smart_sessions.granted(CALLER, a),
        f"/v1/sessions/eip155:1:{ALICE}",
        {"pcis": []},
        {},
        (),
    ),
    "revoke": Case(
        lambda c, a: c.smart_sessions.revoke(CALLER, a, REVOCATION),
        f"/v1/sessions/eip155:1:{ALICE}/revoke",
        {},
        {},
        False,
        {"pci": "6f0c-1", "signature": "0xabcd"},
    ),
    "gas price": Case(
        lambda c, a: c.swaps.gas_price(CALLER, a.chain),
        "/v1/convert/gas-price",
        {"standard": "1", "fast": "2", "instant": "3"},
        {"chainId": "eip155:1"},
        UnsupportedServiceNetworkError("gas-price"),
    ),
    "build transaction": Case(
        lambda c, a: c.swaps.build_transaction(CALLER, a, amount=10**18, source=ETH, target=USDC),
        "/v1/convert/build-transaction",
        {
            "tx": {
                "from": str(ACCOUNT),
                "to": USDC,
                "data": "0x00",
                "amount": "5",
                "eip155": {"gas": "1", "gasPrice": "2"},
            }
        },
        {},
        UnsupportedServiceNetworkError("swaps"),
        {
            "amount": "1000000000000000000",
            "eip155": {"slippage": 1},
            "projectId": "project-1",
            "from": ETH,
            "to": USDC,
            "userAddress": f"eip155:1:{ALICE}",
            "disableEstimate": True,
        },
    ),
    "build approval": Case(
        lambda c, a: c.swaps.build_approval(CALLER, a, source=USDC, target=ETH, amount=5),
        "/v1/convert/build-approve",
        {"tx": {"from": USDC, "to": ETH, "data": "0x095ea7b3", "value": "0", "eip155": {"gasPrice": "2"}}},
        {"userAddress": f"eip155:1:{ALICE}", "from": USDC, "to": ETH, "amount": "5"},
        UnsupportedServiceNetworkError("swaps"),
    ),
}
FALLBACKS = {"onramp options", "onramp quote"}
NO_ANSWER_READ = {"register", "revoke"}


@pytest_asyncio.fixture
async def outside() -> AsyncIterator[Outside]:
    async with Outside({"/v1/supported-chains": gives(SUPPORTED)}).running() as outside:
        yield outside


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
def blockchain(client: httpx.AsyncClient, outside: Outside, clock: MovableClock) -> BlockchainClient:
    return BlockchainClient(way(client, outside, "blockchain"), Lookups(MemoryCache(clock)))


@pytest.fixture
def impatient(client: httpx.AsyncClient, outside: Outside, clock: MovableClock) -> BlockchainClient:
    """The same that soon gives up, for a service that keeps silent."""
    return BlockchainClient(way(client, outside, "blockchain", timeout=0.5), Lookups(MemoryCache(clock)))

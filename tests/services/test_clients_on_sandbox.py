"""The clients on the real sandbox: real chains, real pages, and faults switched on at its endpoints."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from decimal import Decimal

import httpx
import pytest
import pytest_asyncio
from eth_account import Account
from eth_account.messages import encode_defunct

from tests.patience import PATIENCE, patience
from tests.ports import sandbox_settings
from walletmodal.core.accounts.names import registration_message
from walletmodal.core.analytics import events as analytics_events
from walletmodal.core.analytics.payload import event_body
from walletmodal.core.chains.caip import parse_account_id, parse_chain_id
from walletmodal.core.clock import SystemClock
from walletmodal.core.errors.services import NameServiceError, ServiceError
from walletmodal.sandbox import Sandbox
from walletmodal.services.blockchain import DestinationWallet
from walletmodal.services.cache import MemoryCache
from walletmodal.services.clients import ServiceClients, ServiceSettings
from walletmodal.services.directory import WalletFilter
from walletmodal.services.http import Caller
from walletmodal.services.rpc import rpc_http_client

pytestmark = pytest.mark.asyncio(loop_scope="session")

MAINNET, UNKNOWN = parse_chain_id("eip155:1"), parse_chain_id("eip155:424242")
ALICE_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
ALICE = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
ACCOUNT = parse_account_id(f"eip155:1:{ALICE}")
ETHER = "eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox(sandbox_settings()) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def http(sandbox: Sandbox) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=sandbox.url, trust_env=False, timeout=PATIENCE) as client:
        yield client
        (await client.delete("/sandbox/faults")).raise_for_status()


@pytest_asyncio.fixture(loop_scope="session")
async def services(sandbox: Sandbox, http: httpx.AsyncClient) -> AsyncIterator[ServiceClients]:
    settings = ServiceSettings(
        own_origin="http://localhost:3000",
        project_id="sandbox",
        namespaces=("eip155",),
        directory_url=f"{sandbox.url}/directory",
        blockchain_url=f"{sandbox.url}/blockchain",
        analytics_url=f"{sandbox.url}/analytics",
        loopback_images=True,
    )
    async with rpc_http_client() as client:
        services = ServiceClients(settings, client, MemoryCache())
        yield services
        await services.close()


@pytest.fixture
def caller(services: ServiceClients) -> Caller:
    return services.caller("http://localhost:8700")


async def test_the_whole_catalogue_can_be_paged_through(services: ServiceClients, caller: Caller) -> None:
    first = await services.directory.listed(caller, WalletFilter())
    pages = range(2, -(-first.count // 40) + 1)
    found = [first, *[await services.directory.listed(caller, WalletFilter(), page=page) for page in pages]]
    ids = [wallet.id for page in found for wallet in page.data]
    assert len(ids) == len(set(ids)) == first.count >= 600


async def test_a_wallets_picture_can_be_had(services: ServiceClients, caller: Caller) -> None:
    (wallet, *_) = (await services.directory.recommended(caller, WalletFilter(chains=("eip155:1",)))).data
    assert services.images.directory_path("wallet", wallet.image_id)
    assert (await services.images.from_directory("wallet", wallet.image_id)).content


async def test_an_accounts_tokens_and_their_pictures_can_be_had(services: ServiceClients, caller: Caller) -> None:
    portfolio = await services.blockchain.accounts.balance(caller, MAINNET, ALICE)
    assert {"ETH", "USDC"} <= {balance.symbol for balance in portfolio.balances}
    reference = services.images.remote_path(portfolio.balances[0].icon_url).rpartition("/")[2]
    assert (await services.images.from_reference(reference)).content


async def test_what_an_account_did_can_be_read(services: ServiceClients, caller: Caller) -> None:
    assert (await services.blockchain.accounts.history(caller, MAINNET, ALICE)).data
    assert (await services.blockchain.accounts.identity(caller, MAINNET, ALICE)).name


async def test_a_swap_can_be_prepared(services: ServiceClients, caller: Caller) -> None:
    swaps = services.blockchain.swaps
    usdc = next(token.address for token in await swaps.tokens(caller, MAINNET) if token.symbol == "USDC")
    gas = await swaps.gas_price(caller, MAINNET)
    (quote, *_) = await swaps.quotes(caller, ACCOUNT, amount=10**18, source=ETHER, target=usdc, gas_price=gas.standard)
    assert (quote.from_amount, quote.to_account.lower()) == (10**18, usdc.lower())
    transaction = await swaps.build_transaction(caller, ACCOUNT, amount=10**18, source=ETHER, target=usdc)
    assert transaction.sender.lower() == str(ACCOUNT).lower()
    assert await swaps.allowance(caller, ACCOUNT, usdc) >= 0
    approval = await swaps.build_approval(caller, ACCOUNT, source=usdc, target=ETHER, amount=5)
    assert approval.contract.lower() == usdc.rpartition(":")[2].lower()
    assert (await swaps.prices(caller, MAINNET, [ETHER]))[0].price > 0


async def test_a_name_is_registered_with_its_owners_signature(services: ServiceClients, caller: Caller) -> None:
    names, name = services.blockchain.names, "lookups.reown.id"
    assert await names.resolve(caller, MAINNET, name) is None
    message = registration_message(name, SystemClock().now())
    signature = "0x" + bytes(Account.sign_message(encode_defunct(text=message), ALICE_KEY).signature).hex()
    assert await names.register(caller, MAINNET, name, address=ALICE, message=message, signature=signature)
    record = await names.resolve(caller, MAINNET, name)
    assert record is not None
    assert (record.address_on(MAINNET) or "").lower() == ALICE.lower()
    assert name in [found.name for found in await names.names_of(caller, MAINNET, ALICE)]
    assert (await names.suggestions(caller, MAINNET, "lookups"))[0].registered is True
    with pytest.raises(NameServiceError):
        await names.register(caller, MAINNET, name, address=ALICE, message=message, signature="0x" + "11" * 65)


async def test_a_purchase_can_be_prepared(services: ServiceClients, caller: Caller) -> None:
    onramp = services.blockchain.onramp
    options = await onramp.options(caller, MAINNET)
    purchase, payment = options.purchase_currencies[0], options.payment_currencies[0]
    quote = await onramp.quote(caller, MAINNET, purchase=purchase, payment=payment, amount=Decimal(100))
    assert quote is not None
    assert not quote.is_mock
    wallet = DestinationWallet(ALICE, ["ethereum"], ["USDC"])
    assert await onramp.url(caller, MAINNET, [wallet], partner_user=ALICE, fiat_amount=100)


async def test_what_was_paid_on_the_card_page_is_on_the_chain_and_in_the_history(
    services: ServiceClients, caller: Caller, http: httpx.AsyncClient
) -> None:
    account = str(Account.create().address)
    order = {
        "chain": "eip155:1",
        "token": None,
        "address": account,
        "currency": "USD",
        "amount": "100",
        "card": {"number": "4242 4242 4242 4242", "expiry": "12/99", "code": "123"},
    }
    paid = (await http.post("/pay/api/purchases", json=order)).raise_for_status().json()
    page = await services.blockchain.accounts.purchases(caller, MAINNET, account)
    assert [(one.id, one.metadata.purchase_status) for one in page.data] == [(paid["id"], "success")]
    owned = await services.blockchain.accounts.balance(caller, MAINNET, account, force_update=())
    assert [balance.symbol for balance in owned.balances] == ["ETH"]


async def test_an_unknown_network_is_unsupported(services: ServiceClients, caller: Caller) -> None:
    assert not (await services.blockchain.accounts.balance(caller, UNKNOWN, ALICE)).supported


async def test_an_event_arrives_in_the_name_of_the_host_page(
    services: ServiceClients, caller: Caller, http: httpx.AsyncClient
) -> None:
    body = event_body(
        analytics_events.modal_open(connected=True), url="http://localhost:8700/?a=1", clock=SystemClock()
    )
    assert services.analytics.report(caller, body)
    async with patience():
        while True:
            received = (await http.get("/sandbox/requests", params={"service": "analytics"})).json()
            if any(row["body"] == dict(body) for row in received):
                break
            await asyncio.sleep(0.02)
    assert received[-1]["headers"]["origin"] == "http://localhost:8700"


@pytest.mark.parametrize(
    "fault",
    [
        {"status": 503},
        {"status": 429},
        {"body": "{"},
        {"body": [1]},
        # A kept connection may have been closed before the call came: what only reads is asked again over another.
        {"drop": True, "times": 2},
        {"status": 302},
    ],
)
async def test_a_fault_is_a_typed_error_and_is_not_kept(
    services: ServiceClients, caller: Caller, http: httpx.AsyncClient, fault: dict[str, object]
) -> None:
    assert (await services.blockchain.accounts.balance(caller, MAINNET, ALICE)).balances
    calls: dict[str, Callable[[], Awaitable[object]]] = {
        "directory": lambda: services.directory.listed(caller, WalletFilter()),
        "blockchain": lambda: services.blockchain.swaps.gas_price(caller, MAINNET),
    }
    for service, call in calls.items():
        (await http.post("/sandbox/faults", json={"service": service, "times": 1, **fault})).raise_for_status()
        with pytest.raises(ServiceError):
            await call()
        assert await call()


async def test_a_refused_project_raises_the_alert_once(
    services: ServiceClients, caller: Caller, http: httpx.AsyncClient
) -> None:
    (await http.post("/sandbox/faults", json={"service": "analytics", "status": 403, "times": 1})).raise_for_status()
    body = event_body(analytics_events.modal_open(connected=True), url="http://localhost:8700/", clock=SystemClock())
    services.analytics.report(caller, body)
    async with patience():
        while services.analytics.refusal(caller) is None:
            await asyncio.sleep(0.01)
        services.analytics.report(caller, body)
        while services.analytics.refusal(caller) is not None:
            await asyncio.sleep(0.01)

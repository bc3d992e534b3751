"""What an account owns: the wallet is asked first, then the blockchain service, then the nodes."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.services.balance_doubles import Service, Wallet
from tests.services.node import Node
from tests.services.real_chains import ethereum, solana
from walletmodal.core.accounts.tokens import TokenBalance, parse_token_balance
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import AddressError
from walletmodal.core.errors.rpc import UserRejectedRequestError
from walletmodal.core.errors.services import AskedTooMuchError, ServiceError, TokenBalanceUnavailableError
from walletmodal.sandbox.solana.world import CHAIN as SOLANA_CHAIN
from walletmodal.sandbox.solana.world import account_keys
from walletmodal.services.balances import ListedTokens, TokenBalances
from walletmodal.services.balances.wallet_assets import discovers_assets
from walletmodal.services.blockchain import Portfolio
from walletmodal.services.cache import MemoryCache
from walletmodal.services.chains.registry import Chains
from walletmodal.services.http import Caller
from walletmodal.services.rpc import BatchingTransport, HttpRpcTransport

__all__ = ["ethereum", "solana"]

MAINNET, BASE, SOLANA = parse_chain_id("eip155:1"), parse_chain_id("eip155:8453"), parse_chain_id(SOLANA_CHAIN)
ADDRESS = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
CALLER = Caller("https://app.example.com", "")
DISCOVERS = {"0x1": {"assetDiscovery": {"supported": True}}}
METADATA = {"name": "Coin", "symbol": "C", "decimals": 6, "price": 2, "iconUrl": "", "value": 3}
ASSET = {"address": "native", "balance": "0x16e360", "type": "NATIVE", "metadata": METADATA}


def discovering(assets: object) -> Wallet:
    return Wallet(wallet_getCapabilities=DISCOVERS, wallet_getAssets=assets)


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def listed(client: httpx.AsyncClient, node: Node) -> ListedTokens:
    transport = BatchingTransport(HttpRpcTransport(client, node.url))
    return ListedTokens(Chains(lambda _chain: transport), MemoryCache())


@pytest.fixture
def tokens(service: Service, listed: ListedTokens, clock: MovableClock) -> TokenBalances:
    return TokenBalances(service, listed, clock=clock)


def symbols(found: Sequence[TokenBalance]) -> list[str]:
    return [one.symbol for one in found]


async def test_the_wallets_own_assets_are_taken(tokens: TokenBalances, service: Service) -> None:
    erc20 = {**ASSET, "type": "ERC20", "address": OTHER, "balance": "0x5"}
    found = await tokens.balances(CALLER, MAINNET, ADDRESS, ask=discovering({"0x1": [ASSET, erc20]}))
    assert [(one.address, one.quantity.numeric) for one in found] == [
        (None, Decimal("1.5")),
        (f"eip155:1:{OTHER}", Decimal("0.000005")),
    ]
    assert service.asked == []


async def test_the_wallet_is_asked_about_this_account_and_network(tokens: TokenBalances) -> None:
    wallet = discovering({})
    await tokens.balances(CALLER, MAINNET, ADDRESS.lower(), ask=wallet)
    assert wallet.asked == [
        ("wallet_getCapabilities", [ADDRESS]),
        ("wallet_getAssets", [{"account": ADDRESS, "chainFilter": ["0x1"]}]),
    ]


async def test_a_wallet_that_knows_no_assets_of_the_network_has_none(tokens: TokenBalances, service: Service) -> None:
    for answer in ({}, {"0x2105": [ASSET]}):
        assert await tokens.balances(CALLER, MAINNET, ADDRESS, ask=discovering(answer)) == ()
    assert service.asked == []


async def test_assets_of_zero_decimals_are_dropped(tokens: TokenBalances) -> None:
    points = {**ASSET, "metadata": {**METADATA, "decimals": 0}}
    found = await tokens.balances(CALLER, MAINNET, ADDRESS, ask=discovering({"0x1": [ASSET, points]}))
    assert symbols(found) == ["C"]


@pytest.mark.parametrize(
    "capabilities",
    [
        None,
        [],
        "yes",
        {},
        {"0x2105": {"assetDiscovery": {"supported": True}}},
        {"0x1": None},
        {"0x1": {"assetDiscovery": None}},
        {"0x1": {"assetDiscovery": {"supported": False}}},
        {"0x1": {"assetDiscovery": {"supported": "true"}}},
        {"0x1": {"assetDiscovery": {"supported": 1}}},
        {"0x0": {"assetDiscovery": {"supported": True}}, "0x1": {"assetDiscovery": {"supported": False}}},
        UserRejectedRequestError(),
        TimeoutError(),
    ],
)
async def test_a_wallet_that_does_not_discover_assets_is_not_asked_for_them(
    tokens: TokenBalances, service: Service, capabilities: object
) -> None:
    wallet = Wallet(wallet_getCapabilities=capabilities)
    assert symbols(await tokens.balances(CALLER, MAINNET, ADDRESS, ask=wallet)) == ["SERVED"]
    assert [method for method, _ in wallet.asked] == ["wallet_getCapabilities"]
    assert len(service.asked) == 1


@pytest.mark.parametrize(
    "assets",
    [
        None,
        [],
        "0x",
        {"0x1": None},
        {"0x1": [None]},
        {"0x1": [ASSET, {}]},
        {"0x1": [{**ASSET, "type": "ERC721"}]},
        {"0x1": [{**ASSET, "balance": 5}]},
        {"0x1": [{**ASSET, "balance": "5"}]},
        {"0x1": [{**ASSET, "balance": "0x" + "f" * 65}]},
        {"0x1": [{**ASSET, "metadata": {**METADATA, "decimals": "6"}}]},
        {"0x1": [{**ASSET, "metadata": {**METADATA, "decimals": 200}}]},
        {"0x1": [{**ASSET, "type": "ERC20", "address": "../evil"}]},
        UserRejectedRequestError(),
        TimeoutError(),
    ],
)
async def test_whatever_else_a_wallet_answers_the_service_is_asked(
    tokens: TokenBalances, service: Service, assets: object
) -> None:
    assert symbols(await tokens.balances(CALLER, MAINNET, ADDRESS, ask=discovering(assets))) == ["SERVED"]
    assert len(service.asked) == 1


def test_a_capability_for_all_networks_counts_for_each() -> None:
    assert discovers_assets({"0x0": {"assetDiscovery": {"supported": True}}}, "0x1")
    assert discovers_assets({"0X1": {"assetDiscovery": {"supported": True}}}, "0x1")


@given(
    answer=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=10),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["0x1", "0x0", "assetDiscovery", "supported", "metadata", "type", "address", "balance"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=10,
    )
)
async def test_no_answer_of_a_wallet_keeps_the_service_from_being_asked_or_breaks_anything(answer: Any) -> None:
    wallet = Wallet(wallet_getCapabilities=answer, wallet_getAssets=answer)
    tokens = TokenBalances(Service(), ListedTokens([], MemoryCache()))
    assert symbols(await tokens.balances(CALLER, MAINNET, ADDRESS, ask=wallet)) in (["SERVED"], [])


async def test_without_a_wallet_the_service_is_asked(tokens: TokenBalances, service: Service) -> None:
    assert symbols(await tokens.balances(CALLER, MAINNET, ADDRESS.lower(), force_update=["a", "b"])) == ["SERVED"]
    assert service.asked == [("eip155:1", ADDRESS, ["a", "b"])]


@pytest.mark.parametrize(
    "elsewhere",
    [
        {"chainId": "eip155:137"},
        {"chainId": "eip155:137", "address": f"eip155:137:{OTHER}"},
        {"address": f"eip155:137:{OTHER}"},
        {"chainId": "eip155:1", "address": f"eip155:137:{OTHER}"},
    ],
)
async def test_what_is_on_another_network_is_none_of_this_one_s(
    tokens: TokenBalances, service: Service, elsewhere: dict[str, str]
) -> None:
    quantity = {"decimals": "18", "numeric": "1000"}
    far = parse_token_balance({"name": "Far", "symbol": "FAR", "quantity": quantity, **elsewhere})
    service.portfolio = Portfolio((far, *service.portfolio.balances))
    assert symbols(await tokens.balances(CALLER, MAINNET, ADDRESS)) == ["SERVED"]


async def test_a_wallet_of_another_namespace_is_not_asked(tokens: TokenBalances) -> None:
    wallet = discovering({})
    await tokens.balances(CALLER, SOLANA, str(account_keys()[0].pubkey()), ask=wallet)
    assert wallet.asked == []


async def test_a_failure_is_told_in_the_specifications_words(tokens: TokenBalances, service: Service) -> None:
    service.failure = ServiceError("blockchain", status=500)
    with pytest.raises(TokenBalanceUnavailableError, match=r"^Token Balance Unavailable$"):
        await tokens.balances(CALLER, MAINNET, ADDRESS)


async def test_a_network_that_the_service_does_not_know_is_a_failure(tokens: TokenBalances, service: Service) -> None:
    service.portfolio = Portfolio((), supported=False)
    with pytest.raises(TokenBalanceUnavailableError):
        await tokens.balances(CALLER, MAINNET, ADDRESS)


async def fail(tokens: TokenBalances, service: Service) -> None:
    service.failure = ServiceError("blockchain", status=500)
    with pytest.raises(TokenBalanceUnavailableError):
        await tokens.balances(CALLER, MAINNET, ADDRESS)
    service.failure = None


async def test_for_thirty_seconds_after_a_failure_nobody_is_asked(
    tokens: TokenBalances, service: Service, clock: MovableClock
) -> None:
    await fail(tokens, service)
    clock.advance(29.9)
    wallet = discovering({})
    with pytest.raises(TokenBalanceUnavailableError):
        await tokens.balances(CALLER, MAINNET, ADDRESS.lower(), ask=wallet, force_update=[])
    assert (len(service.asked), wallet.asked) == (1, [])


async def test_thirty_seconds_after_a_failure_the_service_is_asked_again(
    tokens: TokenBalances, service: Service, clock: MovableClock
) -> None:
    await fail(tokens, service)
    clock.advance(30)
    assert symbols(await tokens.balances(CALLER, MAINNET, ADDRESS)) == ["SERVED"]


async def test_whose_budget_is_spent_holds_up_nobody_else(tokens: TokenBalances, service: Service) -> None:
    """Anybody can ask about any account."""
    service.failure = ServiceError("blockchain", status=429)
    service.failure.__cause__ = AskedTooMuchError()
    with pytest.raises(TokenBalanceUnavailableError):
        await tokens.balances(CALLER, MAINNET, ADDRESS)
    service.failure = None
    assert symbols(await tokens.balances(CALLER, MAINNET, ADDRESS)) == ["SERVED"]


async def test_a_failure_holds_up_no_other_account_network_or_host(tokens: TokenBalances, service: Service) -> None:
    await fail(tokens, service)
    other = Caller("https://other.example.com", "")
    for caller, chain, address in ((CALLER, MAINNET, OTHER), (CALLER, BASE, ADDRESS), (other, MAINNET, ADDRESS)):
        assert symbols(await tokens.balances(caller, chain, address)) == ["SERVED"]


async def test_what_is_no_address_is_never_asked_for(tokens: TokenBalances, service: Service) -> None:
    wallet = discovering({})
    with pytest.raises(AddressError):
        await tokens.balances(CALLER, MAINNET, "0x1234", ask=wallet)
    assert (service.asked, wallet.asked) == ([], [])

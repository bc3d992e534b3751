"""What an account owns where no blockchain service is configured: the nodes tell of the native coin and of listed tokens."""

import asyncio
from decimal import Decimal

import httpx
import pytest
from eth_utils.address import to_checksum_address

from tests.services import node as nodes
from tests.services.balance_doubles import Service
from tests.services.node import Node
from tests.services.real_chains import ethereum, solana
from walletmodal.core.chains.addresses import is_address
from walletmodal.core.chains.caip import parse_account_id, parse_chain_id
from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import HttpRequestError
from walletmodal.core.errors.services import NotConfiguredError, TokenBalanceUnavailableError
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.evm.world import worlds
from walletmodal.sandbox.solana.node import SolanaNode
from walletmodal.sandbox.solana.world import CHAIN as SOLANA_CHAIN
from walletmodal.sandbox.solana.world import TOKENS as SOLANA_TOKENS
from walletmodal.sandbox.solana.world import account_keys
from walletmodal.services.balances import ListedTokens, TokenBalances
from walletmodal.services.balances.listed import bundled_tokens
from walletmodal.services.cache import MemoryCache
from walletmodal.services.chains.registry import Chains
from walletmodal.services.http import Caller
from walletmodal.services.rpc import BatchingTransport, HttpRpcTransport, RpcEndpoints

__all__ = ["ethereum", "solana"]

MAINNET, SOLANA = parse_chain_id("eip155:1"), parse_chain_id(SOLANA_CHAIN)
ADDRESS = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
CALLER = Caller("https://app.example.com", "")


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


def without_service(chains: Chains, clock: MovableClock, *named: str) -> TokenBalances:
    service = Service()
    service.failure = NotConfiguredError("BLOCKCHAIN_URL")
    return TokenBalances(
        service, ListedTokens(chains, MemoryCache(clock), [parse_account_id(one) for one in named]), clock=clock
    )


@pytest.fixture
def real(client: httpx.AsyncClient, ethereum: AnvilNode, solana: SolanaNode) -> Chains:
    urls = {str(MAINNET): ethereum.url, SOLANA_CHAIN: solana.url}
    return Chains(RpcEndpoints(client, overrides=urls).transport)


async def test_without_a_service_the_nodes_tell_of_listed_tokens(real: Chains, clock: MovableClock) -> None:
    account = worlds()["eip155:1"].accounts[9]
    found = {one.symbol: one for one in await without_service(real, clock).balances(CALLER, MAINNET, account)}
    assert {symbol: found[symbol].quantity.numeric for symbol in ("USDC", "DAI", "WBTC", "UNI")} == {
        "USDC": Decimal(12500),
        "DAI": Decimal("2500.75"),
        "WBTC": Decimal("0.35"),
        "UNI": Decimal(120),
    }
    assert found["ETH"].is_native
    assert found["ETH"].quantity.numeric > 1
    assert "AAVE" not in found


async def test_without_a_service_solanas_nodes_tell_of_listed_tokens(real: Chains, clock: MovableClock) -> None:
    owner = str(account_keys()[2].pubkey())
    found = {
        one.symbol: one.quantity.numeric for one in await without_service(real, clock).balances(CALLER, SOLANA, owner)
    }
    granted = {one.symbol: Decimal(one.granted).scaleb(-one.decimals) for one in SOLANA_TOKENS}
    assert found == {"SOL": Decimal(100), **granted}


async def test_a_token_that_the_deployment_names_is_read(
    real: Chains, clock: MovableClock, ethereum: AnvilNode
) -> None:
    pool = worlds()["eip155:1"].pools[0].address
    tokens = without_service(real, clock, f"eip155:1:{pool.lower()}", f"eip155:1:{OTHER}")
    found = await tokens.balances(CALLER, MAINNET, worlds()["eip155:1"].treasury)
    assert [one.symbol for one in found if one.address == f"eip155:1:{pool}"] == ["UNI-V2"]


async def test_who_has_nothing_sees_the_native_coin(real: Chains, clock: MovableClock) -> None:
    (only,) = await without_service(real, clock).balances(CALLER, MAINNET, "0x" + "12" * 20)
    assert (only.symbol, only.quantity.numeric, only.price, only.value) == ("ETH", Decimal(0), None, None)


def answering(client: httpx.AsyncClient, node: Node) -> Chains:
    transport = BatchingTransport(HttpRpcTransport(client, node.url))
    return Chains(lambda _chain: transport)


async def test_all_listed_tokens_are_one_request_and_kept_for_thirty_seconds(
    client: httpx.AsyncClient, node: Node, clock: MovableClock
) -> None:
    node.behaviour = nodes.each(
        lambda call: {"result": "0x5" if call["method"] == "eth_getBalance" else "0x" + f"{7:064x}"}
    )
    tokens = without_service(answering(client, node), clock)
    found = await asyncio.gather(*(tokens.balances(CALLER, MAINNET, ADDRESS) for _ in range(20)))
    assert len(found[0]) == 1 + len(bundled_tokens()["eip155:1"])
    assert len(node.bodies) == 1
    clock.advance(29.9)
    await tokens.balances(CALLER, MAINNET, ADDRESS)
    assert len(node.bodies) == 1
    await tokens.balances(CALLER, MAINNET, ADDRESS, force_update=[])
    assert len(node.bodies) == 2
    clock.advance(30)
    await tokens.balances(CALLER, MAINNET, ADDRESS)
    assert len(node.bodies) == 3


@pytest.mark.parametrize("text", ["", "nonsense", "{}", "5", "[5]", '[["", "E", "E"]]', '[["", "E", "E", 18, "x"]]'])
async def test_what_another_version_has_kept_is_not_taken(
    client: httpx.AsyncClient, node: Node, clock: MovableClock, text: str
) -> None:
    node.behaviour = nodes.answer(result="0x5")
    cache = MemoryCache(clock)
    await cache.set(f"listed:{MAINNET}:{ADDRESS}", text, 60)
    (only,) = await ListedTokens(answering(client, node), cache).balances(MAINNET, ADDRESS)
    assert only.quantity.numeric == Decimal("0.000000000000000005")


async def test_a_node_that_is_away_is_a_failure(client: httpx.AsyncClient, node: Node, clock: MovableClock) -> None:
    node.behaviour = nodes.send(nodes.http(b"", status="401 Unauthorized"))
    with pytest.raises(TokenBalanceUnavailableError) as raised:
        await without_service(answering(client, node), clock).balances(CALLER, MAINNET, ADDRESS)
    assert isinstance(raised.value.__cause__, HttpRequestError)


@pytest.mark.parametrize(
    ("chain", "address"),
    [
        ("bip122:000000000019d6689c085ae165831e93", "bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l"),
        ("eip155:31337", ADDRESS),
    ],
)
async def test_a_network_without_balances_is_a_failure(
    client: httpx.AsyncClient, node: Node, clock: MovableClock, chain: str, address: str
) -> None:
    with pytest.raises(TokenBalanceUnavailableError):
        await without_service(answering(client, node), clock).balances(CALLER, parse_chain_id(chain), address)


def test_the_listed_tokens_are_sound() -> None:
    for chain, listed in bundled_tokens().items():
        assert chain in bundled_networks()
        assert len({token.address for token in listed}) == len({token.symbol for token in listed}) == len(listed)
        for token in listed:
            assert is_address(parse_chain_id(chain).namespace, token.address)
            assert 0 < token.decimals <= 18
            assert chain.startswith("solana") or token.address == to_checksum_address(token.address.lower())


def test_the_sandboxs_tokens_are_listed_as_they_are() -> None:
    for chain, world in worlds().items():
        known = {token.address: (token.symbol, token.decimals) for token in bundled_tokens()[chain]}
        for token in world.tokens:
            if token.address in known:
                assert known[token.address] == (token.symbol, token.decimals)

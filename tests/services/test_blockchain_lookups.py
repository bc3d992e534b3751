"""What the blockchain service is asked once for, for how long, and for whom."""

import asyncio
from decimal import Decimal

import pytest

from tests.services import node as nodes
from tests.services.blockchain_cases import (
    ACCOUNT,
    ALICE,
    BOB,
    CASES,
    ETH,
    MAINNET,
    SOL_ALICE,
    SOLANA,
    UNKNOWN,
    USDC,
)
from tests.services.blockchain_cases import blockchain as blockchain
from tests.services.blockchain_cases import clock as clock
from tests.services.blockchain_cases import impatient as impatient
from tests.services.blockchain_cases import outside as outside
from tests.services.outside import CALLER, SUPPORTED, Outside, gives, refuses
from tests.services.outside import client as client
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.services import ServiceError
from walletmodal.services.blockchain import BlockchainClient
from walletmodal.services.http import Caller


async def test_the_list_of_networks_is_fetched_once_for_all(blockchain: BlockchainClient, outside: Outside) -> None:
    others = [Caller(f"https://{n}.example", "project-1") for n in range(10)]
    outside.answers["/v1/convert/tokens"] = gives({"tokens": []})
    await asyncio.gather(*(blockchain.swaps.tokens(caller, MAINNET) for caller in others))
    await blockchain.swaps.tokens(CALLER, UNKNOWN)
    assert len(outside.paths("/v1/supported-chains")) == 1


@pytest.mark.parametrize(
    "behaviour",
    [refuses(500), refuses(403), gives({}), gives({"http": "eip155:1"}), gives([])],
    ids=["500", "403", "empty", "text", "list"],
)
async def test_without_the_list_no_network_is_supported_and_it_is_asked_for_again(
    blockchain: BlockchainClient, outside: Outside, behaviour: nodes.Behaviour
) -> None:
    outside.answers |= {"/v1/supported-chains": behaviour, "/v1/convert/allowance": gives({"allowance": "5"})}
    assert await blockchain.swaps.allowance(CALLER, ACCOUNT, USDC) == 0
    outside.answers["/v1/supported-chains"] = gives(SUPPORTED)
    assert await blockchain.swaps.allowance(CALLER, ACCOUNT, USDC) == 5


async def test_where_the_list_does_not_come_no_network_is_supported(
    impatient: BlockchainClient, outside: Outside
) -> None:
    outside.answers |= {"/v1/supported-chains": nodes.silence, "/v1/convert/allowance": gives({"allowance": "5"})}
    assert await impatient.swaps.allowance(CALLER, ACCOUNT, USDC) == 0


async def test_what_is_no_network_in_the_list_does_no_harm(blockchain: BlockchainClient, outside: Outside) -> None:
    outside.answers["/v1/supported-chains"] = gives({"http": [None, 7, {}, "eip155:1"]})
    outside.answers["/v1/convert/allowance"] = gives({"allowance": "5"})
    assert await blockchain.swaps.allowance(CALLER, ACCOUNT, USDC) == 5


TTLS: dict[str, tuple[str, float]] = {
    "identity": ("identity", 300),
    "balance": ("balance", 30),
    "name": ("name", 300),
    "reverse": ("reverse", 300),
    "tokens": ("tokens", 300),
    "onramp options": ("onramp options", 300),
    "purchases": ("purchases", 2),
    "quotes": ("quotes", 10),
    "prices": ("prices", 15),
}


@pytest.mark.parametrize("name", TTLS)
async def test_a_lookup_is_kept_for_its_time(
    blockchain: BlockchainClient, outside: Outside, clock: MovableClock, name: str
) -> None:
    case, ttl = CASES[name], TTLS[name][1]
    outside.answers[case.path] = gives(case.answer)
    await case.ask(blockchain, ACCOUNT)
    clock.advance(ttl - 1)
    await case.ask(blockchain, ACCOUNT)
    assert len(outside.paths(case.path)) == 1
    clock.advance(1)
    await case.ask(blockchain, ACCOUNT)
    assert len(outside.paths(case.path)) == 2


@pytest.mark.parametrize("name", sorted(set(CASES) - set(TTLS)))
async def test_what_must_be_true_now_is_never_kept(blockchain: BlockchainClient, outside: Outside, name: str) -> None:
    case = CASES[name]
    outside.answers[case.path] = gives(case.answer)
    await case.ask(blockchain, ACCOUNT)
    await case.ask(blockchain, ACCOUNT)
    assert len(outside.paths(case.path)) == 2


async def test_the_identity_does_not_depend_on_who_asks_for_it(blockchain: BlockchainClient, outside: Outside) -> None:
    outside.answers[f"/v1/identity/{ALICE}"] = gives({"name": "maple.eth", "avatar": None})
    for sender in ("", ALICE, BOB):
        assert (await blockchain.accounts.identity(CALLER, MAINNET, ALICE.lower(), sender=sender)).name == "maple.eth"
    assert len(outside.paths(f"/v1/identity/{ALICE}")) == 1


async def test_projects_are_kept_apart(blockchain: BlockchainClient, outside: Outside) -> None:
    path = f"/v1/account/{ALICE}/balance"
    outside.answers[path] = gives({"balances": []})
    for caller in (CALLER, Caller("https://app.example", "project-2"), Caller("https://b.example", "project-1")):
        await blockchain.accounts.balance(caller, MAINNET, ALICE)
    assert [asked.query["projectId"] for asked in outside.paths(path)] == ["project-1", "project-2", "project-1"]


def balance_of(numeric: str) -> nodes.Behaviour:
    ether = {"name": "Ether", "symbol": "ETH", "chainId": "eip155:1", "value": 1.5, "price": 3120.123456789012345}
    return gives({"balances": [{**ether, "quantity": {"decimals": "18", "numeric": numeric}, "iconUrl": ""}]})


async def test_a_forced_update_is_asked_for_and_kept(blockchain: BlockchainClient, outside: Outside) -> None:
    path = f"/v1/account/{ALICE}/balance"
    outside.answers[path] = balance_of("1.0")
    await blockchain.accounts.balance(CALLER, MAINNET, ALICE)
    outside.answers[path] = balance_of("2.0")
    forced = await blockchain.accounts.balance(CALLER, MAINNET, ALICE, force_update=[USDC, ETH])
    assert outside.last.query["forceUpdate"] == f"{USDC},{ETH}"
    kept = await blockchain.accounts.balance(CALLER, MAINNET, ALICE)
    assert [answer.balances[0].quantity.numeric for answer in (forced, kept)] == [Decimal(2), Decimal(2)]


async def test_contracts_are_named_on_evm_networks_alone(blockchain: BlockchainClient, outside: Outside) -> None:
    outside.answers[f"/v1/account/{SOL_ALICE}/balance"] = gives({"balances": []})
    for _ in range(2):
        await blockchain.accounts.balance(CALLER, SOLANA, SOL_ALICE, force_update=["solana:x:y"])
    assert len(outside.paths(f"/v1/account/{SOL_ALICE}/balance")) == 2
    assert "forceUpdate" not in outside.last.query


async def test_prices_and_values_are_exact(blockchain: BlockchainClient, outside: Outside) -> None:
    raw = (
        b'{"balances":[{"name":"Ether","symbol":"ETH","price":0.10000000000000000555,"value":1e-7,'
        b'"quantity":{"decimals":"18","numeric":"1"},"iconUrl":""}]}'
    )
    outside.answers[f"/v1/account/{ALICE}/balance"] = nodes.send(nodes.http(raw))
    (ether,) = (await blockchain.accounts.balance(CALLER, MAINNET, ALICE)).balances
    assert (ether.price, ether.value) == (Decimal("0.10000000000000000555"), Decimal("1e-7"))


async def test_a_failed_balance_is_not_kept(blockchain: BlockchainClient, outside: Outside) -> None:
    path = f"/v1/account/{ALICE}/balance"
    outside.answers[path] = refuses(503)
    with pytest.raises(ServiceError):
        await blockchain.accounts.balance(CALLER, MAINNET, ALICE)
    outside.answers[path] = balance_of("2.0")
    assert (await blockchain.accounts.balance(CALLER, MAINNET, ALICE)).balances

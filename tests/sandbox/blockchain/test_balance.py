"""Balances: what an account holds on the chains, under the public service's own rules."""

import pytest

from tests.sandbox.blockchain.stage import (
    ETHER,
    ETHEREUM,
    NATIVE,
    POLYGON,
    SDK,
    VERSION,
    Foreign,
    Stage,
    caip10,
    token,
    world,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_coin_and_tokens_with_price_and_value(stage: Stage) -> None:
    holder = await Foreign.funded(stage.node, 2 * ETHER)
    await stage.node.treasury.give(holder.address, 12_500_000, world().token("USDC"))
    coin, usdc = await stage.balances(holder.key.address, chainId=ETHEREUM)
    assert {name: coin[name] for name in ("name", "symbol", "chainId", "quantity")} == {
        "name": "Ether",
        "symbol": "ETH",
        "chainId": ETHEREUM,
        "quantity": {"decimals": "18", "numeric": "2"},
    }
    assert "address" not in coin
    assert coin["value"] == pytest.approx(2 * coin["price"])
    assert usdc == {
        "name": "USD Coin",
        "symbol": "USDC",
        "chainId": ETHEREUM,
        "address": caip10(token("USDC")),
        "value": 12.5,
        "price": 1,
        "quantity": {"decimals": "6", "numeric": "12.5"},
        "iconUrl": "http://localhost:8700/directory/public/getTokenImage/USDC",
    }


async def test_an_unused_account_holds_nothing(stage: Stage) -> None:
    assert await stage.balances("0x" + "0b" * 20) == []


async def test_without_a_chain_all_are_asked(stage: Stage, someone: Foreign) -> None:
    await stage.nodes[POLYGON].rpc("anvil_setBalance", [someone.address, "0x1"])
    assert {one["chainId"] for one in await stage.balances(someone.address)} == {ETHEREUM, POLYGON}


async def test_a_token_that_somebody_made_is_found(stage: Stage, someone: Foreign) -> None:
    mine = await someone.deploy("SandboxToken", "(string,string,uint8,address)", "Mine", "MNE", 2, someone.address)
    await someone.call(mine, "mint(address,uint256)", someone.address, 250)
    row = next(one for one in await stage.balances(someone.address) if one["symbol"] == "MNE")
    assert (row["address"], row["quantity"]) == (caip10(mine), {"decimals": "2", "numeric": "2.5"})
    assert (row["price"], row["value"], row["iconUrl"]) == (0, 0, "")


async def test_an_answer_is_kept_for_ten_seconds(stage: Stage, someone: Foreign) -> None:
    before = await stage.balances(someone.address, chainId=ETHEREUM)
    await someone.send(NATIVE, value=ETHER)
    assert await stage.balances(someone.address, chainId=ETHEREUM) == before
    stage.clock.advance(10.1)
    assert await stage.balances(someone.address, chainId=ETHEREUM) != before


async def test_a_forced_update_is_fresh_and_names_what_was_asked_for(stage: Stage, someone: Foreign) -> None:
    await stage.balances(someone.address, chainId=ETHEREUM)
    await someone.send(NATIVE, value=ETHER)
    forced = f"{caip10(NATIVE)},{caip10(token('UNI'))}"
    coin, uni = await stage.balances(someone.address, chainId=ETHEREUM, forceUpdate=forced)
    assert float(coin["quantity"]["numeric"]) < 99
    assert (uni["symbol"], uni["quantity"]["numeric"], uni["price"] > 0) == ("UNI", "0", True)


async def test_a_chain_that_was_taken_back_is_not_answered_from_before(stage: Stage, someone: Foreign) -> None:
    snapshot = await stage.node.rpc("evm_snapshot")
    before = await stage.balances(someone.address, chainId=ETHEREUM)
    stage.clock.advance(11)
    await someone.send(NATIVE, value=ETHER)
    assert await stage.balances(someone.address, chainId=ETHEREUM) != before
    await stage.node.rpc("evm_revert", [snapshot])
    assert await stage.balances(someone.address, chainId=ETHEREUM) == before


@pytest.mark.parametrize(
    ("headers", "query"),
    [
        ({}, {"sv": VERSION}),
        (SDK, {}),
        (SDK, {"sv": "react-wagmi-1.6.4"}),
        (SDK, {"sv": "react-wagmi-1.6.5"}),
        ({**SDK, "x-sdk-version": "html-1.6.4"}, {}),
    ],
)
async def test_callers_that_get_nothing(
    stage: Stage, someone: Foreign, headers: dict[str, str], query: dict[str, str]
) -> None:
    path = f"/v1/account/{someone.address}/balance"
    answer = await stage.http.get(path, params={"currency": "usd", **query}, headers=headers)
    assert (answer.status_code, answer.json()) == (200, {"balances": []})


async def test_the_version_may_be_a_header(stage: Stage, someone: Foreign) -> None:
    path = f"/v1/account/{someone.address}/balance?currency=usd"
    answer = await stage.http.get(path, headers={**SDK, "x-sdk-version": VERSION})
    assert answer.json()["balances"]


async def test_rootstock_gets_nothing(stage: Stage, someone: Foreign) -> None:
    assert await stage.balances(someone.address, chainId="eip155:30") == []


@pytest.mark.parametrize("currency", ["btc", "eth", "usd", "eur", "gbp", "aud", "cad", "inr", "jpy"])
async def test_every_currency_of_the_public_service(stage: Stage, someone: Foreign, currency: str) -> None:
    (coin,) = await stage.balances(someone.address, chainId=ETHEREUM, currency=currency)
    assert coin["price"] > 0
    assert coin["value"] == pytest.approx(100 * coin["price"])

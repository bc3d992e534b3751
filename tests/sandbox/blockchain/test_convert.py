"""Swaps: what is quoted is what the pools give, and what is built can be signed and sent as it is."""

from typing import Any

import pytest

from tests.sandbox.blockchain.stage import (
    ETHER,
    ETHEREUM,
    NATIVE,
    POLYGON,
    Foreign,
    Stage,
    caip10,
    token,
    world,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")

UNLIMITED = str(2**256 - 1)


def plain(caip: str) -> str:
    return caip.rpartition(":")[2]


async def quote(stage: Stage, source: str, target: str, amount: int) -> int:
    query = {"from": caip10(source), "to": caip10(target), "amount": str(amount), "gasPrice": "1"}
    (one,) = (await stage.get("/v1/convert/quotes", **query, userAddress=NATIVE))["quotes"]
    assert one == {
        "id": None,
        "fromAmount": str(amount),
        "fromAccount": caip10(source),
        "toAmount": one["toAmount"],
        "toAccount": caip10(target),
    }
    return int(one["toAmount"])


async def build(stage: Stage, who: Foreign, source: str, target: str, amount: int, **options: Any) -> dict[str, Any]:
    body = {
        "amount": str(amount),
        "eip155": {"slippage": 1},
        "projectId": "test",
        "from": caip10(source),
        "to": caip10(target),
        "userAddress": caip10(who.address),
        "disableEstimate": True,
        **options,
    }
    built: dict[str, Any] = (await stage.post("/v1/convert/build-transaction", body))["tx"]
    return built


async def send_as_built(who: Foreign, built: dict[str, Any], *, native: bool) -> None:
    """What a wallet does with the answer, and nothing else."""
    fees: dict[str, Any] = {
        name: int(built["eip155"][wire]) for name, wire in (("gas", "gas"), ("gasPrice", "gasPrice"))
    }
    value = int(built["amount"]) if native else 0
    sent = await who.send(plain(built["to"]), built["data"], value, **fees)
    assert (await who.receipt(sent))["status"] == "0x1"


async def balance(stage: Stage, who: Foreign, address: str) -> str:
    rows = await stage.balances(who.address, chainId=ETHEREUM, forceUpdate=caip10(address))
    return next((one["quantity"]["numeric"] for one in rows if plain(one.get("address", NATIVE)) == address), "0")


async def test_the_tokens_are_those_with_pools_and_the_native_coin_first(stage: Stage) -> None:
    listed = (await stage.get("/v1/convert/tokens", chainId=ETHEREUM))["tokens"]
    assert listed[0]["address"] == caip10(NATIVE)
    assert {one["symbol"] for one in listed} == {"ETH", "WETH", "USDC", "USDT", "DAI", "WBTC", "UNI", "LINK"}
    usdc = next(one for one in listed if one["symbol"] == "USDC")
    assert usdc == {
        "name": "USD Coin",
        "symbol": "USDC",
        "address": caip10(token("USDC")),
        "decimals": 6,
        "logoUri": "http://localhost:8700/directory/public/getTokenImage/USDC",
        "eip2612": False,
    }


@pytest.mark.parametrize(
    ("source", "target"),
    [("ETH", "USDC"), ("USDC", "ETH"), ("UNI", "LINK"), ("WBTC", "USDC"), ("ETH", "WETH"), ("WETH", "ETH")],
)
async def test_a_swap_as_built_gives_what_was_quoted(stage: Stage, someone: Foreign, source: str, target: str) -> None:
    given = NATIVE if source == "ETH" else token(source)
    taken = NATIVE if target == "ETH" else token(target)
    amount = {"ETH": ETHER, "WETH": ETHER, "USDC": 10**8, "UNI": ETHER, "WBTC": 10**6}[source]
    if source == "WETH":
        await someone.call(given, "deposit()", value=amount)
    elif source != "ETH":
        await someone.node.treasury.give(someone.address, amount, world().token(source))
    if source not in ("ETH", "WETH"):
        query = {"from": caip10(given), "to": caip10(taken), "userAddress": caip10(someone.address)}
        approval = (await stage.get("/v1/convert/build-approve", **query))["tx"]
        assert (approval["from"], approval["to"]) == (query["from"], query["to"])
        await someone.send(plain(approval["from"]), approval["data"], int(approval["value"]))
    expected = await quote(stage, given, taken, amount)
    await send_as_built(someone, await build(stage, someone, given, taken, amount), native=source == "ETH")
    entry = await stage.newest(someone.address)
    wraps = {("ETH", "WETH"): "deposit", ("WETH", "ETH"): "withdraw"}
    assert entry["metadata"]["operationType"] == wraps.get((source, target), "trade")
    gone, come = entry["transfers"]
    assert (gone["direction"], gone["fungible_info"]["symbol"]) == ("out", source)
    assert (come["direction"], come["fungible_info"]["symbol"]) == ("in", target)
    decimals = {"ETH": 18, "WETH": 18, "USDC": 6, "LINK": 18}[target]
    whole, _, fraction = come["quantity"]["numeric"].partition(".")
    assert int(whole + fraction.ljust(decimals, "0")) == expected


async def test_a_swap_fails_rather_than_give_less_than_the_slippage_allows(stage: Stage, someone: Foreign) -> None:
    built = await build(stage, someone, NATIVE, token("UNI"), ETHER)
    other = await Foreign.funded(stage.node, 1000 * ETHER)
    swap = "swapExactETHForTokens(uint256,address[],address,uint256)"
    await other.call(world().router, swap, 0, [token("WETH"), token("UNI")], other.address, 2**40, value=100 * ETHER)
    sent = await someone.send(plain(built["to"]), built["data"], ETHER)
    assert (await someone.receipt(sent))["status"] == "0x0"


async def test_a_chain_whose_clock_runs_ahead_still_takes_the_swap(stage: Stage, someone: Foreign) -> None:
    before = await stage.node.rpc("evm_snapshot")
    await stage.node.rpc("evm_increaseTime", [10**6])
    await stage.node.rpc("evm_mine")
    await send_as_built(someone, await build(stage, someone, NATIVE, token("USDC"), ETHER), native=True)
    await stage.node.rpc("evm_revert", [before])


async def test_an_estimate_refuses_a_swap_that_would_fail(stage: Stage, someone: Foreign) -> None:
    body = {
        "amount": "1000000",
        "from": caip10(token("USDC")),
        "to": caip10(NATIVE),
        "userAddress": caip10(someone.address),
        "disableEstimate": False,
    }
    answer = await stage.http.post("/v1/convert/build-transaction", json=body)
    assert answer.status_code == 400
    assert answer.json()["reasons"][0]["field"] == "userAddress"


async def test_the_allowance_is_the_router_s(stage: Stage, someone: Foreign) -> None:
    query = {"tokenAddress": caip10(token("USDC")), "userAddress": caip10(someone.address)}
    assert await stage.get("/v1/convert/allowance", **query) == {"allowance": "0"}
    await someone.call(token("USDC"), "approve(address,uint256)", world().router, 77)
    assert await stage.get("/v1/convert/allowance", **query) == {"allowance": "77"}


async def test_the_native_coin_needs_no_allowance(stage: Stage, someone: Foreign) -> None:
    query = {"tokenAddress": caip10(NATIVE), "userAddress": caip10(someone.address)}
    assert await stage.get("/v1/convert/allowance", **query) == {"allowance": UNLIMITED}


@pytest.mark.parametrize(("amount", "approved"), [("", int(UNLIMITED)), ("1234", 1234)])
async def test_an_approval_is_of_the_amount_or_without_limit(
    stage: Stage, someone: Foreign, amount: str, approved: int
) -> None:
    query = {"from": caip10(token("DAI")), "to": caip10(NATIVE), "userAddress": caip10(someone.address)}
    built = (await stage.get("/v1/convert/build-approve", **query, amount=amount))["tx"]
    await someone.send(
        plain(built["from"]), built["data"], int(built["value"]), gasPrice=int(built["eip155"]["gasPrice"])
    )
    asked = {"tokenAddress": query["from"], "userAddress": query["userAddress"]}
    assert await stage.get("/v1/convert/allowance", **asked) == {"allowance": str(approved)}


async def test_gas_prices_rise_and_suffice(stage: Stage, someone: Foreign) -> None:
    prices = await stage.get("/v1/convert/gas-price", chainId=ETHEREUM)
    assert int(prices["standard"]) <= int(prices["fast"]) <= int(prices["instant"])
    sent = await someone.send(someone.address, value=1, gasPrice=int(prices["standard"]))
    assert (await someone.receipt(sent))["status"] == "0x1"


async def test_the_price_is_the_pools_one(stage: Stage) -> None:
    body = {"currency": "usd", "addresses": [caip10(NATIVE), caip10(token("UNI"))], "projectId": "test"}
    (priced,) = (await stage.post("/v1/fungible/price", body))["fungibles"]
    worth = await quote(stage, NATIVE, token("USDC"), ETHER // 1000)
    assert priced["price"] == pytest.approx(worth / 1000, rel=0.005)
    assert (priced["address"], priced["symbol"], priced["decimals"]) == (caip10(NATIVE), "ETH", 18)


async def test_prices_come_in_other_currencies(stage: Stage) -> None:
    async def price(currency: str) -> float:
        body = {"currency": currency, "addresses": [caip10(NATIVE)]}
        found: float = (await stage.post("/v1/fungible/price", body))["fungibles"][0]["price"]
        return found

    assert await price("eth") == pytest.approx(1)
    assert await price("eur") < await price("usd") < await price("jpy")
    assert await price("btc") < 1


async def test_a_token_without_a_pool_has_no_price(stage: Stage, someone: Foreign) -> None:
    mine = await someone.deploy("SandboxToken", "(string,string,uint8,address)", "Mine", "MNE", 4, someone.address)
    assert await stage.post("/v1/fungible/price", {"currency": "usd", "addresses": [caip10(mine)]}) == {"fungibles": []}


async def test_a_pool_that_somebody_opens_gives_quotes_and_prices(stage: Stage, someone: Foreign) -> None:
    mine = await someone.deploy("SandboxToken", "(string,string,uint8,address)", "Mine", "MNE", 4, someone.address)
    await someone.call(mine, "mint(address,uint256)", someone.address, 10**9)
    await someone.call(mine, "approve(address,uint256)", world().router, 10**9)
    add = "addLiquidityETH(address,uint256,uint256,uint256,address,uint256)"
    sent = await someone.call(world().router, add, mine, 10**9, 0, 0, someone.address, 2**40, value=2 * ETHER)
    assert (await someone.receipt(sent))["status"] == "0x1"
    priced = (await stage.post("/v1/fungible/price", {"currency": "eth", "addresses": [caip10(mine)]}))["fungibles"]
    assert priced[0]["price"] == pytest.approx(2 / 10**5)
    assert await quote(stage, mine, token("USDC"), 10**4) > 0


async def test_what_no_pool_leads_to_is_refused_in_the_provider_s_words(stage: Stage, someone: Foreign) -> None:
    mine = await someone.deploy("SandboxToken", "(string,string,uint8,address)", "Mine", "MNE", 4, someone.address)
    query = {"from": caip10(mine), "to": caip10(NATIVE), "amount": "1"}
    answer = await stage.http.get("/v1/convert/quotes", params=query)
    assert answer.status_code == 400
    told = answer.json()
    assert (told["code"], "insufficient liquidity" in told["message"]) == ("insufficient_liquidity", True)
    assert told["reasons"] == [{"field": "insufficient_liquidity", "description": told["message"]}]


async def test_every_chain_swaps_with_its_own_router(stage: Stage) -> None:
    source, target = caip10(NATIVE, POLYGON), caip10(token("USDC", POLYGON), POLYGON)
    query = {"from": source, "to": target, "amount": str(ETHER)}
    (one,) = (await stage.get("/v1/convert/quotes", **query))["quotes"]
    assert 450_000 < int(one["toAmount"]) < 550_000

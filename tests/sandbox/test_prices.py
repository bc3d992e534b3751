"""The control over prices, as the balances of the blockchain service show it."""

from typing import Any

import httpx
import pytest

from walletmodal.sandbox.evm.world import ACCOUNTS
from walletmodal.sandbox.solana.world import CHAIN as SOLANA
from walletmodal.sandbox.solana.world import account_keys

pytestmark = pytest.mark.asyncio(loop_scope="session")

ASKER = {"origin": "https://host.example"}
SOMEONE = str(account_keys()[0].pubkey())


async def prices(http: httpx.AsyncClient, address: str, chain: str) -> dict[str, Any]:
    """The prices that the balance of an account tells, by symbol."""
    query = {"currency": "usd", "sv": "react-universal-1.7.2", "chainId": chain, "projectId": "test"}
    answer = await http.get(f"/blockchain/v1/account/{address}/balance", params=query, headers=ASKER)
    answer.raise_for_status()
    return {row["symbol"]: row["price"] for row in answer.json()["balances"]}


async def test_a_fixed_price_is_told_at_once_on_every_chain_and_of_the_wrapped_coin(http: httpx.AsyncClient) -> None:
    await prices(http, ACCOUNTS[5], "eip155:1")
    answer = await http.post("/sandbox/prices", json={"symbol": "ETH", "dollars": "4000.25"})
    ethereum, polygon = [await prices(http, ACCOUNTS[5], chain) for chain in ("eip155:1", "eip155:137")]
    assert answer.json() == {"moving": False, "fixed": {"ETH": "4000.25"}}
    assert (ethereum["ETH"], ethereum["WETH"], polygon["WETH"]) == (4000.25, 4000.25, 4000.25)


async def test_prices_of_solana_are_fixed_the_same_way(http: httpx.AsyncClient) -> None:
    await http.post("/sandbox/prices", json={"symbol": "SOL", "dollars": "200"})
    assert (await prices(http, SOMEONE, SOLANA))["SOL"] == 200


async def test_what_was_fixed_is_released(http: httpx.AsyncClient) -> None:
    before = await prices(http, ACCOUNTS[5], "eip155:1")
    await http.post("/sandbox/prices", json={"symbol": "UNI", "dollars": "1"})
    released = (await http.delete("/sandbox/prices")).json()
    assert (released, await prices(http, ACCOUNTS[5], "eip155:1")) == ({"moving": False, "fixed": {}}, before)


async def test_prices_are_set_moving_until_the_reset(http: httpx.AsyncClient) -> None:
    moving = (await http.post("/sandbox/prices/motion", json={"moving": True})).json()
    await http.post("/sandbox/reset")
    assert (moving["moving"], (await http.get("/sandbox/prices")).json()["moving"]) == (True, False)


@pytest.mark.parametrize(
    ("path", "wish", "field"),
    [
        ("", {"symbol": "ETH"}, "dollars"),
        ("", {"dollars": "1"}, "symbol"),
        ("", {"symbol": "DOGE", "dollars": "1"}, "symbol"),
        ("", {"symbol": "ETH", "dollars": "-1"}, "dollars"),
        ("", {"symbol": "ETH", "dollars": "1e9"}, "dollars"),
        ("", {"symbol": "ETH", "dollars": 1}, "dollars"),
        ("/motion", {"moving": "yes"}, "moving"),
    ],
)
async def test_a_wrong_wish_is_refused_and_the_field_named(
    unchanging_http: httpx.AsyncClient, path: str, wish: dict[str, object], field: str
) -> None:
    answer = await unchanging_http.post(f"/sandbox/prices{path}", json=wish)
    assert (answer.status_code, answer.json()["reasons"][0]["field"]) == (400, field)

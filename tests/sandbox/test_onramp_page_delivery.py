"""The pay page of the running sandbox: the account really gets what was bought, and the history tells of it."""

from collections.abc import Awaitable, Callable
from decimal import Decimal
from typing import Any

import httpx
import pytest

from tests.sandbox.onramp_stage import USDC, order

pytestmark = pytest.mark.asyncio(loop_scope="session")

BUYER = "0x00000000000000000000000000000000000Bed01"
POLYGON_USDC = "0x2791bca1f2de4661ed88a30c99a7a9449aa84174"

Rpc = Callable[..., Awaitable[object]]


async def _buy(http: httpx.AsyncClient, **changes: Any) -> dict[str, Any]:
    answer = await http.post("/pay/api/purchases", json=order(address=BUYER.lower(), **changes))
    assert answer.status_code == 201, answer.text
    bought: dict[str, Any] = answer.json()
    return bought


async def _token_balance(rpc: Rpc, chain: str, token: str) -> int:
    data = "0x70a08231" + BUYER[2:].lower().rjust(64, "0")
    return int(str(await rpc(chain, "eth_call", {"to": token, "data": data}, "latest")), 16)


async def test_bought_coin_is_on_the_chain(http: httpx.AsyncClient, rpc: Rpc) -> None:
    bought = await _buy(http)
    balance = int(str(await rpc("eip155:1", "eth_getBalance", BUYER, "latest")), 16)
    assert balance == int(Decimal(bought["quantity"]) * 10**18) > 0
    receipt = await rpc("eip155:1", "eth_getTransactionReceipt", bought["transaction"])
    assert isinstance(receipt, dict)
    assert (receipt["status"], receipt["to"].lower()) == ("0x1", BUYER.lower())


@pytest.mark.parametrize(("chain", "token"), [("eip155:1", USDC), ("eip155:137", POLYGON_USDC)])
async def test_a_bought_token_is_on_the_chain(http: httpx.AsyncClient, rpc: Rpc, chain: str, token: str) -> None:
    bought = await _buy(http, chain=chain, token=token)
    assert await _token_balance(rpc, chain, token) == int(Decimal(bought["quantity"]) * 10**6) > 0
    assert isinstance(await rpc(chain, "eth_getTransactionReceipt", bought["transaction"]), dict)


async def test_everything_on_sale_has_a_price_and_a_picture(http: httpx.AsyncClient) -> None:
    offer = (await http.get("/pay/api/offer")).json()
    assert len(offer["networks"]) == 5
    for asset in offer["assets"]:
        query = {
            "chain": asset["chain"],
            "currency": "EUR",
            "amount": "500",
            **({"token": asset["token"]} if asset["token"] else {}),
        }
        assert (await http.get("/pay/api/quote", params=query)).status_code == 200, asset
        assert (await http.get(asset["image"])).status_code == 200, asset


async def test_the_onramp_url_leads_to_the_page_and_the_purchase_into_the_history(http: httpx.AsyncClient) -> None:
    wish = {
        "destinationWallets": [{"address": BUYER, "blockchains": ["ethereum"], "assets": ["ETH"]}],
        "partnerUserId": "p" * 32,
        "defaultExperience": "buy",
    }
    origin = {"origin": "http://localhost:3000"}
    url = (await http.post("/blockchain/v1/generators/onrampurl?projectId=sandbox", json=wish, headers=origin)).json()[
        "url"
    ]
    page = await http.get(url)
    assert page.headers["content-type"].startswith("text/html")
    bought = await _buy(http)
    query = {"projectId": "sandbox", "st": "appkit", "sv": "html-1.7.2", "onramp": "coinbase", "chainId": "eip155:1"}
    history = (await http.get(f"/blockchain/v1/account/{BUYER}/history", params=query, headers=origin)).json()
    [entry] = history["data"]
    assert (entry["id"], entry["metadata"]["status"]) == (bought["id"], "ONRAMP_TRANSACTION_STATUS_SUCCESS")
    assert entry["transfers"][0]["quantity"]["numeric"] == bought["quantity"]


async def test_a_reset_takes_purchases_back(http: httpx.AsyncClient) -> None:
    bought = await _buy(http)
    (await http.post("/sandbox/reset")).raise_for_status()
    assert (await http.get(f"/pay/api/purchases/{bought['id']}")).status_code == 404


async def test_pages_of_other_sites_cannot_buy(http: httpx.AsyncClient) -> None:
    answer = await http.post("/pay/api/purchases", json=order(), headers={"origin": "https://host.example"})
    assert answer.status_code == 403


async def test_a_fault_of_the_blockchain_service_does_not_reach_the_page(http: httpx.AsyncClient) -> None:
    await http.post("/sandbox/faults", json={"service": "blockchain", "status": 503})
    assert (await http.get("/pay/api/offer")).status_code == 200


async def test_the_gateway_also_answers_on_the_blockchain_services_host(http: httpx.AsyncClient) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "eth_chainId"}
    answer = await http.post("/blockchain/v1/?chainId=eip155:137&projectId=sandbox", json=call)
    assert answer.json()["result"] == "0x89"

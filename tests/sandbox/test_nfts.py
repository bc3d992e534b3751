"""NFTs from the faucet, and the documents and pictures that the sandbox serves of those on Solana."""

from typing import Any
from xml.etree import ElementTree as ET

import httpx
import pytest

from walletmodal.sandbox import Sandbox
from walletmodal.sandbox.evm.artifacts import call_data
from walletmodal.sandbox.evm.world import ACCOUNTS, worlds
from walletmodal.sandbox.solana.world import CHAIN as SOLANA
from walletmodal.sandbox.solana.world import COLLECTION, account_keys

pytestmark = pytest.mark.asyncio(loop_scope="session")

ETHEREUM = "eip155:1"
BIRDS = worlds()[ETHEREUM].collections[0]
SOMEONE = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"
HOLDER = str(account_keys()[1].pubkey())
ASKER = {"origin": "https://host.example"}


async def give(http: httpx.AsyncClient, address: str, chain: str) -> dict[str, str]:
    """What the faucet says of the NFT that it gave."""
    answer = await http.post("/sandbox/faucet", json={"address": address, "chain": chain, "nft": True})
    answer.raise_for_status()
    given: dict[str, str] = answer.json()
    return given


async def ask(http: httpx.AsyncClient, url: str, method: str, *params: object) -> Any:
    """The result of a node."""
    answer = (await http.post(url, json={"jsonrpc": "2.0", "id": 1, "method": method, "params": params})).json()
    assert "error" not in answer, answer
    return answer["result"]


async def test_the_faucet_makes_the_next_nft_of_a_collection(http: httpx.AsyncClient, sandbox: Sandbox) -> None:
    given = [await give(http, ACCOUNTS[3], ETHEREUM) for _ in range(2)]
    following = [len(BIRDS.ids) + 1, len(BIRDS.ids) + 2]
    data = "0x" + call_data("ownerOf(uint256)", following[1]).hex()
    owner = await ask(http, sandbox.node_url(ETHEREUM), "eth_call", {"to": BIRDS.address, "data": data}, "latest")
    assert [(one["nft"], one["name"]) for one in given] == [
        (f"{ETHEREUM}/erc721:{BIRDS.address}/{number}", f"{BIRDS.name} #{number}") for number in following
    ]
    assert owner[-40:] == ACCOUNTS[3][2:].lower()


async def test_the_faucet_makes_an_nft_on_solana_of_which_there_is_one_for_ever(
    http: httpx.AsyncClient, sandbox: Sandbox
) -> None:
    first, second = await give(http, SOMEONE, SOLANA), await give(http, SOMEONE, SOLANA)
    mint = second["nft"].rpartition(":")[2]
    url, parsed = sandbox.node_url(SOLANA), {"encoding": "jsonParsed"}
    account = (await ask(http, url, "getAccountInfo", mint, parsed))["value"]["data"]["parsed"]["info"]
    holding = (await ask(http, url, "getTokenAccountsByOwner", SOMEONE, {"mint": mint}, parsed))["value"][0]
    assert (account["supply"], account["decimals"], account["mintAuthority"]) == ("1", 0, None)
    assert holding["account"]["data"]["parsed"]["info"]["tokenAmount"]["amount"] == "1"
    numbers = [3 * COLLECTION.granted + 1, 3 * COLLECTION.granted + 2]
    assert [first["name"], second["name"]] == [COLLECTION.title(number) for number in numbers]


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"chain": "eip155:8453", "address": ACCOUNTS[0], "nft": True}, "chain"),
        ({"chain": "eip155:5", "address": ACCOUNTS[0], "nft": True}, "chain"),
        ({"chain": ETHEREUM, "address": "0x" + "0" * 40, "nft": True}, "address"),
        ({"chain": ETHEREUM, "address": SOMEONE, "nft": True}, "address"),
        ({"chain": SOLANA, "address": ACCOUNTS[0], "nft": True}, "address"),
        ({"chain": ETHEREUM, "address": ACCOUNTS[0], "nft": True, "amount": "1"}, "amount"),
        ({"chain": ETHEREUM, "address": ACCOUNTS[0], "nft": False}, "amount"),
        ({"chain": ETHEREUM, "address": ACCOUNTS[0], "nft": True, "token": f"{ETHEREUM}:{BIRDS.address}"}, "token"),
    ],
)
async def test_a_wrong_wish_is_refused_and_the_field_named(
    unchanging_http: httpx.AsyncClient, wish: dict[str, object], field: str
) -> None:
    answer = await unchanging_http.post("/sandbox/faucet", json=wish)
    assert (answer.status_code, answer.json()["reasons"][0]["field"]) == (400, field)


async def test_nfts_are_no_part_of_a_balance(unchanging_http: httpx.AsyncClient) -> None:
    query = {"currency": "usd", "sv": "react-universal-1.7.2", "chainId": SOLANA, "projectId": "test"}
    path = f"/blockchain/v1/account/{HOLDER}/balance"
    rows = (await unchanging_http.get(path, params=query, headers=ASKER)).json()["balances"]
    assert {row["symbol"] for row in rows} == {"SOL", "USDC", "USDT", "mSOL", "BONK"}


async def test_the_history_tells_an_nft_of_solana_with_its_name_and_picture(
    unchanging_http: httpx.AsyncClient, sandbox: Sandbox
) -> None:
    path = f"/blockchain/v1/account/{HOLDER}/history"
    entries = (await unchanging_http.get(path, params={"chainId": SOLANA, "projectId": "test"})).json()["data"]
    moves = [move for entry in entries for move in entry["transfers"] if move["nft_info"]]
    first = COLLECTION.granted + 1
    assert [move["nft_info"]["name"] for move in reversed(moves)] == [
        COLLECTION.title(number) for number in range(first, first + COLLECTION.granted)
    ]
    picture = {"url": f"{sandbox.url}/artworks/{first}.svg", "content_type": "image/svg+xml"}
    assert moves[-1] == {
        "fungible_info": None,
        "nft_info": {
            "name": COLLECTION.title(first),
            "content": {"preview": picture, "detail": picture},
            "flags": {"is_spam": False},
        },
        "direction": "in",
        "quantity": {"numeric": "1"},
        "value": None,
        "price": None,
    }


async def test_a_document_leads_to_its_picture(unchanging_http: httpx.AsyncClient, sandbox: Sandbox) -> None:
    document = (await unchanging_http.get("/artworks/7.json")).json()
    picture = await unchanging_http.get(document["image"])
    assert (document["name"], document["symbol"]) == (COLLECTION.title(7), COLLECTION.symbol)
    assert (picture.headers["content-type"], picture.headers["x-content-type-options"]) == ("image/svg+xml", "nosniff")
    assert ET.fromstring(picture.text).tag.endswith("svg")
    assert document["image"].startswith(sandbox.url)


@pytest.mark.parametrize("file", ["7.png", "-1.svg", "07.svg", "9999999.svg", "x.json", "7.svg.json"])
async def test_there_are_no_other_artworks(unchanging_http: httpx.AsyncClient, file: str) -> None:
    assert (await unchanging_http.get(f"/artworks/{file}")).status_code == 404

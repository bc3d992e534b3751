"""The explorer: pages where the modal's links lead, about what is on the chains, in words where there is nothing."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from html import unescape
from html.parser import HTMLParser

import httpx
import pytest
from playwright.async_api import Browser

from tests.patience import patience
from walletmodal.commands.run import LOCAL_CHAINS
from walletmodal.core.chains.networks import Explorer, bundled_networks
from walletmodal.sandbox import Sandbox
from walletmodal.sandbox.evm.artifacts import call_data
from walletmodal.sandbox.evm.world import worlds
from walletmodal.sandbox.explorer.html import el, page
from walletmodal.sandbox.explorer.parts import amount
from walletmodal.sandbox.solana.world import CHAIN as SOLANA
from walletmodal.sandbox.solana.world import COLLECTION, TOKENS, account_keys

pytestmark = pytest.mark.asyncio(loop_scope="session")

ETHEREUM = "eip155:1"
WORLD = worlds()[ETHEREUM]
FIRST, SECOND = WORLD.accounts[:2]
BIRDS = WORLD.collections[0]
HOLDER = str(account_keys()[0].pubkey())

Rpc = Callable[..., Awaitable[object]]


def _text(answer: httpx.Response) -> str:
    """What a page says, its tags as spaces."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.text)).split())


async def _asked(http: httpx.AsyncClient, sandbox: Sandbox, method: str, *params: object) -> object:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    url = sandbox.node_url(SOLANA if method.startswith("get") else ETHEREUM)
    return (await http.post(url, json=body)).json()["result"]


async def _mined(http: httpx.AsyncClient, sandbox: Sandbox, transaction: dict[str, str]) -> object:
    """Sends a transaction; its hash, which the node tells before it has a block with it."""
    number = await _asked(http, sandbox, "eth_sendTransaction", transaction)
    async with patience():
        while await _asked(http, sandbox, "eth_getTransactionReceipt", number) is None:
            await asyncio.sleep(0.01)
    return number


async def test_the_modals_links_of_every_local_chain_lead_to_pages(unchanging_http: httpx.AsyncClient) -> None:
    for chain in LOCAL_CHAINS:
        explorer = Explorer(name="Explorer", url=f"http://localhost:8700/explorer/{chain}")
        network = bundled_networks()[chain].model_copy(update={"explorer": explorer})
        is_solana = chain == SOLANA
        token = TOKENS[0].mint if is_solana else worlds()[chain].dollar.address
        links = [
            network.explorer_address_url(HOLDER if is_solana else FIRST),
            network.explorer_nft_url(token, ""),
            explorer.url,
        ]
        for link in links:
            answer = await unchanging_http.get(str(link).removeprefix("http://localhost:8700"))
            assert answer.status_code == 200, link
            assert "default-src 'none'" in answer.headers["content-security-policy"]
        unknown = network.explorer_transaction_url("1" * 88 if is_solana else "0x" + "1" * 64)
        assert (await unchanging_http.get(str(unknown).removeprefix("http://localhost:8700"))).status_code == 404


async def test_a_transaction_tells_who_paid_whom_what(http: httpx.AsyncClient, sandbox: Sandbox) -> None:
    payment = {
        "from": FIRST,
        "to": WORLD.dollar.address,
        "data": "0x" + call_data("transfer(address,uint256)", SECOND, 1_234_500_000).hex(),
    }
    number = await _mined(http, sandbox, payment)
    told = _text(await http.get(f"/explorer/{ETHEREUM}/tx/{number}"))
    assert "Status Confirmed" in told
    assert f"From {FIRST} To {WORLD.dollar.address}" in told
    assert "What moved From To Amount Account 1 Account 2 1,234.5 USDC" in told
    assert "0xa9059cbb" in told


async def test_a_failed_and_a_waiting_transaction_are_told_as_such(http: httpx.AsyncClient, sandbox: Sandbox) -> None:
    failing = {"from": FIRST, "to": WORLD.dollar.address, "data": "0xdeadbeef", "gas": hex(100_000)}
    node = f"/sandbox/nodes/{ETHEREUM}"
    number = await _mined(http, sandbox, failing)
    told = _text(await http.get(f"/explorer/{ETHEREUM}/tx/{number}"))
    assert "Status Failed" in told
    assert "Nothing changed hands." in told
    await http.post(node, json={"jsonrpc": "2.0", "id": 1, "method": "evm_setAutomine", "params": [False]})
    waiting = {"from": FIRST, "to": SECOND, "value": hex(10**18)}
    number = await _asked(http, sandbox, "eth_sendTransaction", waiting)
    told = _text(await http.get(f"/explorer/{ETHEREUM}/tx/{number}"))
    assert "Status Pending Block Waits to be mined" in told
    assert "Pending Account 1 Account 2 1 ETH" in _text(await http.get(f"/explorer/{ETHEREUM}"))


async def test_an_address_tells_what_it_has_and_did(http: httpx.AsyncClient) -> None:
    told = _text(await http.get(f"/explorer/{ETHEREUM}/address/{FIRST}"))
    assert "Balance 10,000 ETH" in told
    assert "USD Coin 12,425 USDC" in told
    assert "Confirmed Account 1 Uniswap router 50 USDC and 4 more" in told
    contract = _text(await http.get(f"/explorer/{ETHEREUM}/address/{WORLD.dollar.address}"))
    assert "Kind Contract Token USD Coin" in contract


async def test_transactions_of_an_address_go_on_on_further_pages(http: httpx.AsyncClient) -> None:
    treasury = f"/explorer/{ETHEREUM}/address/{WORLD.treasury}"
    first, second = [(await http.get(treasury, params={"page": n})).text for n in ("1", "2")]
    hashes = [set(re.findall(r"/tx/(0x[0-9a-f]{64})", text)) for text in (first, second)]
    assert [len(found) for found in hashes] == [25, 25]
    assert not hashes[0] & hashes[1]
    assert f"{treasury}?page=2".lower() in first.lower()
    assert f"{treasury}?page=1".lower() in second.lower()


async def test_a_token_tells_its_supply_and_an_nft_its_owner_and_picture(unchanging_http: httpx.AsyncClient) -> None:
    dollar = _text(await unchanging_http.get(f"/explorer/{ETHEREUM}/token/{WORLD.dollar.address}"))
    assert re.search(r"Symbol USDC Decimals 6 Supply [0-9,.]+ USDC", dollar)
    bird = await unchanging_http.get(f"/explorer/{ETHEREUM}/token/{BIRDS.address}?a=1")
    assert f"Token id 1 Owner {FIRST}" in _text(bird)
    assert 'src="data:image/svg+xml' in bird.text


async def test_solana_has_pages_of_its_own(unchanging_http: httpx.AsyncClient, sandbox: Sandbox) -> None:
    account = _text(await unchanging_http.get(f"/explorer/{SOLANA}/account/{HOLDER}"))
    assert "Balance 100 SOL" in account
    assert "USD Coin 1,500 USDC" in account
    listed = await _asked(unchanging_http, sandbox, "getSignaturesForAddress", HOLDER)
    assert isinstance(listed, list)
    transaction = _text(await unchanging_http.get(f"/explorer/{SOLANA}/tx/{listed[0]['signature']}"))
    assert re.search(r"Account 1 \+[0-9,]+ [A-Za-z]+", transaction)
    nft = await unchanging_http.get(f"/explorer/{SOLANA}/token/{COLLECTION.key(1).pubkey()}")
    assert "Harbours #1" in _text(nft)
    assert 'src="/artworks/' in nft.text


@pytest.mark.parametrize(
    ("path", "says"),
    [
        (f"/{ETHEREUM}/tx/0x{'0' * 64}", "has no transaction"),
        (f"/{ETHEREUM}/tx/nonsense", "is no transaction of Ethereum"),
        (f"/{ETHEREUM}/address/0x12", "is no address of Ethereum"),
        (f"/{ETHEREUM}/address/{FIRST}?page=0", "is the number of no page"),
        (f"/{ETHEREUM}/token/{FIRST}", "has no token"),
        (f"/{ETHEREUM}/token/{BIRDS.address}?a=-1", "is the id of no token"),
        (f"/{SOLANA}/tx/0x{'0' * 64}", "is no transaction of Solana"),
        (f"/{SOLANA}/account/{FIRST}", "is no address of Solana"),
        (f"/{SOLANA}/token/{HOLDER}", "has no token"),
        ("/eip155:5", "No chain eip155:5 runs on this machine"),
        ("/eip155:1/blocks/1", "no such page"),
        ("/search?q=", "neither a hash nor an address"),
        ("/search?q=%3Cscript%3E", "<script> is neither"),
    ],
)
async def test_what_is_not_there_is_said_in_words(unchanging_http: httpx.AsyncClient, path: str, says: str) -> None:
    answer = await unchanging_http.get(f"/explorer{path}")
    assert answer.status_code == 404
    assert says in _text(answer)
    assert "<script" not in answer.text


@pytest.mark.parametrize(
    ("asked", "leads_to"),
    [
        (FIRST, f"/explorer/{ETHEREUM}/address/{FIRST}"),
        (f" {HOLDER} ", f"/explorer/{SOLANA}/account/{HOLDER}"),
        ("5" * 88, f"/explorer/{SOLANA}/tx/{'5' * 88}"),
    ],
)
async def test_a_search_leads_to_what_was_typed(unchanging_http: httpx.AsyncClient, asked: str, leads_to: str) -> None:
    answer = await unchanging_http.get("/explorer/search", params={"q": asked})
    assert (answer.status_code, answer.headers["location"]) == (303, leads_to)


async def test_a_search_finds_the_chain_of_a_transaction(unchanging_http: httpx.AsyncClient, rpc: Rpc) -> None:
    block = await rpc("eip155:137", "eth_getBlockByNumber", "latest", True)
    assert isinstance(block, dict)
    number = block["transactions"][0]["hash"]
    answer = await unchanging_http.get("/explorer/search", params={"q": number})
    assert answer.headers["location"] == f"/explorer/eip155:137/tx/{number}"


async def test_what_a_chain_says_stays_text() -> None:
    said = '<img src=x onerror="alert(1)">&amp;\x00\ud800'
    body = bytes(page(said, el("p", said, title=said)).body).decode()
    found: list[str] = []
    reader = HTMLParser()
    reader.handle_starttag = lambda tag, attrs: found.append(tag) if ("src", "x") in attrs else None  # type: ignore[method-assign]  # of one object
    reader.feed(body)
    assert found == []
    assert said[:35] in unescape(body)
    assert "\x00" not in body


async def test_amounts_are_whole_and_grouped() -> None:
    assert amount(123_456_789_012_345_678_901_234, 18, "ETH") == "123,456.789012345678901234 ETH"
    assert amount(0, 6, "USDC") == "0 USDC"
    assert amount(1, 0, "a\u202eb") == "1 ab"


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_pages_fit_a_phone_and_have_no_fault_in_the_console(
    unchanging_http: httpx.AsyncClient, sandbox: Sandbox, chromium: Browser, scheme: str
) -> None:
    context = await chromium.new_context(viewport={"width": 360, "height": 740}, color_scheme=scheme)  # type: ignore[arg-type]  # a parameter
    shown = await context.new_page()
    said: list[str] = []
    shown.on("console", lambda message: said.append(message.text))
    for path in ("/", f"/{ETHEREUM}", f"/{ETHEREUM}/address/{FIRST}", f"/{SOLANA}/account/{HOLDER}"):
        await shown.goto(f"{sandbox.url}/explorer{path}")
        assert await shown.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    assert said == []
    await context.close()

"""Request log, faucet, reset, and who may use them."""

from collections.abc import Awaitable, Callable

import httpx
import pytest

from tests.patience import PATIENCE
from walletmodal.sandbox import Sandbox
from walletmodal.sandbox.evm.world import worlds
from walletmodal.sandbox.journal import KEPT, Journal
from walletmodal.sandbox.solana.world import CHAIN as SOLANA
from walletmodal.sandbox.solana.world import TOKENS

pytestmark = pytest.mark.asyncio(loop_scope="session")

ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
UNUSED = "0x00000000000000000000000000000000000dead5"
ETHEREUM = "/rpc/v1/?chainId=eip155:1&projectId=test"
DOLLAR = worlds()["eip155:1"].dollar.address
SOMEONE = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"
CHAIN_ID = {"jsonrpc": "2.0", "id": 1, "method": "eth_chainId"}

Rpc = Callable[..., Awaitable[object]]


async def test_requests_are_logged_with_everything_newest_last(http: httpx.AsyncClient) -> None:
    await http.post(ETHEREUM, json=CHAIN_ID, headers={"X-Mark": "first"})
    await http.post(ETHEREUM, content=b"no json")
    first, second = (await http.get("/sandbox/requests", params={"service": "rpc"})).json()
    assert first["at"] <= second["at"]
    assert first["headers"]["x-mark"] == "first"
    del first["headers"], first["at"]
    assert first == {
        "service": "rpc",
        "method": "POST",
        "path": "/v1/",
        "query": {"chainId": "eip155:1", "projectId": "test"},
        "body": CHAIN_ID,
    }
    assert second["body"] == "no json"


async def test_the_log_keeps_services_apart(http: httpx.AsyncClient) -> None:
    await http.post(ETHEREUM, json=CHAIN_ID)
    assert (await http.get("/sandbox/requests", params={"service": "relay"})).json() == []
    assert len((await http.get("/sandbox/requests")).json()) == 1


async def test_an_unknown_service_is_refused(unchanging_http: httpx.AsyncClient) -> None:
    answer = await unchanging_http.get("/sandbox/requests", params={"service": "nope"})
    assert answer.status_code == 400


async def test_the_log_is_bounded() -> None:
    journal = Journal()
    for number in range(KEPT + 5):
        path = f"/{number}"
        journal.add(service="rpc", method="POST", path=path, query={}, headers={}, body=b"")
    kept = journal.newest_last(None)
    assert (len(kept), kept[0]["path"]) == (KEPT, "/5")


async def test_the_faucet_adds_to_the_balance(http: httpx.AsyncClient, rpc: Rpc) -> None:
    wish = {"address": ADDRESS, "chain": "eip155:137", "amount": "5"}
    before = int(str(await rpc("eip155:137", "eth_getBalance", ADDRESS, "latest")), 16)
    answers = [(await http.post("/sandbox/faucet", json=wish)).json() for _ in range(2)]
    after = int(str(await rpc("eip155:137", "eth_getBalance", ADDRESS, "latest")), 16)
    assert after == before + 10
    assert answers[1]["balance"] == str(after)


@pytest.mark.parametrize(
    ("chain", "symbol"), [("eip155:1", "USDC"), ("eip155:1", "USDT"), ("eip155:1", "WETH"), ("eip155:137", "WPOL")]
)
async def test_the_faucet_gives_tokens(http: httpx.AsyncClient, sandbox: Sandbox, chain: str, symbol: str) -> None:
    token = worlds()[chain].token(symbol)
    assert token is not None
    wish = {"address": UNUSED, "chain": chain, "token": f"{chain}:{token.address}", "amount": "5"}
    for total in ("5", "10"):
        answer = await http.post("/sandbox/faucet", json=wish)
        assert answer.status_code == 200, answer.text
        assert answer.json() == {"address": UNUSED, "chain": chain, "token": wish["token"], "balance": total}


@pytest.mark.parametrize("token", [None, TOKENS[0].mint])
async def test_the_faucet_gives_on_solana(http: httpx.AsyncClient, token: str | None) -> None:
    wish = {"address": SOMEONE, "chain": SOLANA, "amount": "5000000", "token": token and f"{SOLANA}:{token}"}
    answers = [(await http.post("/sandbox/faucet", json=wish)).json() for _ in range(2)]
    assert answers[1]["balance"] == "10000000", answers


async def test_what_the_faucet_gives_is_a_transaction_in_a_block(http: httpx.AsyncClient, rpc: Rpc) -> None:
    wish = {"address": UNUSED, "chain": "eip155:1", "amount": "5"}
    (await http.post("/sandbox/faucet", json=wish)).raise_for_status()
    block = await rpc("eip155:1", "eth_getBlockByNumber", "latest", True)
    assert isinstance(block, dict)
    assert [(one["to"], one["value"]) for one in block["transactions"]] == [(UNUSED.lower(), "0x5")]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"address": "0x1"}, "address"),
        ({"address": ADDRESS.replace("C", "c", 1)}, "address"),
        ({"address": ADDRESS[2:]}, "address"),
        ({"chain": "eip155:5"}, "chain"),
        ({"amount": "0"}, "amount"),
        ({"amount": "-1"}, "amount"),
        ({"amount": "1.5"}, "amount"),
        ({"amount": 5}, "amount"),
        ({"amount": "9" * 78}, "amount"),
        ({"token": "eip155:1:" + ADDRESS}, "token"),
        ({"token": "eip155:137:" + DOLLAR}, "token"),
        ({"token": DOLLAR}, "token"),
        ({"token": "eip155:1:"}, "token"),
        ({"token": "eip155:1:" + DOLLAR, "address": "0x" + "0" * 40}, "address"),
        ({"token": "eip155:1:" + DOLLAR, "amount": "9" * 78}, "amount"),
        ({"token": "eip155:1:" + DOLLAR, "amount": str(2**256 - 1)}, "amount"),
        ({"chain": SOLANA}, "address"),
        ({"chain": SOLANA, "address": SOMEONE, "amount": str(2**64)}, "amount"),
        ({"chain": SOLANA, "address": SOMEONE, "token": f"{SOLANA}:{SOMEONE}"}, "token"),
        ({"more": 1}, "more"),
    ],
)
async def test_a_wrong_wish_is_refused_and_the_field_named(
    unchanging_http: httpx.AsyncClient, change: dict[str, object], field: str
) -> None:
    wish = {"address": ADDRESS, "chain": "eip155:1", "amount": "5", **change}
    answer = await unchanging_http.post("/sandbox/faucet", json=wish)
    assert answer.status_code == 400
    assert answer.json()["reasons"][0]["field"] == field


async def test_what_is_no_json_is_refused(unchanging_http: httpx.AsyncClient) -> None:
    answer = await unchanging_http.post("/sandbox/faucet", content=b"{")
    assert answer.status_code == 400


async def test_reset_takes_chains_faults_and_log_back(http: httpx.AsyncClient, rpc: Rpc) -> None:
    first = int(str(await rpc("eip155:1", "eth_getBalance", ADDRESS, "latest")), 16)
    for _ in range(2):
        wish = {"address": ADDRESS, "chain": "eip155:1", "amount": "7"}
        (await http.post("/sandbox/faucet", json=wish)).raise_for_status()
        await http.post("/sandbox/faults", json={"service": "rpc", "status": 500})
        await http.post(ETHEREUM, json=CHAIN_ID)
        assert (await http.post("/sandbox/reset")).status_code == 200
        assert (await http.get("/sandbox/requests")).json() == []
        balance = int(str(await rpc("eip155:1", "eth_getBalance", ADDRESS, "latest")), 16)
        assert balance == first
        (await http.post("/sandbox/reset")).raise_for_status()


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://host.example"},
        {"origin": "null"},
        {"host": "rebound.example"},
        {"host": "localhost.example"},
    ],
)
async def test_pages_of_other_sites_have_no_control(
    unchanging_http: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    assert (await unchanging_http.post("/sandbox/reset", headers=headers)).status_code == 403


async def test_the_modals_page_has_control_and_another_of_this_machine_has_not(
    unchanging_http: httpx.AsyncClient, sandbox: Sandbox
) -> None:
    port = sandbox.settings.walletmodal_port
    for origin, status in ((f"http://127.0.0.1:{port}", 200), ("http://127.0.0.1:1", 403)):
        answer = await unchanging_http.get("/sandbox/requests", headers={"origin": origin})
        assert answer.status_code == status


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_it_answers_under_both_names(sandbox: Sandbox, host: str) -> None:
    async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
        url = f"http://{host}:{sandbox.settings.sandbox_port}/"
        assert (await client.get(url)).status_code == 200


async def test_it_listens_on_127_0_0_1_and_not_on_every_address(sandbox: Sandbox) -> None:
    ports = [sandbox.settings.sandbox_port, sandbox.settings.evm_port]
    async with httpx.AsyncClient(trust_env=False, timeout=2) as client:
        for port in ports:
            with pytest.raises(httpx.TransportError):
                await client.get(f"http://127.0.0.2:{port}/")

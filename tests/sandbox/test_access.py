"""Who the chains' nodes and the control answer: programs, the sandbox's and the modal's pages, browser extensions; no other page."""

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.ports import sandbox_settings
from walletmodal.sandbox import Sandbox
from walletmodal.sandbox.evm.world import worlds
from walletmodal.sandbox.solana.world import CHAIN as SOLANA

pytestmark = pytest.mark.asyncio(loop_scope="session")

ETHEREUM = "eip155:1"
EXTENSION = "chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn"
STRANGERS = [
    {"origin": "https://evil.example"},
    {"origin": "http://localhost:1"},
    {"origin": "null"},
    {"host": "rebound.example"},
]


def _call(method: str, *params: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}


@pytest.mark.parametrize("headers", STRANGERS)
@pytest.mark.parametrize("chain", [*worlds(), SOLANA])
async def test_pages_of_other_sites_get_nothing_of_a_node(
    unchanging_http: httpx.AsyncClient, sandbox: Sandbox, chain: str, headers: dict[str, str]
) -> None:
    url = sandbox.node_url(chain)
    asked = _call("getHealth" if chain == SOLANA else "eth_chainId")
    asking = {**headers, "content-type": "text/plain"}
    answers = [
        await unchanging_http.post(url, json=asked, headers=headers),
        await unchanging_http.post(url, content=b"{}", headers=asking),
        await unchanging_http.options(url, headers=headers),
    ]
    assert {answer.status_code for answer in answers} == {403}
    assert not any(name.startswith("access-control") for answer in answers for name in answer.headers)


@pytest.mark.parametrize("headers", STRANGERS)
async def test_pages_of_other_sites_get_no_websocket_of_solana(sandbox: Sandbox, headers: dict[str, str]) -> None:
    url = sandbox.solana_websocket_url
    if "host" in headers:
        port = url.rpartition(":")[2]
        opening = connect(f"ws://rebound.example:{port}", host="127.0.0.1", port=int(port), proxy=None)
    else:
        opening = connect(url, additional_headers=headers, proxy=None)
    with pytest.raises(InvalidStatus) as refused:
        async with opening:
            pass
    assert refused.value.response.status_code == 403


async def test_the_sandboxs_and_the_modals_pages_and_extensions_ask_what_a_public_node_answers(
    unchanging_http: httpx.AsyncClient, sandbox: Sandbox
) -> None:
    url, port = sandbox.node_url(ETHEREUM), sandbox.settings.sandbox_port
    for origin in (sandbox.url, f"http://127.0.0.1:{port}", sandbox.settings.modal_origin, EXTENSION):
        headers = {"origin": origin}
        asked = await unchanging_http.options(url, headers={**headers, "access-control-request-method": "POST"})
        assert asked.headers["access-control-allow-headers"] == "content-type"
        answer = await unchanging_http.post(url, json=_call("eth_chainId"), headers=headers)
        assert answer.json()["result"] == "0x1"
        assert answer.headers["access-control-allow-origin"] == origin
        for method in ("anvil_setBalance", "evm_mine", "hardhat_setCode", "debug_traceCall", "eth_sendTransaction"):
            refused = await unchanging_http.post(url, json=[_call("eth_chainId"), _call(method)], headers=headers)
            assert refused.json()["error"]["code"] == -32601


async def test_origins_that_may_embed_the_modal_may_ask_too() -> None:
    settings = sandbox_settings().model_copy(update={"allowed_origins": "https://app.example, https://www.example/"})
    admits = settings.access.admits
    assert [admits(f"https://{name}.example") for name in ("app", "www", "other")] == [True, True, False]


@pytest.mark.parametrize("method", ["anvil_reset", "hardhat_reset", "anvil_setRpcUrl", "anvil_loadState"])
async def test_what_replaces_a_chain_or_fetches_is_the_controls_alone(
    unchanging_http: httpx.AsyncClient, sandbox: Sandbox, method: str
) -> None:
    forking = _call(method, {"forking": {"jsonRpcUrl": "http://127.0.0.1:1/"}})
    for body in (forking, [_call("eth_chainId"), forking]):
        answer = await unchanging_http.post(sandbox.node_url(ETHEREUM), json=body)
        assert answer.json()["error"]["code"] == -32601
        assert f"/sandbox/nodes/{ETHEREUM}" in answer.json()["error"]["message"]


async def test_the_control_takes_every_method_of_a_test_node(http: httpx.AsyncClient, sandbox: Sandbox) -> None:
    node = f"/sandbox/nodes/{ETHEREUM}"
    answer = await http.post(node, json=_call("anvil_reset"))
    assert "error" not in answer.json()
    assert (await http.post(node, json=_call("eth_blockNumber"))).json()["result"] == "0x0"
    assert (await http.post(node, json=_call("anvil_reset"), headers=STRANGERS[0])).status_code == 403
    assert (await http.post("/sandbox/nodes/eip155:5", json=_call("eth_chainId"))).status_code == 404
    (await http.post("/sandbox/reset")).raise_for_status()
    assert (await http.post(node, json=_call("eth_blockNumber"))).json()["result"] != "0x0"


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[" * 100_000])
async def test_what_is_no_json_is_told_so(unchanging_http: httpx.AsyncClient, sandbox: Sandbox, body: bytes) -> None:
    answer = await unchanging_http.post(sandbox.node_url(ETHEREUM), content=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32700)

"""The Sandbox Wallet in a browser: it asks its owner, and does what a wallet does."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import httpx
import pytest
from eth_account import Account
from eth_account.messages import encode_defunct, encode_typed_data
from playwright.async_api import Browser, Page, expect

from tests.browser.host_pages import HostPages
from tests.patience import PATIENCE, patience
from tests.ports import free_ports
from walletmodal.sandbox import Sandbox

pytestmark = pytest.mark.asyncio(loop_scope="session")

OpenPage = Callable[..., Awaitable[Page]]
Rpc = Callable[..., Awaitable[object]]

FIRST = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
SECOND = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
OPTIMISM = {
    "chainId": "0xa",
    "chainName": "OP Mainnet",
    "nativeCurrency": {"name": "Ether", "symbol": "ETH", "decimals": 18},
    "rpcUrls": ["https://rpc.example"],
}

FIND = """
window.events = [];
addEventListener('eip6963:announceProvider', ({ detail }) => {
  if (window.found) return;
  window.found = detail;
  for (const name of ['accountsChanged', 'chainChanged', 'connect', 'disconnect'])
    detail.provider.on(name, (value) => events.push([name, value]));
});
dispatchEvent(new Event('eip6963:requestProvider'));
"""
REQUEST = """(request) => { window.answer = found.provider.request(request).then(
  (value) => ({ value }), ({ code, message }) => ({ code, message })); }"""


class Dapp:
    """A page's side of the wallet, and its owner's finger."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def find(self) -> "Dapp":
        await self.page.evaluate(FIND)
        return self

    async def ask(self, method: str, *params: object) -> None:
        await self.page.evaluate(REQUEST, {"method": method, "params": list(params)})

    async def answer(self) -> dict[str, Any]:
        answer: dict[str, Any] = await asyncio.wait_for(self.page.evaluate("window.answer"), PATIENCE)
        return answer

    async def silent(self, method: str, *params: object) -> dict[str, Any]:
        await self.ask(method, *params)
        return await self.answer()

    async def approved(self, method: str, *params: object) -> dict[str, Any]:
        await self.ask(method, *params)
        await self.page.get_by_test_id("sandbox-wallet-approve").click()
        return await self.answer()

    async def rejected(self, method: str, *params: object) -> dict[str, Any]:
        await self.ask(method, *params)
        await self.page.get_by_test_id("sandbox-wallet-reject").click()
        return await self.answer()

    async def events(self) -> list[list[Any]]:
        events: list[list[Any]] = await self.page.evaluate("window.events")
        return events


async def _dapp(open_page: OpenPage, connected: bool = True) -> Dapp:
    dapp = await Dapp(await open_page(loader=False)).find()
    if connected:
        assert await dapp.approved("eth_requestAccounts") == {"value": [FIRST]}
    return dapp


async def test_it_is_announced(open_page: OpenPage) -> None:
    dapp = await _dapp(open_page, connected=False)
    info = await dapp.page.evaluate("found.info")
    assert (info["name"], info["rdns"]) == ("Sandbox Wallet", "dev.walletmodal.sandbox")
    assert info["icon"].startswith("data:image/svg+xml,")
    assert await dapp.page.evaluate("window.ethereum") is None


async def test_connecting_needs_approval(open_page: OpenPage) -> None:
    dapp = await _dapp(open_page, connected=False)
    assert await dapp.silent("eth_accounts") == {"value": []}
    assert await dapp.approved("eth_requestAccounts") == {"value": [FIRST]}
    assert await dapp.silent("eth_accounts") == {"value": [FIRST]}
    assert ["accountsChanged", [FIRST]] in await dapp.events()


async def test_rejecting_is_4001(open_page: OpenPage) -> None:
    dapp = await _dapp(open_page, connected=False)
    assert (await dapp.rejected("eth_requestAccounts"))["code"] == 4001
    assert await dapp.silent("eth_accounts") == {"value": []}


async def test_escape_rejects(open_page: OpenPage) -> None:
    dapp = await _dapp(open_page, connected=False)
    await dapp.ask("eth_requestAccounts")
    await expect(dapp.page.get_by_test_id("sandbox-wallet-approve")).to_be_visible()
    await dapp.page.keyboard.press("Escape")
    assert (await dapp.answer())["code"] == 4001


async def test_the_keyboard_alone_approves(open_page: OpenPage) -> None:
    dapp = await _dapp(open_page, connected=False)
    await dapp.ask("eth_requestAccounts")
    await expect(dapp.page.get_by_test_id("sandbox-wallet-approve")).to_be_visible()
    for _ in range(4):
        await dapp.page.keyboard.press("Tab")
        focused = await dapp.page.evaluate("document.activeElement.dataset.testid ?? ''")
        if focused == "sandbox-wallet-approve":
            break
    await dapp.page.keyboard.press("Enter")
    assert await dapp.answer() == {"value": [FIRST]}


async def test_asking_to_connect_twice_asks_the_owner_once(open_page: OpenPage) -> None:
    dapp = await _dapp(open_page, connected=False)
    await dapp.ask("eth_requestAccounts")
    await dapp.ask("eth_requestAccounts")
    await dapp.page.get_by_test_id("sandbox-wallet-approve").click()
    assert await dapp.answer() == {"value": [FIRST]}
    await expect(dapp.page.get_by_test_id("sandbox-wallet-approve")).to_have_count(0)


async def test_after_a_reload_it_is_connected_without_a_question(open_page: OpenPage) -> None:
    dapp = await _dapp(open_page)
    await dapp.page.reload()
    await dapp.find()
    assert await dapp.silent("eth_accounts") == {"value": [FIRST]}
    await expect(dapp.page.get_by_test_id("sandbox-wallet-approve")).to_have_count(0)


async def test_spoilt_memory_is_a_fresh_start(open_page: OpenPage) -> None:
    dapp = await _dapp(open_page)
    for spoilt in ["{", "null", '{"account":99}', '{"account":0,"connected":true,"known":"1"}']:
        await dapp.page.evaluate("(text) => localStorage.setItem('sandbox-wallet', text)", spoilt)
        await dapp.page.reload()
        await dapp.find()
        assert await dapp.silent("eth_accounts") == {"value": []}
        assert await dapp.silent("eth_chainId") == {"value": "0x1"}


async def test_switching_to_a_known_chain(open_page: OpenPage, rpc: Rpc) -> None:
    dapp = await _dapp(open_page)
    assert await dapp.approved("wallet_switchEthereumChain", {"chainId": "0x89"}) == {"value": None}
    assert await dapp.silent("eth_chainId") == {"value": "0x89"}
    assert ["chainChanged", "0x89"] in await dapp.events()
    assert await dapp.silent("eth_blockNumber") == {"value": await rpc("eip155:137", "eth_blockNumber")}


async def test_an_unknown_chain_is_4902_until_it_is_added(open_page: OpenPage) -> None:
    dapp = await _dapp(open_page)
    assert (await dapp.silent("wallet_switchEthereumChain", {"chainId": "0xa"}))["code"] == 4902
    assert (await dapp.rejected("wallet_addEthereumChain", OPTIMISM))["code"] == 4001
    assert await dapp.approved("wallet_addEthereumChain", OPTIMISM) == {"value": None}
    assert await dapp.silent("wallet_switchEthereumChain", {"chainId": "0xa"}) == {"value": None}
    assert ["chainChanged", "0xa"] in await dapp.events()


async def test_a_chain_that_the_sandbox_does_not_run_cannot_be_added(open_page: OpenPage) -> None:
    dapp = await _dapp(open_page)
    answer = await dapp.silent("wallet_addEthereumChain", {**OPTIMISM, "chainId": "0x5"})
    assert answer["code"] == -32602


async def test_a_signed_message_recovers_to_the_account(open_page: OpenPage) -> None:
    dapp = await _dapp(open_page)
    await dapp.ask("personal_sign", "0x" + "Grüße".encode().hex(), FIRST)
    await expect(dapp.page.get_by_test_id("sandbox-wallet-detail")).to_have_text("Grüße")
    await dapp.page.get_by_test_id("sandbox-wallet-approve").click()
    signature = (await dapp.answer())["value"]
    message = encode_defunct(text="Grüße")
    assert Account.recover_message(message, signature=signature) == FIRST


async def test_signed_typed_data_recovers_to_the_account(open_page: OpenPage) -> None:
    typed = {
        "types": {
            "EIP712Domain": [{"name": "name", "type": "string"}],
            "Mail": [{"name": "to", "type": "address"}, {"name": "cents", "type": "uint256"}],
        },
        "primaryType": "Mail",
        "domain": {"name": "Post"},
        "message": {"to": SECOND, "cents": "12"},
    }
    dapp = await _dapp(open_page)
    signature = (await dapp.approved("eth_signTypedData_v4", FIRST, json.dumps(typed)))["value"]
    typed["message"] = {"to": SECOND, "cents": 12}
    message = encode_typed_data(full_message=typed)
    assert Account.recover_message(message, signature=signature) == FIRST


async def test_a_transaction_is_mined(open_page: OpenPage, rpc: Rpc) -> None:
    dapp = await _dapp(open_page)
    await dapp.ask("eth_sendTransaction", {"from": FIRST, "to": SECOND, "value": "0x2386f26fc10000"})
    card = dapp.page.locator("#sandbox-wallet")
    await expect(card).to_contain_text("0.01 ETH")
    await expect(card).to_contain_text(SECOND)
    await dapp.page.get_by_test_id("sandbox-wallet-approve").click()
    tx_hash = (await dapp.answer())["value"]
    # The node gives the hash before the block is there.
    async with patience():
        while not isinstance(receipt := await rpc("eip155:1", "eth_getTransactionReceipt", tx_hash), dict):
            await asyncio.sleep(0.01)
    assert receipt["status"] == "0x1"
    balance = await rpc("eip155:1", "eth_getBalance", SECOND, "latest")
    assert int(str(balance), 16) == 10_000 * 10**18 + 10**16


async def test_an_unlimited_allowance_is_named(open_page: OpenPage) -> None:
    dapp = await _dapp(open_page)
    data = "0x095ea7b3" + SECOND[2:].lower().rjust(64, "0") + "f" * 64
    await dapp.ask("eth_sendTransaction", {"from": FIRST, "to": SECOND, "data": data})
    card = dapp.page.locator("#sandbox-wallet")
    await expect(card).to_contain_text("without limit")
    await expect(card).to_contain_text(SECOND.lower())


async def test_what_the_node_refuses_is_told(open_page: OpenPage) -> None:
    dapp = await _dapp(open_page)
    too_much = {"from": FIRST, "to": SECOND, "value": hex(10**30)}
    answer = await dapp.approved("eth_sendTransaction", too_much)
    assert "nsufficient funds" in answer["message"]


async def test_what_cannot_be_done_is_refused_at_once(open_page: OpenPage) -> None:
    cases: list[tuple[str, list[object], int]] = [
        ("personal_sign", ["0x00", SECOND], 4100),
        ("personal_sign", ["0x00"], -32602),
        ("personal_sign", [{}, FIRST], -32602),
        ("eth_signTypedData_v4", [FIRST, "{"], -32602),
        ("eth_signTypedData_v4", [FIRST, "{}"], -32602),
        ("eth_sendTransaction", [], -32602),
        ("eth_sendTransaction", [{"from": SECOND, "to": FIRST}], 4100),
        ("eth_sendTransaction", [{"from": FIRST}], -32602),
        ("eth_sendTransaction", [{"from": FIRST, "to": SECOND, "value": "1"}], -32602),
        ("eth_sendTransaction", [{"from": FIRST, "to": SECOND, "chainId": "0x89"}], -32602),
        ("wallet_switchEthereumChain", [{"chainId": 1}], -32602),
        ("wallet_switchEthereumChain", [], -32602),
        ("wallet_addEthereumChain", [{"chainId": "0xa"}], -32602),
        ("wallet_revokePermissions", [{"other": {}}], -32602),
        ("eth_sign", [FIRST, "0x00"], 4200),
        ("wallet_sendCalls", [{}], 4200),
        ("toString", [], 4200),
    ]
    dapp = await _dapp(open_page)
    codes = [(await dapp.silent(method, *params))["code"] for method, params, _ in cases]
    assert codes == [code for _, _, code in cases]


async def test_nothing_is_signed_without_connection(open_page: OpenPage) -> None:
    dapp = await _dapp(open_page, connected=False)
    assert (await dapp.silent("personal_sign", "0x00", FIRST))["code"] == 4100


async def test_permissions_come_and_go(open_page: OpenPage) -> None:
    dapp = await _dapp(open_page, connected=False)
    assert await dapp.silent("wallet_getPermissions") == {"value": []}
    granted = await dapp.approved("wallet_requestPermissions", {"eth_accounts": {}})
    assert granted["value"][0]["parentCapability"] == "eth_accounts"
    assert await dapp.silent("wallet_revokePermissions", {"eth_accounts": {}}) == {"value": None}
    assert await dapp.silent("eth_accounts") == {"value": []}
    assert (await dapp.events())[-1] == ["accountsChanged", []]


async def test_the_owner_changes_account_network_and_lock(open_page: OpenPage) -> None:
    dapp = await _dapp(open_page)
    page = dapp.page
    await page.get_by_test_id("sandbox-wallet-toggle").click()
    await page.get_by_test_id("sandbox-wallet-account").select_option("1")
    await page.get_by_test_id("sandbox-wallet-network").select_option("137")
    await page.get_by_test_id("sandbox-wallet-lock").click()
    await page.get_by_test_id("sandbox-wallet-lock").click()
    await page.get_by_test_id("sandbox-wallet-disconnect").click()
    owner = [one for one in await dapp.events() if one[0] != "connect"]
    assert owner == [
        ["accountsChanged", [FIRST]],
        ["accountsChanged", [SECOND]],
        ["chainChanged", "0x89"],
        ["accountsChanged", []],
        ["accountsChanged", [SECOND]],
        ["accountsChanged", []],
    ]


async def test_a_lost_gateway_is_4900_and_told_as_an_event(open_page: OpenPage, http: httpx.AsyncClient) -> None:
    dapp = await _dapp(open_page)
    assert "value" in await dapp.silent("eth_blockNumber")
    await http.post("/sandbox/faults", json={"service": "rpc", "drop": True})
    assert (await dapp.silent("eth_blockNumber"))["code"] == 4900
    await http.delete("/sandbox/faults")
    assert "value" in await dapp.silent("eth_blockNumber")
    reached = [name for name, _ in await dapp.events() if name in ("connect", "disconnect")]
    assert reached == ["connect", "disconnect", "connect"]


async def test_the_panel_stands_above_a_modal_over_the_whole_page(open_page: OpenPage) -> None:
    dapp = await _dapp(open_page, connected=False)
    await dapp.page.evaluate(
        """() => { const frame = document.createElement('iframe');
        frame.style.cssText = 'position:fixed;inset:0;width:100%;height:100%;z-index:2147483647';
        document.body.append(frame); }"""
    )
    assert await dapp.approved("eth_requestAccounts") == {"value": [FIRST]}


@pytest.fixture
def own_pages() -> Iterator[HostPages]:
    pages = HostPages(free_ports())
    yield pages
    pages.close()


async def test_on_a_page_of_another_origin_it_is_as_at_home(
    chromium: Browser, sandbox: Sandbox, own_pages: HostPages
) -> None:
    script = f'<script src="{sandbox.url}/demo/sandbox-wallet.js" defer></script>'
    own_pages.put("/", f'<!doctype html><title>Own page</title><link rel="icon" href="data:,">{script}')
    page = await chromium.new_page()
    await page.goto(own_pages.allowed)
    dapp = await Dapp(page).find()
    assert await dapp.approved("eth_requestAccounts") == {"value": [FIRST]}
    told = await dapp.silent("eth_getBalance", FIRST, "latest")
    assert int(str(told.get("value")), 16) > 0
    await page.close()

"""The counterpart itself: a wallet that tests trust must be right before the product is held against it."""

from collections.abc import Iterator
from typing import Any

import pytest
from eth_account import Account
from eth_account.messages import encode_defunct, encode_typed_data
from playwright.sync_api import Browser, Page

from tests.browser.chain import TestAccount, new_account
from tests.browser.polling import until
from tests.browser.stack import Stack
from tests.browser.wallet import RDNS, TestWallet, WalletSetup

DAPP = """<!doctype html><html lang="en"><title>dapp</title><link rel="icon" href="data:,"><script>
window.announced = {}; window.heard = [];
addEventListener("eip6963:announceProvider", ({detail}) => { announced[detail.info.rdns] = detail; });
dispatchEvent(new Event("eip6963:requestProvider"));
window.ask = (method, params = []) => ethereum.request({method, params}).then((value) => ({value}), (error) => ({code: error?.code}));
for (const name of ["accountsChanged", "chainChanged", "disconnect"]) ethereum.on(name, (value) => heard.push([name, value]));
</script></html>"""

TYPED = {
    "types": {"EIP712Domain": [{"name": "name", "type": "string"}], "Note": [{"name": "text", "type": "string"}]},
    "primaryType": "Note",
    "domain": {"name": "dapp"},
    "message": {"text": "hello"},
}


@pytest.fixture
def dapp(stack: Stack, chromium: Browser, account: TestAccount) -> Iterator[Page]:
    """A page of our own with the wallet in it."""
    stack.hosts.put("/dapp", DAPP)
    context = chromium.new_context()
    context.add_init_script(WalletSetup((account, new_account()), {1: stack.node_urls[1]}).init_script())
    page = context.new_page()
    page.goto(f"{stack.hosts.allowed}/dapp")
    yield page
    context.close()


def begin(page: Page, method: str, *params: object) -> None:
    page.evaluate(
        "([m, p]) => { window.answer = null; ask(m, p).then((a) => { window.answer = a; }); }", [method, list(params)]
    )


def end(page: Page) -> Any:
    return until(
        lambda: page.evaluate("window.answer"),
        what="the wallet's answer",
        wait=lambda s: page.wait_for_timeout(s * 1000),
    )


def connect(page: Page) -> None:
    begin(page, "eth_requestAccounts")
    TestWallet(page).approve()
    end(page)


def test_it_announces_itself(dapp: Page) -> None:
    assert dapp.evaluate("announced[Object.keys(announced)[0]].info.rdns") == RDNS


def test_it_gives_no_account_unasked(dapp: Page) -> None:
    begin(dapp, "eth_accounts")
    assert end(dapp) == {"value": []}


def test_its_owner_may_refuse(dapp: Page) -> None:
    begin(dapp, "eth_requestAccounts")
    TestWallet(dapp).reject()
    assert end(dapp) == {"code": 4001}


def test_its_owner_may_agree(dapp: Page, account: TestAccount) -> None:
    begin(dapp, "eth_requestAccounts")
    TestWallet(dapp).approve()
    assert end(dapp)["value"][0] == account.address.lower()


def test_it_remembers_the_permission_over_a_reload(dapp: Page, account: TestAccount) -> None:
    connect(dapp)
    dapp.reload()
    begin(dapp, "eth_accounts")
    assert end(dapp)["value"][0] == account.address.lower()


def test_it_signs_messages(dapp: Page, account: TestAccount) -> None:
    connect(dapp)
    begin(dapp, "personal_sign", "0x" + b"hello".hex(), account.address)
    TestWallet(dapp).approve("personal_sign")
    assert Account.recover_message(encode_defunct(b"hello"), signature=end(dapp)["value"]) == account.address


def test_it_signs_typed_data(dapp: Page, account: TestAccount) -> None:
    connect(dapp)
    dapp.evaluate("(typed) => { window.typed = JSON.stringify(typed); }", TYPED)
    begin(dapp, "eth_signTypedData_v4", account.address, dapp.evaluate("window.typed"))
    TestWallet(dapp).approve("eth_signTypedData_v4")
    assert (
        Account.recover_message(encode_typed_data(full_message=TYPED), signature=end(dapp)["value"]) == account.address
    )


def test_its_transactions_are_mined(dapp: Page, account: TestAccount, stack: Stack) -> None:
    stack.chain(1).fund(account.address, "1")
    connect(dapp)
    begin(dapp, "eth_sendTransaction", {"from": account.address, "to": new_account().address, "value": hex(10**16)})
    TestWallet(dapp).approve("eth_sendTransaction")
    sent = end(dapp)["value"]
    receipt = until(lambda: stack.chain(1).call("eth_getTransactionReceipt", sent), what="the receipt")
    assert isinstance(receipt, dict)
    assert receipt["status"] == "0x1"


def test_it_does_not_know_every_chain(dapp: Page) -> None:
    begin(dapp, "wallet_switchEthereumChain", {"chainId": "0x89"})
    assert end(dapp) == {"code": 4902}


def test_it_can_learn_a_chain(dapp: Page, stack: Stack) -> None:
    begin(
        dapp, "wallet_addEthereumChain", {"chainId": "0x89", "chainName": "Polygon", "rpcUrls": [stack.node_urls[137]]}
    )
    TestWallet(dapp).approve("wallet_addEthereumChain")
    end(dapp)
    begin(dapp, "eth_chainId")
    assert end(dapp) == {"value": "0x89"}


def test_it_tells_of_another_account(dapp: Page) -> None:
    connect(dapp)
    chosen = new_account()
    TestWallet(dapp).select_accounts(chosen)
    until(
        lambda: dapp.evaluate("heard"),
        lambda heard: ["accountsChanged", [chosen.address.lower()]] in heard,
        what="accountsChanged",
    )


def test_it_tells_that_it_is_gone(dapp: Page) -> None:
    TestWallet(dapp).vanish()
    until(lambda: dapp.evaluate("heard.map(([name]) => name)"), lambda heard: "disconnect" in heard, what="disconnect")


@pytest.mark.parametrize("kind", ["throw", "answer", "plain"])
def test_it_misbehaves_on_demand(dapp: Page, kind: str) -> None:
    TestWallet(dapp).misbehave("eth_requestAccounts", kind, "nonsense")
    told = dapp.evaluate(
        "(async () => { try { return await ethereum.request({method: 'eth_requestAccounts'}); } catch (e) { return e; } })()"
    )
    assert told == "nonsense"

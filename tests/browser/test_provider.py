"""`getProvider('eip155')`: the host's own libraries read, sign, send and switch through the modal."""

from typing import Any

import pytest
from eth_account import Account
from eth_account.messages import encode_defunct, encode_typed_data
from playwright.sync_api import expect

from tests.browser.chain import new_account
from tests.browser.stack import Stack
from tests.browser.visits import Visit

HELLO = "0x" + b"hello".hex()

TYPED = {
    "types": {"EIP712Domain": [{"name": "name", "type": "string"}], "Note": [{"name": "text", "type": "string"}]},
    "primaryType": "Note",
    "domain": {"name": "host"},
    "message": {"text": "hello"},
}


def listen(visitor: Visit) -> None:
    visitor.page.evaluate(
        """() => {
          window.heard = [];
          const provider = modal.getProvider("eip155");
          for (const name of ["connect", "disconnect", "accountsChanged", "chainChanged"]) provider.on(name, (value) => heard.push([name, value]));
        }"""
    )


def heard(visitor: Visit, name: str) -> list[Any]:
    found: list[Any] = visitor.page.evaluate(
        "(name) => heard.filter(([heardName]) => heardName === name).map(([, value]) => value)", name
    )
    return found


def test_it_knows_the_account(connected: Visit) -> None:
    assert [each.lower() for each in connected.modal.request("eth_accounts")["value"]] == [
        connected.account.address.lower()
    ]


def test_it_gives_no_account_before_a_wallet_is_connected(visitor: Visit) -> None:
    assert visitor.modal.request("eth_accounts") == {"value": []}


def test_it_knows_the_chain(connected: Visit) -> None:
    assert connected.modal.request("eth_chainId") == {"value": "0x1"}


def test_it_reads_the_chain(connected: Visit, stack: Stack) -> None:
    stack.chain(1).fund(connected.account.address, "2")
    outcome = connected.modal.request("eth_getBalance", [connected.account.address, "latest"])
    assert int(outcome["value"], 16) == stack.chain(1).balance(connected.account.address)


def test_a_read_does_not_go_to_the_wallet(connected: Visit) -> None:
    connected.modal.request("eth_blockNumber")
    assert connected.wallet.calls("eth_blockNumber") == 0


def test_it_signs_a_message(connected: Visit) -> None:
    connected.modal.begin_request("sign", "personal_sign", [HELLO, connected.account.address])
    connected.wallet.approve("personal_sign")
    signature = connected.modal.outcome("sign")["value"]
    assert Account.recover_message(encode_defunct(b"hello"), signature=signature) == connected.account.address


def test_it_signs_typed_data(connected: Visit) -> None:
    typed = connected.page.evaluate("(typed) => JSON.stringify(typed)", TYPED)
    connected.modal.begin_request("sign", "eth_signTypedData_v4", [connected.account.address, typed])
    connected.wallet.approve("eth_signTypedData_v4")
    signature = connected.modal.outcome("sign")["value"]
    assert (
        Account.recover_message(encode_typed_data(full_message=TYPED), signature=signature) == connected.account.address
    )


def test_a_refused_signature_rejects(connected: Visit) -> None:
    connected.modal.begin_request("sign", "personal_sign", [HELLO, connected.account.address])
    connected.wallet.reject("personal_sign")
    assert connected.modal.outcome("sign")["code"] == 4001


def test_it_sends_a_transaction(connected: Visit, stack: Stack) -> None:
    stack.chain(1).fund(connected.account.address, "1")
    receiver = new_account().address
    transaction = {"from": connected.account.address, "to": receiver, "value": hex(5 * 10**17)}
    connected.modal.begin_request("send", "eth_sendTransaction", [transaction])
    connected.wallet.approve("eth_sendTransaction")
    connected.modal.outcome("send")
    connected.modal.wait(lambda: stack.chain(1).balance(receiver) == 5 * 10**17, what="the coins at the receiver")


def test_it_switches_the_network(connected: Visit) -> None:
    connected.modal.begin_request("switch", "wallet_switchEthereumChain", [{"chainId": "0x89"}])
    connected.wallet.approve("wallet_switchEthereumChain")
    assert connected.modal.outcome("switch") == {"value": None}


def test_a_network_that_is_not_configured_is_unknown(connected: Visit) -> None:
    assert connected.modal.request("wallet_switchEthereumChain", [{"chainId": "0x38"}])["code"] == 4902


def test_asking_for_accounts_opens_connect(visitor: Visit) -> None:
    visitor.modal.begin_request("ask", "eth_requestAccounts")
    visitor.modal.expect_view("Connect Wallet", first=True)


def test_asking_for_accounts_gives_them_once_connected(visitor: Visit) -> None:
    visitor.modal.begin_request("ask", "eth_requestAccounts")
    visitor.modal.choose_wallet()
    visitor.wallet.approve()
    assert visitor.modal.outcome("ask")["value"][0].lower() == visitor.account.address.lower()


def test_asking_for_accounts_rejects_when_the_modal_is_closed(visitor: Visit) -> None:
    visitor.modal.begin_request("ask", "eth_requestAccounts")
    visitor.modal.expect_view("Connect Wallet", first=True)
    visitor.page.keyboard.press("Escape")
    assert visitor.modal.outcome("ask")["code"] == 4001


def test_asking_for_accounts_again_gives_them_without_a_question(connected: Visit) -> None:
    connected.modal.request("eth_requestAccounts")
    assert connected.wallet.asked("eth_requestAccounts") == 1


def test_signing_for_another_account_is_refused(connected: Visit) -> None:
    assert connected.modal.request("personal_sign", [HELLO, new_account().address])["code"] == 4100


def test_signing_without_a_wallet_is_refused(visitor: Visit) -> None:
    assert visitor.modal.request("personal_sign", [HELLO, visitor.account.address])["code"] == 4100


@pytest.mark.parametrize("method", ["eth_sign", "anvil_setBalance", "debug_traceCall", "__proto__", "", "x" * 300])
def test_methods_in_no_list_are_refused(connected: Visit, method: str) -> None:
    assert connected.modal.request(method, []).get("code") is not None


@pytest.mark.parametrize("method", ["eth_sign", "anvil_setBalance"])
def test_refused_methods_do_not_reach_the_wallet(connected: Visit, method: str) -> None:
    connected.modal.request(method, [])
    assert connected.wallet.calls(method) == 0


def test_permissions_tell_of_the_account(connected: Visit) -> None:
    (permission,) = connected.modal.request("wallet_getPermissions")["value"]
    assert permission["parentCapability"] == "eth_accounts"


def test_revoking_permissions_disconnects(connected: Visit) -> None:
    connected.modal.request("wallet_revokePermissions", [{"eth_accounts": {}}])
    connected.modal.expect_disconnected()


def test_connecting_is_told(visitor: Visit) -> None:
    listen(visitor)
    visitor.modal.connect(visitor.wallet)
    visitor.modal.wait(lambda: heard(visitor, "connect"), what="the connect event")
    assert heard(visitor, "connect") == [{"chainId": "0x1"}]


def test_another_account_is_told(connected: Visit) -> None:
    listen(connected)
    connected.wallet.select_accounts(connected.other)
    connected.modal.wait(lambda: heard(connected, "accountsChanged"), what="the accountsChanged event")
    assert [each.lower() for each in heard(connected, "accountsChanged")[-1]] == [connected.other.address.lower()]


def test_another_network_is_told(connected: Visit) -> None:
    listen(connected)
    connected.wallet.select_chain(137)
    connected.modal.wait(lambda: heard(connected, "chainChanged") == ["0x89"], what="the chainChanged event")


def test_disconnecting_is_told(connected: Visit) -> None:
    listen(connected)
    connected.modal.api("disconnect")
    connected.modal.wait(lambda: heard(connected, "disconnect"), what="the disconnect event")
    assert heard(connected, "accountsChanged")[-1] == []


def test_a_removed_listener_hears_nothing(connected: Visit) -> None:
    connected.page.evaluate(
        """() => {
          window.heard = [];
          const provider = modal.getProvider("eip155");
          const listener = (value) => heard.push(["chainChanged", value]);
          provider.on("chainChanged", listener);
          provider.removeListener("chainChanged", listener);
        }"""
    )
    connected.wallet.select_chain(137)
    connected.modal.expect_network("eip155:137")
    assert heard(connected, "chainChanged") == []


def test_two_signatures_are_asked_one_by_one_and_each_gets_its_own(connected: Visit) -> None:
    connected.modal.begin_request("first", "personal_sign", [HELLO, connected.account.address])
    connected.modal.begin_request("second", "personal_sign", ["0x" + b"other".hex(), connected.account.address])
    connected.modal.wait(lambda: len(connected.wallet.pending()) == 2, what="both questions")
    for question in connected.wallet.pending():
        connected.wallet.approve(question["method"])
    second = connected.modal.outcome("second")["value"]
    assert Account.recover_message(encode_defunct(b"other"), signature=second) == connected.account.address


def test_the_hosts_page_works_while_the_wallet_is_asked(connected: Visit) -> None:
    connected.modal.begin_request("sign", "personal_sign", [HELLO, connected.account.address])
    connected.wallet.await_question("personal_sign")
    connected.page.get_by_test_id("demo-copy").click(timeout=3000)
    expect(connected.modal.card).to_be_hidden()

"""`getProvider('eip155')`: the host's own libraries read, sign, send and switch through the modal."""

import re
from typing import Any

import pytest
from eth_account import Account
from eth_account.messages import encode_defunct, encode_typed_data
from playwright.sync_api import expect

from tests.browser.chain import new_account
from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting

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
          // Its own: what an earlier test listened with is still there, and tells what it hears elsewhere.
          const heard = (window.heard = []);
          const provider = modal.getProvider("eip155");
          for (const name of ["connect", "disconnect", "accountsChanged", "chainChanged"]) provider.on(name, (value) => heard.push([name, value]));
        }"""
    )


def heard(visitor: Visit, name: str) -> list[Any]:
    found: list[Any] = visitor.page.evaluate(
        "(name) => heard.filter(([heardName]) => heardName === name).map(([, value]) => value)", name
    )
    return found


@pytest.fixture(scope="module")
def settled(shared_visit: Visiting) -> Visit:
    """A visitor who is connected on Ethereum, and still is after each test that has this one."""
    visitor = shared_visit()
    visitor.modal.connect(visitor.wallet)
    return visitor


@pytest.fixture(scope="module")
def unconnected(shared_visit: Visiting) -> Visit:
    """A visitor who never connects."""
    return shared_visit()


def test_it_knows_the_account(settled: Visit) -> None:
    assert [each.lower() for each in settled.modal.request("eth_accounts")["value"]] == [
        settled.account.address.lower()
    ]


def test_it_gives_no_account_before_a_wallet_is_connected(unconnected: Visit) -> None:
    assert unconnected.modal.request("eth_accounts") == {"value": []}


def test_it_knows_the_chain(settled: Visit) -> None:
    assert settled.modal.request("eth_chainId") == {"value": "0x1"}


def test_it_reads_the_chain(settled: Visit, stack: Stack) -> None:
    stack.chain(1).fund(settled.account.address, "2")
    outcome = settled.modal.request("eth_getBalance", [settled.account.address, "latest"])
    assert int(outcome["value"], 16) == stack.chain(1).balance(settled.account.address)


def test_a_read_does_not_go_to_the_wallet(settled: Visit) -> None:
    settled.modal.request("eth_blockNumber")
    assert settled.wallet.calls("eth_blockNumber") == 0


def test_the_server_hears_how_long_ago_the_host_has_called_and_read(visit: Visiting) -> None:
    """What a trace begins with: `waited` of a call and the header of a read."""
    visitor = visit(load=False)
    sent: list[str] = []
    visitor.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    visitor.go()
    with visitor.page.expect_request("**/v1/rpc") as read:
        visitor.modal.request("eth_blockNumber")
    visitor.modal.open()
    (call,) = [frame for frame in sent if ".on_call" in frame]
    waited = [read.value.headers["walletmodal-waited"], *re.findall(r'"waited":(-?\d+)', call)]
    assert [0 <= int(one) < 60_000 for one in waited] == [True, True]


def test_it_signs_a_message(settled: Visit) -> None:
    settled.modal.begin_request("sign", "personal_sign", [HELLO, settled.account.address])
    settled.wallet.approve("personal_sign")
    signature = settled.modal.outcome("sign")["value"]
    assert Account.recover_message(encode_defunct(b"hello"), signature=signature) == settled.account.address


def test_it_signs_typed_data(settled: Visit) -> None:
    typed = settled.page.evaluate("(typed) => JSON.stringify(typed)", TYPED)
    settled.modal.begin_request("sign", "eth_signTypedData_v4", [settled.account.address, typed])
    settled.wallet.approve("eth_signTypedData_v4")
    signature = settled.modal.outcome("sign")["value"]
    assert (
        Account.recover_message(encode_typed_data(full_message=TYPED), signature=signature) == settled.account.address
    )


def test_a_refused_signature_rejects(settled: Visit) -> None:
    settled.modal.begin_request("sign", "personal_sign", [HELLO, settled.account.address])
    settled.wallet.reject("personal_sign")
    assert settled.modal.outcome("sign")["code"] == 4001


def test_it_sends_a_transaction(settled: Visit, stack: Stack) -> None:
    stack.chain(1).fund(settled.account.address, "1")
    receiver = new_account().address
    transaction = {"from": settled.account.address, "to": receiver, "value": hex(5 * 10**17)}
    settled.modal.begin_request("send", "eth_sendTransaction", [transaction])
    settled.wallet.approve("eth_sendTransaction")
    settled.modal.outcome("send")
    settled.modal.wait(lambda: stack.chain(1).balance(receiver) == 5 * 10**17, what="the coins at the receiver")


def test_it_switches_the_network(member: Visit) -> None:
    member.modal.begin_request("switch", "wallet_switchEthereumChain", [{"chainId": "0x89"}])
    member.wallet.approve("wallet_switchEthereumChain")
    assert member.modal.outcome("switch") == {"value": None}


def test_a_network_that_is_not_configured_is_unknown(settled: Visit) -> None:
    assert settled.modal.request("wallet_switchEthereumChain", [{"chainId": "0x38"}])["code"] == 4902


def test_asking_for_accounts_opens_connect(guest: Visit) -> None:
    guest.modal.begin_request("ask", "eth_requestAccounts")
    guest.modal.expect_view("Connect Wallet")


def test_asking_for_accounts_gives_them_once_connected(guest: Visit) -> None:
    guest.modal.begin_request("ask", "eth_requestAccounts")
    guest.modal.choose_wallet()
    guest.wallet.approve()
    assert guest.modal.outcome("ask")["value"][0].lower() == guest.account.address.lower()


def test_asking_for_accounts_rejects_when_the_modal_is_closed(guest: Visit) -> None:
    guest.modal.begin_request("ask", "eth_requestAccounts")
    guest.modal.expect_view("Connect Wallet")
    guest.page.keyboard.press("Escape")
    assert guest.modal.outcome("ask")["code"] == 4001


def test_asking_for_accounts_again_gives_them_without_a_question(settled: Visit) -> None:
    settled.modal.request("eth_requestAccounts")
    assert settled.wallet.asked("eth_requestAccounts") == 1


def test_signing_for_another_account_is_refused(settled: Visit) -> None:
    assert settled.modal.request("personal_sign", [HELLO, new_account().address])["code"] == 4100


def test_signing_without_a_wallet_is_refused(unconnected: Visit) -> None:
    assert unconnected.modal.request("personal_sign", [HELLO, unconnected.account.address])["code"] == 4100


@pytest.mark.parametrize("method", ["eth_sign", "anvil_setBalance", "debug_traceCall", "__proto__", "", "x" * 300])
def test_methods_in_no_list_are_refused(settled: Visit, method: str) -> None:
    assert settled.modal.request(method, []).get("code") is not None


@pytest.mark.parametrize(
    ("monster", "code"),
    [
        ("(a) => ({method: 'eth_signTypedData_v4', params: [a, Array(1000).fill().reduce((m) => ({m}), {})]})", -32602),
        (
            "(a) => ({method: 'eth_signTypedData_v4', params: [a, '{\"m\":'.repeat(1000) + '1' + '}'.repeat(1000)]})",
            -32602,
        ),
        ("(a) => ({method: 'wallet_sendCalls', params: [{from: a, calls: Array(10000).fill({to: '0x'})}]})", 5740),
        ("(a) => ({method: 'wallet_sendCalls', params: [{from: a, calls: Array(10000).fill({to: a})}]})", 5740),
    ],
    ids=["1,000 deep", "1,000 deep as text", "10,000 calls", "10,000 calls of more bytes than a message has"],
)
def test_a_monster_is_refused_and_what_follows_is_served(settled: Visit, monster: str, code: int) -> None:
    ask = f"(a) => modal.getProvider('eip155').request(({monster})(a)).catch((error) => error.code)"
    assert settled.page.evaluate(ask, settled.account.address) == code
    assert settled.modal.request("net_version")["value"] == "1"


def test_a_refused_method_is_told_to_the_hosts_developer(settled: Visit) -> None:
    with settled.page.expect_console_message(lambda message: "is not allowed: eth_sign" in message.text) as told:
        assert settled.modal.request("eth_sign", [settled.account.address, "0x"])["code"] == 4200
    assert told.value.type == "error"


@pytest.mark.parametrize("method", ["eth_sign", "anvil_setBalance"])
def test_refused_methods_do_not_reach_the_wallet(settled: Visit, method: str) -> None:
    settled.modal.request(method, [])
    assert settled.wallet.calls(method) == 0


def test_permissions_tell_of_the_account(settled: Visit) -> None:
    (permission,) = settled.modal.request("wallet_getPermissions")["value"]
    assert permission["parentCapability"] == "eth_accounts"


def test_revoking_permissions_disconnects(member: Visit) -> None:
    member.modal.request("wallet_revokePermissions", [{"eth_accounts": {}}])
    member.modal.expect_disconnected()


def test_connecting_is_told(visitor: Visit) -> None:
    listen(visitor)
    visitor.modal.connect(visitor.wallet)
    visitor.modal.wait(lambda: heard(visitor, "connect"), what="the connect event")
    assert heard(visitor, "connect") == [{"chainId": "0x1"}]


def test_another_account_is_told(member: Visit) -> None:
    listen(member)
    member.wallet.select_accounts(member.other)
    member.modal.wait(lambda: heard(member, "accountsChanged"), what="the accountsChanged event")
    assert [each.lower() for each in heard(member, "accountsChanged")[-1]] == [member.other.address.lower()]


def test_another_network_is_told(member: Visit) -> None:
    listen(member)
    member.wallet.select_chain(137)
    member.modal.wait(lambda: heard(member, "chainChanged") == ["0x89"], what="the chainChanged event")


def test_disconnecting_is_told(member: Visit) -> None:
    listen(member)
    member.modal.api("disconnect")
    member.modal.wait(lambda: heard(member, "disconnect"), what="the disconnect event")
    assert heard(member, "accountsChanged")[-1] == []


def test_a_removed_listener_hears_nothing(member: Visit) -> None:
    member.page.evaluate(
        """() => {
          // Its own: what an earlier test listened with is still there, and tells what it hears elsewhere.
          const heard = (window.heard = []);
          const provider = modal.getProvider("eip155");
          const listener = (value) => heard.push(["chainChanged", value]);
          provider.on("chainChanged", listener);
          provider.removeListener("chainChanged", listener);
        }"""
    )
    member.wallet.select_chain(137)
    member.modal.expect_network("eip155:137")
    assert heard(member, "chainChanged") == []


def test_two_signatures_are_asked_one_by_one_and_each_gets_its_own(settled: Visit) -> None:
    settled.modal.begin_request("first", "personal_sign", [HELLO, settled.account.address])
    settled.modal.begin_request("second", "personal_sign", ["0x" + b"other".hex(), settled.account.address])
    settled.modal.wait(lambda: len(settled.wallet.pending()) == 2, what="both questions")
    for question in settled.wallet.pending():
        settled.wallet.approve(question["method"])
    second = settled.modal.outcome("second")["value"]
    assert Account.recover_message(encode_defunct(b"other"), signature=second) == settled.account.address


def test_the_hosts_page_works_while_the_wallet_is_asked(member: Visit) -> None:
    member.modal.begin_request("sign", "personal_sign", [HELLO, member.account.address])
    member.wallet.await_question("personal_sign")
    member.page.get_by_test_id("demo-copy").click()
    expect(member.modal.card).to_be_hidden()

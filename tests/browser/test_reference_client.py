"""The frame provider of Reown AppKit (`@reown/appkit-wallet` 1.7.2), unchanged, in a host page that embeds the secure site without our modal."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterator
from typing import Any

import pytest
from eth_account import Account
from eth_account.messages import encode_defunct
from playwright.sync_api import Browser, FrameLocator, Page, expect
from solders.pubkey import Pubkey
from solders.signature import Signature

from tests.browser.chain import new_account
from tests.browser.email_visitor import allow_login, code_behind_link
from tests.browser.polling import until
from tests.browser.stack import MoveClock, Stack
from tests.browser.wallet_bundle import REFERENCE_CLIENT, wallet_script
from tests.deliberate_click import deliberate_click
from walletmodal.core.permissions.framework import MANAGER

DAY = 86_400
SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"


class Client:
    """The client in a page of its own."""

    def __init__(self, page: Page, stack: Stack, origin: str) -> None:
        self.page, self.stack = page, stack
        path = f"/reference/{secrets.token_hex(4)}"
        stack.hosts.put(path, "<!doctype html><title>A host with another kit</title><body>")
        page.add_init_script(f"window.__secureSite = 'http://localhost:{stack.secure_port}/sdk'")
        page.goto(origin + path)
        page.evaluate(wallet_script(REFERENCE_CLIENT))

    def call(self, method: str, *given: object) -> Any:
        """What a method of the provider gives."""
        return self.page.evaluate("([method, given]) => reference[method](...given)", [method, list(given)])

    def begin(self, method: str, *given: object) -> None:
        """Calls a method that waits for the visitor; `outcome` has what it gives."""
        self.page.evaluate(
            """([method, given]) => {
              window.outcome = null;
              reference[method](...given).then((value) => (outcome = { value }), (error) => (outcome = { message: error.message }));
            }""",
            [method, list(given)],
        )

    def outcome(self) -> dict[str, Any]:
        found: dict[str, Any] = until(lambda: self.page.evaluate("window.outcome"), what="an outcome")
        return found

    @property
    def frame(self) -> FrameLocator:
        return self.page.frame_locator("#w3m-iframe")

    def show(self) -> None:
        """Shows the frame as the kit does for a request."""
        self.page.evaluate(
            "Object.assign(document.getElementById('w3m-iframe').style,"
            " { display: 'block', width: '360px', height: '600px', left: '0', top: '0' })"
        )

    def approved(self, method: str, params: Any) -> Any:
        """What a request gives that the visitor approves."""
        self.begin("request", {"method": method, "params": params})
        self.show()
        expect(self.frame.get_by_test_id("frame-summary")).to_be_visible()
        self.frame.locator(".body").evaluate("(body) => body.scrollTo(0, body.scrollHeight)")
        expect(self.frame.get_by_test_id("frame-approve")).to_be_enabled()
        deliberate_click(self.frame.get_by_test_id("frame-approve"))
        found = self.outcome()
        assert "value" in found, found
        return found["value"]

    def begin_social(self, provider: str) -> Page:
        """The provider's window, as the kit opens it: empty in the click, led on once the frame has named its address; `outcome` as of `begin`."""
        self.page.evaluate(
            """([provider, secure]) => {
              const button = document.createElement("button");
              button.textContent = "Log in";
              button.onclick = async () => {
                window.outcome = null;
                const popup = window.open("", "popup", "width=600,height=800,scrollbars=yes");
                const back = new Promise((resolve) => addEventListener("message", ({ data, origin }) => {
                  if (origin === secure && data.resultUri) resolve(data.resultUri);
                }));
                try {
                  const { uri } = await reference.getSocialRedirectUri({ provider });
                  popup.location.href = uri;
                  const result = await back;
                  popup.close();
                  outcome = { value: await reference.connectSocial(result) };
                } catch (error) {
                  outcome = { message: error.message };
                }
              };
              document.body.append(button);
            }""",
            [provider, f"http://localhost:{self.stack.secure_port}"],
        )
        with self.page.context.expect_page() as opening:
            self.page.get_by_role("button", name="Log in").click()
        return opening.value

    def log_in(self) -> dict[str, Any]:
        """By email; the user."""
        email = f"{secrets.token_hex(6)}@example.org"
        assert self.call("connectEmail", {"email": email}) == {"action": "VERIFY_OTP"}
        otp = until(lambda: self.stack.mails(email), what="a mail")[-1]["subject"]
        found = re.match(r"\d{6}", otp)
        assert found, otp
        self.call("connectOtp", {"otp": found[0]})
        user: dict[str, Any] = self.call("connect", {"chainId": 1})
        assert user["email"] == email
        return user


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture
def client(page: Page, stack: Stack) -> Client:
    """On a host that the deployment allows."""
    return Client(page, stack, stack.hosts.allowed)


def test_a_visitor_logs_in_signs_sends_and_logs_out(client: Client, stack: Stack) -> None:
    user = client.log_in()
    address, chain, receiver = user["address"], stack.chain(1), new_account().address
    kinds = [{"address": address, "type": kind} for kind in ("eoa", "smartAccount")]
    assert (user["chainId"], user["accounts"], user["preferredAccountType"]) == (1, kinds, "smartAccount")
    signature = client.approved("personal_sign", ["0x" + b"hello".hex(), address])
    assert Account.recover_message(encode_defunct(b"hello"), signature=signature) == address
    chain.fund(address, "1")
    transaction = {"from": address, "to": receiver, "value": hex(10**17)}
    hashed = client.approved("eth_sendTransaction", [transaction])
    until(lambda: chain.call("eth_getTransactionReceipt", hashed), what="a receipt")
    assert chain.balance(receiver) == 10**17
    assert int(client.call("request", {"method": "eth_getBalance", "params": [receiver, "latest"]}), 16) == 10**17
    solana = client.call("getUser", {"chainId": SOLANA})["address"]
    signed = client.approved("solana_signMessage", {"message": "Cn8eVZg", "pubkey": solana})
    assert Signature.from_string(signed["signature"]).verify(Pubkey.from_string(solana), b"hello")
    assert client.call("isConnected") == {"isConnected": True}
    client.call("disconnect")
    with pytest.raises(Exception, match="Not connected"):
        client.call("getUser")


def test_the_kind_of_account_is_switched(client: Client) -> None:
    address = client.log_in()["address"]
    assert {1, 137} <= set(client.call("getSmartAccountEnabledNetworks")["smartAccountEnabledNetworks"])
    assert client.call("setPreferredAccount", "eoa") == {"type": "eoa", "address": address}
    assert client.call("getUser")["preferredAccountType"] == "eoa"


def test_calls_are_made_at_once(client: Client, stack: Stack) -> None:
    user, chain = client.log_in(), stack.chain(1)
    address = user["address"]
    assert client.call("getCapabilities") == {"0x1": {"atomic": {"status": "ready"}}}
    chain.fund(address, "1")
    receivers = [new_account().address, new_account().address]
    calls = [{"to": receiver, "value": hex(10**17)} for receiver in receivers]
    bundle = client.approved(
        "wallet_sendCalls", [{"version": "2.0.0", "from": address, "chainId": "0x1", "calls": calls}]
    )["id"]
    until(
        lambda: client.call("request", {"method": "wallet_getCallsStatus", "params": [bundle]})["status"] == 200,
        what="confirmed calls",
    )
    assert [chain.balance(receiver) for receiver in receivers] == [10**17, 10**17]
    assert (user["smartAccountDeployed"], client.call("getUser")["smartAccountDeployed"]) == (False, True)


def test_an_ordinary_account_makes_calls_one_after_the_other(client: Client, stack: Stack) -> None:
    address, chain = client.log_in()["address"], stack.chain(1)
    client.call("setPreferredAccount", "eoa")
    assert client.call("getCapabilities") == {"0x1": {"atomic": {"status": "unsupported"}}}
    chain.fund(address, "1")
    receivers = [new_account().address, new_account().address]
    # The last one has more than is left then: who sends it is told so before that.
    calls = [{"to": one, "value": hex(10**17)} for one in receivers] + [{"to": receivers[0], "value": hex(10**18)}]
    batch = {"version": "2.0.0", "from": address, "chainId": "0x1", "atomicRequired": False}
    bundle = client.approved("wallet_sendCalls", [{**batch, "calls": calls}])["id"]
    status = client.call("request", {"method": "wallet_getCallsStatus", "params": [bundle]})
    assert (status["status"], status["atomic"], len(status["receipts"])) == (600, False, 2)
    assert [chain.balance(receiver) for receiver in receivers] == [10**17, 10**17]
    assert chain.call("eth_getCode", address, "latest") == "0x"


class SessionsService:
    """The service that hands in calls for a page, as the kit's own package asks it. The page has a key of its own."""

    def __init__(self, stack: Stack, account: str) -> None:
        self._stack, self._account, self._key = stack, account, Account.create()
        self._sessions = f"/v1/sessions/eip155:1:{account}"
        self.asked: dict[str, Any] = {
            "expiry": int(time.time()) + 3 * DAY,
            "permissions": [
                {
                    "type": "native-token-recurring-allowance",
                    "data": {"allowance": hex(10**17), "start": int(time.time() * 1000), "period": DAY},
                }
            ],
            "policies": [],
        }
        self.pci = ""

    def post(self, path: str, body: dict[str, Any]) -> Any:
        url = f"{self._stack.demo}/blockchain{path}?projectId=tests"
        return self._stack.client.post(url, json=body, headers={"Origin": self._stack.hosts.allowed})

    def grant(self) -> dict[str, Any]:
        """What the wallet is to be asked, once the service has added its key to the page's."""
        own = {"type": "secp256k1", "publicKey": "0x04" + self._key._key_obj.public_key.to_bytes().hex()}
        page = {"type": "keys", "data": {"keys": [own]}}
        made = self.post(self._sessions, {**self.asked, "signer": page}).raise_for_status().json()
        self.pci = made["pci"]
        signer = {"type": "keys", "data": {"keys": [made["key"], own]}}
        return {"chainId": "0x1", "address": self._account, "signer": signer, **self.asked}

    def activate(self, answer: dict[str, Any]) -> None:
        names = ("expiry", "signer", "permissions", "policies", "context")
        body = {"pci": self.pci, **{name: answer[name] for name in names}}
        self.post(f"{self._sessions}/activate", body).raise_for_status()

    def pay(self, receiver: str, amount: int) -> Any:
        calls = [{"to": receiver, "value": hex(amount), "data": "0x"}]
        capabilities = {"permissions": {"context": self.pci}}
        wish = {"from": self._account, "chainId": "0x1", "calls": calls, "capabilities": capabilities}
        (prepared,) = self._rpc("wallet_prepareCalls", wish).raise_for_status().json()["result"]
        digest = encode_defunct(bytes.fromhex(prepared["signatureRequest"]["hash"][2:]))
        signature = "0x" + bytes(self._key.sign_message(digest).signature).hex()
        sent = {"preparedCalls": prepared["preparedCalls"], "context": prepared["context"], "signature": signature}
        return self._rpc("wallet_sendPreparedCalls", sent)

    def _rpc(self, method: str, params: dict[str, Any]) -> Any:
        return self.post("/v1/wallet", {"jsonrpc": "2.0", "id": 1, "method": method, "params": [params]})


def test_a_service_pays_within_a_permission_until_it_is_taken_back(client: Client, stack: Stack) -> None:
    address, chain, receiver = client.log_in()["address"], stack.chain(1), new_account().address
    chain.fund(address, "1")
    service = SessionsService(stack, address)
    answer = client.approved("wallet_grantPermissions", [service.grant()])
    assert answer["signerMeta"] == {"delegationManager": MANAGER}
    service.activate(answer)
    paid = service.pay(receiver, 10**17).raise_for_status().json()["result"][0]
    until(lambda: chain.call("eth_getTransactionReceipt", paid), what="a receipt")
    assert chain.balance(receiver) == 10**17
    assert "more than is left of this period" in service.pay(receiver, 1).text
    wanted = {"pci": service.pci, "address": f"eip155:1:{address}", **service.asked}
    signature = client.approved("wallet_revokePermissions", [wanted])
    until(lambda: "taken the permission back" in service.pay(receiver, 1).text, what="an end")
    revoked = {"pci": service.pci, "signature": signature}
    service.post(f"/v1/sessions/eip155:1:{address}/revoke", revoked).raise_for_status()


def test_what_goes_wrong_is_an_error_of_the_client(client: Client) -> None:
    with pytest.raises(Exception, match="Invalid email"):
        client.call("connectEmail", {"email": "kim@host"})
    client.log_in()
    client.begin("request", {"method": "personal_sign", "params": ["0x00", client.call("getUser")["address"]]})
    client.show()
    client.frame.get_by_test_id("frame-reject").click()
    assert client.outcome() == {"message": "User rejected the request"}
    with pytest.raises(Exception, match="Invalid email"):
        client.call("updateEmail", {"email": "lee@host"})


def test_an_address_is_changed_by_the_code_of_the_page_behind_the_mails_link(
    client: Client, stack: Stack, move_clock: MoveClock
) -> None:
    present, following = client.log_in()["email"], f"{secrets.token_hex(6)}@example.org"
    move_clock(31)
    assert client.call("updateEmail", {"email": following}) == {"action": "VERIFY_PRIMARY_OTP"}
    code = code_behind_link(client.page, stack, present, following)
    client.call("updateEmailPrimaryOtp", {"otp": code})
    second = until(lambda: stack.mails(following), what="a mail")[-1]["subject"]
    assert client.call("updateEmailSecondaryOtp", {"otp": second[:6]}) == {"newEmail": following}
    assert client.call("getUser")["email"] == following


@pytest.mark.parametrize("provider", ["google", "x", "apple"])
def test_an_account_at_a_provider_logs_in(client: Client, provider: str) -> None:
    window = client.begin_social(provider)
    allow_login(window)
    found = client.outcome()
    assert "value" in found, found
    told = found["value"]
    assert re.fullmatch(r"0x[0-9a-fA-F]{40}", told["address"])
    user = client.call("connect", {"chainId": 1})
    assert user["address"] == told["address"]
    assert client.call("isConnected") == {"isConnected": True}


@pytest.mark.parametrize("provider", ["discord", "github", "facebook"])
def test_an_account_at_another_provider_logs_in(client: Client, provider: str) -> None:
    test_an_account_at_a_provider_logs_in(client, provider)


def test_who_does_not_allow_it_at_the_provider_is_not_logged_in(client: Client) -> None:
    client.begin_social("google").get_by_test_id("login-deny").click()
    assert "did not allow" in client.outcome()["message"]


def test_farcasters_app_logs_in_by_the_link(client: Client) -> None:
    url = client.call("getFarcasterUri")["url"]
    client.begin("connectFarcaster")
    phone = client.page.context.new_page()
    phone.goto(url)
    phone.get_by_test_id("farcaster-approve").click()
    expect(phone.get_by_test_id("farcaster-result")).to_have_text("Signed in")
    phone.close()
    # Her wallet is not asked for: it would be made here, where no other test has its key.
    assert client.outcome() == {"value": {"userName": "Alice"}}


def test_a_host_that_is_not_named_gets_nothing(page: Page, stack: Stack) -> None:
    stranger = Client(page, stack, stack.hosts.refused)
    stranger.begin("connectEmail", {"email": "kim@example.org"})
    # The page that browsers put in the place of one that may not be framed.
    expect(stranger.page.locator("#w3m-iframe")).to_be_attached()
    until(
        lambda: any(frame.url.startswith("chrome-error") for frame in page.frames),
        what="a refused frame",
        wait=lambda seconds: page.wait_for_timeout(seconds * 1000),
    )
    assert page.evaluate("window.outcome") is None

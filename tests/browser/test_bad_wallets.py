"""A wallet that hangs, throws nonsense, answers nonsense, floods or vanishes: the error state with retry, and nothing believed."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.regulars import Regular
from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting
from tests.browser.wallet import RDNS

PATIENCE_MS = 5000
"""How long `impatient_modal` waits for a wallet."""

NONSENSE: list[tuple[str, str, Any]] = [
    ("throws nothing", "throw", None),
    ("throws a text", "throw", "no"),
    ("throws a number", "throw", 7),
    ("throws an object", "throw", {"code": "a", "message": {"b": 1}}),
    ("throws a huge text", "throw", "x" * 300_000),
    ("throws a trap", "trap", None),
    ("answers nothing", "answer", None),
    ("answers a text", "answer", "0x0000000000000000000000000000000000000001"),
    ("answers an object", "answer", {"0": "0x0000000000000000000000000000000000000001", "length": 1}),
    ("answers no account", "answer", []),
    ("answers what is no address", "answer", ["javascript:alert(1)"]),
    ("answers a number of accounts beyond sense", "answer", ["0x" + "0" * 40] * 2 + ["0x" + "g" * 40]),
    ("answers without a promise", "plain", 42),
]


@dataclass(frozen=True)
class Ended:
    """How a connection ended that the wallet answered with nonsense.

    Attributes:
        shown: the text of the card then.
        connected: whether the host page knew an account then.
        later: the address that the host page knows after the wallet has repented and was tried again.
        wanted: the address that it should know then.
    """

    shown: str
    connected: bool
    later: str
    wanted: str


@pytest.fixture(scope="module", params=[row[1:] for row in NONSENSE], ids=[row[0] for row in NONSENSE])
def nonsense(request: pytest.FixtureRequest, regular_guest: Regular[Visit]) -> Ended:
    """A wallet answers the connection with nonsense, and approves when it is tried again."""
    kind, value = request.param
    with regular_guest.returning() as visitor:
        visitor.wallet.misbehave("eth_requestAccounts", kind, value)
        visitor.modal.open()
        visitor.modal.choose_wallet()
        expect(visitor.modal.retry).to_be_enabled()
        shown, connected = visitor.modal.card.inner_text(), visitor.modal.api("getIsConnectedState")
        visitor.wallet.repent()
        visitor.modal.retry.click()
        visitor.wallet.approve()
        visitor.modal.expect_connected()
        return Ended(shown, connected, str(visitor.modal.api("getAddress")), visitor.account.address)


def test_nonsense_leads_to_the_error_state(nonsense: Ended) -> None:
    assert "Connection failed" in nonsense.shown


def test_nonsense_connects_nobody(nonsense: Ended) -> None:
    assert nonsense.connected is False


def test_after_nonsense_a_wallet_that_repents_connects(nonsense: Ended) -> None:
    assert nonsense.later.lower() == nonsense.wanted.lower()


def test_a_second_answer_is_ignored(guest: Visit) -> None:
    guest.wallet.misbehave("eth_requestAccounts", "twice", [guest.other.address])
    guest.modal.connect(guest.wallet)
    guest.modal.expect_connected(guest.account.address)


@pytest.fixture
def impatient(visit: Visiting, stack: Stack) -> Visit:
    """A visitor of a page whose modal waits 5 seconds for a wallet, on a clock that can be moved."""
    visitor = visit(server=stack.impatient_modal, load=False)
    visitor.page.clock.install()
    visitor.go()
    return visitor


@pytest.fixture
def given_up(impatient: Visit) -> Visit:
    """The same once the wallet was asked to connect and has let these seconds pass."""
    impatient.modal.open()
    impatient.modal.choose_wallet()
    impatient.wallet.await_question()
    impatient.page.clock.fast_forward(PATIENCE_MS)
    return impatient


def test_a_wallet_that_hangs_leads_to_the_error_state(given_up: Visit) -> None:
    expect(given_up.modal.retry).to_be_enabled()


def test_a_late_approval_still_counts(given_up: Visit) -> None:
    expect(given_up.modal.retry).to_be_enabled()
    given_up.wallet.approve()
    given_up.modal.expect_connected(given_up.account.address)


def test_a_wallet_that_hung_can_be_tried_again(impatient: Visit) -> None:
    impatient.wallet.misbehave("eth_requestAccounts", "hang")
    impatient.modal.open()
    impatient.modal.choose_wallet()
    impatient.modal.wait(lambda: impatient.wallet.calls("eth_requestAccounts"), what="the silent question")
    impatient.page.clock.fast_forward(PATIENCE_MS)
    expect(impatient.modal.retry).to_be_enabled()
    impatient.wallet.repent()
    impatient.modal.retry.click()
    impatient.wallet.approve()
    impatient.modal.expect_connected(impatient.account.address)


def test_a_hanging_signature_rejects_the_hosts_promise(impatient: Visit) -> None:
    impatient.modal.connect(impatient.wallet)
    impatient.modal.begin_request("sign", "personal_sign", ["0x68656c6c6f", impatient.account.address])
    impatient.wallet.await_question("personal_sign")
    impatient.page.clock.fast_forward(PATIENCE_MS)
    assert impatient.modal.outcome("sign")["code"] == -32002


def test_a_wallet_that_vanishes_while_asked_leads_to_the_error_state(impatient: Visit) -> None:
    impatient.modal.open()
    impatient.modal.choose_wallet()
    impatient.wallet.await_question()
    impatient.wallet.vanish()
    impatient.page.clock.fast_forward(PATIENCE_MS)
    expect(impatient.modal.retry).to_be_enabled()


@pytest.fixture(scope="module")
def unmoved(shared_visit: Visiting) -> Visit:
    """A connected visitor for all events that change nothing."""
    visitor = shared_visit()
    visitor.modal.connect(visitor.wallet)
    return visitor


@pytest.mark.parametrize(
    ("event", "value"),
    [
        ("accountsChanged", "nonsense"),
        ("accountsChanged", [{"a": 1}]),
        ("accountsChanged", ["0x1"]),
        ("accountsChanged", None),
        ("chainChanged", "nonsense"),
        ("chainChanged", "0x"),
        ("chainChanged", "-0x1"),
        ("chainChanged", {"chainId": 1}),
        ("chainChanged", "0x" + "f" * 60),
    ],
    ids=str,
)
def test_an_event_of_nonsense_changes_nothing(unmoved: Visit, event: str, value: object) -> None:
    before = unmoved.modal.api("getAccount"), unmoved.modal.api("getCaipNetworkId")
    unmoved.wallet.flood(event, value, 1)
    # A round trip through frame and server behind the event.
    assert unmoved.modal.attempt("switchNetwork", "eip155:1").get("code") is None
    assert (unmoved.modal.api("getAccount"), unmoved.modal.api("getCaipNetworkId")) == before


def test_a_flood_of_events_ends_in_the_last_state(member: Visit) -> None:
    member.wallet.flood("accountsChanged", [member.other.address], 2000)
    member.wallet.flood("chainChanged", "0x89", 2000)
    member.wallet.select_accounts(member.other)
    member.wallet.select_chain(137)
    member.modal.expect_connected(member.other.address)
    member.modal.expect_network("eip155:137")


def test_after_a_flood_of_events_the_modal_still_works(member: Visit) -> None:
    member.wallet.flood("chainChanged", "0x89", 2000)
    member.modal.disconnect()
    member.modal.expect_closed()


@pytest.mark.parametrize(
    "name",
    ["<img src=x onerror='window.__hit=1'>", "x" * 5000, "\u202eevil\u202c", "\u0000\u0007"],
    ids=["markup", "endless", "reversed", "control"],
)
def test_a_hostile_name_does_no_harm(visit: Visiting, name: str) -> None:
    visitor = visit(wallet={"name": name})
    visitor.modal.open()
    expect(visitor.modal.card).to_be_visible()
    assert visitor.modal.card.evaluate("(card) => [window.__hit, card.scrollWidth > card.clientWidth]") == [None, False]


def announcing(info: dict[str, Any]) -> str:
    """A script that announces a wallet by hand: the published parts refuse to announce what is not right."""
    complete = {
        "uuid": "9c1a3a3e-5d0f-4b8e-9a7e-2f1b6f4d1a01",
        "name": "Forged",
        "rdns": "test.forged",
        "icon": "data:image/gif;base64,",
        **info,
    }
    return f"""if (window.top === window) {{
      const detail = {{info: {json.dumps(complete)}, provider: {{request: () => new Promise(() => {{}}), on() {{}}, removeListener() {{}}}}}};
      const tell = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", {{detail}}));
      addEventListener("eip6963:requestProvider", tell);
      tell();
    }}"""


ICONS = {
    "test.script": "javascript:alert(1)",
    "test.plain": "http://localhost/x.png",
    "test.document": "data:text/html,<script>1</script>",
    "test.endless": "x" * 10**6,
}
"""By the wallet that has it."""


@pytest.fixture(scope="module")
def hostile_icons(shared_visit: Visiting) -> Visit:
    """A visitor who sees the rows of all these wallets."""
    wallets = [
        announcing({"uuid": f"9c1a3a3e-5d0f-4b8e-9a7e-2f1b6f4d1b0{number}", "name": rdns, "rdns": rdns, "icon": icon})
        for number, (rdns, icon) in enumerate(ICONS.items())
    ]
    visitor = shared_visit(before=wallets)
    visitor.modal.open()
    return visitor


@pytest.mark.parametrize("rdns", ICONS)
def test_a_hostile_icon_is_not_shown(hostile_icons: Visit, rdns: str) -> None:
    row = hostile_icons.modal.wallet_row(rdns)
    expect(row).to_be_visible()
    assert ICONS[rdns][:100] not in row.inner_html()


def test_the_script_in_an_icon_does_not_run(visit: Visiting) -> None:
    drawing = (
        "<svg xmlns='http://www.w3.org/2000/svg' onload='top.__hit=1'><script>top.__hit=1;window.__hit=1</script></svg>"
    )
    visitor = visit(before=[announcing({"icon": "data:image/svg+xml," + quote(drawing)})])
    visitor.modal.open()
    picture = visitor.modal.wallet_row("test.forged").locator("img")
    visitor.modal.wait(lambda: picture.evaluate("(image) => image.complete"), what="the picture")
    assert (visitor.page.evaluate("window.__hit"), picture.evaluate("() => window.__hit")) == (None, None)


def announced(visitor: Visit) -> Locator:
    """The rows of the wallets that announced themselves: all but that of WalletConnect, which is no wallet of the browser."""
    return visitor.modal.frame.locator(
        '[data-testid^="wallet-selector-"]:not([data-testid="wallet-selector-walletconnect"])'
    )


@pytest.mark.parametrize("rdns", ["", "../../etc", "a b", RDNS, "x" * 5000])
@pytest.mark.parametrize("name", ["Forged", "Test Wallet"])
def test_a_wallet_cannot_take_anothers_place(visit: Visiting, name: str, rdns: str) -> None:
    visitor = visit(before=[announcing({"name": name, "rdns": rdns})])
    visitor.modal.open()
    expect(announced(visitor)).to_have_count(2)


def test_a_wallet_is_asked_though_another_took_its_name_and_rdns(visit: Visiting) -> None:
    # The script of the other one runs first, and so does its announcement.
    visitor = visit(before=[announcing({"name": "Test Wallet", "rdns": RDNS})])
    visitor.modal.open()
    announced(visitor).nth(1).click()
    visitor.wallet.await_question()
    assert visitor.wallet.asked("eth_requestAccounts") == 1


def test_a_wallet_without_a_name_is_not_listed(visit: Visiting) -> None:
    visitor = visit(before=[announcing({"name": "  "})])
    visitor.modal.open()
    expect(visitor.modal.wallet_row()).to_be_visible()
    expect(announced(visitor)).to_have_count(1)


def test_a_thousand_announced_wallets_do_no_harm(visit: Visiting) -> None:
    flood = """if (window.top === window) addEventListener("eip6963:requestProvider", () => {
      for (let n = 0; n < 1000; n++) {
        const uuid = "9c1a3a3e-5d0f-4b8e-9a7e-" + String(n).padStart(12, "0");
        const info = {uuid, name: "Wallet " + n, rdns: "test.flood" + n, icon: "data:image/png;base64," + "A".repeat(60000)};
        dispatchEvent(new CustomEvent("eip6963:announceProvider", {detail: {info, provider: {request() {}}}}));
      }
    });"""
    visitor = visit(before=[flood])
    visitor.modal.open()
    rows = announced(visitor)
    expect(rows.first).to_be_visible()
    assert rows.count() <= 40

"""The demo page's own wallet, by its own buttons: for people who have none installed."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.regulars import Regular, leave
from tests.browser.stack import Stack
from tests.browser.test_sign_in import REQUIRED, token, verified
from tests.browser.visits import Visit, Visiting

SANDBOX_RDNS = "dev.walletmodal.sandbox"


def answer_and_leave(visitor: Visit) -> None:
    """The Sandbox Wallet asks nothing, nobody is connected, and nothing is shown."""
    if visitor.page.get_by_test_id("sandbox-wallet-reject").is_visible():
        visitor.page.get_by_test_id("sandbox-wallet-reject").click()
    leave(visitor)


@pytest.fixture(scope="module")
def regular_person(shared_visit: Visiting) -> Regular[Visit]:
    """A visitor of the demo page whose browser brings no wallet, for one test after the other."""
    no_wallet = {"announce": False, "extra": {"onWindow": False}}
    return Regular(lambda: shared_visit(query={"wallet": ""}, wallet=no_wallet), answer_and_leave)


@pytest.fixture
def person(regular_person: Regular[Visit]) -> Iterator[Visit]:
    """The same for one test."""
    with regular_person.returning() as visitor:
        yield visitor


@pytest.fixture
def asked(person: Visit) -> Visit:
    """The same, who has picked the Sandbox Wallet."""
    person.modal.open()
    person.modal.wallet_row(SANDBOX_RDNS).click()
    expect(person.page.get_by_test_id("sandbox-wallet-approve")).to_be_visible()
    return person


def test_it_is_listed(person: Visit) -> None:
    person.modal.open()
    expect(person.modal.wallet_row(SANDBOX_RDNS)).to_contain_text("Sandbox Wallet")


def test_it_never_approves_by_itself(asked: Visit) -> None:
    expect(asked.modal.card).to_contain_text("Continue in Sandbox Wallet")
    assert asked.modal.api("getIsConnectedState") is False


def test_its_approve_button_connects(asked: Visit) -> None:
    asked.page.get_by_test_id("sandbox-wallet-approve").click()
    asked.modal.expect_connected()


def test_its_reject_button_declines(asked: Visit) -> None:
    asked.page.get_by_test_id("sandbox-wallet-reject").click()
    expect(asked.modal.card).to_contain_text("Connection declined")


def test_after_a_rejection_one_can_try_again(asked: Visit) -> None:
    asked.page.get_by_test_id("sandbox-wallet-reject").click()
    asked.modal.retry.click()
    asked.page.get_by_test_id("sandbox-wallet-approve").click()
    asked.modal.expect_connected()


def test_it_stays_connected_over_a_reload(asked: Visit) -> None:
    asked.page.get_by_test_id("sandbox-wallet-approve").click()
    asked.modal.expect_connected()
    asked.page.reload()
    asked.modal.expect_connected()


def test_its_account_has_coins_of_a_real_chain(asked: Visit) -> None:
    asked.page.get_by_test_id("sandbox-wallet-approve").click()
    asked.modal.expect_connected()
    asked.modal.open_account()
    expect(asked.modal.balance).to_contain_text("ETH")
    expect(asked.modal.balance).not_to_have_text("0.000 ETH")


def test_it_signs_what_the_demo_page_asks(asked: Visit) -> None:
    asked.page.get_by_test_id("sandbox-wallet-approve").click()
    asked.modal.expect_connected()
    asked.modal.expect_closed()
    asked.page.get_by_test_id("demo-sign").click()
    asked.page.get_by_test_id("sandbox-wallet-approve").click()
    expect(asked.page.get_by_test_id("demo-result")).to_contain_text("0x")


def test_without_it_only_what_the_browser_brings_is_found(visitor: Visit) -> None:
    visitor.modal.open()
    expect(visitor.modal.wallet_row()).to_be_visible()
    expect(visitor.modal.wallet_row(SANDBOX_RDNS)).to_have_count(0)


def test_beside_another_wallet_both_are_listed(visit: Visiting) -> None:
    visitor = visit(query={"wallet": ""})
    visitor.modal.open()
    expect(visitor.modal.wallet_row()).to_be_visible()
    expect(visitor.modal.wallet_row(SANDBOX_RDNS)).to_be_visible()


def test_it_works_under_the_hosts_strict_policy(visit: Visiting) -> None:
    visitor = visit(query={"wallet": "", "csp": "strict"}, wallet={"announce": False, "extra": {"onWindow": False}})
    visitor.modal.open()
    visitor.modal.wallet_row(SANDBOX_RDNS).click()
    visitor.page.get_by_test_id("sandbox-wallet-approve").click()
    visitor.modal.expect_connected()


@pytest.mark.parametrize("namespace", ["solana", "bip122", "polkadot"])
def test_one_signs_in_with_it_on_every_namespace(namespace: str, visit: Visiting, stack: Stack) -> None:
    no_wallet = {"announce": False, "extra": {"onWindow": False}}
    visitor = visit(options=REQUIRED, query={"wallet": "", "networks": "all"}, wallet=no_wallet)
    visitor.modal.open()
    visitor.modal.wallet_row(SANDBOX_RDNS).click()
    visitor.modal.part(f"wui-list-chain-{namespace}").click()
    visitor.page.get_by_test_id("sandbox-wallet-approve").click()
    visitor.modal.expect_view("Sign In")
    visitor.modal.part("w3m-connecting-siwe-sign").click()
    visitor.page.get_by_test_id("sandbox-wallet-approve").click()
    visitor.modal.expect_closed()
    account = verified(stack, stack.demo, token(visitor.modal)).account
    assert (account.partition(":")[0], account) == (namespace, visitor.modal.api("getCaipAddress"))


def test_on_a_phone_the_page_beside_its_badge_can_be_clicked(visit: Visiting) -> None:
    person = visit(query={"wallet": ""}, viewport={"width": 390, "height": 844})
    badge = person.page.get_by_test_id("sandbox-wallet-toggle").bounding_box()
    assert badge is not None
    hit = person.page.evaluate(
        "([x, y]) => document.elementFromPoint(x, y).closest('#sandbox-wallet')",
        [badge["x"] / 2, badge["y"] + badge["height"] / 2],
    )
    assert hit is None


@pytest.mark.parametrize("height", [640, 740])
def test_on_a_small_phone_neither_badge_nor_question_covers_the_way_out(visit: Visiting, height: int) -> None:
    no_wallet = {"announce": False, "extra": {"onWindow": False}}
    person = visit(query={"wallet": ""}, wallet=no_wallet, viewport={"width": 360, "height": height})
    person.modal.open()
    close = person.modal.card.get_by_role("button", name="Close")
    close.click(trial=True)
    person.modal.wallet_row(SANDBOX_RDNS).click()
    expect(person.page.get_by_test_id("sandbox-wallet-approve")).to_be_visible()
    close.click()
    person.modal.expect_closed()


def test_a_batch_is_refused_for_it_has_none(asked: Visit) -> None:
    asked.page.get_by_test_id("sandbox-wallet-approve").click()
    asked.modal.expect_connected()
    calls = [{"version": "2.0.0", "chainId": "0x1", "atomicRequired": False, "calls": [{"to": "0x" + "11" * 20}]}]
    asked_for = {"wallet_sendCalls": calls, "wallet_getCapabilities": [], "wallet_getCallsStatus": ["0x1"]}
    assert {
        method: asked.modal.request(method, params).get("code") for method, params in asked_for.items()
    } == dict.fromkeys(asked_for, 4200)

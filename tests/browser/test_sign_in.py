"""Signing in with a wallet, as a visitor does it: what survives, what it ends with, and what the host's own server can prove."""

import json
import sqlite3
from contextlib import closing
from itertools import cycle, islice, product
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.forger import Forger
from tests.browser.modal import Modal
from tests.browser.polling import until
from tests.browser.stack import Stack
from tests.browser.test_forged_events import DOORS, GARBAGE, public_handlers
from tests.browser.visits import Visit, Visiting, demo_address
from walletmodal.host import Modal as Verifier
from walletmodal.host import SignedIn
from walletmodal.web.browser import COOKIE

HOSTS_STORAGE = """async () => {
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const kept = {localStorage: Object.values(localStorage), sessionStorage: Object.values(sessionStorage), cookies: [document.cookie]};
  kept.indexedDB = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name));
    for (const store of database.objectStoreNames)
      kept.indexedDB.push(JSON.stringify(await done(database.transaction(store).objectStore(store).getAll())));
    database.close();
  }
  return kept;
}"""
"""Every value that the host page's own scripts can read there, by place."""
REQUIRED: dict[str, Any] = {"siwx": {"required": True, "statement": "Welcome to the demo."}}


def start(visitor: Visit) -> None:
    """From the host page's button to the question whether to sign in."""
    visitor.modal.open()
    visitor.modal.choose_wallet()
    visitor.wallet.approve()
    visitor.modal.expect_view("Sign In")


def sign(visitor: Visit) -> None:
    """From the question to a closed modal."""
    visitor.modal.part("w3m-connecting-siwe-sign").click()
    visitor.wallet.approve("personal_sign")
    visitor.modal.expect_closed()


def token(modal: Modal) -> str:
    """What the host page gets; "" for null."""
    session = modal.api("getSession")
    return session["token"] if session else ""


def verified(stack: Stack, host: str, given: str) -> SignedIn:
    """What the host's own server makes of a token."""
    return Verifier(stack.modal.url, host).verify(given)


@pytest.fixture
def signed_in(visit: Visiting, stack: Stack) -> Visit:
    """A visitor on another site than the modal's, so that its cookie is in a partition, who has signed in."""
    visitor = visit(demo_address(stack.other_site_demo, json.dumps(REQUIRED), wallet="none"))
    start(visitor)
    sign(visitor)
    return visitor


def test_the_hosts_server_verifies_who_is_signed_in_until_they_sign_out(
    signed_in: Visit, visit: Visiting, stack: Stack
) -> None:
    """One visit from the first click to the end: each step needs the one before."""
    account = f"eip155:1:{signed_in.account.address}"
    assert verified(stack, stack.other_site_demo, token(signed_in.modal)).account == account

    signed_in.page.reload()
    signed_in.modal.expect_connected()
    assert verified(stack, stack.other_site_demo, token(signed_in.modal)).account == account
    signed_in.modal.expect_closed()

    second = visit(signed_in.address, context=signed_in.context).modal
    assert verified(stack, stack.other_site_demo, token(second)).account == account

    second.api("signOut")
    assert token(second) == ""
    assert token(signed_in.modal) == ""
    signed_in.modal.expect_view("Sign In")


def test_a_frame_that_reloads_while_the_wallet_signs_takes_its_one_answer(visit: Visiting, stack: Stack) -> None:
    visitor = visit(options=REQUIRED)
    start(visitor)
    visitor.modal.part("w3m-connecting-siwe-sign").click()
    visitor.wallet.await_question("personal_sign")
    visitor.page.evaluate("() => { const frame = document.querySelector('iframe'); frame.src = frame.src; }")
    visitor.wallet.approve("personal_sign")
    visitor.modal.wait(lambda: token(visitor.modal), what="a token")
    visitor.modal.expect_closed()
    assert visitor.wallet.asked("personal_sign") == 1


def test_a_restart_of_the_server_signs_nobody_out(visit: Visiting, stack: Stack) -> None:
    visitor = visit(options=REQUIRED)
    start(visitor)
    sign(visitor)
    stack.modal.restart()
    assert verified(stack, stack.demo, token(visitor.modal)).account == f"eip155:1:{visitor.account.address}"


def test_without_its_cookie_a_sign_in_lasts_as_long_as_the_page(visit: Visiting) -> None:
    visitor = visit(options=REQUIRED)
    start(visitor)
    sign(visitor)
    visitor.context.clear_cookies()
    assert token(visitor.modal)
    visitor.page.reload()
    visitor.modal.expect_view("Sign In")
    assert token(visitor.modal) == ""


def test_a_required_sign_in_that_is_cancelled_disconnects(visit: Visiting) -> None:
    visitor = visit(options=REQUIRED)
    start(visitor)
    visitor.page.keyboard.press("Escape")
    visitor.modal.part("w3m-connecting-siwe-cancel").click()
    visitor.modal.expect_disconnected()
    visitor.modal.expect_closed()


def test_who_signs_out_in_the_list_signs_in_again_from_there(visit: Visiting) -> None:
    visitor = visit(options={"siwx": {"required": False}})
    start(visitor)
    sign(visitor)
    visitor.modal.open_account()
    visitor.modal.part("w3m-profile-button").click()
    visitor.modal.part("account-settings-button").click()
    visitor.modal.part("account-settings-sign-ins").click()
    visitor.modal.part("sign-in-end").click()
    visitor.modal.part("sign-ins-sign-in").click()
    visitor.modal.expect_view("Sign In")
    visitor.modal.part("w3m-connecting-siwe-sign").click()
    visitor.wallet.approve("personal_sign")
    visitor.modal.expect_view("Sign-Ins")
    expect(visitor.modal.part("sign-in-item")).to_contain_text("In use", ignore_case=True)


def test_the_demo_page_shows_what_its_own_server_has_verified(visit: Visiting) -> None:
    visitor = visit()
    visitor.modal.connect(visitor.wallet)
    visitor.page.get_by_test_id("demo-sign-in").click()
    visitor.modal.expect_view("Sign In")
    sign(visitor)
    expect(visitor.page.get_by_test_id("demo-session-server")).to_contain_text("verified")
    visitor.page.get_by_test_id("demo-sign-out").click()
    expect(visitor.page.get_by_test_id("demo-session-status")).to_have_text("signed out")


def on_record(stack: Stack) -> list[list[Any]]:
    """Who is signed in, what wallets were asked for, and what was decided."""
    with closing(sqlite3.connect(stack.modal.database)) as database:
        tables = ("sign_ins", "requests", "decisions")
        return [
            database.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall() for table in tables
        ]  # names of our own


def test_nothing_that_proves_a_sign_in_lies_in_the_hosts_storage(signed_in: Visit) -> None:
    given = token(signed_in.modal)
    (secret,) = [cookie["value"] for cookie in signed_in.context.cookies() if cookie["name"] == COOKIE]
    kept = signed_in.page.evaluate(HOSTS_STORAGE)
    assert all((kept["localStorage"], given, secret))
    for place, values in kept.items():
        assert not [value for value in values if given in value or secret in value], place


def test_a_wallet_that_ends_the_connection_itself_signs_nobody_out(signed_in: Visit, stack: Stack) -> None:
    signed_in.wallet.revoke()
    signed_in.modal.expect_disconnected()
    signed_in.modal.connect(signed_in.wallet)
    found = verified(stack, stack.other_site_demo, token(signed_in.modal))
    assert found.account == f"eip155:1:{signed_in.account.address}"
    assert signed_in.wallet.asked("personal_sign") == 1


def test_2000_forged_events_sign_nobody_in_or_out(signed_in: Visit, stack: Stack) -> None:
    before = on_record(stack)
    # What is long is heard slowly (web/socket_throttle.py), and thrown elsewhere.
    garbage = [one for name, one in GARBAGE.items() if name != "long text"]
    forged = list(islice(cycle(product(public_handlers().items(), garbage)), 2_000))
    counted = sum(name in DOORS for (name, _), _ in forged)
    ignored = stack.modal.ignored()
    with Forger(stack.modal.url) as forger:
        for (name, parameters), thrown in forged:
            forger.fire(name, dict.fromkeys(parameters, thrown))
        forger.expect_answer()
    until(lambda: stack.modal.ignored() >= ignored + counted, what=f"{counted} more events that were ignored")
    until(stack.modal.is_healthy, what="a healthy server")
    assert on_record(stack) == before
    found = verified(stack, stack.other_site_demo, token(signed_in.modal))
    assert found.account == f"eip155:1:{signed_in.account.address}"

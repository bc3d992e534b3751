"""The server restarts, a worker is killed, the line breaks, a page reloads, all while the wallet is being asked: nothing is lost."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.servers import ModalServer
from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting

KINDS = ("one worker, memory", "two workers, Redis")


@pytest.fixture(params=KINDS)
def server(request: pytest.FixtureRequest, stack: Stack) -> ModalServer:
    """Both ways of running the server."""
    return stack.modal if request.param == KINDS[0] else stack.redis_modal


@pytest.fixture(params=["restarted", "workers killed"])
def blow(request: pytest.FixtureRequest, server: ModalServer) -> Callable[[], None]:
    """What happens to the server in the middle of things."""
    return server.restart if request.param == "restarted" else server.kill_workers


@pytest.fixture
def asking(visit: Visiting, server: ModalServer) -> Visit:
    """A visitor whose wallet is being asked to connect right now."""
    visitor = visit(server=server)
    visitor.modal.open()
    visitor.modal.choose_wallet()
    visitor.wallet.await_question()
    return visitor


@pytest.fixture
def settled(visit: Visiting, server: ModalServer) -> Visit:
    """A visitor whose wallet is connected."""
    visitor = visit(server=server)
    visitor.modal.connect(visitor.wallet)
    return visitor


def test_an_approval_after_the_server_is_back_connects(asking: Visit, blow: Callable[[], None]) -> None:
    blow()
    asking.wallet.approve()
    asking.modal.expect_connected(asking.account.address)


def test_an_approval_after_the_server_is_back_closes_the_modal(asking: Visit, blow: Callable[[], None]) -> None:
    blow()
    asking.wallet.approve()
    asking.modal.expect_connected(asking.account.address)
    expect(asking.modal.card).to_be_hidden(timeout=15_000)


def test_the_wallet_is_not_asked_twice(asking: Visit, blow: Callable[[], None]) -> None:
    blow()
    asking.wallet.approve()
    expect(asking.modal.card).to_be_hidden(timeout=15_000)
    assert asking.wallet.asked("eth_requestAccounts") == 1


def test_an_approval_while_the_server_is_away_connects(asking: Visit, server: ModalServer) -> None:
    server.stop()
    asking.wallet.approve()
    server.start()
    asking.modal.open_account()
    expect(asking.modal.card).to_contain_text(asking.account.truncated, ignore_case=True)


def test_a_refusal_while_the_server_is_away_is_shown(asking: Visit, server: ModalServer) -> None:
    server.stop()
    asking.wallet.reject()
    server.start()
    expect(asking.modal.card).to_contain_text("Connection declined", timeout=15_000)


def test_a_connected_account_stays_connected(settled: Visit, blow: Callable[[], None]) -> None:
    blow()
    settled.modal.open_account()
    expect(settled.modal.card).to_contain_text(settled.account.truncated, ignore_case=True)


def test_the_open_view_is_kept(settled: Visit, blow: Callable[[], None]) -> None:
    settled.modal.open_account()
    settled.modal.part("w3m-account-select-network").click()
    settled.modal.expect_view("Choose Network")
    blow()
    settled.modal.network_row("Polygon").click()
    settled.wallet.approve("wallet_switchEthereumChain")
    settled.modal.expect_network("eip155:137")


def test_a_click_while_the_server_is_away_is_carried_out_when_it_is_back(visit: Visiting, server: ModalServer) -> None:
    visitor = visit(server=server)
    visitor.modal.open()
    server.stop()
    visitor.modal.choose_wallet()
    server.start()
    visitor.wallet.await_question(seconds=20)


def test_a_signature_that_was_asked_before_a_restart_still_reaches_the_host(
    settled: Visit, blow: Callable[[], None]
) -> None:
    settled.modal.begin_request("sign", "personal_sign", ["0x68656c6c6f", settled.account.address])
    settled.wallet.await_question("personal_sign")
    blow()
    settled.wallet.approve("personal_sign")
    assert re.fullmatch("0x[0-9a-f]{130}", settled.modal.outcome("sign")["value"])


def test_a_signature_is_not_asked_twice_after_a_restart(settled: Visit, blow: Callable[[], None]) -> None:
    settled.modal.begin_request("sign", "personal_sign", ["0x68656c6c6f", settled.account.address])
    settled.wallet.await_question("personal_sign")
    blow()
    settled.wallet.approve("personal_sign")
    settled.modal.outcome("sign")
    # A round trip through the server that is back: by its end, whatever it wanted to ask again has been asked.
    settled.modal.open_account()
    assert settled.wallet.asked("personal_sign") == 1


def test_after_a_restart_no_error_was_left_on_the_console(settled: Visit, server: ModalServer) -> None:
    server.restart()
    settled.modal.open_account()
    assert settled.problems.except_for(r"WebSocket connection to", "net::ERR_") == []


def test_a_cut_line_in_mid_command_loses_nothing(visit: Visiting, stack: Stack) -> None:
    visitor = visit(server=stack.distant_modal)
    visitor.modal.open()
    visitor.modal.choose_wallet()
    visitor.wallet.await_question()
    stack.line.cut()
    visitor.wallet.approve()
    visitor.modal.expect_connected(visitor.account.address)
    expect(visitor.modal.card).to_be_hidden(timeout=15_000)


def test_a_line_that_is_dead_for_a_while_loses_nothing(visit: Visiting, stack: Stack) -> None:
    visitor = visit(server=stack.distant_modal)
    visitor.modal.open()
    visitor.modal.choose_wallet()
    visitor.wallet.await_question()
    stack.line.cut(dead=True)
    visitor.wallet.approve()
    stack.line.mend()
    visitor.modal.expect_connected(visitor.account.address)
    expect(visitor.modal.card).to_be_hidden(timeout=20_000)


def test_a_modal_can_be_closed_while_the_line_is_dead(visit: Visiting, stack: Stack) -> None:
    visitor = visit(server=stack.distant_modal)
    visitor.modal.open()
    stack.line.cut(dead=True)
    visitor.modal.part("w3m-header-close").click()
    try:
        expect(visitor.modal.card).to_be_hidden()
    finally:
        stack.line.mend()


def test_a_reload_in_mid_command_offers_the_wallet_again(asking: Visit) -> None:
    asking.page.reload()
    expect(asking.modal.retry).to_be_enabled(timeout=15_000)


def test_a_reload_in_mid_command_can_be_completed(asking: Visit) -> None:
    asking.page.reload()
    expect(asking.modal.retry).to_be_enabled(timeout=15_000)
    asking.modal.retry.click()
    asking.wallet.approve()
    asking.modal.expect_connected(asking.account.address)


def test_an_approval_given_during_a_reload_connects(asking: Visit) -> None:
    # A real wallet keeps its question over the reload; its owner says yes before the page is there again.
    asking.wallet.approve()
    asking.page.reload()
    asking.modal.expect_connected(asking.account.address)


def test_a_reload_of_the_frame_alone_keeps_the_question(asking: Visit) -> None:
    asking.modal.iframe.evaluate("(iframe) => { iframe.src = iframe.src; }")
    asking.wallet.approve()
    asking.modal.expect_connected(asking.account.address)


def test_a_reload_of_the_frame_alone_asks_nothing_twice(asking: Visit) -> None:
    asking.modal.iframe.evaluate("(iframe) => { iframe.src = iframe.src; }")
    asking.wallet.approve()
    asking.modal.expect_connected(asking.account.address)
    assert asking.wallet.asked("eth_requestAccounts") == 1


def test_back_and_forward_keep_the_account(settled: Visit) -> None:
    settled.page.goto("about:blank")
    settled.page.go_back()
    settled.modal.expect_connected(settled.account.address)

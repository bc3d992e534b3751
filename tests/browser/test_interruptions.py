"""The server restarts, a worker is killed, the line breaks, a page reloads, all while the wallet is being asked: nothing is lost."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.servers import ModalServer
from tests.browser.stack import Stack
from tests.browser.test_sign_in import REQUIRED, start, token
from tests.browser.visiting import visiting
from tests.browser.visits import Visit, Visiting
from walletmodal.host import Modal as Verifier

KINDS = ("one worker, memory", "two workers, Redis")
GONE = 4900
"""The code of an error: the modal's server is not there."""
BLOWS = ("restarted", "workers killed")


def server_of(stack: Stack, kind: str) -> ModalServer:
    """The server that is run in one of the two ways."""
    return stack.modal if kind == KINDS[0] else stack.redis_modal


def being_asked(visit: Visiting, server: ModalServer) -> Visit:
    """A visitor whose wallet is being asked to connect right now."""
    visitor = visit(server=server)
    visitor.modal.open()
    visitor.modal.choose_wallet()
    visitor.wallet.await_question()
    return visitor


def connected_to(visit: Visiting, server: ModalServer) -> Visit:
    """A visitor whose wallet is connected."""
    visitor = visit(server=server)
    visitor.modal.connect(visitor.wallet)
    return visitor


@pytest.fixture(params=KINDS)
def server(request: pytest.FixtureRequest, stack: Stack) -> ModalServer:
    """Both ways of running the server."""
    return server_of(stack, request.param)


@pytest.fixture
def asking(visit: Visiting, server: ModalServer) -> Visit:
    """A visitor whose wallet is being asked to connect right now."""
    return being_asked(visit, server)


@pytest.fixture
def settled(visit: Visiting, server: ModalServer) -> Visit:
    """A visitor whose wallet is connected."""
    return connected_to(visit, server)


@dataclass(frozen=True)
class Struck:
    """Visitors who were in the middle of something when the server was restarted, or all its workers were killed.

    Attributes:
        asking: whose wallet was being asked to connect.
        settled: whose wallet was connected.
        browsing: who had the list of networks open.
        signing: whose wallet was being asked for a signature, which the host awaits as `sign`.
    """

    asking: Visit
    settled: Visit
    browsing: Visit
    signing: Visit


# Each way of running once, with the blow that is the worse for it: memory goes with any restart, Redis keeps what was written.
@pytest.fixture(scope="module", params=zip(KINDS, BLOWS, strict=True), ids=", ".join)
def struck(request: pytest.FixtureRequest, stack: Stack, chromium: Browser) -> Iterator[Struck]:
    """One blow for visitors in every situation; the server is back."""
    kind, blow = request.param
    server = server_of(stack, kind)
    with visiting(stack, chromium) as visit:
        browsing = connected_to(visit, server)
        browsing.modal.open_account()
        browsing.modal.part("w3m-account-select-network").click()
        browsing.modal.expect_view("Choose Network")
        signing = connected_to(visit, server)
        signing.modal.begin_request("sign", "personal_sign", ["0x68656c6c6f", signing.account.address])
        signing.wallet.await_question("personal_sign")
        visitors = Struck(being_asked(visit, server), connected_to(visit, server), browsing, signing)
        if blow == BLOWS[0]:
            server.restart()
        else:
            server.kill_workers()
        yield visitors


@pytest.fixture(scope="module")
def approved(struck: Struck) -> Visit:
    """The wallet that was being asked agrees after the blow."""
    struck.asking.wallet.approve()
    return struck.asking


@pytest.fixture(scope="module")
def returned(struck: Struck) -> Visit:
    """The connected visitor opens the account after the blow."""
    struck.settled.modal.open_account()
    return struck.settled


@pytest.fixture(scope="module")
def signed(struck: Struck) -> Visit:
    """The wallet that was being asked for a signature agrees after the blow."""
    struck.signing.wallet.approve("personal_sign")
    struck.signing.modal.outcome("sign")
    return struck.signing


def test_an_approval_after_the_server_is_back_connects(approved: Visit) -> None:
    approved.modal.expect_connected(approved.account.address)


def test_an_approval_after_the_server_is_back_closes_the_modal(approved: Visit) -> None:
    expect(approved.modal.card).to_be_hidden()


def test_the_wallet_is_not_asked_twice(approved: Visit) -> None:
    expect(approved.modal.card).to_be_hidden()
    assert approved.wallet.asked("eth_requestAccounts") == 1


def test_a_connected_account_stays_connected(returned: Visit) -> None:
    expect(returned.modal.card).to_contain_text(returned.account.truncated, ignore_case=True)


def test_no_error_is_left_on_the_console(returned: Visit) -> None:
    assert returned.problems.except_for(r"WebSocket connection to", "net::ERR_") == []


def test_the_open_view_is_kept(struck: Struck) -> None:
    struck.browsing.modal.network_row("Polygon").click()
    struck.browsing.wallet.approve("wallet_switchEthereumChain")
    struck.browsing.modal.expect_network("eip155:137")


def test_a_signature_that_was_asked_before_still_reaches_the_host(signed: Visit) -> None:
    assert re.fullmatch("0x[0-9a-f]{130}", signed.modal.outcome("sign")["value"])


def test_a_signature_is_not_asked_twice(signed: Visit) -> None:
    # A round trip through the server that is back: by its end, whatever it wanted to ask again has been asked.
    signed.modal.open_account()
    assert signed.wallet.asked("personal_sign") == 1


def test_a_sign_in_is_completed_by_workers_that_did_not_begin_it(visit: Visiting, stack: Stack) -> None:
    server = stack.redis_modal
    visitor = visit(server=server, options=REQUIRED)
    start(visitor)
    visitor.modal.part("w3m-connecting-siwe-sign").click()
    visitor.wallet.await_question("personal_sign")
    server.kill_workers()
    visitor.wallet.approve("personal_sign")
    visitor.modal.expect_closed()
    signed_in = Verifier(server.url, stack.hosts.allowed).verify(token(visitor.modal))
    assert signed_in.account == f"eip155:1:{visitor.account.address}"


@dataclass(frozen=True)
class Away:
    """Visitors who did something while the server was away: their wallet approved, it refused, or they chose a wallet."""

    approving: Visit
    refusing: Visit
    choosing: Visit


@pytest.fixture(scope="module", params=KINDS)
def away(request: pytest.FixtureRequest, stack: Stack, chromium: Browser) -> Iterator[Away]:
    """The server was away for a moment, and is back."""
    server = server_of(stack, request.param)
    with visiting(stack, chromium) as visit:
        visitors = Away(being_asked(visit, server), being_asked(visit, server), visit(server=server))
        visitors.choosing.modal.open()
        server.stop()
        visitors.approving.wallet.approve()
        visitors.refusing.wallet.reject()
        visitors.choosing.modal.choose_wallet()
        server.start()
        yield visitors


def test_an_approval_while_the_server_is_away_connects(away: Away) -> None:
    away.approving.modal.open_account()
    expect(away.approving.modal.card).to_contain_text(away.approving.account.truncated, ignore_case=True)


def test_a_refusal_while_the_server_is_away_is_shown(away: Away) -> None:
    expect(away.refusing.modal.card).to_contain_text("Connection declined")


def test_a_click_while_the_server_is_away_is_carried_out_when_it_is_back(away: Away) -> None:
    away.choosing.wallet.await_question()


def test_a_cut_line_in_mid_command_loses_nothing(visit: Visiting, stack: Stack) -> None:
    visitor = visit(server=stack.distant_modal)
    visitor.modal.open()
    visitor.modal.choose_wallet()
    visitor.wallet.await_question()
    stack.line.cut()
    visitor.wallet.approve()
    visitor.modal.expect_connected(visitor.account.address)
    expect(visitor.modal.card).to_be_hidden()


def test_a_line_that_is_dead_for_a_while_loses_nothing(visit: Visiting, stack: Stack) -> None:
    visitor = visit(server=stack.distant_modal)
    visitor.modal.open()
    visitor.modal.choose_wallet()
    visitor.wallet.await_question()
    stack.line.cut(dead=True)
    visitor.wallet.approve()
    stack.line.mend()
    visitor.modal.expect_connected(visitor.account.address)
    expect(visitor.modal.card).to_be_hidden()


def test_a_modal_can_be_closed_while_the_line_is_dead(visit: Visiting, stack: Stack) -> None:
    visitor = visit(server=stack.distant_modal)
    visitor.modal.open()
    stack.line.cut(dead=True)
    visitor.modal.part("w3m-header-close").click()
    try:
        expect(visitor.modal.card).to_be_hidden()
    finally:
        stack.line.mend()


@pytest.mark.parametrize("kind", KINDS)
def test_a_call_at_the_moment_in_which_the_workers_die_opens_the_modal_or_is_rejected(
    visit: Visiting, stack: Stack, kind: str
) -> None:
    server = server_of(stack, kind)
    visitor = visit(server=server)
    visitor.modal.open()
    visitor.modal.api("close")
    for worker in server.workers():
        worker.kill()
    outcome = visitor.modal.attempt("open")
    assert outcome.get("code") in (None, GONE)
    server.revive()


def test_while_the_server_is_away_no_promise_stays_open_and_none_is_kept_later(visit: Visiting, stack: Stack) -> None:
    visitor = visit(options={"siwx": {"required": False}})
    visitor.modal.open()
    visitor.modal.api("close")
    visitor.modal.expect_closed()
    stack.modal.stop()
    waiting = {
        "open": (),
        "getSession": (),
        "signIn": (),
        "signOut": (),
        "switchNetwork": ("eip155:137",),
        "disconnect": (),
        "updateOptions": ({"enableWalletGuide": False},),
        "showErrorMessage": ("gone",),
    }
    for name, arguments in waiting.items():
        visitor.modal.begin(name, name, *arguments)
    visitor.modal.begin_request("eth_requestAccounts", "eth_requestAccounts")
    assert {
        name: visitor.modal.outcome(name).get("code") for name in (*waiting, "eth_requestAccounts")
    } == dict.fromkeys((*waiting, "eth_requestAccounts"), GONE)
    stack.modal.start()
    assert visitor.modal.attempt("getSession") == {"value": None}
    expect(visitor.modal.card).to_be_hidden()


@dataclass(frozen=True)
class Recovered:
    """What came of a question that a reload interrupted.

    Attributes:
        offered: whether the wallet was offered again.
        connected: the address that the host page knew in the end; `wanted`: the one that it should.
        asked: how often the page's wallet was asked since it is there.
    """

    offered: bool
    connected: str
    wanted: str
    asked: int


@pytest.fixture(scope="module", params=KINDS)
def reloaded(request: pytest.FixtureRequest, stack: Stack, chromium: Browser) -> Recovered:
    """The page was reloaded in mid-command, and the wallet tried again."""
    with visiting(stack, chromium) as visit:
        visitor = being_asked(visit, server_of(stack, request.param))
        visitor.page.reload()
        # Whether it is offered is for the tests to say; without that, nothing follows.
        with suppress(AssertionError):
            expect(visitor.modal.retry).to_be_enabled()
        if not (offered := visitor.modal.retry.is_visible()):
            return Recovered(offered, "", visitor.account.address, 0)
        visitor.modal.retry.click()
        return recovered(visitor)


@pytest.fixture(scope="module", params=KINDS)
def reframed(request: pytest.FixtureRequest, stack: Stack, chromium: Browser) -> Recovered:
    """The frame alone was reloaded in mid-command, and the wallet approved."""
    with visiting(stack, chromium) as visit:
        visitor = being_asked(visit, server_of(stack, request.param))
        visitor.modal.iframe.evaluate("(iframe) => { iframe.src = iframe.src; }")
        return recovered(visitor)


def recovered(visitor: Visit) -> Recovered:
    visitor.wallet.approve()
    with suppress(AssertionError):
        visitor.modal.expect_connected()
    connected = str(visitor.modal.api("getAddress") or "")
    return Recovered(True, connected, visitor.account.address, visitor.wallet.asked("eth_requestAccounts"))


def test_a_reload_in_mid_command_offers_the_wallet_again(reloaded: Recovered) -> None:
    assert reloaded.offered


def test_a_reload_in_mid_command_can_be_completed(reloaded: Recovered) -> None:
    assert reloaded.connected.lower() == reloaded.wanted.lower()


def test_a_reload_of_the_frame_alone_keeps_the_question(reframed: Recovered) -> None:
    assert reframed.connected.lower() == reframed.wanted.lower()


def test_a_reload_of_the_frame_alone_asks_nothing_twice(reframed: Recovered) -> None:
    assert reframed.asked == 1


def test_an_approval_given_during_a_reload_connects(asking: Visit) -> None:
    # A real wallet keeps its question over the reload; its owner says yes before the page is there again.
    asking.wallet.approve()
    asking.page.reload()
    asking.modal.expect_connected(asking.account.address)


def test_back_and_forward_keep_the_account(settled: Visit) -> None:
    settled.page.goto("about:blank")
    settled.page.go_back()
    settled.modal.expect_connected(settled.account.address)

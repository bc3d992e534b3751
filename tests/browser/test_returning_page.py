"""A page that opens another socket: what it is told depends on what it has missed."""

import re

from playwright.sync_api import WebSocket, WebSocketRoute

from tests.browser.stack import Stack
from tests.browser.test_sign_in import REQUIRED
from tests.browser.visits import Visiting
from tests.patience import PATIENCE

_LEFT_AND_BACK = """() => {
  dispatchEvent(new Event("pagehide"));
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""As a page does that was left, and is there again as it was: another may have had its tab meanwhile."""
_NOTED_SOCKETS = """window.__sockets = [];
window.WebSocket = class extends WebSocket {
  constructor(...how) {
    super(...how);
    window.__sockets.push(this);
  }
};"""
_LOST_SOCKET = "() => window.__sockets.forEach((socket) => socket.close())"
_ANOTHER_FRAME = """() => {
  dispatchEvent(new StorageEvent("storage", { key: "walletmodal_seen" }));
  window.__sockets.forEach((socket) => socket.close());
}"""
"""As where another frame of this tab has kept what it has seen."""
_WHOLE = '"is_hydrated_rx_state_":false'
"""Is in the whole state, and in nothing else that a page is told."""
_KEPT = "seen_rx_state_"
_QUIET_MS = 500
_TRIES = 4
"""Of a page to say which browser this is."""


def test_a_page_that_has_missed_nothing_is_not_told_the_whole_state_again(visit: Visiting, stack: Stack) -> None:
    visitor = visit(server=stack.redis_modal, load=False)
    told, said = list[str](), list[str]()

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: told.append(str(frame)))
        socket.on("framesent", lambda frame: said.append(str(frame)))

    visitor.page.on("websocket", listen)
    visitor.page.add_init_script(_NOTED_SOCKETS)
    visitor.go()
    visitor.modal.connect(visitor.wallet)
    visitor.modal.open_account()
    assert any(_WHOLE in one for one in told)
    assert not any(_KEPT in one for one in said)

    def is_quiet() -> bool:
        """Whether neither the server nor the page has anything more to say."""
        before = len(told), len(said)
        visitor.page.wait_for_timeout(_QUIET_MS)
        return (len(told), len(said)) == before

    def is_told_whole(*, after: str) -> bool:
        visitor.modal.wait(is_quiet, what="a page that was told everything")
        told.clear()
        visitor.modal.card.evaluate(after)
        visitor.modal.wait(lambda: any('"sync_rx_state_"' in one for one in told), what="another socket")
        return any(_WHOLE in one for one in told)

    visitor.modal.wait(lambda: not is_told_whole(after=_LOST_SOCKET), what="a return without the whole state")
    assert is_told_whole(after=_LEFT_AND_BACK)
    visitor.modal.wait(lambda: not is_told_whole(after=_LOST_SOCKET), what="a return without the whole state")
    assert is_told_whole(after=_ANOTHER_FRAME)
    visitor.modal.part("w3m-account-select-network").click()
    visitor.modal.expect_view("Choose Network")
    # What a tab keeps of a page before says nothing of the next one.
    told.clear()
    said.clear()
    visitor.page.reload()
    visitor.modal.open_account()
    assert any(_WHOLE in one for one in told)
    assert not any(_KEPT in one for one in said)
    assert visitor.problems.except_for() == []


def test_a_browser_that_nobody_heard_says_over_another_socket_which_it_is(visit: Visiting, stack: Stack) -> None:
    """As where a balancer has forgotten the one before, which the page notices later than it has tried all of its times."""
    visitor = visit(server=stack.redis_modal, options=REQUIRED, load=False)
    sockets, lost = list[WebSocketRoute](), list[str]()

    def relay(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        sockets.append(socket)

        def pass_on(message: str | bytes) -> None:
            if ".redeem" in str(message) and len(lost) < _TRIES:
                lost.append(str(message))
            else:
                server.send(message)

        socket.on_message(pass_on)

    visitor.page.route_web_socket(re.compile("/_event"), relay)
    visitor.go()
    visitor.modal.open()
    visitor.modal.choose_wallet()
    visitor.wallet.approve()
    visitor.modal.wait(lambda: len(lost) == _TRIES, what="all tries", seconds=2 * PATIENCE)
    sockets[-1].close()
    visitor.modal.expect_view("Sign In")

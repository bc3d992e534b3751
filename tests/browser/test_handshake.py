"""The frame and a host that is allowed but does not keep to the handshake: the frame stays silent."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Frame, Page, expect

from tests.browser.host_pages import framing_page
from tests.browser.polling import until
from tests.browser.stack import Stack
from tests.browser.visiting import visiting
from tests.browser.visits import Visit, Visiting

KEEP_PORT = """
window.heard = [];
window.give = (source, origin, message, transfer = true) => {
  const channel = new MessageChannel();
  channel.port1.onmessage = ({data}) => heard.push(data);
  window.kept = channel.port1;
  source.postMessage(message, origin, transfer ? [channel.port2] : []);
};
"""

WRONG = {
    "never": "",
    "with a nonce of its own": "give(event.source, event.origin, {...event.data, id: '0'.repeat(32), type: 'walletmodal:port'});",
    "with another type": "give(event.source, event.origin, {...event.data, type: 'walletmodal:other'});",
    "with another version": "give(event.source, event.origin, {...event.data, v: 2, type: 'walletmodal:port'});",
    "without a port": "give(event.source, event.origin, {...event.data, type: 'walletmodal:port'}, false);",
    "with garbage": "for (const x of [null, 1, 'walletmodal:port', [], {}, {type: 'walletmodal:port'}]) event.source.postMessage(x, event.origin);",
}


def answering(script: str) -> str:
    return f"{KEEP_PORT} addEventListener('message', (event) => {{ if (event.data?.type === 'walletmodal:ready') {{ {script} }} }});"


def loaded(page: Page, stack: Stack) -> Frame:
    """The modal's frame once its application runs: its socket has brought it something."""
    frame = next(frame for frame in page.frames if frame.url.startswith(stack.modal.url))
    expect(page.frame_locator("iframe").locator("main")).to_be_attached()
    until(
        lambda: page.evaluate("received.length"),
        what="the frame's 'ready'",
        wait=lambda s: page.wait_for_timeout(s * 1000),
    )
    return frame


@pytest.fixture(scope="module", params=WRONG.values(), ids=list(WRONG))
def failing(request: pytest.FixtureRequest, stack: Stack, chromium: Browser) -> Iterator[Visit]:
    """A hand-made host that answers 'ready' wrongly or not at all; the frame has loaded. The tests only look."""
    assert stack.modal.is_healthy()
    stack.hosts.put("/hand-made", framing_page(stack.modal.url, answering(request.param)))
    with visiting(stack, chromium) as visit:
        visitor = visit(f"{stack.hosts.allowed}/hand-made", load=False)
        brought: list[str | bytes] = []
        # What the socket brings may be there before the page counts as loaded.
        visitor.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: brought.append(frame)))  # noqa: PLW0108 - Playwright marks what it is given
        visitor.go()
        visitor.modal.wait(lambda: brought, what="something over the frame's socket")
        loaded(visitor.page, stack)
        yield visitor


def test_all_that_is_sent_is_ready(failing: Visit) -> None:
    received: list[dict[str, Any]] = failing.page.evaluate("received")
    assert [message["data"]["type"] for message in received] == ["walletmodal:ready"]


def test_ready_carries_nothing(failing: Visit) -> None:
    (ready,) = failing.page.evaluate("received")
    assert (ready["data"]["payload"], ready["ports"]) == ({}, 0)


def test_nothing_comes_over_the_port(failing: Visit) -> None:
    assert failing.page.evaluate("heard") == []


def test_nothing_is_shown(failing: Visit) -> None:
    expect(failing.modal.card).to_be_hidden()


def test_a_host_that_keeps_to_the_handshake_is_answered(visit: Visiting, stack: Stack) -> None:
    """The counter-proof: the same page, with the right answer and a first message, hears from the frame."""
    origin = stack.hosts.allowed
    init = {
        "epoch": "e" * 32,
        "host": {
            "origin": origin,
            "url": origin,
            "title": "",
            "description": "",
            "icon": "",
            "standalone": False,
            "mobile": False,
        },
        "options": {},
        "theme": {"mode": None, "variables": {}},
        "snapshot": {
            "epoch": "e" * 32,
            "rev": 1,
            "settled": True,
            "wallets": [],
            "sessions": {},
            "storage": {"activeNetworkId": None, "activeNamespace": None, "recent": [], "interrupted": None},
        },
    }
    script = f"""give(event.source, event.origin, {{...event.data, type: 'walletmodal:port'}});
      kept.postMessage({{v: 1, id: '1', type: 'init', payload: {json.dumps(init)}}});"""
    assert stack.modal.is_healthy()
    stack.hosts.put("/well-made", framing_page(stack.modal.url, answering(script)))
    visitor = visit(f"{stack.hosts.allowed}/well-made")
    visitor.modal.wait(lambda: visitor.page.evaluate("heard.map((m) => m.type)"), what="anything over the port")


def test_a_second_port_is_refused(visitor: Visit) -> None:
    visitor.modal.open()
    visitor.page.evaluate(
        """(origin) => {
          window.heard = [];
          const frame = document.querySelector(`iframe[src^="${origin}"]`).contentWindow;
          for (const id of ["0".repeat(32), "", "1"]) {
            const channel = new MessageChannel();
            channel.port1.onmessage = ({data}) => heard.push(data);
            frame.postMessage({v: 1, id, type: "walletmodal:port", payload: {}}, origin, [channel.port2]);
          }
        }""",
        visitor.modal.url,
    )
    visitor.modal.choose_wallet()
    visitor.wallet.approve()
    visitor.modal.expect_closed()
    assert visitor.page.evaluate("heard") == []

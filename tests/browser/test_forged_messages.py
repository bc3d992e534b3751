"""Messages that nobody of ours sent, or sent twice, or too late, or too large: ignored and counted, nothing changes."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting

STEAL_PORT = """
if (window.top === window) {
  const Channel = window.MessageChannel;
  window.MessageChannel = class extends Channel {
    constructor() {
      super();
      // The loader's own end: what is posted here reaches the frame as if the loader had sent it.
      window.__port = this.port1;
      window.__sent = [];
      const post = this.port1.postMessage.bind(this.port1);
      this.port1.postMessage = (message, ...rest) => { window.__sent.push(structuredClone(message)); post(message, ...rest); };
    }
  };
}
"""

ATTACKER = "0x000000000000000000000000000000000000dEaD"


def forged_snapshot(**changes: Any) -> dict[str, Any]:
    snapshot = {
        "epoch": "f" * 32,
        "rev": 10**6,
        "settled": True,
        "wallets": [],
        "sessions": {"eip155": {"connector": "x", "accounts": [ATTACKER], "chain": "1"}},
        "storage": {"activeNetworkId": None, "activeNamespace": None, "recent": [], "interrupted": None},
    }
    return {**snapshot, **changes}


def envelope(kind: str, payload: Any, identity: Any = "forged") -> dict[str, Any]:
    return {"v": 1, "id": identity, "type": kind, "payload": payload}


FORGED: dict[str, Any] = {
    "no object": 7,
    "a text": "open",
    "nothing": None,
    "another version": {**envelope("call", {"method": "close", "params": {}}), "v": 2},
    "no version": {"id": "1", "type": "call", "payload": {"method": "close", "params": {}}},
    "an id that is no text": envelope("call", {"method": "close", "params": {}}, 7),
    "an unknown type": envelope("become", {"admin": True}),
    "a type of the prototype": envelope("__proto__", {}),
    "a payload that is a list": envelope("call", []),
    "a payload that is missing": {"v": 1, "id": "1", "type": "call"},
    "a snapshot of another page life": envelope("snapshot", forged_snapshot()),
    "a snapshot of the wrong shape": envelope("snapshot", forged_snapshot(sessions=[])),
    "a reply to a command that never was": envelope(
        "reply",
        {"id": "never", "epoch": "f" * 32, "ok": True, "value": {"accounts": [ATTACKER], "chain": "1"}, "error": None},
    ),
    "a reply of the wrong shape": envelope("reply", {"id": {"$ne": None}}),
    "an oversized message": envelope("call", {"method": "close", "params": {"x": "x" * 300_000}}),
    "an unknown method": envelope("call", {"method": "grant", "params": {"address": ATTACKER}}),
    "a call of the wrong shape": envelope("call", {"method": ["close"], "params": "x"}),
    "a request of another namespace": envelope(
        "request", {"namespace": "eip999", "method": "eth_accounts", "params": []}
    ),
    "a second init": envelope(
        "init",
        {"epoch": "f" * 32, "host": {"origin": "https://evil.example"}, "options": {}, "theme": {}, "snapshot": {}},
    ),
}


def tap(visit: Visiting) -> Visit:
    """A connected visitor with the modal open, on a page that holds the loader's end of the port."""
    visitor = visit(before=[STEAL_PORT])
    visitor.modal.connect(visitor.wallet)
    visitor.modal.open_account()
    # At rest: what is still being read would change by itself.
    expect(visitor.modal.card).to_contain_text("No tokens yet")
    return visitor


@pytest.fixture
def tapped(visit: Visiting) -> Visit:
    """Such a visitor."""
    return tap(visit)


@pytest.fixture(scope="module")
def unmoved(shared_visit: Visiting) -> Visit:
    """Such a visitor for all tests in which nothing may change."""
    return tap(shared_visit)


def told(visitor: Visit) -> tuple[Any, ...]:
    """Everything that the host knows, and what is shown."""
    shown = visitor.modal.card.inner_text()
    return visitor.modal.api("getState"), visitor.modal.api("getAccount"), visitor.modal.api("getCaipNetworkId"), shown


def round_trip(visitor: Visit) -> None:
    """A call that goes to the server and back, behind whatever was posted before it."""
    assert visitor.modal.attempt("switchNetwork", "eip155:1").get("code") is None


@pytest.mark.parametrize("message", FORGED.values(), ids=FORGED.keys())
def test_a_forged_message_on_the_port_changes_nothing(unmoved: Visit, message: Any) -> None:
    round_trip(unmoved)
    before = told(unmoved)
    unmoved.page.evaluate("(message) => MessagePort.prototype.postMessage.call(__port, message)", message)
    round_trip(unmoved)
    assert told(unmoved) == before


@pytest.mark.parametrize("message", FORGED.values(), ids=FORGED.keys())
def test_a_forged_message_to_the_frames_window_changes_nothing(unmoved: Visit, message: Any) -> None:
    round_trip(unmoved)
    before = told(unmoved)
    unmoved.page.evaluate(
        "([message, origin]) => document.querySelector(`iframe[src^='${origin}']`).contentWindow.postMessage(message, origin)",
        [message, unmoved.modal.url],
    )
    round_trip(unmoved)
    assert told(unmoved) == before


@pytest.mark.parametrize("kind", ["commands", "state", "shown", "result", "walletmodal:ready"])
def test_a_message_of_the_frame_from_another_window_changes_nothing(unmoved: Visit, kind: str) -> None:
    payloads: dict[str, Any] = {
        "commands": {
            "commands": [
                {
                    "id": "1",
                    "epoch": "f" * 32,
                    "replay": True,
                    "method": "wallet.disconnect",
                    "params": {"namespace": "eip155"},
                }
            ]
        },
        "state": {"open": False, "loading": False, "initialized": True, "view": "Connect", "accounts": {}},
        "shown": {"visible": False},
        "result": {"ok": True, "value": None, "error": None},
        "walletmodal:ready": {},
    }
    before = told(unmoved)
    unmoved.page.evaluate(
        "(message) => { window.postMessage(message, location.origin); }", envelope(kind, payloads[kind], "a" * 32)
    )
    round_trip(unmoved)
    assert told(unmoved) == before


def test_a_repeated_reply_changes_nothing(tapped: Visit) -> None:
    replies = tapped.page.evaluate("__sent.filter((message) => message.type === 'reply')")
    assert replies
    tapped.modal.part("disconnect-button").click()
    tapped.modal.expect_disconnected()
    tapped.page.evaluate(
        "(replies) => replies.forEach((reply) => MessagePort.prototype.postMessage.call(__port, reply))", replies
    )
    round_trip(tapped)
    tapped.modal.expect_disconnected()


def test_a_late_snapshot_changes_nothing(tapped: Visit) -> None:
    old = tapped.page.evaluate("__sent.filter((message) => message.type === 'snapshot').at(-1)")
    assert old
    tapped.wallet.select_accounts(tapped.other)
    tapped.modal.expect_connected(tapped.other.address)
    tapped.page.evaluate("(old) => MessagePort.prototype.postMessage.call(__port, old)", old)
    round_trip(tapped)
    tapped.modal.expect_connected(tapped.other.address)


def test_what_the_server_ignores_is_counted(unmoved: Visit, stack: Stack) -> None:
    before = stack.modal.ignored()
    message = FORGED["a reply to a command that never was"]
    unmoved.page.evaluate("(message) => MessagePort.prototype.postMessage.call(__port, message)", message)
    unmoved.modal.wait(lambda: stack.modal.ignored() > before, what="a higher count in /metrics")


def test_what_the_loader_ignores_is_counted(unmoved: Visit) -> None:
    before = unmoved.page.evaluate("modal.dropped")
    unmoved.page.evaluate(
        "(message) => { window.postMessage(message, location.origin); }", envelope("walletmodal:ready", {}, "a" * 32)
    )
    unmoved.modal.wait(lambda: unmoved.page.evaluate("modal.dropped") > before, what="a higher count in the loader")

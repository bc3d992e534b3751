"""What a real page says on its socket, recorded in Chromium: the load repeats it word for word, and row 8 counts its bytes."""

import json
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import Any

from playwright.sync_api import Browser, Locator, Page, WebSocket

from bench.apps import App
from bench.browser import HOST_BUTTON, ROW, fresh_page, preloaded, settle, wait_for
from bench.load import Script
from walletmodal.commands.project import CommandError

_SHELL = "walletmodal.features.shell.state:ShellState"
BRIDGE = "walletmodal.features.bridge.state:BridgeState"
_ROOT = "reflex.state:State"
_COUNTER = "empty_app.empty_app:Counter"
_HELP = '[data-testid="w3m-header-help"]'
_BACK = '[data-testid="header-back"]'
_REPLY = ".on_reply"
_PUSHED = "WhatIsAWallet"
_OTHER = "WhatIsANetwork"


@dataclass
class Socket:
    """The event socket of one page: packets in the order in which they passed."""

    sent: list[str] = field(default_factory=list)
    received: list[str] = field(default_factory=list)
    url: str = ""

    def listen(self, page: Page) -> None:
        """Record what the page's event socket carries."""
        page.on("websocket", self._opened)

    def _opened(self, socket: WebSocket) -> None:
        if "/_event" in socket.url:
            self.url = socket.url
            socket.on("framesent", lambda text: self.sent.append(str(text)))
            socket.on("framereceived", lambda text: self.received.append(str(text)))


@dataclass(frozen=True)
class Recording:
    """How visitors of one app speak.

    Attributes:
        script: set-up and the event that is measured; for ours: one view pushed after the other.
        there_and_back: the same set-up, a push and the way back in turn; for the empty app the event alone.
        hydrate_bytes: of the first delta.
        push_bytes: on the socket for one event.
    """

    script: Script
    there_and_back: Script
    hydrate_bytes: int
    push_bytes: int


def record_ours(browser: Browser, app: App, host: str) -> Recording:
    """One visitor opens the modal, goes to a help view and back.

    Raises:
        CommandError: the page did not say what it must have said.
    """
    names = app.names(_SHELL, BRIDGE)
    shell, bridge = names["ShellState"], names["BridgeState"]
    socket = Socket()
    with fresh_page(browser) as page:
        socket.listen(page)
        frame = preloaded(page, host, app.url)
        page.click(HOST_BUTTON)
        frame.locator(ROW).first.click(trial=True)
        settle(page)
        setup = [text for text in _events(socket.sent) if not _event(text)["name"].endswith(_REPLY)]
        pushed, cost = _press(
            page, socket, frame.locator(_HELP), f"document.querySelector('[data-view=\"{_PUSHED}\"]')"
        )
        back, _ = _press(page, socket, frame.locator(_BACK), "document.querySelector('[data-view=\"Connect\"]')")
    if _event(pushed)["name"] != shell["events"]["push"] or _PUSHED not in pushed:
        raise CommandError(f"the help button sends something else than a push: {pushed[:300]}")
    script = Script(
        **_opening(app, socket),
        setup=tuple(setup),
        epoch=_epoch(setup, bridge["events"]["on_init"]),
        commands=(bridge["name"], "commands_rx_state_"),
        reply=bridge["events"]["on_reply"],
        ready=(shell["name"], "open_rx_state_", True),
        steps=(pushed, pushed.replace(_PUSHED, _OTHER)),
        answer='"view_rx_state_"',
    )
    turns = replace(script, steps=(pushed, back))
    return Recording(script, turns, _first_delta(socket), cost)


def record_empty(browser: Browser, app: App) -> Recording:
    """One visitor presses the counter.

    Raises:
        CommandError: the page did not say what it must have said.
    """
    names = app.names(_ROOT, _COUNTER)
    socket = Socket()
    with fresh_page(browser) as page:
        socket.listen(page)
        page.goto(app.url)
        settle(page)
        pressed, cost = _press(
            page, socket, page.locator("#counter"), 'document.querySelector("#counter").textContent === "1"'
        )
    if _event(pressed)["name"] != names["Counter"]["events"]["increment"]:
        raise CommandError(f"the counter sends something else than its event: {pressed[:300]}")
    script = Script(
        **_opening(app, socket),
        setup=(),
        epoch="",
        commands=None,
        reply="",
        ready=(names["State"]["name"], "is_hydrated_rx_state_", True),
        steps=(pressed,),
        answer='"count_rx_state_"',
    )
    return Recording(script, script, _first_delta(socket), cost)


def _press(page: Page, socket: Socket, button: Locator, done: str) -> tuple[str, int]:
    """Click; returns the event that was sent, and how many bytes came for it and for the replies that it brought about."""
    sent, received = len(socket.sent), len(socket.received)
    button.click()
    window = page if len(page.frames) == 1 else page.frames[-1]
    wait_for(page, window, done, "the change after a click")
    settle(page)
    page.wait_for_timeout(500)
    events = [text for text in _events(socket.sent[sent:]) if not _event(text)["name"].endswith(_REPLY)]
    if len(events) != 1:
        raise CommandError(f"one click sent {len(events)} events: {events}")
    return events[0], sum(len(text.encode()) for text in socket.received[received:] if text.startswith("42"))


def _opening(app: App, socket: Socket) -> dict[str, Any]:
    packet = next((text for text in socket.sent if text.startswith("40")), None)
    if packet is None:
        raise CommandError(f"{app.name}: its page opened no socket")
    namespace = packet[2 : packet.index(",")]
    return {"url": app.url, "version": version("reflex"), "namespace": namespace, "connect": packet}


def _events(packets: list[str]) -> list[str]:
    return [text for text in packets if text.startswith("42") and ',["event",' in text]


def _event(packet: str) -> dict[str, Any]:
    event: dict[str, Any] = json.loads(packet.partition(",")[2])[1]
    return event


def _epoch(setup: list[str], on_init: str) -> str:
    for packet in setup:
        event = _event(packet)
        if event["name"] == on_init:
            return str(event["payload"]["payload"]["epoch"])
    raise CommandError("the page did not introduce its host")


def _first_delta(socket: Socket) -> int:
    first = next((text for text in socket.received if text.startswith("42") and '"delta"' in text), None)
    if first is None:
        raise CommandError("the page was not hydrated")
    return len(first.encode())

"""Records a visit in Chromium: what the page says is what the visitors of the load say."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import version
from typing import Any, Final

from playwright.sync_api import Browser, Frame, Page

from bench.apps import App
from bench.browser import HOST_BUTTON, ROW, fresh_page, preloaded, wait_for
from bench.recorder import Socket
from bench.scale.journey import STATES, Journey
from bench.scale.wallet import Wallet
from walletmodal.commands.project import CommandError

_OWN_ANSWERS: Final = (".on_reply", ".on_snapshot", ".on_init", ".redeem")
"""Ends of the events that the bridge sends by itself."""
_RECEIVER: Final = "0x8ba1f109551bD432803012645Ac136ddd64DBA72"
_MESSAGE: Final = "0x" + b"I accept the terms of this shop".hex()
_QUIET_MS: Final = 500

# The wallet of the host page with another account; what asks for its key goes on to Python.
_SIGNING: Final = """
addEventListener("eip6963:announceProvider", (event) => {
  const { info, provider } = event.detail;
  if (provider.signs) return;
  event.stopImmediatePropagation();
  const request = async (asked) => {
    if (/^(personal_sign|eth_sendTransaction)$/.test(asked.method)) return benchSign(asked.method, asked.params);
    const answer = await provider.request(asked);
    return /accounts$/i.test(asked.method) ? answer.map(() => "__ADDRESS__") : answer;
  };
  dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: { info, provider: { ...provider, request, signs: true } } }));
});
"""


def record(browser: Browser, app: App, host: str, wallet: Wallet) -> Journey:
    """One visitor connects, signs in, approves a request of the host, looks at the account and sends a coin.

    Args:
        browser: Chromium.
        app: what is served.
        host: origin of the host's pages.
        wallet: the visitor's; it needs something to send.

    Raises:
        CommandError: the page did not say what it must have said.
    """
    socket = Socket()
    with fresh_page(browser) as page:
        page.context.expose_function("benchSign", wallet.answer)
        page.context.add_init_script(_SIGNING.replace("__ADDRESS__", wallet.address.lower()))
        socket.listen(page)
        frame = preloaded(page, host, app.url)
        acts: dict[str, list[dict[str, Any]]] = {}
        seen = len(socket.sent)
        for name, act in _acts(page, frame, wallet.address.lower()).items():
            act()
            page.wait_for_timeout(_QUIET_MS)
            said = [_event(text) for text in socket.sent[seen:] if _is_event(text)]
            seen = len(socket.sent)
            acts[name] = [event for event in said if not event["name"].endswith(_OWN_ANSWERS)]
            if not acts[name]:
                raise CommandError(f"the page said nothing when a visitor wanted to {name}")
    return _journey(app, socket, acts, wallet.address.lower())


def _acts(page: Page, frame: Frame, address: str) -> dict[str, Callable[[], object]]:
    def part(name: str, more: str = "") -> Callable[[], None]:
        return frame.locator(f'[data-testid="{name}"]{more}').click

    def connect() -> None:
        frame.locator(ROW).first.click()
        wait_for(page, page, "modal.getIsConnectedState() && !modal.getState().open", "the connection of the wallet")

    def ask_sign_in() -> None:
        page.evaluate("modal.updateOptions({ siwx: { required: false } })")
        page.evaluate("void modal.signIn().then((session) => (window.session = session))")
        frame.locator('[data-testid="w3m-connecting-siwe-sign"]').wait_for()

    def sign() -> None:
        part("w3m-connecting-siwe-sign")()
        wait_for(page, page, "window.session", "the sign-in")

    def ask_approval() -> None:
        ask = "([params]) => void modal.getProvider('eip155').request({ method: 'personal_sign', params }).then((made) => (window.made = made))"
        page.evaluate(ask, [[_MESSAGE, address]])
        frame.locator('[data-testid="request-approve-button"]:enabled').wait_for()

    def approve() -> None:
        part("request-approve-button", ":enabled")()
        wait_for(page, page, "window.made && !modal.getState().open", "the signature")

    def confirm() -> None:
        part("send-confirm-button", ":enabled")()
        frame.locator('[data-testid="send-result-hash"]').wait_for()

    def type_into(name: str, text: str) -> Callable[[], None]:
        return lambda: frame.locator(f'[data-testid="{name}"]').fill(text)

    return {
        "open": lambda: page.click(HOST_BUTTON),
        "connect": connect,
        "ask_sign_in": ask_sign_in,
        "sign": sign,
        "ask_approval": ask_approval,
        "approve": approve,
        "account": lambda: page.evaluate("modal.open(), null"),
        "push": part("wallet-features-receive-button"),
        "back": part("header-back"),
        "form": part("wallet-features-send-button"),
        "pick": part("send-select-token-button"),
        "choose": part("send-token-ETH"),
        "amount": type_into("send-amount-input", "0.001"),
        "receiver": type_into("send-address-input", _RECEIVER),
        "review": part("send-preview-button", ":enabled"),
        "confirm": confirm,
        "close": lambda: page.evaluate("modal.close(), null"),
    }


def _journey(app: App, socket: Socket, acts: dict[str, list[dict[str, Any]]], address: str) -> Journey:
    names = app.names(*STATES)
    events = {
        f"{state}.{handler}": name
        for state, known in names.items()
        for handler, name in known["events"].items()
    }  # fmt: skip
    connect = next((text for text in socket.sent if text.startswith("40")), "")
    said = [_event(text) for text in socket.sent if _is_event(text)]
    inits = [one["payload"]["payload"] for one in said if one["name"] == events["BridgeState.on_init"]]
    snapshots = [one["payload"]["payload"] for one in said if one["name"] == events["BridgeState.on_snapshot"]]
    connected = [one for one in snapshots if one["sessions"]]
    confirmed, approved = (
        [one["payload"]["seen"] for one in acts[act] if "seen" in one.get("payload", {})]
        for act in ("confirm", "approve")
    )
    if not (connect and inits and connected and confirmed and approved):
        raise CommandError("the page did not introduce its host, its wallet, what it has sent or what it has approved")
    return Journey(
        url=app.url,
        version=version("reflex"),
        namespace=connect[2 : connect.index(",")],
        connect=connect,
        init=inits[0],
        snapshot=connected[-1],
        acts=acts,
        own={
            "epoch": inits[0]["epoch"],
            "receiver": _RECEIVER,
            "seen": confirmed[0],
            "asked": approved[0],
            "message": _MESSAGE,
            "address": address,
        },
        states={state.rpartition(":")[2]: known["name"] for state, known in zip(STATES, names.values(), strict=True)},
        events=events,
    )


def _is_event(packet: str) -> bool:
    return packet.startswith("42") and ',["event",' in packet


def _event(packet: str) -> dict[str, Any]:
    event: dict[str, Any] = json.loads(packet.partition(",")[2])[1]
    return event

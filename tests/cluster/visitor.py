"""A visitor who goes on through failures: looks at the page, clicks what leads on, and clicks again when nothing comes of it."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Callable
from typing import Any, Final

import httpx

from bench.scale.journey import Journey
from bench.scale.page import PageError
from bench.scale.wallet import Wallet
from tests.cluster.journey import CONNECTOR, RECEIVER
from tests.cluster.loader import Loader
from tests.cluster.tab import Tab
from tests.patience import START_SECONDS

Click = tuple[str, Any]
"""Name of an event, and its payload: a dictionary of its arguments."""

AMOUNT: Final = "0.001"
_CLICK_AGAIN: Final = 4.0
_TRY_ANOTHER_WAY: Final = 12.0
_SHOWN: Final = {
    "WalletSend": "SendState.on_shown",
    "WalletSendSelectToken": "PickState.on_shown",
    "WalletSendPreview": "ReviewState.on_shown",
    "ApproveTransaction": "ApproveState.on_shown",
    "Account": "TokensState.refresh_all",
}
"""What a page says when it shows a view."""


_TLS: Final = ssl.create_default_context()
"""Nobody asks over it, and one of each visitor takes 0.6 MB."""


class Visitor:
    """Somebody with a page, a wallet with a real key, and a host page that calls the modal.

    Args:
        journey: what the page says.
        number: tells visitors apart.
        node: of the chain.
        limits: of the connections over which the browser asks servers.

    Attributes:
        loader: knows what the wallet has signed and the host was told.
        approved: the host's requests whose approval the modal has accepted.
        tokens: of sign-ins, as the host was told them.
        shown: hashes of transactions that the modal has shown as confirmed.
        readings: of requests, as they were shown when the visitor approved them.
    """

    def __init__(self, journey: Journey, number: int, node: str, limits: httpx.Limits) -> None:
        self.number, self.wallet = number, Wallet(number, node)
        self._browser = httpx.AsyncClient(trust_env=False, timeout=15, limits=limits, verify=_TLS)
        self.tab = Tab(journey, number)
        self.loader = Loader(self.tab, self.wallet, self._browser)
        self.approved: list[str] = []
        self.tokens: list[str] = []
        self.shown: list[str] = []
        self._shown = ("", "")
        self._approving: dict[str, str] = {}
        self.readings: set[str] = set()
        self._place: tuple[object, ...] = ()
        self._has_gone_back = False
        self._since = 0.0

    async def arrive(self) -> None:
        """Load the page."""
        try:
            await self.tab.open()
            await self.loader.introduce()
        except PageError as error:
            self.tab.fail(error)
        await self._reach(lambda: self._is("ShellState", "initialized", value=True), lambda: None)

    async def leave(self) -> None:
        """Close the tab."""
        await self.loader.close()
        await self.tab.leave()
        await self._browser.aclose()

    @property
    def is_connected(self) -> bool:
        """Whether the page shows the wallet's account."""
        public = self.tab.value("Eip155State", "public") or {}
        return bool(public.get("status") == "connected" and public["address"] == self.wallet.address)

    async def connect(self) -> None:
        """Connect the wallet."""
        await self._open_until(lambda: self.is_connected, self._choose_wallet)

    async def sign_in(self) -> dict[str, Any]:
        """The host has the visitor sign in, and again while that fails; what it was told: token, address, chainId, expiresAt."""
        told = dict(await self._asked_until_granted(lambda: self.loader.call("signIn"), self._sign))
        self.tokens.append(told["token"])
        return told

    async def renew_token(self) -> None:
        """The host asks again who is signed in: a token lasts five minutes."""
        told = await self._asked_until_granted(lambda: self.loader.call("getSession"), lambda: None)
        assert told is not None, f"visitor {self.number} is not signed in any more"
        self.tokens[-1] = told["token"]

    async def approve(self, message: str) -> str:
        """The host asks for a signature, and again while that fails, and the visitor approves; the signature."""
        params = ["0x" + message.encode().hex(), self.wallet.address]
        return str(await self._asked_until_granted(lambda: self.loader.request("personal_sign", params), self._approve))

    async def send(self) -> str:
        """Send a coin from the account view; the hash that the result shows."""
        before = len(self.shown)
        await self._open_until(lambda: len(self.shown) > before, self._send)
        await self._reach(lambda: self._is("ShellState", "open", value=False), lambda: ("ShellState.close", None))
        return self.shown[-1]

    async def return_to_server(self) -> None:
        """Lose the socket and open another one."""
        await self.tab.come_back()
        self._look_anew()

    def _look_anew(self) -> None:
        """Over a new socket all views are shown anew, and what had not gone on may go on now."""
        self._shown, self._place = ("", ""), ()

    def _choose_wallet(self) -> Click | None:
        if self._is("ShellState", "view", "Connect"):
            return "ChoiceState.select", {"kind": "connector", "wallet_id": CONNECTOR}
        if self._is("ShellState", "view", "ConnectingExternal") and self._is("ConnectState", "phase", "error"):
            return "ConnectState.retry", None
        return None

    def _sign(self) -> Click | None:
        # Where nobody could say who is signed in, the wallet is connected no more.
        return (
            ("SignInState.sign", None) if self._is("ShellState", "view", "SIWXSignMessage") else self._choose_wallet()
        )

    def _approve(self) -> Click | None:
        seen = self.tab.value("ApproveState", "seen")
        if self._is("ApproveState", "phase", "asking") and (call := self._approving.pop(seen, "")):
            self.approved.append(call)
        if not self._is("ShellState", "view", "ApproveTransaction"):
            return None
        if self._is("ApproveState", "phase", "ready"):
            self._approving[seen] = self.loader.newest
            self.readings.add(seen)
            return "ApproveState.approve", {"seen": seen}
        return self._leave_approval()

    def _leave_approval(self) -> Click | None:
        """The host has its answer, and the modal has not heard of it."""
        return ("ApproveState.leave", None) if self._has_waited(self.loader.newest in self.loader.told) else None

    def _has_waited(self, *place: object) -> bool:
        """Whether the page has shown the same for so long that a visitor tries another way."""
        place = (self.tab.value("ShellState", "view"), *place)
        if place != self._place:
            self._place, self._since = place, time.monotonic()
        if time.monotonic() < self._since + _TRY_ANOTHER_WAY:
            return False
        self._since = time.monotonic()
        return True

    def _send(self) -> Click | None:
        """The next click from wherever the page is."""
        tab = self.tab
        view = tab.value("ShellState", "view")
        result = tab.value("PendingState", "result") or {}
        is_confirmed = result.get("status") == "confirmed"
        # Also to who has gone back meanwhile, because nothing happened for so long.
        if is_confirmed and result["hash"] not in self.shown and (view == "WalletSendResult" or self._has_gone_back):
            self.shown.append(result["hash"])
            return None
        if view == "WalletSendResult":
            # Where the visitor was before the last 100 ms, after Redis has lost where that was.
            return ("ShellState.close", None) if is_confirmed else None
        if view == "Account":
            return "SendState.open_form", None
        if view == "WalletSend":
            return self._fill_form()
        if view == "WalletSendSelectToken":
            if self._is("PickState", "phase", "unavailable"):
                return "PickState.load", None
            return ("PickState.choose", {"key": "eip155:1"}) if self._is("PickState", "phase", "known") else None
        if view == "ApproveTransaction":
            return self._leave_approval()
        return self._confirm() if view == "WalletSendPreview" else None

    def _confirm(self) -> Click | None:
        phase = self.tab.value("ReviewState", "phase")
        if self._has_waited(phase):
            self._has_gone_back = True
            return "ShellState.back", None
        return ("ReviewState.confirm", {"seen": self.tab.value("ReviewState", "seen")}) if phase == "ready" else None

    def _fill_form(self) -> Click:
        if not self._is("SendState", "symbol", "ETH"):
            return "PickState.open_list", None
        if not self._is("SendState", "amount", AMOUNT):
            return "SendState.type_amount", {"text": AMOUNT}
        if not self._is("SendState", "label", "Preview Send"):
            return "SendState.type_receiver", {"text": RECEIVER}
        return "ReviewState.open", None

    async def _asked_until_granted(self, ask: Callable[[], Any], click: Callable[[], Click | None]) -> Any:
        """What the host is told; it asks again when it was told of a failure, as its visitor tries again."""
        deadline = time.monotonic() + START_SECONDS
        while True:
            asking = asyncio.ensure_future(ask())
            try:
                await self._reach(asking.done, click)
            finally:
                asking.cancel()
            told = asking.result()
            if told["ok"]:
                return told["value"]
            assert time.monotonic() < deadline, f"visitor {self.number}: {told['error']}"

    async def _open_until(self, reached: Callable[[], bool], click: Callable[[], Click | None]) -> None:
        """The same as `_reach`, where the modal is opened first, and again when it is closed."""
        opening: asyncio.Future[Any] | None = None

        def click_or_open() -> Click | None:
            nonlocal opening
            if not self._is("ShellState", "open", value=True):
                if opening is None or opening.done():
                    opening = asyncio.ensure_future(self.loader.call("open"))
                return None
            return click()

        try:
            await self._reach(reached, click_or_open)
        finally:
            if opening is not None:
                opening.cancel()

    async def _reach(self, reached: Callable[[], bool], click: Callable[[], Click | None]) -> None:
        """Click what leads there until it is reached, and come back whenever the socket is lost.

        Raises:
            AssertionError: it is not reached.
        """
        tab, deadline, last, due = self.tab, time.monotonic() + START_SECONDS, None, 0.0
        while True:
            if tab.failed is not None:
                await tab.come_back()
                self._look_anew()
            nearest = click()
            if reached():
                return
            assert time.monotonic() < deadline, f"it went no further: {self}"
            try:
                await self._show()
                if nearest is not None and (nearest != last or time.monotonic() > due):
                    last, due = nearest, time.monotonic() + _CLICK_AGAIN
                    await self._click(*nearest)
            except PageError as error:
                tab.fail(error)
            else:
                await tab.changed(_CLICK_AGAIN)

    async def _click(self, event: str, payload: Any) -> None:
        said = {"name": self.tab.journey.events[event], "router_data": {"pathname": "/", "asPath": "/"}}
        await self.tab.say(said if payload is None else said | {"payload": payload})

    async def _show(self) -> None:
        view = str(self.tab.value("ShellState", "view") or "") if self._is("ShellState", "open", value=True) else ""
        # Each request that is read has a skeleton, which says so when it appears.
        reading = view == "ApproveTransaction" and self._is("ApproveState", "phase", "loading")
        shown = (view, self.tab.value("ApproveState", "seen") if reading else "")
        if shown != self._shown:
            self._shown = shown
            if view in _SHOWN and (reading or view != "ApproveTransaction"):
                await self._click(_SHOWN[view], None)

    def _is(self, state: str, variable: str, value: Any) -> bool:
        return bool(self.tab.value(state, variable) == value)

    def __str__(self) -> str:
        """Where the visitor is, for messages."""
        places = (
            ("ShellState", "open"),
            ("ShellState", "view"),
            ("ConnectState", "phase"),
            ("ApproveState", "phase"),
            ("SendState", "label"),
            ("PickState", "phase"),
            ("ReviewState", "phase"),
            ("PendingState", "result"),
            ("PendingState", "every"),
            ("BridgeState", "commands"),
            ("BridgeState", "heard"),
        )
        known = {f"{state}.{name}": self.tab.value(state, name) for state, name in places}
        told, signed = [*self.loader.told.items()][-2:], self.loader.signed[-1:]
        return f"visitor {self.number}, {self.tab.failed or 'connected'}: {known}, call {self.loader.newest}, told {told}, signed {signed}"

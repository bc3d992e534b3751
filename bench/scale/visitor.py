"""A visitor: carries out the acts of a visit, and checks what comes of each."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final

import httpx

from bench.scale.bridge import Bridge
from bench.scale.journey import Journey
from bench.scale.page import Page, PageError
from bench.scale.wallet import Wallet
from walletmodal.host import Modal

FLOWS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "open": ("open",),
        "connect": ("connect",),
        "sign_in": ("ask_sign_in", "sign"),
        "approve": ("ask_approval", "approve"),
        "account": ("account",),
        "push": ("push",),
        "back": ("back",),
        "send": ("form", "pick", "choose", "amount", "receiver", "review", "confirm"),
        "close": ("close",),
    }
)
"""What a visitor may be asked to do → its acts."""

_VIEWS: Final = MappingProxyType(
    {
        "open": "Connect",
        "ask_sign_in": "SIWXSignMessage",
        "ask_approval": "ApproveTransaction",
        "account": "Account",
        "push": "WalletReceive",
        "back": "Account",
        "form": "WalletSend",
        "pick": "WalletSendSelectToken",
        "choose": "WalletSend",
        "review": "WalletSendPreview",
        "confirm": "WalletSendResult",
    }
)
"""The view that an act leads to."""

RETURN_SECONDS: Final = 60.0
"""For which somebody waits whose socket was lost together with everybody's."""


class Visitor:
    """Somebody with a page and a wallet.

    Args:
        journey: what a page says.
        number: tells visitors apart.
        node: of the chain.
        client: for what the page and the wallet fetch.
        host: the host's server, which verifies sign-ins.

    Attributes:
        is_lost: something went wrong, so that nothing more is asked of it.
    """

    def __init__(self, journey: Journey, number: int, node: str, client: httpx.AsyncClient, host: Modal) -> None:
        self.wallet = Wallet(number, node)
        self.page = Page(journey, number)
        self._bridge = Bridge(self.page, self.wallet, client)
        self._journey, self._host = journey, host
        self._call = ""
        self._signed_in = False
        self.is_lost = False
        self._checks: Mapping[str, Callable[[], object]] = {
            "connect": self._is_connected,
            "sign": self._is_signed_in,
            "ask_approval": lambda: self._shows("ApproveState", "phase", "ready"),
            "approve": self._is_approved,
            "account": lambda: self._shows("TokensState", "phase", "known"),
            "pick": lambda: self._shows("PickState", "phase", "known"),
            "choose": lambda: self._shows("SendState", "symbol", "ETH"),
            "amount": lambda: self._shows("SendState", "amount", "0.001"),
            "receiver": lambda: self._shows("SendState", "label", "Preview Send"),
            "review": self._is_previewed,
            "confirm": self._is_sent,
            "close": lambda: self._shows("ShellState", "open", value=False),
        }

    def can(self, flow: str) -> bool:
        """Whether the visitor is where the flow begins."""
        if self.is_lost:
            return False
        opened, view = self.page.value("ShellState", "open"), self.page.value("ShellState", "view")
        connected = (self.page.value("Eip155State", "public") or {}).get("status") == "connected"
        there = view if opened and connected else ""
        return {
            "open": not opened and not connected,
            "connect": bool(opened) and view == "Connect" and not connected,
            "sign_in": connected and not opened and not self._signed_in,
            "approve": connected and not opened,
            "account": connected and not opened,
            "push": there == "Account",
            "back": there == "WalletReceive",
            "send": there == "Account",
            "close": bool(there),
        }[flow]

    def totals(self) -> tuple[int, int, int, int]:
        """Events sent, characters received and sent, and how often the ticker has asked."""
        return self.page.events, self.page.received, self.page.sent, self._bridge.refreshes

    async def arrive(self) -> None:
        """Load the page.

        Raises:
            PageError: it did not get what a real one gets.
        """
        await self.page.open()
        await self._bridge.introduce()
        await self.page.until(lambda: self._shows("ShellState", "initialized", value=True), "first state")

    async def come_back(self) -> None:
        """Go on after the socket was lost; the server must know the visitor's place again.

        Raises:
            PageError: it does not.
        """
        places = (("ShellState", "open"), ("ShellState", "view"), ("Eip155State", "status"))
        before = {place: self.page.value(*place) for place in places}
        await self.page.open_again()
        sync = "state after a reconnect"
        await self.page.until(lambda: self.page.value("BridgeState", "sync"), sync, RETURN_SECONDS)
        for place, was in before.items():
            await self.page.until(partial(self._is_again, place, was), f"{place[1]} after a reconnect")

    def _is_again(self, place: tuple[str, str], was: Any) -> bool:
        now = self.page.value(*place)
        return bool(now == was or not (now or was))

    async def perform(self, flow: str) -> dict[str, float]:
        """Carry out the acts of a flow, one after the other; seconds of each.

        Raises:
            PageError: one did not lead to what it must lead to.
        """
        taken = {}
        for act in FLOWS[flow]:
            began = time.perf_counter()
            await self._act(act)
            taken[act] = time.perf_counter() - began
        return taken

    async def _act(self, act: str) -> None:
        own = {
            "epoch": self._bridge.epoch,
            "receiver": self._journey.own["receiver"],
            "seen": str(self.page.value("ReviewState", "seen")),
            "message": self._journey.own["message"],
            "asked": str(self.page.value("ApproveState", "seen")),
            "address": self.wallet.address.lower(),
        }
        for event in self._journey.written(act, own):
            called = (event.get("payload") or {}).get("payload")
            if isinstance(called, dict) and "method" in called and "id" in called:
                called["id"] = self._call = self._bridge.next_call()
            await self.page.say(event)
        view, check = _VIEWS.get(act), self._checks.get(act, lambda: True)
        await self.page.until(
            lambda: (view is None or self._shows("ShellState", "view", view)) and check(), f"answer to {act}"
        )

    def _shows(self, state: str, variable: str, value: Any) -> bool:
        return bool(self.page.value(state, variable) == value)

    def _is_connected(self) -> bool:
        public = self.page.value("Eip155State", "public") or {}
        if public.get("status") != "connected" or public.get("balanceState") != "known":
            return False
        self._expect("account", public["address"], self.wallet.address)
        return self._shows("ShellState", "open", value=False)

    def _settled(self, what: str) -> Any:
        """What the host's call was answered; None while it is not."""
        settled = self._bridge.settled.get(self._call)
        if settled is not None and not settled["ok"]:
            raise PageError(f"{what} refused", f"visitor {self.page.number}: {settled['error']}")
        return settled and settled["value"]

    def _is_approved(self) -> bool:
        signature = self._settled("request")
        if signature is None:
            return False
        right = self.wallet.signed("personal_sign", [self._journey.own["message"], self.wallet.address])
        self._expect("signature", signature, right)
        return self._shows("ShellState", "open", value=False)

    def _is_signed_in(self) -> bool:
        session = self._settled("sign-in")
        if session is None:
            return False
        told = self._host.verify(session["token"])
        self._expect("token", f"{told.chain_id}:{told.address}", f"eip155:1:{self.wallet.address}")
        self._signed_in = True
        return True

    def _is_previewed(self) -> bool:
        plan = self.page.value("ReviewState", "plan") or {}
        if not self._shows("ReviewState", "phase", "ready") or not plan:
            return False
        self._expect("preview", [plan["leaves"], plan["address"]], [["0.001 ETH"], self._journey.own["receiver"]])
        return True

    def _is_sent(self) -> bool:
        result = self.page.value("PendingState", "result") or {}
        if result.get("status") != "confirmed":
            return False
        self._expect("transaction", result["hash"], self.wallet.sent)
        return True

    def _expect(self, what: str, found: Any, right: Any) -> None:
        if found != right:
            raise PageError(f"wrong {what}", f"visitor {self.page.number}: {found!r} where {right!r} is right")

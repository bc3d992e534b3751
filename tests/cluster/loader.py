"""The host's page: its calls, and the loader's script, which carries out what the server wants of the browser (docs/protocol.md)."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Final

import httpx

from bench.scale.page import PageError, State
from bench.scale.wallet import Wallet, WalletRefusalError
from tests.cluster.journey import CONNECTOR
from tests.cluster.tab import Tab

_PATIENCE: Final = 8.0
_AGAIN: Final = 2.0
_TRIES: Final = 4
_TICKET_AGAIN: Final = 10.0
_TICKET_SOON: Final = 1.0
_UNREACHABLE: Final = {
    "ok": False,
    "value": None,
    "error": {"code": 4900, "message": "The modal's server could not be reached"},
}
_ORPHANED: Final = {"code": -1, "message": "orphaned"}
_UNSUPPORTED: Final = {"code": 4200, "message": "The wallet does not know this method"}


@dataclass(frozen=True)
class Signed:
    """What a wallet has signed.

    Attributes:
        command: id of the command.
        request: id of the host's request, "" for one of the modal's own.
        method, params: what was asked.
        value: signature, or hash of the transaction.
    """

    command: str
    request: str
    method: str
    params: list[Any]
    value: str


class Loader:
    """What outlives the socket of a visitor's page.

    Args:
        tab: the page.
        wallet: the visitor's.
        client: the browser: for what page and wallet fetch.

    Attributes:
        signed: what the wallet was asked for and has given, in order.
        told: what the host's calls were answered with, by their ids.
        asked: the host's calls, by their ids: method and parameters.
    """

    def __init__(self, tab: Tab, wallet: Wallet, client: httpx.AsyncClient) -> None:
        self.tab, self.wallet, self._client = tab, wallet, client
        self.signed: list[Signed] = []
        self.told: dict[str, dict[str, Any]] = {}
        self.asked: dict[str, tuple[str, Any]] = {}
        self.epoch = f"page-{tab.number:08}"
        self._revs, self._ids = itertools.count(1), itertools.count(1)
        self._sockets = 0
        self._cookie, self._identifying = "", ""
        self._answering: asyncio.Task[None] | None = None
        self._connected = self._polling = False
        self._claimed: set[str] = set()
        self._gone: dict[str, str] = {}
        self._running: set[str] = set()
        self._finished: dict[str, dict[str, Any]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        tab.on_delta = self._on_delta

    @property
    def newest(self) -> str:
        """Id of the host's last call."""
        return next(reversed(self.asked), "")

    async def introduce(self) -> None:
        """Say who the host is."""
        shown = self.tab.journey.init
        await self.tab.emit("BridgeState.on_init", {**shown, "epoch": self.epoch, "snapshot": self._snapshot()})

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        """A method of the host API; what the host is told."""
        return await self._ask("BridgeState.on_call", {"method": method, "params": params})

    async def request(self, method: str, params: list[Any]) -> dict[str, Any]:
        """The host asks its provider; what it is told."""
        return await self._ask("BridgeState.on_request", {"namespace": "eip155", "method": method, "params": params})

    async def close(self) -> None:
        """End what still runs."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _ask(self, event: str, asked: dict[str, Any]) -> dict[str, Any]:
        """Say it until the server has heard of it, and give it up as the bridge does."""
        tab, call = self.tab, f"{self.tab.number}-{next(self._ids)}"
        self.asked[call] = (asked["method"], asked["params"])
        until, socket, heard = time.monotonic() + _PATIENCE, self._sockets, False
        while call not in self.told:
            heard = heard or self._has_heard(call)
            if self._sockets != socket:
                socket = self._sockets
                if heard and not self._has_heard(call):
                    until, heard = time.monotonic() + _PATIENCE, False
            left = until - time.monotonic()
            if heard:
                await tab.changed(_AGAIN)
            elif left <= 0:
                self.told[call], self._gone[call] = dict(_UNREACHABLE), event
            else:
                with contextlib.suppress(PageError):
                    await tab.emit(event, {**asked, "id": call, "left": int(left * 1000)})
                again = time.monotonic() + min(_AGAIN, left)
                while call not in self.told and not self._has_heard(call) and time.monotonic() < again:
                    await tab.changed(again - time.monotonic())
        return self.told[call]

    def _has_heard(self, call: str) -> bool:
        return call in self._claimed or call in (self.tab.value("BridgeState", "heard") or ())

    def _on_delta(self, delta: State) -> None:
        tab = self.tab
        sync = tab.value("BridgeState", "sync", delta)
        if sync:
            self._sockets += 1
            self._begin(self._answer_sync())
        if sync or tab.value("BridgeState", "commands", delta) is not None:
            self._run(tab.value("BridgeState", "commands") or [])
        for call in tab.value("BridgeState", "heard", delta) or ():
            if event := self._gone.get(call):
                self._begin(tab.emit(event, {"id": call, "left": 0}))
        identify = tab.value("SignInState", "identify")
        if identify and (identify != self._identifying or sync):
            if self._answering is not None:
                self._answering.cancel()
            self._answering = self._begin(self._identify(identify))
        self._identifying = identify
        if tab.value("PendingState", "every") and not self._polling:
            self._polling = True
            self._begin(self._poll())

    async def _answer_sync(self) -> None:
        """To a server that may have forgotten the page all that was said first, to another one what the browser knows now."""
        if self._sockets > 1 or self.tab.value("BridgeState", "page") != self.epoch:
            await self.introduce()
        else:
            await self.tab.emit("BridgeState.on_snapshot", self._snapshot())

    def _snapshot(self) -> dict[str, Any]:
        known = {**self.tab.journey.snapshot, "epoch": self.epoch, "rev": next(self._revs)}
        if not self._connected:
            return known
        session = {
            "connector": CONNECTOR,
            "accounts": [self.wallet.address],
            "chain": "1",
            "approved": None,
            "peer": None,
        }
        storage = {**known["storage"], "activeNetworkId": "eip155:1", "activeNamespace": "eip155"}
        return known | {"sessions": {"eip155": session}, "storage": storage}

    def _run(self, commands: list[dict[str, Any]]) -> None:
        listed = {command["id"] for command in commands}
        self._finished = {key: reply for key, reply in self._finished.items() if key in listed}
        for command in commands:
            if done := self._finished.get(command["id"]):
                self._begin(self._reply(done))
            elif command["id"] not in self._running:
                self._running.add(command["id"])
                self._begin(self._execute(command))

    async def _execute(self, command: dict[str, Any]) -> None:
        request = command["params"].get("request") or ""
        value, error = None, None
        if (command["epoch"] != self.epoch and not command["replay"]) or not self._may_run(command, request):
            error = _ORPHANED
        elif command["method"] == "host.settle":
            self._tell(request, command["params"])
        else:
            value, error = await self._outcome(command)
            if request:
                self._tell(request, {"ok": error is None, "value": value, "error": error})
        reply = {"id": command["id"], "epoch": self.epoch, "ok": error is None, "value": value, "error": error}
        self._running.discard(command["id"])
        self._finished[command["id"]] = reply
        await self._reply(reply)

    def _may_run(self, command: dict[str, Any], request: str) -> bool:
        if not request or command["method"] == "host.settle":
            return True
        if request in self.told or request in self._claimed or request not in self.asked:
            return False
        self._claimed.add(request)
        return True

    def _tell(self, request: str, result: dict[str, Any]) -> None:
        self.told.setdefault(request, {key: result[key] for key in ("ok", "value", "error")})
        self.tab.note_change()

    async def _reply(self, reply: dict[str, Any]) -> None:
        # The session first: a server that acts on the reply finds it known.
        await self.tab.emit("BridgeState.on_snapshot", self._snapshot())
        await self.tab.emit("BridgeState.on_reply", reply)

    async def _outcome(self, command: dict[str, Any]) -> tuple[Any, dict[str, Any] | None]:
        params = command["params"]
        if command["method"] == "wallet.connect":
            self._connected = True
            return {"accounts": [self.wallet.address], "chain": "1"}, None
        if command["method"] != "wallet.request":
            return None, None
        method, asked = params["method"], params["params"]
        try:
            made = self.wallet.signed(method, asked)
        except WalletRefusalError:
            return None, dict(_UNSUPPORTED)
        if method == "eth_sendTransaction":
            answer = (await self._client.post(self.wallet.node, json=self.wallet.broadcast(made))).json()
            if "error" in answer:
                return None, {"code": -32603, "message": str(answer["error"]["message"])}
            made = str(answer["result"])
        self.signed.append(Signed(command["id"], params.get("request") or "", method, asked, made))
        return made, None

    async def _identify(self, asked: str) -> None:
        """Tell which browser this is, and again with a fresh ticket as long as nobody takes one."""
        for _ in range(_TRIES):
            ticket = await self._ticket()
            with contextlib.suppress(PageError):
                await self.tab.emit("SignInState.redeem", {"asked": asked, "ticket": ticket})
            again = time.monotonic() + _TICKET_AGAIN
            while (left := again - time.monotonic()) > 0:
                if self.tab.value("SignInState", "identify") != asked:
                    return
                await self.tab.changed(left)

    async def _ticket(self) -> str:
        """A ticket that says which browser this is; "" where none is to be had."""
        url = self.tab.journey.url
        headers = {"Origin": url, "Content-Type": "application/json", "Cookie": self._cookie, **self.tab.forwarded}
        for tries in range(_TRIES):
            if tries:
                await asyncio.sleep(_TICKET_SOON)
            try:
                answer = await self._client.post(f"{url}/v1/browser", content="{}", headers=headers)
            except httpx.TransportError:
                continue
            if answer.is_success:
                # Browsers send it to this machine without TLS as well.
                self._cookie = answer.headers["Set-Cookie"].partition(";")[0]
                return str(answer.json()["ticket"])
        return ""

    async def _poll(self) -> None:
        """The ticker of what is pending."""
        tab = self.tab
        try:
            while (every := tab.value("PendingState", "every")) and tab.value("ShellState", "open"):
                await asyncio.sleep(every / 1000)
                await tab.emit("PendingState.poll")
        finally:
            self._polling = False

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        # What could not be said because the socket is gone is said over the next.
        if not task.cancelled() and (error := task.exception()) and not isinstance(error, PageError):
            self.tab.fail(PageError(type(error).__name__, f"visitor {self.tab.number}: {error!r}"))
            raise error

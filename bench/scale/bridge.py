"""What a page does by itself: the bridge to the host's page and its wallet, and the polls of views."""

from __future__ import annotations

import asyncio
import random
from typing import Any, ClassVar, Final

import httpx

from bench.scale.page import Page, PageError, State
from bench.scale.wallet import Wallet, WalletRefusalError
from walletmodal.core.constants import PORTFOLIO_TTL

REFRESH_SECONDS: Final = PORTFOLIO_TTL + 1
_UNSUPPORTED: Final = 4200


class Bridge:
    """Answers for a page and its wallet, as `components/bridge` and the loader do.

    Args:
        page: the page.
        wallet: the visitor's.
        client: for what a page and a wallet fetch.

    Attributes:
        refresh_seconds: between two of its ticker, of all pages alike; where they are more than a page's own, on an average.
        settled: what the host was told of its calls, by their ids.
        refreshes: how often its ticker has asked for the account.
    """

    refresh_seconds: ClassVar[float] = REFRESH_SECONDS

    def __init__(self, page: Page, wallet: Wallet, client: httpx.AsyncClient) -> None:
        self.page, self.wallet, self._client = page, wallet, client
        self.settled: dict[str, dict[str, Any]] = {}
        self.refreshes = 0
        self._journey = page.journey
        self.epoch = f"{page.number:08x}{page.journey.own['epoch'][8:]}"
        self._connected = self._polling = self._refreshing = False
        self._rev = self._calls = 0
        self._taken: set[str] = set()
        page.on_delta = self._on_delta

    async def introduce(self) -> None:
        """Say who the host is."""
        shown = self._journey.init
        await self.page.emit("BridgeState.on_init", {**shown, "epoch": self.epoch, "snapshot": self._snapshot()})

    def next_call(self) -> str:
        """A fresh id for a call of the host."""
        self._calls += 1
        return f"{self.page.number}-{self._calls}"

    def _on_delta(self, delta: State) -> None:
        page = self.page
        if page.value("BridgeState", "sync", delta):
            page.begin(self._answer_sync())
        for command in page.value("BridgeState", "commands", delta) or ():
            if command["id"] not in self._taken:
                self._taken.add(command["id"])
                page.begin(self._carry_out(command))
        if page.value("SignInState", "identify", delta):
            page.begin(self._identify())
        if page.value("PendingState", "every", delta) and not self._polling:
            self._polling = True
            page.begin(self._poll())
        if self._shows_account and not self._refreshing:
            self._refreshing = True
            page.begin(self._refresh())

    async def _answer_sync(self) -> None:
        """To a server that has forgotten the page all that was said first, to another one what the browser knows now."""
        if self._rev > 1 and self.page.value("BridgeState", "page") != self.epoch:
            await self.introduce()
        else:
            await self.page.emit("BridgeState.on_snapshot", self._snapshot())

    def _snapshot(self) -> dict[str, Any]:
        self._rev += 1
        first = self._journey.init["snapshot"]
        known = {**first, "epoch": self.epoch, "rev": self._rev, "settled": True}
        if not self._connected:
            return known
        shown = self._journey.snapshot
        session = {**shown["sessions"]["eip155"], "accounts": [self.wallet.address.lower()]}
        return known | {"sessions": {"eip155": session}, "storage": shown["storage"]}

    async def _carry_out(self, command: dict[str, Any]) -> None:
        params = command["params"]
        value, error = await self._outcome(command["method"], params)
        told = {"ok": error is None, "value": value, "error": error}
        await self.page.emit("BridgeState.on_reply", {"id": command["id"], "epoch": command["epoch"], **told})
        if request := params.get("request"):
            # A host hears from the page what the wallet has answered, and of all else what the server says.
            self.settled[request] = params if command["method"] == "host.settle" else told
            self.page.note_change()

    async def _outcome(self, method: str, params: dict[str, Any]) -> tuple[Any, dict[str, Any] | None]:
        if method == "wallet.connect":
            self._connected = True
            await self.page.emit("BridgeState.on_snapshot", self._snapshot())
            return {"accounts": [self.wallet.address.lower()], "chain": "1"}, None
        if method != "wallet.request":
            return None, None
        try:
            made = self.wallet.signed(params["method"], params["params"])
        except WalletRefusalError:
            return None, {"code": _UNSUPPORTED, "message": "The wallet does not know this method"}
        if params["method"] == "eth_sendTransaction":
            made = await self._broadcast(made)
        return made, None

    async def _broadcast(self, raw: str) -> str:
        answer = (await self._client.post(self.wallet.node, json=self.wallet.broadcast(raw))).json()
        if "result" not in answer:
            raise PageError("transaction refused", f"visitor {self.page.number}: {answer}")
        self.wallet.sent = str(answer["result"])
        return self.wallet.sent

    async def _identify(self) -> None:
        asked = self.page.value("SignInState", "identify")
        answer = await self._client.post(f"{self._journey.url}/v1/browser", content="{}", headers=self._headers)
        if answer.status_code != httpx.codes.OK:
            raise PageError(
                "browser not known", f"visitor {self.page.number}: {answer.status_code} {answer.text[:200]}"
            )
        await self.page.emit("SignInState.redeem", {"asked": asked, "ticket": answer.json()["ticket"]})

    @property
    def _headers(self) -> dict[str, str]:
        return {"Origin": self._journey.url, "Content-Type": "application/json", **self.page.forwarded}

    async def _poll(self) -> None:
        """The ticker of what is pending."""
        page = self.page
        try:
            while (every := page.value("PendingState", "every")) and page.value("ShellState", "open"):
                await asyncio.sleep(every / 1000)
                await page.emit("PendingState.poll")
        finally:
            self._polling = False

    @property
    def _shows_account(self) -> bool:
        page = self.page
        return bool(page.value("ShellState", "open")) and page.value("ShellState", "view") == "Account"

    async def _refresh(self) -> None:
        """The ticker of an account that is looked at; the first look is among the acts of the visit."""
        try:
            while True:
                await asyncio.sleep(min(self.refresh_seconds, REFRESH_SECONDS))
                if not self._shows_account:
                    return
                # Some of those who look would do it less often: as many as if each looked for a part of the time.
                if random.random() * self.refresh_seconds > REFRESH_SECONDS:  # noqa: S311 - spreads the load, decides nothing
                    continue
                self.refreshes += 1
                await self.page.emit("TokensState.refresh_all")
        finally:
            self._refreshing = False

"""Choice of a provider: the rows with their pages, and what is to be bought."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final, Literal

import reflex as rx

from walletmodal.core.analytics import events
from walletmodal.core.protocol.open_arguments import read_open_arguments
from walletmodal.core.transfers.onramp import COINBASE, DEFAULT_CURRENCY, DEFAULT_TOKEN
from walletmodal.deployment import deployment
from walletmodal.features.account.active import active_namespace
from walletmodal.features.account.state import account
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.onramp.buyer import (
    Offer,
    PurchaseOrder,
    Quoted,
    active_buyer,
    fetch_offers,
    fetch_options,
    fetch_quote,
    list_offers,
    without_unsold,
)
from walletmodal.features.onramp.progress import PurchaseState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin

VIEW: Final = "OnRampProviders"
PROGRESS: Final = "BuyInProgress"
NO_ORDER: Final = PurchaseOrder(DEFAULT_TOKEN, DEFAULT_CURRENCY, "")
"""What is bought where nobody says."""
FRESH: Final = 60.0
"""Seconds for which a page is offered without being made anew."""


class BuyState(AssigningMixin, rx.State):
    """The providers.

    Attributes:
        offers: their rows.
        phase: loading (their pages are still to come), shown, none (nobody sells to this account here).
        token, currency, amount: what is to be bought: symbol, ISO 4217 code, and decimal text, "" for no amount.
        host: address of the page that has filled that in, "" for none.
        gets: what the amount buys; `quote` says what kind of quote that is, `problem` why there is none.
        choosable: whether token and currency make a difference here.
        failed: whether a provider's page could not be had.
    """

    offers: list[Offer] = []
    phase: Literal["loading", "shown", "none"] = "loading"
    token: str = DEFAULT_TOKEN
    currency: str = DEFAULT_CURRENCY
    amount: str = ""
    host: str = ""
    gets: str = ""
    quote: Literal["", "known", "example", "unavailable"] = ""
    problem: str = ""
    choosable: bool = False
    failed: bool = False

    # The account that the pages are made for (CAIP-10), for which order and when (seconds since 1970), and which making is the newest.
    _of: str = ""
    _for: PurchaseOrder = NO_ORDER
    _at: float = 0.0
    _made: int = 0
    # The element's calls that wait for an answer, with its amounts.
    _waiting: tuple[tuple[str, str], ...] = ()

    def _order(self) -> PurchaseOrder:
        return PurchaseOrder(self.token, self.currency, self.amount)

    def _clear(self) -> None:
        """Drops the pages: they are made for one account, one amount and one look."""
        self._made += 1
        self._put(offers=[], phase="loading", gets="", quote="", problem="", failed=False)
        self._of = ""

    def _drop_filled_in(self) -> None:
        """Drops what a page has filled in."""
        if self.host:
            self._put(token=NO_ORDER.token, currency=NO_ORDER.currency, amount="", host="")

    async def _is_smart_account(self) -> bool:
        """Whether the account that is shown is a smart account, as events tell it."""
        return (await account(self, await active_namespace(self))).kind == "smartAccount"

    async def _push(self, view: str) -> None:
        shell = await self.get_state(ShellState)
        shell._push(view)
        await shell._save_record()

    @rx.event
    async def open_providers(self) -> None:
        """Opens the providers: 'Buy crypto' in an empty account."""
        if (await self.get_state(ShellState)).connected:
            smart = await self._is_smart_account()
            await (await self.get_state(BridgeState))._publish(events.select_buy_crypto(is_smart_account=smart))
            await self._push(VIEW)

    @rx.event
    async def buy_token(self, symbol: str) -> None:
        """Opens the providers for a token that is short: the forms' Buy links. What is no symbol leaves the usual token."""
        if (await self.get_state(ShellState)).connected:
            token = read_open_arguments(VIEW, {"token": symbol})[0]["token"] or NO_ORDER.token
            self._clear()
            self._drop_filled_in()
            self._put(token=token)
            await self._push(VIEW)

    @rx.event
    async def open_explanation(self) -> None:
        """Opens WhatIsABuy: the link below the providers."""
        smart = await self._is_smart_account()
        await (await self.get_state(BridgeState))._publish(events.select_what_is_a_buy(is_smart_account=smart))
        await self._push("WhatIsABuy")

    async def _renew(self) -> Followups:
        """Has the pages made, unless they are being made or have just been for the same account and order."""
        found, now = await active_buyer(self), deployment().clock.now().timestamp()
        if (
            found is not None
            and (self._of, self._for) == (found.caip_address, self._order())
            and now - self._at < FRESH
        ):
            return []
        self._of, self._for, self._at = found.caip_address if found else "", self._order(), now
        self._put(phase="loading")
        return [BuyState.load]

    @rx.event
    async def on_shown(self) -> Followups:
        """Makes the pages of the providers that are shown."""
        return await self._renew() if (await self.get_state(EmbedState))._ready else []

    @rx.event(background=True)
    async def load(self) -> None:
        """Makes the providers' pages, and a quote where an amount is known."""
        async with self:
            found = await active_buyer(self)
            self._made += 1
            number = self._made
            if found is None or not found.sellers:
                self._put(offers=[], phase="none", gets="", quote="", problem="", choosable=False, failed=False)
                self._of = ""
                return
            self._of, self._at = found.caip_address, deployment().clock.now().timestamp()
            choosable = any(one.name == COINBASE for one in found.sellers)
            self._put(offers=list_offers(found), phase="loading", choosable=choosable, failed=False)
            self._for = order = self._order()
        known = await fetch_options(found)
        settled, wrong = without_unsold(order, known)
        offers, told = await asyncio.gather(fetch_offers(found, settled), fetch_quote(found, settled, known))
        async with self:
            now = await active_buyer(self)
            if self._made != number or now is None or now.caip_address != found.caip_address:
                return
            self._for = settled
            self._put(token=settled.token, currency=settled.currency, offers=offers, phase="shown")
            self._put(failed=any(offer["failed"] for offer in offers))
            self._put(gets=told.gets, quote=told.kind, problem=told.problem)
            if self.host:
                bridge = await self.get_state(BridgeState)
                for what in wrong:
                    await bridge._warn(f'open({{view: "{VIEW}"}}): {what}; it is left out.')

    @rx.event(background=True)
    async def answer_widget(self) -> None:
        """Answers what the host page's element has asked: what is chosen, and what its amount buys."""
        async with self:
            waiting, self._waiting = self.get_value("_waiting"), ()
            found, order = await active_buyer(self), self._order()
        if not waiting:
            return
        told = Quoted()
        if found is not None:
            known = await fetch_options(found)
            order = without_unsold(replace(order, amount=waiting[-1][1]), known)[0]
            told = await fetch_quote(found, order, known)
        answer = {"token": order.token, "currency": order.currency, "kind": told.kind, "gets": told.gets}
        async with self:
            bridge = await self.get_state(BridgeState)
            for call_id, _ in waiting:
                await bridge._settle(call_id, answer)

    @rx.event
    async def on_opened(self, provider: str, ok: bool) -> None:
        """Waits for the purchase: a provider was clicked, and the browser has opened its page, or not."""
        offer = next((row for row in self.get_value("offers") if row["id"] == provider and row["url"]), None)
        found, shell = await active_buyer(self), await self.get_state(ShellState)
        if offer is None or found is None or found.caip_address != self._of or shell.view != VIEW:
            return
        embed, progress = await self.get_state(EmbedState), await self.get_state(PurchaseState)
        progress._begin(
            provider=offer["id"],
            label=offer["label"],
            url=offer["url"],
            blocked=ok is not True,
            of=found.account,
            origin=embed._origin,
            now=deployment().clock.now().timestamp(),
        )
        named: Literal["coinbase", "meld"] = "coinbase" if offer["id"] == COINBASE else "meld"
        smart = await self._is_smart_account()
        chosen = events.select_buy_provider(provider=named, is_smart_account=smart)
        await (await self.get_state(BridgeState))._publish(chosen)
        # A page may be good for one purchase alone.
        self._clear()
        await self._push(PROGRESS)

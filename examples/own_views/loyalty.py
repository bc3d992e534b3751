"""Points of an account: a view and a tab of our own, an action that leads to them, and a state beside the modal's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import points
import reflex as rx

from walletmodal import ui, views


class Points(rx.State):
    """Points of the account in use. `joined`: it has some."""

    total: int = 0
    joined: bool = False

    @rx.event(background=True)
    async def load(self) -> None:
        """Reads the points of the account."""
        async with self:
            who = await views.visitor(self)
        found = await points.read(who.address) if who.address else None
        async with self:
            if (await views.visitor(self)).address == who.address:
                self.total, self.joined = found or 0, found is not None

    @rx.event(background=True)
    async def join(self) -> AsyncIterator[Any]:
        """Gives the account its first points: only the one that has signed, for anyone can name any address."""
        async with self:
            who = await views.visitor(self)
        if who.signed_in:
            await points.join(who.address)
            yield Points.load


views.on("connected", Points.load)
views.on("disconnected", Points.load)
views.on("signed_in", Points.join)
views.action("points", "Points", icon="gift", on_click=views.opens("Loyalty"))


@views.add("Loyalty", title="Your points")
def loyalty() -> rx.Component:
    """How many points the account has."""
    return ui.note(
        "gift",
        rx.cond(Points.joined, Points.total.to_string() + " points", "No points yet"),
        rx.cond(Points.joined, "Spend them at the till.", "Sign in with your wallet, and the first hundred are yours."),
        ui.button("Done", on_click=views.back()),
    )


@views.tab("Points", namespaces=("eip155",))
def points_tab() -> rx.Component:
    """The same, below the account."""
    return ui.note(
        "gift",
        Points.total.to_string() + " points",
        views.account.short_address + " collects on " + views.network.name,
        pad="tab",
    )

"""Reflex wrapper of the ticker."""

from __future__ import annotations

from typing import Annotated

import reflex as rx

_TICKER = rx.asset("ticker.tsx", shared=True)


class Ticker(rx.Component):
    """Draws nothing. Fires when it appears, every `every` milliseconds while the tab is visible, and when it is looked at again.

    Attributes:
        every: milliseconds between two ticks; whoever comes back after less than that waits for the next one.
        active: whether it ticks at all.
        about: what is asked about; another one is asked about at once.
        on_tick: asks.
    """

    library = _TICKER.importable_path
    tag = "Ticker"

    every: rx.Var[int]
    active: rx.Var[bool]
    about: rx.Var[str]
    on_tick: Annotated[rx.EventHandler, rx.event.no_args_event_spec]


ticker = Ticker.create

"""The requests that wait for the visitor, and who hears what became of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, Literal, TypedDict

import reflex as rx
from reflex.utils.format import json_dumps

from walletmodal.core.caip import Namespace
from walletmodal.core.host_calls import HostRequest
from walletmodal.features.bridge.state import Followups

MAX_WAITING: Final = 16
"""Requests of one page that may wait for the visitor at the same time."""
MAX_TEXT: Final = 320 * 1024
"""Characters of JSON of all of them together: a visitor's session keeps them. One message of a page is up to 256 kB."""

Unapproved = Literal["rejected", "aborted"]
"""rejected: the visitor said no to it. aborted: the modal was closed, or the visitor went elsewhere in it."""


class Waiting(TypedDict):
    """One request, as it will be carried out: what the visitor has seen is what the wallet gets.

    `call`: the envelope id under which the host waits; `account` and `chain` (CAIP-2): for whom it was asked; `reason`: why the
    deployment has it confirmed, or "".
    """

    call: str
    namespace: Namespace
    method: str
    params: Any
    account: str
    chain: str
    reason: str


Approved = Callable[[rx.State, str, HostRequest], Awaitable[Followups]]
Declined = Callable[[rx.State, str, HostRequest, Unapproved], Awaitable[None]]

_approved: list[Approved] = []
_declined: list[Declined] = []


def on_approved(step: Approved) -> Approved:
    """Registers what carries out a request that the visitor has approved: it settles the call, or has the wallet asked."""
    _approved[:] = [step]
    return step


def on_declined(listener: Declined) -> Declined:
    """Registers who hears that a request came to nothing here; it is settled already."""
    _declined.append(listener)
    return listener


def asked(entry: Waiting) -> HostRequest:
    """The request as the host made it."""
    return HostRequest(entry["namespace"], entry["method"], entry["params"])


async def carry_out(state: rx.State, entry: Waiting) -> Followups:
    """Hands an approved request on."""
    return await _approved[0](state, entry["call"], asked(entry))


async def tell_declined(state: rx.State, entry: Waiting, why: Unapproved) -> None:
    """Tells the listeners."""
    for listener in _declined:
        await listener(state, entry["call"], asked(entry), why)


def no_room(waiting: list[Waiting], more: Waiting) -> str:
    """Why there is no room for one more; "" where there is."""
    if len(waiting) >= MAX_WAITING:
        return "Too many requests wait for the visitor"
    if len(json_dumps([*waiting, more])) > MAX_TEXT:
        return "The requests that wait for the visitor are too large together"
    return ""

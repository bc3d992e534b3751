"""The requests that wait for the visitor, and who hears what became of them."""

from __future__ import annotations

from typing import Any, Final, NotRequired, TypedDict

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.protocol.host_calls import HostRequest
from walletmodal.core.protocol.limits import text_bytes
from walletmodal.features.embedded.payers import FeeOption
from walletmodal.reflex_internals.json_text import json_dumps

MAX_WAITING: Final = 16
"""Requests of one page that may wait for the visitor at the same time."""
MAX_TEXT: Final = 320 * 1024
"""Characters of JSON, and bytes of texts, of all of them together: a visitor's session keeps them. One message of a page is up to 256 kB."""


class Waiting(TypedDict):
    """A waiting request, as it will be carried out: what the visitor has seen is what the wallet gets.

    `call`: the envelope id under which the host waits; `account` and `chain` (CAIP-2): for whom it was asked; `reason`: why the
    deployment has it confirmed, or ""; `fees`: what its network fee may be paid in,
    empty where there is no choice; `stamp`: see `HostRequest`; `trace`: of the host's call, where there are traces.
    """

    call: str
    namespace: Namespace
    method: str
    params: Any
    account: str
    chain: str
    reason: str
    fees: list[FeeOption]
    stamp: str
    trace: NotRequired[str]


def host_request(entry: Waiting) -> HostRequest:
    """Rebuilds the request as the host made it."""
    return HostRequest(entry["namespace"], entry["method"], entry["params"], entry["stamp"])


def room_error(waiting: list[Waiting], more: Waiting) -> str:
    """Explains why no more request can wait; "" where one can."""
    if len(waiting) >= MAX_WAITING:
        return "Too many requests wait for the visitor"
    everything = [*waiting, more]
    if len(json_dumps(everything)) > MAX_TEXT or text_bytes(everything) > MAX_TEXT:
        return "The requests that wait for the visitor are too large together"
    return ""

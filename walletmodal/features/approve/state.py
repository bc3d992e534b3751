"""ApproveTransaction: a request of the host page waits for the visitor's word, then goes to the wallet, or back refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import reflex as rx

from walletmodal.core.connections.connections import Changes
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import LIMIT_EXCEEDED, REJECTED, UNAUTHORIZED
from walletmodal.core.errors.rpc import UserRejectedRequestError
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.requests.methods import find_method
from walletmodal.core.requests.signer import find_signer
from walletmodal.core.requests.summary import summarize
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.core.text.texts import REQUEST_WAS_ABORTED
from walletmodal.features.account.state import account
from walletmodal.features.approve.entries import Waiting, host_request, room_error
from walletmodal.features.approve.showing import (
    NO_TRIAL,
    Asker,
    Shown,
    Trial,
    read_waiting,
    render_request,
    render_trial,
    simulate_request,
)
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Extent, Followups, Unapproved, wiring
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.networks.state import NetworksState, picture
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin
from walletmodal.reflex_internals.substates import get_substate

VIEW: Final = "ApproveTransaction"

FOREIGN: Final = "The account is not connected any more, or another one would sign"

Phase = Literal["idle", "loading", "ready", "asking"]


class ApproveState(AssigningMixin, rx.State):
    """The request that the visitor is asked about.

    Attributes:
        request: the request as it is shown, a `Shown` once it is read.
        trial: what a node says that it would do, a `Trial`.
        phase: idle (nothing waits), loading (it is being read), ready, asking (approved, and the wallet has it).
        seen: which request this is, and which reading of it; clicks name it, for one that comes late must not count for another.
        whole: whether all of it is shown, instead of its beginning.
        place: of the one that is shown among `total` that came in a row.
    """

    request: dict[str, Any] = {}
    trial: dict[str, Any] = dict(NO_TRIAL)
    phase: Phase = "idle"
    seen: str = ""
    place: int = 1
    total: int = 1
    whole: bool = False

    _waiting: list[Waiting] = []
    # The host's call that the wallet has been asked for.
    _asking: str = ""
    # For whom the request that is shown was read: account, network, connector.
    _for: tuple[str, str, str] = ("", "", "")
    _reading: str = ""

    def _left_phase(self, phase: Phase) -> bool:
        """Whether the phase is another one by now."""
        return self.get_value("phase") != phase

    def _entries(self) -> list[Waiting]:
        found: list[Waiting] = self.get_value("_waiting")
        return found

    def _add(self, entry: Waiting) -> Followups:
        """Appends a request; it is shown when those before it are done."""
        self._waiting = [*self._entries(), entry]
        if self.phase != "idle":
            self._put(total=self.total + 1)
            return []
        return self._reload()

    def _reload(self, *, whole: bool = False) -> Followups:
        """Reads the first waiting request anew."""
        self._put(phase="loading", seen=new_id(), request={}, trial=dict(NO_TRIAL), whole=whole)
        return [ApproveState.load]

    def _clear(self) -> None:
        self._waiting, self._asking, self._reading = [], "", ""
        self._for = ("", "", "")
        self._put(phase="idle", seen="", request={}, trial=dict(NO_TRIAL), whole=False, place=1, total=1)

    async def _current_signer(self, entry: Waiting) -> tuple[str, str, str] | None:
        """Returns account, network and connector that would carry it out now; None where that is another account than was asked."""
        owner = await account(self, entry["namespace"])
        if owner.status != "connected" or entry["account"] not in owner._accounts:
            return None
        spec = find_method(entry["namespace"], entry["method"], entry["params"])
        if (
            spec is None
            or find_signer(entry["namespace"], spec, entry["params"], owner._accounts[0]) != entry["account"]
        ):
            # It names none, and the wallet has turned to another one.
            return None
        return entry["account"], f"{entry['namespace']}:{owner._chain}", owner.connector

    async def _asker(self, entry: Waiting, chain: str) -> Asker:
        embed, networks = await self.get_state(EmbedState), await self.get_state(NetworksState)
        owner = await account(self, entry["namespace"])
        row = next((one for one in networks.get_value("rows") if one["id"] == chain), None)
        # The wallet may be on a network that the host does not offer any more.
        known = networks._find_network(chain)
        return Asker(
            name=embed._host_name,
            icon=embed._host_icon,
            origin=embed._origin,
            account=entry["account"],
            wallet=owner.wallet_name,
            chain=chain,
            network=known.name if known else chain,
            network_image=row["image"] if row else picture(known) if known else "",
        )

    async def _decline(self, entry: Waiting, why: Unapproved) -> None:
        message = UserRejectedRequestError.text if why == "rejected" else REQUEST_WAS_ABORTED
        await (await self.get_state(BridgeState))._settle(entry["call"], code=REJECTED, message=message)
        await wiring().on_request_declined(self, entry["call"], host_request(entry), why)

    async def _abort(self) -> None:
        """Rejects all that waits here. What the wallet has already is the wallet's to answer."""
        entries = self._entries()
        self._clear()
        for entry in entries:
            await self._decline(entry, "aborted")

    async def _next(self) -> Followups:
        """Shows the next request, or leaves the view."""
        self._asking = ""
        if self._entries():
            self._put(place=self.place + 1)
            return self._reload()
        self._clear()
        shell = await self.get_state(ShellState)
        below = [entry for entry in shell._stack if entry[0] != VIEW]
        if not below:
            await shell._close()
        elif len(below) < len(shell._stack):
            shell._set_stack(below, -1)
        return []

    async def _drop_foreign(self) -> None:
        """Refuses requests to an account that would not carry them out any more."""
        kept = list[Waiting]()
        for entry in self._entries():
            if await self._current_signer(entry) is not None:
                kept.append(entry)
                continue
            bridge = await self.get_state(BridgeState)
            await bridge._settle(entry["call"], code=UNAUTHORIZED, message=FOREIGN)
            await wiring().on_request_declined(self, entry["call"], host_request(entry), "aborted")
        if len(kept) < len(self._entries()):
            self._waiting = kept

    @rx.event
    async def on_shown(self) -> Followups:
        """Loads a request whose skeleton is on screen, whatever has become of the load that was begun."""
        return [ApproveState.load] if self.phase == "loading" and self._entries() else []

    @rx.event(background=True)
    async def load(self) -> None:
        """Reads the first waiting request with its tokens, shows it, and has a node simulate it."""
        async with self:
            entries, seen, whole = self._entries(), self.seen, self.whole
            if self.phase != "loading" or not entries or self._reading == seen:
                return
            entry = entries[0]
            standing = await self._current_signer(entry)
            if standing is None:
                return
            self._reading, self._for = seen, standing
            asker = await self._asker(entry, standing[1])
        request = read_waiting(entry, asker)
        drawn: Shown = await render_request(request, asker, entry["reason"], whole=whole)
        async with self:
            if self.seen != seen or self._left_phase("loading"):
                return
            self._put(request=dict(drawn), phase="ready", trial={**NO_TRIAL, "state": drawn["trial"]})
        if drawn["trial"] != "running":
            return
        trial: Trial = await render_trial(request, await simulate_request(request))
        async with self:
            if self.seen == seen and self._left_phase("loading"):
                self._put(trial=dict(trial))

    @rx.event
    async def show_all(self, seen: str) -> Followups:
        """Shows the whole request instead of its beginning."""
        if self.phase != "ready" or seen != self.seen or self.whole or not self._entries():
            return []
        return self._reload(whole=True)

    @rx.event
    async def approve(self, seen: str) -> Followups:
        """Approves what was seen, for the account and network that were shown: the Approve button."""
        entries = self._entries()
        shell = await self.get_state(ShellState)
        if (
            self.phase != "ready"
            or seen != self.seen
            or not entries
            or shell.view != VIEW
            or not await shell._is_visible()
        ):
            return []
        if await self._current_signer(entries[0]) != tuple(self.get_value("_for")):
            return self._reload()
        entry, self._waiting = entries[0], entries[1:]
        self._asking = entry["call"]
        self._put(phase="asking")
        followups = await wiring().on_request_approved(self, entry["call"], host_request(entry))
        if not self._left_phase("asking") and not (await self.get_state(BridgeState))._is_in_progress(entry["call"]):
            followups = [*followups, *await self._next()]
        await shell._save_record()
        return followups

    @rx.event
    async def reject(self, seen: str) -> Followups:
        """Rejects the request: the Reject button."""
        entries = self._entries()
        if self.phase not in ("loading", "ready") or seen != self.seen or not entries:
            return []
        self._waiting = entries[1:]
        await self._decline(entries[0], "rejected")
        followups = await self._next()
        await (await self.get_state(ShellState))._save_record()
        return followups

    @rx.event
    async def leave(self) -> Followups:
        """Leaves while the wallet is asked, or when nothing waits: the wallet's answer reaches the host all the same."""
        if self.phase not in ("asking", "idle"):
            return []
        followups = await self._next()
        await (await self.get_state(ShellState))._save_record()
        return followups


async def ask_visitor(state: rx.State, call: str, request: HostedRequest, *, reason: str = "") -> Followups:
    """Asks the visitor to approve a request of the host, which has passed every other check.

    On approval it goes to the step of `on_approved`; else the call is settled with 4001.

    Args:
        state: any of the visitor's.
        call: the envelope id under which the host waits; asking again for one that waits changes nothing.
        request: what the connected account is to sign or send.
        reason: why the deployment wants it confirmed, for the visitor; "" for none.
    """
    own, bridge = await state.get_state(ApproveState), await state.get_state(BridgeState)
    if any(entry["call"] == call for entry in own._entries()):
        return []
    entry = Waiting(
        call=call,
        namespace=request.namespace,
        method=request.method,
        params=request.params,
        account=request.account,
        chain=str(request.chain),
        reason=reason,
    )
    full = room_error(own._entries(), entry)
    if full:
        await bridge._settle(call, code=LIMIT_EXCEEDED, message=full)
        return []
    try:
        summarize(request)
    except WalletModalError as error:
        # What cannot be shown is not asked: the visitor could only guess.
        await bridge._settle(call, code=error.code, message=error.short_message)
        return []
    shell = await state.get_state(ShellState)
    if not await shell._is_visible():
        await shell._open(VIEW, request.namespace)
    elif all(view != VIEW for view, _ in shell._stack):
        shell._push(VIEW)
    return own._add(entry)


async def check_waiting(state: rx.State, _extent: Extent) -> None:
    """Aborts requests whose view is gone, and goes on when the wallet has answered."""
    own = await get_substate(state, ApproveState)
    if own.phase == "idle":
        return
    shell = await get_substate(state, ShellState)
    if not await shell._is_visible() or all(view != VIEW for view, _ in shell._stack):
        # The visitor or the host has gone elsewhere, on whichever way.
        await own._abort()
    elif own.phase == "asking" and not (await get_substate(state, BridgeState))._is_in_progress(own._asking):
        # The skeleton of the next one asks for its reading.
        await own._next()


async def abort_waiting(state: rx.State) -> None:
    """Rejects waiting requests when the modal closes."""
    own = await state.get_state(ApproveState)
    if own.phase != "idle":
        await own._abort()


async def reset_approvals(state: rx.State) -> None:
    """Clears the requests of the page before."""
    (await state.get_state(ApproveState))._clear()


async def sync_approvals(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Shows requests anew when the wallet has another account or network: what is shown must be what is carried out."""
    own = await state.get_state(ApproveState)
    if own.phase not in ("loading", "ready"):
        return []
    first = own._entries()[0]["call"] if own._entries() else ""
    await own._drop_foreign()
    entries = own._entries()
    if not entries or entries[0]["call"] != first:
        return await own._next()
    if own.phase == "ready" and await own._current_signer(entries[0]) == tuple(own.get_value("_for")):
        return []
    # Also what is being read: the process that read it may be gone.
    return own._reload(whole=own.whole)


async def on_account_change(state: rx.State) -> Followups:
    """Shows requests anew when the host or visitor has put a pairing on another network."""
    own = await state.get_state(ApproveState)
    entries = own._entries()
    if own.phase != "ready" or not entries:
        return []
    standing = await own._current_signer(entries[0])
    return own._reload(whole=own.whole) if standing not in (None, tuple(own.get_value("_for"))) else []


async def to_record(state: rx.State) -> Mapping[str, Any] | None:
    """Returns the part of the resume record; None when nothing waits."""
    own = await get_substate(state, ApproveState)
    if own.phase == "idle":
        return None
    return {"waiting": own._entries(), "asking": own._asking, "place": own.place, "total": own.total, "lost": []}


def without_requests(record: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Returns the part without the requests, which are too large: only who waits, to be told that it came to nothing."""
    if record is None:
        return None
    lost = [*record["lost"], *(entry["call"] for entry in record["waiting"])]
    return {"waiting": [], "asking": record["asking"], "place": 1, "total": 1, "lost": lost}


async def restore(state: rx.State, record: Mapping[str, Any]) -> None:
    """Restores waiting requests; they are read anew when the page has said who it is."""
    own, bridge = await state.get_state(ApproveState), await state.get_state(BridgeState)
    for call in record["lost"]:
        await bridge._settle(call, code=REJECTED, message=REQUEST_WAS_ABORTED)
    if record["asking"]:
        own._waiting, own._asking = list(record["waiting"]), record["asking"]
        own._put(phase="asking", place=record["place"], total=record["total"])
    elif record["waiting"]:
        own._waiting = list(record["waiting"])
        own._reload()
        own._put(place=record["place"], total=record["total"])

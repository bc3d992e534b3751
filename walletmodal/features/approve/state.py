"""ApproveTransaction: a request of the host page waits for the visitor's word, then goes to the wallet, or back refused."""

from __future__ import annotations

from typing import Any, Final, Literal, cast

import reflex as rx

from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import REJECTED, UNAUTHORIZED
from walletmodal.core.errors.operations import TokenFundsError
from walletmodal.core.errors.rpc import UserRejectedRequestError
from walletmodal.core.language import _
from walletmodal.core.requests.methods import find_method
from walletmodal.core.requests.signer import find_signer
from walletmodal.core.text.texts import REQUEST_WAS_ABORTED
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.features.account.state import account
from walletmodal.features.approve.entries import Waiting, host_request
from walletmodal.features.approve.fees import FeePhase, TokenFee, is_fresh, offer_fees, work_out_fee
from walletmodal.features.approve.showing import (
    NO_TRIAL,
    Asker,
    Shown,
    attempt_of,
    known_trial,
    read_waiting,
    render_request,
)
from walletmodal.features.approve.trials import TrialsMixin
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups, Unapproved, wiring
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.embedded.payers import find_fee_options
from walletmodal.features.networks.state import NetworksState, picture
from walletmodal.features.process import PROCESS
from walletmodal.features.shell.state import ShellState
from walletmodal.services.tracing import resumed

VIEW: Final = "ApproveTransaction"
FOREIGN: Final = "The account is not connected any more, or another one would sign"

Phase = Literal["idle", "loading", "ready", "asking"]


class ApproveState(TrialsMixin, rx.State):
    """The request that the visitor is asked about.

    Attributes:
        request: the request as it is shown, a `Shown` once it is read.
        phase: idle (nothing waits), loading (it is being read), ready, asking (approved, and the wallet has it).
        seen: which request this is, and which reading of it; clicks name it, for one that comes late must not count for another.
        whole: whether all of it is shown, instead of its beginning.
        fee: what the network fee may be paid in, a `Fee`; empty where there is no choice.
        place: of the one that is shown among `total` that came in a row.
    """

    request: dict[str, Any] = {}
    phase: Phase = "idle"
    seen: str = ""
    place: int = 1
    total: int = 1
    whole: bool = False
    fee: dict[str, Any] = {}

    _waiting: list[Waiting] = []
    # The host's call that the wallet has been asked for.
    _asking: str = ""
    # For whom the request that is shown was read: account, network, connector.
    _for: tuple[str, str, str] = ("", "", "")
    _reading: str = ""
    # The fee in the token that is chosen, once it is worked out, and for which reading and token a process works one out.
    _token_fee: dict[str, Any] = {}
    _pricing: tuple[str, str, str] = ("", "", "")

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
        self._drop_attempt()
        self._put(phase="loading", seen=new_id(), request={}, trial={}, whole=whole, fee={})
        self._token_fee = {}
        return [ApproveState.load]

    def _clear(self) -> None:
        self._waiting, self._asking, self._reading = [], "", ""
        self._for, self._token_fee, self._tried = ("", "", ""), {}, {}
        self._drop_attempt()
        self._put(phase="idle", seen="", request={}, trial={}, whole=False, fee={}, place=1, total=1)

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
            framed=owner.connector == AUTH_ID,
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
    async def load(self) -> Followups:
        """Reads the first waiting request with its tokens, shows it, and has a node simulate it."""
        async with self:
            entries, seen, whole = self._entries(), self.seen, self.whole
            reading = f"{seen} {PROCESS}"
            if self.phase != "loading" or not entries or self._reading == reading:
                return []
            standing = await self._current_signer(entry := entries[0])
            if standing is None:
                return []
            self._reading, self._for = reading, standing
            asker = await self._asker(entry, standing[1])
        request = read_waiting(entry, asker)
        drawn: Shown = await render_request(request, asker, entry["reason"], whole=whole)
        # On another network it costs something else.
        fee = offer_fees(entry["fees"] if entry["chain"] == standing[1] else [])
        async with self:
            if self.seen != seen or self._left_phase("loading"):
                return []
            self._put(request=dict(drawn), phase="ready", fee=dict(fee))
            attempt = attempt_of(request)
            known = known_trial(self.get_value("_tried"), attempt)
            self._note_trial(seen, known or {**NO_TRIAL, "state": drawn["trial"]}, attempt)
        priced = [ApproveState.price_fee(seen)] if fee and fee["token"] else []
        return priced if attempt is None or known else [ApproveState.run_trial, *priced]

    @rx.event
    async def choose_fee(self, seen: str, token: str) -> Followups:
        """Chooses what the network fee is paid in: a row's button.

        Args:
            seen: the reading that it belongs to.
            token: the contract; "" for the network's coin.
        """
        fee = self.get_value("fee")
        if self.phase != "ready" or seen != self.seen or all(row["token"] != token for row in fee.get("rows", [])):
            return []
        if len(fee["rows"]) == 1:
            self._put(fee={**fee, "text": "", "phase": "working"})
            return [ApproveState.find_fees(seen)]
        return self._begin_fee(token)

    @rx.event(background=True)
    async def find_fees(self, seen: str) -> Followups:
        """Looks again what the fee may be paid in, where nobody could say; a client may send it as often as it likes."""
        async with self:
            fee, entries = self.get_value("fee"), self._entries()
            pricing = (seen, "", PROCESS)
            wanted = fee.get("phase") == "working" and len(fee["rows"]) == 1
            if self.phase != "ready" or seen != self.seen or not wanted or self._pricing == pricing:
                return []
            self._pricing, entry = pricing, entries[0]
            asker = await self._asker(entry, self._for[1])
        fees = await find_fee_options(self, read_waiting(entry, asker), 0)
        async with self:
            if self._pricing == pricing:
                self._pricing = ("", "", "")
            if seen != self.seen or self._left_phase("ready"):
                return []
            self._waiting = [{**entry, "fees": fees}, *self._entries()[1:]]
            found = offer_fees(fees)
            self._put(fee=dict(found))
            return [ApproveState.price_fee(seen)] if found and found["token"] else []

    def _begin_fee(self, token: str) -> Followups:
        self._token_fee = {}
        self._put(fee={**self.get_value("fee"), "token": token, "text": "", "phase": "working" if token else ""})
        return [ApproveState.price_fee(self.seen)] if token else []

    @rx.event(background=True)
    async def price_fee(self, seen: str) -> None:
        """Works out what the fee takes of the token that is chosen; a client may send it as often as it likes."""
        async with self:
            fee, entries = self.get_value("fee"), self._entries()
            pricing = (seen, str(fee.get("token", "")), PROCESS)
            if self.phase != "ready" or seen != self.seen or fee.get("phase") != "working" or self._pricing == pricing:
                return
            self._pricing, entry = pricing, entries[0]
            asker = await self._asker(entry, self._for[1])
            held, asked = await account(self, entry["namespace"]), read_waiting(entry, asker)
            owner, passkey = held._owner_of(asked.account), held._passkey_of(asked.chain, asked.account)
        option = next(one for one in entry["fees"] if one["token"] == pricing[1])
        found: TokenFee | None = None
        phase: FeePhase = "known"
        try:
            found = await work_out_fee(asked, option, owner, passkey)
            text: str = _("At most {amount}", amount=found["most"])
        except WalletModalError as error:
            phase, text = "short" if isinstance(error, TokenFundsError) else "failed", error.short_message
        async with self:
            if self._pricing != pricing:
                return
            self._pricing, fee = ("", "", ""), self.get_value("fee")
            if (self.seen, fee.get("token"), fee.get("phase")) == (*pricing[:2], "working"):
                self._token_fee = dict(found or {})
                self._put(fee={**fee, "text": text, "phase": phase})

    def _left_behind(self) -> Followups:
        """What is shown as being worked out, and was begun by another process, which may be gone."""
        fee, left = self.get_value("fee"), self._left_trial()
        if self.phase != "ready" or fee.get("phase") != "working" or self._pricing[2] == PROCESS:
            return left
        work = ApproveState.price_fee if fee["token"] else ApproveState.find_fees
        return [*left, work(self.seen)]

    def _take_fee(self) -> TokenFee | None:
        """Takes the fee in a token that the visitor has agreed to; None where the account pays in the network's coin."""
        found, self._token_fee = dict(self.get_value("_token_fee")), {}
        return cast("TokenFee", found) if found else None

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
        fee, token_fee = self.get_value("fee"), self.get_value("_token_fee")
        if fee.get("token") and fee["phase"] != "known":
            return []
        if token_fee and not is_fresh(token_fee):
            return self._begin_fee(fee["token"])
        entry, self._waiting = entries[0], entries[1:]
        self._asking = entry["call"]
        self._put(phase="asking")
        with resumed("approval", entry.get("trace", "")):
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

"""Owners of a Safe of the embedded wallet: who they are on the network in use, another one, and the end of one."""

from __future__ import annotations

from typing import Any, Final, Literal, TypedDict

import reflex as rx

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import AddressError, WalletModalError
from walletmodal.core.language import _
from walletmodal.core.protocol.commands import Hint
from walletmodal.core.requests.reading import read_request
from walletmodal.core.smart_accounts.authorization import NOBODY
from walletmodal.core.smart_accounts.call_encoding import AccountCall
from walletmodal.core.smart_accounts.safe import MAX_OWNERS
from walletmodal.core.smart_accounts.safe_owners import add_owner_call, remove_owner_call
from walletmodal.core.transfers.transaction_request import proposal_of
from walletmodal.deployment import deployment
from walletmodal.features.account.state import Eip155State, account
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.transactions.wallet_requests import ask_transaction

VIEW: Final = "Profile"
CHANGED: Final = "embedded.safe_owners_changed"
SENT: Final = _("It counts with the transaction that was sent")
MAX_TYPED: Final = 64
NO_ADDRESS: Final = _("This is no address")
OWNER_ALREADY: Final = _("This is an owner already")
NOBODY_OWNS: Final = _("Nobody could use this address")
MOST: Final = _("There are as many owners as there can be")


class SafeOwners(TypedDict, total=False):
    """Who controls the Safe in use.

    Attributes:
        phase: of the list; absent where it was not looked for.
        rows: their addresses.
        key: which one is the wallet's own key.
        error: why an address was not taken.
        busy: the frame is asked.
    """

    phase: Literal["loading", "shown", "failed"]
    rows: list[str]
    key: str
    error: str
    busy: bool


class SafeOwnersMixin(AssigningMixin, rx.State, mixin=True):
    """The owners of the Safe in use.

    Attributes:
        known: what is known of them; filled while the profile is looked at.
    """

    known: SafeOwners = {}

    # The Safe's key on its network.
    _owners_of: str = ""
    _owner_looks: int = 0
    _typed_owner: str = ""

    async def _safe(self) -> tuple[Eip155State, str] | None:
        """The Safe in use, and the wallet's own key; None where none is."""
        held: Any = await account(self, "eip155")
        key = held._owner_of(held.address) if held.status == "connected" and held.safe == "usable" else ""
        return (held, key) if key else None

    async def _changeable(self) -> tuple[Eip155State, str] | None:
        """The Safe in use, where its owners are seen and nothing is asked about them yet."""
        found, owners = await self._safe(), self.get_value("known")
        is_seen = owners.get("phase") == "shown" and await (await self.get_state(ShellState))._shows(VIEW)
        if found is None or not is_seen or owners.get("busy") or self._owners_of != f"{found[0]._chain}:{found[1]}":
            return None
        return found

    def _tell_owners(self, **changes: Any) -> None:
        self._put(known={**self.get_value("known"), **changes})

    @rx.event(background=True)
    async def load_owners(self) -> None:
        """Loads the owners: the profile is opened, or a transaction has got into the chain."""
        async with self:
            found = await self._safe()
            if found is None:
                self._put(known={})
                return
            held, key = found
            if not held._chain:
                return
            about = f"{held._chain}:{key}"
            self._owner_looks = look = self._owner_looks + 1
            if self._owners_of != about or self.get_value("known").get("phase") != "shown":
                self._put(known={"phase": "loading"})
            self._owners_of = about
        try:
            told = await deployment().smart_accounts.networks.safe_owners(ChainId("eip155", held._chain), key)
        except WalletModalError:
            told = ()
        async with self:
            # What a later look has read is newer.
            if look != self._owner_looks:
                return
            if told:
                self._put(known={"phase": "shown", "rows": list(told), "key": key})
            else:
                self._put(known={"phase": "failed"})

    @rx.event
    def type_owner(self, typed: str) -> None:
        """Hears what is typed as another owner's address."""
        self._typed_owner = typed[:MAX_TYPED].strip() if isinstance(typed, str) else ""

    @rx.event
    async def add_owner(self) -> Followups:
        """Has the frame ask whether the address that was typed is to control the Safe too: the field's button."""
        found, owners = await self._changeable(), self.get_value("known")
        if found is None:
            return []
        try:
            owner = normal_address("eip155", self._typed_owner)
        except AddressError:
            self._tell_owners(error=NO_ADDRESS)
            return []
        refused = _refusal(owner, found[0].address, owners["rows"])
        if refused:
            self._tell_owners(error=refused)
            return []
        says = _("{owner} will control this account", owner=owner)
        return await self._change(found[0], add_owner_call(found[0].address, owner), _("Add an owner"), says)

    @rx.event
    async def remove_owner(self, owner: str) -> Followups:
        """Has the frame ask whether an owner is to be one no more: the row's button."""
        found = await self._changeable()
        rows = self.get_value("known").get("rows", [])
        if found is None or not isinstance(owner, str) or owner not in rows or owner == found[1]:
            return []
        says = _("{owner} will no longer control this account", owner=owner)
        return await self._change(
            found[0], remove_owner_call(found[0].address, rows, owner), _("Remove an owner"), says
        )

    async def _change(self, held: Eip155State, call: AccountCall, title: str, says: str) -> Followups:
        chain, origin = ChainId("eip155", held._chain), (await self.get_state(EmbedState))._origin
        params = [{"from": held.address, "to": call.to, "data": "0x" + call.data.hex()}]
        transaction = read_request(
            method="eth_sendTransaction", chain=chain, account=held.address, origin=origin, params=params
        )
        hint = Hint(title=title, lines=[says], facts=[says])
        try:
            followups = await ask_transaction(
                self, proposal=proposal_of(transaction), params=params, kind="host", then=CHANGED, hint=hint
            )
        except WalletModalError as error:
            self._tell_owners(error=error.short_message)
            return []
        self._tell_owners(busy=True, error="")
        return followups


def _refusal(owner: str, safe: str, rows: list[str]) -> str:
    """Why an address can be no further owner; "" where it can."""
    if owner in rows:
        return OWNER_ALREADY
    if owner in (safe, NOBODY) or int(owner, 16) < 2**16:
        return NOBODY_OWNS
    return MOST if len(rows) >= MAX_OWNERS else ""

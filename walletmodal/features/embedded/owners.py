"""Owners of a Safe of the embedded wallet: who they are on the network in use, another one, and the end of one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, Literal, TypedDict

import reflex as rx

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.constants import FRAME_TIMEOUT_MILLISECONDS
from walletmodal.core.errors import AddressError, WalletModalError
from walletmodal.core.language import _
from walletmodal.core.protocol.commands import Hint
from walletmodal.core.requests.reading import read_request
from walletmodal.core.smart_accounts.authorization import NOBODY
from walletmodal.core.smart_accounts.call_encoding import AccountCall
from walletmodal.core.smart_accounts.passkey_signer import PasskeySigner
from walletmodal.core.smart_accounts.safe import MAX_OWNERS
from walletmodal.core.smart_accounts.safe_owners import add_owner_call, remove_owner_call
from walletmodal.core.text.browser_text import browser_text
from walletmodal.core.text.formatting import date_text
from walletmodal.core.transfers.transaction_request import proposal_of
from walletmodal.core.wallets.account_type import ACCOUNT_TYPE_METHOD
from walletmodal.core.wallets.passkeys import PasskeyKey, read_passkey_keys
from walletmodal.deployment import deployment
from walletmodal.features.account.state import Eip155State, account
from walletmodal.features.account.wallet_requests import wallet_asker
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.transactions.wallet_requests import ask_transaction

VIEW: Final = "Profile"
NOT_SIGNING: Final = ("", 0, 0)
FRAME_SECONDS: Final = FRAME_TIMEOUT_MILLISECONDS / 1000
"""How long the frame may take to say what an account is: it must be loaded for that, and asks a node."""
CHANGED: Final = "embedded.safe_owners_changed"
SENT: Final = _("It counts with the transaction that was sent")
MAX_TYPED: Final = 64
NO_ADDRESS: Final = _("This is no address")
OWNER_ALREADY: Final = _("This is an owner already")
NOBODY_OWNS: Final = _("Nobody could use this address")
MOST: Final = _("There are as many owners as there can be")


class PasskeyName(TypedDict):
    """How a passkey is shown: what made it, and when."""

    name: str
    made: str


class SafeOwners(TypedDict, total=False):
    """Who controls the Safe in use.

    Attributes:
        phase: of the list; absent where it was not looked for.
        rows: their addresses.
        key: which one is the wallet's own key.
        passkeys: of the wallet, by the contract that each has as an owner; absent while the frame has not told.
        offered: those that are no owners yet.
        signer: the one that signs in the key's place; "" where the key does.
        error: why an address was not taken.
        busy: the frame is asked.
    """

    phase: Literal["loading", "shown", "failed"]
    rows: list[str]
    key: str
    passkeys: dict[str, PasskeyName]
    offered: list[str]
    signer: str
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
    # The public keys of the wallet's passkeys, by their contracts.
    _keys: dict[str, tuple[int, int]] = {}

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
            chain, about = ChainId("eip155", held._chain), f"{held._chain}:{key}"
            self._owner_looks = look = self._owner_looks + 1
            if self._owners_of != about:
                self._put(known={"phase": "loading"})
            elif self.get_value("known").get("phase") != "shown":
                self._tell_owners(phase="loading")
            self._owners_of = about
        try:
            told = await deployment().smart_accounts.networks.safe_owners(chain, key)
        except WalletModalError:
            told = ()
        async with self:
            # What a later look has read is newer.
            if look != self._owner_looks:
                return
            found = await self._safe()
            if found is None or (found[0]._chain, found[1]) != (chain.reference, key):
                self._put(known={})
            elif not told:
                self._tell_owners(phase="failed")
            else:
                shown = self._of_passkeys(found[0], told)
                self._put(known={"phase": "shown", "rows": list(told), "key": key, **shown})

    def _of_passkeys(self, held: Eip155State, rows: Sequence[str]) -> SafeOwners:
        """What is known of the wallet's passkeys, beside these owners; one that is no owner any more does not sign."""
        found: SafeOwners = {}
        passkeys = self.get_value("known").get("passkeys")
        if passkeys is not None:
            found |= {"passkeys": passkeys, "offered": [owner for owner in passkeys if owner not in rows]}
        signing = held._passkey_of(ChainId("eip155", held._chain), held.address)
        if signing is not None and signing.address in rows:
            found["signer"] = signing.address
        elif signing is not None:
            held._signing = NOT_SIGNING
        return found

    @rx.event(background=True)
    async def load_passkeys(self) -> None:
        """Asks the frame for the passkeys that can be owners: the profile is opened."""
        async with self:
            found = await self._safe()
            if found is None or not found[0]._chain:
                return
            chain, key = ChainId("eip155", found[0]._chain), found[1]
            default = (await self.get_state(EmbedState))._options.default_account_types.eip155
        passkeys: list[PasskeyKey] | None = None
        with suppress(WalletModalError):
            ask = wallet_asker(self, chain, seconds=FRAME_SECONDS)
            passkeys = read_passkey_keys(await ask(ACCOUNT_TYPE_METHOD, [{"default": default, "passkeys": True}]))
        async with self:
            found = await self._safe()
            if passkeys is None or found is None or (found[0]._chain, found[1]) != (chain.reference, key):
                return
            self._keys = {one.signer.address: (one.signer.x, one.signer.y) for one in passkeys}
            names: dict[str, PasskeyName] = {
                one.signer.address: {
                    "name": browser_text(one.name),
                    "made": _("Passkey, {day}", day=date_text(one.made)),
                }
                for one in passkeys
            }
            self._tell_owners(passkeys=names)
            if "rows" in self.get_value("known"):
                self._tell_owners(**self._of_passkeys(found[0], self.get_value("known")["rows"]))

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
        return await self._change(found[0], [add_owner_call(found[0].address, owner)], _("Add an owner"), says)

    @rx.event
    async def add_passkey(self, owner: str) -> Followups:
        """Has the frame ask whether a passkey of the wallet is to control the Safe too: the row's button."""
        found, known = await self._changeable(), self.get_value("known")
        if found is None or not isinstance(owner, str) or owner not in known.get("offered", []):
            return []
        if len(known["rows"]) >= MAX_OWNERS:
            self._tell_owners(error=MOST)
            return []
        calls = PasskeySigner(*self._keys[owner]).own_calls(found[0].address)
        says = _("The passkey of {name} will control this account", name=known["passkeys"][owner]["name"])
        return await self._change(found[0], calls, _("Add a passkey as an owner"), says)

    @rx.event
    async def sign_by(self, owner: str) -> None:
        """Has a passkey sign for the Safe from now on, in its key's place; "" for the key: the row's button."""
        found, known = await self._changeable(), self.get_value("known")
        if found is None or not isinstance(owner, str) or (owner and owner not in known["rows"]):
            return
        held, key = found[0], self._keys.get(owner)
        if owner and key is None:
            return
        held._signing = (f"eip155:{held._chain}:{held.address}", *key) if key else NOT_SIGNING
        self._tell_owners(signer=owner)

    @rx.event
    async def remove_owner(self, owner: str) -> Followups:
        """Has the frame ask whether an owner is to be one no more: the row's button."""
        found = await self._changeable()
        rows = self.get_value("known").get("rows", [])
        if found is None or not isinstance(owner, str) or owner not in rows or owner == found[1]:
            return []
        known, held = self.get_value("known"), found[0]
        if owner == known.get("signer"):
            # It would not count any more for what comes next.
            held._signing = NOT_SIGNING
            self._tell_owners(signer="")
        passkey = known.get("passkeys", {}).get(owner)
        says = (
            _("The passkey of {name} will no longer control this account", name=passkey["name"])
            if passkey
            else _("{owner} will no longer control this account", owner=owner)
        )
        return await self._change(held, [remove_owner_call(held.address, rows, owner)], _("Remove an owner"), says)

    async def _change(self, held: Eip155State, calls: Sequence[AccountCall], title: str, says: str) -> Followups:
        chain, origin = ChainId("eip155", held._chain), (await self.get_state(EmbedState))._origin
        written: list[dict[str, Any]] = [{"to": call.to, "data": "0x" + call.data.hex()} for call in calls]
        method, params = "eth_sendTransaction", [{"from": held.address, **written[0]}]
        if len(written) > 1:
            batch = {"version": "2.0.0", "from": held.address, "chainId": hex(chain.number), "atomicRequired": True}
            method, params = "wallet_sendCalls", [{**batch, "calls": written}]
        transaction = read_request(method=method, chain=chain, account=held.address, origin=origin, params=params)
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

"""The kind of the embedded wallet's account: a smart account or an ordinary one, and the end of a smart account on a network."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

import reflex as rx

from walletmodal.core.analytics import events
from walletmodal.core.chains.addresses import truncate
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import REJECTED
from walletmodal.core.errors.rpc import is_user_rejection
from walletmodal.core.language import _
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.smart_accounts.account_state import smart_account_address
from walletmodal.core.text.texts import SOMETHING_WRONG
from walletmodal.core.transfers.wallet_response import TransactionOutcome
from walletmodal.core.wallets.account_type import (
    ACCOUNT_TYPE_METHOD,
    REVOKE_METHOD,
    AccountInUse,
    AccountType,
    read_account_in_use,
)
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.core.wallets.refusals import recalled_refusal
from walletmodal.deployment import deployment
from walletmodal.features.account.active import active_namespace
from walletmodal.features.account.state import Eip155State, account
from walletmodal.features.account.wallet_requests import wallet_asker, wallet_request
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.embedded.owners import FRAME_SECONDS, NOT_SIGNING, SENT, VIEW, SafeOwnersMixin
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState
from walletmodal.reflex_internals.substates import get_substate

TOLD: Final = "embedded.account_type_told"
ENDED: Final = "embedded.smart_account_ended"
ENDING: Final = _("The smart account ends with the transaction that was sent")


class AccountTypeState(SafeOwnersMixin, rx.State):
    """The kind of the embedded wallet's account on the active network; filled while the settings are looked at.

    Attributes:
        status: EIP-5792's word for calls at once; "" while nothing is known, and of other wallets.
        kind: which kind the owner prefers here.
        foreign: the contract that controls the account in the place of ours, cut; "" for none.
        busy: the frame is asked to use the other kind, or once more.
        failed: the frame could not say what the account is.
    """

    status: str = ""
    kind: AccountType = "smartAccount"
    foreign: str = ""
    busy: bool = False
    failed: bool = False

    # The account that it is about, and the command that asks the frame.
    _about: str = ""
    _question: str = ""

    async def _owned(self) -> Eip155State | None:
        """The embedded wallet's account, where it is the one in use and can be a smart account."""
        if await active_namespace(self) != "eip155":
            return None
        held: Any = await account(self, "eip155")
        return held if held.status == "connected" and held.connector == AUTH_ID else None

    @rx.event
    async def load(self) -> None:
        """Asks the frame what the account is on the active network: the settings are opened, or the network has changed."""
        if not (self.busy and (await self.get_state(BridgeState))._is_pending(self._question)):
            await self._ask({})

    @rx.event
    async def retry(self) -> None:
        """Asks the frame once more, which could not say: the button in the place of the rows."""
        if self.failed and not self.busy:
            await self._ask({})
            self._put(busy=bool(self._question))

    @rx.event
    async def switch(self) -> None:
        """Has the owner's other kind of account used from now on: the row's button."""
        # Who is on a network without Safes may leave theirs.
        leaves = (await account(self, "eip155")).several and self.kind == "smartAccount"
        if not self.busy and self.status and (self.status != "unsupported" or leaves):
            wanted: AccountType = "eoa" if self.kind == "smartAccount" else "smartAccount"
            await self._ask({"type": wanted})

    async def _ask(self, choice: dict[str, str]) -> None:
        """Asks the frame in the place of what it was asked before."""
        held, bridge = await self._owned(), await self.get_state(BridgeState)
        if held is None:
            return
        about, default = _about(held), (await self.get_state(EmbedState))._options.default_account_types.eip155
        if self._about not in ("", about):
            self._put(status="", foreign="", failed=False)
        self._about = about
        self._put(busy=bool(choice))
        await bridge._cancel_command(self._question)
        self._question = await bridge._issue(
            "wallet.request",
            wallet_request(held, ACCOUNT_TYPE_METHOD, [{"default": default, **choice}], seconds=FRAME_SECONDS),
            then=TOLD,
            about=about,
            chosen=bool(choice),
        )

    @rx.event
    async def end(self) -> None:
        """Has the frame ask whether the account is to be an ordinary one again on this network: the row's button."""
        held = await self._owned()
        if held is not None and self.status == "supported" and not (self.busy or held.several):
            bridge = await self.get_state(BridgeState)
            await bridge._issue("wallet.request", wallet_request(held, REVOKE_METHOD, []), then=ENDED)


async def on_owners_changed(state: rx.State, outcome: TransactionOutcome, _given: dict[str, Any]) -> Followups:
    """Goes on once the frame has asked the owner; that it counts, the chain tells."""
    own, toasts = await state.get_state(AccountTypeState), await state.get_state(ToastState)
    own._tell_owners(busy=False)
    if outcome.status == "sent":
        toasts._show(SENT)
    elif not is_user_rejection(outcome.code, outcome.message):
        own._tell_owners(error=recalled_refusal(outcome.message) or SOMETHING_WRONG)
    return []


async def refresh_owners(state: rx.State) -> Followups:
    """Reloads the owners after a transaction: it may have changed them."""
    return [AccountTypeState.load_owners] if await (await state.get_state(ShellState))._shows(VIEW) else []


def _key(held: Eip155State) -> str:
    """The account of the key itself, whichever of the two is in use."""
    return held._owner_of(held.address) or held.address


def _about(held: Eip155State) -> str:
    return f"eip155:{held._chain}:{_key(held)}"


async def uses_smart_account(state: Any, chain: ChainId) -> bool:
    """Whether the account in use is the embedded wallet's, and its owner uses it as a smart account on a network.

    Args:
        state: `self` of a background event, not held while the frame is asked.
        chain: an eip155 one.
    """
    async with state:
        held: Any = await account(state, "eip155")
        if held.status != "connected" or held.connector != AUTH_ID:
            return False
        if held.several:
            # Of a Safe and its owner the address says which of them is in use.
            return held.safe == "usable"
        default = (await state.get_state(EmbedState))._options.default_account_types.eip155
    told: AccountInUse | None = None
    with suppress(WalletModalError):
        ask = wallet_asker(state, chain, seconds=FRAME_SECONDS)
        told = read_account_in_use(await ask(ACCOUNT_TYPE_METHOD, [{"default": default}]))
    async with state:
        held = await account(state, "eip155")
        if told is None or held.connector != AUTH_ID:
            return False
        held._use_kind(told.type)
    return told.type == "smartAccount" and told.status != "unsupported"


async def on_told(state: rx.State, reply: Reply, context: dict[str, Any]) -> Followups:
    """Handles what the frame says of the account; what it was asked before counts no more."""
    own = await state.get_state(AccountTypeState)
    if own._question not in ("", reply.id):
        return []
    own._question = ""
    own._put(busy=False)
    held = await own._owned()
    if held is None or _about(held) != context["about"]:
        return []
    told = read_account_in_use(reply.value)
    if told is not None and told.safe not in ("", smart_account_address("safe", _key(held))):
        told = None
    own._put(failed=told is None)
    if told is None:
        if context["chosen"]:
            (await state.get_state(ToastState))._show(SOMETHING_WRONG, "error")
        return []
    network = f"eip155:{held._chain}"
    if not told.safe:
        held._use_kind(told.type)
    usable = not told.safe or network in deployment().smart_accounts.bundler_networks
    own._put(kind=told.type, status=told.status if usable else "unsupported")
    own._put(foreign=truncate(told.foreign) if told.foreign else "")
    if context["chosen"]:
        await (await state.get_state(BridgeState))._publish(
            events.set_preferred_account_type(account_type=told.type, network=network)
        )
    return []


async def on_ended(state: rx.State, reply: Reply, _context: dict[str, Any]) -> Followups:
    """Handles the reply to the question whether the smart account is to end."""
    toasts = await state.get_state(ToastState)
    if reply.error is None:
        toasts._show(ENDING)
    elif reply.error.code != REJECTED:
        toasts._show(recalled_refusal(reply.error.message) or SOMETHING_WRONG, "error")
    return [AccountTypeState.load]


async def reset_account_type(state: rx.State) -> None:
    """Clears what the page before was asking, and which owner of a Safe signs there."""
    (await get_substate(state, Eip155State))._signing = NOT_SIGNING
    own = await get_substate(state, AccountTypeState)
    own._about = own._question = ""
    own._put(status="", foreign="", busy=False, failed=False, known={})
    own._keys = {}

"""The form in which a name is chosen, and the way from there to a registered name.

The wallet signs who wants the name, and the service registers it for whom it finds to have signed: nobody gets a name for an account
that is not theirs by what a browser says.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final, Literal

import reflex as rx

from walletmodal.config import settings
from walletmodal.core.accounts.names import bare_label, check_account_name, full_name, registration_message
from walletmodal.core.analytics import events
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.rules import AccountNameError
from walletmodal.core.language import _
from walletmodal.core.text.display_text import typed_text
from walletmodal.core.text.texts import NAME_REGISTERED
from walletmodal.core.wallets.connectors import WALLET_CONNECT_ID
from walletmodal.deployment import deployment
from walletmodal.features.account.holdings import Holder
from walletmodal.features.account.state import account
from walletmodal.features.account.wallet_requests import wallet_request
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.names.registration import NOT_HERE, Availability, SignatureRequest, look_up, owner, register
from walletmodal.features.process import PROCESS
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.toasts.state import ToastState

CHOOSE, VIEW, SUCCESS = "ChooseAccountName", "RegisterAccountName", "RegisterAccountNameSuccess"
SIGNED: Final = "names.signed"
MAX_TYPED: Final = 256
TYPING_SECONDS: Final = 0.5
"""So long after the last letter the name is looked up."""
MOST_AHEAD: Final = 7
"""A message counts for 10 seconds before and after its time, and is compared when it arrives. It is dated ahead by the time that a wallet
takes, but not by so much that one which is quick, or a clock that goes wrong by 3 seconds, makes it come too early."""

NOT_SIGNED: Final = _("Your wallet has not signed. Open it, then register again.")
CANCELLED: Final = "User cancelled"
MOVED_ON: Final = _("Your account or network has changed. Nothing was registered: choose the name again.")


class NamesState(AssigningMixin, rx.State):
    """What was typed, whether it can be had, and how far its registration is.

    Attributes:
        zone: what stands behind the name, without the dot.
        typed: as it was typed; `filled` counts how often the server has filled the field in.
        label: what was looked up: the name without its zone, in lower case.
        check: what is known of it.
        suggestions: labels that are free, where it is not.
        phase: signing while the wallet is waited for, registering while the service is.
        note: what is wrong.
        done: the name that was registered.
    """

    zone: str = ""
    typed: str = ""
    filled: int = 0
    label: str = ""
    check: Literal["", "checking", "available", "registered", "failed"] = ""
    suggestions: list[str] = []
    phase: Literal["idle", "signing", "registering"] = "idle"
    note: str = ""
    done: str = ""

    _lookup: int = 0
    # The account (CAIP-10) that all of it is about, "" for none; None: the form has not been shown yet.
    _of: str | None = None
    # What the wallet is asked to sign, the command that asks it, what it has signed, and who registers that.
    _asked: SignatureRequest | None = None
    _command: str = ""
    _signature: str = ""
    _registrar: str = ""
    # For how many seconds the wallet signed the last time.
    _took: float = 0.0

    async def _sync(self) -> Followups:
        """Syncs with account, network and wallet, and starts what is due."""
        shell, bridge = await self.get_state(ShellState), await self.get_state(BridgeState)
        asked: SignatureRequest | None = self._asked
        if asked is None and shell.view != VIEW:
            return []
        whose = await owner(self)
        of = "" if whose is None else whose.caip_address
        if not of and not bridge._settled:
            # The wallet of a page that has just loaded may still answer.
            return []
        if asked is not None and asked.about != of:
            await self._give_up(MOVED_ON)
            self._put(note=MOVED_ON)
            if shell.view != VIEW and await shell._is_visible():
                (await self.get_state(ToastState))._show(MOVED_ON, "error")
        elif self.phase == "signing" and not bridge._is_pending(self._command):
            await self._give_up(NOT_SIGNED)
        elif self.phase == "registering" and self._registrar != PROCESS:
            return [NamesState.submit]
        if shell.view != VIEW or self._of == of:
            return []
        self._of = of
        # Of another account nothing is true that was said before, but that one.
        self._put(zone=settings().name_zone, note=MOVED_ON if self.note == MOVED_ON else "")
        return [NamesState.look]

    async def _cancel(self) -> None:
        """Cancels what the wallet may still be asked."""
        command, self._command, self._signature, self._registrar = self._command, "", "", ""
        self._asked = None
        self._put(phase="idle")
        if command:
            await (await self.get_state(BridgeState))._cancel_command(command)

    async def _give_up(self, error: str) -> None:
        """Cancels a registration, and tells the host why."""
        asked: SignatureRequest | None = self._asked
        await self._cancel()
        if asked is not None:
            smart = (await account(self, "eip155")).kind == "smartAccount"
            await (await self.get_state(BridgeState))._publish(
                events.register_name_error(is_smart_account=smart, ens_name=asked.name, error=error)
            )

    def _clear(self) -> None:
        """Clears the form."""
        self._lookup += 1
        if self.typed:
            self.filled += 1
        self._put(typed="", label="", check="", suggestions=[], note="")

    def _set_typed(self, text: str) -> Followups:
        """Sets what was typed; it is looked up in a moment."""
        self._lookup += 1
        self._put(typed=text, label="", check="", suggestions=[], note="")
        return [NamesState.look_soon] if text.strip() else []

    async def _ask_wallet(self, whose: Holder) -> None:
        """Asks the wallet to sign for the name, in a message that counts for a few seconds."""
        held, now = await account(self, whose.chain.namespace), deployment().clock.now()
        name = full_name(self.label, settings().name_zone)
        expected = self._took or (MOST_AHEAD if held.connector == WALLET_CONNECT_ID else 0)
        message = registration_message(name, now + timedelta(seconds=min(expected, MOST_AHEAD)))
        self._asked, self._command = SignatureRequest(whose.caip_address, name, message, now.timestamp()), new_id()
        self._put(phase="signing", note="")
        bridge = await self.get_state(BridgeState)
        await bridge._publish(
            events.register_name_initiated(is_smart_account=held.kind == "smartAccount", ens_name=name)
        )
        await bridge._issue(
            "wallet.request",
            wallet_request(
                held, "personal_sign", [f"0x{message.encode().hex()}", held.address], chain=str(whose.chain)
            ),
            then=SIGNED,
            command_id=self._command,
        )

    async def _on_failed(self, note: str, *, told: str = "", toast: str = "") -> Followups:
        """Shows why the name is not registered, and looks it up again.

        Args:
            note: for the visitor, in the form.
            told: for the host; the note where it is "".
            toast: shown for a moment; the note where it is "".
        """
        shell = await self.get_state(ShellState)
        await self._give_up(told or note)
        self._put(note=note)
        if await shell._is_visible():
            (await self.get_state(ToastState))._show(toast or note, "error")
        await shell._save_record()
        return [NamesState.look]

    async def _on_registered(self, asked: SignatureRequest) -> None:
        """Has the account called by its new name, and leads on."""
        shell, held = await self.get_state(ShellState), await account(self, "eip155")
        await self._cancel()
        await (await self.get_state(BridgeState))._publish(
            events.register_name_success(is_smart_account=held.kind == "smartAccount", ens_name=asked.name)
        )
        held._put(profile_name=asked.name, nameless=False)
        self._clear()
        self._put(done=asked.name)
        if shell.view in (VIEW, CHOOSE):
            shell._reset("Account")
            shell._push(SUCCESS)
        elif await shell._is_visible():
            (await self.get_state(ToastState))._show(NAME_REGISTERED)
        await shell._save_record()

    @rx.event
    async def open_form(self) -> None:
        """Opens the form: the Choose name button."""
        shell, whose = await self.get_state(ShellState), await owner(self)
        if whose is None:
            return
        smart = (await account(self, whose.chain.namespace)).kind == "smartAccount"
        await (await self.get_state(BridgeState))._publish(events.open_ens_flow(is_smart_account=smart))
        self._put(zone=settings().name_zone)
        shell._push(VIEW)
        await shell._save_record()

    @rx.event
    async def on_shown(self) -> Followups:
        """Prepares the form that is shown; before the host is known, its first snapshot does the same."""
        if not (await self.get_state(EmbedState))._ready:
            return []
        self._of = None
        self._put(zone=settings().name_zone)
        return await self._sync()

    @rx.event
    def type_name(self, text: str) -> Followups:
        """Sets the name that was typed."""
        if not isinstance(text, str) or self.phase != "idle":
            return []
        return self._set_typed(typed_text(text, limit=MAX_TYPED))

    @rx.event
    def choose(self, label: str) -> Followups:
        """Fills in a suggestion."""
        if self.phase != "idle" or label not in self.get_value("suggestions"):
            return []
        self._set_typed(label)
        self.filled += 1
        return [NamesState.look]

    @rx.event
    def retry(self) -> Followups:
        """Looks the name up again: the Try again button."""
        self._put(note="")
        return [NamesState.look]

    @rx.event(background=True)
    async def look_soon(self) -> Followups:
        """Looks the name up once nothing more is typed."""
        async with self:
            # Of several of these events the last one asks.
            self._lookup += 1
            lookup = self._lookup
        await deployment().clock.sleep(TYPING_SECONDS)
        async with self:
            return [NamesState.look] if self._lookup == lookup else []

    @rx.event(background=True)
    async def look(self) -> None:
        """Looks up whether the account can have the name."""
        async with self:
            self._lookup += 1
            lookup, whose, note = self._lookup, await owner(self), self.note
            zone = settings().name_zone
            label = bare_label(self.typed.strip(), zone)
            if self.phase != "idle":
                return
            self._put(label="", check="", suggestions=[])
            if whose is None:
                self._put(note=NOT_HERE)
                return
            if not label:
                return
            try:
                self._put(label=check_account_name(label), check="checking")
            except AccountNameError as error:
                self._put(note=error.short_message)
                return
            name = full_name(label, zone)
        try:
            found, failure = await look_up(whose, name), ""
        except WalletModalError as error:
            found, failure = Availability(""), error.short_message
        async with self:
            if self._lookup != lookup:
                return
            self._put(
                check="failed" if failure else found.check,
                suggestions=list(found.suggestions),
                note=failure or found.note or note,
            )
            await (await self.get_state(ShellState))._save_record()

    @rx.event
    async def register(self, label: str) -> None:
        """Asks the wallet to sign for the name: the name's row, the button, or Enter. `label`: the one that is shown."""
        shell, whose = await self.get_state(ShellState), await owner(self)
        if shell.view != VIEW or whose is None or self.phase != "idle":
            return
        if self.check != "available" or label != self.label or whose.caip_address != self._of:
            return
        await self._ask_wallet(whose)

    @rx.event(background=True)
    async def submit(self) -> Followups:
        """Has the name registered that the wallet has signed for."""
        async with self:
            asked, signature, took, whose = self._asked, self._signature, self._took, await owner(self)
            if asked is None or not signature or self._registrar == PROCESS:
                return []
            if whose is None or whose.caip_address != asked.about:
                return await self._sync()
            self._registrar = PROCESS
        failure = ""
        try:
            await register(whose, asked, signature, took)
        except WalletModalError as error:
            failure = error.short_message
        async with self:
            if self._asked != asked:
                # The visitor has gone on to another account; what was registered is the first one's.
                return []
            if failure:
                return await self._on_failed(failure)
            await self._on_registered(asked)
            return []

    @rx.event
    async def cancel(self) -> None:
        """Gives up waiting for the wallet: the Cancel link."""
        if self.phase == "signing":
            await self._give_up(CANCELLED)
            await (await self.get_state(ShellState))._save_record()

    @rx.event
    async def finish(self) -> None:
        """Shows the account: the Let's Go! button."""
        shell = await self.get_state(ShellState)
        if shell.view == SUCCESS:
            shell._reset("Account")
            await shell._save_record()

"""The flow: the visitor is asked, then the wallet, then the signature is verified.

Nobody is signed in by what a browser says: `_session` names a row that the database gave, or that a verified signature made.
"""

from __future__ import annotations

import hmac
from typing import Any, Final, NamedTuple

import reflex as rx

from walletmodal.core.analytics import events
from walletmodal.core.chains.caip import AccountId, parse_account_id
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.flow import SignInNotEnabledError
from walletmodal.core.errors.rpc import UserRejectedRequestError
from walletmodal.core.errors.sign_in import ProofOfFundsError, SignInRefusedError, SignInUnavailableError
from walletmodal.core.protocol.options import SignIn
from walletmodal.core.sign_in.session import SignInSession
from walletmodal.core.text.texts import AUTHENTICATION_PROBLEM, NO_SMART_ACCOUNT_SUPPORT, SIGNATURE_DECLINED
from walletmodal.core.wallets.connectors import AUTH_ID, WALLET_CONNECT_ID
from walletmodal.deployment import deployment
from walletmodal.features.account.active import active_namespace
from walletmodal.features.account.disconnecting import disconnect
from walletmodal.features.account.state import account
from walletmodal.features.account.wallet_requests import wallet_request
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups, run_all, wiring
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.process import PROCESS
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin.session_lookup import SessionLookupMixin, find_confirmed_session
from walletmodal.features.signin.wallet_requests import Signed, Way, preferred_way, sign_request
from walletmodal.features.toasts.state import ToastState
from walletmodal.features.wallets.state import WalletsState
from walletmodal.services.metrics import counted_failure
from walletmodal.services.sign_in import SignInTerms

VIEW: Final = "SIWXSignMessage"
VIEWS: Final = (VIEW, "ConnectingSiwe")
"""Two names of one view; hosts know the older one too."""
SIGNED: Final = "signin.signed"
PROVING: Final = "proving"
"""In the place of a pairing's command, while what its wallet signed is verified."""


class Unproven(NamedTuple):
    """An unverified answer of a wallet: for which account (CAIP-10) and which message."""

    about: str
    nonce: str
    signed: Signed


class SignInState(SessionLookupMixin, rx.State):
    """The sign-in flow.

    Attributes:
        phase: idle, or signing while the wallet and then the proof is waited for.
        app_name, app_icon, wallet_icon: who wants it and who signs, while it is asked for.
    """

    phase: str = "idle"
    app_name: str = ""
    app_icon: str = ""
    wallet_icon: str = ""

    # The account (CAIP-10) that the wallet is asked about, and the command that asks it.
    _about: str = ""
    _command: str = ""
    _unproven: Unproven | None = None
    _prover: str = ""
    # What comes after connecting waits until it is known whether the account is signed in.
    _leads_on: bool = False
    # The connection is being ended, because nobody can say who is signed in.
    _disconnect_notice: bool = False
    # The command of a pairing whose wallet may sign while it connects (`features.pairing.signing`).
    _pairing: str = ""
    # The host's `signIn` calls that wait for the visitor.
    _calls: tuple[str, ...] = ()
    # The page whose console was told that it has no sign-ins.
    _explained: str = ""

    async def _sync(self) -> Followups:
        """Syncs with host, account, network and browser, and starts what is due."""
        options, about = await self._options(), await self._account()
        self._put(enabled=options is not None, required=options is not None and options.required)
        due = await self._answer_waiting()
        return [*await self._sync_account(options, about), *([SignInState.check_session(due)] if due else [])]

    async def _sync_account(self, options: SignIn | None, about: AccountId | None) -> Followups:
        if options is None or about is None:
            await self._reset(options)
            return []
        if self._about not in ("", str(about)):
            await self._cancel_signing()
        self._ask_browser()
        if await self._is_pairing_pending(about):
            return []
        if self._unproven is not None:
            return [] if self._prover == PROCESS else [SignInState.prove]
        if self.phase != "idle" and not (await self.get_state(BridgeState))._is_pending(self._command):
            self._put(phase="idle")
        return [SignInState.check_session] if self._holder and self._checked_account != str(about) else []

    async def _is_pairing_pending(self, about: AccountId) -> bool:
        """Whether a pairing may still bring the account's sign-in: nobody is asked for it meanwhile."""
        bridge, held = await self.get_state(BridgeState), await account(self, about.namespace)
        waits = self._pairing == PROVING or bridge._is_pending(self._pairing)
        return waits and held.connector == WALLET_CONNECT_ID

    async def _reset(self, options: SignIn | None) -> None:
        """Clears the sign-in where there is no account, or the host wants none."""
        shell = await self.get_state(ShellState)
        await self._cancel_signing()
        if self._checked_account or self._leads_on:
            self._checked_account, self._session, self._leads_on = "", "", False
        shell._set_sign_in_missing(missing=False)
        if options is None and shell.view in VIEWS and await shell._is_visible():
            await shell._close()
        held = await account(self, await active_namespace(self))
        if self._disconnect_notice and held.status != "connected":
            # The modal closes with the account; what happened is still to be read.
            self._disconnect_notice = False
            await shell._open("Connect")
            (await self.get_state(ToastState))._show(AUTHENTICATION_PROBLEM, "error")

    async def _cancel_signing(self) -> None:
        """Cancels what the wallet may still be asked."""
        if not self._about:
            return
        command, self._about, self._command = self._command, "", ""
        self._unproven, self._prover = None, ""
        self._put(phase="idle")
        if command:
            await (await self.get_state(BridgeState))._cancel_command(command)

    async def _ask_visitor(self, *, above: bool = False) -> None:
        """Shows the view in a new history, behind a request that waits; opens the modal. `above`: with a way back, unless it is required."""
        shell, embed = await self.get_state(ShellState), await self.get_state(EmbedState)
        held = await account(self, await active_namespace(self))
        wallets = (await self.get_state(WalletsState))._wallets
        self._leads_on = self._disconnect_notice = False
        self._put(
            app_name=embed._host_name or embed._origin.partition("://")[2],
            app_icon=embed._host_icon,
            wallet_icon=next((wallet.icon for wallet in wallets if wallet.id == held.connector), ""),
        )
        shell._set_sign_in_missing(missing=self.required)
        if above and not self.required:
            shell._push(VIEW)
        elif shell.view not in VIEWS or not await shell._is_visible():
            waits = shell._after_connect
            await shell._open_behind_request(VIEW)
            shell._after_connect = waits
        await shell._save_record()

    async def _begin(self, about: AccountId, options: SignIn) -> None:
        """Asks the visitor, or has the embedded wallet do so at once: its own card is the whole question."""
        await self._ask_visitor()
        if (await account(self, about.namespace)).connector == AUTH_ID:
            try:
                await self._ask_wallet(about, options)
            except WalletModalError as error:
                await self._on_failed(error.short_message)

    async def _on_signed_in(self, session: SignInSession) -> None:
        """Answers those who wait, and gets the modal out of the way."""
        shell = await self.get_state(ShellState)
        await self._cancel_signing()
        self._session, self._disconnect_notice = session.id, False
        shell._set_sign_in_missing(missing=False)
        calls, self._calls = self._calls, ()
        for call in calls:
            await self._settle_token(call, session)
        leads_on, self._leads_on = self._leads_on, False
        if not leads_on and shell.view in VIEWS and shell.depth > 1:
            await shell._pop_views(*VIEWS)
        elif leads_on or (shell.view in VIEWS and await shell._is_visible()):
            await shell._on_connected()
        await shell._save_record()

    async def _on_failed(self, message: str) -> None:
        """Shows the view again, with why there is no signature that counts."""
        await self._cancel_signing()
        held = await account(self, await active_namespace(self))
        await (await self.get_state(BridgeState))._publish(events.siwx_auth_error(**await self._event_properties()))
        if message == SIGNATURE_DECLINED and held.kind == "smartAccount":
            message = NO_SMART_ACCOUNT_SUPPORT
        await self._ask_visitor()
        (await self.get_state(ToastState))._show(message, "error")

    async def _disconnect_unverified(self) -> Followups:
        """Ends the connection when nobody can say who is signed in, and tells the visitor."""
        shell, about = await self.get_state(ShellState), await self._account()
        await (await self.get_state(BridgeState))._publish(events.siwx_auth_error(**await self._event_properties()))
        await self._cancel_signing()
        await self._reject_calls(SignInUnavailableError())
        await self._reject_waiting(SignInUnavailableError())
        self._checked_account, self._session, self._leads_on = str(about or ""), "", False
        shell._set_sign_in_missing(missing=False)
        shell._reset("Connect")
        (await self.get_state(ToastState))._show(AUTHENTICATION_PROBLEM, "error")
        self._disconnect_notice = about is not None
        return await disconnect(self, about.namespace) if about is not None else []

    async def _reject_calls(self, error: WalletModalError | None = None) -> None:
        """Rejects the host's `signIn` calls; without an error the visitor did not want it."""
        bridge, calls, error = await self.get_state(BridgeState), self._calls, error or UserRejectedRequestError()
        self._calls = ()
        for call in calls:
            await bridge._settle(call, code=error.code, message=error.short_message)

    async def _event_properties(self) -> dict[str, Any]:
        """Returns properties of the events."""
        held = await account(self, await active_namespace(self))
        return {"network": f"{held.namespace}:{held._chain}", "is_smart_account": held.kind == "smartAccount"}

    async def _ask_wallet(self, about: AccountId, options: SignIn, way: Way | None = None) -> None:
        """Asks the wallet to sign a message that is made for this one attempt.

        Raises:
            WalletModalError: there is no message, or it could not be kept.
        """
        embed, held = await self.get_state(EmbedState), await account(self, about.namespace)
        terms = SignInTerms(
            account=about,
            origin=embed._origin,
            page=embed._url,
            statement=options.statement or None,
            request_id=options.nonce or None,
        )
        message = await deployment().proofs.propose(self._holder, terms)
        chosen = way or preferred_way(message, held.connector)
        method, params = sign_request(message, chosen)
        self._about, self._command = str(about), new_id()
        self._put(phase="signing")
        await (await self.get_state(BridgeState))._issue(
            "wallet.request",
            wallet_request(held, method, params, chain=str(about.chain)),
            then=SIGNED,
            command_id=self._command,
            nonce=message.nonce,
            way=chosen,
        )

    @rx.event
    async def redeem(self, payload: dict[str, Any]) -> Followups:
        """Redeems the browser's ticket, which the cookie's route has given it; "" for none."""
        asked, ticket = (payload.get("asked"), payload.get("ticket")) if isinstance(payload, dict) else ("", "")
        if not isinstance(asked, str) or not self.identify:
            return []
        if not hmac.compare_digest(asked.encode("utf-8", "surrogatepass"), self.identify.encode()):
            return []
        self.identify = ""
        try:
            holder = await deployment().tickets.redeem(ticket)
        except SignInUnavailableError:
            holder = None
        if holder:
            self._holder = holder
            return await self._sync()
        await self._reject_waiting(SignInUnavailableError())
        wanted = await self._options() is not None and await self._account() is not None
        return await self._disconnect_unverified() if wanted else []

    @rx.event(background=True)
    async def check_session(self, again: str = "") -> Any:
        """Checks whether the account in use is signed in, and asks for it where it is not.

        Args:
            again: the account (CAIP-10) that is looked up though it was before; "" for none.
        """
        async with self:
            about, options, holder, origin = (
                await self._account(),
                await self._options(),
                self._holder,
                await self._origin(),
            )
        if about is None or options is None or not holder:
            return
        found: SignInSession | None = None
        known = True
        try:
            found = await find_confirmed_session(holder, origin, about, options.nonce)
        except SignInUnavailableError:
            known = False
        async with self:
            same = (self._holder, await self._account(), await self._origin()) == (holder, about, origin)
            if not same or self._checked_account == str(about) != again:
                return
            ends: Followups = []
            if not known:
                ends = await self._disconnect_unverified()
            else:
                # Who has signed out meanwhile, and waits for nothing, is not asked.
                asks = self._checked_account != str(about) or bool(self._session or self._calls)
                self._checked_account, self._session = str(about), ""
                if found is not None:
                    await self._on_signed_in(found)
                elif asks:
                    await self._begin(about, options)
                due = await self._answer_waiting()
                ends = [
                    *([SignInState.check_session(due)] if due else []),
                    *await run_all(wiring().on_sign_in_change, self),
                ]
        for event in ends:
            yield event

    @rx.event
    async def sign(self) -> Followups:
        """Asks the wallet to sign: the Sign button."""
        shell, options, about = await self.get_state(ShellState), await self._options(), await self._account()
        if shell.view not in VIEWS or self.phase != "idle":
            return []
        if options is None or about is None or not self._holder:
            (await self.get_state(ToastState))._show(SignInNotEnabledError.text, "error")
            return []
        await (await self.get_state(BridgeState))._publish(
            events.click_sign_siwx_message(**await self._event_properties())
        )
        try:
            found = await self._find_session(about)
            if found is not None and deployment().rechecks.is_due(found):
                return [SignInState.check_session(str(about))]
            if found is not None:
                # Signed in meanwhile, in another tab of this browser.
                self._checked_account = str(about)
                await self._on_signed_in(found)
            else:
                await self._ask_wallet(about, options)
        except WalletModalError as error:
            await self._on_failed(error.short_message)
        return await run_all(wiring().on_sign_in_change, self)

    @rx.event(background=True)
    async def prove(self) -> Any:
        """Verifies what the wallet answered; only that puts a sign-in on record."""
        async with self:
            unproven, holder, origin = self._unproven, self._holder, await self._origin()
            if unproven is None or self._prover == PROCESS or not holder:
                return
            self._prover = PROCESS
        session, message = None, ""
        try:
            await deployment().signature_checks.take(holder)
            with counted_failure():
                proven = await deployment().proofs.prove(
                    holder,
                    unproven.nonce,
                    unproven.signed.signature,
                    account=parse_account_id(unproven.about),
                    origin=origin,
                    text=unproven.signed.text,
                )
                session = await deployment().sign_ins.add(proven, holder)
        except ProofOfFundsError as error:
            message = error.short_message
        except SignInRefusedError:
            message = SIGNATURE_DECLINED
        except WalletModalError as error:
            message = error.short_message
        async with self:
            if (self._unproven, self._holder, await self._origin()) != (unproven, holder, origin):
                # The visitor has gone on to another account or page; what was proven is on record.
                return
            if session is None:
                await self._on_failed(message)
                return
            await (await self.get_state(BridgeState))._publish(
                events.siwx_auth_success(**await self._event_properties())
            )
            self._checked_account = unproven.about
            await self._on_signed_in(session)
            followups = await run_all(wiring().on_sign_in_change, self)
        for event in followups:
            yield event

    @rx.event
    async def cancel(self) -> Followups:
        """Cancels the sign-in, and disconnects where it is required: the Cancel button."""
        shell, about = await self.get_state(ShellState), await self._account()
        if shell.view not in VIEWS:
            return []
        await (await self.get_state(BridgeState))._publish(events.click_cancel_siwx(**await self._event_properties()))
        await self._cancel_signing()
        if self.required and about is not None:
            return await disconnect(self, about.namespace)
        await (shell._pop_views(*VIEWS) if shell.depth > 1 else shell._close())
        return []


async def signed_in(state: rx.State) -> bool:
    """Whether the account in use was signed in at the last check; a host's token is made of what the database says then."""
    signin = await state.get_state(SignInState)
    return bool(signin._session) and signin._checked_account == str(await signin._account() or "")

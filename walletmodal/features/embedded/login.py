"""The steps of a login by email or passkey, and of the opening of the wallet that follows, and what they have to remember."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final, Literal, TypedDict, get_args

import reflex as rx

from walletmodal.config import SecureProtocol
from walletmodal.core.analytics import events
from walletmodal.core.constants import EMAIL_LOGIN_COOLDOWN
from walletmodal.core.errors.rules import EmailCooldownError, PayloadError
from walletmodal.core.protocol.commands import EmbeddedParams
from walletmodal.core.protocol.options import Social
from walletmodal.core.text.texts import EMAIL_INVALID, SOMETHING_WRONG
from walletmodal.core.wallets.account_type import AccountType
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.core.wallets.email_login import check_email, check_email_cooldown
from walletmodal.core.wallets.embedded import (
    EMBEDDED_NAME,
    EMBEDDED_NAMESPACES,
    EMBEDDED_TIMEOUT_MS,
    NOT_LOADED,
    RECOVERY_NEEDED,
    FrameError,
    MailSent,
    read_frame_error,
)
from walletmodal.deployment import deployment
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.connecting.state import lead_on
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.embedded.passkeys import PasskeysState
from walletmodal.features.embedded.question import QuestionMixin
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import AlertState, ToastState

CODE_VIEW: Final = "EmailVerifyOtp"
DEVICE_VIEW: Final = "EmailVerifyDevice"
RECOVERY_VIEW: Final = "RecoverWallet"
PASSKEY_LOGIN_VIEW: Final = "ConnectingPasskey"
EMAIL_VIEWS: Final = frozenset({CODE_VIEW, DEVICE_VIEW, RECOVERY_VIEW, PASSKEY_LOGIN_VIEW})
CODE_SECONDS: Final = 20 * 60
"""How long a code or a link counts."""
INVALID: Final = "Invalid email"
OVER: Final = "attempt"
"""The secure site's word for a login of which it, or this browser, has nothing (any more)."""

Way = Literal["email", "passkey"] | Social
Phase = Literal["idle", "connecting", "failed", "looking", "none", "recovering"]


class SecureConfig(TypedDict):
    """What the browser is told of the secure site.

    Its page, what the host is called, the network of each namespace that it serves, how it is spoken to, the project id that a site of
    AppKit's asks for, else "", and which kind of account the host prefers.
    """

    url: str
    name: str
    chains: dict[str, str]
    protocol: SecureProtocol
    project: str
    accountType: AccountType


class Person(TypedDict):
    """Who is logged in: by `email`, `passkey` or a provider; `label`: a name at the provider, or the address; `email`: the address, or ""."""

    login: str
    label: str
    email: str


class LoginMixin(QuestionMixin, rx.State, mixin=True):
    """What a login has to remember, and its steps; nobody outside calls them.

    Attributes:
        secure: the secure site, None until it is known; with an empty `url` there is none.
        complete: whether the site has passkeys, devices, recovery, export and deletion; one that knows AppKit's messages alone has not.
        offered: whether Connect offers a login by email.
        email: where the last mail went; words: what it shows too; sent: which mail it is; wait: seconds until another may be asked for.
        phase: idle, connecting (the code was right, and the accounts are asked for), failed (they did not come), looking (for ways to
            the wallet), none (there is no way to it here), recovering.
        error: what was wrong with the address, the code or the recovery.
        ways: how the wallet can be opened on this device, the best way first.
        hold: a sentence on transfers that wait after a code; deletion: on one that was asked for. "" for nothing.
        person: who is connected, or empty.
        confirming: a view holds the frame for requests that wait in it; once none does, the browser takes them back.
        framed: ApproveTransaction is the frame's, unless a request of another wallet waits there; it stays so while the view leaves.
        hints: what the site's policy and our reading of the request warn of.
    """

    secure: SecureConfig | None = None
    complete: bool = True
    offered: bool = False
    email: str = ""
    words: str = ""
    sent: str = ""
    wait: int = EMAIL_LOGIN_COOLDOWN
    phase: Phase = "idle"
    error: str = ""
    ways: list[str] = []
    hold: str = ""
    deletion: str = ""
    person: Person | dict[str, str] = {}
    confirming: bool = False
    framed: bool = False
    hints: list[str] = []

    # Ids of the commands that ApproveTransaction was shown for.
    _shown: tuple[str, ...] = ()
    _command: str = ""
    # What the login is with.
    _way: Way = "email"
    # When the last mail was asked for, in Unix time.
    _mailed: float = 0.0
    # The view in which that mail is waited for, and the host page from which it was asked for.
    _awaits: str = ""
    _awaits_on: str = ""

    def _clear(self) -> None:
        """Clears what was begun; sessions that come of it still count."""
        self._put(question={}, phase="idle", error="")
        self._command = ""

    async def _submit(self, typed: object) -> None:
        """Asks for a mail to an address."""
        if self.get_value("question") or not self.offered:
            return
        try:
            email = check_email(typed)
            last = datetime.fromtimestamp(self._mailed, UTC) if self._mailed else None
            check_email_cooldown(last, deployment().clock.now())
        except PayloadError:
            self._put(error=EMAIL_INVALID)
            return
        except EmailCooldownError as error:
            (await self.get_state(ToastState))._show(error.short_message, "error")
            return
        self._put(error="")
        self._way = "email"
        self._ask("CONNECT_EMAIL", {"email": email})

    async def _show_failure(self, failure: FrameError) -> None:
        """Shows what the frame could not do; a frame that did not come is the developer's to look at."""
        if failure.message == NOT_LOADED:
            await (await self.get_state(AlertState))._raise("SOCIALS_TIMEOUT")
            (await self.get_state(ToastState))._show(SOMETHING_WRONG, "error")
        else:
            (await self.get_state(ToastState))._show(failure.message, "error")

    async def _give_up_mail(self, failure: FrameError) -> None:
        """Leads back to the address: of the mail before nothing can come any more."""
        (await self.get_state(ToastState))._show(failure.message, "error")
        self._awaits = ""
        await (await self.get_state(ShellState))._return_to("Connect")

    async def _on_mail(self, mail: MailSent) -> None:
        """Takes over a mail that was sent, and leads to what the visitor does next."""
        self._mailed = deployment().clock.now().timestamp()
        self._put(words=mail.words, sent=new_id(), wait=mail.wait, error="")
        bridge, shell = await self.get_state(BridgeState), await self.get_state(ShellState)
        self._awaits_on = (await self.get_state(EmbedState))._origin
        self._awaits = {"CONNECT": "", "VERIFY_DEVICE": DEVICE_VIEW, "VERIFY_OTP": CODE_VIEW}[mail.step]
        if mail.step == "CONNECT":
            await self._connect()
        elif mail.step == "VERIFY_DEVICE":
            shell._push(DEVICE_VIEW)
            self._ask("CONNECT_DEVICE")
        else:
            await bridge._publish(events.email_verification_code_sent())
            shell._push(CODE_VIEW)

    async def _on_login_asked(self, asked: dict[str, Any], mail: MailSent) -> None:
        self._put(email=asked["email"])
        await (await self.get_state(BridgeState))._publish(events.email_submitted())
        await self._on_mail(mail)

    async def _on_code_accepted(self, *, told: bool) -> None:
        """Goes on after a right code. `told`: the browser has told the accounts by itself; where another wallet kept a namespace, it is asked."""
        secure, held = self.get_value("secure"), (await self.get_state(BridgeState))._connections.by_connector(AUTH_ID)
        if told and secure and held.keys() >= secure["chains"].keys():
            self._awaits = ""
            await (await self.get_state(PasskeysState))._ask_offer()
            await self._succeed()
        else:
            await self._connect()

    async def _connect(self) -> None:
        """Asks the browser for the accounts of who has logged in."""
        bridge = await self.get_state(BridgeState)
        await bridge._cancel_command(self._command)
        self._command, self._awaits = new_id(), ""
        self._put(phase="connecting", error="")
        if self._way != "passkey":
            await (await self.get_state(PasskeysState))._ask_offer()
        await bridge._issue(
            "wallet.connect",
            dict(EmbeddedParams(namespace="", connector=AUTH_ID, timeout=EMBEDDED_TIMEOUT_MS)),
            then="embedded.connected",
            command_id=self._command,
        )

    async def _succeed(self) -> None:
        """Leads on with the accounts: in the active namespace where there is one."""
        bridge, networks = await self.get_state(BridgeState), await self.get_state(NetworksState)
        self._clear()
        held = bridge._connections.by_connector(AUTH_ID)
        active = networks.active.partition(":")[0]
        if provider := self._provider():
            await bridge._publish(events.social_login_success(provider=provider))
        await bridge._publish(events.connect_success(method=self._way, name=provider or EMBEDDED_NAME))
        await lead_on(self, next(ns for ns in (active, *EMBEDDED_NAMESPACES, *held) if ns in held))

    def _provider(self) -> Social | None:
        """Returns the provider that the login is with."""
        return next((one for one in get_args(Social) if one == self._way), None)

    async def _fail(self, message: str, *, by_site: bool = False) -> None:
        """Shows that the accounts did not come; `by_site`: `message` is the browser's or the secure site's.

        A site of AppKit's has no views for it here, so the visitor reads what it says.
        """
        self._command = ""
        shell = await self.get_state(ShellState)
        if message == RECOVERY_NEEDED:
            self._put(phase="idle", error="")
            if await shell._is_visible():
                shell._replace(RECOVERY_VIEW)
                self._look()
            return
        says = by_site and not self.complete and message != NOT_LOADED
        self._put(phase="failed", error=read_frame_error({"message": message}).message if says else SOMETHING_WRONG)
        bridge = await self.get_state(BridgeState)
        await bridge._publish(events.connect_error(message=message))
        if provider := self._provider():
            await bridge._publish(events.social_login_error(provider=provider))
        if message == NOT_LOADED:
            await (await self.get_state(AlertState))._raise("SOCIALS_TIMEOUT")

    def _look(self) -> None:
        """Asks the frame how the wallet can be opened here."""
        self._put(phase="looking", ways=[], hold="", deletion="", error="")
        self._ask("RECOVERY_WAYS")

    async def _shows(self, *views: str) -> bool:
        shell = await self.get_state(ShellState)
        return shell.view in views and await shell._is_visible()

    async def _begin_passkey(self) -> None:
        secure = self.get_value("secure")
        asks = self.get_value("question").get("type") == "CONNECT_PASSKEY"
        if not (secure and secure["url"] and self.complete) or asks or self.phase == "connecting":
            return
        self._put(phase="idle", error="")
        self._way = "passkey"
        self._ask("CONNECT_PASSKEY")
        (await self.get_state(ShellState))._push(PASSKEY_LOGIN_VIEW)

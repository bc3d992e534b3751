"""Login by email: address, code, another device, and the accounts that follow."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any, Final, Literal, TypedDict, get_args

import reflex as rx

from walletmodal.config import SecureProtocol
from walletmodal.core.analytics import events
from walletmodal.core.constants import EMAIL_LOGIN_COOLDOWN
from walletmodal.core.errors.codes import REJECTED
from walletmodal.core.errors.rules import EmailCooldownError, PayloadError
from walletmodal.core.protocol.commands import EmbeddedParams
from walletmodal.core.protocol.options import Social
from walletmodal.core.text.texts import CODE_RESENT, EMAIL_INVALID, SOMETHING_WRONG
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
    read_mail_sent,
)
from walletmodal.core.wallets.recovery_ways import read_recovery_ways
from walletmodal.deployment import deployment
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.connecting.state import lead_on
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.embedded.passkeys import PasskeysState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.toasts.state import AlertState, ToastState
from walletmodal.services.metrics import count_ignored

CODE_VIEW: Final = "EmailVerifyOtp"
DEVICE_VIEW: Final = "EmailVerifyDevice"
RECOVERY_VIEW: Final = "RecoverWallet"
PASSKEY_LOGIN_VIEW: Final = "ConnectingPasskey"
EMAIL_VIEWS: Final = frozenset({CODE_VIEW, DEVICE_VIEW, RECOVERY_VIEW, PASSKEY_LOGIN_VIEW})
CODE_SECONDS: Final = 20 * 60
"""How long a code or a link counts."""
INVALID: Final = "Invalid email"

Way = Literal["email", "passkey"] | Social
Phase = Literal["idle", "connecting", "failed", "looking", "none", "recovering"]


class SecureConfig(TypedDict):
    """What the browser is told of the secure site.

    Its page, what the host is called, the network of each namespace that it serves, how it is spoken to, and the project id that a site of
    AppKit's asks for, else "".
    """

    url: str
    name: str
    chains: dict[str, str]
    protocol: SecureProtocol
    project: str


class Person(TypedDict):
    """Who is logged in: by `email`, `passkey` or a provider; `label`: a name at the provider, or the address; `email`: the address, or ""."""

    login: str
    label: str
    email: str


class EmbeddedState(AssigningMixin, rx.State):
    """Login by email, and the wallet behind it.

    Attributes:
        secure: the secure site, None until it is known; with an empty `url` there is none.
        complete: whether the site has passkeys, devices, recovery, export and deletion; one that knows AppKit's messages alone has not.
        offered: whether Connect offers a login by email.
        email: where the last mail went; words: what it shows too; sent: which mail it is; wait: seconds until another may be asked for.
        question: what the secure site's frame is asked: `{id, type, payload}`, empty for nothing. Its answer names the id.
        phase: idle, connecting (the code was right, and the accounts are asked for), failed (they did not come), looking (for ways to
            the wallet), none (there is no way to it here), recovering.
        error: what was wrong with the address, the code or the recovery.
        ways: how the wallet can be opened on this device, the best way first.
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
    question: dict[str, Any] = {}
    phase: Phase = "idle"
    error: str = ""
    ways: list[str] = []
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

    def _ask(self, kind: str, payload: dict[str, Any] | None = None) -> None:
        """Asks the frame; an answer to what it was asked before is not heard any more."""
        self.question = {"id": new_id(), "type": kind, "payload": payload or {}}

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
        self._put(phase="looking", ways=[], error="")
        self._ask("RECOVERY_WAYS")

    async def _shows(self, *views: str) -> bool:
        shell = await self.get_state(ShellState)
        return shell.view in views and await shell._is_visible()

    @rx.event
    async def on_focused(self) -> None:
        """Publishes that the visitor turns to the address field."""
        if self.offered:
            await (await self.get_state(BridgeState))._publish(events.email_login_selected())

    @rx.event
    async def submit(self, email: str) -> None:
        """Asks for a mail: the button of the address field."""
        if (await self.get_state(EmbedState)).ready:
            await self._submit(email)
            await (await self.get_state(ShellState))._save_record()
        elif isinstance(email, str):
            await (await self.get_state(BridgeState))._queue_early("embedded.submit", email)

    @rx.event
    async def on_answer(self, payload: dict[str, Any]) -> None:
        """Goes on with what the secure site's frame has answered."""
        asked = dict(self.get_value("question"))
        fields = payload if isinstance(payload, dict) else {}
        if not asked or fields.get("id") != asked["id"]:
            count_ignored("answer_not_awaited")
            return
        self.question = {}
        if fields.get("ok") is True:
            await _ANSWERED[asked["type"]](self, asked["payload"], fields.get("value"))
        else:
            await _FAILED[asked["type"]](self, read_frame_error(fields.get("error")))
        await (await self.get_state(ShellState))._save_record()

    @rx.event
    async def on_code(self, payload: dict[str, Any]) -> None:
        """Goes on once the frame has looked at the code, which it alone was given."""
        if not await self._shows(CODE_VIEW) or self.phase != "idle" or not self.email or not isinstance(payload, dict):
            count_ignored("answer_not_awaited")
            return
        bridge = await self.get_state(BridgeState)
        if payload.get("ok") is True:
            await bridge._publish(events.email_verification_code_pass())
            # A login at a provider may have been begun, and have failed, since the mail was sent.
            self._way = "email"
            await self._connect()
        else:
            failure = read_frame_error(payload)
            await bridge._publish(events.email_verification_code_fail(message=failure.message))
            self._put(error=f"{failure.message.rstrip('.')}. Try Again")
        await (await self.get_state(ShellState))._save_record()

    @rx.event
    async def resend(self) -> None:
        """Asks for another mail."""
        waits = self.get_value("question").get("type") not in (None, "CONNECT_DEVICE")
        if waits or not self.email or not await self._shows(CODE_VIEW, DEVICE_VIEW):
            return
        try:
            check_email_cooldown(datetime.fromtimestamp(self._mailed, UTC), deployment().clock.now())
        except EmailCooldownError as error:
            (await self.get_state(ToastState))._show(error.short_message, "error")
            return
        self._ask("RESEND_CODE", {"email": self.email})

    @rx.event
    async def retry(self) -> None:
        """Asks once more for the accounts, or for the ways to the wallet, whatever could not be had."""
        if self.phase == "failed":
            await self._connect()
        elif await self._shows(RECOVERY_VIEW) and self.phase == "idle" and not self.get_value("ways"):
            self._look()

    @rx.event
    async def recover(self, way: str) -> None:
        """Begins the recovery: the frame asks for the passkey, or mails a code and takes it.

        Args:
            way: `passkey`, `password` or `code`.
        """
        if await self._shows(RECOVERY_VIEW) and self.phase in ("idle", "failed") and way in self.get_value("ways"):
            self._put(phase="recovering", error="")
            self._ask("RECOVERY", {"way": way})

    @rx.event
    async def begin_passkey(self) -> None:
        """Has the frame ask for a passkey to log in with: the button in Connect, and another try."""
        embed, shell = await self.get_state(EmbedState), await self.get_state(ShellState)
        if not embed.ready:
            await (await self.get_state(BridgeState))._queue_early("embedded.passkey", None)
            return
        await self._begin_passkey()
        await shell._save_record()

    async def _begin_passkey(self) -> None:
        secure = self.get_value("secure")
        asks = self.get_value("question").get("type") == "CONNECT_PASSKEY"
        if not (secure and secure["url"] and self.complete) or asks or self.phase == "connecting":
            return
        self._put(phase="idle", error="")
        self._way = "passkey"
        self._ask("CONNECT_PASSKEY")
        (await self.get_state(ShellState))._push(PASSKEY_LOGIN_VIEW)

    @rx.event
    async def find_ways(self) -> None:
        """Asks how the wallet can be opened here, where it is not known."""
        if await self._shows(RECOVERY_VIEW) and self.phase == "idle" and not (self.get_value("ways") or self.error):
            self._look()


async def _on_login_answer(state: EmbeddedState, asked: dict[str, Any], value: object) -> None:
    mail = read_mail_sent(value)
    if mail is None:
        (await state.get_state(ToastState))._show(SOMETHING_WRONG, "error")
    else:
        await state._on_login_asked(asked, mail)


async def _on_login_failure(state: EmbeddedState, failure: FrameError) -> None:
    if failure.reason == "invalid_email" or INVALID in failure.message:
        state._put(error=EMAIL_INVALID)
    else:
        await state._show_failure(failure)


async def _on_resend_answer(state: EmbeddedState, _asked: dict[str, Any], value: object) -> None:
    mail = read_mail_sent(value)
    if mail is None:
        (await state.get_state(ToastState))._show(SOMETHING_WRONG, "error")
        return
    (await state.get_state(ToastState))._show(CODE_RESENT)
    await state._on_mail(mail)


async def _on_resend_failure(state: EmbeddedState, failure: FrameError) -> None:
    await state._show_failure(failure)
    if await state._shows(DEVICE_VIEW):
        # The mail before may still be answered.
        state._ask("CONNECT_DEVICE")


async def _on_device_answer(state: EmbeddedState, _asked: dict[str, Any], _value: object) -> None:
    bridge = await state.get_state(BridgeState)
    await bridge._publish(events.device_registered_for_email())
    await bridge._publish(events.email_verification_code_sent())
    state._awaits = CODE_VIEW
    if await state._shows(DEVICE_VIEW):
        (await state.get_state(ShellState))._replace(CODE_VIEW)


async def _on_device_failure(state: EmbeddedState, failure: FrameError) -> None:
    await state._show_failure(failure)
    if await state._shows(DEVICE_VIEW):
        await (await state.get_state(ShellState))._back()


async def _on_passkey_failure(state: EmbeddedState, failure: FrameError) -> None:
    shell = await state.get_state(ShellState)
    if failure.code != REJECTED:
        state._put(error=failure.message)
    elif await state._shows(PASSKEY_LOGIN_VIEW):
        await shell._back()


async def _on_opened(state: EmbeddedState, _asked: dict[str, Any], _value: object) -> None:
    await state._connect()


async def _on_ways_answer(state: EmbeddedState, _asked: dict[str, Any], value: object) -> None:
    found = read_recovery_ways(value)
    if found is None:
        state._put(phase="idle", error=SOMETHING_WRONG)
    else:
        state._put(phase="idle" if found.ways else "none", ways=list(found.ways))


async def _on_ways_failure(state: EmbeddedState, failure: FrameError) -> None:
    state._put(phase="idle", error=failure.message)


async def _on_recovery_failure(state: EmbeddedState, failure: FrameError) -> None:
    state._put(phase="idle", error="" if failure.code == REJECTED else failure.message)


_ANSWERED: Final[dict[str, Callable[[EmbeddedState, dict[str, Any], object], Awaitable[None]]]] = {
    "CONNECT_EMAIL": _on_login_answer,
    "RESEND_CODE": _on_resend_answer,
    "CONNECT_DEVICE": _on_device_answer,
    "RECOVERY": _on_opened,
    "RECOVERY_WAYS": _on_ways_answer,
    "CONNECT_PASSKEY": _on_opened,
}
_FAILED: Final[dict[str, Callable[[EmbeddedState, FrameError], Awaitable[None]]]] = {
    "CONNECT_EMAIL": _on_login_failure,
    "RESEND_CODE": _on_resend_failure,
    "CONNECT_DEVICE": _on_device_failure,
    "RECOVERY": _on_recovery_failure,
    "RECOVERY_WAYS": _on_ways_failure,
    "CONNECT_PASSKEY": _on_passkey_failure,
}
"""By the question: what an answer to it leads to."""

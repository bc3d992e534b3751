"""Login by email or passkey, and the opening of the wallet: what the browser may ask for."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import reflex as rx

from walletmodal.core.analytics import events
from walletmodal.core.errors.rules import EmailCooldownError
from walletmodal.core.wallets.email_login import check_email_cooldown
from walletmodal.core.wallets.embedded import read_frame_error
from walletmodal.deployment import deployment
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.embedded.answers import ANSWERED, FAILED
from walletmodal.features.embedded.login import CODE_VIEW, DEVICE_VIEW, OVER, RECOVERY_VIEW, LoginMixin
from walletmodal.features.embedded.question import refused_code
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState
from walletmodal.services.metrics import count_ignored


class EmbeddedState(LoginMixin, rx.State):
    """Login by email, and the wallet behind it; its variables are those of `LoginMixin`."""

    @rx.event
    async def on_focused(self) -> None:
        """Publishes that the visitor turns to the address field."""
        if self.offered:
            await (await self.get_state(BridgeState))._publish(events.email_login_selected())

    @rx.event
    async def submit(self, email: str) -> None:
        """Asks for a mail: the button of the address field."""
        if (await self.get_state(EmbedState))._ready:
            await self._submit(email)
            await (await self.get_state(ShellState))._save_record()
        elif isinstance(email, str):
            await (await self.get_state(BridgeState))._queue_early("embedded.submit", email)

    @rx.event
    async def on_answer(self, payload: dict[str, Any]) -> None:
        """Goes on with what the secure site's frame has answered."""
        answer = self._take_answer(payload)
        if answer is None:
            return
        if answer.ok:
            await ANSWERED[answer.kind](self, answer.asked, answer.value)
        else:
            await FAILED[answer.kind](self, answer.failure)
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
            await self._on_code_accepted(told=payload.get("told") is True)
        else:
            failure = read_frame_error(payload)
            await bridge._publish(events.email_verification_code_fail(message=failure.message))
            if failure.reason == OVER:
                await self._give_up_mail(failure)
            else:
                self._put(error=refused_code(failure))
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
        """Begins the recovery: the frame asks for the passkey or the password, opens the window, or mails a code and takes it.

        Args:
            way: `passkey`, `window`, `password` or `code`.
        """
        if await self._shows(RECOVERY_VIEW) and self.phase in ("idle", "failed") and way in self.get_value("ways"):
            self._put(phase="recovering", error="")
            self._ask("RECOVERY", {"way": way, "site": (await self.get_state(EmbedState))._origin})

    @rx.event
    async def begin_passkey(self) -> None:
        """Has the frame ask for a passkey to log in with: the button in Connect, and another try."""
        embed, shell = await self.get_state(EmbedState), await self.get_state(ShellState)
        if not embed._ready:
            await (await self.get_state(BridgeState))._queue_early("embedded.passkey", None)
            return
        await self._begin_passkey()
        await shell._save_record()

    @rx.event
    async def find_ways(self) -> None:
        """Asks how the wallet can be opened here, where it is not known."""
        if await self._shows(RECOVERY_VIEW) and self.phase == "idle" and not (self.get_value("ways") or self.error):
            self._look()

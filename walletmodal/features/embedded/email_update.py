"""Another email address for the embedded wallet: the address, the code of the present one, and the code of the new one."""

from __future__ import annotations

from typing import Any, Final, TypedDict

import reflex as rx

from walletmodal.core.analytics import events
from walletmodal.core.constants import EMAIL_LOGIN_COOLDOWN
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.language import _
from walletmodal.core.text.texts import EMAIL_INVALID, SOMETHING_WRONG
from walletmodal.core.wallets.email_login import check_email
from walletmodal.core.wallets.embedded import UPDATE_STEPS, read_frame_error, read_mail_sent, read_words
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embedded.question import QuestionMixin, refused_code
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState
from walletmodal.services.metrics import count_ignored

EDIT_VIEW: Final = "UpdateEmailWallet"
CODE_VIEWS: Final = {"VERIFY_PRIMARY_OTP": "UpdateEmailPrimaryOtp", "VERIFY_SECONDARY_OTP": "UpdateEmailSecondaryOtp"}
EMAIL_UPDATED: Final = _("Email address changed")


class UpdateMail(TypedDict):
    """A mail of a change: `to` which address, the `words` that it shows too, which mail it is, and seconds until another may be asked for."""

    to: str
    words: str
    sent: str
    wait: int


class EmailUpdateState(QuestionMixin, rx.State):
    """A change of the email address.

    Attributes:
        mail: the latest mail, empty without one.
        error: what was wrong with the address or the code.
    """

    mail: UpdateMail | dict[str, Any] = {}
    error: str = ""

    # The address to change to.
    _new: str = ""

    def _sent(self, to: str, words: str, wait: int = EMAIL_LOGIN_COOLDOWN) -> None:
        self._put(mail={"to": to, "words": words, "sent": new_id(), "wait": wait}, error="")

    def _clear(self) -> None:
        """Clears what was begun."""
        self._put(mail={}, question={}, error="")
        self._new = ""

    @rx.event
    async def save(self, email: str) -> None:
        """Asks the frame to change the address: the Save button. The frame has the visitor approve it."""
        shell, held = await self.get_state(ShellState), (await self.get_state(EmbeddedState)).get_value("person")
        if self.get_value("question") or not await shell._shows(EDIT_VIEW) or not held.get("email"):
            return
        try:
            self._new = check_email(email)
        except PayloadError:
            self._put(error=EMAIL_INVALID)
            return
        if self._new == held["email"]:
            return
        self._put(error="")
        self._ask("UPDATE_EMAIL", {"email": self._new})
        await shell._save_record()

    @rx.event
    async def on_answer(self, payload: dict[str, Any]) -> None:
        """Goes on with what the secure site's frame has answered."""
        answer = self._take_answer(payload)
        if answer is None:
            return
        shell = await self.get_state(ShellState)
        if answer.ok:
            await self._on_sent(shell, answer.value)
        elif answer.failure.reason == "invalid_email":
            self._put(error=EMAIL_INVALID)
        elif answer.error:
            (await self.get_state(ToastState))._show(answer.error, "error")
        await shell._save_record()

    async def _on_sent(self, shell: ShellState, value: object) -> None:
        mail = read_mail_sent(value, UPDATE_STEPS)
        if mail is None:
            (await self.get_state(ToastState))._show(SOMETHING_WRONG, "error")
            return
        await (await self.get_state(BridgeState))._publish(events.email_edit())
        person = (await self.get_state(EmbeddedState)).get_value("person")
        self._sent(self._new if mail.step == "VERIFY_SECONDARY_OTP" else person.get("email", ""), mail.words, mail.wait)
        if await shell._shows(EDIT_VIEW):
            shell._push(CODE_VIEWS[mail.step])

    async def _passes(self, step: str, payload: object) -> bool:
        """Whether the frame has accepted the code of a step, which its view shows; says what was wrong otherwise."""
        shell = await self.get_state(ShellState)
        if not await shell._shows(CODE_VIEWS[step]) or not self.get_value("mail") or not isinstance(payload, dict):
            count_ignored("answer_not_awaited")
            return False
        bridge = await self.get_state(BridgeState)
        if payload.get("ok") is True:
            await bridge._publish(events.email_verification_code_pass())
            return True
        failure = read_frame_error(payload)
        await bridge._publish(events.email_verification_code_fail(message=failure.message))
        self._put(error=refused_code(failure))
        return False

    @rx.event
    async def on_primary(self, payload: dict[str, Any]) -> None:
        """Goes on once the frame has looked at the code of the present address."""
        if await self._passes("VERIFY_PRIMARY_OTP", payload):
            self._sent(self._new, read_words(payload.get("words")))
            (await self.get_state(ShellState))._replace(CODE_VIEWS["VERIFY_SECONDARY_OTP"])
        await (await self.get_state(ShellState))._save_record()

    @rx.event
    async def on_secondary(self, payload: dict[str, Any]) -> None:
        """Goes on once the frame has looked at the code of the new address, which the account has from then on."""
        shell = await self.get_state(ShellState)
        if await self._passes("VERIFY_SECONDARY_OTP", payload):
            self._clear()
            (await self.get_state(ToastState))._show(EMAIL_UPDATED)
            shell._reset("Account")
        await shell._save_record()

    @rx.event
    async def begin_again(self) -> None:
        """Goes back to the address: the link below the codes."""
        shell = await self.get_state(ShellState)
        if shell.view in CODE_VIEWS.values() and await shell._is_visible():
            self._clear()
            await shell._return_to(EDIT_VIEW)
        await shell._save_record()


async def clear_email_update(state: rx.State) -> None:
    """Clears a change for another page, and when the modal closes."""
    (await state.get_state(EmailUpdateState))._clear()

"""What the answers of the secure site's frame lead to in a login."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from walletmodal.core.analytics import events
from walletmodal.core.errors.codes import REJECTED
from walletmodal.core.text.texts import CODE_RESENT, EMAIL_INVALID, SOMETHING_WRONG
from walletmodal.core.wallets.embedded import FrameError, read_mail_sent
from walletmodal.core.wallets.recovery_ways import deletion_words, hold_words, read_recovery_ways
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embedded.login import CODE_VIEW, DEVICE_VIEW, INVALID, OVER, PASSKEY_LOGIN_VIEW, LoginMixin
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState


async def _on_login_answer(state: LoginMixin, asked: dict[str, Any], value: object) -> None:
    mail = read_mail_sent(value)
    if mail is None:
        (await state.get_state(ToastState))._show(SOMETHING_WRONG, "error")
    else:
        await state._on_login_asked(asked, mail)


async def _on_login_failure(state: LoginMixin, failure: FrameError) -> None:
    if failure.reason == "invalid_email" or INVALID in failure.message:
        state._put(error=EMAIL_INVALID)
    else:
        await state._show_failure(failure)


async def _on_resend_answer(state: LoginMixin, _asked: dict[str, Any], value: object) -> None:
    mail = read_mail_sent(value)
    if mail is None:
        (await state.get_state(ToastState))._show(SOMETHING_WRONG, "error")
        return
    (await state.get_state(ToastState))._show(CODE_RESENT)
    await state._on_mail(mail)


async def _on_resend_failure(state: LoginMixin, failure: FrameError) -> None:
    if failure.reason == OVER:
        await state._give_up_mail(failure)
        return
    await state._show_failure(failure)
    if await state._shows(DEVICE_VIEW):
        # The mail before may still be answered.
        state._ask("CONNECT_DEVICE")


async def _on_device_answer(state: LoginMixin, _asked: dict[str, Any], _value: object) -> None:
    bridge = await state.get_state(BridgeState)
    await bridge._publish(events.device_registered_for_email())
    await bridge._publish(events.email_verification_code_sent())
    state._awaits = CODE_VIEW
    if await state._shows(DEVICE_VIEW):
        (await state.get_state(ShellState))._replace(CODE_VIEW)


async def _on_device_failure(state: LoginMixin, failure: FrameError) -> None:
    if failure.reason == OVER and await state._shows(DEVICE_VIEW):
        await state._give_up_mail(failure)
        return
    await state._show_failure(failure)
    if await state._shows(DEVICE_VIEW):
        await (await state.get_state(ShellState))._back()


async def _on_passkey_failure(state: LoginMixin, failure: FrameError) -> None:
    shell = await state.get_state(ShellState)
    if failure.code != REJECTED:
        state._put(error=failure.message)
    elif await state._shows(PASSKEY_LOGIN_VIEW):
        await shell._back()


async def _on_opened(state: LoginMixin, _asked: dict[str, Any], _value: object) -> None:
    await state._connect()


async def _on_ways_answer(state: LoginMixin, _asked: dict[str, Any], value: object) -> None:
    found = read_recovery_ways(value)
    if found is None:
        state._put(phase="idle", error=SOMETHING_WRONG)
    else:
        state._put(phase="idle" if found.ways else "none", ways=list(found.ways))
        state._put(hold=hold_words(found), deletion=deletion_words(found))


async def _on_ways_failure(state: LoginMixin, failure: FrameError) -> None:
    state._put(phase="idle", error=failure.message)


async def _on_recovery_failure(state: LoginMixin, failure: FrameError) -> None:
    state._put(phase="idle", error="" if failure.code == REJECTED else failure.message)


ANSWERED: Final[dict[str, Callable[[LoginMixin, dict[str, Any], object], Awaitable[None]]]] = {
    "CONNECT_EMAIL": _on_login_answer,
    "RESEND_CODE": _on_resend_answer,
    "CONNECT_DEVICE": _on_device_answer,
    "RECOVERY": _on_opened,
    "RECOVERY_WAYS": _on_ways_answer,
    "CONNECT_PASSKEY": _on_opened,
}
FAILED: Final[dict[str, Callable[[LoginMixin, FrameError], Awaitable[None]]]] = {
    "CONNECT_EMAIL": _on_login_failure,
    "RESEND_CODE": _on_resend_failure,
    "CONNECT_DEVICE": _on_device_failure,
    "RECOVERY": _on_recovery_failure,
    "RECOVERY_WAYS": _on_ways_failure,
    "CONNECT_PASSKEY": _on_passkey_failure,
}
"""By the question: what an answer to it leads to."""

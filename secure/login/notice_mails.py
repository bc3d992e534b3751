"""The mails that tell of something that has happened."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from walletmodal.core.language import _, ngettext, pgettext
from walletmodal.secure.errors import spell_moment
from walletmodal.secure.login.letters import Letter, Link, Part
from walletmodal.secure.login.mails import Sender

NoticeKind = Literal[
    "new_device",
    "device_removed",
    "passkey_added",
    "passkey_removed",
    "recovery_used",
    "recovery_moved",
    "address_changed",
    "address_restored",
    "password_set",
    "password_removed",
    "password_used",
    "password_failed",
    "escrow_on",
    "escrow_off",
    "exported",
    "hold_lifted",
    "deletion_requested",
    "deletion_near",
    "deletion_stopped",
    "account_deleted",
]


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that its owner is told of.

    Attributes:
        kind: what has happened.
        detail: browser and site, or "".
        at: when, the last time, in ms.
        times: how often.
        undo: URL of the link that undoes it, or "".
    """

    kind: NoticeKind
    detail: str
    at: int
    times: int = 1
    undo: str = ""


NOTICES: Final[dict[NoticeKind, tuple[str, str]]] = {
    "new_device": (
        _("A new device can use your wallet"),
        _("A device was added to your wallet. If that was you, there is nothing to do."),
    ),
    "device_removed": (
        _("A device was removed from your wallet"),
        _("It can use your wallet no longer. If that was you, there is nothing to do."),
    ),
    "passkey_added": (
        _("A passkey was added to your wallet"),
        _("With it your wallet can be opened on any device. If that was you, there is nothing to do."),
    ),
    "passkey_removed": (
        _("A passkey of your wallet was removed"),
        _("It opens your wallet no longer. If that was you, there is nothing to do."),
    ),
    "recovery_used": (
        _("Your wallet was recovered"),
        _(
            "Your wallet was recovered with a code that we sent to this address. If that was you, there is nothing to do."
        ),
    ),
    "recovery_moved": (
        _("Codes that recover your wallet go to another address"),
        _(
            "Codes with which a new device gets your wallet go to another address from now on. If that was you, there is nothing to do."
        ),
    ),
    "address_changed": (
        _("The address of your wallet was changed"),
        _(
            "From now on another address logs in to your wallet, and this one no longer does. If that was you, there is nothing to do."
        ),
    ),
    "address_restored": (
        _("The address of your wallet was changed back"),
        _(
            "A link in a mail to the former address has changed it back: that address logs in again. The wallet is frozen for a day, and every device has to log in anew. Nothing is lost."
        ),
    ),
    "password_set": (
        _("A recovery password of your wallet was set"),
        _("With it, and a login, your wallet can be opened on a new device. If that was you, there is nothing to do."),
    ),
    "password_removed": (
        _("The recovery password of your wallet was removed"),
        _("It opens your wallet no longer. If that was you, there is nothing to do."),
    ),
    "password_used": (
        _("Your wallet was opened with its recovery password"),
        _("A new device has opened your wallet with the recovery password. If that was you, there is nothing to do."),
    ),
    "password_failed": (
        _("Somebody tries recovery passwords of your wallet"),
        _("Too many wrong passwords were entered by somebody who is logged in to your account. None counts for a day."),
    ),
    "exported": (
        _("The keys of your wallet were shown"),
        _(
            "The recovery phrase and the keys of your wallet were exported. Whoever has them can use the wallet anywhere. If that was you, keep them where nobody else finds them."
        ),
    ),
    "escrow_on": (
        _("Your wallet can be recovered with a code"),
        _(
            "From now on a new device gets your wallet with a code that is sent to this address. If that was you, there is nothing to do."
        ),
    ),
    "escrow_off": (
        _("Your wallet can no longer be recovered with a code"),
        _(
            "From now on only your devices, your passkeys and your recovery password open your wallet. Nobody else can, we neither."
        ),
    ),
    "hold_lifted": (
        _("A device can move what is in your wallet"),
        _(
            "A device that got your wallet by a code from a mail need not wait any longer: it can move all that is in your wallet. If that was you, there is nothing to do."
        ),
    ),
    "deletion_requested": (
        _("Your wallet will be deleted"),
        _(
            "Somebody who has no device with your wallet, and reads the mail of this address, has asked to delete the wallet and the account. That cannot be undone afterwards. Until then the link below keeps them; so does using the wallet on any device that has it."
        ),
    ),
    "deletion_near": (
        _("Your wallet will be deleted tomorrow"),
        _(
            "Your wallet and your account are about to be deleted, as was asked for on a device without the wallet. The link below keeps them; so does using the wallet on any device that has it."
        ),
    ),
    "deletion_stopped": (
        _("Your wallet is not deleted"),
        _(
            "The deletion of your wallet was stopped: by the link in our mail, or because the wallet was used. Nothing has changed."
        ),
    ),
    "account_deleted": (
        _("Your wallet and your account were deleted"),
        _(
            "Nothing of them is left here, and they cannot be brought back. Whoever has the recovery phrase can still use the wallet elsewhere. A new login with this address gets a new wallet."
        ),
    ),
}
_KEEP: Final = pgettext("button", "Keep my wallet")
_UNDO: Final[dict[NoticeKind, str]] = {"deletion_requested": _KEEP, "deletion_near": _KEEP}
"""Labels of the links of notices that lead to `/keep`."""
_GONE: Final = _("If it was not you, tell the people who run the site.")
_NOT_YOU: Final = _(
    "If it was not you, log in, remove devices and passkeys that you do not know, and tell the people who run the site."
)


def notice_mail(name: str, to: str, one: Happening) -> Letter:
    """A mail that tells of something that has happened."""
    notice, text = NOTICES[one.kind]
    return Letter(
        to,
        # Translators: subject of a mail: what has happened, and on which site
        _("{notice}: {site}", notice=notice, site=name),
        [
            text,
            _("When: {moment}", moment=spell_moment(one.at)),
            _("By: {detail}", detail=one.detail) if one.detail else "",
            _undo(one) or (_GONE if one.kind == "account_deleted" else _NOT_YOU),
        ],
    )


def gathered_mail(name: str, to: str, several: Sequence[Happening]) -> Letter:
    """A mail that tells of much that has happened, in its order."""
    parts: list[Part] = [_("So much has happened to your wallet lately that we tell of it in one mail.")]
    for one in several:
        parts += [_line(one), _undo(one)]
    count = sum(one.times for one in several)
    subject = ngettext(
        "{count} change to your wallet: {site}", "{count} changes to your wallet: {site}", count, site=name
    )
    return Letter(to, subject, [*parts, _NOT_YOU])


def _line(one: Happening) -> str:
    notice, moment, detail = NOTICES[one.kind][0], spell_moment(one.at), one.detail
    if one.times == 1:
        # Translators: what has happened to a wallet, how often, when, and by whom: A passkey was added: once, 5 March 2026, by Firefox
        return (
            _("{notice}: once, {moment}, by {detail}", notice=notice, moment=moment, detail=detail)
            if detail
            else _("{notice}: once, {moment}", notice=notice, moment=moment)
        )
    if detail:
        return ngettext(
            "{notice}: {count} time, last {moment}, by {detail}",
            "{notice}: {count} times, last {moment}, by {detail}",
            one.times,
            notice=notice,
            moment=moment,
            detail=detail,
        )
    return ngettext(
        "{notice}: {count} time, last {moment}",
        "{notice}: {count} times, last {moment}",
        one.times,
        notice=notice,
        moment=moment,
    )


def _undo(one: Happening) -> "Part":
    label = _UNDO.get(one.kind) or _("It was not me: change the address back, and freeze the account for a day")
    return Link(label, one.undo) if one.undo else ""


def undo_url(sender: Sender, kind: NoticeKind, token: str) -> str:
    """URL of the link that undoes what a notice tells of; "" without a token."""
    page = "keep" if kind in _UNDO else "not-me"
    return f"{sender.origin}/{page}/{token}" if token else ""

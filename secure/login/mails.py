"""The mails, as plain text and as HTML: the code first in the subject, no picture, nothing that tells who has opened them."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, Literal

from walletmodal.secure.errors import spell_moment
from walletmodal.secure.login.smtp import Mail

NEVER_ASKED: Final = "We never ask for this code by phone or chat. Whoever asks you for it is not us."

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
class Sender:
    """Who mails come from.

    Attributes:
        name: MAIL_NAME.
        origin: of the site that the links lead to.
        host: its host.
    """

    name: str
    origin: str
    host: str


@dataclass(frozen=True, slots=True)
class Occasion:
    """What a code is asked for with.

    Attributes:
        to: address.
        words: the two words.
        asked_by: browser and site.
        refusal: token of the link "it was not me".
    """

    to: str
    words: str
    asked_by: str
    refusal: str


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
        "A new device can use your wallet",
        "A device was added to your wallet. If that was you, there is nothing to do.",
    ),
    "device_removed": (
        "A device was removed from your wallet",
        "It can use your wallet no longer. If that was you, there is nothing to do.",
    ),
    "passkey_added": (
        "A passkey was added to your wallet",
        "With it your wallet can be opened on any device. If that was you, there is nothing to do.",
    ),
    "passkey_removed": (
        "A passkey of your wallet was removed",
        "It opens your wallet no longer. If that was you, there is nothing to do.",
    ),
    "recovery_used": (
        "Your wallet was recovered",
        "Your wallet was recovered with a code that we sent to this address. If that was you, there is nothing to do.",
    ),
    "recovery_moved": (
        "Codes that recover your wallet go to another address",
        "Codes with which a new device gets your wallet go to another address from now on. If that was you, there is nothing to do.",
    ),
    "address_changed": (
        "The address of your wallet was changed",
        "From now on another address logs in to your wallet, and this one no longer does. If that was you, there is nothing to do.",
    ),
    "address_restored": (
        "The address of your wallet was changed back",
        "A link in a mail to the former address has changed it back: that address logs in again. The wallet is frozen for a day, and every device has to log in anew. Nothing is lost.",
    ),
    "password_set": (
        "A recovery password of your wallet was set",
        "With it, and a login, your wallet can be opened on a new device. If that was you, there is nothing to do.",
    ),
    "password_removed": (
        "The recovery password of your wallet was removed",
        "It opens your wallet no longer. If that was you, there is nothing to do.",
    ),
    "password_used": (
        "Your wallet was opened with its recovery password",
        "A new device has opened your wallet with the recovery password. If that was you, there is nothing to do.",
    ),
    "password_failed": (
        "Somebody tries recovery passwords of your wallet",
        "Too many wrong passwords were entered by somebody who is logged in to your account. None counts for a day.",
    ),
    "exported": (
        "The keys of your wallet were shown",
        "The recovery phrase and the keys of your wallet were exported. Whoever has them can use the wallet anywhere. If that was you, keep them where nobody else finds them.",
    ),
    "escrow_on": (
        "Your wallet can be recovered with a code",
        "From now on a new device gets your wallet with a code that is sent to this address. If that was you, there is nothing to do.",
    ),
    "escrow_off": (
        "Your wallet can no longer be recovered with a code",
        "From now on only your devices, your passkeys and your recovery password open your wallet. Nobody else can, we neither.",
    ),
    "hold_lifted": (
        "A device can move what is in your wallet",
        "A device that got your wallet by a code from a mail need not wait any longer: it can move all that is in your wallet. If that was you, there is nothing to do.",
    ),
    "deletion_requested": (
        "Your wallet will be deleted",
        "Somebody who has no device with your wallet, and reads the mail of this address, has asked to delete the wallet and the account. That cannot be undone afterwards. Until then the link below keeps them; so does using the wallet on any device that has it.",
    ),
    "deletion_near": (
        "Your wallet will be deleted tomorrow",
        "Your wallet and your account are about to be deleted, as was asked for on a device without the wallet. The link below keeps them; so does using the wallet on any device that has it.",
    ),
    "deletion_stopped": (
        "Your wallet is not deleted",
        "The deletion of your wallet was stopped: by the link in our mail, or because the wallet was used. Nothing has changed.",
    ),
    "account_deleted": (
        "Your wallet and your account were deleted",
        "Nothing of them is left here, and they cannot be brought back. Whoever has the recovery phrase can still use the wallet elsewhere. A new login with this address gets a new wallet.",
    ),
}
_UNDO: Final[dict[NoticeKind, str]] = {"deletion_requested": "Keep my wallet", "deletion_near": "Keep my wallet"}
"""Labels of the links of notices that lead to `/keep`."""
_GONE: Final = "If it was not you, tell the people who run the site."
_NOT_YOU: Final = (
    "If it was not you, log in, remove devices and passkeys that you do not know, and tell the people who run the site."
)


def code_mail(sender: Sender, occasion: Occasion, code: str) -> Mail:
    """The mail with a code for a login."""
    return _mail(
        occasion.to,
        f"{code} is your code for {sender.name}",
        [
            f"Your code for {sender.name}:",
            _Big(code),
            *_where(sender, occasion),
            "It is valid for 20 minutes.",
            NEVER_ASKED,
        ],
        _refusal(sender, occasion),
    )


def move_mail(sender: Sender, occasion: Occasion, code: str, to: str) -> Mail:
    """The mail with a code for a change of address: to the present one, which is told `to`, or with "" to the new one.

    A page that asks for the code of a login may want this one: it must not look like it.
    """
    subject = f"your account at {sender.name} to another" if to else f"an account at {sender.name} to this"
    what = f"your account from this address to {to}" if to else f"an account at {sender.name} to this address"
    return _mail(
        occasion.to,
        f"{code} moves {subject} address",
        [
            f"This code moves {what}. It logs nobody in.",
            _Big(code),
            *_where(sender, occasion),
            "It is valid for 20 minutes. If you are not changing an address right now, enter it nowhere.",
            NEVER_ASKED,
        ],
        _refusal(sender, occasion),
    )


def move_approval_mail(sender: Sender, occasion: Occasion, token: str, to: str) -> Mail:
    """The mail to the present address with a link by which a change to the address `to` is approved; the code is on the page behind it."""
    return _mail(
        occasion.to,
        f"Approve another address for your account at {sender.name}",
        [
            f"Somebody wants to move your account from this address to {to}.",
            _Link("Look at this change", f"{sender.origin}/move/{token}"),
            f"Site: {sender.host}",
            f"Asked for by: {occasion.asked_by}",
            "The page shows a code for the window in which you have begun. The link is valid for 20 minutes. If you are not changing your address right now, do not use it.",
            "We never ask for this link by phone or chat. Whoever asks you for it is not us.",
        ],
        _refusal(sender, occasion),
    )


def proof_mail(sender: Sender, occasion: Occasion, code: str, allows: str) -> Mail:
    """The mail with a code that proves who asks for something; `allows`: what it does, as in "changes …"."""
    return _mail(
        occasion.to,
        f"{code} confirms a change at {sender.name}",
        [
            f"This code {allows}. It logs nobody in.",
            _Big(code),
            *_where(sender, occasion),
            "It is valid for 10 minutes. Enter it in the window of the wallet alone, and nowhere if you have not asked for it.",
            NEVER_ASKED,
        ],
        _refusal(sender, occasion),
    )


def approval_mail(sender: Sender, occasion: Occasion, token: str) -> Mail:
    """The mail with a link by which a device is approved; the code follows."""
    link = f"{sender.origin}/device/{token}"
    return _mail(
        occasion.to,
        f"Approve a login to {sender.name}",
        [
            f"Somebody wants to log in to {sender.name} with this address.",
            _Link("Approve this device", link),
            *_where(sender, occasion),
            "Approve it only if your screen shows the same two words. The link is valid for 20 minutes.",
            "We never ask for this link by phone or chat. Whoever asks you for it is not us.",
        ],
        _refusal(sender, occasion),
    )


def recovery_mail(name: str, to: str, code: str, device: str) -> Mail:
    """The mail of the recovery service with the code for a new device."""
    return _mail(
        to,
        f"{code} recovers your wallet on {name}",
        [
            "A new device wants to use your wallet. Only with this code can it:",
            _Big(code),
            f"Asked for by: {device}" if device else "",
            "It is valid for 10 minutes. If you do not know of a new device, do nothing, and give this code to nobody.",
            NEVER_ASKED,
        ],
    )


def notice_mail(name: str, to: str, one: Happening) -> Mail:
    """A mail that tells of something that has happened."""
    subject, text = NOTICES[one.kind]
    last = _undo(one) or (_GONE if one.kind == "account_deleted" else _NOT_YOU)
    return _mail(
        to,
        f"{subject}: {name}",
        [text, f"When: {spell_moment(one.at)}", f"By: {one.detail}" if one.detail else "", last],
    )


def gathered_mail(name: str, to: str, several: Sequence[Happening]) -> Mail:
    """A mail that tells of much that has happened, in its order."""
    parts: list[_Part] = ["So much has happened to your wallet lately that we tell of it in one mail."]
    for one in several:
        by = f", by {one.detail}" if one.detail else ""
        often = f"{one.times} times, last" if one.times > 1 else "once,"
        parts += [f"{NOTICES[one.kind][0]}: {often} {spell_moment(one.at)}{by}", _undo(one)]
    count = sum(one.times for one in several)
    return _mail(to, f"{count} changes to your wallet: {name}", parts, _NOT_YOU)


def _undo(one: Happening) -> "_Part":
    label = _UNDO.get(one.kind, "It was not me: change the address back, and freeze the account for a day")
    return _Link(label, one.undo) if one.undo else ""


@dataclass(frozen=True, slots=True)
class _Big:
    text: str


@dataclass(frozen=True, slots=True)
class _Link:
    label: str
    url: str


_Part = str | _Big | _Link


def _where(sender: Sender, occasion: Occasion) -> list[_Part]:
    return [
        f"Your screen shows these two words: {occasion.words}",
        f"Site: {sender.host}",
        f"Asked for by: {occasion.asked_by}",
    ]


def _refusal(sender: Sender, occasion: Occasion) -> _Part:
    return _Link("It was not me: freeze this account for a day", f"{sender.origin}/not-me/{occasion.refusal}")


def undo_url(sender: Sender, kind: NoticeKind, token: str) -> str:
    """URL of the link that undoes what a notice tells of; "" without a token."""
    page = "keep" if kind in _UNDO else "not-me"
    return f"{sender.origin}/{page}/{token}" if token else ""


def _mail(to: str, subject: str, parts: Sequence[_Part], *last: _Part) -> Mail:
    every = [part for part in (*parts, *last) if part]
    return Mail(to, subject, "\n\n".join(map(_plain, every)) + "\n", _page("".join(map(_html, every))))


def _plain(part: _Part) -> str:
    if isinstance(part, _Big):
        return f"    {part.text}"
    return f"{part.label}:\n{part.url}" if isinstance(part, _Link) else part


def _html(part: _Part) -> str:
    if isinstance(part, _Big):
        return f'<p style="font-size:32px;letter-spacing:6px;font-weight:600;margin:16px 0">{escape(part.text)}</p>'
    if isinstance(part, _Link):
        return f'<p><a href="{escape(part.url)}">{escape(part.label)}</a></p>'
    return f"<p>{escape(part)}</p>"


def _page(content: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"></head>'
        '<body style="font-family:sans-serif;font-size:16px;line-height:1.5;color:#141414;max-width:480px;margin:0 auto;padding:24px">'
        f"{content}</body></html>"
    )

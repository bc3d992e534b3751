"""The mails, as plain text and as HTML: the code first in the subject, no picture, nothing that tells who has opened them."""

from dataclasses import dataclass, field
from typing import Final

from walletmodal.core.language import _
from walletmodal.core.text.browser_text import browser_text
from walletmodal.secure.login.letters import Big, Letter, Link, Part
from walletmodal.services.languages import Languages

NEVER_ASKED: Final = _("We never ask for this code by phone or chat. Whoever asks you for it is not us.")


@dataclass(frozen=True, slots=True)
class Sender:
    """Who mails come from.

    Attributes:
        name: MAIL_NAME.
        origin: of the site that the links lead to.
        host: its host.
        languages: that they are written in.
    """

    name: str
    origin: str
    host: str
    languages: Languages = field(default_factory=Languages)


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


_TWENTY_MINUTES: Final = _("It is valid for 20 minutes.")
_LINK_NEVER_ASKED: Final = _("We never ask for this link by phone or chat. Whoever asks you for it is not us.")


def code_mail(sender: Sender, occasion: Occasion, code: str) -> Letter:
    """The mail with a code for a login."""
    return Letter(
        occasion.to,
        _("{code} is your code for {site}", code=code, site=sender.name),
        [
            _("Your code for {site}:", site=sender.name),
            Big(code),
            *_where(sender, occasion),
            _TWENTY_MINUTES,
            NEVER_ASKED,
            _refusal(sender, occasion),
        ],
    )


def move_mail(sender: Sender, occasion: Occasion, code: str, to: str) -> Letter:
    """The mail with a code for a change of address: to the present one, which is told `to`, or with "" to the new one.

    A page that asks for the code of a login may want this one: it must not look like it.
    """
    site = sender.name
    if to:
        subject = _("{code} moves your account at {site} to another address", code=code, site=site)
        what = _("This code moves your account from this address to {address}. It logs nobody in.", address=to)
    else:
        subject = _("{code} moves an account at {site} to this address", code=code, site=site)
        what = _("This code moves an account at {site} to this address. It logs nobody in.", site=site)
    return Letter(
        occasion.to,
        subject,
        [
            what,
            Big(code),
            *_where(sender, occasion),
            _("It is valid for 20 minutes. If you are not changing an address right now, enter it nowhere."),
            NEVER_ASKED,
            _refusal(sender, occasion),
        ],
    )


def move_approval_mail(sender: Sender, occasion: Occasion, token: str, to: str) -> Letter:
    """The mail to the present address with a link by which a change to the address `to` is approved; the code is on the page behind it."""
    return Letter(
        occasion.to,
        _("Approve another address for your account at {site}", site=sender.name),
        [
            _("Somebody wants to move your account from this address to {address}.", address=to),
            Link(_("Look at this change"), f"{sender.origin}/move/{token}"),
            _("Site: {site}", site=sender.host),
            _("Asked for by: {browser}", browser=occasion.asked_by),
            _(
                "The page shows a code for the window in which you have begun. The link is valid for 20 minutes. If you are not changing your address right now, do not use it."
            ),
            _LINK_NEVER_ASKED,
            _refusal(sender, occasion),
        ],
    )


def proof_mail(sender: Sender, occasion: Occasion, code: str, allows: str) -> Letter:
    """The mail with a code that proves who asks for something; `allows`: the sentence that says what it does."""
    return Letter(
        occasion.to,
        _("{code} confirms a change at {site}", code=code, site=sender.name),
        [
            allows,
            Big(code),
            *_where(sender, occasion),
            _(
                "It is valid for 10 minutes. Enter it in the window of the wallet alone, and nowhere if you have not asked for it."
            ),
            NEVER_ASKED,
            _refusal(sender, occasion),
        ],
    )


def approval_mail(sender: Sender, occasion: Occasion, token: str) -> Letter:
    """The mail with a link by which a device is approved; the code follows."""
    return Letter(
        occasion.to,
        _("Approve a login to {site}", site=sender.name),
        [
            _("Somebody wants to log in to {site} with this address.", site=sender.name),
            Link(_("Approve this device"), f"{sender.origin}/device/{token}"),
            *_where(sender, occasion),
            _("Approve it only if your screen shows the same two words. The link is valid for 20 minutes."),
            _LINK_NEVER_ASKED,
            _refusal(sender, occasion),
        ],
    )


def recovery_mail(name: str, to: str, code: str, device: str) -> Letter:
    """The mail of the recovery service with the code for a new device."""
    return Letter(
        to,
        _("{code} recovers your wallet on {site}", code=code, site=name),
        [
            _("A new device wants to use your wallet. Only with this code can it:"),
            Big(code),
            _("Asked for by: {browser}", browser=browser_text(device)) if device else "",
            _(
                "It is valid for 10 minutes. If you do not know of a new device, do nothing, and give this code to nobody."
            ),
            NEVER_ASKED,
        ],
    )


def _where(sender: Sender, occasion: Occasion) -> list[Part]:
    return [
        _("Your screen shows these two words: {words}", words=occasion.words),
        _("Site: {site}", site=sender.host),
        _("Asked for by: {browser}", browser=occasion.asked_by),
    ]


def _refusal(sender: Sender, occasion: Occasion) -> Part:
    label = _("It was not me: freeze this account for a day")
    return Link(label, f"{sender.origin}/not-me/{occasion.refusal}")

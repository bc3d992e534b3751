"""Refusals of calls, in the words that the visitor reads."""

from typing import Any

from walletmodal.core.language import Text, _
from walletmodal.core.language.text import with_values
from walletmodal.core.wallets.refusals import HELD, SMALL_SUMS_ONLY, moment_text
from walletmodal.db.moments import from_ms


class CallError(Exception):
    """A call that is refused.

    Args:
        status: of HTTP.
        code: for programs, in snake_case.
        message: a sentence for the visitor.
        more: further members of the answer's `error`.
    """

    def __init__(self, status: int, code: str, message: str, **more: Any) -> None:
        super().__init__(code)
        self.status, self.code, self.message, self.more = status, code, message, more

    @property
    def body(self) -> dict[str, Any]:
        """The answer."""
        return {"error": {"code": self.code, "message": self.message, **self.more}}


def unavailable() -> CallError:
    """The database, or another part that this site cannot do without, does not answer."""
    return CallError(503, "unavailable", _("The service is not available right now. Please try again."))


def too_many() -> CallError:
    """A limit that is nobody's secret."""
    return CallError(429, "too_many", _("Too many requests. Please try again later."))


def frozen(until: int) -> CallError:
    """Somebody who reads the account's mail has said that it was not them."""
    return CallError(423, "frozen", _("This account is frozen for a day, as its owner has asked."), frozenUntil=until)


def held(until: int, *, some: bool = False) -> CallError:
    """A code by mail has brought the wallet to this device lately: whoever has the mailbox could have done that.

    Args:
        until: in ms.
        some: small sums may be moved meanwhile.
    """
    text = with_values(SMALL_SUMS_ONLY if some else HELD, until=spell_moment(until))
    return CallError(423, "held", text, heldUntil=until)


def spell_moment(moment: int) -> Text:
    """A moment in ms, as mails and refusals write it."""
    return moment_text(from_ms(moment))


class StartError(Exception):
    """The site cannot start; the text tells the operator why, and what to do."""

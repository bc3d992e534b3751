"""The embedded wallet: where it serves, what its frame has confirmed, and how its answers are read."""

import re
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.constants import EMAIL_LOGIN_COOLDOWN
from walletmodal.core.language import _
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.text.texts import SOMETHING_WRONG
from walletmodal.core.wallets.refusals import recalled_refusal

EMBEDDED_NAMESPACES: Final[tuple[Namespace, ...]] = ("eip155", "solana")
CONFIRMED_METHODS: Final = frozenset(
    {
        "personal_sign",
        "eth_signTypedData_v4",
        "eth_sendTransaction",
        "solana_signMessage",
        "solana_signTransaction",
        "solana_signAllTransactions",
        "solana_signAndSendTransaction",
        "wallet_sendCalls",
        "walletmodal_signUserOperation",
        "walletmodal_revokeDelegation",
        "walletmodal_signDelegation",
        "wallet_grantPermissions",
        "wallet_revokePermissions",
    }
)
"""What the secure site's frame shows its visitor before it signs; of all else it answers what the account can do, and what became of calls."""

EMBEDDED_NAME: Final = "Email wallet"
EMBEDDED_TIMEOUT_MS: Final = 60_000
"""How long the frame may take to name its accounts; it makes the wallet of who has none."""

RECOVERY_NEEDED: Final = "recovery_needed"
"""The message of an error: the visitor has a wallet, and this browser no key to it."""

NOT_LOADED: Final = _("Unable to load email login dependency")
NextStep = Literal["VERIFY_OTP", "VERIFY_DEVICE", "CONNECT", "VERIFY_PRIMARY_OTP", "VERIFY_SECONDARY_OTP"]
UPDATE_STEPS: Final[tuple[NextStep, ...]] = ("VERIFY_PRIMARY_OTP", "VERIFY_SECONDARY_OTP")
"""Of a change of the address; the others are a login's."""
LOGIN_STEPS: Final[tuple[NextStep, ...]] = ("VERIFY_OTP", "VERIFY_DEVICE", "CONNECT")
_WORDS: Final = re.compile(r"[a-z]{2,16} [a-z]{2,16}")
_ATTEMPT: Final = re.compile(r"[A-Za-z0-9_-]{32}")
_FARCASTER_LINK: Final = re.compile(r"(?:https://|http://(?:localhost|127\.0\.0\.1):)[!-~]{1,2000}")
_MAX_WAIT: Final = 600
_MAX_MESSAGE: Final = 200


class MailSent(NamedTuple):
    """A mail is on its way: what the visitor does next, the words that it shows too, and when another may be asked for, in seconds."""

    step: NextStep
    words: str
    wait: int


class FrameError(NamedTuple):
    """What the frame says went wrong, and can be said in any language; `reason`: the secure site's word for it, "" without one."""

    code: int
    message: str
    reason: str


def read_words(value: object) -> str:
    """Reads the words of a mail; "" for what makes no sense."""
    return value if isinstance(value, str) and _WORDS.fullmatch(value) else ""


class FarcasterLogin(NamedTuple):
    """A login that waits for Farcaster's app: its id, and the link for the app."""

    attempt: str
    link: str


def read_farcaster_login(value: object) -> FarcasterLogin | None:
    """Reads a login with Farcaster, which comes by way of the visitor's browser; None for what makes no sense."""
    fields = value if isinstance(value, Mapping) else {}
    attempt, link = fields.get("attempt"), fields.get("url")
    if not isinstance(attempt, str) or not _ATTEMPT.fullmatch(attempt):
        return None
    # Shown as a code and as a link: nothing else may come by that way.
    if not isinstance(link, str) or not _FARCASTER_LINK.fullmatch(link):
        return None
    return FarcasterLogin(attempt, link)


def read_social_return(value: object) -> tuple[str, str] | None:
    """Reads for which login the page was left: its attempt and provider; None for none, and for what makes no sense."""
    fields = value if isinstance(value, Mapping) else {}
    attempt, provider = fields.get("attempt"), fields.get("provider")
    if not isinstance(attempt, str) or not _ATTEMPT.fullmatch(attempt) or not isinstance(provider, str):
        return None
    return attempt, provider


def read_mail_sent(value: object, steps: tuple[NextStep, ...] = LOGIN_STEPS) -> MailSent | None:
    """Reads the answer to a question for a mail, which leads to one of `steps`; None for what makes no sense."""
    fields = value if isinstance(value, Mapping) else {}
    step = next((one for one in steps if one == fields.get("action")), None)
    if step is None:
        return None
    wait = fields.get("retryAfter")
    return MailSent(
        step,
        read_words(fields.get("words")),
        min(wait, _MAX_WAIT) if type(wait) is int and wait >= 0 else EMAIL_LOGIN_COOLDOWN,
    )


def read_frame_error(value: object) -> FrameError:
    """Reads what went wrong; it comes by way of the visitor's browser."""
    fields = value if isinstance(value, Mapping) else {}
    code, message, reason = fields.get("code"), fields.get("message"), fields.get("reason")
    shown = clean_text(message, limit=_MAX_MESSAGE) if isinstance(message, str) else ""
    return FrameError(
        code if type(code) is int else 0,
        recalled_refusal(shown) if shown else SOMETHING_WRONG,
        reason if isinstance(reason, str) and len(reason) <= len(RECOVERY_NEEDED) * 3 else "",
    )

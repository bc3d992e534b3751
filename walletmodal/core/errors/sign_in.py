"""Errors of a sign-in and of the tokens that tell of one."""

from typing import ClassVar, Literal

from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import LIMIT_EXCEEDED, UNAUTHORIZED
from walletmodal.core.errors.flow import FlowError
from walletmodal.core.language import _

SignInRefusal = Literal[
    "unknown", "another_account", "another_page", "too_early", "expired", "another_text", "not_signed"
]
"""Why a sign-in is refused: no message of this visitor has the nonce (it was never given out, is used, or has expired); it was made for
another account or network, or for another page; its time has not come, or is over; the wallet signed another text; nobody of the account
signed it."""

TokenFault = Literal["form", "key", "signature", "issuer", "audience", "time", "nonce", "revoked"]
"""What is wrong with a token: it is none of ours by its form or algorithm; its key is not among those published; somebody else signed
it, or it was altered; it is of another modal, for another page, expired or not yet valid, for another request of the host; or the
session that it tells of is revoked or over."""


class SignInRefusedError(FlowError):
    """A wallet's answer that proves nothing. The visitor is not signed in, and the nonce is used up.

    Attributes:
        refusal: which rule it breaks.
    """

    name, default_code = "SignInRefusedError", UNAUTHORIZED
    text: ClassVar[str] = _("The signature is not valid")

    def __init__(self, refusal: SignInRefusal) -> None:
        self.refusal = refusal
        super().__init__(details=refusal)


class ProofOfFundsError(SignInRefusedError):
    """A Bitcoin wallet's proof of funds (`pof` of BIP-322): that coins can be spent takes the chain to tell, and a sign-in asks for no coins."""

    name = "ProofOfFundsError"
    text = _("Your wallet signed a proof of funds. Sign the message alone.")

    def __init__(self) -> None:
        super().__init__("not_signed")


class SignInUncheckedError(FlowError):
    """Only a contract could tell whether the account signed, and it could not be asked in time. Nothing is known; signing again may help."""

    name = "SignInUncheckedError"
    text = _("The signature could not be checked. Try again in a moment.")


class SignInUnavailableError(FlowError):
    """What a sign-in needs to remember could not be kept or found: Redis or the database does not answer."""

    name = "SignInUnavailableError"
    text = _("Signing in is not possible right now. Try again in a moment.")


class TooManySignInsError(FlowError):
    """A browser is signed in with as many accounts as one may be."""

    name, default_code = "TooManySignInsError", LIMIT_EXCEEDED
    text = _("You are signed in with too many accounts. Sign out of one of them first.")


class TooManyChecksError(FlowError):
    """A browser has had more signatures verified than anybody signs. Nothing is used up by it."""

    name, default_code = "TooManyChecksError", LIMIT_EXCEEDED
    text = _("Too many signatures in a short time. Try again in a minute.")


class ModalUnreachableError(WalletModalError):
    """A host's server could not ask the modal for its keys, or about a session. Nothing is known; nobody is signed in by it."""

    name = "ModalUnreachableError"

    def __init__(self, details: str) -> None:
        super().__init__("The modal's server does not answer", details=details)


class TokenError(WalletModalError):
    """A sign-in token that a host must not believe.

    Attributes:
        fault: what is wrong with it.
    """

    name, default_code = "TokenError", UNAUTHORIZED

    def __init__(self, fault: TokenFault, details: str = "") -> None:
        self.fault = fault
        super().__init__("The sign-in token is not valid", details=f"{fault}: {details}" if details else fault)

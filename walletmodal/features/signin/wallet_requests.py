"""Sign-in requests to wallets and their answers: each namespace has a method of its own (docs/protocol.md §3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import base58

from walletmodal.core.requests.methods import sign_in_request
from walletmodal.core.sign_in.message import MAX_SIGN_IN_TEXT, SignInMessage
from walletmodal.core.sign_in.solana import solana_sign_in_input
from walletmodal.core.wallets.connectors import WALLET_CONNECT_ID
from walletmodal.services.sign_in.proofs import MAX_SIGNATURE

Way = Literal["text", "feature"]
"""How a wallet is asked: to sign our text, or by a sign-in of its own, which writes the text itself."""


@dataclass(frozen=True, slots=True)
class Signed:
    """What a wallet answered, of the right form and no more than that.

    Attributes:
        text: what it says that it signed; None for our text.
    """

    signature: str
    text: str | None = None


def preferred_way(message: SignInMessage, connector: str) -> Way:
    """Returns the way by which a wallet is asked first; the other one follows where it has no such sign-in."""
    own = message.account_id.namespace == "solana" and connector != WALLET_CONNECT_ID
    return "feature" if own else "text"


def sign_request(message: SignInMessage, way: Way) -> tuple[str, Any]:
    """Builds method and parameters."""
    if way == "feature":
        return "solana_signIn", {"input": solana_sign_in_input(message)}
    return sign_in_request(message)


def read_signed(value: object, way: Way) -> Signed | None:
    """Parses a wallet's unchecked answer; None where it has not the form of one."""
    found = value.get("signature") if isinstance(value, dict) else value
    if not isinstance(found, str) or not 0 < len(found) <= MAX_SIGNATURE:
        return None
    if way == "text":
        return Signed(found)
    text = _text(value.get("message")) if isinstance(value, dict) else None
    return None if text is None else Signed(found, text)


def _text(encoded: object) -> str | None:
    # Base58 takes the square of its length.
    if not isinstance(encoded, str) or len(encoded) > 2 * MAX_SIGN_IN_TEXT:
        return None
    try:
        return base58.b58decode(encoded).decode()
    except ValueError:
        return None

"""How the public relay turns clients away, word for word: applications tell their visitors by these texts what is wrong."""

from typing import Final

from pydantic import JsonValue

from walletmodal.sandbox.relay.tokens import NOT_YET_VALID

REFUSALS: Final = {
    "invalid key": "Unauthorized: invalid key",
    "origin not allowed": "Unauthorized: origin not allowed",
    "jwt not yet valid": NOT_YET_VALID,
}
"""What a fault's `body` may say in short, and what clients are told."""


class RefusedError(Exception):
    """The client is turned away; the text is what it is told."""


def refusal_of(body: JsonValue) -> RefusedError:
    """The refusal that a fault asks for: by its short name, or any other text as it is; an invalid key when it says nothing."""
    text = body if isinstance(body, str) and body else "invalid key"
    return RefusedError(REFUSALS.get(text, text))

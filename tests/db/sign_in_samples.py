"""Proven sign-ins for the tests of what is kept of them."""

from datetime import UTC, datetime, timedelta
from typing import Any

from walletmodal.core.sign_in.message import parse_sign_in_message, sign_in_text
from walletmodal.services.sign_in import ProvenSignIn

ADDRESS, OTHER_ADDRESS = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
ORIGIN, OTHER_ORIGIN = "https://app.example", "https://other.example"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
WEEK = timedelta(days=7)


def proven(nonce: str, *, origin: str = ORIGIN, at: datetime = NOW, **fields: Any) -> ProvenSignIn:
    """A sign-in of the first development account on mainnet, as `SignInProofs.prove` gives it."""
    message = parse_sign_in_message(
        {
            "domain": origin.partition("://")[2],
            "accountAddress": ADDRESS,
            "uri": origin,
            "chainId": "eip155:1",
            "nonce": nonce,
            "issuedAt": at.isoformat(),
            "expirationTime": (at + WEEK).isoformat(),
            **fields,
        }
    )
    return ProvenSignIn(message, sign_in_text(message), "0x" + "ab" * 65, origin, at)

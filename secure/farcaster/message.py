"""What a Farcaster app has signed (FIP-11): a sign-in (EIP-4361) of this site, with the nonce of this attempt, for one id."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from walletmodal.core.errors import ShapeError
from walletmodal.core.sign_in.message import SignInMessage
from walletmodal.core.sign_in.reading import read_sign_in_text

CHAIN: Final = "eip155:10"
STATEMENT: Final = "Farcaster Auth"
MAX_FID: Final = 2**64
_SKEW: Final = timedelta(seconds=60)
_FID: Final = re.compile(r"farcaster://fid/([1-9][0-9]{0,19})/?")


class FarcasterError(Exception):
    """A sign-in that does not count; the text says why."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What must have been signed.

    Attributes:
        domain: of this site.
        uri: that was asked for.
        nonce: of the attempt.
    """

    domain: str
    uri: str
    nonce: str


@dataclass(frozen=True, slots=True)
class Claim:
    """What a message says.

    Attributes:
        fid: the Farcaster id.
        address: of the signer.
        text: that was signed.
    """

    fid: int
    address: str
    text: str


def read_claim(text: str, expected: Expected, now: datetime) -> Claim:
    """What a text claims; whether its signature and its id are right is checked elsewhere.

    Raises:
        FarcasterError: it is no sign-in of this attempt.
    """
    try:
        message = read_sign_in_text(text)
    except ShapeError as error:
        raise FarcasterError("no sign-in message") from error
    differing = {
        "domain": message.domain != expected.domain,
        "URI": message.uri != expected.uri,
        "nonce": message.nonce != expected.nonce,
        "chain": message.chain_id != CHAIN,
        "statement": message.statement != STATEMENT,
        "time": not _holds(message, now),
    }
    for what, differs in differing.items():
        if differs:
            raise FarcasterError(f"another {what}")
    fids = [found for one in message.resources if (found := _FID.fullmatch(one))]
    if len(fids) != 1 or int(fids[0][1]) >= MAX_FID:
        raise FarcasterError("not one Farcaster id")
    return Claim(int(fids[0][1]), message.account_address, text)


def _holds(message: SignInMessage, now: datetime) -> bool:
    """Whether it is in force, by a phone's clock that may be a minute ahead."""
    started = max(message.issued_at, message.not_before or message.issued_at) <= now + _SKEW
    return started and (message.expiration_time is None or now < message.expiration_time)

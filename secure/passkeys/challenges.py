"""Challenges: what a passkey signs, once, for the device that has asked.

A passkey can be an owner of a Safe, which takes its signature of an operation's hash as the challenge for consent. What this site names is
therefore never signed as it is: the page has a hash of it signed, under a prefix that no operation has.
"""

import secrets
from hashlib import sha256
from typing import Final, Literal

from sqlalchemy import delete, insert
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from walletmodal.core.language import _
from walletmodal.secure.calls.device import Device
from walletmodal.secure.encoding import digest, encode
from walletmodal.secure.errors import CallError
from walletmodal.secure.passkeys.tables import PasskeyChallenge as Row

Purpose = Literal["add", "open", "prove", "login", "new"]

SIGNED_PREFIX: Final = b"walletmodal passkey challenge 1"
CHALLENGE_MS: Final = 5 * 60_000


async def new_challenge(connection: AsyncConnection, purpose: Purpose, device: Device, *, user: str, now: int) -> str:
    """Makes a challenge of 32 bytes, base64url. `user`: "" for a login."""
    made = secrets.token_bytes(32)
    # A new passkey signs nothing yet that a Safe would take.
    signed = made if purpose in ("add", "new") else sha256(SIGNED_PREFIX + made).digest()
    row = {
        "id": digest(encode(signed)),
        "purpose": purpose,
        "device": device.id,
        "user": user,
        "expires_at": now + CHALLENGE_MS,
    }
    await connection.execute(insert(Row).values(row))
    return encode(made)


async def use_challenge(
    connection: AsyncConnection, challenge: str, purpose: Purpose, device: Device, *, user: str, now: int
) -> None:
    """Uses a challenge up, by what was signed. To be committed whatever becomes of the call.

    Raises:
        CallError: 400 `challenge`: used, expired, or another device's, user's or purpose's.
    """
    mine = (
        *(col(Row.id) == digest(challenge), col(Row.purpose) == purpose, col(Row.device) == device.id),
        *(col(Row.user) == user, col(Row.expires_at) > now),
    )
    if (await connection.execute(delete(Row).where(*mine))).rowcount != 1:
        raise CallError(400, "challenge", _("This took too long. Please try again."))

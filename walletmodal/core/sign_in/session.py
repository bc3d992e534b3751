"""A visitor's sign-in as it is remembered."""

import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from walletmodal.core.chains.caip import AccountId, parse_chain_id
from walletmodal.core.errors.sign_in import SignInRefusedError
from walletmodal.core.sign_in.message import SignInMessage

SESSION_ID: Final = re.compile(r"[0-9a-f]{32}")
"""How the id of a session is written."""
_ID_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class SignInSession:
    """A verified sign-in.

    Attributes:
        id: by which hosts and operators name it; it opens nothing.
        origin: of the host page that it counts for.
        chain: CAIP-2 id; address: in its normal spelling.
        statement: what the visitor agreed to; "" for nothing.
        request_id: the host's own nonce; "" for none.
        text, signature: the proof.
        nonce: of the message.
        issued_at: of the message. proven_at: when it was verified. expires_at: when it ends, as the visitor signed it.
        revoked_at: when somebody ended it before, or None.
        checked_at: when the contract whose word it is was asked last; None: a key signed, and nobody needs to be asked again.
    """

    id: str
    origin: str
    chain: str
    address: str
    statement: str
    request_id: str
    text: str
    signature: str
    nonce: str
    issued_at: datetime
    proven_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None
    checked_at: datetime | None = None

    @property
    def account(self) -> AccountId:
        """The account as CAIP-10."""
        return AccountId(parse_chain_id(self.chain), self.address)

    def is_live(self, now: datetime) -> bool:
        """Whether it counts: neither revoked nor over."""
        return self.revoked_at is None and now < self.expires_at


def begun(
    message: SignInMessage, *, text: str, signature: str, origin: str, proven_at: datetime, by_contract: bool
) -> SignInSession:
    """The session that a message begins, under a new id.

    Args:
        message: what the visitor agreed to.
        text: it, as it was signed.
        signature: of the text, verified.
        origin: of the host page.
        proven_at: when it was verified; the session remembers it to the millisecond.
        by_contract: no key explains the signature, a contract says that it is good.

    Raises:
        SignInRefusedError: it would never end.
    """
    if message.expiration_time is None:
        raise SignInRefusedError("expired")
    proven_at = proven_at.replace(microsecond=proven_at.microsecond // 1000 * 1000)
    return SignInSession(
        id=secrets.token_hex(_ID_BYTES),
        origin=origin,
        chain=message.chain_id,
        address=message.account_address,
        statement=message.statement or "",
        request_id=message.request_id or "",
        text=text,
        signature=signature,
        nonce=message.nonce,
        issued_at=message.issued_at,
        proven_at=proven_at,
        expires_at=message.expiration_time,
        checked_at=proven_at if by_contract else None,
    )

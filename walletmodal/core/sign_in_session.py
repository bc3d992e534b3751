"""A visitor's sign-in as it is remembered."""

from dataclasses import dataclass
from datetime import datetime

from walletmodal.core.caip import AccountId, parse_chain_id


@dataclass(frozen=True, slots=True)
class SignInSession:
    """A verified sign-in.

    Attributes:
        id: by which hosts and operators name it; it opens nothing.
        origin: of the host page that it counts for.
        chain: CAIP-2 id; address: in its normal spelling.
        statement: what the visitor agreed to; "" for nothing.
        request_id: the host's own nonce; "" for none.
        text, signature: the proof; a contract account can be asked about it again.
        nonce: of the message.
        issued_at: of the message. proven_at: when it was verified. expires_at: when it ends, as the visitor signed it.
        revoked_at: when somebody ended it before, or None.
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

    @property
    def account(self) -> AccountId:
        """The account as CAIP-10."""
        return AccountId(parse_chain_id(self.chain), self.address)

    def is_live(self, now: datetime) -> bool:
        """Whether it counts: neither revoked nor over."""
        return self.revoked_at is None and now < self.expires_at

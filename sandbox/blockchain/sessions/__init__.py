"""Smart sessions: permissions that an account granted to a page, kept and redeemed by the service that co-signs for it."""

from walletmodal.sandbox.blockchain.sessions.calls import PreparedCallsEndpoint
from walletmodal.sandbox.blockchain.sessions.endpoint import SessionsEndpoint
from walletmodal.sandbox.blockchain.sessions.store import SessionStore

__all__ = ["PreparedCallsEndpoint", "SessionStore", "SessionsEndpoint"]

"""Smart sessions: permissions that an account granted to a page, kept by the service that co-signs for it."""

from sandbox.blockchain.sessions.endpoint import SessionsEndpoint
from sandbox.blockchain.sessions.store import SessionStore

__all__ = ["SessionStore", "SessionsEndpoint"]

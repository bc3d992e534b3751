"""Tickets: how a page tells its state over the socket which browser it is in, without the secret that only the cookie has."""

import re
import secrets
from typing import Final

from walletmodal.services.sign_in.nonces import Nonces

TICKET_SECONDS: Final = 60.0
"""So long a page may take from the answer of the route to its next event."""
_BYTES: Final = 32
_TICKET: Final = re.compile(r"[A-Za-z0-9_-]{43}")
_OF_A_TICKET: Final = "holder"


class Tickets:
    """Gives them out, and redeems each once.

    Args:
        kept: where they wait. Not where sign-ins' nonces do: a flood of the one must not push out the other.
    """

    def __init__(self, kept: Nonces) -> None:
        self._kept = kept

    async def issue(self, holder: str) -> str:
        """A ticket for a browser, known by its `holder_key`.

        Raises:
            SignInUnavailableError: it could not be kept.
        """
        ticket = secrets.token_urlsafe(_BYTES)
        await self._kept.keep(ticket, _OF_A_TICKET, holder, TICKET_SECONDS)
        return ticket

    async def redeem(self, ticket: object) -> str | None:
        """Whose it is, for the first who shows it within a minute; else None.

        Raises:
            SignInUnavailableError: nobody can say.
        """
        if not isinstance(ticket, str) or not _TICKET.fullmatch(ticket):
            return None
        return await self._kept.take(ticket, _OF_A_TICKET)

    async def close(self) -> None:
        """Give back connections."""
        await self._kept.close()

"""Contract accounts are asked again whether they signed: unlike a key, a contract may say something else later (ERC-1271)."""

import asyncio
import logging
from datetime import datetime, timedelta
from typing import Final, Protocol

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.errors.sign_in import SignInRefusedError, SignInUncheckedError
from walletmodal.core.sign_in.session import SignInSession
from walletmodal.services.metrics import counted_failure
from walletmodal.services.sign_in.proofs import SignInProofs

PERIOD: Final = timedelta(minutes=5)
"""So long an answer is believed, and a node that gave none is left alone. A token that is about counts as long (`TOKEN_LIFETIME`)."""
ANSWER_SECONDS: Final = 4.0
"""Hosts' servers wait 5 s for what they are told of a session (`walletmodal.host`)."""

logger = logging.getLogger(__name__)


class CheckedSessions(Protocol):
    """Who has the sign-ins on record, such as `db.sign_ins.SignInStore`."""

    async def live(self, session_id: str, /) -> SignInSession | None:
        """A sign-in that counts now, or None."""
        ...

    async def begin_check(self, session_id: str, before: datetime, /) -> bool:
        """Whether the contract of one that counts is to be asked now, since it was not since then; True for one caller alone."""
        ...

    async def revoke(self, session_id: str, /) -> bool:
        """End one."""
        ...


class SignInRechecks:
    """Asks about a session that is used, at most once in five minutes, whichever worker it is used at.

    Args:
        proofs: who verifies signatures.
        sessions: who has the sign-ins on record.
        clock: what the time is told by.
        answer_seconds: so long the nodes may take.
    """

    def __init__(
        self,
        proofs: SignInProofs,
        sessions: CheckedSessions,
        *,
        clock: Clock | None = None,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        self._proofs, self._sessions, self._clock = proofs, sessions, clock or SystemClock()
        self._answer_seconds = answer_seconds
        self._asking: dict[str, asyncio.Task[bool]] = {}

    def is_due(self, session: SignInSession) -> bool:
        """Whether a session is to be believed only after `holds`; never one that a key signed."""
        if session.checked_at is None:
            return False
        return session.id in self._asking or session.checked_at <= self._clock.now() - PERIOD

    async def holds(self, session: SignInSession) -> bool:
        """Whether a session that counts still does, by the contract that is asked where it is due. Else it is revoked.

        Raises:
            SQLAlchemyError, OSError: the database cannot be asked.
        """
        if not self.is_due(session):
            return True
        asking = self._asking.get(session.id)
        if asking is None:
            asking = self._asking[session.id] = asyncio.create_task(self._ask(session), name="recheck")
            asking.add_done_callback(lambda _: self._asking.pop(session.id))
        # Whoever leaves while a contract is asked cannot keep it from saying no.
        return await asyncio.shield(asking)

    async def close(self) -> None:
        """Waits for what is being asked."""
        await asyncio.gather(*self._asking.values(), return_exceptions=True)

    async def _ask(self, session: SignInSession) -> bool:
        try:
            if await self._sessions.begin_check(session.id, self._clock.now() - PERIOD):
                with counted_failure():
                    await self._verify(session)
        except SignInUncheckedError as error:
            logger.warning(
                "whether the account of session %s still says that it signed is not known: %s",
                session.id,
                error.details,
            )
        except SignInRefusedError:
            await self._sessions.revoke(session.id)
            logger.info("the session %s was revoked: its account does not say any more that it signed", session.id)
        return await self._sessions.live(session.id) is not None

    async def _verify(self, session: SignInSession) -> None:
        """A no counts when it is said twice: of the nodes behind one URL, one may be behind the others."""
        try:
            async with asyncio.timeout(self._answer_seconds):
                said = [await self._proofs.is_signed(session.account, session.text, session.signature)]
                if not said[0]:
                    said.append(await self._proofs.is_signed(session.account, session.text, session.signature))
        except TimeoutError as error:
            raise SignInUncheckedError("TimeoutError") from error
        if not any(said):
            raise SignInRefusedError("not_signed")
        if not all(said):
            raise SignInUncheckedError("the answers differ")

"""The calls of Farcaster logins: `/v1/farcaster/start` and `/v1/farcaster/finish`."""

import logging
import secrets
from datetime import timedelta
from typing import Any, Final

from starlette.routing import Route

from walletmodal.core.clock import Clock
from walletmodal.core.errors import TransportError
from walletmodal.core.language import _
from walletmodal.core.sign_in.message import iso_text
from walletmodal.secure.calls.endpoint import Answer, Call, Calls, Nothing
from walletmodal.secure.calls.limits import Limits
from walletmodal.secure.errors import CallError
from walletmodal.secure.farcaster.message import Expected, FarcasterError, read_claim
from walletmodal.secure.farcaster.registries import ISSUER, Registries
from walletmodal.secure.farcaster.relay import ChannelGoneError, Relay
from walletmodal.secure.social.attempts import ATTEMPT_BYTES, ATTEMPT_MS, SocialAttempts
from walletmodal.secure.social.calls import ENDED, Completion, FinishBody, ended, failures_of
from walletmodal.secure.social.identity import Identity, ProviderError

PROVIDER: Final = "farcaster"
POLL_SECONDS: Final = 1.5

logger = logging.getLogger(__name__)


class FarcasterCalls:
    """Answers them.

    Args:
        relay: of Farcaster.
        registries: say whose an id is.
        attempts: of the site.
        completion: see there.
        limits: how many may be begun.
        clock: of the site.
        own_origin, own_host: of this site, which is what visitors sign in to.
    """

    def __init__(
        self,
        relay: Relay,
        registries: Registries,
        attempts: SocialAttempts,
        completion: Completion,
        limits: Limits,
        *,
        clock: Clock,
        own_origin: str,
        own_host: str,
    ) -> None:
        self._relay, self._registries, self._attempts = relay, registries, attempts
        self._completion, self._limits, self._clock = completion, limits, clock
        self._own_origin, self._own_host = own_origin, own_host

    def routes(self, calls: Calls) -> list[Route]:
        """Their routes."""
        return [
            calls.route("/v1/farcaster/start", Nothing, self.start),
            calls.route("/v1/farcaster/finish", FinishBody, self.finish, waits=True),
        ]

    async def start(self, call: Call[Nothing]) -> Answer:
        """Begins a login: a link for the visitor's app, and the attempt that its result is taken with."""
        await self._limits.outside(call.line)
        attempt, nonce = secrets.token_urlsafe(ATTEMPT_BYTES), secrets.token_hex(16)
        over = iso_text(self._clock.now() + timedelta(milliseconds=ATTEMPT_MS))
        try:
            channel = await self._relay.open(self._expected(nonce), over)
        except ProviderError as error:
            logger.warning("farcaster's relay: %s", error)
            raise CallError(502, "provider", _("Farcaster cannot be reached right now. Please try again.")) from error
        secret = {"channel": channel.token, "nonce": nonce}
        expires_at = await self._attempts.start(attempt, PROVIDER, call.device, secret)
        return {"attempt": attempt, "url": channel.link, "expiresAt": expires_at}

    async def finish(self, call: Call[FinishBody]) -> Answer:
        """Waits until the app has signed: a session, or `pending` where it has not within 25 s."""
        row = await ended(self._attempts, call, self._look, every=POLL_SECONDS)
        if row is None:
            return {"pending": True}
        return await self._completion.complete(row, call.device, failures_of("Farcaster"))

    async def _look(self, row: Any) -> Any:
        if row["provider"] != PROVIDER:
            raise CallError(404, "attempt", _("This login is over. Please begin again."))
        if row["status"] == "waiting":
            await self._fetch(row)
        elif row["status"] == "back":
            await self._check(row)
        return row if row["status"] in ENDED else None

    async def _fetch(self, row: Any) -> None:
        """Asks the relay; what it tells only once is kept before it is looked at, and looked at the next time."""
        try:
            answer = await self._relay.answer(self._attempts.secret_of(row)["channel"])
        except ChannelGoneError:
            # Perhaps another worker was told a moment ago; if not, it expires like this.
            return
        except ProviderError as error:
            logger.warning("farcaster's relay: %s", error)
            return
        if answer is not None:
            await self._attempts.keep(row["id"], answer)
            self._attempts.waiting.notify(row["id"])

    async def _check(self, row: Any) -> None:
        answer = self._attempts.answer_of(row)
        expected = self._expected(self._attempts.secret_of(row)["nonce"])
        try:
            claim = read_claim(answer["message"], expected, self._clock.now())
            await self._registries.check(claim, answer["signature"])
        except FarcasterError as error:
            logger.warning("farcaster: %s", error)
            await self._attempts.conclude(row["id"], "provider")
        except TransportError as error:
            raise CallError(502, "node", _("The network cannot be reached right now. Please try again.")) from error
        else:
            await self._attempts.conclude(row["id"], Identity(ISSUER, str(claim.fid), name=answer["name"]))

    def _expected(self, nonce: str) -> Expected:
        return Expected(domain=self._own_host, uri=f"{self._own_origin}/farcaster", nonce=nonce)

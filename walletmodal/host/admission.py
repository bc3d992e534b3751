"""Whether a request comes from somebody who is signed in. What the adapters of all frameworks ask; none is imported here."""

import asyncio
import logging
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final, Literal

from walletmodal.core.errors.sign_in import ModalUnreachableError, TokenError
from walletmodal.host.modal import Modal, environments_modal
from walletmodal.host.remembered import Remembered, read_remembered, remembered
from walletmodal.host.tokens import AHEAD, SignedIn

NO_STORE: Final = {"Cache-Control": "no-store"}
"""Of every refusal, and of every page for signed-in visitors that says nothing else: no cache may give it to somebody else, nor the
browser's own to whoever presses its back button after signing out."""
REALM: Final = "sign-in"
RETRY_AFTER: Final = 5
"""Seconds after which a modal that does not answer may be asked again."""
MAX_WAITING: Final = 256
"""Requests of a process that may wait for the modal at a time."""
_THREADS: Final = 32
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})

_log: Final = logging.getLogger("walletmodal.host")
# Threads of our own: a modal that does not answer must not take those that the host's application has.
_pool: Final = ThreadPoolExecutor(_THREADS, thread_name_prefix="walletmodal-host")
_waiting: Final = threading.BoundedSemaphore(MAX_WAITING)


@dataclass(frozen=True, slots=True)
class Visit:
    """What a request brings.

    Attributes:
        method: of HTTP. authorization, origin: those headers.
        kept: what the host's own session remembers (`Remembered`), None for nothing.
        nonce: which the sign-in must carry; "" refuses everybody, None binds nothing.
    """

    method: str
    authorization: str | None = None
    origin: str | None = None
    kept: object = None
    nonce: str | None = None


@dataclass(frozen=True, slots=True)
class Admitted:
    """Somebody who is signed in.

    Attributes:
        keep: what the host's session is to remember in the place of what it has; None leaves it.
    """

    signed_in: SignedIn
    keep: Remembered | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """What the adapters answer to everybody else.

    Attributes:
        status: of HTTP: 401, 403 or 503. code: for programs, message: for people; headers as RFC 6750 and RFC 9110 name them.
    """

    status: Literal[401, 403, 503]
    code: Literal["sign_in_required", "invalid_token", "another_page", "modal_unreachable"]
    message: str
    challenge: Mapping[str, str] = field(default_factory=dict)

    @property
    def headers(self) -> dict[str, str]:
        """Those of the answer."""
        headers = dict(NO_STORE)
        if self.status == 401:
            told = ", ".join(f'{name}="{value}"' for name, value in self.challenge.items())
            headers["WWW-Authenticate"] = f"Bearer {told}"
        if self.status == 503:
            headers["Retry-After"] = str(RETRY_AFTER)
        return headers


# RFC 6750 §3.1: who has not tried yet is not told of an error.
REQUIRED: Final = Refusal(401, "sign_in_required", "Sign in with your wallet", {"realm": REALM})
INVALID: Final = Refusal(
    401,
    "invalid_token",
    "The sign-in is not valid, or has to be renewed",
    {"realm": REALM, "error": "invalid_token", "error_description": "The sign-in is not valid, or has to be renewed"},
)
ANOTHER_PAGE: Final = Refusal(403, "another_page", "The request does not come from this page")
UNREACHABLE: Final = Refusal(503, "modal_unreachable", "Whether you are signed in cannot be said now")


class Admission:
    """Tells who is signed in.

    Args:
        modal: which modal is believed; default: that of the environment, read at the first request.
        online: whether the modal is asked about the session every time.
    """

    def __init__(self, modal: Modal | None = None, *, online: bool = False) -> None:
        self._modal, self._online = modal, online

    @property
    def modal(self) -> Modal:
        """The modal that is believed."""
        return self._modal or environments_modal()

    def admit(self, visit: Visit) -> Admitted | Refusal:
        """Whether a request comes from somebody who is signed in; asks the modal, where it must be asked, and waits.

        A bearer token counts before the session, and where one is sent the session does not count.

        Raises:
            SettingsError: the environment does not say which modal, or `online` has no API key.
        """
        token = bearer_token(visit.authorization)
        try:
            if token is not None:
                _check_nonce(visit.nonce)
                return Admitted(self.modal.verify(token, online=self._online, nonce=visit.nonce))
            return self._by_session(visit)
        except TokenError as error:
            # That five minutes are over is nobody's mistake.
            _log.log(
                logging.INFO if error.fault == "time" else logging.WARNING, "A sign-in is refused: %s", error.details
            )
            return INVALID
        except ModalUnreachableError as error:
            _log.warning("Nobody can be admitted: %s", error.details)
            return UNREACHABLE

    async def admit_soon(self, visit: Visit) -> Admitted | Refusal:
        """The same from async code: no event loop waits for it."""
        if not _waiting.acquire(blocking=False):
            return UNREACHABLE
        asked = _pool.submit(self.admit, visit)
        asked.add_done_callback(lambda _: _waiting.release())
        return await asyncio.wrap_future(asked)

    def _by_session(self, visit: Visit) -> Admitted | Refusal:
        modal = self.modal
        visitor = read_remembered(visit.kept, issuer=modal.issuer, audience=modal.audience)
        if visitor is None:
            return REQUIRED
        if visit.method.upper() not in _SAFE_METHODS and visit.origin != modal.audience:
            # A browser sends the session's cookie along with what another page's form asks for.
            return ANOTHER_PAGE
        _check_nonce(visit.nonce)
        if visit.nonce is not None and visit.nonce != visitor.nonce:
            raise TokenError("nonce")
        fresh = visitor.issued_at - AHEAD <= modal.now() < visitor.expires_at
        if fresh and not self._online:
            return Admitted(visitor)
        if not modal.can_ask and not self._online:
            raise TokenError("time")
        confirmed = modal.confirm(visitor)
        return Admitted(visitor) if fresh else Admitted(confirmed, remembered(confirmed))


def bearer_token(authorization: str | None) -> str | None:
    """The token of an `Authorization: Bearer …` header; None when the header is of another scheme, or missing."""
    scheme, _, token = (authorization or "").strip().partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def _check_nonce(nonce: str | None) -> None:
    if nonce == "":
        # The host binds one, and has given none to this visitor: a sign-in without any would seem to carry it.
        raise TokenError("nonce", "none was given out")

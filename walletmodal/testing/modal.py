"""The fake modal: signs visitors in as the real one does, with the same code, but without a browser, a database or a chain."""

import asyncio
import os
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from secrets import token_urlsafe
from types import TracebackType
from typing import Any, Final, Self, TypeVar
from unittest.mock import patch

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.clock import MovableClock
from walletmodal.core.sign_in.message import iso_text, sign_in_text
from walletmodal.core.sign_in.session import SignInSession
from walletmodal.core.sign_in.token_claims import KeyDocument
from walletmodal.host import Modal
from walletmodal.host.modal import environments_modal
from walletmodal.services.chains.registry import Chains
from walletmodal.services.rpc.transport import RpcTransport
from walletmodal.services.sign_in import MemoryNonces, SigningKey, SignInProofs, SignInTerms, SignInTokens
from walletmodal.services.sign_in.keys import new_key
from walletmodal.testing.answers import AnsweringServer
from walletmodal.testing.forgeries import forged_tokens
from walletmodal.testing.wallet import FakeWallet

AUDIENCE: Final = "https://app.example.com"

T = TypeVar("T")


class FakeModal:
    """A modal whose visitors sign in by a call.

    Messages, checks of signatures, sessions and tokens are the product's own; accounts are those with a key, as no chain is there to
    ask a contract. Its server, on a free port of loopback, tells its keys and its sessions, so that `walletmodal.host` is tested as it is.

    Args:
        audience: origin of the host's page.
        clock: its time, and that of `verifier()`; default: one that stands at this moment until it is moved.

    Attributes:
        url: its origin: WALLETMODAL_URL of the host. audience: WALLETMODAL_AUDIENCE. api_key: WALLETMODAL_API_KEY.
        clock: moves by `clock.advance(seconds)`.
    """

    def __init__(self, audience: str = AUDIENCE, *, clock: MovableClock | None = None) -> None:
        self.audience = audience
        self.api_key = token_urlsafe(24)
        self.clock = clock or MovableClock(datetime.now(UTC))
        self._keys = [new_key()]
        self._sessions: dict[str, SignInSession] = {}
        self._proofs = SignInProofs(Chains(_no_node), MemoryNonces(self.clock), clock=self.clock)
        self._server = AnsweringServer(
            keys=self._published, session=self._told, end_session=self._ended, api_key=self.api_key
        )
        self.url = self._server.url
        self._tokens = SignInTokens(_Current(self._keys), self.url, clock=self.clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End its server."""
        self._server.close()

    # what visitors do

    def sign_in(self, wallet: FakeWallet, *, statement: str = "", nonce: str = "", page: str = "") -> SignInSession:
        """A visitor signs in: the wallet signs the message, and its signature is verified.

        Args:
            wallet: whose account.
            statement: the sentence to sign.
            nonce: the host's own, where it binds one; it comes back in the tokens.
            page: URL of the host's page where it is not the audience itself.

        Raises:
            UserRejectedRequestError: the wallet declines.
            SignInRefusedError: the signature proves nothing.
            ShapeError: there is no such message: the statement has two lines, the page is another origin's.
        """
        terms = SignInTerms(wallet.account, self.audience, page, statement or None, nonce or None)
        message = _settled(self._proofs.propose(wallet.address, terms))
        signature = wallet.sign_message(sign_in_text(message))
        proven = _settled(
            self._proofs.prove(wallet.address, message.nonce, signature, account=wallet.account, origin=self.audience)
        )
        session = proven.session()
        self._sessions[session.id] = session
        return session

    def token(self, session: SignInSession) -> str:
        """What `modal.getSession()` would give the page now: a fresh token, for five minutes.

        Raises:
            TokenError: the session is revoked or over.
            ValueError: another modal has signed the visitor in.
        """
        known = self._sessions.get(session.id)
        if known is None:
            raise ValueError("this modal has no such session: another one has signed the visitor in")
        return _settled(self._tokens.mint(known)).token

    def revoke(self, session: SignInSession) -> None:
        """The visitor signs out, or an operator ends the session: no more tokens, and `online` hosts refuse those there are."""
        self._ended(session.id)

    # what may go wrong

    def forged_tokens(self, session: SignInSession) -> dict[str, str]:
        """Tokens that a host must refuse, each by what is wrong with it: a table for a parametrized test of a login."""
        return forged_tokens(self.token(session), self._keys[-1], self.clock.now())

    def rotate_keys(self) -> None:
        """From now on another key signs; the old ones stay published."""
        self._keys.append(new_key())

    @property
    def away(self) -> bool:
        """Whether its server answers everything with 503; may be set."""
        return self._server.away

    @away.setter
    def away(self, away: bool) -> None:
        self._server.away = away

    @property
    def asked(self) -> tuple[str, ...]:
        """What its server was asked, such as `GET /.well-known/jwks.json`, the oldest first."""
        return tuple(self._server.asked)

    # what the host has of it

    @property
    def environment(self) -> dict[str, str]:
        """The variables by which a host's server knows it."""
        return {
            "WALLETMODAL_URL": self.url,
            "WALLETMODAL_AUDIENCE": self.audience,
            "WALLETMODAL_API_KEY": self.api_key,
        }

    def verifier(self) -> Modal:
        """The modal as a host's server knows it, by this modal's clock."""
        return Modal(self.url, self.audience, api_key=self.api_key, clock=self.clock)

    @contextmanager
    def believed(self) -> Iterator[Self]:
        """Within it, it is the modal of the environment: `walletmodal.host.verify` and the adapters believe it, by its clock."""
        known = self.verifier()
        with patch.dict(os.environ, self.environment), patch.object(Modal, "from_environment", lambda: known):
            environments_modal.cache_clear()
            try:
                yield self
            finally:
                environments_modal.cache_clear()

    def _published(self) -> KeyDocument:
        return {"keys": [key.public for key in self._keys]}

    def _told(self, session_id: str) -> dict[str, str] | None:
        session = self._sessions.get(session_id)
        if session is None or not session.is_live(self.clock.now()):
            return None
        return {
            "id": session.id,
            "address": str(session.account),
            "chainId": session.chain,
            "origin": session.origin,
            "issuedAt": iso_text(session.issued_at),
            "expiresAt": iso_text(session.expires_at),
            "statement": session.statement,
        }

    def _ended(self, session_id: str) -> bool:
        session = self._sessions.get(session_id)
        if session is None or not session.is_live(self.clock.now()):
            return False
        self._sessions[session_id] = replace(session, revoked_at=self.clock.now())
        return True


class _Current:
    """The newest of the keys signs."""

    def __init__(self, keys: list[SigningKey]) -> None:
        self._keys = keys

    async def current(self) -> SigningKey:
        return self._keys[-1]


class _NoNode:
    """A network on which no account has code: a signature counts by its key alone."""

    async def request(self, _method: str, _params: object = ()) -> object:
        return "0x"


def _no_node(_chain: ChainId) -> RpcTransport:
    return _NoNode()


def _settled(work: Coroutine[Any, Any, T]) -> T:
    """Its outcome. In a thread of its own: the test that calls may run in an event loop, or not."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()

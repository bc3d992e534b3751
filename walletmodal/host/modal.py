"""The modal as a host's server knows it: its published keys, kept for a while, whether a session still counts, and what accounts own."""

import asyncio
import json
import os
import re
import threading
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from http.client import HTTPException
from typing import Final
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import OpenerDirector, Request, build_opener

from walletmodal.core.chains.caip import parse_account_id
from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.errors import CaipError, SettingProblem, SettingsError
from walletmodal.core.errors.sign_in import ModalUnreachableError, TokenError
from walletmodal.core.parsing.urls import is_secure_url, normal_origin
from walletmodal.core.sign_in.token_claims import KEYS_PATH, TOKEN_LIFETIME
from walletmodal.host.accounts import (
    AccountUnknownError,
    Activity,
    Balance,
    Token,
    read_activity,
    read_balance,
    read_tokens,
)
from walletmodal.host.http import NoRedirects
from walletmodal.host.keys import PublishedKeys
from walletmodal.host.tokens import SignedIn, read_token

KEYS_KEPT: Final = 600.0
"""Seconds; the modal publishes a key an hour before it signs."""
KEYS_ASKED_EVERY: Final = 10.0
"""Seconds: so often at most a token with a key that nobody knows makes us ask again."""
FIRST_KEYS_ASKED_EVERY: Final = 1.0
"""Seconds: while no keys are known, everybody who waits for them would ask one after the other."""
ANSWER_SECONDS: Final = 5.0
MAX_ANSWER: Final = 65_536
MAX_ACCOUNT_ANSWER: Final = 4 * 1024 * 1024
"""Bytes: two hundred tokens, or a page of transactions with all that they moved."""
MAX_DEPTH: Final = 16
"""Far more levels than any answer has."""
_BRACKET_OR_TEXT: Final = re.compile(rb'[\[{\]}]|"(?:[^"\\]|\\.)*(?:"|\Z)', re.DOTALL)

_EXAMPLES: Final = {
    "WALLETMODAL_URL": "https://modal.example.com",
    "WALLETMODAL_AUDIENCE": "https://app.example.com",
}


class Modal:
    """Verifies the tokens of one modal. One object serves all threads of a process.

    Args:
        url: the modal's origin.
        audience: the origin of the host's page.
        api_key: API_KEY of the modal's deployment; needed for `online`, and to ask about accounts.
        clock: what tokens and keys age by.

    Raises:
        SettingsError: one of them cannot be used.
    """

    def __init__(self, url: str, audience: str, *, api_key: str | None = None, clock: Clock | None = None) -> None:
        self.issuer, self.audience = _origin("WALLETMODAL_URL", url), _origin("WALLETMODAL_AUDIENCE", audience)
        if not is_secure_url(url):
            raise SettingsError([_problem("WALLETMODAL_URL", "must be https, or http on loopback")])
        self._api_key, self._clock = api_key, clock or SystemClock()
        self._opener: OpenerDirector = build_opener(NoRedirects)
        self._reading = threading.Lock()
        self._keys: PublishedKeys | None = None
        self._read_at = self._asked_at = float("-inf")

    @classmethod
    def from_environment(cls) -> "Modal":
        """The modal of WALLETMODAL_URL, WALLETMODAL_AUDIENCE and, where it is set, WALLETMODAL_API_KEY.

        Raises:
            SettingsError: names what is missing or wrong.
        """
        given = {name: os.environ.get(name, "").strip() for name in _EXAMPLES}
        missing = [_problem(name, "is missing") for name, value in given.items() if not value]
        if missing:
            raise SettingsError(missing)
        return cls(*given.values(), api_key=os.environ.get("WALLETMODAL_API_KEY", "").strip() or None)

    def verify(self, token: object, *, online: bool = False, nonce: str | None = None) -> SignedIn:
        """Who a token says is signed in.

        Args:
            token: as the page gave it; anything may come.
            online: whether to ask the modal if the session still counts; else a revoked one is noticed within five minutes and `LEEWAY`.
            nonce: the host's own, where it has bound one to the sign-in.

        Raises:
            TokenError: nobody is signed in by it.
            ModalUnreachableError: the modal had to be asked, and does not answer.
            SettingsError: `online` without an API key.
        """
        signed_in = self._read(token, nonce)
        if online:
            self._ask_about(signed_in)
        return signed_in

    def confirm(self, signed_in: SignedIn) -> SignedIn:
        """The same visitor, believed for five minutes from now on, if the modal says that the session still counts.

        Raises:
            TokenError: it does not.
            ModalUnreachableError: the modal does not answer.
            SettingsError: no API key.
        """
        self._ask_about(signed_in)
        now = self._clock.now()
        return replace(signed_in, issued_at=now, expires_at=now + TOKEN_LIFETIME)

    def end(self, signed_in: SignedIn) -> None:
        """Revoke the session, for every page that asks about it: the visitor has to sign again. One that is over stays so.

        Raises:
            ModalUnreachableError: the modal does not answer.
            SettingsError: no API key.
        """
        self._call("DELETE", _session_path(signed_in), self._needed_api_key())

    def balance(self, account: str) -> Balance:
        """How much an account has of the native coin of its network. Anybody's account may be asked about.

        Args:
            account: CAIP-10, such as `SignedIn.account`.

        Raises:
            AccountUnknownError: it is none, or of a network that the modal cannot be asked about.
            ModalUnreachableError: the modal, or those whom it asks, do not answer.
            SettingsError: no API key.
        """
        return read_balance(self._ask_of(account, "balance"))

    def tokens(self, account: str) -> tuple[Token, ...]:
        """What an account owns on its network, the native coin too, the most valuable first; at most two hundred. As `balance`."""
        return read_tokens(self._ask_of(account, "tokens"))

    def activity(self, account: str, *, cursor: str | None = None) -> Activity:
        """A page of what an account did on its network; `cursor`: `next` of the page before. As `balance`."""
        return read_activity(
            self._ask_of(account, "activity" + (f"?cursor={quote(cursor, safe='')}" if cursor else ""))
        )

    async def abalance(self, account: str) -> Balance:
        """`balance` for async code."""
        return await asyncio.to_thread(self.balance, account)

    async def atokens(self, account: str) -> tuple[Token, ...]:
        """`tokens` for async code."""
        return await asyncio.to_thread(self.tokens, account)

    async def aactivity(self, account: str, *, cursor: str | None = None) -> Activity:
        """`activity` for async code."""
        return await asyncio.to_thread(self.activity, account, cursor=cursor)

    def now(self) -> datetime:
        """The time by which tokens are judged."""
        return self._clock.now()

    @property
    def can_ask(self) -> bool:
        """Whether it has the API key by which the modal is asked about sessions."""
        return self._api_key is not None

    def _read(self, token: object, nonce: str | None, kept: float = KEYS_KEPT) -> SignedIn:
        keys = self._published(kept)
        try:
            return read_token(
                token,
                keys=keys,
                issuer=self.issuer,
                audience=self.audience,
                nonce=nonce,
                now=self._clock.now(),
            )
        except TokenError as error:
            if error.fault != "key" or not kept:
                raise
        # It may be signed with a key that was made since.
        return self._read(token, nonce, kept=0)

    def _published(self, kept: float) -> PublishedKeys:
        """The keys, at most so many seconds old where the modal answers in time; older ones rather than none."""
        # While one thread asks, the others go on with what there is.
        if self._reading.acquire(blocking=self._keys is None):
            try:
                now = self._clock.monotonic()
                if self._keys is None and now - self._asked_at < FIRST_KEYS_ASKED_EVERY:
                    raise ModalUnreachableError("it has just not told its keys")
                if self._keys is None or min(now - self._read_at - kept, now - self._asked_at - KEYS_ASKED_EVERY) > 0:
                    self._ask_for_keys(now)
            finally:
                self._reading.release()
        if self._keys is None:
            raise ModalUnreachableError("it has not told its keys")
        return self._keys

    def _ask_for_keys(self, now: float) -> None:
        try:
            found = PublishedKeys(self._get(KEYS_PATH))
        except ModalUnreachableError:
            if self._keys is None:
                raise
            return
        finally:
            # From its end on: those who have waited for a silent modal do not each wait for it once more.
            self._asked_at = self._clock.monotonic()
        if len(found):
            self._keys, self._read_at = found, now

    def _ask_about(self, signed_in: SignedIn) -> None:
        found = self._get(_session_path(signed_in), self._needed_api_key())
        if not isinstance(found, Mapping):
            raise TokenError("revoked")
        told = {name: found.get(name) for name in ("id", "address", "origin")}
        if told != {"id": signed_in.session_id, "address": signed_in.account, "origin": signed_in.origin}:
            raise TokenError("revoked", "the modal tells of another session")

    def _ask_of(self, account: str, what: str) -> object:
        key = self._needed_api_key()
        try:
            path = f"/v1/accounts/{quote(str(parse_account_id(account)), safe=':')}/{what}"
        except CaipError as error:
            raise AccountUnknownError(account) from error
        found = self._get(path, key, nothing=(400, 404), most=MAX_ACCOUNT_ANSWER)
        if found is None:
            raise AccountUnknownError(account)
        return found

    def _needed_api_key(self) -> str:
        if self._api_key is None:
            raise SettingsError([_problem("WALLETMODAL_API_KEY", "is needed to ask about sessions and accounts")])
        return self._api_key

    def _get(
        self, path: str, api_key: str | None = None, *, nothing: Collection[int] = (404,), most: int = MAX_ANSWER
    ) -> object:
        """The JSON of an answer of at most so many bytes; None where its status means that there is nothing."""
        body = self._call("GET", path, api_key, nothing=nothing, most=most)
        if body is not None and _depth(body) > MAX_DEPTH:
            # Python's reader follows brackets down the C stack as far as the recursion limit says, which libraries raise.
            raise ModalUnreachableError("nested")
        try:
            value: object = None if body is None else json.loads(body)
        except (ValueError, RecursionError) as error:
            raise ModalUnreachableError(type(error).__name__) from error
        return value

    def _call(
        self,
        method: str,
        path: str,
        api_key: str | None,
        *,
        nothing: Collection[int] = (404,),
        most: int = MAX_ANSWER,
    ) -> bytes | None:
        """The body of an answer; None where its status means that there is nothing."""
        headers = {"Accept": "application/json", **({"Authorization": f"Bearer {api_key}"} if api_key else {})}
        request = Request(self.issuer + path, headers=headers, method=method)  # noqa: S310 - the origin is https, or loopback
        try:
            with self._opener.open(request, timeout=ANSWER_SECONDS) as answer:
                body: bytes = answer.read(most + 1)
        except HTTPError as error:
            error.close()
            if error.code in nothing:
                return None
            raise ModalUnreachableError(f"status {error.code}") from error
        except (OSError, HTTPException, ValueError) as error:
            raise ModalUnreachableError(type(error).__name__) from error
        if len(body) > most:
            raise ModalUnreachableError("the answer is too large")
        return body


@lru_cache(maxsize=1)
def environments_modal() -> Modal:
    """The modal of the environment (`Modal.from_environment`): one for the process, for its keys are read once."""
    return Modal.from_environment()


def verify(token: object, *, online: bool = False, nonce: str | None = None) -> SignedIn:
    """Who a token says is signed in at the modal of the environment (`Modal.from_environment`).

    Args:
        token: as the page gave it; anything may come.
        online: whether to ask the modal if the session still counts; else a revoked one is noticed within five minutes and `LEEWAY`.
        nonce: the host's own, where it has bound one to the sign-in.

    Raises:
        TokenError: nobody is signed in by it.
        ModalUnreachableError: the modal had to be asked, and does not answer.
        SettingsError: the environment does not say which modal, or has no API key for `online`.
    """
    return environments_modal().verify(token, online=online, nonce=nonce)


def _origin(name: str, text: str) -> str:
    origin = normal_origin(text)
    if origin is None:
        raise SettingsError([_problem(name, "must be an origin: scheme, host and port")])
    return origin


def _problem(name: str, what: str) -> SettingProblem:
    return SettingProblem(name, what, _EXAMPLES.get(name, "at-least-24-characters-long"))


def _depth(body: bytes) -> int:
    """How many levels of brackets a JSON text has at most; those in its texts are none."""
    deepest = level = 0
    for found in _BRACKET_OR_TEXT.finditer(body):
        level += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(found[0], 0)
        deepest = max(deepest, level)
    return deepest


def _session_path(signed_in: SignedIn) -> str:
    return f"/v1/sessions/{quote(signed_in.session_id, safe='')}"

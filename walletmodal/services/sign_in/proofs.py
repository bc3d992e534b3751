"""A sign-in from the message that is given to a wallet to the proof that the account signed it."""

import asyncio
import re
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import AccountId, ChainId, parse_account_id
from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.errors import AddressError, ShapeError, TransportError, UrlRequiredError
from walletmodal.core.errors.sign_in import SignInRefusal, SignInRefusedError, SignInUncheckedError
from walletmodal.core.parsing.strict_json import read_json
from walletmodal.core.parsing.urls import normal_origin
from walletmodal.core.sign_in.cacao import PairingSignIn, cacao_nonce, parse_pairing_sign_in
from walletmodal.core.sign_in.message import MAX_SIGN_IN_TEXT, SignInMessage, parse_sign_in_message, sign_in_text
from walletmodal.core.sign_in.session import SignInSession, begun
from walletmodal.core.sign_in.solana import signable_texts
from walletmodal.services.chains.registry import Chains
from walletmodal.services.rpc import RpcTransport
from walletmodal.services.sign_in.nonces import Nonces
from walletmodal.services.sign_in.pairing import (
    NOBODY,
    PAIRING_NONCE_LIFETIME,
    PAIRING_VISITOR,
    PairingTerms,
    answers,
    load_proposal,
    verify_all,
)

NONCE_LIFETIME: Final = timedelta(minutes=10)
"""So long a visitor may take to sign."""
SESSION_LIFETIME: Final = timedelta(days=7)
CHECK_SECONDS: Final = 15.0
"""So long the nodes of a network may take to say whether a contract account signed."""
MAX_PATH: Final = 512
MAX_SIGNATURE: Final = 33_000
"""Characters; those of contract accounts are the longest (`services.chains.eip155.signatures`)."""

_NONCE_BYTES: Final = 16
_NONCE: Final = re.compile(rf"[0-9a-f]{{{2 * _NONCE_BYTES}}}")


@dataclass(frozen=True, slots=True)
class SignInTerms:
    """What a visitor is to sign.

    Attributes:
        account: who signs, and on which network.
        origin: of the host page.
        page: its URL; what stands behind the path is left out, for it may be somebody's secret.
        statement: one line for people, or None.
        request_id: a nonce of the host's own, or None.
        resources: URIs.
    """

    account: AccountId
    origin: str
    page: str = ""
    statement: str | None = None
    request_id: str | None = None
    resources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProvenSignIn:
    """A sign-in that was verified; only `SignInProofs` makes one.

    Attributes:
        message: what the visitor agreed to.
        text: what was signed; signature: by the account.
        origin: of the host page.
        proven_at: when.
        by_contract: no key explains the signature, a contract says that it is good.
    """

    message: SignInMessage
    text: str
    signature: str
    origin: str
    proven_at: datetime
    by_contract: bool = False

    def session(self) -> SignInSession:
        """The session that it begins; each has an id of its own."""
        return begun(
            self.message,
            text=self.text,
            signature=self.signature,
            origin=self.origin,
            proven_at=self.proven_at,
            by_contract=self.by_contract,
        )


class SignInProofs:
    """Makes messages and verifies what wallets make of them.

    Args:
        chains: who verifies signatures.
        nonces: where messages wait for their signature.
        clock: what times are told by.
        session_lifetime: how long a sign-in lasts; the visitor signs when it ends.
        check_seconds: how long a contract account may be asked.
        networks: CAIP-2 ids of those whose contracts are believed; None: all. A page may add any network, and on one whose operator lies
            a contract stands at anybody's address. Keys are believed everywhere: they prove their address by themselves.
    """

    def __init__(
        self,
        chains: Chains,
        nonces: Nonces,
        *,
        clock: Clock | None = None,
        session_lifetime: timedelta = SESSION_LIFETIME,
        check_seconds: float = CHECK_SECONDS,
        networks: Collection[str] | None = None,
    ) -> None:
        self._chains, self._nonces, self._clock = chains, nonces, clock or SystemClock()
        self._without_nodes = Chains(_no_node)
        self._session_lifetime, self._check_seconds = session_lifetime, check_seconds
        self._networks = None if networks is None else frozenset(networks)

    async def propose(self, visitor: str, terms: SignInTerms) -> SignInMessage:
        """A message for a visitor to sign once, within ten minutes. Its text is `core.sign_in.message.sign_in_text`.

        Args:
            visitor: the id of whose session it is; nobody else can use the message.
            terms: what it says.

        Raises:
            AddressError: the account's address is none.
            ShapeError: the terms make no message: the origin is none, the page is another one's, a text is too long.
            SignInUnavailableError: it could not be kept.
        """
        message = self._message(terms)
        if len(sign_in_text(message).encode()) > MAX_SIGN_IN_TEXT:
            raise ShapeError(f"SignInMessage: longer than {MAX_SIGN_IN_TEXT} bytes")
        kept = message.model_dump_json(by_alias=True)
        await self._nonces.keep(visitor, message.nonce, kept, NONCE_LIFETIME.total_seconds())
        return message

    async def prove(
        self,
        visitor: str,
        nonce: object,
        signature: object,
        *,
        account: AccountId,
        origin: str,
        text: object = None,
    ) -> ProvenSignIn:
        """What a wallet answered, verified. The nonce is used up by it, whatever comes out.

        Args:
            visitor: as in `propose`.
            nonce: of the message.
            signature: as wallets of the namespace write it.
            account: the account that is active now.
            origin: of the host page that is connected now.
            text: what the wallet says that it signed, where it wrote the text itself (`core.solana_sign_in`); None for our text.

        Raises:
            SignInRefusedError: it proves nothing.
            SignInUncheckedError: only a contract could tell, and it could not be asked.
            SignInUnavailableError: the message could not be found.
        """
        if not isinstance(nonce, str) or not _NONCE.fullmatch(nonce):
            raise SignInRefusedError("unknown")
        message = _read(await self._nonces.take(visitor, nonce))
        if message is None:
            raise SignInRefusedError("unknown")
        now = self._clock.now()
        refusal = _broken_rule(message, account, origin, now)
        if refusal is not None:
            raise SignInRefusedError(refusal)
        signed = _signed_text(message, text)
        if signed is None:
            raise SignInRefusedError("another_text")
        if not isinstance(signature, str) or len(signature) > MAX_SIGNATURE:
            raise SignInRefusedError("not_signed")
        if not await self.is_signed(message.account_id, signed, signature):
            raise SignInRefusedError("not_signed")
        by_contract = await self._is_by_contract(message.account_id, signed, signature)
        return ProvenSignIn(message, signed, signature, origin, now, by_contract)

    async def propose_pairing(self, visitor: str, terms: PairingTerms) -> PairingSignIn:
        """What a pairing asks for besides the connection; for one answer within an hour, whichever of its codes is scanned.

        Raises:
            ShapeError: the terms make no message.
            SignInUnavailableError: it could not be kept.
        """
        terms.check()
        account = parse_account_id(f"{terms.chains[0]}:{NOBODY}")
        common = SignInTerms(account, terms.origin, terms.page, terms.statement, terms.request_id, terms.resources)
        fields = {"message": self._message(common), "chains": terms.chains, "methods": terms.methods}
        asked = parse_pairing_sign_in(fields)
        ttl = PAIRING_NONCE_LIFETIME.total_seconds()
        kept = asked.model_dump_json(by_alias=True)
        await self._nonces.keep(PAIRING_VISITOR + visitor, asked.message.nonce, kept, ttl)
        return asked

    async def prove_pairing(self, visitor: str, cacaos: object, *, origin: str) -> list[ProvenSignIn]:
        """What a wallet signed while pairing, verified: all of it, or nothing. The nonce is used up by it, whatever comes out.

        Args:
            visitor: as in `propose_pairing`.
            cacaos: what came from the wallet.
            origin: of the host page that is connected now.

        Raises:
            SignInRefusedError, SignInUncheckedError, SignInUnavailableError: as `prove`.
        """
        nonce = cacao_nonce(cacaos[0]) if isinstance(cacaos, list) and cacaos else ""
        if not _NONCE.fullmatch(nonce):
            raise SignInRefusedError("unknown")
        asked = load_proposal(await self._nonces.take(PAIRING_VISITOR + visitor, nonce))
        now = self._clock.now()
        signed = answers(cacaos, asked, origin, now, max_signature=MAX_SIGNATURE)
        await verify_all(signed, self.is_signed)
        return [
            ProvenSignIn(
                one.message,
                one.text,
                one.signature,
                origin,
                now,
                await self._is_by_contract(one.message.account_id, one.text, one.signature),
            )
            for one in signed
        ]

    async def is_signed(self, account: AccountId, text: str, signature: str) -> bool:
        """Whether an account signed a text, as far as is known now: a contract account may say something else later.

        Raises:
            SignInUncheckedError: only a contract could tell, and it could not be asked in time.
        """
        known = self._networks is None or str(account.chain) in self._networks
        adapter = (self._chains if known else self._without_nodes).adapter(account.namespace)
        try:
            async with asyncio.timeout(self._check_seconds):
                return await adapter.verify_message(account.chain, account.address, text, signature)
        except AddressError:
            return False
        except UrlRequiredError as error:
            if not known:
                return False
            raise SignInUncheckedError(type(error).__name__) from error
        except (TransportError, TimeoutError) as error:
            raise SignInUncheckedError(type(error).__name__) from error

    async def _is_by_contract(self, account: AccountId, text: str, signature: str) -> bool:
        """Whether a contract had to say that a good signature is one, because no key explains it."""
        if account.namespace != "eip155":
            return False
        adapter = self._without_nodes.adapter(account.namespace)
        try:
            return not await adapter.verify_message(account.chain, account.address, text, signature)
        except UrlRequiredError:
            return True

    def _message(self, terms: SignInTerms) -> SignInMessage:
        account, now = terms.account, self._clock.now()
        # Texts tell times to the millisecond; what is kept is to say the same.
        issued = now.replace(microsecond=now.microsecond // 1000 * 1000)
        return parse_sign_in_message(
            {
                "domain": _domain(terms.origin),
                "accountAddress": normal_address(account.namespace, account.address),
                "uri": _uri(terms.origin, terms.page),
                "chainId": str(account.chain),
                "nonce": secrets.token_hex(_NONCE_BYTES),
                "issuedAt": issued.isoformat(),
                "expirationTime": (issued + self._session_lifetime).isoformat(),
                "statement": terms.statement,
                "requestId": terms.request_id,
                "resources": terms.resources,
            }
        )


def _no_node(_chain: ChainId) -> RpcTransport:
    raise UrlRequiredError


def _domain(origin: str) -> str:
    if normal_origin(origin) != origin:
        raise ShapeError("SignInMessage.domain: the page has no origin")
    return origin.partition("://")[2]


def _uri(origin: str, page: str) -> str:
    """The page without what stands behind its path, or the origin where it says no more."""
    try:
        parts = urlsplit(page or origin)
    except ValueError as error:
        raise ShapeError("SignInMessage.uri: the page has no URL") from error
    if normal_origin(f"{parts.scheme}://{parts.netloc}") != origin:
        raise ShapeError("SignInMessage.uri: the page is of another origin")
    return origin + (parts.path if len(parts.path) <= MAX_PATH else "")


def _read(kept: str | None) -> SignInMessage | None:
    return None if kept is None else parse_sign_in_message(read_json(kept.encode()))


def _broken_rule(message: SignInMessage, account: AccountId, origin: str, now: datetime) -> SignInRefusal | None:
    if str(account.chain) != message.chain_id or _normal(account) != message.account_address:
        return "another_account"
    if message.domain != origin.partition("://")[2] or not _is_of(message.uri, origin):
        return "another_page"
    if message.expiration_time is not None and message.expiration_time <= now:
        return "expired"
    return None if message.holds(now) else "too_early"


def _normal(account: AccountId) -> str | None:
    try:
        return normal_address(account.namespace, account.address)
    except AddressError:
        return None


def _is_of(uri: str, origin: str) -> bool:
    return uri == origin or uri.startswith(f"{origin}/")


def _signed_text(message: SignInMessage, text: object) -> str | None:
    """The text whose signature counts: ours byte by byte, or the one that the wallet had to make of the same fields."""
    texts = signable_texts(message)
    if text is None:
        return texts[0]
    return text if isinstance(text, str) and text in texts else None

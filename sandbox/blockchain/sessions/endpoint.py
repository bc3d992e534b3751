"""The calls below /v1/sessions: permissions whose context the service itself can redeem (ERC-7710). Creating and activating are experimental at the public service too."""

import secrets
import uuid
from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import urlsplit

from eth_keys.datatypes import PrivateKey
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response

from walletmodal.core.clock import Clock
from walletmodal.sandbox.answers import json_answer
from walletmodal.sandbox.blockchain.chains import Chains
from walletmodal.sandbox.blockchain.failures import RefusedError
from walletmodal.sandbox.blockchain.requests import WHOLE, Asset, asset, body, optional, required
from walletmodal.sandbox.blockchain.sessions.redemption import require_redeemable
from walletmodal.sandbox.blockchain.sessions.store import Session, SessionStore, Terms
from walletmodal.sandbox.blockchain.signatures import require_signature

_Objects = Annotated[list[dict[str, Any]], Field(max_length=50)]
_Expiry = Annotated[int, Field(ge=0, lt=2**53), WHOLE]
_Pci = Annotated[str, Field(min_length=1, max_length=64)]


class GrantRequest(BaseModel):
    """What a page asks for: `expiry` in Unix seconds, one signer, permissions, policies."""

    model_config = ConfigDict(frozen=True, strict=True)

    expiry: _Expiry
    signer: dict[str, Any]
    permissions: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=50)]
    policies: _Objects = []


class ActivateRequest(GrantRequest):
    """The grant as the wallet made it: `pci` is the permission's id, `context` the wallet's."""

    pci: _Pci
    context: Annotated[str, Field(min_length=1, max_length=65_536)]


class RevokeRequest(BaseModel):
    """The account signs the text of the permission's id."""

    model_config = ConfigDict(frozen=True, strict=True)

    pci: _Pci
    signature: str


class SessionsEndpoint:
    """Answers about permissions.

    Args:
        chains: whose accounts can grant.
        store: the permissions.
        clock: for expiry.
    """

    def __init__(self, chains: Chains, store: SessionStore, clock: Clock) -> None:
        self._chains = chains
        self._store = store
        self._clock = clock

    async def list_or_create(self, request: Request) -> Response:
        """Answer a GET with the account's permissions, and a POST by preparing another."""
        return await (self._create(request) if request.method == "POST" else self._listing(request))

    async def _listing(self, request: Request) -> Response:
        """Answer with `{pcis}`: those that a wallet granted."""
        sessions = self._store.of_account(self._account(request).caip10)
        return json_answer({"pcis": [one.as_json() for one in sessions if one.terms.context is not None]})

    async def _create(self, request: Request) -> Response:
        """Prepare a permission; answer with `{pci, key}`, the key that the service will co-sign with."""
        account = self._account(request)
        wish = await body(request, GrantRequest)
        now = self._now()
        if wish.expiry <= now:
            raise RefusedError(400, "expiry", "The permission would be expired already")
        key = secrets.token_bytes(32)
        terms = Terms(_project(request), wish.expiry, wish.signer, wish.permissions, wish.policies)
        session = Session(str(uuid.uuid4()), account.caip10, now, key.hex(), terms)
        self._store.put(session)
        return json_answer({"pci": session.pci, "key": {"type": "secp256k1", "publicKey": _public_key(key)}})

    async def activate(self, request: Request) -> Response:
        """Keep what the wallet granted; answer with nothing."""
        account = self._account(request)
        wish = await body(request, ActivateRequest)
        session = self.usable(account, wish.pci)
        await require_redeemable(account, session, wish.context, wish.expiry)
        terms = replace(
            session.terms,
            expiry=wish.expiry,
            signer=wish.signer,
            permissions=wish.permissions,
            policies=wish.policies,
            context=wish.context,
        )
        self._store.put(replace(session, terms=terms))
        return Response(status_code=200)

    async def context(self, request: Request) -> Response:
        """Answer with `{context}` of a granted permission."""
        session = self.usable(self._account(request), required(request, "pci"))
        if session.terms.context is None:
            raise RefusedError(400, "pci", "The permission was not granted yet")
        return json_answer({"context": session.terms.context})

    async def revoke(self, request: Request) -> Response:
        """Revoke a permission for the account that signed its id; answer with nothing."""
        account = self._account(request)
        wish = await body(request, RevokeRequest)
        session = self._known(account, wish.pci)
        if session.terms.revoked_at is not None:
            raise RefusedError(400, "pci", "The permission is revoked already")
        await require_signature(account.chain, account.address, wish.pci, wish.signature)
        self._store.revoke(session, self._now())
        return Response(status_code=200)

    def _account(self, request: Request) -> Asset:
        return asset(self._chains, request.path_params["address"], "address")

    def _known(self, account: Asset, pci: str) -> Session:
        session = self._store.get(account.caip10, pci)
        if session is None:
            raise RefusedError(400, "pci", "The permission was not found")
        return session

    def knows(self, account: Asset, pci: str) -> bool:
        """Whether an account has a permission of this id, in whatever state."""
        return self._store.get(account.caip10, pci) is not None

    def usable(self, account: Asset, pci: str) -> Session:
        """An account's permission that is neither revoked nor expired.

        Raises:
            RefusedError: 400, there is none.
        """
        session = self._known(account, pci)
        if session.terms.revoked_at is not None:
            raise RefusedError(400, "pci", "The permission is revoked")
        if session.terms.expiry <= self._now():
            raise RefusedError(400, "pci", "The permission is expired")
        return session

    def _now(self) -> int:
        return int(self._clock.now().timestamp())


def _project(request: Request) -> dict[str, Any]:
    project, origin = optional(request, "projectId") or "sandbox", request.headers.get("origin", "")[:300]
    try:
        host = urlsplit(origin).netloc
    except ValueError:
        host = ""
    return {"id": project, "name": host or project, "url": origin or None, "iconUrl": None}


def _public_key(key: bytes) -> str:
    return "0x04" + PrivateKey(key).public_key.to_bytes().hex()

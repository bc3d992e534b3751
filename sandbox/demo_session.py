"""The demo page's own server: it verifies sign-in tokens with `walletmodal.host`, as any host's server does."""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from walletmodal.host import Modal, ModalUnreachableError, TokenError
from walletmodal.sandbox.answers import json_answer, refusal
from walletmodal.sandbox.settings import SandboxSettings


def session_endpoint(settings: SandboxSettings) -> Callable[[Request], Awaitable[Response]]:
    """`POST /demo/session` with `Authorization: Bearer <token>`: whom the token signs in. Nobody is remembered."""
    modals: dict[str, Modal] = {}

    async def session(request: Request) -> Response:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        origin = request.headers.get("origin", "")
        if origin not in settings.demo_origins:
            return refusal(403, "origin", "Tokens are taken from the demo's own pages")
        if scheme.lower() != "bearer":
            return refusal(401, "authorization", "There is no token")
        modal = modals.setdefault(origin, Modal(settings.modal_origin, origin))
        try:
            signed_in = await asyncio.to_thread(modal.verify, token)
        except TokenError as error:
            return refusal(401, "authorization", f"The token is refused: {error.fault}")
        except ModalUnreachableError:
            return refusal(503, "modal", "The modal does not answer")
        verified = {"account": signed_in.account, "expiresAt": signed_in.expires_at.isoformat()}
        return json_answer({**verified, "session": signed_in.session_id}, headers={"cache-control": "no-store"})

    return session

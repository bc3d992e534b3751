"""Endpoints of Starlette for visitors who are signed in. Needs `walletmodal[starlette]`.

    @require_sign_in()
    async def members(request: Request) -> Response:
        return PlainTextResponse(request.state.signed_in.account)

The token comes as `Authorization: Bearer …`; for plain navigation `sign_in` keeps it in the session of SessionMiddleware.
"""

from collections.abc import Awaitable, Callable
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any

try:
    from starlette.concurrency import run_in_threadpool
    from starlette.exceptions import HTTPException
    from starlette.requests import Request
    from starlette.responses import Response
except ImportError as error:
    raise ImportError("walletmodal.host.starlette needs Starlette: pip install 'walletmodal[starlette]'") from error

from walletmodal.host.admission import NO_STORE, Admission, Refusal, Visit
from walletmodal.host.modal import Modal
from walletmodal.host.remembered import NONCE, SIGN_IN, fresh_nonce, read_nonce, remembered
from walletmodal.host.tokens import SignedIn

Endpoint = Callable[..., Any]
AsyncEndpoint = Callable[..., Awaitable[Response]]
Nonce = Callable[[Request], str | None] | str | None
"""Which nonce of the host's a sign-in must carry: a text, or what tells it for a request (`kept_nonce`); None for none."""


def require_sign_in(
    modal: Modal | None = None,
    *,
    online: bool = False,
    nonce: Nonce = None,
) -> Callable[[Endpoint], AsyncEndpoint]:
    """A decorator for endpoints, sync or async, whose first argument is the request; `request.state.signed_in` tells who asks.

    Everybody else gets 401, 403 for what another page sends with the session's cookie, or 503 while the modal has to be asked and
    does not answer: an HTTPException, which the application's exception handlers may show as they like.

    Args:
        modal: which modal is believed; default: that of the environment.
        online: whether the modal is asked every time if the session still counts.
        nonce: the host's own, where it has bound one to the sign-in.
    """
    admission = Admission(modal, online=online)

    def decorate(endpoint: Endpoint) -> AsyncEndpoint:
        @wraps(endpoint)
        async def guarded(request: Request, *args: Any, **named: Any) -> Response:
            request.state.signed_in = await signed_in_of(request, admission, nonce)
            if not iscoroutinefunction(endpoint):
                answer: Response = await run_in_threadpool(endpoint, request, *args, **named)
            else:
                answer = await endpoint(request, *args, **named)
            for name, value in NO_STORE.items():
                answer.headers.setdefault(name, value)
            return answer

        return guarded

    return decorate


async def signed_in_of(request: Request, admission: Admission, nonce: Nonce) -> SignedIn:
    """Who sends the request.

    Raises:
        HTTPException: nobody who is signed in; status, detail and headers as `Refusal` has them.
    """
    session = request.scope.get("session")
    found = await admission.admit_soon(
        Visit(
            method=request.method,
            authorization=request.headers.get("authorization"),
            origin=request.headers.get("origin"),
            kept=None if session is None else session.get(SIGN_IN),
            nonce=(nonce(request) or "") if callable(nonce) else nonce,
        )
    )
    if isinstance(found, Refusal):
        raise HTTPException(found.status, found.message, found.headers)
    if found.keep is not None:
        request.session[SIGN_IN] = found.keep
    return found.signed_in


def sign_in(request: Request, signed_in: SignedIn) -> None:
    """Remember in the host's session who is signed in.

    It is believed as long as the token was; after that the modal is asked, if there is an API key, or the page sends a new token.

    Args:
        request: the one of this view.
        signed_in: of this request, as `require_sign_in` has found it.
    """
    request.session[SIGN_IN] = remembered(signed_in)


def sign_out(request: Request) -> None:
    """Forget in the host's session who is signed in, and the nonce. The modal's own session goes on: `Modal.end` ends it."""
    request.session.pop(SIGN_IN, None)
    request.session.pop(NONCE, None)


def sign_in_nonce(request: Request) -> str:
    """The nonce of this visitor, for the page's option `siwx: {nonce}`: made at the first call, and kept in the host's session."""
    nonce: str = kept_nonce(request) or fresh_nonce()
    request.session[NONCE] = nonce
    return nonce


def kept_nonce(request: Request) -> str | None:
    """The nonce that `sign_in_nonce` has given to this visitor: `require_sign_in(nonce=kept_nonce)`."""
    session = request.scope.get("session")
    return None if session is None else read_nonce(session.get(NONCE))

"""Views of Django for visitors who are signed in. Needs `walletmodal[django]`.

    @require_sign_in()
    def members(request: HttpRequest) -> HttpResponse:
        return HttpResponse(request.signed_in.account)

The token comes as `Authorization: Bearer …`; for plain navigation `sign_in` keeps it in Django's session. The view that a page sends its
token to is `csrf_exempt`: no other page can send the header.
"""

from collections.abc import Awaitable, Callable
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any

try:
    from django.http import HttpRequest, HttpResponse, JsonResponse
except ImportError as error:
    raise ImportError("walletmodal.host.django needs Django: pip install 'walletmodal[django]'") from error

from walletmodal.host.admission import NO_STORE, Admission, Admitted, Refusal, Visit
from walletmodal.host.modal import Modal
from walletmodal.host.remembered import NONCE, SIGN_IN, fresh_nonce, read_nonce, read_remembered, remembered
from walletmodal.host.tokens import SignedIn

View = Callable[..., HttpResponse | Awaitable[HttpResponse]]
Nonce = Callable[[HttpRequest], str | None] | str | None
"""Which nonce of the host's a sign-in must carry: a text, or what tells it for a request (`kept_nonce`); None for none. It is asked in
async views too, where the session is loaded by then."""
Refused = Callable[[HttpRequest, Refusal], HttpResponse]


def as_json(request: HttpRequest, refusal: Refusal) -> HttpResponse:  # noqa: ARG001 - the form of Refused
    """The answer to somebody who is not signed in: `{error: {code, message}}`."""
    body = {"error": {"code": refusal.code, "message": refusal.message}}
    return JsonResponse(body, status=refusal.status, headers=refusal.headers)


def require_sign_in(
    modal: Modal | None = None,
    *,
    online: bool = False,
    nonce: Nonce = None,
    refused: Refused = as_json,
) -> Callable[[View], View]:
    """A decorator for views, sync or async; `request.signed_in` tells who asks.

    Everybody else gets 401, 403 for what another page sends with the session's cookie, or 503 while the modal has to be asked and
    does not answer.

    Args:
        modal: which modal is believed; default: that of the environment.
        online: whether the modal is asked every time if the session still counts.
        nonce: the host's own, where it has bound one to the sign-in.
        refused: makes the answer to everybody else; Django has no exception for 401.
    """
    admission = Admission(modal, online=online)

    def decorate(view: View) -> View:
        def answer(request: HttpRequest, found: Admitted | Refusal) -> HttpResponse | None:
            if isinstance(found, Refusal):
                return refused(request, found)
            request.signed_in = found.signed_in
            return None

        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **named: Any) -> Any:
            found = admission.admit(_visit(request, _kept(request, SIGN_IN), nonce))
            if isinstance(found, Admitted) and found.keep is not None:
                request.session[SIGN_IN] = found.keep
            return answer(request, found) or _not_stored(view(request, *args, **named))

        @wraps(view)
        async def guarded_async(request: HttpRequest, *args: Any, **named: Any) -> Any:
            # The session is loaded before the nonce is asked for: what touches the database may not wait in an event loop.
            kept = await request.session.aget(SIGN_IN) if hasattr(request, "session") else None
            found = await admission.admit_soon(_visit(request, kept, nonce))
            if isinstance(found, Admitted) and found.keep is not None:
                await request.session.aset(SIGN_IN, found.keep)
            return answer(request, found) or _not_stored(await view(request, *args, **named))

        return guarded_async if iscoroutinefunction(view) else guarded

    return decorate


def sign_in(request: HttpRequest, signed_in: SignedIn) -> None:
    """Remember in the host's session who is signed in, under a new id of the session where it was somebody else.

    It is believed as long as the token was; after that the modal is asked, if there is an API key, or the page sends a new token.

    Args:
        request: the one of this view.
        signed_in: of this request, as `require_sign_in` has found it.
    """
    if _is_another(request, signed_in):
        # Whoever knew the id before, or has set it, does not know it any more.
        request.session.cycle_key()
    request.session[SIGN_IN] = remembered(signed_in)


async def asign_in(request: HttpRequest, signed_in: SignedIn) -> None:
    """`sign_in` for async views."""
    if _is_another(request, signed_in):
        await request.session.acycle_key()
    await request.session.aset(SIGN_IN, remembered(signed_in))


def sign_out(request: HttpRequest) -> None:
    """Forget in the host's session who is signed in, and the nonce. The modal's own session goes on: `Modal.end` ends it."""
    request.session.pop(SIGN_IN, None)
    request.session.pop(NONCE, None)


def sign_in_nonce(request: HttpRequest) -> str:
    """The nonce of this visitor, for the page's option `siwx: {nonce}`: made at the first call, and kept in the host's session."""
    nonce: str = kept_nonce(request) or fresh_nonce()
    request.session[NONCE] = nonce
    return nonce


def kept_nonce(request: HttpRequest) -> str | None:
    """The nonce that `sign_in_nonce` has given to this visitor: `require_sign_in(nonce=kept_nonce)`."""
    return read_nonce(_kept(request, NONCE))


def _not_stored(answer: Any) -> Any:
    for name, value in NO_STORE.items():
        answer.headers.setdefault(name, value)
    return answer


def _is_another(request: HttpRequest, signed_in: SignedIn) -> bool:
    kept = read_remembered(_kept(request, SIGN_IN), issuer=signed_in.issuer, audience=signed_in.origin)
    return kept is None or kept.session_id != signed_in.session_id


def _kept(request: HttpRequest, name: str) -> Any:
    return request.session.get(name) if hasattr(request, "session") else None


def _visit(request: HttpRequest, kept: object, nonce: Nonce) -> Visit:
    return Visit(
        method=request.method or "",
        authorization=request.headers.get("Authorization"),
        origin=request.headers.get("Origin"),
        kept=kept,
        nonce=(nonce(request) or "") if callable(nonce) else nonce,
    )

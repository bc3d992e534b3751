"""Views of Flask for visitors who are signed in. Needs `walletmodal[flask]`.

    @app.get("/members")
    @require_sign_in()
    def members() -> str:
        return g.signed_in.account

The token comes as `Authorization: Bearer …`; for plain navigation `sign_in` keeps it in Flask's session.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, ParamSpec

try:
    from flask import Response, after_this_request, current_app, g, request, session
    from werkzeug.exceptions import Forbidden, HTTPException, ServiceUnavailable, Unauthorized
except ImportError as error:
    raise ImportError("walletmodal.host.flask needs Flask: pip install 'walletmodal[flask]'") from error

from walletmodal.host.admission import NO_STORE, Admission, Refusal, Visit
from walletmodal.host.modal import Modal
from walletmodal.host.remembered import NONCE, SIGN_IN, fresh_nonce, read_nonce, remembered
from walletmodal.host.tokens import SignedIn

P = ParamSpec("P")
Nonce = Callable[[], str | None] | str | None
"""Which nonce of the host's a sign-in must carry: a text, or what tells it for this request (`kept_nonce`); None for none."""


class _Refused(HTTPException):
    """With the headers of every framework alike: werkzeug would leave out some quotes."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self._refusal = refusal

    def get_headers(self, *args: Any, **named: Any) -> list[tuple[str, str]]:
        return [*super().get_headers(*args, **named), *self._refusal.headers.items()]


class _Unauthorized(_Refused, Unauthorized): ...


class _Forbidden(_Refused, Forbidden): ...


class _ServiceUnavailable(_Refused, ServiceUnavailable): ...


_ANSWERS: Final[dict[int, type[_Refused]]] = {401: _Unauthorized, 403: _Forbidden, 503: _ServiceUnavailable}


def require_sign_in(
    modal: Modal | None = None,
    *,
    online: bool = False,
    nonce: Nonce = None,
) -> Callable[[Callable[P, Any]], Callable[P, Any]]:
    """A decorator for views, sync or async; `flask.g.signed_in` tells who asks. It stands below the route's own.

    Everybody else gets 401, 403 for what another page sends with the session's cookie, or 503 while the modal has to be asked and
    does not answer: exceptions of werkzeug, which the application's error handlers may show as they like.

    Args:
        modal: which modal is believed; default: that of the environment.
        online: whether the modal is asked every time if the session still counts.
        nonce: the host's own, where it has bound one to the sign-in.
    """
    admission = Admission(modal, online=online)

    def decorate(view: Callable[P, Any]) -> Callable[P, Any]:
        @wraps(view)
        def guarded(*args: P.args, **named: P.kwargs) -> Any:
            g.signed_in = _signed_in(admission, nonce)
            after_this_request(_not_stored)
            return current_app.ensure_sync(view)(*args, **named)

        return guarded

    return decorate


def sign_in(signed_in: SignedIn) -> None:
    """Remember in the host's session who is signed in.

    It is believed as long as the token was; after that the modal is asked, if there is an API key, or the page sends a new token.

    Args:
        signed_in: of this request, as `require_sign_in` has found it.
    """
    session[SIGN_IN] = remembered(signed_in)


def sign_out() -> None:
    """Forget in the host's session who is signed in, and the nonce. The modal's own session goes on: `Modal.end` ends it."""
    session.pop(SIGN_IN, None)
    session.pop(NONCE, None)


def sign_in_nonce() -> str:
    """The nonce of this visitor, for the page's option `siwx: {nonce}`: made at the first call, and kept in the host's session."""
    nonce: str = kept_nonce() or fresh_nonce()
    session[NONCE] = nonce
    return nonce


def kept_nonce() -> str | None:
    """The nonce that `sign_in_nonce` has given to this visitor: `require_sign_in(nonce=kept_nonce)`."""
    return read_nonce(session.get(NONCE))


def _not_stored(answer: Response) -> Response:
    for name, value in NO_STORE.items():
        answer.headers.setdefault(name, value)
    return answer


def _signed_in(admission: Admission, nonce: Nonce) -> SignedIn:
    found = admission.admit(
        Visit(
            method=request.method,
            authorization=request.headers.get("Authorization"),
            origin=request.headers.get("Origin"),
            kept=session.get(SIGN_IN),
            nonce=(nonce() or "") if callable(nonce) else nonce,
        )
    )
    if isinstance(found, Refusal):
        raise _ANSWERS[found.status](found)
    if found.keep is not None:
        session[SIGN_IN] = found.keep
    return found.signed_in

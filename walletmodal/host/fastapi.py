"""Dependencies of FastAPI for visitors who are signed in. Needs `walletmodal[fastapi]`.

    Visitor = Annotated[SignedIn, Depends(require_sign_in())]

    @app.get("/members")
    def members(visitor: Visitor) -> str:
        return visitor.account

The token comes as `Authorization: Bearer …`; for plain navigation `sign_in` keeps it in the session of Starlette's SessionMiddleware.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from contextvars import ContextVar
from typing import Annotated, Final

try:
    from fastapi import Request, Response, Security
    from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
except ImportError as error:
    raise ImportError("walletmodal.host.fastapi needs FastAPI: pip install 'walletmodal[fastapi]'") from error

from walletmodal.host import starlette
from walletmodal.host.admission import NO_STORE, Admission
from walletmodal.host.modal import Modal
from walletmodal.host.starlette import Nonce
from walletmodal.host.tokens import SignedIn

BEARER: Final = HTTPBearer(
    scheme_name="walletmodal", bearerFormat="JWT", description="A sign-in token of the modal", auto_error=False
)
"""How the host's own OpenAPI document tells of the token."""

sign_in = starlette.sign_in
sign_out = starlette.sign_out
sign_in_nonce = starlette.sign_in_nonce
kept_nonce = starlette.kept_nonce


# FastAPI gives a dependency's headers to an answer that it makes itself, and to none that the endpoint returns.
_answers_one_visitor: ContextVar[Response | None] = ContextVar("answers_one_visitor", default=None)
_init_headers: Final = Response.init_headers


def _not_stored(self: Response, headers: Mapping[str, str] | None = None) -> None:
    """`Response.init_headers`, with what keeps caches from an answer to a signed-in visitor that says nothing else."""
    _init_headers(self, headers)
    given = _answers_one_visitor.get()
    if given is not None:
        for name, value in NO_STORE.items():
            # What the endpoint has set on FastAPI's own response is put to it later.
            if name not in given.headers:
                self.headers.setdefault(name, value)


Response.init_headers = _not_stored  # type: ignore[method-assign]  # only in the context of such a request does it say anything


def require_sign_in(
    modal: Modal | None = None,
    *,
    online: bool = False,
    nonce: Nonce = None,
) -> Callable[..., AsyncIterator[SignedIn]]:
    """A dependency that yields who is signed in: `Annotated[SignedIn, Depends(require_sign_in())]`.

    Everybody else gets 401, 403 for what another page sends with the session's cookie, or 503 while the modal has to be asked and
    does not answer: an HTTPException, which the application's exception handlers may show as they like.

    Args:
        modal: which modal is believed; default: that of the environment.
        online: whether the modal is asked every time if the session still counts.
        nonce: the host's own, where it has bound one to the sign-in.
    """
    admission = Admission(modal, online=online)

    async def signed_in(
        request: Request,
        response: Response,
        _documented: Annotated[HTTPAuthorizationCredentials | None, Security(BEARER)],
    ) -> AsyncIterator[SignedIn]:
        found = await starlette.signed_in_of(request, admission, nonce)
        _answers_one_visitor.set(response)
        try:
            yield found
        finally:
            # Whoever runs several requests in one context, such as a test.
            _answers_one_visitor.set(None)

    return signed_in

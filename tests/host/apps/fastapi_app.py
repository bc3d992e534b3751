"""The host in FastAPI."""

from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request, Response
from fastapi.responses import PlainTextResponse, StreamingResponse
from starlette.middleware.sessions import SessionMiddleware

from walletmodal.host import Modal, SignedIn
from walletmodal.host.fastapi import kept_nonce, require_sign_in, sign_in, sign_in_nonce, sign_out


def make(modal: Modal) -> FastAPI:
    app = FastAPI(default_response_class=PlainTextResponse)
    app.add_middleware(SessionMiddleware, secret_key="of the host")
    visitor = Depends(require_sign_in(modal))

    @app.get("/members")
    async def members(signed_in: Annotated[SignedIn, visitor]) -> str:
        return signed_in.account

    @app.get("/members-sync")
    def members_sync(signed_in: Annotated[SignedIn, visitor]) -> str:
        return signed_in.account

    @app.get("/members-cached", dependencies=[visitor])
    async def members_cached(response: Response) -> str:
        response.headers["Cache-Control"] = "private, max-age=60"
        return ""

    @app.post("/orders")
    async def orders(signed_in: Annotated[SignedIn, visitor]) -> str:
        return signed_in.account

    @app.get("/online")
    async def online(signed_in: Annotated[SignedIn, Depends(require_sign_in(modal, online=True))]) -> str:
        return signed_in.account

    @app.get("/bound")
    async def bound(signed_in: Annotated[SignedIn, Depends(require_sign_in(modal, nonce=kept_nonce))]) -> str:
        return signed_in.account

    @app.get("/nonce")
    async def nonce(request: Request) -> str:
        return sign_in_nonce(request)

    @app.post("/session")
    async def enter(request: Request, signed_in: Annotated[SignedIn, visitor]) -> str:
        sign_in(request, signed_in)
        return "in"

    @app.delete("/session")
    async def leave(request: Request) -> str:
        sign_out(request)
        return "out"

    _answering(app, visitor)
    return app


def _answering(app: FastAPI, visitor: Any) -> None:
    """Endpoints whose answers FastAPI does not make."""

    @app.get("/members-answer")
    async def members_answer(signed_in: Annotated[SignedIn, visitor]) -> PlainTextResponse:
        return PlainTextResponse(signed_in.account)

    @app.get("/members-answer-sync")
    def members_answer_sync(signed_in: Annotated[SignedIn, visitor]) -> StreamingResponse:
        return StreamingResponse(iter([signed_in.account]))

    @app.get("/members-answer-cached", dependencies=[visitor])
    async def members_answer_cached() -> Response:
        return Response(headers={"Cache-Control": "private, max-age=60"})

    @app.get("/anybody")
    async def anybody() -> PlainTextResponse:
        return PlainTextResponse("")

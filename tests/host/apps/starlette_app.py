"""The host in Starlette."""

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from walletmodal.host import Modal
from walletmodal.host.starlette import kept_nonce, require_sign_in, sign_in, sign_in_nonce, sign_out


def make(modal: Modal) -> Starlette:
    @require_sign_in(modal)
    async def members(request: Request) -> PlainTextResponse:
        return PlainTextResponse(request.state.signed_in.account)

    @require_sign_in(modal)
    def members_sync(request: Request) -> PlainTextResponse:
        return PlainTextResponse(request.state.signed_in.account)

    @require_sign_in(modal)
    async def members_cached(_request: Request) -> PlainTextResponse:
        return PlainTextResponse("", headers={"Cache-Control": "private, max-age=60"})

    @require_sign_in(modal, online=True)
    async def online(request: Request) -> PlainTextResponse:
        return PlainTextResponse(request.state.signed_in.account)

    @require_sign_in(modal, nonce=kept_nonce)
    async def bound(request: Request) -> PlainTextResponse:
        return PlainTextResponse(request.state.signed_in.account)

    @require_sign_in(modal)
    async def enter(request: Request) -> PlainTextResponse:
        sign_in(request, request.state.signed_in)
        return PlainTextResponse("in")

    async def leave(request: Request) -> PlainTextResponse:
        sign_out(request)
        return PlainTextResponse("out")

    async def nonce(request: Request) -> PlainTextResponse:
        return PlainTextResponse(sign_in_nonce(request))

    return Starlette(
        routes=[
            Route("/members", members),
            Route("/members-sync", members_sync),
            Route("/members-cached", members_cached),
            Route("/orders", members, methods=["POST"]),
            Route("/online", online),
            Route("/bound", bound),
            Route("/nonce", nonce),
            Route("/session", enter, methods=["POST"]),
            Route("/session", leave, methods=["DELETE"]),
        ],
        middleware=[Middleware(SessionMiddleware, secret_key="of the host")],
    )

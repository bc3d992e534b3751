"""The directory over HTTP, as the public one answers."""

from collections.abc import Awaitable, Callable
from typing import Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from walletmodal.sandbox.answers import json_answer, refusal, service_app
from walletmodal.sandbox.directory.pictures import asset_picture, currency_picture, token_picture, wallet_picture
from walletmodal.sandbox.directory.query import WrongQueryError, read_wallet_query
from walletmodal.sandbox.directory.wallets import find_wallets

_PICTURE_HEADERS: Final = {
    "cache-control": "public, max-age=86400",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    "x-content-type-options": "nosniff",
}


def directory_service(sandbox_url: str) -> Starlette:
    """The directory's routes.

    Args:
        sandbox_url: where the sandbox's phone is found, which the directory lists too; without a slash at the end.
    """

    async def get_wallets(request: Request) -> Response:
        """`GET /getWallets`: one page of the wallets asked for, and how many there are in all."""
        try:
            query = read_wallet_query(request.query_params)
        except WrongQueryError as error:
            return refusal(400, error.field, error.description)
        found = find_wallets(query.wanted, sandbox_url)
        start = (query.page - 1) * query.entries
        page = found[start : start + query.entries]
        return json_answer({"count": len(found), "data": [wallet.model_dump(mode="json") for wallet in page]})

    return service_app(
        [
            Route("/getWallets", get_wallets, methods=["GET"]),
            Route("/getWalletImage/{name}", _picture_route(wallet_picture, "id"), methods=["GET"]),
            Route("/public/getAssetImage/{name}", _picture_route(asset_picture, "id"), methods=["GET"]),
            Route("/public/getCurrencyImage/{name}", _picture_route(currency_picture, "code"), methods=["GET"]),
            Route("/public/getTokenImage/{name}", _picture_route(token_picture, "symbol"), methods=["GET"]),
            Route("/getAnalyticsConfig", get_analytics_config, methods=["GET"]),
        ]
    )


async def get_analytics_config(_: Request) -> Response:
    """`GET /getAnalyticsConfig`: whether the project wants analytics; the sandbox does."""
    return json_answer({"isAnalyticsEnabled": True})


def _picture_route(picture_of: Callable[[str], str | None], field: str) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        picture = picture_of(request.path_params["name"])
        if picture is None:
            return refusal(404, field, "There is no such picture")
        return Response(picture, headers=_PICTURE_HEADERS, media_type="image/svg+xml")

    return answer

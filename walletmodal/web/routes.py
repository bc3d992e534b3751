"""The HTTP routes beside Reflex's own, in front of the app: what is not a route here goes on to it."""

from collections.abc import Mapping, Sequence
from typing import Any

from redis.asyncio import Redis
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, Router
from starlette.types import ASGIApp

from walletmodal.config import Settings
from walletmodal.core.chains.caip import ChainId
from walletmodal.deployment import deployment
from walletmodal.services import redis_clients
from walletmodal.services.rate_limit import MemoryRateLimit, Rate, RateLimit, RedisRateLimit
from walletmodal.web.answers import error_response, json_response
from walletmodal.web.browser import RATE as BROWSER_RATE
from walletmodal.web.drain import Drain
from walletmodal.web.health import Probe, health_endpoint, live
from walletmodal.web.host_api import ACCOUNTS_RATE, GUESS_RATE, KEYS_RATE, HostLimits
from walletmodal.web.host_api import RATE as HOST_RATE
from walletmodal.web.metrics import metrics_endpoint
from walletmodal.web.openapi import document
from walletmodal.web.record_figures import Figures, no_figures
from walletmodal.web.rpc import RATE, Ask, ClientName, RpcEndpoint


def open_redis(settings: Settings) -> Redis | None:
    """Opens the connections that the routes use, at the first use; None when no Redis is configured."""
    return None if settings.redis_url is None else redis_clients.open_redis(settings.redis_url)


async def ask_node(chain: ChainId, method: str, params: list[Any] | dict[str, Any]) -> object:
    """Sends a read-only call to the node that the deployment has for the chain.

    Raises:
        TransportError: no node is configured, or it gave no result.
    """
    return await deployment().host_rpc.transport(chain).request(method, params)


def build_routes(
    settings: Settings,
    *,
    probes: Mapping[str, Probe],
    limit: RateLimit,
    ask: Ask,
    client_name: ClientName,
    figures: Figures = no_figures,
    drain: Drain,
) -> Sequence[BaseRoute]:
    """Builds all routes; each answers 405 to other methods.

    Args:
        settings: of the deployment.
        probes: what `/_health` asks, by name.
        limit: how many RPC calls a client may make.
        ask: sends an RPC call to a node.
        client_name: who a request comes from, for the limit.
        figures: what `/metrics` tells besides what the workers count.
        drain: of this worker, for `/_health`.
    """
    key = settings.api_key.get_secret_value() if settings.api_key else None
    rpc = RpcEndpoint(ask=ask, networks=frozenset(settings.networks), limit=limit, client_name=client_name)
    found = [
        Route("/_health", health_endpoint(probes, drain), methods=["GET"]),
        Route("/_live", live, methods=["GET"]),
        Route("/metrics", metrics_endpoint(key, figures), methods=["GET"]),
        Route("/openapi.json", _described(settings.networks), methods=["GET"]),
        Route("/v1/rpc", _handler(rpc), methods=["POST"]),
        Route("/v1/rpc", _wrong_method),
        Route("/v1/{path:rest}", _unknown),
    ]
    if not settings.walletmodal_gallery:
        # The page is always in the build; the deployment decides whether it is shown.
        found += [
            Route("/gallery", _unknown),
            Route("/gallery/{path:path}", _unknown),
            Route("/gallery.{kind:path}", _unknown),
        ]
    return found


def with_routes(app: ASGIApp, routes: Sequence[BaseRoute]) -> ASGIApp:
    """Puts `routes` in front of the app."""
    return Router(routes, default=app, redirect_slashes=False)


def rpc_limit(redis: Redis | None) -> RateLimit:
    """Returns the limit of `/v1/rpc`: shared over Redis where there is one."""
    return _limit(redis, "rpc", RATE)


def host_limits(redis: Redis | None) -> HostLimits:
    """Returns the limits of the host API, likewise."""
    return HostLimits(
        calls=_limit(redis, "host", HOST_RATE),
        guesses=_limit(redis, "guesses", GUESS_RATE),
        keys=_limit(redis, "keys", KEYS_RATE),
        accounts=_limit(redis, "accounts", ACCOUNTS_RATE),
    )


def browser_limit(redis: Redis | None) -> RateLimit:
    """Returns the limit of `/v1/browser`, likewise."""
    return _limit(redis, "browser", BROWSER_RATE)


async def issue_ticket(holder: str) -> str:
    """A ticket for a browser.

    Raises:
        SignInUnavailableError: it could not be kept.
    """
    return await deployment().tickets.issue(holder)


def _limit(redis: Redis | None, name: str, rate: Rate) -> RateLimit:
    return MemoryRateLimit(rate) if redis is None else RedisRateLimit(redis, name, rate)


def _handler(endpoint: RpcEndpoint) -> Any:
    # Starlette takes an object with __call__ for an ASGI app.
    async def handle(request: Request) -> Response:
        return await endpoint(request)

    return handle


def _described(networks: Sequence[str]) -> Any:
    described = document(networks)

    async def handle(_request: Request) -> Response:
        return json_response(described)

    return handle


async def _wrong_method(_request: Request) -> Response:
    refusal = error_response(405, "method_not_allowed", "Calls are sent with POST.")
    refusal.headers["Allow"] = "POST"
    return refusal


async def _unknown(_request: Request) -> Response:
    return error_response(404, "not_found", "There is nothing here.")

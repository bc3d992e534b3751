"""Opens what social logins and Farcaster need, as far as they are set."""

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

import httpx
from sqlalchemy.ext.asyncio import AsyncEngine
from starlette.requests import Request
from starlette.routing import Route

from walletmodal.core.clock import Clock
from walletmodal.secure.calls.endpoint import Calls
from walletmodal.secure.calls.limits import Limits
from walletmodal.secure.calls.sessions import Sessions
from walletmodal.secure.custody.envelope import KeyRing
from walletmodal.secure.farcaster.calls import FarcasterCalls
from walletmodal.secure.farcaster.registries import Registries
from walletmodal.secure.farcaster.relay import Relay
from walletmodal.secure.pepper import Pepper
from walletmodal.secure.settings import Settings
from walletmodal.secure.social.accounts import SocialUsers
from walletmodal.secure.social.attempts import SocialAttempts
from walletmodal.secure.social.calls import Completion, SocialCalls
from walletmodal.secure.social.exchange import Exchange
from walletmodal.secure.social.http import provider_http
from walletmodal.secure.social.pages import SocialPages
from walletmodal.secure.users import Users
from walletmodal.services.rpc import RpcEndpoints


async def social_routes(
    settings: Settings,
    engine: AsyncEngine,
    clock: Clock,
    stack: AsyncExitStack,
    *,
    keys: KeyRing,
    pepper: Pepper,
    sessions: Sessions,
    users: Users,
    calls: Calls,
    nodes: RpcEndpoints,
    limits: Limits,
    admit: Callable[[Request], Awaitable[None]],
    transport: httpx.AsyncBaseTransport | None = None,
) -> list[Route]:
    """The routes of what is offered.

    `stack` closes what is opened here; `admit` counts a request whose answer costs something; `transport` leads to providers in this process.
    """
    clients, relay = settings.social_clients, settings.farcaster_relay
    if not clients and relay is None:
        return []
    http = await stack.enter_async_context(provider_http(transport))
    attempts = SocialAttempts(engine, keys, clock)
    completion = Completion(
        engine, clock, attempts=attempts, sessions=sessions, users=users, social_users=SocialUsers(keys, pepper)
    )
    routes: list[Route] = []
    if clients:
        pages = SocialPages(
            clients,
            attempts,
            Exchange(http, clock),
            admit,
            name=settings.mail_name,
            own_origin=settings.own_origin,
            modals=(*settings.modal_origins, *settings.secure_client_origins),
            openers=settings.sites,
        )
        routes += pages.routes()
        routes += SocialCalls(
            clients, attempts, completion, limits, own_origin=settings.own_origin, sites=settings.sites
        ).routes(calls)
    if relay is not None:
        routes += FarcasterCalls(
            Relay(http, relay),
            Registries(nodes),
            attempts,
            completion,
            limits,
            clock=clock,
            own_origin=settings.own_origin,
            own_host=settings.own_host,
        ).routes(calls)
    return routes

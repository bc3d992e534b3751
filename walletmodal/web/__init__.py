"""What the modal server answers over HTTP besides Reflex's own: routes, figures, health, and the headers of every answer.

Views and states live in `features`, calls to the outside in `services`.
"""

from collections.abc import Awaitable, Callable, Container, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import cast
from urllib.parse import urlsplit

from sqlalchemy import text
from starlette.types import ASGIApp

from walletmodal.config import Settings
from walletmodal.core.accounts.tokens import TokenBalance, worth_sort_key
from walletmodal.core.accounts.transactions import HistoryPage
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.parsing.urls import is_loopback_host
from walletmodal.db.engine import open_engine
from walletmodal.deployment import deployment
from walletmodal.reflex_internals.view_texts import view_texts
from walletmodal.reflex_internals.web_folder import built_pages
from walletmodal.services.client_address import ClientAddress
from walletmodal.services.http import Caller
from walletmodal.services.images import Image
from walletmodal.services.languages import texts_of
from walletmodal.services.rate_limit import MemoryRateLimit
from walletmodal.services.session_size import register_session_sizes
from walletmodal.web.accounts_api import AccountsApi, accounts_api_routes
from walletmodal.web.browser import BrowserEndpoint, browser_routes
from walletmodal.web.content_policy import BuiltScripts, content_policy, origin_of
from walletmodal.web.drain import Drain, Pace, StillMoving, drain_events, end_while_starting
from walletmodal.web.edge import Edge
from walletmodal.web.event_ids import working_ids
from walletmodal.web.event_socket import EventSockets, Release
from walletmodal.web.headers import DocumentPolicy, SecurityHeaders
from walletmodal.web.health import Probe
from walletmodal.web.host_api import HostApi, host_api_routes
from walletmodal.web.images import RATE, ImageSource, image_routes
from walletmodal.web.origin import OwnPagesOnly
from walletmodal.web.record_figures import RecordFigures
from walletmodal.web.request_ids import RequestIds
from walletmodal.web.routes import (
    ask_node,
    browser_limit,
    build_routes,
    host_limits,
    issue_ticket,
    open_redis,
    rpc_limit,
    with_routes,
)
from walletmodal.web.sessions import Forget
from walletmodal.web.shared_scripts import SharedScripts, keep_scripts
from walletmodal.web.texts import TextsEndpoint, texts_routes

__all__ = [
    "api_transformers",
    "drain_events",
    "end_while_starting",
    "security_headers",
    "share_scripts",
    "worker_drain",
    "working_ids",
]


def document_policy(settings: Settings, built: BuiltScripts) -> DocumentPolicy:
    """Makes the content security policy of a document for the host that a browser asked."""
    # A modal on loopback is a sandbox's or a developer's: their pictures come from loopback too.
    local = is_loopback_host(urlsplit(settings.own_origin).hostname or "")

    def policy(own_host: str | None) -> str:
        return content_policy(
            scripts=built.hashes(),
            ancestors=settings.frame_ancestors,
            own_host=own_host,
            loopback_images=local,
            relay_url=settings.service_url("RELAY_URL"),
            verify_url=settings.service_url("VERIFY_URL"),
            secure_site_url=settings.service_url("SECURE_SITE_URL"),
        )

    return policy


def security_headers(app: ASGIApp, settings: Settings, built: BuiltScripts | None = None) -> ASGIApp:
    """The app with complete headers on every answer."""
    built = built or BuiltScripts(built_pages())
    secure = "".join(origin_of(settings.service_url("SECURE_SITE_URL")))
    return SecurityHeaders(app, document_policy=document_policy(settings, built), secure_origin=secure)


def event_sockets(
    app: ASGIApp,
    settings: Settings,
    *,
    forget: Forget,
    release: Release,
    drain: Drain,
    events: Container[str],
    introduces: frozenset[str],
) -> ASGIApp:
    """The app with its event socket for our own pages alone, and for what they say."""
    names = ClientAddress(settings.trusted_proxies)
    sockets = EventSockets(
        app, client_name=names, forget=forget, events=events, introduces=introduces, release=release, drain=drain
    )
    register_session_sizes(sockets.sessions.note_size)
    return OwnPagesOnly(sockets)


def database_probe(settings: Settings) -> Probe:
    """Asks the database for nothing in particular."""
    engine = open_engine(settings.database_url)

    async def ask() -> None:
        async with engine.connect() as connection:
            await connection.execute(text("SELECT 1"))

    return ask


def worker_drain(settings: Settings, still_moving: StillMoving) -> Drain:
    """How a worker of the deployment ends. Without Redis no other server can go on with what its pages do.

    Args:
        settings: of the deployment.
        still_moving: as in `Drain`.
    """
    if not settings.redis_url:
        return Drain()

    async def write_records() -> None:
        # A server of another release knows no more of a page.
        await deployment().resume.write_at_once()

    pace = Pace(settings.drain_sockets_per_second, settings.drain_seconds)
    return Drain(pace, prepare=write_records, still_moving=still_moving)


def http_routes(app: ASGIApp, settings: Settings, drain: Drain) -> ASGIApp:
    """The app with our routes in front of it."""
    redis = open_redis(settings)
    names = ClientAddress(settings.trusted_proxies)
    probes: dict[str, Probe] = {"db": database_probe(settings)}
    if redis is not None:
        probes["redis"] = lambda: cast("Awaitable[object]", redis.ping())
    host_api = HostApi(
        sessions=lambda: deployment().sign_ins,
        rechecks=lambda: deployment().rechecks,
        keys=lambda: deployment().signing_keys,
        api_key=settings.api_key.get_secret_value() if settings.api_key else None,
        limits=host_limits(redis),
        client_name=names,
    )
    figures = RecordFigures(
        lambda: deployment().sign_ins,
        lambda: deployment().signing_keys,
        lambda: deployment().sponsorships,
        deliveries=(lambda: deployment().deliveries) if settings.webhook_url else None,
    )
    routes = build_routes(
        settings,
        probes=probes,
        limit=rpc_limit(redis),
        ask=ask_node,
        client_name=names,
        figures=figures,
        drain=drain,
    )
    browsers = BrowserEndpoint(issue=issue_ticket, limit=browser_limit(redis), client_name=names)
    accounts = AccountsApi(host_api, reads=DeploymentAccounts, networks=settings.networks)
    own = [*host_api_routes(host_api), *accounts_api_routes(accounts)]
    texts = TextsEndpoint(
        lambda: deployment().languages,
        {"": view_texts, "loader": lambda: texts_of("loader/")},
        by_browser="locale" not in settings.changeable_options,
    )
    return with_routes(app, [*own, *browser_routes(browsers), *texts_routes(texts), *routes])


class DeploymentAccounts:
    """Accounts as the deployment's nodes and services know them, asked in the modal's own name: no page is involved."""

    async def native_balance(self, chain: ChainId, address: str) -> int:
        """As `NativeBalances.native_balance`."""
        return await deployment().balances.native_balance(chain, address)

    async def tokens(self, chain: ChainId, address: str) -> Sequence[TokenBalance]:
        """As `TokenBalances.balances`, the most valuable first."""
        owned = await deployment().tokens.balances(self._caller(), chain, address)
        return sorted(owned, key=worth_sort_key)

    async def history(self, chain: ChainId, address: str, cursor: str | None) -> HistoryPage:
        """As `AccountCalls.history`."""
        return await deployment().services.blockchain.accounts.history(self._caller(), chain, address, cursor=cursor)

    def _caller(self) -> Caller:
        held = deployment()
        return held.services.caller(held.settings.own_origin)


class DeploymentImages:
    """All pictures that the deployment has to give."""

    async def from_directory(self, kind: str, image_id: str) -> Image:
        """As `Images.from_directory`."""
        return await deployment().services.images.from_directory(kind, image_id)

    async def from_reference(self, reference: str) -> Image:
        """As `Images.from_reference`."""
        return await deployment().services.images.from_reference(reference)

    async def from_nft(self, reference: str) -> Image:
        """As `Nfts.picture`."""
        return await deployment().nfts.picture(reference)


def pictures(app: ASGIApp, settings: Settings, source: Callable[[], ImageSource] = DeploymentImages) -> ASGIApp:
    """The app with the pictures in front of it, whose own policy is stricter than that of documents."""
    limit, names = MemoryRateLimit(RATE), ClientAddress(settings.trusted_proxies)
    return with_routes(app, image_routes(source=source, limit=limit, client_name=names))


def shared_scripts(app: ASGIApp, settings: Settings) -> ASGIApp:
    """The app with the scripts of other servers on its Redis."""
    redis = open_redis(settings)
    return app if redis is None else SharedScripts(app, redis=redis, folder=built_pages() / "assets")


def share_scripts(settings: Settings) -> Callable[[], AbstractAsyncContextManager[None]]:
    """A lifespan task: other servers get the scripts of this one."""
    return keep_scripts(partial(open_redis, settings), lambda: built_pages() / "assets")


def api_transformers(
    settings: Settings,
    *,
    forget: Forget,
    release: Release,
    drain: Drain,
    events: Container[str],
    introduces: frozenset[str],
) -> Sequence[Callable[[ASGIApp], ASGIApp]]:
    """What `rx.App(api_transformer=…)` wraps around Reflex's ASGI app, from the inside to the outside.

    Args:
        settings: of the deployment.
        forget: as in `sessions.Forget`.
        release: as in `event_socket.Release`.
        drain: of this worker.
        events: names of all events that pages have.
        introduces: names of those by which a page says who its host is.
    """
    return [
        partial(
            event_sockets,
            settings=settings,
            forget=forget,
            release=release,
            drain=drain,
            events=events,
            introduces=introduces,
        ),
        partial(http_routes, settings=settings, drain=drain),
        partial(shared_scripts, settings=settings),
        partial(security_headers, settings=settings),
        partial(pictures, settings=settings),
        partial(Edge, own_origin=settings.own_origin),
        RequestIds,
    ]

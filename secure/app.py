"""Assembles the secure site: an ASGI app of its settings and a clock."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext
from functools import partial
from pathlib import Path

import httpx
from redis.asyncio import Redis
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Router

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.db.engine import close_engine, open_engine
from walletmodal.secure.calls.device import DeviceCheck
from walletmodal.secure.calls.endpoint import NO_STORE, Calls
from walletmodal.secure.calls.limits import Limits
from walletmodal.secure.calls.nonces import MemoryNonces, RedisNonces
from walletmodal.secure.calls.sessions import Sessions
from walletmodal.secure.custody.account_data import AccountDataCalls
from walletmodal.secure.custody.box_addresses import BoxAddresses
from walletmodal.secure.custody.deletion import DeletionCalls, Deletions
from walletmodal.secure.custody.deletion_requests import DeletionRequests
from walletmodal.secure.custody.devices import DeviceCalls
from walletmodal.secure.custody.escrow import EscrowCalls
from walletmodal.secure.custody.handover import HandoverCalls
from walletmodal.secure.custody.holds import HoldCalls, Holds
from walletmodal.secure.custody.loose_boxes import LooseBoxes
from walletmodal.secure.custody.new_wallet import NewWallets
from walletmodal.secure.custody.passwords import PasswordCalls
from walletmodal.secure.custody.recovery import RecoveryCalls
from walletmodal.secure.custody.recovery_client import open_recovery
from walletmodal.secure.custody.wallets import WalletCalls
from walletmodal.secure.custody.ways import WayCalls
from walletmodal.secure.db.tables import Recurring
from walletmodal.secure.errors import unavailable
from walletmodal.secure.headers import SiteHeaders
from walletmodal.secure.language import InLanguage, open_languages
from walletmodal.secure.login.approvals import Approvals
from walletmodal.secure.login.attempts import Attempts
from walletmodal.secure.login.calls import LoginCalls
from walletmodal.secure.login.email_update import EmailUpdateCalls
from walletmodal.secure.login.mails import Sender
from walletmodal.secure.login.proofs import ProofCalls
from walletmodal.secure.login.refusals import Refusals
from walletmodal.secure.mailer import open_mailer
from walletmodal.secure.metrics import metrics_route
from walletmodal.secure.notices import Notices
from walletmodal.secure.pages import STATIC, Pages
from walletmodal.secure.passkeys.calls import PasskeyCalls
from walletmodal.secure.passkeys.ceremony import RelyingParty
from walletmodal.secure.passkeys.newcomers import NewcomerCalls
from walletmodal.secure.pepper import open_pepper
from walletmodal.secure.periodic import PAUSE_SECONDS, every_minute, keep_running
from walletmodal.secure.rpc import RpcCalls
from walletmodal.secure.settings import Settings
from walletmodal.secure.social.site import social_routes
from walletmodal.secure.sweep import sweep
from walletmodal.secure.users import Users
from walletmodal.services.client_address import ClientAddress
from walletmodal.services.languages import Languages
from walletmodal.services.redis_clients import QUICK, open_redis
from walletmodal.services.redis_patience import PATIENT
from walletmodal.services.rpc import RpcEndpoints, rpc_http_client


def create(
    settings: Settings,
    *,
    clock: Clock | None = None,
    recovery: httpx.AsyncBaseTransport | None = None,
    social: httpx.AsyncBaseTransport | None = None,
    static: Path = STATIC,
    process: Callable[[], AbstractAsyncContextManager[None]] = nullcontext,
) -> Starlette:
    """The app. Its database must be migrated (`secure.db.upgrade`); its lifespan opens and closes everything.

    Args:
        settings: of the deployment.
        clock: what every time is measured with; tests and the sandbox move theirs.
        recovery: the way to a recovery service in this process, such as `httpx.ASGITransport(recovery_app)`.
        social: the way to social providers and Farcaster's relay in this process.
        static: where the page's files are.
        process: entered once the site stands; what a process that serves nothing else has around it.

    Entering the lifespan raises StartError: the KEK cannot be had, or is not that of the database.
    """
    router, languages = Router(), open_languages(settings.locales)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            router.routes[:] = await _routes(
                settings, clock or SystemClock(), recovery, static, stack, languages=languages, social_transport=social
            )
            await stack.enter_async_context(process())
            yield
        router.routes.clear()

    app = Starlette(
        middleware=[Middleware(SiteHeaders), Middleware(InLanguage, languages=languages)],
        lifespan=lifespan,
        exception_handlers={Exception: _on_failure},
    )
    app.mount("/", router)
    return app


async def _routes(
    settings: Settings,
    clock: Clock,
    recovery_transport: httpx.AsyncBaseTransport | None,
    static: Path,
    stack: AsyncExitStack,
    *,
    languages: Languages,
    social_transport: httpx.AsyncBaseTransport | None,
) -> list[BaseRoute]:
    """Opens the parts of the site, each closed by the stack, and joins them."""
    engine = open_engine(settings.secure_database_url, durable=True)
    stack.push_async_callback(close_engine, engine)
    keys = settings.key_ring()
    pepper = await open_pepper(engine, keys)
    redis = _open_redis(settings.secure_redis_url, stack, QUICK)
    nonces = _open_redis(settings.secure_redis_url, stack, PATIENT)
    recovery = open_recovery(settings, recovery_transport)
    if recovery is not None:
        stack.push_async_callback(recovery.close)
    limits, sessions, users = Limits(redis, clock), Sessions(engine, clock), Users(keys)
    mailer, client_address = open_mailer(settings, clock), ClientAddress(settings.trusted_proxies)
    sender = Sender(settings.mail_name, settings.own_origin, settings.own_host, languages)
    attempts = Attempts(
        engine,
        clock,
        keys=keys,
        pepper=pepper,
        mailer=mailer,
        sender=sender,
        limits=limits,
        approval=settings.secure_device_approval,
    )
    approvals = Approvals(engine, clock, attempts=attempts, pepper=pepper, mailer=mailer, sender=sender)
    notices = Notices(engine, clock, keys=keys, pepper=pepper, mailer=mailer, sender=sender)
    devices = DeviceCheck(MemoryNonces(clock) if nonces is None else RedisNonces(nonces), clock)
    calls = Calls(settings.own_origin, devices, sessions, limits, client_address)

    async def admit(request: Request) -> None:
        await limits.call(client_address(request))

    hold_ms = settings.recovery_hold_hours * 3_600_000
    holds = Holds(users, settings.recovery_hold_above, hold_ms)
    boxes, addresses = LooseBoxes(engine, recovery, clock), BoxAddresses(engine, recovery, users, clock)
    deletions = Deletions(engine, notices, boxes, clock)
    requests = DeletionRequests(
        engine,
        clock,
        keys=keys,
        deletions=deletions,
        users=users,
        notices=notices,
        wait_ms=settings.deletion_wait_hours * 3_600_000,
    )
    pages = Pages(
        engine,
        approvals,
        Refusals(engine, clock, keys=keys, users=users, notices=notices, boxes=addresses),
        requests,
        admit,
        name=settings.mail_name,
        modals=settings.modal_origins,
        hosts=settings.allowed_origins,
        clients=settings.secure_client_origins,
        logins=settings.logins,
        recovery_key=(settings.recovery_public_key or "") if settings.has_escrow else "",
        consent=settings.secure_consent,
        smart_accounts=settings.smart_account_networks if settings.secure_smart_accounts == "on" else (),
        safe=settings.smart_account_networks if settings.secure_smart_accounts == "safe" else (),
        window_above=settings.secure_window_above,
        static=static,
    )
    nodes = await _open_nodes(settings, stack)
    new = NewWallets(engine, clock, keys=keys, users=users, boxes=boxes, sites=settings.sites)
    party = RelyingParty(settings.own_origin, settings.sites)
    answering = (
        LoginCalls(
            engine,
            clock,
            attempts=attempts,
            approvals=approvals,
            sessions=sessions,
            users=users,
            new=new,
            boxes=boxes,
            sites=settings.sites,
        ),
        WalletCalls(
            engine,
            clock,
            keys=keys,
            users=users,
            notices=notices,
            holds=holds,
            new=new,
            sites=settings.sites,
        ),
        HoldCalls(engine, clock, holds=holds, users=users, notices=notices),
        RecoveryCalls(engine, keys, users, recovery, clock, addresses=addresses, hold_ms=hold_ms),
        HandoverCalls(engine, clock, keys=keys, users=users, notices=notices),
        WayCalls(
            engine,
            users,
            escrow=recovery is not None,
            hold_hours=settings.recovery_hold_hours,
            deletion_hours=settings.deletion_wait_hours,
        ),
        EscrowCalls(engine, clock, keys=keys, users=users, notices=notices, boxes=boxes),
        PasswordCalls(
            engine, clock, keys=keys, pepper=pepper, users=users, notices=notices, escrow=recovery is not None
        ),
        ProofCalls(engine, clock, attempts=attempts, users=users),
        AccountDataCalls(engine, users, audit_days=settings.secure_audit_days),
        requests,
        DeletionCalls(engine, clock, deletions=deletions, users=users, notices=notices),
        DeviceCalls(engine, clock, users=users, notices=notices, escrow=recovery is not None),
        PasskeyCalls(
            engine,
            clock,
            keys=keys,
            party=party,
            users=users,
            sessions=sessions,
            notices=notices,
            limits=limits,
            sites=settings.sites,
            escrow=recovery is not None,
        ),
        NewcomerCalls(
            engine,
            clock,
            keys=keys,
            pepper=pepper,
            party=party,
            users=users,
            sessions=sessions,
            new=new,
            limits=limits,
            sites=settings.sites,
        ),
        EmailUpdateCalls(
            engine,
            clock,
            keys=keys,
            attempts=attempts,
            users=users,
            notices=notices,
            boxes=addresses,
            hold_ms=settings.email_change_hold_ms,
        ),
        RpcCalls(nodes, frozenset(settings.networks), engine, holds, clock),
    )
    social = await social_routes(
        settings,
        engine,
        clock,
        stack,
        keys=keys,
        pepper=pepper,
        sessions=sessions,
        users=users,
        calls=calls,
        nodes=nodes,
        limits=limits,
        admit=admit,
        transport=social_transport,
    )
    stopping = asyncio.Event()
    keep_running(
        stack,
        stopping,
        every_minute(
            *(stopping, engine, Recurring, clock),
            *(
                partial(sweep, engine, clock, expired_ms=settings.expired_ms, audit_days=settings.secure_audit_days),
                deletions.carry_on,
                requests.carry_on,
                addresses.carry_on,
            ),
        ),
        notices.run(stopping, PAUSE_SECONDS),
    )
    return [*pages.routes(), metrics_route(), *social, *(route for part in answering for route in part.routes(calls))]


async def _open_nodes(settings: Settings, stack: AsyncExitStack) -> RpcEndpoints:
    client = await stack.enter_async_context(rpc_http_client())
    nodes = RpcEndpoints(
        client, gateway=settings.node_gateway, project_id=settings.project_id, overrides=settings.rpc_urls
    )
    stack.push_async_callback(nodes.close)
    return nodes


def _open_redis(url: str | None, stack: AsyncExitStack, patience: float) -> Redis | None:
    if url is None:
        return None
    redis = open_redis(url, patience=patience)
    stack.push_async_callback(redis.aclose)
    return redis


async def _on_failure(_request: Request, _error: Exception) -> Response:
    refusal = unavailable()
    return JSONResponse(refusal.body, 500, headers=NO_STORE)

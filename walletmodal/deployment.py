"""Resources of one process: wired from the settings on first use, closed with the app."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import httpx
from sqlalchemy.exc import SQLAlchemyError

from walletmodal.config import Settings, settings
from walletmodal.core.accounts.nfts import is_nft_id
from walletmodal.core.chains.caip import parse_account_id, parse_chain_id
from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.errors.sign_in import SignInUnavailableError
from walletmodal.core.smart_accounts.sponsorship import SponsorLimits
from walletmodal.core.text.amounts import to_base_units
from walletmodal.db.audit import AuditStore
from walletmodal.db.deliveries import DeliveryStore
from walletmodal.db.engine import close_engine, open_engine
from walletmodal.db.events import EventLog
from walletmodal.db.permissions import PermissionStore
from walletmodal.db.personal_data import PersonalDataStore
from walletmodal.db.recurring import RecurringWork
from walletmodal.db.requests import RequestStore
from walletmodal.db.resume import ResumeStore
from walletmodal.db.sign_ins import SignInStore
from walletmodal.db.signing_keys import SigningKeys
from walletmodal.db.sponsorships import SponsorshipStore
from walletmodal.db.tables import Recurring
from walletmodal.operation_watch import OperationWatch
from walletmodal.services.balances import ListedTokens, NativeBalances, TokenBalances
from walletmodal.services.cache import open_cache
from walletmodal.services.chains.eip155.account_calls import EvmAccountCalls
from walletmodal.services.chains.eip155.permissions import EvmPermissions
from walletmodal.services.chains.registry import Chains
from walletmodal.services.clients import ServiceClients, ServiceSettings
from walletmodal.services.identities import Identities
from walletmodal.services.images import MAX_SHARED_CHARACTERS, ImageReferences, reference_key
from walletmodal.services.languages import BUNDLED, Languages, Spoken
from walletmodal.services.names import AccountNames
from walletmodal.services.names.ens import EnsNames
from walletmodal.services.nfts import Nfts
from walletmodal.services.node_calls import node_call
from walletmodal.services.outside_budget import OutsideBudget, current_caller
from walletmodal.services.policy import Policy, PolicyFile
from walletmodal.services.receivers import Receivers
from walletmodal.services.receivers.correspondence import Correspondence
from walletmodal.services.redis_clients import open_redis
from walletmodal.services.rpc import RpcEndpoints, rpc_http_client
from walletmodal.services.sign_in import (
    Nonces,
    SignatureChecks,
    SignInProofs,
    SignInTokens,
    Tickets,
    open_nonces,
)
from walletmodal.services.sign_in.rechecks import SignInRechecks
from walletmodal.services.simulations import Simulations
from walletmodal.services.smart_accounts.clients import SmartAccountClients
from walletmodal.services.swaps import Swaps
from walletmodal.services.webhooks import WebhookSender
from walletmodal.sponsorship import Sponsorships
from walletmodal.transaction_watch import Outcomes
from walletmodal.webhook_delivery import WebhookDelivery

PURGE_SECONDS: Final = 600.0
CLOSE_SECONDS: Final = 5.0

logger = logging.getLogger(__name__)


def service_settings(settings: Settings) -> ServiceSettings:
    """What the clients of the outside services need to know."""
    return ServiceSettings(
        own_origin=settings.own_origin,
        project_id=settings.project_id,
        namespaces=tuple(parse_chain_id(network).namespace for network in settings.networks),
        directory_url=settings.service_url("DIRECTORY_URL"),
        blockchain_url=settings.service_url("BLOCKCHAIN_URL"),
        analytics_url=settings.service_url("ANALYTICS_URL"),
        name_zone=settings.name_zone,
        public=settings.asks_public_services,
        image_secret=settings.shared_secret,
        loopback_images=settings.loopback_images,
    )


def _own_hosts(settings: Settings) -> list[str]:
    """The hosts of the services that this deployment trusts with names and pictures."""
    urls = (settings.service_url("DIRECTORY_URL"), settings.service_url("BLOCKCHAIN_URL"))
    return [urlsplit(url).netloc.lower() for url in urls if url]


def _policy_file(settings: Settings) -> PolicyFile | None:
    path = settings.policy_file
    return None if path is None else PolicyFile(path, reloads=settings.policy_reload)


def _sponsor_limits(settings: Settings) -> dict[str, SponsorLimits]:
    networks = bundled_networks()
    return {
        chain: SponsorLimits(*(to_base_units(amount, networks[chain].native_currency.decimals) for amount in amounts))
        for chain, amounts in settings.sponsor_limits.items()
    }


class Deployment:
    """Connections and caches that all visitors of a process share.

    Attributes:
        clock: what the deployment tells the time by.
        rpc: the way to each network's nodes.
        host_rpc: the same for what host pages ask, so that a heavy read of theirs holds up none of ours in one batch.
        languages: those that visitors may have.
        chains: one adapter per namespace.
        balances: native balances, cached.
        tokens: all that accounts own.
        nfts: the NFTs among it, which tokens are not.
        identities: names and pictures of accounts.
        services: the clients of directory, blockchain service, analytics and pictures.
        account_names: where names lead, and what accounts are called.
        receivers: examines whom something is sent to.
        simulations: what transactions would do.
        account_calls: contract calls of EVM accounts; swaps: quotes swaps, and builds them.
        resume: what lost sessions get back.
        requests: the transactions that wallets were asked for; outcomes: who finds out what became of them.
        policy: what host pages may ask of wallets; audit: what became of what they asked.
        events: what the audit export and webhooks tell; deliveries: which of it the receiver of webhooks has not heard.
        permissions: those that accounts have granted; chain_permissions: what networks say of them.
        smart_accounts: bundlers and paymasters; sponsorships: for whom the deployment pays.
        nonces: what is given out for one use; proofs: makes sign-in messages and verifies what wallets make of them.
        signature_checks: how often a visitor may have that done.
        tickets: how pages say which browser they are in.
        sign_ins: who is signed in; rechecks: asks contract accounts about it again.
        signing_keys, tokens_for_hosts: what hosts are told of it, and with which keys it is signed.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.clock: Clock = SystemClock()
        self.languages = Languages(settings.locales, (BUNDLED, Path.cwd() / "locale"))
        self._client: httpx.AsyncClient = rpc_http_client()
        self._cache = open_cache(settings.redis_url)
        self._pictures = (
            open_cache(settings.redis_url, max_characters=MAX_SHARED_CHARACTERS) if settings.redis_url else None
        )
        self.rpc, self.host_rpc = self._endpoints(), self._endpoints()
        budget = OutsideBudget(self.clock)
        nodes = budget.counted(self.rpc.unjoined)
        self.chains = Chains(nodes)
        self.balances = NativeBalances(self.chains, self._cache)
        self.services = ServiceClients(
            service_settings(settings),
            self._client,
            self._cache,
            pictures=self._pictures,
            clock=self.clock,
            budget=budget,
        )
        self._listed = ListedTokens(self.chains, self._cache, map(parse_account_id, settings.tokens))
        accounts = self.services.blockchain.accounts
        self.tokens = TokenBalances(accounts, self._listed, clock=self.clock, icon_hosts=_own_hosts(settings))
        self._correspondence = Correspondence(accounts, self.chains, self._cache)
        self.account_names = AccountNames(EnsNames(nodes), self.services.blockchain.names, self._cache)
        self.identities = Identities(accounts, self.account_names)
        self.receivers = Receivers(self.chains, accounts, self.account_names, self._correspondence)
        self.simulations = Simulations(self.chains)
        self.account_calls = EvmAccountCalls(nodes)
        self.swaps = Swaps(self.services.blockchain.swaps, self.account_calls)
        self.nfts = Nfts(
            nodes,
            accounts,
            self.services.images,
            ImageReferences(reference_key(settings.shared_secret), of="nft", accepts=is_nft_id),
            self._cache,
            ipfs_gateway=settings.ipfs_gateway,
            clock=self.clock,
        )
        self._engine = open_engine(settings.database_url)
        self.resume = ResumeStore(
            self._engine, clock=self.clock, lifetime=timedelta(days=settings.resume_days), most=settings.resume_rows
        )
        self.requests = RequestStore(self._engine, clock=self.clock, lifetime=timedelta(days=settings.request_days))
        self.policy = Policy(_policy_file(settings), allow_delegate_calls=settings.allow_delegate_calls)
        kept = timedelta(days=settings.sponsored_days)
        secret = settings.lasting_secret or ""
        self._sponsored = SponsorshipStore(self._engine, secret=secret, clock=self.clock, kept_after=kept)
        self.sponsorships = Sponsorships(self.policy, self._sponsored, _sponsor_limits(settings))
        self.smart_accounts = SmartAccountClients(
            self._client,
            nodes,
            bundlers=settings.bundler_url,
            paymasters=settings.paymaster_url,
            context=settings.paymaster_context,
            counted=budget.counted,
            gas_tokens=map(parse_account_id, settings.gas_tokens),
            loopback_paymasters=settings.loopback_paymasters,
            clock=self.clock,
        )
        self.audit = AuditStore(
            self._engine,
            clock=self.clock,
            lifetime=timedelta(days=settings.audit_days),
            max_rows=settings.audit_rows,
            secret=secret,
        )
        self.events = EventLog(
            self._engine,
            clock=self.clock,
            lifetime=timedelta(days=settings.audit_days),
            max_events=settings.audit_rows,
        )
        self._personal_data = PersonalDataStore(
            self._engine, clock=self.clock, secret=secret, kept=timedelta(days=settings.erasure_days)
        )
        kept = timedelta(days=settings.permission_days)
        self.permissions = PermissionStore(self._engine, clock=self.clock, kept_after=kept)
        self.deliveries = DeliveryStore(self._engine, clock=self.clock)
        self.chain_permissions = EvmPermissions(nodes)
        self.outcomes = Outcomes(
            self.requests,
            self.chains,
            settings.networks,
            answer_seconds=settings.wallet_timeout_seconds,
            operations=OperationWatch(
                self.smart_accounts.bundler, self.smart_accounts.outcomes, self.sponsorships.settle
            ),
            clock=self.clock,
        )
        self.nonces: Nonces = open_nonces(settings.redis_url, self.clock)
        self.tickets = Tickets(open_nonces(settings.redis_url, self.clock))
        self.proofs = SignInProofs(self.chains, self.nonces, clock=self.clock, networks=settings.networks)
        url = settings.redis_url
        self.signature_checks = SignatureChecks(self.clock, redis=open_redis(url) if url else None)
        kept = timedelta(days=settings.sign_in_days)
        self.sign_ins = SignInStore(self._engine, clock=self.clock, kept_after=kept)
        self.rechecks = SignInRechecks(self.proofs, self.sign_ins, clock=self.clock)
        self.signing_keys = SigningKeys(self._engine, secret=settings.lasting_secret, clock=self.clock, kept_after=kept)
        self.tokens_for_hosts = SignInTokens(self.signing_keys, settings.own_origin, clock=self.clock)

    def _endpoints(self) -> RpcEndpoints:
        return RpcEndpoints(
            self._client,
            gateway=self.settings.service_url("RPC_URL"),
            project_id=self.settings.project_id,
            overrides=self.settings.rpc_urls,
            secret=self.settings.shared_secret,
            caller=current_caller,
            around=node_call,
        )

    async def purge(self, every: float) -> float:
        """Deletes the records that have expired, unless another process on the database does; a database that cannot do it now is asked again the next time.

        Args:
            every: seconds between two deletions of all processes together.

        Returns:
            Seconds until this process asks again.
        """
        work = RecurringWork(self._engine, Recurring, "purge", seconds=every, clock=self.clock)
        try:
            turn = await work.turn()
        except (SQLAlchemyError, OSError):
            logger.warning("expired records could not be deleted", exc_info=True)
            return every
        purges: tuple[Callable[[], Awaitable[object]], ...] = (
            *(self.resume.purge_expired, self.requests.purge, self.audit.purge, self.events.purge),
            *((self.deliveries.skip_old,) if self.settings.webhook_url is None else ()),
            *(self.permissions.purge, self._sponsored.purge, self.sign_ins.purge, self.signing_keys.purge),
            self._personal_data.purge,
        )
        for purge in purges if turn.mine else ():
            try:
                await purge()
            except (SignInUnavailableError, SQLAlchemyError, OSError):
                logger.warning("expired records could not be deleted", exc_info=True)
        return turn.pause

    async def deliver(self, stopped: asyncio.Event) -> None:
        """Delivers webhooks until it is stopped; returns at once where no receiver is set."""
        url, secrets = self.settings.webhook_url, self.settings.webhook_secrets
        if url is not None:
            sender = WebhookSender(self._client, url, secrets, clock=self.clock)
            await WebhookDelivery(self.deliveries, sender, clock=self.clock).run(stopped)

    async def close(self) -> None:
        """Writes what is unwritten and closes every connection."""
        await self.balances.close()
        await self._listed.close()
        await self.account_names.close()
        await self._correspondence.close()
        await self.nfts.close()
        await self.outcomes.close()
        await self.rechecks.close()
        await self.resume.close()
        await self.audit.close()
        await close_engine(self._engine)
        await self.smart_accounts.close()
        await self.services.close()
        await self.rpc.close()
        await self.host_rpc.close()
        await self.nonces.close()
        await self.tickets.close()
        await self.signature_checks.close()
        await self._cache.close()
        if self._pictures is not None:
            await self._pictures.close()
        await self._client.aclose()


class _Process:
    deployment: Deployment | None = None


def deployment() -> Deployment:
    """The deployment of this process. First called inside the event loop that will use it."""
    if _Process.deployment is None:
        _Process.deployment = Deployment(settings())
    return _Process.deployment


async def language_of_page(locales: str) -> Spoken | None:
    """The language of a page that names those that its visitor prefers; None for English."""
    languages = deployment().languages
    return (await languages.load(languages.choose(locales))).other


@asynccontextmanager
async def running(
    chosen: Deployment | None = None, *, purge_seconds: float = PURGE_SECONDS
) -> AsyncIterator[Deployment]:
    """Holds the deployment open for the life of the app, or of a test.

    Args:
        chosen: default one of the settings.
        purge_seconds: between two deletions of what has expired, by whichever process.
    """
    held = _Process.deployment = chosen or Deployment(settings())
    stopped = asyncio.Event()
    purging = asyncio.create_task(_purge_until(stopped, held, purge_seconds), name="purge")
    delivering = asyncio.create_task(held.deliver(stopped), name="webhooks")
    try:
        yield held
    finally:
        _Process.deployment = None
        stopped.set()
        # A statement that is cut off leaves its connection in no state to be closed; only a database that hangs is not waited for.
        await asyncio.wait({purging, delivering}, timeout=CLOSE_SECONDS)
        purging.cancel()
        delivering.cancel()
        await asyncio.gather(purging, delivering, return_exceptions=True)
        await held.close()


async def _purge_until(stopped: asyncio.Event, held: Deployment, seconds: float) -> None:
    while not stopped.is_set():
        pause = await held.purge(seconds)
        with suppress(TimeoutError):
            await asyncio.wait_for(stopped.wait(), pause)


@asynccontextmanager
async def hold_deployment() -> AsyncIterator[None]:
    """A lifespan task, `app.register_lifespan_task(hold_deployment)`."""
    async with running():
        yield

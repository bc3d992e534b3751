"""The doctor on the services: each is asked what the product, or a visitor's browser, asks it. Those that are not set are left out."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

import httpx

from walletmodal.config import Settings
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import RequestTimeoutError, TransportError
from walletmodal.core.errors.services import ServiceError
from walletmodal.core.parsing.strict_json import read_json
from walletmodal.deployment import service_settings
from walletmodal.operator.findings import Finding, certificate_of, failed, host_of, ok, warning
from walletmodal.operator.look_at_relay import relay
from walletmodal.services.cache import MemoryCache
from walletmodal.services.clients import ServiceClients
from walletmodal.services.directory import WalletFilter
from walletmodal.services.http import Caller
from walletmodal.services.http.authorities import is_unknown_authority
from walletmodal.services.rpc import rpc_http_client

SECONDS: Final = 8.0
_BROKEN: Final = 500
_REFUSES: Final = frozenset({401, 403})
_MAX_ANSWER: Final = 65_536
_NOBODYS: Final = "0x000000000000000000000000000000000000d0c7"
"""An account that owns little, so that the answer is small."""

Look = Callable[[Settings, httpx.AsyncClient, str], Awaitable[Finding]]


async def services(settings: Settings) -> Sequence[Finding]:
    """Checks whether each service that is set can do its part."""
    wanted = [(name, url, look) for name, look in _LOOKS.items() if (url := settings.service_url(name))]
    async with rpc_http_client() as client:
        return await asyncio.gather(*(_look(settings, client, name, url, look) for name, url, look in wanted))


async def _look(settings: Settings, client: httpx.AsyncClient, name: str, url: str, look: Look) -> Finding:
    try:
        async with asyncio.timeout(SECONDS):
            return await look(settings, client, url)
    except TimeoutError:
        return failed(name, f"{host_of(url)} has not answered within {SECONDS:.0f} s")
    except (ServiceError, httpx.HTTPError) as error:
        if is_unknown_authority(error):
            return failed(name, certificate_of(host_of(url)))
        if isinstance(error, httpx.HTTPError):
            return failed(name, f"{host_of(url)} does not answer ({type(error).__name__})")
        return failed(name, f"{host_of(url)} {_told(error)}")
    except httpx.InvalidURL as error:
        return failed(name, f"{host_of(url)} does not answer ({type(error).__name__})")


async def _directory(settings: Settings, client: httpx.AsyncClient, url: str) -> Finding:
    clients = _clients(settings, client)
    try:
        page = await clients.directory.listed(_caller(settings), WalletFilter(chains=settings.networks))
    finally:
        await clients.close()
    if not page.data:
        return warning("DIRECTORY_URL", f"{host_of(url)} answers, and lists no wallet for NETWORKS")
    return ok("DIRECTORY_URL", f"{host_of(url)} lists wallets ({page.count} for NETWORKS)")


async def _blockchain(settings: Settings, client: httpx.AsyncClient, url: str) -> Finding:
    clients, caller = _clients(settings, client), _caller(settings)
    try:
        accounts = clients.blockchain.accounts
        known = await accounts.networks(caller)
        ours = [network for network in settings.networks if network in known]
        asked = next((chain for network in ours if (chain := parse_chain_id(network)).namespace == "eip155"), None)
        if asked is not None:
            await accounts.balance(caller, asked, _NOBODYS)
    finally:
        await clients.close()
    if not ours:
        return warning("BLOCKCHAIN_URL", f"{host_of(url)} answers, and knows none of NETWORKS")
    tells = "tells what accounts own, and " if asked else ""
    return ok("BLOCKCHAIN_URL", f"{host_of(url)} {tells}knows {len(ours)} of {len(settings.networks)} NETWORKS")


async def _verify(_settings: Settings, client: httpx.AsyncClient, url: str) -> Finding:
    """Checks the key that wallets check attestations with."""
    status, body = await _page(client, f"{url}/v3/public-key")
    if status != httpx.codes.OK:
        return failed("VERIFY_URL", f"{host_of(url)} answers with status {status}")
    try:
        told = read_json(body)
    except ValueError:
        told = None
    if not isinstance(told, Mapping) or not isinstance(told.get("publicKey"), Mapping):
        return failed("VERIFY_URL", f"{host_of(url)} is no attestation service: it has no public key")
    return ok("VERIFY_URL", f"{host_of(url)} has published its key")


def _page_of(name: str, path: str = "") -> Look:
    """Checks whether somebody is there, of a service of which nothing can be asked without a trace."""

    async def look(_settings: Settings, client: httpx.AsyncClient, url: str) -> Finding:
        status, _ = await _page(client, url + path)
        if status >= _BROKEN:
            return failed(name, f"{host_of(url)} answers with status {status}")
        return ok(name, f"{host_of(url)} answers")

    return look


async def _relay(settings: Settings, _client: httpx.AsyncClient, url: str) -> Finding:
    return await relay(settings, url)


_LOOKS: Final[dict[str, Look]] = {
    "DIRECTORY_URL": _directory,
    "BLOCKCHAIN_URL": _blockchain,
    "ANALYTICS_URL": _page_of("ANALYTICS_URL", "/e"),
    "VERIFY_URL": _verify,
    "SECURE_SITE_URL": _page_of("SECURE_SITE_URL"),
    "RELAY_URL": _relay,
}


def _clients(settings: Settings, client: httpx.AsyncClient) -> ServiceClients:
    return ServiceClients(service_settings(settings), client, MemoryCache())


def _caller(settings: Settings) -> Caller:
    """The first host page: services compare it with the project's list."""
    return Caller(next(iter(settings.allowed_origins), settings.own_origin), settings.project_id)


def _told(error: ServiceError) -> str:
    reason = f": {error.reason}" if error.reason else ""
    if error.status in _REFUSES:
        return f"refuses PROJECT_ID or the host page (status {error.status}){reason}"
    if error.status is not None:
        return f"answers with status {error.status}{reason}"
    if isinstance(error.__cause__, RequestTimeoutError):
        return "has not answered in time"
    if isinstance(error.__cause__, TransportError):
        return f"does not answer ({type(error.__cause__.__cause__ or error.__cause__).__name__})"
    return "answers with something else than the service would"


async def _page(client: httpx.AsyncClient, url: str) -> tuple[int, bytes]:
    """Status and start of an answer, wherever it comes from: redirects are not followed."""
    async with client.stream("GET", url) as answer:
        body = bytearray()
        async for chunk in answer.aiter_raw():
            body += chunk
            if len(body) > _MAX_ANSWER:
                break
        return answer.status_code, bytes(body[:_MAX_ANSWER])

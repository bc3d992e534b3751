"""The doctor on nodes: whether those of each network answer, and for that network."""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Final
from urllib.parse import urlsplit

import httpx

from walletmodal.config import Settings
from walletmodal.core.chains.caip import ChainId, parse_chain_id
from walletmodal.core.errors import RpcRequestError, TransportError, UrlRequiredError
from walletmodal.core.namespaces.registry import DESCRIPTORS
from walletmodal.core.parsing.urls import is_loopback_host
from walletmodal.operator.findings import Finding, certificate_of, failed, host_of, ok, warning
from walletmodal.services.http.authorities import is_unknown_authority
from walletmodal.services.rpc import RpcEndpoints, rpc_http_client

SECONDS: Final = 8.0


async def nodes(settings: Settings) -> Sequence[Finding]:
    """Checks whether each node of each network answers, and for that network."""
    async with rpc_http_client() as client:
        known = RpcEndpoints(
            client,
            gateway=settings.service_url("RPC_URL"),
            project_id=settings.project_id,
            overrides=settings.rpc_urls,
        )
        looks: list[Awaitable[Finding]] = []
        found: list[Finding] = []
        for chain in map(parse_chain_id, settings.networks):
            try:
                looks += [_node(client, chain, url) for url in known.urls(chain)]
            except UrlRequiredError:
                found.append(warning("nodes", f"{chain} has none: no balance is shown there, and nothing can be sent"))
        found += await asyncio.gather(*looks)
        await known.close()
    return found


async def _node(client: httpx.AsyncClient, chain: ChainId, url: str) -> Finding:
    """One URL, asked for what tells networks apart. Its path may be a key, so only its host is told."""
    name, kind = f"{chain} at {host_of(url)}", DESCRIPTORS[chain.namespace]
    if not kind.network_question:
        return ok("nodes", f"{name} is not asked: nothing of this kind of network goes over nodes")
    way = RpcEndpoints(client, overrides={str(chain): (url,)})
    try:
        async with asyncio.timeout(SECONDS):
            told = await way.unjoined(chain).request(kind.network_question, [])
    except RpcRequestError as error:
        return failed("nodes", f"{name} answers with error {error.code}")
    except (TransportError, TimeoutError) as error:
        unknown = is_unknown_authority(error)
        away = f"{name} does not answer ({type(error).__name__})"
        return failed("nodes", f"{chain}: {certificate_of(host_of(url))}" if unknown else away)
    finally:
        await way.close()
    if isinstance(told, str) and kind.is_network(chain, told):
        return ok("nodes", f"{name} answers")
    if kind.local_networks and isinstance(told, str) and is_loopback_host(urlsplit(url).hostname or ""):
        return warning("nodes", f"{name} is a test validator on this machine, whose network is its own")
    return failed("nodes", f"{name} is a node of another network")

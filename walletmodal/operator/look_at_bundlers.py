"""The doctor on smart accounts: whether bundlers answer, for their network and for the entry point that accounts use."""

import asyncio
from collections.abc import Sequence
from typing import Final

import httpx

from walletmodal.config import Settings
from walletmodal.core.chains.caip import ChainId, parse_chain_id
from walletmodal.core.errors import RpcRequestError, TransportError
from walletmodal.core.smart_accounts.contracts import ENTRY_POINT_0_7
from walletmodal.operator.findings import Finding, failed, host_of, ok, warning
from walletmodal.services.rpc import HttpRpcTransport, rpc_http_client

SECONDS: Final = 8.0
_BUNDLER: Final = "BUNDLER_URL"


async def bundlers(settings: Settings) -> Sequence[Finding]:
    """Checks whether each bundler answers, and which settings need another one to work."""
    found = _incomplete(settings)
    async with rpc_http_client() as client:
        looks = [_bundler(client, parse_chain_id(chain), url) for chain, url in settings.bundler_url.items()]
        found += await asyncio.gather(*looks)
    return found


def _incomplete(settings: Settings) -> list[Finding]:
    found = list[Finding]()
    for name, needed, chains in (
        ("PAYMASTER_URL", _BUNDLER, set(settings.paymaster_url) - set(settings.bundler_url)),
        ("SPONSOR_LIMITS", "PAYMASTER_URL", set(settings.sponsor_limits) - set(settings.paymaster_url)),
    ):
        found += [warning(name, f"does nothing on {chain}: {needed} has none for it") for chain in sorted(chains)]
    return found


async def _bundler(client: httpx.AsyncClient, chain: ChainId, url: str) -> Finding:
    """One URL. Its path may be a key, so only its host is told."""
    name, way = f"{chain} at {host_of(url)}", HttpRpcTransport(client, url)
    try:
        async with asyncio.timeout(SECONDS):
            told = await way.request("eth_chainId")
            served = await way.request("eth_supportedEntryPoints")
    except RpcRequestError as error:
        return failed(_BUNDLER, f"{name} answers with error {error.code}")
    except (TransportError, TimeoutError) as error:
        return failed(_BUNDLER, f"{name} does not answer ({type(error).__name__})")
    if told != hex(chain.number):
        return failed(_BUNDLER, f"{name} is a bundler of another network")
    if not isinstance(served, list) or ENTRY_POINT_0_7.lower() not in [str(one).lower() for one in served]:
        return failed(_BUNDLER, f"{name} does not serve entry point 0.7")
    return ok(_BUNDLER, f"{name} answers")

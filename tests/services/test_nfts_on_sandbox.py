"""NFTs of the sandbox's accounts, from its real chains to their documents and pictures."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio

from tests.patience import PATIENCE
from tests.ports import sandbox_settings
from tests.services.nft_stage import Told
from walletmodal.core.accounts.nfts import Nft, is_nft_id, parse_nft_id
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.sandbox import Sandbox
from walletmodal.sandbox.evm.world import ACCOUNTS
from walletmodal.sandbox.solana.world import CHAIN as SOLANA
from walletmodal.sandbox.solana.world import COLLECTION, account_keys
from walletmodal.services.cache import MemoryCache
from walletmodal.services.http import Caller, HttpService
from walletmodal.services.images import ImageReferences, Images, RemoteImages, reference_key
from walletmodal.services.nfts import Nfts
from walletmodal.services.rpc import RpcEndpoints, rpc_http_client

pytestmark = pytest.mark.asyncio(loop_scope="session")

ETHEREUM = "eip155:1"
CALLER = Caller("https://host.example")
HOLDERS = [str(key.pubkey()) for key in account_keys()]
SOMEONE = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"
OWN = [COLLECTION.title(number) for number in range(1, COLLECTION.granted + 1)]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def sandbox() -> AsyncIterator[Sandbox]:
    """Chains, documents and pictures."""
    async with Sandbox(sandbox_settings()) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def nfts(sandbox: Sandbox) -> AsyncIterator[Nfts]:
    """The service, without a history."""
    async with rpc_http_client() as client:
        endpoints = RpcEndpoints(client, overrides={chain: sandbox.node_url(chain) for chain in (SOLANA, ETHEREUM)})
        images = Images(HttpService(client, "directory", None, sdk="test"), CALLER, RemoteImages(allow_loopback=True))
        references = ImageReferences(reference_key(), of="nft", accepts=is_nft_id)
        service = Nfts(endpoints.transport, Told(), images, references, MemoryCache())
        yield service
        await service.close()
        await images.close()


async def held(nfts: Nfts, owner: str, chain: str = SOLANA) -> list[Nft]:
    """What an account has, by name."""
    page = await nfts.page(CALLER, parse_chain_id(chain), owner)
    return sorted(page.items, key=lambda one: one.name)


async def give(sandbox: Sandbox, owner: str, chain: str) -> str:
    """Has the faucet give an NFT; returns its id."""
    async with httpx.AsyncClient(base_url=sandbox.url, trust_env=False, timeout=PATIENCE) as client:
        answer = await client.post("/sandbox/faucet", json={"address": owner, "chain": chain, "nft": True})
    answer.raise_for_status()
    return str(answer.json()["nft"])


async def test_an_account_of_solana_has_its_nfts_and_no_coins_among_them(nfts: Nfts) -> None:
    assert [(one.name, one.collection, one.amount) for one in await held(nfts, HOLDERS[0])] == [
        (name, COLLECTION.symbol, 1) for name in OWN
    ]


async def test_the_document_behind_the_metadata_is_read(nfts: Nfts) -> None:
    assert "lights on the water" in (await held(nfts, HOLDERS[0]))[0].description


async def test_the_picture_behind_the_document_is_served(nfts: Nfts) -> None:
    (one, *_) = await held(nfts, HOLDERS[0])
    found = await nfts.picture(one.picture.rpartition("/")[2])
    assert (found.media_type, found.content[:4]) == ("image/svg+xml", b"<svg")


@pytest.mark.parametrize(("chain", "owner"), [(SOLANA, SOMEONE), (ETHEREUM, ACCOUNTS[6])])
async def test_what_the_faucet_gives_is_there(sandbox: Sandbox, nfts: Nfts, chain: str, owner: str) -> None:
    asset = await give(sandbox, owner, chain)
    assert asset in {str(one.id) for one in await held(nfts, owner, chain)}


async def test_one_of_them_is_told_to_its_owner_alone(sandbox: Sandbox, nfts: Nfts) -> None:
    which = parse_nft_id(await give(sandbox, HOLDERS[2], SOLANA))
    mine, theirs = await nfts.one(which, HOLDERS[2]), await nfts.one(which, HOLDERS[1])
    assert (mine is not None, theirs) == (True, None)

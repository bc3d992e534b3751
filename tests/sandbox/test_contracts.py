"""The contracts on the chains, asked by web3 through the gateway as any client would."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from eth_account import Account

from scripts.project import VENV_BIN
from tests.patience import patience
from tests.sandbox.minimal_abi import abi
from tests.sandbox.web3_client import ContractLogicError, Web3, call, connected, contract_at, send
from walletmodal.core.permissions.framework import MANAGER
from walletmodal.core.smart_accounts.contracts import ENTRY_POINT_0_7, ENTRY_POINT_0_8, SAFE_MODULE, STATELESS_DELEGATOR
from walletmodal.sandbox import Sandbox
from walletmodal.sandbox.evm.artifacts import PACKAGED, call_data, creation_code
from walletmodal.sandbox.evm.first_transactions import SPONSORSHIP
from walletmodal.sandbox.evm.smart_accounts import (
    FIRST,
    PAYMASTERS,
    SAFE_FALLBACK_HANDLER,
    SECOND,
    SIMPLE_7702_ACCOUNT,
)
from walletmodal.sandbox.evm.world import MULTICALL, EvmWorld, worlds
from walletmodal.sandbox.packages import PACKAGES

pytestmark = pytest.mark.asyncio(loop_scope="session")

ALICE, BOB = (
    Account.from_key("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"),
    Account.from_key("0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"),
)
WORLD = worlds()["eip155:1"]
CHAINS = list(worlds())
FAR = 2**63

ERC20 = abi(
    "name() view returns (string)",
    "symbol() view returns (string)",
    "decimals() view returns (uint8)",
    "balanceOf(address) view returns (uint256)",
    "allowance(address,address) view returns (uint256)",
    "approve(address,uint256) nonpayable returns (bool)",
    "permit(address,address,uint256,uint256,uint8,bytes32,bytes32) nonpayable returns ()",
)
PAIR = abi(
    "token0() view returns (address)",
    "token1() view returns (address)",
    "getReserves() view returns (uint112,uint112,uint32)",
)
ROUTER = abi(
    "WETH() view returns (address)",
    "factory() view returns (address)",
    "getAmountsOut(uint256,address[]) view returns (uint256[])",
    "swapExactETHForTokens(uint256,address[],address,uint256) payable returns (uint256[])",
)
FACTORY = abi("getPair(address,address) view returns (address)")
COLLECTION = abi(
    "name() view returns (string)",
    "symbol() view returns (string)",
    "supportsInterface(bytes4) view returns (bool)",
    "ownerOf(uint256) view returns (address)",
    "balanceOf(address,uint256) view returns (uint256)",
    "tokenURI(uint256) view returns (string)",
    "uri(uint256) view returns (string)",
)
SAFE = abi("isValidSignature(bytes32,bytes) view returns (bytes4)", "getOwners() view returns (address[])")
HANDLER = abi("getMessageHashForSafe(address,bytes) view returns (bytes32)")

Connect = Callable[[str], Web3]


@pytest_asyncio.fixture(loop_scope="session")
async def connect(http: httpx.AsyncClient, sandbox: Sandbox) -> AsyncIterator[Connect]:
    """Clients of the chains through the gateway, of a sandbox that was just reset."""
    clients: list[Web3] = []

    def opened(chain: str) -> Web3:
        clients.append(connected(sandbox.rpc_url(chain)))
        return clients[-1]

    yield opened
    for client in clients:
        await client.provider.disconnect()


@pytest.fixture
def web3(connect: Connect) -> Web3:
    return connect("eip155:1")


@pytest.mark.parametrize("world", worlds().values(), ids=CHAINS)
async def test_tokens_tell_what_the_world_says(connect: Connect, world: EvmWorld) -> None:
    web3 = connect(world.chain)
    for token in world.tokens:
        contract = contract_at(web3, token.address, ERC20)
        told = [await contract.functions[name]().call() for name in ("name", "symbol", "decimals")]
        assert told == [token.name, token.symbol, token.decimals]
        assert await contract.functions.balanceOf(world.accounts[9]).call() > 0


@pytest.mark.parametrize("world", worlds().values(), ids=CHAINS)
async def test_pools_are_where_the_factory_says_and_have_liquidity(connect: Connect, world: EvmWorld) -> None:
    web3 = connect(world.chain)
    assert await contract_at(web3, world.router, ROUTER).functions.factory().call() == world.factory
    assert await contract_at(web3, world.router, ROUTER).functions.WETH().call() == world.wrapped.address
    factory = contract_at(web3, world.factory, FACTORY)
    for pool in world.pools:
        assert await factory.functions.getPair(pool.token0, pool.token1).call() == pool.address
        pair = contract_at(web3, pool.address, PAIR)
        assert await pair.functions.token0().call() == pool.token0
        reserves = await pair.functions.getReserves().call()
        assert min(reserves[:2]) > 0


@pytest.mark.parametrize("world", worlds().values(), ids=CHAINS)
async def test_viem_reads_contracts_through_the_multicall_that_its_chains_name(
    unchanging_http: httpx.AsyncClient, sandbox: Sandbox, world: EvmWorld
) -> None:
    script = Path(__file__).with_name("viem_reads.mjs")
    asked = [world.chain.removeprefix("eip155:"), sandbox.rpc_url(world.chain), world.dollar.address]
    reading = await asyncio.create_subprocess_exec(VENV_BIN / "node", script, *asked, stdout=asyncio.subprocess.PIPE)
    async with patience():
        told, _ = await reading.communicate()
    expected = [world.dollar.symbol, world.dollar.decimals]
    assert json.loads(told) == {"together": expected, "apart": expected}
    calls = [one["body"] for one in (await unchanging_http.get("/sandbox/requests?service=rpc")).json()[-2:]]
    assert [call["params"][0]["to"].lower() for call in calls] == [MULTICALL.lower()] * 2


async def test_pools_price_a_coin_in_dollars(web3: Web3) -> None:
    path = [WORLD.wrapped.address, WORLD.dollar.address]
    _, dollars = await contract_at(web3, WORLD.router, ROUTER).functions.getAmountsOut(10**18, path).call()
    assert 3_100 * 10**6 < dollars < 3_200 * 10**6


async def test_a_signed_swap_pays_out_what_was_quoted(web3: Web3) -> None:
    router, dollar = contract_at(web3, WORLD.router, ROUTER), contract_at(web3, WORLD.dollar.address, ERC20)
    path = [WORLD.wrapped.address, WORLD.dollar.address]
    _, quoted = await router.functions.getAmountsOut(10**17, path).call()
    before = await dollar.functions.balanceOf(BOB.address).call()
    await send(web3, BOB, router.functions.swapExactETHForTokens(quoted, path, BOB.address, FAR), value=10**17)
    assert await dollar.functions.balanceOf(BOB.address).call() == before + quoted


async def test_tether_wants_its_allowance_back_to_zero_first(web3: Web3) -> None:
    known = WORLD.token("USDT")
    assert known is not None
    tether = contract_at(web3, known.address, ERC20)
    await send(web3, BOB, tether.functions.approve(WORLD.router, 5))
    with pytest.raises(ContractLogicError, match="allowance to zero"):
        await call(web3, known.address, call_data("approve(address,uint256)", WORLD.router, 7), BOB.address)
    await send(web3, BOB, tether.functions.approve(WORLD.router, 0))
    await send(web3, BOB, tether.functions.approve(WORLD.router, 7))
    assert await tether.functions.allowance(BOB.address, WORLD.router).call() == 7


async def test_tethers_transfer_returns_nothing(web3: Web3) -> None:
    known = WORLD.token("USDT")
    assert known is not None
    data = call_data("transfer(address,uint256)", ALICE.address, 1)
    assert await call(web3, known.address, data, BOB.address) == b""


@pytest.mark.parametrize("chain", ["eip155:1", "eip155:137"])
async def test_collections_draw_their_own_pictures(connect: Connect, chain: str) -> None:
    web3 = connect(chain)
    pictures = set()
    for collection in worlds()[chain].collections:
        contract = contract_at(web3, collection.address, COLLECTION)
        assert await contract.functions.name().call() == collection.name
        assert await contract.functions.symbol().call() == collection.symbol
        interface = "0x80ac58cd" if collection.standard == "ERC721" else "0xd9b67a26"
        assert await contract.functions.supportsInterface(interface).call() is True
        read = "tokenURI" if collection.standard == "ERC721" else "uri"
        uri = await contract.functions[read](collection.ids[0]).call()
        head, _, body = uri.partition(",")
        assert head == "data:application/json;base64"
        metadata = json.loads(base64.b64decode(body, validate=True))
        assert metadata["name"] == f"{collection.name} #1"
        head, _, body = metadata["image"].partition(",")
        assert head == "data:image/svg+xml;base64"
        picture = base64.b64decode(body, validate=True)
        assert picture.startswith(b"<svg ")
        assert picture.endswith(b"</svg>")
        pictures.add(picture)
    assert len(pictures) == len(worlds()[chain].collections)


async def test_every_account_has_collectibles(web3: Web3) -> None:
    birds, _, badges = WORLD.collections
    owners = {
        await contract_at(web3, birds.address, COLLECTION).functions.ownerOf(number).call() for number in birds.ids
    }
    assert owners == set(WORLD.accounts)
    badge = contract_at(web3, badges.address, COLLECTION)
    assert await badge.functions.balanceOf(WORLD.accounts[9], 1).call() == 3


async def test_names_resolve_both_ways_with_web3s_own_client(web3: Web3) -> None:
    ens: Any = web3.ens
    assert WORLD.ens is not None
    for name in WORLD.ens.names:
        assert await ens.address(name.name) == name.address
        assert await ens.name(name.address) == name.name
        assert await ens.get_text(name.name, "avatar") == name.avatar
    assert await ens.address("nobody.eth") is None


async def test_the_avatar_that_is_an_nft_belongs_to_its_name(web3: Web3) -> None:
    assert WORLD.ens is not None
    name = WORLD.ens.names[1]
    chain, asset, number = name.avatar.split("/")
    standard, _, collection = asset.partition(":")
    assert (chain, standard) == ("eip155:1", "erc721")
    assert await contract_at(web3, collection, COLLECTION).functions.ownerOf(int(number)).call() == name.address


async def test_the_contract_account_accepts_its_owners_signature_and_no_other(web3: Web3) -> None:
    known = WORLD.contract_account
    assert known is not None
    safe, handler = contract_at(web3, known.address, SAFE), contract_at(web3, SAFE_FALLBACK_HANDLER, HANDLER)
    assert await safe.functions.getOwners().call() == [known.owner]
    digest = web3.keccak(text="Hello")
    wrapped = await handler.functions.getMessageHashForSafe(known.address, digest).call()
    accepted = await safe.functions.isValidSignature(digest, ALICE.unsafe_sign_hash(wrapped).signature).call()
    assert accepted.hex() == "1626ba7e"
    with pytest.raises(ContractLogicError, match="GS026"):
        await safe.functions.isValidSignature(digest, BOB.unsafe_sign_hash(wrapped).signature).call()


@pytest.mark.parametrize("chain", CHAINS)
async def test_the_contracts_of_smart_accounts_stand_on_every_chain(connect: Connect, chain: str) -> None:
    web3 = connect(chain)
    standing = (*FIRST, *SECOND)
    codes = await asyncio.gather(*(web3.eth.get_code(web3.to_checksum_address(one.address)) for one in standing))
    assert [one.name for one, code in zip(standing, codes, strict=True) if not code] == []


@pytest.mark.parametrize(
    ("address", "method", "expected"),
    [
        (SAFE_MODULE, "SUPPORTED_ENTRYPOINT", ENTRY_POINT_0_7),
        (STATELESS_DELEGATOR, "delegationManager", MANAGER),
        (STATELESS_DELEGATOR, "entryPoint", ENTRY_POINT_0_7),
        (SIMPLE_7702_ACCOUNT, "entryPoint", ENTRY_POINT_0_8),
        (PAYMASTERS[ENTRY_POINT_0_7], "entryPoint", ENTRY_POINT_0_7),
        (PAYMASTERS[ENTRY_POINT_0_8], "entryPoint", ENTRY_POINT_0_8),
        (MANAGER, "owner", WORLD.treasury),
    ],
)
async def test_their_constructors_had_the_arguments_of_the_public_chains(
    web3: Web3, address: str, method: str, expected: str
) -> None:
    contract = contract_at(web3, address, abi(f"{method}() view returns (address)"))
    assert await contract.functions[method]().call() == expected


@pytest.mark.parametrize("contract", sorted({one.contract for one in (*FIRST, *SECOND)}))
async def test_their_code_is_in_the_packages(contract: str) -> None:
    assert len(creation_code(contract, "0x" + "11" * 20)) > 100


@pytest.mark.parametrize("entry_point", PAYMASTERS)
async def test_paymasters_have_a_deposit(web3: Web3, entry_point: str) -> None:
    balance = abi("balanceOf(address) view returns (uint256)")
    contract = contract_at(web3, entry_point, balance)
    assert await contract.functions.balanceOf(PAYMASTERS[entry_point]).call() == SPONSORSHIP


async def test_a_signed_permit_becomes_an_allowance(web3: Web3) -> None:
    dollar = contract_at(web3, WORLD.dollar.address, ERC20)
    domain = {"name": "USD Coin", "version": "1", "chainId": 1, "verifyingContract": WORLD.dollar.address}
    permit = {"owner": ALICE.address, "spender": BOB.address, "value": 5, "nonce": 0, "deadline": FAR}
    kinds = {name: "address" if name in ("owner", "spender") else "uint256" for name in permit}
    types = {"Permit": [{"name": name, "type": kind} for name, kind in kinds.items()]}
    signed = ALICE.sign_typed_data(domain, types, permit)
    rest = (signed.v, signed.r.to_bytes(32, "big"), signed.s.to_bytes(32, "big"))
    await send(web3, BOB, dollar.functions.permit(ALICE.address, BOB.address, 5, FAR, *rest))
    assert await dollar.functions.allowance(ALICE.address, BOB.address).call() == 5


async def test_the_first_account_has_swapped_and_paid(web3: Web3) -> None:
    transfer = web3.keccak(text="Transfer(address,address,uint256)").to_0x_hex()
    sender = "0x" + ALICE.address[2:].lower().rjust(64, "0")
    asked: Any = {"fromBlock": 0, "address": WORLD.dollar.address, "topics": [transfer, sender]}
    recipients = {log["topics"][2].to_0x_hex()[-40:] for log in await web3.eth.get_logs(asked)}
    pool = WORLD.pool(WORLD.wrapped.address, WORLD.dollar.address)
    assert pool is not None
    assert recipients == {pool.address[2:].lower(), BOB.address[2:].lower()}


@pytest.mark.parametrize("contract", PACKAGED)
async def test_every_contract_of_others_is_in_the_packages(contract: str) -> None:
    assert (PACKAGES / PACKAGED[contract]).is_file()

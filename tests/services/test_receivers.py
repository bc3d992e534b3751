"""Receivers on a real chain, with its real names and with a history that an adversary has written into."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
import pytest_asyncio
from eth_utils.address import to_checksum_address
from eth_utils.crypto import keccak

from tests.ports import free_ports
from tests.sandbox.blockchain.stage import ETHER, Foreign, Stage, staged, token, world
from walletmodal.core.accounts.names import registration_message
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import AddressError
from walletmodal.core.errors.receivers import ReceiverChangedError, ReceiverUncheckedError
from walletmodal.core.transfers.receiver_checks import Receiver
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.blockchain.ens import namehash
from walletmodal.sandbox.chains import CHAINS
from walletmodal.sandbox.evm.anvil_program import anvil_binary
from walletmodal.sandbox.evm.artifacts import call_data
from walletmodal.services.blockchain import BlockchainClient
from walletmodal.services.cache import MemoryCache
from walletmodal.services.chains.registry import Chains
from walletmodal.services.http import Caller, HttpService
from walletmodal.services.lookups import Lookups
from walletmodal.services.names import AccountNames
from walletmodal.services.names.ens import EnsNames
from walletmodal.services.receivers import Receivers
from walletmodal.services.receivers.correspondence import Correspondence
from walletmodal.services.rpc import RpcEndpoints, rpc_http_client

pytestmark = pytest.mark.asyncio(loop_scope="module")

MAINNET, POLYGON = parse_chain_id("eip155:1"), parse_chain_id("eip155:137")
SOLANA = parse_chain_id("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp")
CALLER = Caller("http://localhost:8700", "sandbox")
ALICE, BOB = world().accounts[:2]
NOBODY = "http://127.0.0.1:1"


class Restless(MovableClock):
    """A clock on which nobody waits: what is asked again is asked again at once."""

    async def sleep(self, seconds: float) -> None:
        self.advance(seconds)


@dataclass
class Desk:
    """The examiner, with what a test moves: its clock, the visitor, and where things are asked."""

    receivers: Receivers
    names: AccountNames
    clock: MovableClock
    stage: Stage
    visitor: Foreign

    async def examine(self, text: str, **options: Any) -> Receiver:
        chain = options.pop("chain", MAINNET)
        return await self.receivers.examine(CALLER, chain, self.visitor.address, text, **options)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def node() -> AsyncIterator[AnvilNode]:
    node = AnvilNode(CHAINS[0], free_ports(), anvil_binary(), print)
    await node.start()
    yield node
    await node.stop()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(node: AnvilNode) -> AsyncIterator[Stage]:
    stage = staged({str(MAINNET): node})
    yield stage
    await stage.http.aclose()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def connections() -> AsyncIterator[httpx.AsyncClient]:
    async with rpc_http_client() as client:
        yield client


def opened(
    stage: Stage, connections: httpx.AsyncClient, visitor: Foreign, *, rpc: str = "", service: bool = True
) -> Desk:
    """A desk of its own; `rpc` is asked in the place of the chain's node."""
    clock = Restless()
    cache = MemoryCache(clock)
    url = rpc or stage.node.url
    endpoints = RpcEndpoints(connections, overrides={str(MAINNET): url, str(POLYGON): url}, clock=clock)
    chains = Chains(endpoints.unjoined)
    http = stage.http if service else connections
    base = "http://service" if service else NOBODY
    client = BlockchainClient(HttpService(http, "blockchain", base, sdk="python-eip155-1"), Lookups(cache))
    names = AccountNames(EnsNames(endpoints.unjoined), client.names, cache)
    correspondence = Correspondence(client.accounts, chains, cache)
    receivers = Receivers(chains, client.accounts, names, correspondence)
    return Desk(receivers, names, clock, stage, visitor)


@pytest_asyncio.fixture(loop_scope="module")
async def visitor(node: AnvilNode) -> Foreign:
    return await Foreign.funded(node)


@pytest.fixture
def desk(stage: Stage, connections: httpx.AsyncClient, visitor: Foreign) -> Desk:
    return opened(stage, connections, visitor)


def alike(address: str) -> str:
    """An address that begins and ends like another one."""
    return to_checksum_address(f"{address[:6]}{'ab' * 16}{address[-4:]}".lower())


async def name(desk: Desk, label: str, address: str) -> None:
    """The owner of `eth` lets a name lead to an address."""
    ens = world().ens
    assert ens is not None
    await desk.stage.node.rpc("anvil_impersonateAccount", [ens.owner])
    data = call_data(
        "setSubnodeOwner(bytes32,bytes32,address)", namehash("eth"), keccak(text=label), desk.visitor.address
    )
    given = {"from": ens.owner, "to": ens.registry, "data": f"0x{data.hex()}"}
    await desk.stage.node.rpc("eth_sendTransactionSync", [given])
    node = namehash(f"{label}.eth")
    await desk.visitor.call(ens.registry, "setResolver(bytes32,address)", node, ens.resolver)
    await desk.visitor.call(ens.resolver, "setAddr(bytes32,address)", node, address)


async def test_an_address_that_nothing_speaks_against(desk: Desk) -> None:
    assert await desk.examine(f" {BOB.lower()} ") == Receiver(BOB, first_time=True)


async def test_who_was_sent_something_before_is_no_stranger(desk: Desk) -> None:
    await desk.visitor.send(BOB, value=ETHER)
    assert await desk.examine(BOB) == Receiver(BOB, first_time=False)


async def test_what_was_sent_from_here_counts_before_any_history_tells(desk: Desk) -> None:
    assert (await desk.examine(BOB, sent_to=[BOB.lower(), "nonsense"])).first_time is False


async def test_ones_own_accounts_are_told(desk: Desk) -> None:
    assert await desk.examine(desk.visitor.key.address) == Receiver(
        desk.visitor.key.address, first_time=False, own=True
    )
    assert (await desk.examine(BOB, own=[BOB, "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"])).own


@pytest.mark.parametrize(
    ("text", "warning", "usable"),
    [
        ("0x" + "0" * 40, "burn", True),
        ("0x000000000000000000000000000000000000dEaD", "burn", True),
        (token("USDC"), "contract", True),
        (world().collections[0].address, "contract", True),
        (BOB.replace("C51812dc", "c51812dc"), "checksum", True),
        ("9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", "namespace", False),
        ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "namespace", False),
        (f"{SOLANA}:9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", "namespace", False),
        (f"eip155:137:{BOB}", "namespace", True),
        (f"ethereum:{BOB}@137", "namespace", True),
        ("bоb.eth", "confusable", False),
        ("ｂob.eth", "confusable", True),
    ],
)
async def test_what_speaks_against_a_receiver_is_told(desk: Desk, text: str, warning: str, usable: bool) -> None:
    receiver = await desk.examine(text)
    assert (receiver.warnings, receiver.usable, receiver.unchecked) == ((warning,), usable, ())


@pytest.mark.parametrize(
    "text", ["", "hello", "0x12", BOB[:-1], "nobody-has-this.eth", "https://a.eth/", "a..eth", "\u200b"]
)
async def test_what_leads_nowhere_is_no_receiver(desk: Desk, text: str) -> None:
    receiver = await desk.examine(text)
    assert (receiver.address, receiver.warnings, receiver.unchecked) == ("", (), ())


async def test_the_contract_of_what_is_sent_is_told_without_asking(
    stage: Stage, connections: httpx.AsyncClient, visitor: Foreign
) -> None:
    desk = opened(stage, connections, visitor, rpc=NOBODY)
    receiver = await desk.examine(token("USDC"), token=token("USDC"))
    assert receiver.warnings == ("contract",)


async def test_a_contract_account_is_an_account(desk: Desk) -> None:
    safe = world().contract_account
    assert safe is not None
    assert (await desk.examine(safe.address)).warnings == ()


async def test_a_lookalike_of_whom_one_has_sent_to_is_told_and_named(desk: Desk) -> None:
    friend = "0x5e11e11e11e11e11e11e11e11e11e11e11e1beef"
    await desk.visitor.send(friend, value=1)
    receiver = await desk.examine(alike(friend))
    assert (receiver.warnings, receiver.resembles.lower(), receiver.first_time) == (("lookalike",), friend, True)


async def test_a_lookalike_of_whom_something_was_sent_to_from_here_is_told(desk: Desk) -> None:
    receiver = await desk.examine(alike(BOB), sent_to=[BOB])
    assert (receiver.warnings, receiver.resembles, receiver.first_time) == (("lookalike",), BOB, True)


async def test_a_lookalike_of_ones_own_account_is_told(desk: Desk) -> None:
    assert (await desk.examine(alike(desk.visitor.address))).warnings == ("lookalike",)


async def test_a_lookalike_of_who_has_paid_one_is_told(desk: Desk, node: AnvilNode) -> None:
    payer = await Foreign.funded(node)
    await payer.send(desk.visitor.address, value=ETHER)
    assert (await desk.examine(alike(payer.address))).warnings == ("lookalike",)


async def poisoned_by_dust(desk: Desk, friend: str, poison: str) -> None:
    await desk.stage.node.rpc("anvil_setBalance", [poison, hex(ETHER)])
    await desk.stage.node.rpc("anvil_impersonateAccount", [poison])
    given = {"from": poison, "to": desk.visitor.address, "value": hex(10**9)}
    await desk.stage.node.rpc("eth_sendTransactionSync", [given])


async def poisoned_by_nothing(desk: Desk, friend: str, poison: str) -> None:
    """Anybody may move nothing in anybody's name."""
    adversary = await Foreign.funded(desk.stage.node)
    await adversary.call(token("DAI"), "transferFrom(address,address,uint256)", desk.visitor.address, poison, 0)


async def poisoned_by_a_false_token(desk: Desk, friend: str, poison: str) -> None:
    """A token of the adversary's own tells of payments that the visitor has never made."""
    adversary = await Foreign.funded(desk.stage.node)
    false = await adversary.deploy(
        "SandboxToken", "(string,string,uint8,address)", "Coin", "USDC", 6, adversary.address
    )
    await adversary.call(false, "mint(address,uint256)", desk.visitor.address, 5_000_000)
    # Its owner may do with it as it likes; here the visitor's consent is forged on the node.
    await desk.stage.node.rpc("anvil_impersonateAccount", [desk.visitor.address])
    data = call_data("approve(address,uint256)", adversary.address, 5_000_000)
    given = {"from": desk.visitor.address, "to": false, "data": f"0x{data.hex()}"}
    await desk.stage.node.rpc("eth_sendTransactionSync", [given])
    await adversary.call(false, "transferFrom(address,address,uint256)", desk.visitor.address, poison, 5_000_000)


@pytest.mark.parametrize("attack", [poisoned_by_dust, poisoned_by_nothing, poisoned_by_a_false_token])
async def test_a_planted_address_is_a_stranger_that_looks_like_a_friend(desk: Desk, attack: Any) -> None:
    friend = f"0x{keccak(text=attack.__name__)[:20].hex()}"
    await desk.visitor.send(friend, value=ETHER // 10)
    await attack(desk, friend, alike(friend).lower())
    planted, real = await desk.examine(alike(friend)), await desk.examine(friend)
    assert (planted.warnings, planted.first_time) == (("lookalike",), True)
    assert (real.warnings, real.first_time) == ((), False)


async def test_a_name_leads_to_its_address_on_every_evm_network(desk: Desk) -> None:
    assert await desk.examine("BOB.eth") == Receiver(BOB, "bob.eth", first_time=True)
    assert (await desk.examine("bob.eth", chain=POLYGON)).address == BOB


async def test_a_registered_name_leads_to_its_owner(desk: Desk) -> None:
    label = f"owner-{desk.visitor.address[2:10]}"
    message = registration_message(f"{label}.reown.id", desk.stage.clock.now())
    body = {
        "coin_type": 60,
        "address": desk.visitor.key.address,
        "message": message,
        "signature": desk.visitor.sign(message),
    }
    await desk.stage.post("/v1/profile/account", body)
    receiver = await desk.examine(f"{label.upper()}.reown.id")
    assert (receiver.address, receiver.name, receiver.own) == (desk.visitor.key.address, f"{label}.reown.id", True)
    assert await desk.names.name_of(CALLER, MAINNET, desk.visitor.address) == f"{label}.reown.id"


async def test_a_name_leads_nowhere_on_solana(desk: Desk) -> None:
    sender = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
    assert await desk.receivers.examine(CALLER, SOLANA, sender, "bob.eth") == Receiver()


async def test_a_name_that_stays_is_confirmed(desk: Desk) -> None:
    receiver = await desk.examine("bob.eth")
    await desk.receivers.check_unchanged(CALLER, MAINNET, receiver)
    await desk.receivers.check_unchanged(CALLER, MAINNET, await desk.examine(BOB))


async def test_a_name_that_leads_elsewhere_by_now_is_an_error(desk: Desk) -> None:
    await name(desk, "mover", ALICE)
    receiver = await desk.examine("mover.eth")
    assert receiver.address == ALICE
    await name(desk, "mover", BOB)
    with pytest.raises(ReceiverChangedError) as raised:
        await desk.receivers.check_unchanged(CALLER, MAINNET, receiver)
    assert raised.value.address == BOB
    # What the visitor sees next is the address that it leads to now.
    assert (await desk.examine("mover.eth")).address == BOB


async def test_a_name_that_leads_nowhere_by_now_is_an_error(desk: Desk) -> None:
    await name(desk, "leaver", ALICE)
    receiver = await desk.examine("leaver.eth")
    await name(desk, "leaver", "0x" + "0" * 40)
    with pytest.raises(ReceiverChangedError) as raised:
        await desk.receivers.check_unchanged(CALLER, MAINNET, receiver)
    assert raised.value.address == ""


async def test_a_name_is_kept_for_five_minutes(desk: Desk) -> None:
    await name(desk, "keeper", ALICE)
    assert await desk.names.resolve(CALLER, MAINNET, "keeper.eth") == ALICE
    await name(desk, "keeper", BOB)
    desk.clock.advance(299)
    assert await desk.names.resolve(CALLER, MAINNET, "keeper.eth") == ALICE
    desk.clock.advance(2)
    assert await desk.names.resolve(CALLER, MAINNET, "keeper.eth") == BOB


async def test_a_new_name_works_at_once(desk: Desk) -> None:
    assert await desk.names.resolve(CALLER, MAINNET, "newcomer.eth") is None
    await name(desk, "newcomer", ALICE)
    assert await desk.names.resolve(CALLER, MAINNET, "newcomer.eth") == ALICE


async def test_an_account_is_called_by_a_name_that_leads_back(desk: Desk) -> None:
    assert await desk.names.name_of(CALLER, MAINNET, ALICE.lower()) == "alice.eth"
    assert await desk.names.name_of(CALLER, MAINNET, desk.visitor.address) == ""


@pytest.mark.parametrize("claimed", ["alice.eth", "ALICE.eth", "аlice.eth", "", "x.reown.id"])
async def test_an_impostor_has_no_name(desk: Desk, claimed: str) -> None:
    ens = world().ens
    assert ens is not None
    await desk.visitor.call(ens.reverse_registrar, "setName(string)", claimed)
    assert await desk.names.name_of(CALLER, MAINNET, desk.visitor.address) == ""


async def test_without_the_node_nothing_is_silently_right(
    stage: Stage, connections: httpx.AsyncClient, visitor: Foreign
) -> None:
    desk = opened(stage, connections, visitor, rpc=NOBODY)
    receiver, named = await asyncio.gather(desk.examine(BOB), desk.examine("bob.eth"))
    assert (receiver.usable, receiver.unchecked) == (True, ("contract",))
    assert (named.address, named.name, named.unchecked) == ("", "bob.eth", ("name",))
    with pytest.raises(ReceiverUncheckedError):
        await desk.receivers.check_unchanged(CALLER, MAINNET, Receiver(BOB, "bob.eth"))


async def test_without_a_history_nobody_is_said_to_be_new(
    stage: Stage, connections: httpx.AsyncClient, visitor: Foreign
) -> None:
    desk = opened(stage, connections, visitor, service=False)
    receiver = await desk.examine(BOB)
    assert (receiver.first_time, receiver.unchecked) == (None, ("history",))
    assert (await desk.examine(BOB, sent_to=[BOB])).first_time is False
    assert (await desk.examine(alike(BOB), own=[BOB])).warnings == ("lookalike",)


async def test_a_history_that_cannot_be_confirmed_still_gives_reason_for_doubt(
    stage: Stage, connections: httpx.AsyncClient, visitor: Foreign
) -> None:
    friend = "0x7e11e11e11e11e11e11e11e11e11e11e11e1beef"
    await visitor.send(friend, value=ETHER)
    desk = opened(stage, connections, visitor, rpc=NOBODY)
    receiver = await desk.examine(alike(friend))
    assert (receiver.warnings, receiver.first_time) == (("lookalike",), None)
    assert receiver.unchecked == ("history", "contract")


async def test_a_sender_that_is_none_is_refused(desk: Desk) -> None:
    with pytest.raises(AddressError):
        await desk.receivers.examine(CALLER, MAINNET, "nonsense", BOB)

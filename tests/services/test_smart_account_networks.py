"""What networks say of smart accounts, those that do not know them among them."""

import httpx
import pytest

from tests.services.anvil import running_anvil
from tests.services.rpc_double import TransportDouble, rpc_error, status
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import HttpRequestError, MalformedResponseError
from walletmodal.core.smart_accounts.account_state import AccountState
from walletmodal.core.smart_accounts.contracts import ENTRY_POINT_0_7
from walletmodal.services.rpc import HttpRpcTransport
from walletmodal.services.smart_accounts.networks import CHECKED_AGAIN_AFTER, SmartAccountNetworks

CHAIN = parse_chain_id("eip155:1")
OWNER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"


def networks(node: TransportDouble, clock: MovableClock | None = None) -> SmartAccountNetworks:
    return SmartAccountNetworks(lambda _chain: node, clock=clock)


@pytest.mark.parametrize(("hardfork", "there"), [("cancun", False), ("prague", True)])
async def test_a_real_network_is_known_by_its_rules(client: httpx.AsyncClient, hardfork: str, there: bool) -> None:
    with running_anvil("--hardfork", hardfork) as url:
        found = SmartAccountNetworks(lambda _chain: HttpRpcTransport(client, url))
        assert await found.can_delegate(CHAIN) is there


@pytest.mark.parametrize(
    ("answer", "there"),
    [
        (hex(46_001), True),
        pytest.param(hex(21_000), False, id="a node that passes over what it does not know"),
        (rpc_error(-32602, "unknown field authorizationList"), False),
    ],
)
async def test_a_network_has_delegations_where_they_cost_something(answer: object, there: bool) -> None:
    assert await networks(TransportDouble(answer)).can_delegate(CHAIN) is there


async def test_a_node_that_is_away_says_nothing_of_its_network() -> None:
    node = TransportDouble(status(503), hex(46_001))
    asked = networks(node)
    with pytest.raises(HttpRequestError):
        await asked.can_delegate(CHAIN)
    assert await asked.can_delegate(CHAIN)


async def test_a_network_that_has_delegations_is_asked_once() -> None:
    node, clock = TransportDouble(hex(46_001)), MovableClock()
    asked = networks(node, clock)
    await asked.can_delegate(CHAIN)
    clock.advance(10 * CHECKED_AGAIN_AFTER)
    assert await asked.can_delegate(CHAIN)
    assert len(node.asked) == 1


async def test_a_network_that_has_none_is_asked_again_after_a_while() -> None:
    node, clock = TransportDouble(hex(21_000), hex(46_001)), MovableClock()
    asked = networks(node, clock)
    before = [await asked.can_delegate(CHAIN) for _ in range(2)]
    clock.advance(CHECKED_AGAIN_AFTER)
    assert (before, await asked.can_delegate(CHAIN)) == ([False, False], True)


async def test_the_account_is_what_its_code_says() -> None:
    assert await networks(TransportDouble("0x")).state(CHAIN, "delegator", OWNER) == AccountState("plain")


@pytest.mark.parametrize("answer", [None, "code", "0x1"])
async def test_code_that_makes_no_sense_is_not_guessed_at(answer: object) -> None:
    with pytest.raises(MalformedResponseError):
        await networks(TransportDouble(answer)).state(CHAIN, "delegator", OWNER)


async def test_a_network_without_the_entry_point_has_no_nonce() -> None:
    with pytest.raises(MalformedResponseError):
        await networks(TransportDouble("0x")).operation_nonce(CHAIN, OWNER, ENTRY_POINT_0_7)

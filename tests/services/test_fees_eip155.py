"""Speeds and fees on EVM networks: on the sandbox's Ethereum, and by what nodes tell."""

from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.services.node import Node
from tests.services.real_chains import ethereum
from tests.services.test_chains_eip155 import chain_of, on_node, request_of, send, transfer
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors.nodes import InsufficientFundsError
from walletmodal.core.transfers.fees import SPEEDS, Speed, spendable
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.evm.world import worlds
from walletmodal.services.chains.eip155 import Eip155Adapter
from walletmodal.services.chains.eip155.fees import History, fees_by_speed
from walletmodal.services.chains.eip155.transfers import TOKEN_TRANSFER_GAS
from walletmodal.services.rpc import BatchingTransport, HttpRpcTransport, RpcEndpoints

__all__ = ["ethereum"]

MAINNET, OPTIMISM = parse_chain_id("eip155:1"), parse_chain_id("eip155:10")
WORLD = worlds()["eip155:1"]
SENDER = WORLD.accounts[0]
GWEI = 10**9
WEI = st.integers(0, 10**13)
NO_HISTORY = {"code": -32601, "message": "the method does not exist"}


@pytest.fixture
def adapter(client: httpx.AsyncClient, ethereum: AnvilNode) -> Eip155Adapter:
    return Eip155Adapter(RpcEndpoints(client, overrides={str(MAINNET): ethereum.url}).transport)


@pytest.fixture
def doubtful(client: httpx.AsyncClient, node: Node) -> Eip155Adapter:
    """The adapter of a node that does as it is told, asked once."""
    transport = BatchingTransport(HttpRpcTransport(client, node.url))
    return Eip155Adapter(lambda _chain: transport)


@given(
    st.lists(WEI, min_size=1, max_size=6),
    st.lists(st.lists(WEI, min_size=3, max_size=3).map(sorted), max_size=5),
    st.none() | WEI,
)
def test_faster_is_never_cheaper_and_never_outbid_by_its_own_tip(
    base_fees: list[int], tips: list[list[int]], price: int | None
) -> None:
    fees = fees_by_speed(History(base_fees, tips), price)
    slow, normal, fast = (fees[speed] for speed in SPEEDS)
    assert slow.most <= normal.most <= fast.most
    for one in (slow, normal, fast):
        assert one.tip is not None
        assert 0 <= one.tip <= one.least <= one.most


def test_the_speeds_are_what_slow_usual_and_hasty_senders_paid() -> None:
    history = History([30 * GWEI, 40 * GWEI], [[1 * GWEI, 2 * GWEI, 9 * GWEI], [1 * GWEI, 2 * GWEI, 7 * GWEI]])
    fees = fees_by_speed(history, None)
    assert [(one.tip, one.most) for one in (fees[speed] for speed in SPEEDS)] == [
        (1 * GWEI, 51 * GWEI),
        (2 * GWEI, 82 * GWEI),
        (7 * GWEI, 107 * GWEI),
    ]


@pytest.mark.parametrize("speed", SPEEDS)
async def test_a_transfer_is_built_with_the_speed_that_was_chosen(
    adapter: Eip155Adapter, ethereum: AnvilNode, speed: Speed
) -> None:
    prepared = await adapter.build_transfer(SENDER, transfer(5), speed)
    assert (prepared.speed, prepared.fee) == (speed, prepared.quote.of(speed).most)
    await send(ethereum, prepared)


async def test_faster_offers_more(adapter: Eip155Adapter) -> None:
    slow, normal, fast = [request_of(await adapter.build_transfer(SENDER, transfer(5), speed)) for speed in SPEEDS]
    for field in ("maxFeePerGas", "maxPriorityFeePerGas"):
        assert int(slow[field], 16) < int(normal[field], 16) < int(fast[field], 16)


async def test_a_chain_with_one_price_offers_no_choice(doubtful: Eip155Adapter, node: Node) -> None:
    node.behaviour = chain_of(eth_feeHistory=NO_HISTORY)
    prepared = await doubtful.build_transfer(SENDER, transfer(5), "fast")
    assert (prepared.speed, prepared.quote.speeds) == ("normal", ())
    assert request_of(prepared)["gasPrice"] == "0x77359400"


@pytest.mark.parametrize("speed", SPEEDS)
async def test_the_most_that_can_be_sent_leaves_its_fee(
    adapter: Eip155Adapter, ethereum: AnvilNode, speed: Speed
) -> None:
    account = "0x" + "6b" * 20
    await on_node(ethereum, "anvil_setBalance", account, hex(10**18))
    await on_node(ethereum, "anvil_impersonateAccount", account)
    quote = await adapter.transfer_fee(MAINNET, account)
    most = spendable(10**18, quote.of(speed).most)
    prepared = await adapter.build_transfer(account, transfer(most), speed)
    assert most + prepared.fee <= 10**18
    await send(ethereum, prepared)


async def test_more_than_that_is_too_much(adapter: Eip155Adapter, ethereum: AnvilNode) -> None:
    account = "0x" + "6c" * 20
    await on_node(ethereum, "anvil_setBalance", account, hex(10**18))
    with pytest.raises(InsufficientFundsError):
        await adapter.build_transfer(account, transfer(10**18))


async def test_who_has_the_fee_paid_can_send_all(adapter: Eip155Adapter, ethereum: AnvilNode) -> None:
    account = "0x" + "6d" * 20
    await on_node(ethereum, "anvil_setBalance", account, hex(10**18))
    prepared = await adapter.build_transfer(account, transfer(10**18), sponsored=True)
    assert request_of(prepared)["value"] == hex(10**18)


async def test_the_fee_of_a_token_is_about_what_its_transfer_costs(adapter: Eip155Adapter) -> None:
    usdc = WORLD.token("USDC")
    assert usdc is not None
    quote = await adapter.transfer_fee(MAINNET, SENDER, usdc.address)
    plain = await adapter.transfer_fee(MAINNET, SENDER)
    assert 2 * plain.of("normal").most < quote.of("normal").most < 6 * plain.of("normal").most


async def test_a_token_that_refuses_to_be_tried_gets_a_usual_fee(doubtful: Eip155Adapter, node: Node) -> None:
    node.behaviour = chain_of(eth_estimateGas={"code": 3, "message": "execution reverted"}, eth_feeHistory=NO_HISTORY)
    quote = await doubtful.transfer_fee(MAINNET, SENDER, "0x" + "12" * 20)
    assert quote.of("normal").most == TOKEN_TRANSFER_GAS * 2 * GWEI


async def test_where_data_is_paid_for_elsewhere_the_quote_says_that_it_is_not_included(
    doubtful: Eip155Adapter, node: Node
) -> None:
    node.behaviour = chain_of(eth_call="0x")
    assert (await doubtful.transfer_fee(OPTIMISM, SENDER)).data_fee
    assert not (await doubtful.transfer_fee(MAINNET, SENDER)).data_fee


@pytest.mark.parametrize("rewards", [None, "x", [[]], [["0x1"]], [[], ["0x1", "0x2"]]])
async def test_rewards_that_tell_too_little_still_give_three_speeds(
    doubtful: Eip155Adapter, node: Node, rewards: Any
) -> None:
    node.behaviour = chain_of(
        eth_feeHistory={
            "oldestBlock": "0x1",
            "baseFeePerGas": ["0x64", "0x64"],
            "gasUsedRatio": [0.5],
            "reward": rewards,
        }
    )
    quote = await doubtful.transfer_fee(MAINNET, SENDER)
    assert quote.speeds == SPEEDS

"""How often one visitor, and one address, may have services and nodes asked."""

from __future__ import annotations

import httpx
import pytest

from tests.services.node import Node, echo
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import HttpRequestError
from walletmodal.services.outside_budget import (
    ADDRESS_SERVICES,
    VISITOR_NODES,
    VISITOR_SERVICES,
    Asker,
    OutsideBudget,
    as_asker,
)
from walletmodal.services.rpc import HttpRpcTransport


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
def budget(clock: MovableClock) -> OutsideBudget:
    return OutsideBudget(clock)


async def spent(budget: OutsideBudget, visitor: str, address: str, times: int) -> int:
    with as_asker(Asker(visitor, address)):
        return sum([await budget.may_ask_service() for _ in range(times)])


async def test_a_visitor_has_a_budget_that_comes_back_with_time(budget: OutsideBudget, clock: MovableClock) -> None:
    assert await spent(budget, "one", "203.0.113.1", 100) == VISITOR_SERVICES.burst
    clock.advance(5)
    assert await spent(budget, "one", "203.0.113.1", 100) == 5 * VISITOR_SERVICES.per_second


async def test_another_visitor_has_another(budget: OutsideBudget) -> None:
    await spent(budget, "one", "203.0.113.1", 100)
    assert await spent(budget, "two", "203.0.113.1", 1) == 1


async def test_one_address_cannot_have_as_much_as_it_has_sessions(budget: OutsideBudget) -> None:
    sessions = 2 * ADDRESS_SERVICES.burst // VISITOR_SERVICES.burst
    asked = [await spent(budget, f"session {n}", "203.0.113.1", 100) for n in range(sessions)]
    assert sum(asked) == ADDRESS_SERVICES.burst
    assert await spent(budget, "elsewhere", "203.0.113.2", 1) == 1


async def test_what_the_deployment_does_by_itself_is_not_counted(budget: OutsideBudget) -> None:
    assert all([await budget.may_ask_service() for _ in range(5_000)])


async def test_questions_to_nodes_are_counted_apart(
    budget: OutsideBudget, client: httpx.AsyncClient, node: Node
) -> None:
    node.behaviour = echo
    way = budget.counted(lambda _chain: HttpRpcTransport(client, node.url))(parse_chain_id("eip155:1"))
    with as_asker(Asker("one", "203.0.113.1")):
        for _ in range(VISITOR_NODES.burst):
            assert await budget.may_ask_node()
        with pytest.raises(HttpRequestError) as refused:
            await way.request("eth_call", [1])
        assert await budget.may_ask_service()
    assert refused.value.status == 429
    assert await way.request("eth_call", [1]) == 1

"""What is measured: requests, nodes, the database, Redis, sockets and the event loop; also what fails of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client import REGISTRY
from redis.asyncio import Redis
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from tests.patience import eventually
from tests.web import served
from tests.web.event_socket_world import LOADED, World, event
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import TransportError
from walletmodal.db.engine import DatabaseTimeoutError, open_engine, unit_of_work
from walletmodal.services.cache import RedisCache
from walletmodal.services.node_calls import node_call
from walletmodal.services.rpc import RpcEndpoints
from walletmodal.web.loop_watch import watch_loop


class Figure:
    """By how much a figure has grown since this was made."""

    def __init__(self, name: str, **labels: str) -> None:
        self._name, self._labels = name, labels
        self._before = self._value()

    def _value(self) -> float:
        return REGISTRY.get_sample_value(self._name, self._labels) or 0.0

    @property
    def grown(self) -> float:
        return self._value() - self._before


@pytest.mark.parametrize(("path", "status"), [("/_live", "2xx"), ("/nothing", "4xx")])
async def test_requests_are_measured_by_what_they_are_answered(tmp_path: Path, path: str, status: str) -> None:
    measured = Figure("walletmodal_http_seconds_count", status=status)
    async with served.client(served.app(tmp_path)) as client:
        await client.get(path)
    assert measured.grown == 1


async def test_what_balancers_ask_is_no_request_of_a_visitor(tmp_path: Path) -> None:
    """A server that is replaced says 503 to them for minutes, as it should."""
    measured = [Figure("walletmodal_http_seconds_count", status=status) for status in ("2xx", "5xx")]
    async with served.client(served.app(tmp_path)) as client:
        assert (await client.get("/_health")).status_code == 200
    assert [one.grown for one in measured] == [0, 0]


@pytest.mark.parametrize(("chain", "label"), [("eip155:1", "eip155:1"), ("eip155:987654321", "other")])
async def test_requests_to_nodes_are_measured_by_network(chain: str, label: str) -> None:
    asked, failed = (Figure(f"walletmodal_node_{name}", network=label) for name in ("seconds_count", "failures_total"))
    answer = httpx.ByteStream(b'{"jsonrpc": "2.0", "id": 1, "result": "0x1"}')
    answers = iter([httpx.Response(200, stream=answer), httpx.Response(400, stream=httpx.ByteStream(b""))])
    async with httpx.AsyncClient(transport=httpx.MockTransport(lambda _: next(answers))) as client:
        endpoints = RpcEndpoints(client, gateway="https://nodes.example", around=node_call)
        way = endpoints.transport(parse_chain_id(chain))
        assert await way.request("eth_chainId") == "0x1"
        with pytest.raises(TransportError):
            await endpoints.transport(parse_chain_id(chain)).request("eth_blockNumber")
        await endpoints.close()
    assert (asked.grown, failed.grown) == (2, 1)


async def test_units_of_work_are_measured_and_those_that_fail_are_counted(tmp_path: Path) -> None:
    done = Figure("walletmodal_database_seconds_count")
    error, timeout = (Figure("walletmodal_database_failures_total", kind=kind) for kind in ("error", "timeout"))
    engine = open_engine(f"sqlite:///{tmp_path / 'test.db'}")
    async with unit_of_work(engine) as connection:
        await connection.execute(text("CREATE TABLE a (b INTEGER UNIQUE)"))
    with pytest.raises(OperationalError):
        async with unit_of_work(engine) as connection:
            await connection.execute(text("SELECT * FROM nothing"))
    with pytest.raises(DatabaseTimeoutError):
        async with unit_of_work(engine):
            raise DatabaseTimeoutError
    with pytest.raises(ValueError, match="of the caller's own"):
        async with unit_of_work(engine):
            raise ValueError("of the caller's own")
    await engine.dispose()
    assert (done.grown, error.grown, timeout.grown) == (4, 1, 1)


async def test_what_redis_does_not_do_for_the_cache_is_counted() -> None:
    failed = Figure("walletmodal_cache_failures_total")
    client: Any = Redis.from_url("redis://127.0.0.1:1")
    assert await RedisCache(client).get("a") is None
    await client.aclose()
    assert failed.grown == 1


async def test_messages_of_sockets_are_counted_by_who_says_them() -> None:
    heard, said = (Figure("walletmodal_socket_messages_total", direction=one) for one in ("received", "sent"))
    world = World()
    world.framework.answers = "2"
    await world.open(LOADED, event(), event())
    await world.close()
    assert (heard.grown, said.grown) == (3, 3)


async def test_the_delay_of_the_event_loop_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("walletmodal.web.loop_watch._EVERY_SECONDS", 0.01)
    delay = Figure("walletmodal_loop_delay_seconds_count")
    async with watch_loop():
        await eventually(lambda: delay.grown)

"""Traces: from the event to the database and the nodes and on to the wallet's answer, and nothing of the visitor in them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from reflex_base import otel
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.driver import ADDRESS, ORIGIN, OTHER, Driver
from tests.features.approving import approve
from tests.features.conftest import Configure
from tests.features.test_approve_resume import come_back
from tests.features.test_request_policy import SEND
from tests.features.test_sign_in import arrive, in_memory, question, sign
from tests.patience import START_SECONDS
from tests.ports import free_ports
from tests.web import served
from tests.web.test_rpc import CALL, OWN
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import SettingsError
from walletmodal.core.protocol.host_calls import MOST_WAITED, seconds_waited_in_page
from walletmodal.deployment import Deployment
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.signin.state import SignInState
from walletmodal.reflex_internals.traces import trace_as_set, traced
from walletmodal.sandbox.server import HttpServer
from walletmodal.sandbox.settings import listen
from walletmodal.services.node_calls import node_call
from walletmodal.services.open_telemetry import KEPT, Discreet
from walletmodal.services.rpc import RpcEndpoints
from walletmodal.services.tracing import span
from walletmodal.web.routes import ask_node

HASH = "0x" + "ab" * 32


class Node:
    """A node that is asked over HTTP, and says of everything that it is 1."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def answer(self, request: Request) -> Response:
        """Answer a call, or a batch of them."""
        told = json.loads(await request.body())
        calls = told if isinstance(told, list) else [told]
        self.asked += [one["method"] for one in calls]
        answers = [{"jsonrpc": "2.0", "id": one["id"], "result": "0x1"} for one in calls]
        return JSONResponse(answers if isinstance(told, list) else answers[0])


@pytest_asyncio.fixture
async def node(configure: Configure) -> AsyncIterator[Node]:
    """The deployment's only node; every request of a host is shown to the visitor."""
    asked, port = Node(), free_ports()
    server = HttpServer(Starlette(routes=[Route("/", asked.answer, methods=["POST"])]), listen(port, "TEST"))
    await server.start()
    configure(CONFIRM_REQUESTS="all", RPC_URLS=f"eip155:1=http://127.0.0.1:{port}/")
    yield asked
    await server.stop()


@pytest_asyncio.fixture
async def exported() -> AsyncIterator[InMemorySpanExporter]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(Discreet(exporter)))
    async with traced(provider):
        yield exporter
    provider.shutdown()


def way_to(one: ReadableSpan, spans: dict[int, ReadableSpan]) -> list[str]:
    """The names of a span and of those that it is in, the outermost first; of an event the last part of its name."""
    parent = spans.get(one.parent.span_id) if one.parent else None
    name = one.name.rpartition(".")[2]
    return [*(way_to(parent, spans) if parent else []), name]


def ways(exporter: InMemorySpanExporter) -> dict[tuple[str, ...], ReadableSpan]:
    finished = exporter.get_finished_spans()
    by_id = {one.context.span_id: one for one in finished if one.context}
    return {tuple(way_to(one, by_id)): one for one in finished}


def said(exporter: InMemorySpanExporter) -> str:
    """All that leaves the process, but for names of what the spans are and of the process itself."""
    told: list[Any] = []
    for one in exporter.get_finished_spans():
        assert set(one.attributes or {}) <= KEPT
        told += [one.name, dict(one.attributes or {}), one.status.description]
        told += [[event.name, dict(event.attributes or {})] for event in one.events]
        told += [dict(link.attributes or {}) for link in one.links]
    return json.dumps(told).lower()


@in_memory
async def test_a_sign_in_is_one_trace_from_the_question_to_what_is_on_record(
    driver: Driver, deployed: Deployment, exported: InMemorySpanExporter
) -> None:
    await arrive(driver)
    exported.clear()
    await sign(driver)
    found = ways(exported)
    on_record = found["sign", "answer", "database"]
    asked = found["sign",]
    assert on_record.context is not None
    assert asked.context is not None
    assert on_record.context.trace_id == asked.context.trace_id
    (link,) = found["sign", "answer"].links
    reply = found["on_reply",]
    assert reply.context is not None
    assert link.context.span_id == reply.context.span_id


@in_memory
async def test_a_hosts_transaction_is_one_trace_from_the_call_to_the_hash_on_record(
    driver: Driver, deployed: Deployment, exported: InMemorySpanExporter
) -> None:
    await driver.connect()
    exported.clear()
    await driver.request(*SEND)
    await driver.reply(await question(driver), value=HASH)
    found = ways(exported)
    assert {("on_request", "database"), ("on_request", "answer", "database")} <= found.keys()
    (event,) = [event for event in await deployed.events.after(0) if event.type == "transaction.sent"]
    assert event.data["hash"] == HASH


@in_memory
async def test_a_hosts_transaction_is_one_trace_from_the_call_by_way_of_the_visitor_and_the_wallet_to_the_nodes_answers(
    node: Node, driver: Driver, exported: InMemorySpanExporter
) -> None:
    await driver.connect()
    exported.clear()
    await driver.request(*SEND)
    assert "eth_simulateV1" in node.asked
    await approve(driver)
    node.asked.clear()
    await driver.reply(await question(driver), value=HASH)
    assert "eth_getTransactionReceipt" in node.asked
    assert {
        ("on_request", "load", "run_trial", "node"),
        ("on_request", "approval", "answer", "database"),
        ("on_request", "approval", "answer", "poll", "node"),
    } <= ways(exported).keys()


@in_memory
async def test_a_trace_goes_on_where_the_session_was_lost_meanwhile(
    node: Node, driver: Driver, heir: Driver, exported: InMemorySpanExporter
) -> None:
    await driver.connect()
    exported.clear()
    await driver.request(*SEND)
    await come_back(driver, heir)
    await approve(heir)
    await heir.reply(await question(heir), value=HASH)
    assert ("on_request", "approval", "answer", "poll", "node") in ways(exported)


def seconds(one: ReadableSpan) -> float:
    assert one.start_time is not None
    assert one.end_time is not None
    return (one.end_time - one.start_time) / 1e9


async def test_a_hosts_read_is_one_trace_from_its_call_to_the_nodes_answer(
    node: Node, deployed: Deployment, tmp_path: Path, exported: InMemorySpanExporter
) -> None:
    async with served.client(served.app(tmp_path, node=ask_node)) as client:
        await client.post("/v1/rpc", json=[CALL, CALL], headers={**OWN, "walletmodal-waited": "1500"})
    assert node.asked == ["eth_getBalance"]
    assert ("rpc", "node") in ways(exported)
    assert seconds(ways(exported)["rpc", "page"]) == pytest.approx(1.5)


@in_memory
async def test_a_hosts_call_begins_in_its_page(driver: Driver, exported: InMemorySpanExporter) -> None:
    await driver.load()
    exported.clear()
    await driver.fire(BridgeState.on_call({"id": "1", "method": "open", "params": {}, "left": 8000, "waited": 2500}))
    # And what the event has waited for at the server.
    assert 2.5 <= seconds(ways(exported)["on_call", "page"]) < 10.5


@pytest.mark.parametrize(
    ("said_by_a_page", "believed"),
    [
        (0, 0), (1500, 1.5), ("1500", 1.5), (-1, 0), (10**9, MOST_WAITED), (10**400, 0), ("1e999", 0), ("nan", 0),
        ("soon", 0), (None, 0), ([1], 0), ({}, 0),
    ],
)  # fmt: skip
def test_a_page_is_believed_how_long_ago_its_host_has_called_up_to_a_minute(
    said_by_a_page: object, believed: float
) -> None:
    assert seconds_waited_in_page(said_by_a_page) == believed


@in_memory
async def test_what_visitors_pages_and_wallets_say_is_in_no_trace(
    driver: Driver, deployed: Deployment, exported: InMemorySpanExporter
) -> None:
    await arrive(driver)
    await sign(driver)
    await driver.request(*SEND)
    await driver.reply((await driver.commands("wallet.request"))[-1], code=4001, message=f"no, says {OTHER}")
    with pytest.raises(ValueError, match="of"), span("node", network="eip155:1"):
        raise ValueError(f"of {ADDRESS}, 203.0.113.7, ada@example.com, {HASH}")
    told = said(exported)
    for secret in (ADDRESS, OTHER, HASH, "203.0.113", "@example", ORIGIN, "localhost", driver.token):
        assert secret.lower()[2:] not in told
    assert "exception" in told


@in_memory
async def test_no_page_says_which_trace_its_events_are_in(driver: Driver, exported: InMemorySpanExporter) -> None:
    await driver.load()
    exported.clear()
    # What Reflex reads of an event as it comes.
    with otel.remote_context({"traceparent": f"00-{'ab' * 16}-{'cd' * 8}-00", "tracestate": "page=text"}):
        await driver.call("open")
    found = [one.context for one in exported.get_finished_spans() if one.context]
    assert found
    assert [one for one in found if f"{one.trace_id:x}" == "ab" * 16 or one.trace_state] == []


async def test_a_node_is_asked_within_the_span_of_who_asks(exported: InMemorySpanExporter) -> None:
    answer = httpx.Response(200, stream=httpx.ByteStream(b'{"jsonrpc": "2.0", "id": 1, "result": "0x1"}'))
    async with httpx.AsyncClient(transport=httpx.MockTransport(lambda _: answer)) as client:
        endpoints = RpcEndpoints(client, gateway="https://nodes.example/secret", around=node_call)
        with span("asking"):
            await endpoints.transport(parse_chain_id("eip155:1")).request("eth_chainId")
        await endpoints.close()
    found = ways(exported)["asking", "node"]
    assert dict(found.attributes or {}) == {"walletmodal.network": "eip155:1"}


@in_memory
async def test_a_command_keeps_a_trace_only_where_there_are_traces(driver: Driver, deployed: Deployment) -> None:
    await arrive(driver)
    await driver.fire(SignInState.sign)
    (record,) = (await driver.state(BridgeState))._records.values()
    assert "trace" not in record["context"]


async def test_traces_are_sent_to_the_collector_that_is_set() -> None:
    port, heard = free_ports(), list[tuple[str, ExportTraceServiceRequest]]()

    async def receive(request: Request) -> Response:
        heard.append((request.url.path, ExportTraceServiceRequest.FromString(await request.body())))
        return Response(ExportTraceServiceResponse().SerializeToString(), media_type="application/x-protobuf")

    server = HttpServer(Starlette(routes=[Route("/{path:path}", receive, methods=["POST"])]), listen(port, "TEST"))
    await server.start()
    async with trace_as_set(f"http://127.0.0.1:{port}/")():
        with span("node", network="eip155:1", address=ADDRESS):
            pass
    await server.stop()
    ((path, told),) = heard
    (one,) = told.resource_spans[0].scope_spans[0].spans
    assert (path, one.name, [(each.key, each.value.string_value) for each in one.attributes]) == (
        "/v1/traces",
        "node",
        [("walletmodal.network", "eip155:1")],
    )
    with span("node"):
        pass
    assert len(heard) == 1


async def test_a_server_that_is_to_trace_and_cannot_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    monkeypatch.delitem(sys.modules, "walletmodal.services.open_telemetry")
    with pytest.raises(SettingsError, match=r"needs walletmodal\[otel\]"):
        await trace_as_set("https://collector.example")().__aenter__()


def test_a_server_without_traces_imports_nothing_of_them() -> None:
    code = "import sys, walletmodal.services.tracing as t, walletmodal.reflex_internals.traces; t.span('a'); print([m for m in sys.modules if m.startswith('opentelemetry')])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=START_SECONDS, check=True
    )
    assert done.stdout == "[]\n"

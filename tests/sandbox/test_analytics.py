"""The analytics collector."""

import uuid
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from starlette.applications import Starlette
from starlette.routing import Mount

from walletmodal.sandbox.analytics import analytics_service
from walletmodal.sandbox.answers import MAX_BODY
from walletmodal.sandbox.faults import Fault, FaultBook
from walletmodal.sandbox.gate import ServiceGate
from walletmodal.sandbox.journal import Journal

PATH = "/analytics/e?projectId=p&st=appkit&sv=html-wagmi-1.7.2"


def event(**changes: Any) -> dict[str, Any]:
    return {
        "eventId": str(uuid.UUID(int=7, version=4)),
        "url": "https://host.example/app?x=1",
        "domain": "host.example",
        "timestamp": 1_735_689_600_123,
        "props": {
            "type": "track",
            "event": "SWITCH_NETWORK",
            "properties": {"network": "eip155:10"},
            "address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
        },
        **changes,
    }


@pytest.fixture
def faults() -> FaultBook:
    return FaultBook()


@pytest.fixture
def journal() -> Journal:
    return Journal()


@pytest_asyncio.fixture
async def collector(faults: FaultBook, journal: Journal) -> AsyncIterator[httpx.AsyncClient]:
    gate = ServiceGate(analytics_service(), "analytics", faults, journal)
    transport = httpx.ASGITransport(Starlette(routes=[Mount("/analytics", gate)]))
    async with httpx.AsyncClient(transport=transport, base_url="http://analytics") as client:
        yield client


async def test_an_event_is_taken_and_stands_in_the_log(collector: httpx.AsyncClient, journal: Journal) -> None:
    answer = await collector.post(PATH, json=event())
    assert answer.is_success
    [logged] = journal.newest_last("analytics")
    assert (logged["path"], logged["body"]) == ("/e", event())
    assert logged["query"] == {"projectId": "p", "st": "appkit", "sv": "html-wagmi-1.7.2"}


async def test_an_event_is_taken_without_a_content_type(collector: httpx.AsyncClient) -> None:
    body = httpx.Request("POST", "http://x", json=event()).content
    answer = await collector.post(PATH, content=body, headers={"content-type": "text/plain;charset=UTF-8"})
    assert answer.is_success


@pytest.mark.parametrize(
    "props",
    [
        {"type": "track", "event": "MODAL_OPEN", "properties": {"connected": False}},
        {"type": "track", "event": "CLICK_NETWORKS"},
        {"type": "error", "event": "INTERNAL_SDK_ERROR", "properties": {"errorType": "E", "uncaught": True}},
    ],
)
async def test_properties_and_address_may_be_missing(collector: httpx.AsyncClient, props: dict[str, Any]) -> None:
    assert (await collector.post(PATH, json=event(props=props))).is_success


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"eventId": "7"}, "eventId"),
        ({"eventId": None}, "eventId"),
        ({"url": "host.example"}, "url"),
        ({"url": "https://" + "x" * 9000}, "url"),
        ({"domain": 7}, "domain"),
        ({"timestamp": "1735689600123"}, "timestamp"),
        ({"timestamp": -1}, "timestamp"),
        ({"timestamp": 1e300}, "timestamp"),
        ({"props": None}, "props"),
        ({"props": []}, "props"),
        ({"props": {"type": "spy", "event": "MODAL_OPEN"}}, "props.type"),
        ({"props": {"type": "track"}}, "props.event"),
        ({"props": {"type": "track", "event": "<script>"}}, "props.event"),
        ({"props": {"type": "track", "event": "MODAL_OPEN", "properties": [1]}}, "props.properties"),
    ],
)
async def test_a_wrong_event_is_refused_and_the_field_named(
    collector: httpx.AsyncClient, change: dict[str, Any], field: str
) -> None:
    answer = await collector.post(PATH, json=event(**change))
    assert answer.status_code == 422
    assert answer.json()["reasons"][0]["field"] == field


@pytest.mark.parametrize("body", [b"", b"no json", b"[]", b"null", b"[" * 100_000, b"\xff\xfe", b'{"eventId":'])
async def test_what_is_no_event_is_refused(collector: httpx.AsyncClient, body: bytes) -> None:
    answer = await collector.post(PATH, content=body)
    assert answer.status_code == 422
    assert answer.json()["status"] == "FAILED"


async def test_a_huge_body_is_refused(collector: httpx.AsyncClient) -> None:
    assert (await collector.post(PATH, content=b"x" * (MAX_BODY + 1))).status_code == 413


async def test_an_origin_that_is_not_allowed_is_a_fault_away(collector: httpx.AsyncClient, faults: FaultBook) -> None:
    faults.add(Fault(service="analytics", path="/e", status=403, times=1))
    statuses = [(await collector.post(PATH, json=event())).status_code for _ in range(2)]
    assert statuses == [403, 202]


async def test_other_methods_and_paths_are_refused(collector: httpx.AsyncClient) -> None:
    assert (await collector.get(PATH)).status_code == 405
    assert (await collector.post("/analytics/other", json=event())).status_code == 404

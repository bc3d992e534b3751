"""Webhooks on their way: signed, tried again, given up, and back when somebody says so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from pydantic import SecretStr
from sqlalchemy import select
from sqlalchemy.exc import OperationalError
from sqlmodel import col
from standardwebhooks.webhooks import Webhook
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.core.webhooks.test_signature import OTHER, SECRET
from tests.db.sign_in_samples import proven
from tests.db.test_requests import HASH, entry
from tests.patience import PATIENCE, eventually
from tests.ports import free_ports
from walletmodal.config import Settings
from walletmodal.core.clock import MovableClock
from walletmodal.core.requests.audit import AuditEntry
from walletmodal.core.webhooks.event import Event
from walletmodal.core.webhooks.signature import read_secret
from walletmodal.db.deliveries import HELD_FOR, DeliveryStore
from walletmodal.db.engine import open_engine, unit_of_work
from walletmodal.db.events import write_events
from walletmodal.db.moments import from_ms
from walletmodal.db.tables import LoggedEvent
from walletmodal.deployment import Deployment, running
from walletmodal.host import read_webhook
from walletmodal.sandbox.server import HttpServer
from walletmodal.sandbox.settings import listen
from walletmodal.services.webhooks import WebhookSender
from walletmodal.webhook_delivery import AT_ONCE, FIRST_WAIT, LONGEST_PAUSE, LONGEST_WAIT, MAX_TRIES, WebhookDelivery

URL = "https://app.example/webhooks"


class Stage:
    """A delivery to a receiver that answers as it is told to, on a clock that is moved."""

    def __init__(self, url: str) -> None:
        self.clock = MovableClock()
        self.engine = open_engine(url)
        self.store = DeliveryStore(self.engine, clock=self.clock)
        self.answer: Callable[[], httpx.Response] = lambda: httpx.Response(204)
        self.heard: list[httpx.Request] = []
        self.client = httpx.AsyncClient(transport=httpx.MockTransport(self._hear))
        sender = WebhookSender(self.client, URL, [read_secret(SECRET), read_secret(OTHER)], clock=self.clock)
        self.delivery = WebhookDelivery(self.store, sender, clock=self.clock, jitter=lambda: 1.0)

    def _hear(self, request: httpx.Request) -> httpx.Response:
        self.heard.append(request)
        return self.answer()

    async def happen(self, count: int = 1) -> list[Event]:
        events = [Event(self.clock.now(), "sign_in.created", "0xA", {"account": "eip155:1:0xA"}) for _ in range(count)]
        async with unit_of_work(self.engine) as connection:
            await write_events(connection, events, self.clock.now())
        return events

    async def due(self) -> list[tuple[float, str]]:
        """In how many seconds each event is tried, and why the last try has failed."""
        rows = select(col(LoggedEvent.due_at), col(LoggedEvent.error)).where(col(LoggedEvent.due_at) > 0)
        async with unit_of_work(self.engine) as connection:
            found = (await connection.execute(rows)).all()
        return [((from_ms(due_at) - self.clock.now()).total_seconds(), error) for due_at, error in found if due_at]

    async def deliver(self) -> int:
        """Tries once what is due; returns how many events."""
        started = await self.delivery.start_due()
        await self.delivery.finish()
        return started

    async def waits(self) -> float:
        """After how many seconds what has failed is tried again."""
        waited = 0.0
        while not await self.deliver():
            waited += 1
            self.clock.advance(1)
        return waited


@pytest_asyncio.fixture
async def stage(tmp_path: Path, empty_database: bytes) -> AsyncIterator[Stage]:
    path = tmp_path / "test.db"
    path.write_bytes(empty_database)
    stage = Stage(f"sqlite:///{path}")
    yield stage
    await stage.client.aclose()
    await stage.engine.dispose()


async def test_the_receiver_is_told_what_has_happened_signed_with_both_secrets(stage: Stage) -> None:
    (event,) = await stage.happen()
    assert (await stage.deliver(), await stage.deliver()) == (1, 0)
    (request,) = stage.heard
    assert (request.method, str(request.url), request.headers["content-type"]) == ("POST", URL, "application/json")
    for secret in (SECRET, OTHER):
        told = read_webhook(request.content, request.headers, secret, now=stage.clock.now())
        assert (told.id, told.type, told.at, told.data) == (event.id, event.type, event.at, event.data)


@pytest.mark.parametrize("status", [301, 307, 400, 410, 500])
async def test_what_is_no_success_is_tried_again_with_the_same_id_and_body(stage: Stage, status: int) -> None:
    stage.answer = lambda: httpx.Response(status, headers={"location": "https://elsewhere.example/"})
    await stage.happen()
    await stage.deliver()
    assert [error for _, error in await stage.due()] == [f"the receiver answered with status {status}"]
    stage.answer = lambda: httpx.Response(200)
    assert await stage.waits() == FIRST_WAIT.total_seconds()
    first, second = stage.heard
    assert (first.content, first.headers["webhook-id"]) == (second.content, second.headers["webhook-id"])
    assert first.headers["webhook-timestamp"] != second.headers["webhook-timestamp"]
    assert (await stage.store.count()).waiting == 0


async def test_a_receiver_that_cannot_be_reached_is_tried_more_and_more_rarely_and_then_given_up(stage: Stage) -> None:
    def refuse() -> httpx.Response:
        raise httpx.ConnectError("refused")

    stage.answer = refuse
    await stage.happen()
    await stage.deliver()
    waits = []
    for _ in range(MAX_TRIES - 1):
        ((seconds, _),) = await stage.due()
        waits.append(seconds)
        stage.clock.advance(seconds)
        assert await stage.deliver() == 1
    assert waits[:4] == [5, 20, 80, 320]
    assert waits[-1] == LONGEST_WAIT.total_seconds()
    assert ((await stage.store.count()).waiting, (await stage.store.count()).failed) == (0, 1)
    assert [one.error for one in await stage.store.list_failed()] == ["refused"]
    stage.answer = lambda: httpx.Response(200)
    await stage.store.retry()
    assert await stage.deliver() == 1
    assert (await stage.store.count()).failed == 0


async def test_what_has_failed_together_is_not_tried_again_together(stage: Stage) -> None:
    drawn = iter([0.0, 0.5])
    stage.delivery._jitter = lambda: next(drawn)
    stage.answer = lambda: httpx.Response(500)
    await stage.happen(2)
    await stage.deliver()
    assert sorted(seconds for seconds, _ in await stage.due()) == [2.5, 3.75]


@pytest.mark.parametrize("in_words", [False, True])
async def test_a_receiver_that_asks_for_time_is_left_alone(stage: Stage, in_words: bool) -> None:
    until = stage.clock.now() + timedelta(seconds=9)
    asks = format_datetime(until, usegmt=True) if in_words else "9"
    stage.answer = lambda: httpx.Response(429, headers={"retry-after": asks})
    await stage.happen()
    await stage.deliver()
    await stage.happen()
    assert await stage.waits() == 9


async def test_a_receiver_is_left_alone_for_no_longer_than_an_hour(stage: Stage) -> None:
    stage.answer = lambda: httpx.Response(503, headers={"retry-after": "999999999"})
    await stage.happen()
    await stage.deliver()
    stage.clock.advance(LONGEST_PAUSE.total_seconds())
    assert await stage.deliver() == 1


async def test_a_database_that_fails_is_asked_again(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: Any) -> Any:
        raise OperationalError("SELECT", {}, ConnectionRefusedError())

    await stage.happen()
    with monkeypatch.context() as broken:
        broken.setattr(stage.store, "take", fail)
        assert await stage.deliver() == 0
    assert await stage.deliver() == 1


async def test_what_cannot_be_written_is_delivered_once_more_and_holds_up_no_other(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await stage.happen(2)
    write = stage.store.delivered

    async def fail(event: Event) -> None:
        if event.id == first.id:
            raise OperationalError("UPDATE", {}, ConnectionRefusedError())
        await write(event)

    with monkeypatch.context() as broken:
        broken.setattr(stage.store, "delivered", fail)
        assert await stage.deliver() == 2
    assert (await stage.store.count()).waiting == 1
    stage.clock.advance(HELD_FOR.total_seconds())
    assert await stage.deliver() == 1
    heard = [request.headers["webhook-id"] for request in stage.heard]
    assert (sorted(heard[:2]), heard[2:]) == (sorted([first.id, second.id]), [first.id])


async def test_whatever_an_answer_does_to_a_library_the_next_event_is_delivered(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("walletmodal.webhook_delivery.LOOK_SECONDS", 0.01)
    answers = iter([RuntimeError("a library's"), None])

    def answer() -> httpx.Response:
        if (error := next(answers)) is not None:
            raise error
        return httpx.Response(200)

    stage.answer, stopped = answer, asyncio.Event()
    running_delivery = asyncio.create_task(stage.delivery.run(stopped))
    await stage.happen()
    await eventually(lambda: "the delivery of the event" in caplog.text)
    await stage.happen()
    await eventually(lambda: len(stage.heard) == 2)
    stopped.set()
    await running_delivery


async def test_one_that_the_receiver_is_slow_to_answer_holds_up_no_other(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("walletmodal.services.webhooks.SEND_SECONDS", PATIENCE)
    slow, answered = (await stage.happen())[0], asyncio.Event()
    await stage.happen(3 * AT_ONCE)

    async def hear(request: httpx.Request) -> httpx.Response:
        stage.heard.append(request)
        if request.headers["webhook-id"] == slow.id:
            await answered.wait()
        return httpx.Response(204)

    stage.client._transport = httpx.MockTransport(hear)
    stopped = asyncio.Event()
    delivering = asyncio.create_task(stage.delivery.run(stopped))
    await eventually(lambda: len(stage.heard) == 3 * AT_ONCE + 1)
    answered.set()
    stopped.set()
    await delivering
    assert (await stage.store.count()).waiting == 0


async def test_who_is_cancelled_leaves_no_try_behind(stage: Stage) -> None:
    async def hang(request: httpx.Request) -> httpx.Response:
        stage.heard.append(request)
        return await asyncio.Future[httpx.Response]()

    stage.client._transport = httpx.MockTransport(hang)
    await stage.happen(2)
    delivering = asyncio.create_task(stage.delivery.run(asyncio.Event()))
    await eventually(lambda: len(stage.heard) == 2)
    delivering.cancel()
    await asyncio.gather(delivering, return_exceptions=True)
    assert [task for task in asyncio.all_tasks() if task.get_name() == "webhook"] == []


async def test_an_event_that_cannot_be_sent_is_tried_more_and_more_rarely(stage: Stage) -> None:
    def raise_it() -> httpx.Response:
        raise RuntimeError("a library's")

    stage.answer = raise_it
    await stage.happen()
    await stage.deliver()
    assert await stage.due() == [(FIRST_WAIT.total_seconds(), "RuntimeError")]


async def test_a_running_deployment_tells_the_hosts_server_of_sign_ins_requests_and_transactions(
    tmp_path: Path, empty_database: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("walletmodal.webhook_delivery.LOOK_SECONDS", 0.01)
    path, port, heard = tmp_path / "test.db", free_ports(), list[Any]()
    path.write_bytes(empty_database)

    async def receive(request: Request) -> Response:
        heard.append(Webhook(SECRET).verify(await request.body(), dict(request.headers)))
        return Response(status_code=204)

    server = HttpServer(Starlette(routes=[Route("/webhooks", receive, methods=["POST"])]), listen(port, "TEST"))
    await server.start()
    settings = Settings(
        database_url=f"sqlite:///{path}",
        webhook_url=f"http://127.0.0.1:{port}/webhooks",
        webhook_secret=SecretStr(SECRET),
    )
    async with running(Deployment(settings)) as deployed:
        session = await deployed.sign_ins.add(proven("nonce0001", at=datetime.now(UTC)), "browser")
        deployed.audit.note(AuditEntry(deployed.clock.now(), "confirmed", "personal_sign", summary="hello"))
        await deployed.audit.flush()
        asked = entry(deployed.clock)
        await deployed.requests.ask(asked)
        await deployed.requests.change(asked, status="sent", hash=HASH)
        await eventually(lambda: len(heard) == 4)
    await server.stop()
    # They come in no certain order.
    told = {one["type"]: one["data"] for one in heard}
    assert (told["sign_in.created"]["session"], told["request.accepted"]["summary"]) == (session.id, "hello")
    assert (told["transaction.asked"]["hash"], told["transaction.sent"]["hash"]) == ("", HASH)

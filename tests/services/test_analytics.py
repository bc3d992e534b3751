"""Events reach the service in the background, and only when they may."""

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial

import httpx
import pytest
import pytest_asyncio
from prometheus_client import REGISTRY

from tests.patience import patience
from tests.services import node as nodes
from tests.services.outside import CALLER, SDK, Outside, gives, held, refuses, way
from walletmodal.core.analytics import events as analytics_events
from walletmodal.core.analytics.payload import Event, EventBody, event_body
from walletmodal.core.clock import MovableClock
from walletmodal.services.analytics import AnalyticsReporter
from walletmodal.services.http import Caller, HttpService

OTHER = Caller("https://other.example", "project-1")
OPENED = analytics_events.modal_open(connected=False)


def body(event: Event = OPENED) -> EventBody:
    """A body as features make them."""
    return event_body(event, url="https://app.example/page?x=1", clock=MovableClock(), address="0xaa")


def counted(outcome: str) -> float:
    return REGISTRY.get_sample_value("walletmodal_analytics_events_total", {"outcome": outcome}) or 0.0


@pytest_asyncio.fixture
async def outside() -> AsyncIterator[Outside]:
    async with Outside({"/e": gives({})}).running() as outside:
        yield outside


@pytest_asyncio.fixture
async def reporter(client: httpx.AsyncClient, outside: Outside) -> AsyncIterator[AnalyticsReporter]:
    reporter = AnalyticsReporter(way(client, outside, "analytics"))
    yield reporter
    await reporter.close()


async def until(condition: Callable[[], bool]) -> None:
    """Poll a condition."""
    async with patience():
        while not condition():
            await asyncio.sleep(0.001)


async def test_an_event_is_posted_with_its_body(reporter: AnalyticsReporter, outside: Outside) -> None:
    sent = body()
    assert reporter.report(CALLER, sent)
    await outside.arrived()
    asked = outside.last
    assert (asked.method, asked.path, asked.body) == ("POST", "/e", dict(sent))
    assert asked.query == {"projectId": "project-1", "st": "appkit", "sv": SDK}
    assert asked.headers["origin"] == "https://app.example"


async def test_a_visitor_never_waits(client: httpx.AsyncClient, outside: Outside) -> None:
    outside.answers["/e"] = nodes.silence
    reporter = AnalyticsReporter(way(client, outside, "analytics"), drain_seconds=0.01)
    assert all(reporter.report(CALLER, body()) for _ in range(500))
    await reporter.close()


async def test_nothing_is_sent_for_a_project_that_wants_no_events(client: httpx.AsyncClient, outside: Outside) -> None:
    async def refuse(_caller: Caller) -> bool:
        return False

    reporter = AnalyticsReporter(way(client, outside, "analytics"), allowed=refuse)
    reporter.report(CALLER, body())
    await reporter.close()
    assert outside.asked == []


async def test_the_creation_of_the_modal_is_never_sent(reporter: AnalyticsReporter, outside: Outside) -> None:
    assert not reporter.report(CALLER, body(analytics_events.modal_created()))
    await reporter.close()
    assert outside.asked == []


async def test_nothing_is_sent_without_a_service(client: httpx.AsyncClient) -> None:
    reporter = AnalyticsReporter(HttpService(client, "analytics", None, sdk=SDK))
    assert not reporter.configured
    assert not reporter.report(CALLER, body())
    await reporter.close()


async def test_a_full_queue_drops_and_counts(client: httpx.AsyncClient, outside: Outside) -> None:
    outside.answers["/e"] = nodes.silence
    reporter = AnalyticsReporter(way(client, outside, "analytics"), queue_size=5, drain_seconds=0.01)
    before = counted("dropped")
    kept = [reporter.report(CALLER, body()) for _ in range(9)]
    assert (kept.count(True), counted("dropped") - before) == (5, 4)
    await reporter.close()


async def test_what_waits_is_bounded_by_its_length_too(client: httpx.AsyncClient, outside: Outside) -> None:
    outside.answers["/e"] = nodes.silence
    reporter = AnalyticsReporter(way(client, outside, "analytics"), queue_characters=100_000, drain_seconds=0.01)
    large = body(analytics_events.initialize({"metadata": {"description": "x" * 30_000}}))
    before = counted("dropped")
    kept = [reporter.report(CALLER, large) for _ in range(10)]
    assert (kept.count(True), counted("dropped") - before) == (3, 7)
    assert reporter.report(CALLER, body())
    await reporter.close()


async def test_what_was_sent_makes_room(client: httpx.AsyncClient, outside: Outside) -> None:
    reporter = AnalyticsReporter(way(client, outside, "analytics"), queue_characters=500)
    for _ in range(5):
        await until(lambda: reporter.report(CALLER, body()))
    await reporter.close()
    assert len(outside.asked) == 5


def _is_forbidden(reporter: AnalyticsReporter, expected: bool) -> bool:
    return (reporter.refusal(CALLER) == "INVALID_APP_CONFIGURATION") is expected


async def test_a_refused_origin_is_known_for_each_caller(reporter: AnalyticsReporter, outside: Outside) -> None:
    outside.answers["/e"] = refuses(403)
    reporter.report(CALLER, body())
    await until(partial(_is_forbidden, reporter, True))
    assert reporter.refusal(OTHER) is None


async def test_after_a_success_an_origin_is_refused_no_more(reporter: AnalyticsReporter, outside: Outside) -> None:
    for behaviour, forbidden in ((refuses(403), True), (gives({}), False), (refuses(403), True)):
        outside.answers["/e"] = behaviour
        reporter.report(CALLER, body())
        await until(partial(_is_forbidden, reporter, forbidden))


@pytest.mark.parametrize(
    "behaviour", [refuses(500), refuses(429), nodes.send_and_hang_up(b""), nodes.send_and_hang_up(b"junk\r\n\r\n")]
)
async def test_every_other_failure_is_silent(
    reporter: AnalyticsReporter, outside: Outside, behaviour: nodes.Behaviour
) -> None:
    outside.answers["/e"] = behaviour
    before = counted("failed")
    reporter.report(CALLER, body())
    await until(lambda: counted("failed") > before)
    outside.answers["/e"] = gives({})
    reporter.report(CALLER, body())
    await outside.arrived(2)
    assert reporter.refusal(CALLER) is None


async def test_an_event_that_cannot_be_written_does_not_stop_the_others(
    reporter: AnalyticsReporter, outside: Outside, caplog: pytest.LogCaptureFixture
) -> None:
    broken = body()
    broken["props"]["properties"] = {"amount": float("nan")}
    for _ in range(10):
        reporter.report(CALLER, broken)
    reporter.report(CALLER, body())
    await outside.arrived()
    assert len(outside.asked) == 1
    assert "could not be sent" in caplog.text


async def test_closing_sends_what_waits(client: httpx.AsyncClient, outside: Outside) -> None:
    reporter = AnalyticsReporter(way(client, outside, "analytics"))
    for _ in range(50):
        reporter.report(CALLER, body())
    await reporter.close()
    assert len(outside.asked) == 50
    assert not reporter.report(CALLER, body())


async def test_closing_does_not_wait_for_a_service_that_hangs(client: httpx.AsyncClient, outside: Outside) -> None:
    outside.answers["/e"] = held(asyncio.Event(), gives({}))
    reporter = AnalyticsReporter(way(client, outside, "analytics"), drain_seconds=0.05)
    for _ in range(20):
        reporter.report(CALLER, body())
    before = counted("dropped")
    async with patience():
        await reporter.close()
    assert counted("dropped") - before == 16

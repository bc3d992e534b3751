"""Retries: when, how often, and what is never asked twice."""

import asyncio
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.services.rpc_double import URL, TransportDouble, rpc_error, status
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import (
    HttpRequestError,
    MalformedResponseError,
    RequestTimeoutError,
    ResponseTooLargeError,
    TransportError,
    UrlRequiredError,
)
from walletmodal.services.rpc import RetryingTransport
from walletmodal.services.rpc.retrying import retry_after

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LATE = RequestTimeoutError(url=URL)
GARBLED = MalformedResponseError(url=URL, details="not JSON")


async def waits(inner: TransportDouble, method: str = "eth_call") -> tuple[list[float], object]:
    """After which waits it was asked again, and what came of it in the end."""
    clock, found = MovableClock(NOW), list[float]()
    asking = asyncio.create_task(RetryingTransport(inner, clock=clock).request(method))
    while not asking.done():
        lying_down = asyncio.create_task(clock.asleep())
        await asyncio.wait([asking, lying_down], return_when=asyncio.FIRST_COMPLETED)
        lying_down.cancel()
        if clock.sleepers:
            found.append(round(clock.sleepers[0], 6))
            clock.advance(clock.sleepers[0])
    (outcome,) = await asyncio.gather(asking, return_exceptions=True)
    return found, outcome


async def test_it_is_asked_again_after_150_300_and_600_ms() -> None:
    inner = TransportDouble(status(503), status(503), status(503), "0x1")
    assert await waits(inner) == ([0.15, 0.3, 0.6], "0x1")


async def test_after_three_retries_the_last_error_is_the_answer() -> None:
    last = status(504)
    inner = TransportDouble(status(503), status(503), status(503), last, "0x1")
    assert await waits(inner) == ([0.15, 0.3, 0.6], last)


@pytest.mark.parametrize("number", [403, 408, 413, 429, 500, 502, 503, 504])
async def test_these_statuses_are_asked_again(number: int) -> None:
    assert await waits(TransportDouble(status(number), "0x1")) == ([0.15], "0x1")


@pytest.mark.parametrize("number", [301, 302, 400, 401, 402, 404, 405, 410, 422, 501, 505, 521])
async def test_other_statuses_are_the_answer(number: int) -> None:
    refused = status(number)
    assert await waits(TransportDouble(refused, "0x1")) == ([], refused)


@pytest.mark.parametrize("code", [-1, -32005, -32603])
async def test_these_codes_are_asked_again(code: int) -> None:
    assert await waits(TransportDouble(rpc_error(code), "0x1")) == ([0.15], "0x1")


@pytest.mark.parametrize("code", [-32700, -32600, -32601, -32602, -32000, -32003, 3, 4001, 0, 429, 503])
async def test_other_codes_are_the_answer(code: int) -> None:
    refused = rpc_error(code)
    assert await waits(TransportDouble(refused, "0x1")) == ([], refused)


@pytest.mark.parametrize("error", [LATE, GARBLED, status(None)], ids=["late", "garbled", "no answer"])
async def test_a_read_without_an_answer_is_asked_again(error: TransportError) -> None:
    assert await waits(TransportDouble(error, "0x1")) == ([0.15], "0x1")


@pytest.mark.parametrize(
    "error", [ResponseTooLargeError(url=URL, limit=1), UrlRequiredError()], ids=["too large", "no URL"]
)
async def test_what_would_be_the_same_again_is_the_answer(error: TransportError) -> None:
    assert await waits(TransportDouble(error, "0x1")) == ([], error)


@pytest.mark.parametrize("method", ["eth_sendRawTransaction", "sendTransaction", "eth_getFilterChanges", "made_up"])
@pytest.mark.parametrize(
    "error",
    [LATE, GARBLED, status(None), status(500), status(502), status(504), rpc_error(-32603), rpc_error(-1)],
    ids=repr,
)
async def test_what_the_node_may_have_done_is_not_asked_for_twice(method: str, error: TransportError) -> None:
    assert await waits(TransportDouble(error, "0x1"), method) == ([], error)


def unreachable() -> HttpRequestError:
    error = status(None)
    error.__cause__ = httpx.ConnectError("refused")
    return error


@pytest.mark.parametrize("error", [unreachable(), status(429), status(503), rpc_error(-32005)], ids=repr)
async def test_a_transaction_that_the_node_has_not_taken_is_sent_again(error: TransportError) -> None:
    assert await waits(TransportDouble(error, "0x1"), "eth_sendRawTransaction") == ([0.15], "0x1")


@pytest.mark.parametrize("seconds", ["2", " 2 ", "02"])
async def test_the_server_says_in_seconds_when(seconds: str) -> None:
    inner = TransportDouble(status(429, retry_after=seconds), status(503), "0x1")
    assert await waits(inner) == ([2, 0.3], "0x1")


async def test_the_server_says_by_date_when() -> None:
    date = format_datetime(NOW + timedelta(seconds=7), usegmt=True)
    assert await waits(TransportDouble(status(503, retry_after=date), "0x1")) == ([7], "0x1")


@pytest.mark.parametrize("text", ["0", "Wed, 31 Dec 2025 23:59:00 GMT"])
async def test_at_once_is_at_once(text: str) -> None:
    assert await waits(TransportDouble(status(503, retry_after=text), "0x1")) == ([], "0x1")


@pytest.mark.parametrize("text", ["11", "999999999", "Thu, 01 Jan 2026 00:00:11 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"])
async def test_a_server_that_wants_to_be_left_alone_for_long_is(text: str) -> None:
    busy = status(429, retry_after=text)
    assert await waits(TransportDouble(busy, "0x1")) == ([], busy)


@pytest.mark.parametrize("text", ["", "soon", "-5", "1.5", "٣", "1" * 5000, "Thu, 99 Jan 2026 99:99:99 GMT", "0x10"])
async def test_what_cannot_be_read_leaves_the_delay_as_it_is(text: str) -> None:
    assert await waits(TransportDouble(status(429, retry_after=text), "0x1")) == ([0.15], "0x1")


@given(st.text() | st.from_regex(r"[A-Z][a-z]{2}, \d{1,3} [A-Z][a-z]{2} \d{1,5} [\d:]{0,9} ?[A-Z+\-\d]{0,5}"))
def test_whatever_a_server_writes_is_no_crash_and_no_negative_time(text: str) -> None:
    seconds = retry_after(status(429, retry_after=text), NOW)
    assert seconds is None or seconds >= 0


async def test_who_leaves_while_it_waits_is_gone() -> None:
    inner, clock = TransportDouble(status(503)), MovableClock()
    asking = asyncio.create_task(RetryingTransport(inner, clock=clock).request("eth_call"))
    await clock.asleep()
    asking.cancel()
    await asyncio.wait([asking])
    clock.advance(10)
    assert (len(inner.asked), clock.sleepers) == (1, ())

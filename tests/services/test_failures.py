"""Errors that nobody caught: counted, and logged within bounds."""

import inspect
import logging

import pytest
from prometheus_client import REGISTRY
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from walletmodal.core.clock import MovableClock
from walletmodal.services.failures import REPORTS, PageReports, report_failure, report_page_failure


def counted() -> float:
    return REGISTRY.get_sample_value("walletmodal_page_failures_total") or 0.0


def test_a_report_is_one_short_line_without_control_characters(caplog: pytest.LogCaptureFixture) -> None:
    PageReports(MovableClock()).take("a\nERROR forged\x1b[31m\u2028\ud800" + "x" * 100_000)
    (line,) = [record.getMessage() for record in caplog.records]
    assert line.isascii()
    assert line.isprintable()
    assert len(line) < 400


def test_reports_are_logged_twenty_times_and_then_one_every_three_seconds(caplog: pytest.LogCaptureFixture) -> None:
    clock = MovableClock()
    reports = PageReports(clock)
    for _ in range(100):
        reports.take("x")
    assert len(caplog.records) == REPORTS.burst
    clock.advance(1 / REPORTS.per_second)
    reports.take("x")
    reports.take("x")
    assert len(caplog.records) == REPORTS.burst + 1


def test_reports_that_are_not_logged_are_counted() -> None:
    reports, before = PageReports(MovableClock()), counted()
    for _ in range(100):
        reports.take("x")
    assert counted() == before + 100


def test_reflex_hands_the_reports_over(caplog: pytest.LogCaptureFixture) -> None:
    before = counted()
    report_page_failure(Exception("broken\npage"))
    assert counted() == before + 1
    assert [record.getMessage() for record in caplog.records] == ["a page reports: 'broken\\npage'"]


@pytest.mark.parametrize("handler", [report_failure, report_page_failure])
def test_a_handler_has_the_form_that_reflex_demands(handler: object) -> None:
    specification = inspect.getfullargspec(handler)
    assert (specification.args, specification.annotations) == (["exception"], {"exception": Exception, "return": None})


def test_a_failed_event_is_logged_with_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    report_failure(ValueError("broken"))
    assert (caplog.records[0].levelno, caplog.records[0].exc_info is not None) == (logging.ERROR, True)


@pytest.mark.parametrize("away", [RedisConnectionError("nobody there"), RedisTimeoutError("nobody there")])
def test_what_fails_for_redis_is_away_takes_one_line(away: Exception, caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise away
    except RedisError as error:
        report_failure(error)
    (record,) = caplog.records
    assert (record.levelno, record.exc_info, "nobody there" in record.getMessage()) == (logging.ERROR, None, True)

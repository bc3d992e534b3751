"""A second try for tests that drive a browser: more of them run than there are processors, and Chromium's own timers go on meanwhile.

A test that fails twice has failed. Each that needed its second try is named at the end, and a run with more than a few of them fails: a
product that works every other time is broken.
"""

from __future__ import annotations

from typing import Final

import pytest

MOST: Final = 3
"""How many tests of a run may need a second try."""
_BROWSERS: Final = frozenset({"chromium", "stages"})
"""Fixtures that come with a browser."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each test with a browser its second try."""
    for item in items:
        if not _BROWSERS.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run in which too many tests needed their second try."""
    if len(_tried_again(session.config)) > MOST and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the tests that needed their second try."""
    names = _tried_again(config)
    if names:
        terminalreporter.section(f"{len(names)} needed a second try (at most {MOST} may)", sep="-")
        for name in names:
            terminalreporter.line(name)


def _tried_again(config: pytest.Config) -> list[str]:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    # The processes of a run have none: the one that started them sums up.
    return sorted({report.nodeid for report in reporter.stats.get("rerun", ())}) if reporter else []

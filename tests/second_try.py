"""A second try for tests that drive a browser: more of them run than there are processors, and Chromium's own timers go on meanwhile.

A test that fails twice has failed. Each that needed its second try is named at the end, and a run with more than a few of them fails: a
product that works every other time is broken.
"""

from __future__ import annotations

from itertools import count
from typing import Final

import pytest

MOST: Final = 3
"""How many tests of a run may need a second try."""
SHOWN: Final = "shown by "
"""How sections of a report begin that say what a frame showed."""
_BROWSERS: Final = frozenset({"chromium", "stages"})
"""Fixtures that come with a browser."""
_given = count()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each test with a browser its second try."""
    for item in items:
        if not _BROWSERS.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.flaky(reruns=1, condition=_is_worth_it))


def _is_worth_it(error: BaseException | None) -> bool:
    # Where everything fails nobody waits for it twice.
    return error is None or next(_given) <= MOST


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run in which too many tests needed their second try."""
    if len(_tried_again(session.config)) > MOST and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the tests that needed their second try, and say why the first one failed."""
    tried = _tried_again(config)
    if tried:
        terminalreporter.section(f"{len(tried)} needed a second try (at most {MOST} may)", sep="-")
        for name, why in sorted(tried.items()):
            terminalreporter.line(f"{name}\n{why}")


def _tried_again(config: pytest.Config) -> dict[str, str]:
    """What the first try of each has said."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    # The processes of a run have none: the one that started them sums up.
    return {report.nodeid: _text(report) for report in reporter.stats.get("rerun", ())} if reporter else {}


def _text(report: pytest.TestReport) -> str:
    shown = (f"--- {name} ---\n{content}" for name, content in report.sections if name.startswith(SHOWN))
    return "\n".join((report.longreprtext, *shown))

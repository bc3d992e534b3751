"""`make check` runs its checks beside each other, and tells of each that failed."""

import sys
from pathlib import Path

import pytest

from scripts.check import Check, failures
from tests.patience import PATIENCE

_MEET = """
import sys, time
from pathlib import Path
mine, others = map(Path, sys.argv[1:3])
mine.touch()
end = time.monotonic() + float(sys.argv[3])
while not others.exists():
    if time.monotonic() > end:
        sys.exit("the other check has not begun")
    time.sleep(0.01)
"""


def _check(name: str, program: str, *arguments: str | Path) -> Check:
    return Check(name, (sys.executable, "-c", program, *arguments))


def test_checks_run_at_the_same_time(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    meeting = [_check("one", _MEET, one, two, str(PATIENCE)), _check("two", _MEET, two, one, str(PATIENCE))]
    assert failures(meeting, 2) == []


def test_each_check_that_fails_is_named_with_its_output(capsys: pytest.CaptureFixture[str]) -> None:
    every = [_check("first", "exit('one reason')"), _check("second", ""), _check("third", "exit('other reason')")]
    assert failures(every, 2) == ["first", "third"]
    told = capsys.readouterr().out
    assert "first: FAILED" in told
    assert "one reason" in told
    assert "second: ok" in told
    assert "other reason" in told

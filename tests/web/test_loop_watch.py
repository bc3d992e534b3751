"""A project's own code that holds the event loop is told in the log, while it does."""

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from walletmodal.web import loop_watch
from walletmodal.web.loop_watch import watch_loop

HOLDS = """
def hold(until):
    until()
"""


class Told(logging.Handler):
    """What was logged; `told` is set with the first."""

    def __init__(self) -> None:
        super().__init__()
        self.told, self.texts = threading.Event(), list[str]()

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it."""
        self.texts.append(record.getMessage())
        self.told.set()


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Iterator[Told]:
    monkeypatch.setattr(loop_watch, "_EVERY_SECONDS", 0.01)
    monkeypatch.setattr(loop_watch, "HELD_SECONDS", 0.01)
    handler = Told()
    loop_watch._log.addHandler(handler)
    yield handler
    loop_watch._log.removeHandler(handler)


def own(folder: Path) -> Callable[[Callable[[], object]], None]:
    """A function of a module of the project in `folder`."""
    file = folder / "mine.py"
    names: dict[str, Callable[[Callable[[], object]], None]] = {}
    exec(compile(HOLDS, str(file), "exec"), names)
    return names["hold"]


async def test_it_is_told_where_own_code_holds_the_loop(
    told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with watch_loop():
        own(tmp_path)(lambda: told.told.wait(PATIENCE))
    assert f"{tmp_path / 'mine.py'}:3, in hold" in told.texts[0]


def test_code_of_others_is_not_the_projects(told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    own(tmp_path)(lambda: loop_watch._report(threading.get_ident()))
    assert told.texts == []


async def test_its_thread_ends_with_it(told: Told) -> None:
    async with watch_loop():
        assert any(thread.name == "loop watch" for thread in threading.enumerate())
    assert not any(thread.name == "loop watch" for thread in threading.enumerate())


def test_its_thread_ends_with_a_loop_that_is_closed_under_it(told: Told) -> None:
    loop = asyncio.new_event_loop()
    watching = watch_loop()
    loop.run_until_complete(watching.__aenter__())
    threads = [thread for thread in threading.enumerate() if thread.name == "loop watch"]
    loop.close()
    for thread in threads:
        thread.join(PATIENCE)
    assert [thread.is_alive() for thread in threads] == [False]

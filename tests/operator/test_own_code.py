"""The doctor on a project's own modules."""

from pathlib import Path

import pytest

from walletmodal.operator.findings import Finding
from walletmodal.operator.look_at_own_code import own_code

MODULE = """import asyncio
import time
from time import sleep as wait

import reflex as rx
import requests


async def waits() -> None:
    wait(1)
    await asyncio.to_thread(time.sleep, 1)

    def in_a_thread() -> None:
        time.sleep(1)


class Own(rx.State):
    @rx.event
    def on_click(self) -> None:
        requests.get("https://example.com")

    def plain(self) -> None:
        time.sleep(1)
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def looked(project: Path, module: str) -> list[Finding]:
    (project / "mine.py").write_text(module)
    return list(await own_code())


async def test_calls_that_hold_the_event_loop_are_named(project: Path) -> None:
    found = await looked(project, MODULE)
    assert [(one.state, one.text.partition(" holds")[0]) for one in found] == [
        ("warning", "mine.py:10: time.sleep"),
        ("warning", "mine.py:20: requests.get"),
    ]


@pytest.mark.parametrize("folder", ["tests", ".venv", "lib/site-packages"])
async def test_what_serves_nobody_is_not_looked_at(project: Path, folder: str) -> None:
    (project / folder).mkdir(parents=True)
    (project / folder / "other.py").write_text("import time\nasync def f(): time.sleep(1)\n")
    [found] = await looked(project, "")
    assert (found.state, found.text.split(",")[0]) == ("ok", "1 modules")


async def test_what_is_no_python_has_failed(project: Path) -> None:
    [found] = await looked(project, "def (:\n")
    assert (found.state, found.text) == ("failed", "is no Python: invalid syntax (mine.py, line 1)")


async def test_a_checkout_of_the_product_is_none_of_its_business() -> None:
    assert await own_code() == []

"""What is assigned is also sent, so states assign only what differs."""

from __future__ import annotations

import pytest

from tests.driver import Driver
from walletmodal.features.shell.state import ShellState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


async def test_only_what_differs_is_sent(driver: Driver) -> None:
    await driver.load()
    async with driver.changing(ShellState) as shell:
        shell._put(depth=shell.depth, direction=-1)
        assert shell.dirty_vars == {"direction"}

"""Ports for what the tests start: each process of a run has a range of its own."""

import os

from walletmodal.sandbox.free_ports import FreePorts, settings_on
from walletmodal.sandbox.settings import SandboxSettings

_FIRST = int(os.environ.get("TEST_PORTS", "18000"))
_REACH = 1000
_PROCESS = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))

_free = FreePorts(range(_FIRST + _REACH * _PROCESS, _FIRST + _REACH * (_PROCESS + 1)))

free_ports = _free.take


def sandbox_settings() -> SandboxSettings:
    """Settings of a sandbox on free ports that keeps nothing."""
    return settings_on(_free)

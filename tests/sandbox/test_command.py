"""`python -m sandbox`: starts, says so, stops clean, and says plainly why it cannot start."""

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from pathlib import Path

import pytest

from sandbox import SandboxSettings

pytestmark = pytest.mark.asyncio(loop_scope="session")


def _environment(settings: SandboxSettings) -> dict[str, str]:
    return {name.upper(): str(value) for name, value in settings.model_dump().items()}


async def _start(environment: Mapping[str, str]) -> Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "sandbox"),
        env={**os.environ, **environment},
        stdout=PIPE,
        stderr=PIPE,
        start_new_session=True,
    )


async def _refused(environment: Mapping[str, str]) -> tuple[int | None, str]:
    process = await _start(environment)
    _, told = await asyncio.wait_for(process.communicate(), 20)
    return process.returncode, told.decode()


def _children(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(child) for child in children.split()]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_every_process(number: signal.Signals) -> None:
    settings = SandboxSettings.on_free_ports()
    process = await _start(_environment(settings))
    assert process.stdout is not None
    line = (await asyncio.wait_for(process.stdout.readline(), 20)).decode()
    assert line.startswith(f"Sandbox ready: http://localhost:{settings.sandbox_port}/")
    nodes = _children(process.pid)
    assert len(nodes) == 5
    os.killpg(process.pid, number)
    assert await asyncio.wait_for(process.wait(), 15) == 0
    for pid in nodes:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.parametrize("setting", ["SANDBOX_PORT", "EVM_PORT"])
async def test_a_taken_port_is_named_with_its_setting(setting: str) -> None:
    settings = SandboxSettings.on_free_ports()
    port = getattr(settings, setting.lower())
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        status, told = await _refused(_environment(settings))
    assert status == 1
    assert f"port {port} is taken" in told
    assert setting in told


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"SANDBOX_PORT": "many"}, "SANDBOX_PORT"),
        ({"EVM_PORT": "65535"}, "EVM_PORT"),
        ({"EVM_PORT": "8700"}, "EVM_PORT"),
        ({"SANDBOX_PORT": "3000", "WALLETMODAL_PORT": "3000"}, "WALLETMODAL_PORT"),
    ],
)
async def test_a_wrong_setting_is_named(environment: dict[str, str], named: str) -> None:
    status, told = await _refused(environment)
    assert status == 2
    assert named in told

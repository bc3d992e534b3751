"""`python -m walletmodal.sandbox`: starts, says so, stops clean, and says plainly why it cannot start."""

import asyncio
import gzip
import os
import signal
import socket
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from pathlib import Path

import httpx
import psutil
import pytest

from tests.patience import PATIENCE
from tests.ports import sandbox_settings
from walletmodal.sandbox import SandboxSettings
from walletmodal.sandbox.__main__ import main
from walletmodal.sandbox.solana.world import CHAIN as SOLANA

pytestmark = pytest.mark.asyncio(loop_scope="session")


def _environment(settings: SandboxSettings) -> dict[str, str]:
    return {name.upper(): str(value) for name, value in settings.model_dump(exclude_none=True).items()}


async def _start(environment: Mapping[str, str]) -> Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "walletmodal.sandbox"),
        env={**os.environ, **environment},
        stdout=PIPE,
        stderr=PIPE,
        start_new_session=True,
    )


async def _refused(environment: Mapping[str, str]) -> tuple[int | None, str]:
    process = await _start(environment)
    _, told = await asyncio.wait_for(process.communicate(), PATIENCE)
    return process.returncode, told.decode()


def _children(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(child) for child in children.split()]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_every_process(number: signal.Signals) -> None:
    settings = sandbox_settings()
    process = await _start(_environment(settings))
    assert process.stdout is not None
    line = (await asyncio.wait_for(process.stdout.readline(), PATIENCE)).decode()
    assert line.startswith(f"Sandbox ready: http://localhost:{settings.sandbox_port}/")
    nodes = _children(process.pid)
    assert len(nodes) == 5
    os.killpg(process.pid, number)
    assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
    for pid in nodes:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.parametrize("setting", ["SANDBOX_PORT", "EVM_PORT", "SOLANA_PORT"])
async def test_a_taken_port_is_named_with_its_setting(setting: str) -> None:
    settings = sandbox_settings()
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
        ({"SOLANA_PORT": "8699"}, "SOLANA_PORT"),
        ({"SOLANA_PORT": "65535"}, "SOLANA_PORT"),
        ({"SANDBOX_KEEP": "perhaps"}, "SANDBOX_KEEP"),
    ],
)
async def test_a_wrong_setting_is_named(
    environment: dict[str, str], named: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert main() == 2
    assert named in capsys.readouterr().err


async def test_a_wrong_setting_is_the_status_of_the_process() -> None:
    status, told = await _refused({"SANDBOX_PORT": "many"})
    assert status == 2
    assert "SANDBOX_PORT" in told


async def test_what_happened_is_there_after_the_process_was_killed(tmp_path: Path) -> None:
    settings = sandbox_settings()
    environment = {**_environment(settings), "SANDBOX_KEEP": "true", "SANDBOX_DATA": str(tmp_path)}
    wishes = {
        "eip155:1": "0x00000000000000000000000000000000000f41e9",
        SOLANA: "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin",
    }
    faucet = f"http://127.0.0.1:{settings.sandbox_port}/sandbox/faucet"
    told = []
    for number in (signal.SIGKILL, signal.SIGINT):
        process = await _start(environment)
        assert process.stdout is not None
        await asyncio.wait_for(process.stdout.readline(), PATIENCE)
        nodes = _children(process.pid)
        async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
            for chain, address in wishes.items():
                wish = {"address": address, "chain": chain, "amount": "50000000"}
                told.append((await client.post(faucet, json=wish)).json()["balance"])
        await _saved(tmp_path, wishes["eip155:1"])
        os.kill(process.pid, number)
        await asyncio.wait_for(process.communicate(), PATIENCE)
        await _gone(nodes)
    assert told == ["50000000", "50000000", "100000000", "100000000"]


def _state(folder: Path) -> str:
    return "".join(gzip.decompress(file.read_bytes()).decode() for file in folder.glob("eip155-1-*.state"))


async def _saved(folder: Path, address: str) -> None:
    """Wait until an account of eip155:1 is in the saved state."""
    deadline = time.monotonic() + PATIENCE
    while address.lower() not in _state(folder):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


async def _gone(pids: list[int]) -> None:
    deadline = time.monotonic() + PATIENCE
    while any(psutil.pid_exists(pid) for pid in pids):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)

"""How long the sandbox takes from nothing running to its line `Sandbox ready`, and a chain to have all its contracts."""

import asyncio
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import IO, cast

import psutil

from bench.figures import Figure, Floor, figure
from scripts.build import build_sandbox
from scripts.project import ROOT, VENV_PYTHON
from walletmodal.commands.project import CommandError, say, tool_environment
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.chains import CHAINS
from walletmodal.sandbox.errors import SandboxError
from walletmodal.sandbox.evm.anvil_program import anvil_binary
from walletmodal.sandbox.evm.deployment import deploy_world
from walletmodal.sandbox.free_ports import FreePorts, settings_on

RUNS = 5
_READY = "Sandbox ready: "
_START_SECONDS = 90.0
_STOP_SECONDS = 20.0
_PORTS = FreePorts(range(17000, 18000))


@dataclass(frozen=True)
class RunningSandbox:
    """A sandbox in a process of its own.

    Attributes:
        url: its origin.
        evm_url: its node of eip155:1.
        secure_url: the secure site's origin.
        seconds: from the start of the process until it said that it is ready.
    """

    url: str
    evm_url: str
    secure_url: str
    seconds: float


def sandbox_start() -> list[Figure]:
    """The figures.

    Raises:
        CommandError: it did not start.
    """
    say(f"sandbox: {RUNS} starts")
    build_sandbox()
    # The first one has the files to read from the disk, which is no start that comes twice.
    with running_sandbox():
        pass
    seconds = []
    for _ in range(RUNS):
        with running_sandbox() as sandbox:
            seconds.append(sandbox.seconds)
    title = "sandbox ready from nothing running"
    started = figure("sandbox_start_s", title, "s", seconds, floor=Floor(10, on="max"))
    return [started, asyncio.run(_placing())]


async def _placing() -> Figure:
    node = AnvilNode(CHAINS[0], _PORTS.take(), anvil_binary(), say)
    await node.start()
    seconds = []
    try:
        for _ in range(RUNS):
            await node.rpc("anvil_reset")
            began = time.perf_counter()
            await deploy_world(node.caip2, node)
            seconds.append(time.perf_counter() - began)
    finally:
        await node.stop()
    title = "all contracts and first transactions of a chain placed"
    return figure("sandbox_contracts_s", title, "s", seconds, floor=Floor(1, on="median"))


@contextmanager
def running_sandbox(settings: Mapping[str, str] = MappingProxyType({})) -> Iterator[RunningSandbox]:
    """A sandbox on free ports that keeps nothing, for as long as the block lasts; it must have been built.

    `settings`: further ones of its environment.

    Raises:
        CommandError: it did not get ready in time, or ended by itself.
    """
    try:
        ports = settings_on(_PORTS)
    except (OSError, SandboxError) as error:
        raise CommandError(f"the sandbox has no ports: {error}") from error
    environment = tool_environment(
        {
            "SANDBOX_PORT": str(ports.sandbox_port),
            "EVM_PORT": str(ports.evm_port),
            "SOLANA_PORT": str(ports.solana_port),
            "SECURE_PORT": str(ports.secure_port),
            "WALLETMODAL_PORT": str(ports.walletmodal_port),
            "SANDBOX_KEEP": "false",
            **settings,
        }
    )
    began = time.perf_counter()
    with subprocess.Popen(
        [str(VENV_PYTHON), "-m", "walletmodal.sandbox"],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            _wait_for_its_line(process)
            seconds = time.perf_counter() - began
            url, evm_url = f"http://localhost:{ports.sandbox_port}", f"http://127.0.0.1:{ports.evm_port}"
            yield RunningSandbox(url, evm_url, f"http://localhost:{ports.secure_port}", seconds)
        finally:
            _stop(process)


def _wait_for_its_line(process: subprocess.Popen[str]) -> None:
    lines = cast("IO[str]", process.stdout)
    too_long = threading.Timer(_START_SECONDS, process.kill)
    too_long.start()
    try:
        for line in lines:
            if line.startswith(_READY):
                return
    finally:
        too_long.cancel()
    raise CommandError(f"the sandbox was not ready within {_START_SECONDS:.0f} s, or ended by itself")


def _stop(process: subprocess.Popen[str]) -> None:
    below = _descendants(process)
    process.terminate()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
    for child in below:
        if child.is_running():
            child.kill()


def _descendants(process: subprocess.Popen[str]) -> list[psutil.Process]:
    try:
        return psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []

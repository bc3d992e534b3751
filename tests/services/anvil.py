"""A real EVM node for the services' tests."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from tests.patience import PATIENCE, START_SECONDS
from tests.ports import free_ports
from walletmodal.sandbox.evm.anvil_program import anvil_binary


@contextmanager
def running_anvil() -> Iterator[str]:
    """Its URL, on a free port, for as long as the block lasts."""
    port = free_ports()
    command = [str(anvil_binary()), "--host", "127.0.0.1", "--port", str(port), "--silent"]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        url = f"http://127.0.0.1:{port}"
        _wait(url, process)
        yield url
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    body = {"jsonrpc": "2.0", "id": 1, "method": "eth_chainId", "params": []}
    with httpx.Client(trust_env=False, timeout=PATIENCE) as client:
        while True:
            try:
                client.post(url, json=body).raise_for_status()
            except httpx.HTTPError:
                assert process.poll() is None, "anvil ended at its start"
                assert time.monotonic() < deadline, "anvil does not answer"
                time.sleep(0.02)
            else:
                return

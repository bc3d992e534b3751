"""Our operations through `@pimlico/alto`, a bundler that is not ours, on the sandbox's chain.

It is no dependency: `npm install @pimlico/alto` in a folder of its own, and that folder in ALTO_FOLDER. Anvil has not the tracer that its safe
mode needs, so the rules of the mempool (ERC-7562) are not among what this holds.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from scripts.project import VENV_BIN
from tests.patience import START_SECONDS
from tests.ports import free_ports
from tests.services.smart_account_stage import (
    BOB,
    ETHER,
    MAINNET,
    Stage,
    account_of,
    fresh_key,
    running_sandbox,
    stage,
    to_bob,
)
from walletmodal.core.errors import TransportError
from walletmodal.core.smart_accounts.account_state import Implementation
from walletmodal.core.smart_accounts.contracts import ENTRY_POINT_0_7, ENTRY_POINT_0_8
from walletmodal.services.rpc import rpc_http_client
from walletmodal.services.smart_accounts.endpoints import ServiceEndpoints
from walletmodal.services.smart_accounts.operations import OperationRequest, Payer

__all__ = ["running_sandbox", "stage"]

FOLDER = os.environ.get("ALTO_FOLDER", "")

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.skipif(not FOLDER, reason="ALTO_FOLDER names no folder with @pimlico/alto"),
]


@pytest_asyncio.fixture(loop_scope="session")
async def through_alto(stage: Stage) -> AsyncIterator[Stage]:
    """The stage with alto in the place of the sandbox's bundler."""
    keys = [fresh_key() for _ in range(2)]
    for key in keys:
        await stage.fund(key.address, 10 * ETHER)
    executor, utility = ("0x" + key.key.hex() for key in keys)
    port = free_ports()
    options = {
        "entrypoints": f"{ENTRY_POINT_0_7},{ENTRY_POINT_0_8}",
        "rpc-url": stage.sandbox.node_url(str(MAINNET)),
        "executor-private-keys": executor,
        "utility-private-key": utility,
        "port": port,
        "safe-mode": "false",
        "log-level": "error",
    }
    program = Path(FOLDER, "node_modules/@pimlico/alto/esm/cli/alto.js")
    arguments = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    # `node` is a program that runs the real one: both are ended, by their group.
    alto = await asyncio.create_subprocess_exec(VENV_BIN / "node", program, "run", *arguments, start_new_session=True)
    try:
        async with rpc_http_client() as client:
            url = f"http://127.0.0.1:{port}/rpc"
            bundlers = ServiceEndpoints(client, {str(MAINNET): url}, setting="BUNDLER_URL")
            await _answers(bundlers, alto)
            yield replace(stage, bundlers=bundlers)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(alto.pid, signal.SIGKILL)
        await alto.wait()


async def _answers(bundlers: ServiceEndpoints, alto: asyncio.subprocess.Process) -> None:
    async with asyncio.timeout(START_SECONDS):
        while True:
            assert alto.returncode is None, "alto has ended"
            try:
                await bundlers.transport(MAINNET).request("eth_supportedEntryPoints", [])
            except TransportError:
                await asyncio.sleep(0.1)
            else:
                return


@pytest.mark.parametrize("kind", ["delegator", "safe"])
async def test_an_account_is_made_with_its_first_batch_and_pays_no_fee_with_its_second(
    through_alto: Stage, kind: Implementation
) -> None:
    key, before = fresh_key(), await through_alto.balance(BOB)
    account = account_of(kind, key)
    await through_alto.fund(account, ETHER)
    request = OperationRequest(MAINNET, kind, key.address, (to_bob(1), to_bob(2)))
    assert (await through_alto.make(request, key)).success
    assert (await through_alto.networks.state(MAINNET, kind, key.address)).is_deployed
    left = await through_alto.balance(account)
    assert (await through_alto.make(replace(request, payer=Payer(through_alto.paymaster, {})), key)).success
    assert (await through_alto.balance(account), await through_alto.balance(BOB)) == (left - 3, before + 6)

"""Two chains for all tests of the service; each test takes accounts of its own."""

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.ports import sandbox_settings
from tests.sandbox.blockchain.stage import Foreign, Stage, staged
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.chains import CHAINS
from walletmodal.sandbox.evm.anvil_program import anvil_binary


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chain_nodes() -> AsyncIterator[dict[str, AnvilNode]]:
    first_port = sandbox_settings().evm_port
    nodes = {
        chain.caip2: AnvilNode(chain, first_port + offset, anvil_binary(), print)
        for offset, chain in enumerate(CHAINS[:2])
    }
    try:
        for node in nodes.values():
            await node.start()
        yield nodes
    finally:
        for node in nodes.values():
            await node.stop()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def stage(chain_nodes: dict[str, AnvilNode]) -> AsyncIterator[Stage]:
    on_stage = staged(chain_nodes)
    yield on_stage
    await on_stage.http.aclose()
    await on_stage.service.close()


@pytest_asyncio.fixture(loop_scope="session")
async def someone(stage: Stage) -> Foreign:
    """A foreign account with a hundred ether."""
    return await Foreign.funded(stage.node)

"""One relay for the tests of a file, healed before each."""

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.sandbox.relay.stage import RelayStage


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running_relay() -> AsyncIterator[RelayStage]:
    async with RelayStage() as stage:
        yield stage


@pytest_asyncio.fixture(loop_scope="module")
async def relay(running_relay: RelayStage) -> RelayStage:
    running_relay.heal()
    return running_relay

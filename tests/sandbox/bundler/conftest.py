"""Bundler and paymaster of a sandbox that was just reset."""

from collections.abc import AsyncIterator

import httpx
import pytest_asyncio

from tests.sandbox.bundler.stage import Stage
from walletmodal.sandbox import Sandbox


@pytest_asyncio.fixture(loop_scope="session")
async def stage(http: httpx.AsyncClient, sandbox: Sandbox) -> AsyncIterator[Stage]:
    async with httpx.AsyncClient(trust_env=False, timeout=30) as node:
        yield Stage(http, node, sandbox.node_url("eip155:1"))

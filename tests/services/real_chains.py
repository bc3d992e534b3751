"""Chains of the sandbox for the services' tests: the real EVM node with its contracts, the real Solana machine, each in a thread of its own.

Import the fixture that a module needs by its name.
"""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import pytest

from tests.patience import START_SECONDS
from tests.ports import free_ports
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.chains import CHAINS
from walletmodal.sandbox.evm.anvil_program import anvil_binary
from walletmodal.sandbox.solana.node import SolanaNode

Running = TypeVar("Running", AnvilNode, SolanaNode)


@contextmanager
def running(make: Callable[[], Running]) -> Iterator[Running]:
    """The node that `make` gives, for as long as the block lasts; the loops of the tests have nothing to do with its own."""
    ready, failure, nodes = threading.Event(), list[BaseException](), list[Running]()
    stopping = asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def live() -> None:
        loops.append(asyncio.get_running_loop())
        node = make()
        try:
            await node.start()
            nodes.append(node)
        except BaseException as error:
            failure.append(error)
            raise
        finally:
            ready.set()
        await stopping.wait()
        await node.stop()

    thread = threading.Thread(target=lambda: asyncio.run(live()), name="chain")
    thread.start()
    assert ready.wait(START_SECONDS), "the chain did not start"
    assert not failure, failure
    try:
        yield nodes[0]
    finally:
        loops[0].call_soon_threadsafe(stopping.set)
        thread.join(START_SECONDS)


@pytest.fixture(scope="module")
def ethereum() -> Iterator[AnvilNode]:
    """The sandbox's eip155:1, with the contracts of its world."""
    with running(lambda: AnvilNode(CHAINS[0], free_ports(), anvil_binary(), print)) as node:
        yield node


@pytest.fixture(scope="module")
def solana() -> Iterator[SolanaNode]:
    """The sandbox's Solana."""
    with running(lambda: SolanaNode(free_ports(), print)) as node:
        yield node

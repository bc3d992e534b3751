"""Simulation of transactions before a wallet is asked: never an error, for a visitor can send what could not be simulated."""

import asyncio
import logging
from typing import Final

from walletmodal.core.errors import AddressError, ShapeError, TransportError
from walletmodal.core.transfers.simulation import NOT_SIMULATED, Simulation
from walletmodal.services.chains.adapter import PreparedTransfer
from walletmodal.services.chains.registry import Chains

SIMULATION_SECONDS: Final = 15.0
"""For a node that does not answer, and another one that is asked in its place."""

logger = logging.getLogger(__name__)


class Simulations:
    """Simulates transactions, for all visitors of a process.

    Args:
        chains: run them.
        seconds: for how long one may take.
    """

    def __init__(self, chains: Chains, *, seconds: float = SIMULATION_SECONDS) -> None:
        self._chains, self._seconds = chains, seconds

    async def simulate(self, prepared: PreparedTransfer, sender: str, receiver: str = "") -> Simulation:
        """Simulates a transaction; `ran` is false where nobody can say.

        Args:
            prepared: such as `build_transfer` makes it.
            sender: the account that signs, a plain address.
            receiver: who is to get something; "" for the sender, as in a swap.
        """
        adapter = self._chains.adapter(prepared.chain.namespace)
        try:
            async with asyncio.timeout(self._seconds):
                return await adapter.simulate(prepared, sender, receiver)
        except (AddressError, ShapeError, TransportError, TimeoutError) as error:
            logger.info("a transaction on %s was not simulated: %s", prepared.chain, error)
            return NOT_SIMULATED

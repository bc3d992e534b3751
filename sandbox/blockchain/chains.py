"""Which chains this service knows, and their nodes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from walletmodal.sandbox.blockchain.failures import RefusedError
from walletmodal.sandbox.blockchain.rpc import NodeClient
from walletmodal.sandbox.evm.world import NATIVE_ADDRESS, EvmWorld

ZERO_ADDRESS: Final = "0x" + "0" * 40
NATIVE_DECIMALS: Final = 18
NATIVE: Final = NATIVE_ADDRESS.lower()
"""Stands for the native coin of an EVM chain wherever a contract is asked for."""


@dataclass(frozen=True)
class Chain:
    """One EVM chain.

    Attributes:
        world: its contracts.
        node: its node.
    """

    world: EvmWorld
    node: NodeClient

    @property
    def caip2(self) -> str:
        """The CAIP-2 id."""
        return self.world.chain

    @property
    def number(self) -> int:
        """The chain id as a number."""
        return int(self.world.chain.removeprefix("eip155:"))

    @property
    def wrapped(self) -> str:
        """The address of the wrapped native coin, lower case."""
        return self.world.wrapped.address.lower()

    @property
    def router(self) -> str:
        """The address of the swap router, lower case."""
        return self.world.router.lower()


class Chains:
    """The EVM chains by CAIP-2 id, in the order in which they were given."""

    def __init__(self, chains: Mapping[str, Chain]) -> None:
        self._chains = dict(chains)

    def __iter__(self) -> Iterator[Chain]:
        return iter(self._chains.values())

    def __contains__(self, caip2: object) -> bool:
        return caip2 in self._chains

    @property
    def ids(self) -> list[str]:
        """The CAIP-2 ids."""
        return list(self._chains)

    def get(self, caip2: str) -> Chain | None:
        """The chain with this id."""
        return self._chains.get(caip2)

    def require(self, caip2: str, field: str = "chainId") -> Chain:
        """The chain with this id.

        Raises:
            RefusedError: 400, no such chain is served.
        """
        chain = self._chains.get(caip2)
        if chain is None:
            raise RefusedError(400, field, f"The chain {caip2[:80]!r} is not supported")
        return chain

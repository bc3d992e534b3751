"""The chains that the sandbox runs, in the order of their ports."""

from dataclasses import dataclass


@dataclass(frozen=True)
class EvmChain:
    """One EVM chain under its real chain id.

    Attributes:
        id: chain id (EIP-155).
        name: name for people.
    """

    id: int
    name: str

    @property
    def caip2(self) -> str:
        """The CAIP-2 id, such as `eip155:137`."""
        return f"eip155:{self.id}"


CHAINS = (
    EvmChain(1, "Ethereum"),
    EvmChain(137, "Polygon"),
    EvmChain(10, "OP Mainnet"),
    EvmChain(8453, "Base"),
    EvmChain(42161, "Arbitrum One"),
)
"""The first listens on EVM_PORT, each following one on the next port."""

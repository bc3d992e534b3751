"""The faucet: reads a wish and lets the chain's treasury grant it."""

import re

from eth_utils.address import is_checksum_address, is_checksum_formatted_address
from solders.pubkey import Pubkey

from sandbox.anvil import AnvilNode
from sandbox.evm.world import worlds
from sandbox.solana.node import SolanaNode
from sandbox.solana.world import tokens


class WishRefusedError(Exception):
    """A wish that cannot be granted.

    Args:
        field: what is wrong.
        why: in which way.
    """

    def __init__(self, field: str, why: str) -> None:
        super().__init__(why)
        self.field = field


async def give_evm(node: AnvilNode, address: str, amount: int, token: str | None) -> int:
    """Give to an account on an EVM chain.

    Args:
        node: the chain.
        address: 20 bytes, hexadecimal.
        amount: base units.
        token: CAIP-10 id of a token on this chain; the native coin when None.

    Returns:
        The balance afterwards, in base units.

    Raises:
        WishRefusedError: the address is wrong, or the token none of the sandbox's.
        OverflowError: it is more than there can be.
        NodeFailedError: the node refused or does not answer.
    """
    if not re.fullmatch("0x[0-9a-fA-F]{40}", address):
        raise WishRefusedError("address", "an address is 0x and 40 hexadecimal digits")
    if is_checksum_formatted_address(address) and not is_checksum_address(address):
        raise WishRefusedError("address", "the checksum of the address is wrong")
    if int(address, 16) == 0 and token is not None:
        raise WishRefusedError("address", "no token goes to the zero address")
    world = worlds()[node.caip2]
    if token is None:
        return await node.treasury.give(address, amount)
    contract = token.rpartition(":")[2].lower()
    known = next((one for one in world.tokens if one.address.lower() == contract), None)
    if known is None:
        raise WishRefusedError("token", f"one of {', '.join(one.address for one in world.tokens)}")
    return await node.treasury.give(address, amount, known)


def give_solana(node: SolanaNode, address: str, amount: int, token: str | None) -> int:
    """Give to an account on Solana; as `give_evm`, with an address in base58 and the token's mint."""
    try:
        Pubkey.from_string(address)
    except ValueError as error:
        raise WishRefusedError("address", "an address is 32 bytes in base58") from error
    if token is None:
        return node.give(address, amount)
    known = tokens().get(token.rpartition(":")[2])
    if known is None:
        raise WishRefusedError("token", f"one of {', '.join(tokens())}")
    return node.give(address, amount, known)

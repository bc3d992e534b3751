"""The faucet: reads a wish and lets the chain's treasury grant it."""

import re
from dataclasses import dataclass

from eth_utils.address import is_checksum_address, is_checksum_formatted_address
from solders.pubkey import Pubkey

from sandbox.anvil import AnvilNode
from sandbox.evm.world import worlds
from sandbox.solana.node import SolanaNode
from sandbox.solana.world import CHAIN as SOLANA
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


@dataclass(frozen=True)
class GivenNft:
    """An NFT that was given: its CAIP-19 id and its name."""

    asset: str
    name: str


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
    _check_evm(address)
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


async def give_evm_nft(node: AnvilNode, address: str) -> GivenNft:
    """Make an NFT of the chain's first ERC-721 collection for an account; raises as `give_evm`."""
    _check_evm(address)
    if int(address, 16) == 0:
        raise WishRefusedError("address", "no NFT goes to the zero address")
    collection = next((one for one in worlds()[node.caip2].collections if one.standard == "ERC721"), None)
    if collection is None:
        raise WishRefusedError("chain", "there are no NFTs on this chain")
    number = await node.treasury.give_nft(address, collection)
    return GivenNft(f"{node.caip2}/erc721:{collection.address}/{number}", f"{collection.name} #{number}")


def give_solana_nft(node: SolanaNode, address: str) -> GivenNft:
    """Make an NFT for an account on Solana; raises as `give_solana`."""
    _check_solana(address)
    given = node.give_nft(address)
    return GivenNft(f"{SOLANA}/nft:{given.mint}", given.name)


def give_solana(node: SolanaNode, address: str, amount: int, token: str | None) -> int:
    """Give to an account on Solana; as `give_evm`, with an address in base58 and the token's mint."""
    _check_solana(address)
    if token is None:
        return node.give(address, amount)
    known = tokens().get(token.rpartition(":")[2])
    if known is None:
        raise WishRefusedError("token", f"one of {', '.join(tokens())}")
    return node.give(address, amount, known)


def _check_evm(address: str) -> None:
    if not re.fullmatch("0x[0-9a-fA-F]{40}", address):
        raise WishRefusedError("address", "an address is 0x and 40 hexadecimal digits")
    if is_checksum_formatted_address(address) and not is_checksum_address(address):
        raise WishRefusedError("address", "the checksum of the address is wrong")


def _check_solana(address: str) -> None:
    try:
        Pubkey.from_string(address)
    except ValueError as error:
        raise WishRefusedError("address", "an address is 32 bytes in base58") from error

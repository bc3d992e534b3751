"""The faucet: reads a wish and lets the chain's treasury grant it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Self

from eth_utils.address import is_checksum_address, is_checksum_formatted_address
from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError
from solders.pubkey import Pubkey

from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.evm.world import worlds
from walletmodal.sandbox.solana.node import SolanaNode
from walletmodal.sandbox.solana.world import CHAIN as SOLANA
from walletmodal.sandbox.solana.world import tokens


class FaucetRequest(BaseModel):
    """Coin, tokens or an NFT for an account, or coin that sponsors user operations.

    Attributes:
        address: whom it is for; on EVM chains 20 bytes, hexadecimal, a mixed-case one with the right checksum (EIP-55); on Solana base58.
        chain: CAIP-2 id.
        token: CAIP-10 id of a token's contract or mint; the native coin when absent.
        amount: base units, decimal string.
        nft: whether it is an NFT that is wanted, instead of an amount.
        sponsorship: whether the amount is for the chain's paymasters, each of which gets it, instead of for an address.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    address: str | None = None
    chain: str
    token: str | None = None
    amount: Annotated[str, Field(pattern=r"^[1-9][0-9]{0,77}$")] | None = None
    nft: bool = False
    sponsorship: bool = False

    @model_validator(mode="after")
    def _token_of_the_chain(self) -> Self:
        if self.token is not None and self.token.rpartition(":")[0] != self.chain:
            raise PydanticCustomError("token", "the token is none of the chain {chain}", {"chain": self.chain})
        if self.nft and self.token is not None:
            raise PydanticCustomError("token", "an NFT is not chosen by a token")
        if self.sponsorship and (self.nft or self.token is not None):
            raise PydanticCustomError("token", "user operations are sponsored with the native coin")
        if self.sponsorship == (self.address is not None):
            raise PydanticCustomError("address", "either an address or sponsorship")
        if self.nft == (self.amount is not None):
            raise PydanticCustomError("amount", "either an amount or an NFT")
        return self


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


class Faucet:
    """Grants wishes on every chain.

    Args:
        nodes: the EVM chains, by CAIP-2 id.
        solana: the Solana chain, if it runs.
    """

    def __init__(self, nodes: Mapping[str, AnvilNode], solana: SolanaNode | None) -> None:
        self._nodes = nodes
        self._solana = solana

    async def grant(self, wish: FaucetRequest) -> dict[str, object]:
        """Grant a wish; the answer says what there is afterwards.

        Raises:
            WishRefusedError: a field is wrong.
            OverflowError: it is more than there can be.
            NodeFailedError: the node refused or does not answer.
        """
        if wish.address is None:
            return {"deposits": await self._sponsor(wish, int(wish.amount or 0))}
        given = await (
            self._give_nft(wish, wish.address)
            if wish.amount is None
            else self._give(wish, wish.address, int(wish.amount))
        )
        return {"address": wish.address, **given}

    async def _give(self, wish: FaucetRequest, address: str, amount: int) -> dict[str, str]:
        if wish.chain in self._nodes:
            balance = await give_evm(self._nodes[wish.chain], address, amount, wish.token)
        else:
            balance = give_solana(self._solana_of(wish), address, amount, wish.token)
        return {"balance": str(balance)} | ({} if wish.token is None else {"token": wish.token})

    async def _give_nft(self, wish: FaucetRequest, address: str) -> dict[str, str]:
        if wish.chain in self._nodes:
            given = await give_evm_nft(self._nodes[wish.chain], address)
        else:
            given = give_solana_nft(self._solana_of(wish), address)
        return {"nft": given.asset, "name": given.name}

    async def _sponsor(self, wish: FaucetRequest, amount: int) -> dict[str, str]:
        if wish.chain not in self._nodes:
            raise WishRefusedError("chain", f"One of {', '.join(self._nodes)}")
        return await sponsor(self._nodes[wish.chain], amount)

    def _solana_of(self, wish: FaucetRequest) -> SolanaNode:
        if self._solana is None or wish.chain != self._solana.caip2:
            chains = [*self._nodes, *([self._solana.caip2] if self._solana is not None else [])]
            raise WishRefusedError("chain", f"One of {', '.join(chains)}")
        return self._solana


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


async def sponsor(node: AnvilNode, amount: int) -> dict[str, str]:
    """Put coin on deposit for each of the chain's paymasters; gives what they have then, by entry point.

    Raises:
        OverflowError: it is more than there can be.
        NodeFailedError: the node refused or does not answer.
    """
    return {entry_point: str(deposit) for entry_point, deposit in (await node.treasury.sponsor(amount)).items()}


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

"""Names in the chain's own ENS: the primary name of an account and its picture (EIP-181, EIP-634, ENSIP-12)."""

import re
from dataclasses import dataclass
from typing import Final

from ens_normalize import is_ens_normalized
from eth_utils.crypto import keccak

from walletmodal.sandbox.blockchain.abi import calldata, decoded_address, decoded_number, decoded_text, eth_call
from walletmodal.sandbox.blockchain.chains import Chain
from walletmodal.sandbox.blockchain.history.facts import Movement
from walletmodal.sandbox.blockchain.history.nfts import NftBook
from walletmodal.sandbox.blockchain.metadata import MAX_URI

MAX_NAME: Final = 255
_NFT: Final = re.compile(r"eip155:(\d{1,10})/(erc721|erc1155):(0x[0-9a-fA-F]{40})/(\d{1,78})")
_SHOWN: Final = ("https://", "ipfs://", "data:image/", "http://localhost:", "http://127.0.0.1:")


@dataclass(frozen=True, slots=True)
class EnsProfile:
    """What an account is called; both None when it set nothing that holds."""

    name: str | None
    avatar: str | None


def namehash(name: str) -> bytes:
    """The node of a normalized name (EIP-137)."""
    node = bytes(32)
    for label in reversed(name.split(".")):
        node = keccak(node + keccak(text=label))
    return node


async def profile(chain: Chain, nfts: NftBook, account: str) -> EnsProfile:
    """The primary name of an account (lower case) on a chain with ENS, believed only if it resolves back; and its avatar.

    Raises:
        NodeUnavailableError: the chain does not answer.
    """
    ens = chain.world.ens
    if ens is None:
        return EnsProfile(None, None)
    registry = ens.registry
    reverse = namehash(f"{account[2:]}.addr.reverse")
    resolver = await _resolver(chain, registry, reverse)
    if resolver is None:
        return EnsProfile(None, None)
    (answer,) = await chain.node.ask([eth_call(resolver, calldata("name(bytes32)", reverse))])
    name = _normalized(decoded_text(answer, MAX_NAME))
    if name is None:
        return EnsProfile(None, None)
    node = namehash(name)
    forward = await _resolver(chain, registry, node)
    if forward is None:
        return EnsProfile(None, None)
    address, record = await chain.node.ask(
        [
            eth_call(forward, calldata("addr(bytes32)", node)),
            eth_call(forward, calldata("text(bytes32,string)", node, "avatar")),
        ]
    )
    if decoded_address(address) != account:
        return EnsProfile(None, None)
    return EnsProfile(name, await _avatar(chain, nfts, account, decoded_text(record, MAX_URI) or ""))


async def _resolver(chain: Chain, registry: str, node: bytes) -> str | None:
    (answer,) = await chain.node.ask([eth_call(registry, calldata("resolver(bytes32)", node))])
    return decoded_address(answer)


def _normalized(name: str | None) -> str | None:
    """A name as it was recorded, if it is in its normal form (ENSIP-15): look-alikes are not."""
    return name if name and is_ens_normalized(name) else None


async def _avatar(chain: Chain, nfts: NftBook, account: str, record: str) -> str | None:
    match = _NFT.fullmatch(record)
    if match is None:
        return record if record.startswith(_SHOWN) else None
    number, standard, contract, token_id = match.groups()
    if int(number) != chain.number or int(token_id) >= 2**256:
        return None
    if not await _owns(chain, account, standard, contract.lower(), int(token_id)):
        return None
    kind = "erc721" if standard == "erc721" else "erc1155"
    seen = Movement("erc721" if kind == "erc721" else "erc1155", contract.lower(), account, account, 1, int(token_id))
    found = await nfts.of(chain, [seen])
    return found[contract.lower(), int(token_id)].image


async def _owns(chain: Chain, account: str, standard: str, contract: str, token_id: int) -> bool:
    if standard == "erc721":
        (answer,) = await chain.node.ask([eth_call(contract, calldata("ownerOf(uint256)", token_id))])
        return decoded_address(answer) == account
    (answer,) = await chain.node.ask([eth_call(contract, calldata("balanceOf(address,uint256)", account, token_id))])
    return bool(decoded_number(answer))

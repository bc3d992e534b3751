"""Farcaster's registries on OP Mainnet, and the signatures of its accounts."""

from typing import Final

from eth_abi.abi import encode
from eth_utils.crypto import keccak

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import AddressError
from walletmodal.secure.farcaster.message import CHAIN, Claim, FarcasterError
from walletmodal.services.chains.eip155.answers import read_data
from walletmodal.services.chains.eip155.signatures import EvmSignatures
from walletmodal.services.rpc import RpcEndpoints

ID_REGISTRY: Final = "0x00000000Fc6c5F01Fc30151999387Bb99A9f489b"
KEY_REGISTRY: Final = "0x00000000Fc1237824fb747aBDE0FF18990E59b7e"
ISSUER: Final = f"{CHAIN}:{ID_REGISTRY}"
"""Of identities: the contract that gives the ids, CAIP-10."""

_CHAIN: Final = parse_chain_id(CHAIN)
_WORD: Final = 32
_ADDED_AUTH_ADDRESS: Final = (1).to_bytes(_WORD, "big") + (2).to_bytes(_WORD, "big")
"""State `ADDED`, key type 2: an address that may sign in for the id."""


class Registries:
    """Asks them.

    Args:
        nodes: the way to OP Mainnet.
    """

    def __init__(self, nodes: RpcEndpoints) -> None:
        self._nodes = nodes
        self._signatures = EvmSignatures(nodes.transport, _CHAIN)

    async def check(self, claim: Claim, signature: str) -> None:
        """Returns when the claim is true: the account has signed, and owns the id or is one of its auth addresses.

        Raises:
            FarcasterError: it is not.
            TransportError: nobody can tell now.
        """
        try:
            signed = await self._signatures.verify_message(claim.address, claim.text, signature)
        except AddressError as error:
            raise FarcasterError("no address") from error
        if not signed:
            raise FarcasterError("another's signature")
        if not await self._is_auth_address(claim) and await self._id_of(claim.address) != claim.fid:
            raise FarcasterError("another's id")

    async def _is_auth_address(self, claim: Claim) -> bool:
        key = bytes(12) + bytes.fromhex(claim.address[2:])
        answer = await self._call(KEY_REGISTRY, "keyDataOf(uint256,bytes)", ["uint256", "bytes"], [claim.fid, key])
        return answer[: 2 * _WORD] == _ADDED_AUTH_ADDRESS

    async def _id_of(self, address: str) -> int:
        answer = await self._call(ID_REGISTRY, "idOf(address)", ["address"], [address])
        return int.from_bytes(answer[:_WORD], "big")

    async def _call(self, to: str, signature: str, types: list[str], values: list[object]) -> bytes:
        data = keccak(text=signature)[:4] + encode(types, values)
        answer = await self._nodes.transport(_CHAIN).request(
            "eth_call", [{"to": to, "data": "0x" + data.hex()}, "latest"]
        )
        return read_data(answer, "eth_call", _CHAIN)

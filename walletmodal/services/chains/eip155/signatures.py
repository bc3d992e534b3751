"""Signature verification on EVM networks: a key (EIP-191), a contract account (ERC-1271), or one that is not there yet (ERC-6492)."""

import asyncio
import re
from typing import Final

from eth_abi.abi import decode
from eth_abi.exceptions import DecodingError
from eth_utils.crypto import keccak

from walletmodal.core.chains.addresses import is_address, normal_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import ResponseTooLargeError, RpcRequestError
from walletmodal.services.chains.adapter import TransportOf
from walletmodal.services.chains.eip155.answers import is_halt, is_revert, is_too_long, read_data
from walletmodal.services.chains.eip155.simulation import MAGIC_WORD, is_valid_signature_call, simulation
from walletmodal.services.chains.secp256k1 import recover

MAX_SIGNATURE: Final = 16_384
"""Bytes of a signature; those of contract accounts may be long, and the whole question must fit in the code of a creation (EIP-3860)."""

GAS: Final = (12_000_000, 9_000_000)
"""What a contract may use to answer, each of the two times that it is asked: more than the dearest verification that is known (a passkey's
curve computed in Solidity by an account that is made first), and few enough that a node stops one that only burns it within a second."""

_SUFFIX: Final = bytes.fromhex("6492" * 16)
_HEX: Final = re.compile(r"0x(?:[0-9a-fA-F]{2})+")
_ONE: Final = (1).to_bytes(32, "big")


def personal_digest(message: str | bytes) -> bytes:
    """What `personal_sign` signs (EIP-191, version E), 32 bytes."""
    raw = message.encode("utf-8", "surrogatepass") if isinstance(message, str) else message
    return bytes(keccak(b"\x19Ethereum Signed Message:\n" + str(len(raw)).encode("ascii") + raw))


def signer(digest: bytes, signature: bytes) -> str | None:
    """The account whose key made a signature of 65 bytes, or None.

    The last byte is 27 or 28, or 0 or 1 as hardware wallets write it; `s` must be in its lower half, else the same signature could be
    written in two ways.
    """
    if len(signature) != 65:
        return None
    version = signature[64]
    key = recover(digest, signature[:64], version - 27 if version >= 27 else version, compressed=False)
    if key is None:
        return None
    return normal_address("eip155", "0x" + keccak(key[1:])[12:].hex())


class EvmSignatures:
    """Verifies signatures of the accounts of one network.

    Args:
        transport: gives the way to its nodes; asked for only where a contract must tell.
        chain: its id.
    """

    def __init__(self, transport: TransportOf, chain: ChainId) -> None:
        self._transport, self._chain = transport, chain

    async def verify_message(self, address: str, message: str | bytes, signature: str) -> bool:
        """Whether the account signed a message by `personal_sign`. Raises as `verify`."""
        return await self.verify(address, personal_digest(message), signature)

    async def verify(self, address: str, digest: bytes, signature: str) -> bool:
        """Whether the account signed.

        A key is enough for its account, also where that has code now (EIP-7702): whoever has the key can take the code away.

        Args:
            address: the account.
            digest: 32 bytes.
            signature: hexadecimal with 0x; anything else is no signature.

        Raises:
            AddressError: the address is none.
            TransportError: only a contract could tell, and it cannot be asked now.
        """
        account = normal_address("eip155", address)
        if len(signature) > 2 * MAX_SIGNATURE + 2 or not _HEX.fullmatch(signature):
            return False
        raw = bytes.fromhex(signature[2:])
        if signer(digest, raw) == account:
            return True
        if raw.endswith(_SUFFIX):
            return await self._simulated(account, digest, raw[: -len(_SUFFIX)])
        return await self._accepted(account, digest, raw)

    async def _accepted(self, account: str, digest: bytes, signature: bytes) -> bool:
        """ERC-1271. The whole word is compared: contracts that give back what they are called with begin with the magic value, too."""
        return await self._always(
            {"to": account, "data": "0x" + is_valid_signature_call(digest, signature).hex()}, MAGIC_WORD
        )

    async def _simulated(self, account: str, digest: bytes, wrapped: bytes) -> bool:
        """ERC-6492: the account is made for the length of the question."""
        try:
            factory, factory_call, inner = decode(["address", "bytes", "bytes"], wrapped)
        except (DecodingError, OverflowError):
            return False
        if not is_address("eip155", factory):
            return False
        question = is_valid_signature_call(digest, inner)
        code = simulation(bytes.fromhex(account[2:]), question, bytes.fromhex(factory[2:]), factory_call)
        return await self._always({"data": "0x" + code.hex()}, _ONE)

    async def _always(self, call: dict[str, str], word: bytes) -> bool:
        """Whether the answer begins with a word however much gas it is given: one that depends on how it is asked is believed by nobody."""
        answers = await asyncio.gather(*(self._called(call, gas) for gas in GAS))
        return all(answer is not None and answer[:32] == word for answer in answers)

    async def _called(self, call: dict[str, str], gas: int) -> bytes | None:
        """The answer; None for a contract that refuses, breaks off, or answers with more than anybody needs."""
        try:
            answer = await self._transport(self._chain).request("eth_call", [{**call, "gas": hex(gas)}, "latest"])
        except RpcRequestError as error:
            if is_revert(error) or is_halt(error):
                return None
            raise
        except ResponseTooLargeError:
            return None
        return None if is_too_long(answer) else read_data(answer, "eth_call", self._chain)

"""Farcaster's two registries as far as a sign-in reads them: contracts that know the answers to the questions of the beginning.

Their code is in no npm package. Asked something, they answer with the two words of storage that begin at the hash of the call, which are
zero, as the real ones' are, for an id or key that nobody has registered.
"""

from collections.abc import Iterator
from typing import Final

from eth_utils.crypto import keccak

from walletmodal.sandbox.evm.artifacts import call_data
from walletmodal.sandbox.evm.world import Farcaster

_RUNTIME: Final = bytes.fromhex(
    "3660006000"  # CALLDATASIZE PUSH1 0 PUSH1 0
    "37"  # CALLDATACOPY: the call to memory
    "36600020"  # CALLDATASIZE PUSH1 0 KECCAK256
    "8054600052"  # DUP1 SLOAD PUSH1 0 MSTORE
    "60010154602052"  # PUSH1 1 ADD SLOAD PUSH1 32 MSTORE
    "60406000f3"  # PUSH1 64 PUSH1 0 RETURN
)
_COPY_REST: Final = bytes.fromhex(f"60{len(_RUNTIME):02x}80600b6000396000f3")
_KEY_ADDED: Final = 1
_AUTH_ADDRESS: Final = 2

Slot = tuple[int, bytes]


def registry_answers(farcaster: Farcaster) -> Iterator[tuple[str, bytes, tuple[Slot, ...]]]:
    """Address, creation code and storage of each registry."""
    ids: list[Slot] = []
    keys: list[Slot] = []
    for account in farcaster.accounts:
        if account.signs_as == "custody":
            ids += _answer(call_data("idOf(address)", account.address), account.fid)
        else:
            key = bytes(12) + bytes.fromhex(account.address[2:])
            keys += _answer(call_data("keyDataOf(uint256,bytes)", account.fid, key), _KEY_ADDED, _AUTH_ADDRESS)
    yield farcaster.id_registry, _COPY_REST + _RUNTIME, tuple(ids)
    yield farcaster.key_registry, _COPY_REST + _RUNTIME, tuple(keys)


def _answer(call: bytes, *words: int) -> Iterator[Slot]:
    first = int.from_bytes(keccak(call), "big")
    return ((first + place, word.to_bytes(32, "big")) for place, word in enumerate(words))

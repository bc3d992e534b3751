"""Safe 1.4.1 with its ERC-4337 module: address, calls, and what owners sign."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from eth_abi.abi import encode
from eth_utils.address import to_canonical_address, to_checksum_address
from eth_utils.crypto import keccak

from walletmodal.core.smart_accounts.authorization import NOBODY
from walletmodal.core.smart_accounts.call_encoding import AccountCall, encode_call, require_calls
from walletmodal.core.smart_accounts.contracts import (
    ENTRY_POINT_0_7,
    MULTI_SEND,
    SAFE_MODULE,
    SAFE_MODULE_SETUP,
    SAFE_PROXY_FACTORY,
    SAFE_PROXY_INIT_CODE_HASH,
    SAFE_SINGLETON,
)
from walletmodal.core.smart_accounts.typed_message import Domain, Fields, TypedMessage, Value
from walletmodal.core.smart_accounts.user_operation import DUMMY_SIGNATURE, UserOperation

ENTRY_POINT: Final = ENTRY_POINT_0_7
"""The only one that the module takes user operations from."""
OPERATION: Final = "SafeOp"
MAX_OWNERS: Final = 32

_EXECUTE: Final = "executeUserOp(address,uint256,bytes,uint8)"
_SETUP: Final = "setup(address[],uint256,address,bytes,address,address,uint256,address)"
_CALL, _DELEGATE_CALL = 0, 1
_SIGNATURE: Final = 65
_WINDOW_BYTES: Final = 6
_UNDEPLOYED: Final = bytes.fromhex("6492" * 16)
_OPERATION_FIELDS: Final[Fields] = (
    ("address", "safe"),
    ("uint256", "nonce"),
    ("bytes", "initCode"),
    ("bytes", "callData"),
    ("uint128", "verificationGasLimit"),
    ("uint128", "callGasLimit"),
    ("uint256", "preVerificationGas"),
    ("uint128", "maxPriorityFeePerGas"),
    ("uint128", "maxFeePerGas"),
    ("bytes", "paymasterAndData"),
    ("uint48", "validAfter"),
    ("uint48", "validUntil"),
    ("address", "entryPoint"),
)


@dataclass(frozen=True, slots=True)
class ValidityWindow:
    """When a user operation counts, in Unix seconds; 0 for no limit."""

    after: int = 0
    until: int = 0

    def __post_init__(self) -> None:
        if any(not 0 <= one < 2 ** (8 * _WINDOW_BYTES) for one in (self.after, self.until)):
            raise ValueError("a moment of more than 48 bits")

    @property
    def encoded(self) -> bytes:
        """As it stands before the signatures."""
        return self.after.to_bytes(_WINDOW_BYTES, "big") + self.until.to_bytes(_WINDOW_BYTES, "big")


_ALWAYS: Final = ValidityWindow()


@dataclass(frozen=True, slots=True)
class SafeAccount:
    """A Safe, by what it was or will be made with.

    Attributes:
        owners: their addresses, in their normal spelling.
        threshold: how many of them must sign.
        salt: tells Safes of the same owners apart.
    """

    owners: tuple[str, ...]
    threshold: int = 1
    salt: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.threshold <= len(self.owners) <= MAX_OWNERS or len(set(self.owners)) != len(self.owners):
            raise ValueError("owners and threshold do not fit")
        if not 0 <= self.salt < 2**256:
            raise ValueError("the salt has more than 256 bits")

    @property
    def address(self) -> str:
        """Where it is or will be, on every network (CREATE2)."""
        salt = keccak(keccak(self._initializer) + self.salt.to_bytes(32, "big"))
        made = keccak(b"\xff" + to_canonical_address(SAFE_PROXY_FACTORY) + salt + SAFE_PROXY_INIT_CODE_HASH)
        return str(to_checksum_address(made[12:]))

    @property
    def factory_data(self) -> bytes:
        """What the factory (`SAFE_PROXY_FACTORY`) is called with to make it."""
        return encode_call("createProxyWithNonce(address,bytes,uint256)", SAFE_SINGLETON, self._initializer, self.salt)

    @property
    def _initializer(self) -> bytes:
        enable = encode_call("enableModules(address[])", [SAFE_MODULE])
        return encode_call(
            _SETUP, self.owners, self.threshold, SAFE_MODULE_SETUP, enable, SAFE_MODULE, NOBODY, 0, NOBODY
        )

    def wrap_undeployed(self, signature: bytes) -> bytes:
        """Wraps a signature (ERC-1271) with what makes the account first (ERC-6492), for one that is not deployed."""
        wrapped = encode(["address", "bytes", "bytes"], [SAFE_PROXY_FACTORY, self.factory_data, signature])
        return wrapped + _UNDEPLOYED


def operation_call_data(calls: Sequence[AccountCall]) -> bytes:
    """Encodes what the module has a Safe do to make these calls, all of them or none.

    Raises:
        ValueError: there are no calls.
    """
    if len(require_calls(calls)) == 1:
        return encode_call(_EXECUTE, *calls[0], _CALL)
    return encode_call(_EXECUTE, MULTI_SEND, 0, multi_send_call_data(calls), _DELEGATE_CALL)


def multi_send_call_data(calls: Sequence[AccountCall]) -> bytes:
    """Encodes a list of calls for MultiSend, which a Safe runs as its own code."""
    packed = b"".join(
        bytes([_CALL])
        + to_canonical_address(one.to)
        + one.value.to_bytes(32, "big")
        + len(one.data).to_bytes(32, "big")
        + one.data
        for one in calls
    )
    return encode_call("multiSend(bytes)", packed)


def operation_message(operation: UserOperation, chain_id: int, window: ValidityWindow = _ALWAYS) -> TypedMessage:
    """Makes the message that owners sign for a user operation; `signature_of_operation` makes the operation's signature of theirs."""
    packed = operation.pack()
    values: dict[str, Value] = {
        "safe": operation.sender,
        "nonce": operation.nonce,
        "initCode": packed.init_code,
        "callData": operation.call_data,
        "verificationGasLimit": operation.verification_gas_limit,
        "callGasLimit": operation.call_gas_limit,
        "preVerificationGas": operation.pre_verification_gas,
        "maxPriorityFeePerGas": operation.max_priority_fee_per_gas,
        "maxFeePerGas": operation.max_fee_per_gas,
        "paymasterAndData": packed.paymaster_and_data,
        "validAfter": window.after,
        "validUntil": window.until,
        "entryPoint": ENTRY_POINT,
    }
    return TypedMessage(Domain(chain_id, SAFE_MODULE), OPERATION, _OPERATION_FIELDS, values)


def signature_of_operation(signatures: Mapping[str, bytes], window: ValidityWindow = _ALWAYS) -> bytes:
    """Joins owners' signatures of an operation's message, by owner.

    Raises:
        ValueError: one of them is no signature of a key.
    """
    return window.encoded + join_signatures(signatures)


def dummy_signature(owner: bytes = DUMMY_SIGNATURE) -> bytes:
    """Stands for the signature of an operation while gas is estimated; `owner`: for that of its one owner."""
    return _ALWAYS.encoded + owner


def owner_signature(signature: bytes) -> bytes:
    """Returns the signature of the one owner in that of an operation which counts for ever.

    Raises:
        ValueError: it counts for a time.
    """
    if not signature.startswith(_ALWAYS.encoded):
        raise ValueError("the operation counts for a time")
    return signature[2 * _WINDOW_BYTES :]


def join_signatures(signatures: Mapping[str, bytes]) -> bytes:
    """Joins owners' signatures in the order of their addresses, as the contract checks them.

    Raises:
        ValueError: one of them is no signature of a key.
    """
    if not signatures or any(len(one) != _SIGNATURE for one in signatures.values()):
        raise ValueError("no signature of a key")
    return b"".join(signatures[owner] for owner in sorted(signatures, key=to_canonical_address))


def message_of_digest(safe: str, chain_id: int, digest: bytes) -> TypedMessage:
    """Makes the message that owners sign so that the Safe takes a digest for signed (ERC-1271); it binds that to this Safe and this network."""
    values = {"message": encode(["bytes32"], [digest])}
    return TypedMessage(Domain(chain_id, safe), "SafeMessage", (("bytes", "message"),), values)

"""User operations (ERC-4337) of the entry points 0.7 and 0.8: fields, the JSON of bundlers (ERC-7769), packing and hash."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from eth_abi.abi import encode
from eth_utils.address import to_canonical_address
from eth_utils.crypto import keccak

from walletmodal.core.smart_accounts.authorization import SignedAuthorization, read_signed_authorization
from walletmodal.core.smart_accounts.contracts import ENTRY_POINT_0_7, ENTRY_POINT_0_8
from walletmodal.core.smart_accounts.fields import WORD_BITS, read_address, read_bytes, read_quantity, unreadable
from walletmodal.core.smart_accounts.typed_message import Domain, Fields, TypedMessage, Value

EntryPointVersion = Literal["0.7", "0.8"]

DELEGATED: Final = "0x7702"
"""In the place of a factory: the account is no contract of its own, but a delegated one (EIP-7702). Entry point 0.8 alone knows it."""
DUMMY_SIGNATURE: Final = bytes.fromhex("f" * 31 + "0" * 33 + "7" + "a" * 63 + "1c")
"""Stands for a signature of ECDSA while gas is estimated. Some key can have made it: where none could, checks of it would end too early."""

_HALF: Final = 128
_ADDRESS: Final = 20
_PADDED: Final = DELEGATED.ljust(2 + 2 * _ADDRESS, "0")
_EMPTY: Final = (None, "", "0x")
_QUANTITIES: Final[Mapping[str, tuple[str, int]]] = {
    "nonce": ("nonce", WORD_BITS),
    "call_gas_limit": ("callGasLimit", _HALF),
    "verification_gas_limit": ("verificationGasLimit", _HALF),
    "pre_verification_gas": ("preVerificationGas", WORD_BITS),
    "max_fee_per_gas": ("maxFeePerGas", _HALF),
    "max_priority_fee_per_gas": ("maxPriorityFeePerGas", _HALF),
    "paymaster_verification_gas_limit": ("paymasterVerificationGasLimit", _HALF),
    "paymaster_post_op_gas_limit": ("paymasterPostOpGasLimit", _HALF),
}
"""The name in JSON and the bits of each number."""
_FIELDS: Final = frozenset(
    [
        *(name for name, _ in _QUANTITIES.values()),
        *("sender", "callData", "factory", "factoryData", "paymaster", "paymasterData", "signature", "eip7702Auth"),
    ]
)


@dataclass(frozen=True, slots=True)
class PackedUserOperation:
    """A user operation as the entry points' functions take it."""

    sender: str
    nonce: int
    init_code: bytes
    call_data: bytes
    account_gas_limits: bytes
    pre_verification_gas: int
    gas_fees: bytes
    paymaster_and_data: bytes
    signature: bytes

    @property
    def values(self) -> tuple[str, int, bytes, bytes, bytes, int, bytes, bytes, bytes]:
        """Its fields in order, for `PACKED_TYPE`."""
        return (
            self.sender,
            self.nonce,
            self.init_code,
            self.call_data,
            self.account_gas_limits,
            self.pre_verification_gas,
            self.gas_fees,
            self.paymaster_and_data,
            self.signature,
        )

    @property
    def struct(self) -> dict[str, Value]:
        """Its fields by name, for `PACKED_FIELDS`."""
        values: tuple[Value, ...] = self.values[:-1]
        return {name: value for (_, name), value in zip(PACKED_FIELDS, values, strict=True)}


PACKED_TYPE: Final = "(address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)"
PACKED_FIELDS: Final[Fields] = (
    ("address", "sender"),
    ("uint256", "nonce"),
    ("bytes", "initCode"),
    ("bytes", "callData"),
    ("bytes32", "accountGasLimits"),
    ("uint256", "preVerificationGas"),
    ("bytes32", "gasFees"),
    ("bytes", "paymasterAndData"),
)
"""Of `PackedUserOperation` in messages that are signed: all but the signature."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserOperation:
    """What an account is to do, who pays, and at most how much.

    Attributes:
        sender: the account, in its normal spelling.
        nonce: 192 bits of key, 64 of sequence.
        call_data: what the account is called with.
        factory: the contract that makes the account, `DELEGATED` for an account that is delegated, "" for one that exists.
        factory_data: what the factory is called with, or a delegated account for its set-up.
        max_fee_per_gas, max_priority_fee_per_gas: in base units of the native coin.
        paymaster: the contract that pays, "" for none.
        authorization: delegates the account in the same transaction (EIP-7702).
    """

    sender: str
    nonce: int
    call_data: bytes
    factory: str = ""
    factory_data: bytes = b""
    call_gas_limit: int = 0
    verification_gas_limit: int = 0
    pre_verification_gas: int = 0
    max_fee_per_gas: int = 0
    max_priority_fee_per_gas: int = 0
    paymaster: str = ""
    paymaster_verification_gas_limit: int = 0
    paymaster_post_op_gas_limit: int = 0
    paymaster_data: bytes = b""
    signature: bytes = b""
    authorization: SignedAuthorization | None = None

    def __post_init__(self) -> None:
        for attribute, (field, bits) in _QUANTITIES.items():
            if getattr(self, attribute) < 0 or getattr(self, attribute) >> bits:
                raise unreadable(field)
        if self.factory.lower() == _PADDED:
            # It packs as if the account were delegated, and would be hashed as if it were not.
            raise unreadable("factory")
        if self.factory_data and not self.factory:
            raise unreadable("factoryData")
        if not self.paymaster and (
            self.paymaster_data or self.paymaster_verification_gas_limit or self.paymaster_post_op_gas_limit
        ):
            raise unreadable("paymaster")

    @property
    def gas(self) -> int:
        """All the gas that it can use."""
        return (
            self.call_gas_limit
            + self.verification_gas_limit
            + self.pre_verification_gas
            + self.paymaster_verification_gas_limit
            + self.paymaster_post_op_gas_limit
        )

    @property
    def max_cost(self) -> int:
        """What it can cost at most, in base units of the native coin: of the account, or of the paymaster where there is one."""
        return self.gas * self.max_fee_per_gas

    @property
    def init_code(self) -> bytes:
        """Factory and its data as the entry point has them."""
        if not self.factory:
            return b""
        if self.factory == DELEGATED:
            return bytes.fromhex(DELEGATED[2:]).ljust(_ADDRESS, b"\0") + self.factory_data
        return to_canonical_address(self.factory) + self.factory_data

    def pack(self) -> PackedUserOperation:
        """Packs it for the entry point's functions."""
        paymaster = b""
        if self.paymaster:
            gas = _pair(self.paymaster_verification_gas_limit, self.paymaster_post_op_gas_limit)
            paymaster = to_canonical_address(self.paymaster) + gas + self.paymaster_data
        return PackedUserOperation(
            self.sender,
            self.nonce,
            self.init_code,
            self.call_data,
            _pair(self.verification_gas_limit, self.call_gas_limit),
            self.pre_verification_gas,
            _pair(self.max_priority_fee_per_gas, self.max_fee_per_gas),
            paymaster,
            self.signature,
        )

    def hash(self, entry_point: str, chain_id: int, *, delegate: str = "") -> bytes:
        """The 32 bytes by which the entry point knows it (`getUserOpHash`); its signature is no part of them.

        Args:
            entry_point: the address of version 0.7 or 0.8.
            chain_id: of the network.
            delegate: the contract that a delegated account runs (`DELEGATED`), where it carries no authorization for it.

        Raises:
            PayloadError: the entry point is another one, or does not know delegated accounts, or nobody says which contract runs.
        """
        packed = self.pack()
        version = entry_point_version(entry_point)
        init_code = self._signed_init_code(version, delegate)
        if version == "0.8":
            struct = {**packed.struct, "initCode": init_code}
            return TypedMessage(
                Domain(chain_id, entry_point, "ERC4337"), "PackedUserOperation", PACKED_FIELDS, struct
            ).digest
        contents = encode(
            ["address", "uint256", "bytes32", "bytes32", "bytes32", "uint256", "bytes32", "bytes32"],
            [
                packed.sender,
                packed.nonce,
                keccak(init_code),
                keccak(packed.call_data),
                packed.account_gas_limits,
                packed.pre_verification_gas,
                packed.gas_fees,
                keccak(packed.paymaster_and_data),
            ],
        )
        return keccak(encode(["bytes32", "address", "uint256"], [keccak(contents), entry_point, chain_id]))

    def _signed_init_code(self, version: EntryPointVersion, delegate: str) -> bytes:
        if self.factory != DELEGATED:
            return self.init_code
        contract = self.authorization.authorization.address if self.authorization else delegate
        if version == "0.7" or not contract:
            raise unreadable("factory")
        return to_canonical_address(contract) + self.factory_data

    def to_json(self) -> dict[str, Any]:
        """Writes it as bundlers and paymasters take it; what it does not use is left out."""
        found: dict[str, Any] = {"sender": self.sender, "callData": _hex(self.call_data)}
        for attribute, (field, _) in _QUANTITIES.items():
            if self.paymaster or not attribute.startswith("paymaster"):
                found[field] = hex(getattr(self, attribute))
        found["signature"] = _hex(self.signature)
        if self.factory:
            found |= {"factory": self.factory, "factoryData": _hex(self.factory_data)}
        if self.paymaster:
            found |= {"paymaster": self.paymaster, "paymasterData": _hex(self.paymaster_data)}
        if self.authorization:
            found["eip7702Auth"] = self.authorization.to_json()
        return found


def read_user_operation(given: object) -> UserOperation:
    """Reads a user operation of the entry points 0.7 and 0.8 from its JSON. Gas and prices that are missing are 0, as in questions for them.

    Raises:
        PayloadError: a field has the wrong form, is missing, or is none of these entry points'.
    """
    if not isinstance(given, Mapping):
        raise unreadable("no object")
    unknown = next((str(name) for name in given if name not in _FIELDS), None)
    if unknown is not None:
        # What is not read is not hashed, and would be signed unseen.
        raise unreadable(unknown[:64])
    if given.get("nonce") is None or given.get("callData") is None:
        raise unreadable("nonce" if given.get("nonce") is None else "callData")
    numbers = {name: read_quantity(given, field, bits=bits) or 0 for name, (field, bits) in _QUANTITIES.items()}
    factory, authorization = given.get("factory"), given.get("eip7702Auth")
    return UserOperation(
        sender=read_address(given.get("sender"), "sender"),
        call_data=read_bytes(given, "callData"),
        factory=factory if factory == DELEGATED else _optional_address(factory, "factory"),
        factory_data=read_bytes(given, "factoryData"),
        paymaster=_optional_address(given.get("paymaster"), "paymaster"),
        paymaster_data=read_bytes(given, "paymasterData"),
        signature=read_bytes(given, "signature"),
        authorization=None if authorization is None else read_signed_authorization(authorization),
        **numbers,
    )


def entry_point_version(entry_point: str) -> EntryPointVersion:
    """Returns the version of an entry point by its address.

    Raises:
        PayloadError: it is neither 0.7 nor 0.8.
    """
    if entry_point == ENTRY_POINT_0_7:
        return "0.7"
    if entry_point == ENTRY_POINT_0_8:
        return "0.8"
    raise unreadable("entryPoint")


def _optional_address(value: object, field: str) -> str:
    return "" if value in _EMPTY else read_address(value, field)


def _pair(high: int, low: int) -> bytes:
    return high.to_bytes(16, "big") + low.to_bytes(16, "big")


def _hex(value: bytes) -> str:
    return "0x" + value.hex()

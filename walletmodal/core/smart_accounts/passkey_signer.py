"""Passkeys as owners of Safes (safe-passkey 0.2.0): the signer contract of a passkey, the calls that make it an owner, and its signatures."""

import base64
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple

from eth_abi.abi import decode, encode
from eth_abi.exceptions import DecodingError
from eth_utils.address import to_canonical_address, to_checksum_address
from eth_utils.crypto import keccak

from walletmodal.core.smart_accounts.call_encoding import AccountCall, encode_call
from walletmodal.core.smart_accounts.contracts import (
    PASSKEY_SIGNER_FACTORY,
    PASSKEY_SIGNER_INIT_CODE,
    PASSKEY_SIGNER_SINGLETON,
    PASSKEY_VERIFIER,
)
from walletmodal.core.smart_accounts.safe_owners import add_owner_call

VERIFIERS: Final = 0x100 << 160 | int(PASSKEY_VERIFIER, 16)
"""What the signer contracts verify with: the precompile of RIP-7212 and EIP-7951, then the contract."""

_SIGNATURE: Final = ("bytes", "string", "uint256", "uint256")
_CONTRACT_SIGNATURE: Final = 65
"""Where the contract's own part begins, after the 65 bytes of the one owner."""
_VERIFIED: Final = 0x04
_VERIFIED_AT: Final = 32
"""The flag of the authenticator's data that says it has verified its user, and the byte that it stands in."""
_AUTHENTICATOR_DATA: Final = 37
_CLIENT_FIELDS: Final = 320
"""Bytes that an estimate assumes: two long origins."""
_SCALAR: Final = 0x7A << 240
"""Below the order of the curve: of a number above it, checks would end too early."""


@dataclass(frozen=True, slots=True)
class PasskeySigner:
    """The public key of a passkey, and the contract that answers for it.

    Attributes:
        x, y: of the point on P-256.
    """

    x: int
    y: int

    def __post_init__(self) -> None:
        if not all(0 <= one < 2**256 for one in (self.x, self.y)):
            raise ValueError("no point")

    @property
    def address(self) -> str:
        """Where its contract is or will be, on every network (CREATE2)."""
        made = PASSKEY_SIGNER_INIT_CODE + encode(
            ["address", "uint256", "uint256", "uint256"], [PASSKEY_SIGNER_SINGLETON, self.x, self.y, VERIFIERS]
        )
        found = keccak(b"\xff" + to_canonical_address(PASSKEY_SIGNER_FACTORY) + bytes(32) + keccak(made))
        return str(to_checksum_address(found[12:]))

    def own_calls(self, safe: str) -> tuple[AccountCall, AccountCall]:
        """Returns the calls with which a Safe has the contract made, and takes it for another owner."""
        create = encode_call("createSigner(uint256,uint256,uint176)", self.x, self.y, VERIFIERS)
        return AccountCall(PASSKEY_SIGNER_FACTORY, 0, create), add_owner_call(safe, self.address)

    def dummy_signature(self) -> bytes:
        """Stands for its signature while gas is estimated."""
        flags = bytes(_VERIFIED_AT) + bytes([_VERIFIED]) + bytes(_AUTHENTICATOR_DATA - _VERIFIED_AT - 1)
        return self.sign(Assertion(flags, "-" * _CLIENT_FIELDS, _SCALAR, _SCALAR))

    def sign(self, assertion: "Assertion") -> bytes:
        """Writes an assertion as the Safe takes it from a contract among its owners."""
        signature = encode(_SIGNATURE, assertion)
        head = encode(["address", "uint256"], [self.address, _CONTRACT_SIGNATURE])
        return head + b"\0" + len(signature).to_bytes(32, "big") + signature

    def read(self, signature: bytes) -> "Assertion":
        """Reads what `sign` writes.

        Raises:
            ValueError: it is anything else, or another owner's.
        """
        try:
            assertion = Assertion(*decode(_SIGNATURE, signature[_CONTRACT_SIGNATURE + 32 :]))
        except DecodingError as error:
            raise ValueError("no signature of a passkey") from error
        if self.sign(assertion) != signature:
            raise ValueError("no signature of this passkey")
        return assertion


class Assertion(NamedTuple):
    """What an authenticator has signed (W3C WebAuthn), as the signer contracts take it.

    Attributes:
        authenticator_data: as it comes.
        client_fields: of `clientDataJSON`, what follows the challenge, without the last brace.
        r, s: the signature. The contract takes both values of `s`: an operation counts once all the same, by its nonce.
    """

    authenticator_data: bytes
    client_fields: str
    r: int
    s: int

    @property
    def is_verified(self) -> bool:
        """Whether the authenticator says that it has verified its user."""
        return len(self.authenticator_data) > _VERIFIED_AT and bool(self.authenticator_data[_VERIFIED_AT] & _VERIFIED)

    def message(self, challenge: bytes) -> bytes:
        """What the signature is of, where the challenge was this one."""
        text = base64.urlsafe_b64encode(challenge).decode().rstrip("=")
        client = f'{{"type":"webauthn.get","challenge":"{text}",{self.client_fields}}}'
        return self.authenticator_data + sha256(client.encode()).digest()

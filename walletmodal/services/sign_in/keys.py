"""The keys with which sign-in tokens are signed: made, written down, read again."""

import base64
import json
from dataclasses import dataclass
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from walletmodal.core.sign_in.token_claims import TOKEN_ALGORITHM, PublicKey


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A pair of keys on P-256.

    Attributes:
        private: signs.
        public: as it is published.
    """

    private: EllipticCurvePrivateKey
    public: PublicKey

    @property
    def kid(self) -> str:
        """Its name: the thumbprint of the public key."""
        return self.public["kid"]


def new_key() -> SigningKey:
    """A random pair, whose name no command line takes for an option."""
    while (key := _pair(generate_private_key(SECP256R1()))).kid.startswith("-"):
        pass
    return key


def written_key(key: SigningKey, secret: str | None) -> str:
    """The private key as PEM, encrypted where the deployment has a secret."""
    encryption: KeySerializationEncryption = (
        NoEncryption() if secret is None else BestAvailableEncryption(secret.encode())
    )
    return key.private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption).decode("ascii")


def read_key(pem: str, secret: str | None) -> SigningKey | None:
    """The pair of a PEM text, or None where this secret does not open it, or it is no such key."""
    password = None if secret is None or "ENCRYPTED" not in pem else secret.encode()
    try:
        private = load_pem_private_key(pem.encode(), password)
    except (ValueError, TypeError):
        return None
    if not isinstance(private, EllipticCurvePrivateKey) or not isinstance(private.curve, SECP256R1):
        return None
    return _pair(private)


def _pair(private: EllipticCurvePrivateKey) -> SigningKey:
    point = private.public_key().public_numbers()
    members = {"crv": "P-256", "kty": "EC", "x": _number(point.x), "y": _number(point.y)}
    # The members of RFC 7638 §3.2, in their order and without blanks.
    thumbprint = sha256(json.dumps(members, separators=(",", ":"), sort_keys=True).encode()).digest()
    public = PublicKey(
        kty="EC",
        crv="P-256",
        x=members["x"],
        y=members["y"],
        kid=_base64url(thumbprint),
        alg=TOKEN_ALGORITHM,
        use="sig",
    )
    return SigningKey(private, public)


def _number(number: int) -> str:
    return _base64url(number.to_bytes(32, "big"))


def _base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")

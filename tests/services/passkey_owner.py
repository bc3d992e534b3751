"""A passkey as an owner of a Safe: what its authenticator signs, each part of it otherwise where a test wants it so."""

import base64
import json
from dataclasses import dataclass, field
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from walletmodal.core.smart_accounts.passkey_signer import Assertion, PasskeySigner
from walletmodal.core.smart_accounts.safe import dummy_signature

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
PRESENT, VERIFIED = 0x01, 0x04


@dataclass
class PasskeyOwner:
    """One passkey, with its private key at hand."""

    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    @property
    def signer(self) -> PasskeySigner:
        point = self.key.public_key().public_numbers()
        return PasskeySigner(point.x, point.y)

    def assertion(self, challenge: bytes, *, flags: int = PRESENT | VERIFIED, high: bool = False) -> Assertion:
        """What it signs of a challenge. `high`: with the greater of the two values of `s`."""
        data = sha256(b"wallet.example.com").digest() + bytes([flags]) + bytes(4)
        text = base64.urlsafe_b64encode(challenge).decode().rstrip("=")
        client = {
            "type": "webauthn.get",
            "challenge": text,
            "origin": "https://wallet.example.com",
            "crossOrigin": True,
        }
        raw = json.dumps(client, separators=(",", ":")).encode()
        r, s = decode_dss_signature(self.key.sign(data + sha256(raw).digest(), ec.ECDSA(SHA256())))
        s = max(s, ORDER - s) if high else min(s, ORDER - s)
        return Assertion(data, '"origin":"https://wallet.example.com","crossOrigin":true', r, s)

    def sign(self, digest: bytes, *, flags: int = PRESENT | VERIFIED, high: bool = False) -> bytes:
        """An operation's signature of it."""
        return self.signed(self.assertion(digest, flags=flags, high=high))

    def signed(self, assertion: Assertion) -> bytes:
        """An operation's signature with an assertion."""
        return dummy_signature(self.signer.sign(assertion))

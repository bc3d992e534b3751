"""An authenticator with passkeys, and the browser around it: what they sign, and each part of it otherwise where a test wants it so."""

import json
import os
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from fido2.cose import ES256, CoseKey
from fido2.webauthn import Aaguid, AttestationObject, AttestedCredentialData, AuthenticatorData

from tests.secure.device import Device
from tests.secure.world import ORIGIN, Wallet, xor
from walletmodal.secure.encoding import decode, encode

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


@dataclass
class Passkey:
    """One passkey.

    Attributes:
        prf: what it gives to the page alone.
        counter: of the signatures that it has made.
    """

    id: bytes = field(default_factory=lambda: os.urandom(32))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    prf: bytes = field(default_factory=lambda: os.urandom(32))
    counter: int = 0

    @property
    def credential(self) -> str:
        return encode(self.id)

    def made(self, challenge: str, **changed: Any) -> dict[str, str]:
        """The browser's answer to `create`; `changed`: `flags`, `host`, `key`, or members of the client data."""
        key: CoseKey = changed.pop("key", None) or _key_of(self.key)
        credential = AttestedCredentialData.create(Aaguid.NONE, self.id, key)
        data = self._data(changed, ATTESTED, bytes(credential))
        attestation = AttestationObject.create("none", AuthenticatorData(data), {})
        return {"clientData": client_data("webauthn.create", challenge, changed), "attestation": encode(attestation)}

    def used(self, challenge: str, **changed: Any) -> dict[str, str]:
        """The browser's answer to `get`, which the page asks as it does for a challenge of the site; `changed` as for `made`."""
        signed = encode(sha256(b"walletmodal passkey challenge 1" + decode(challenge)).digest())
        data, client = self._data(changed, 0, b""), client_data("webauthn.get", signed, changed)
        signature = self.key.sign(data + sha256(decode(client)).digest(), ec.ECDSA(SHA256()))
        return {
            "credential": self.credential,
            "clientData": client,
            "authenticatorData": encode(data),
            "signature": encode(signature),
        }

    def _data(self, changed: dict[str, Any], flags: int, more: bytes) -> bytes:
        host, flags = changed.pop("host", "localhost"), changed.pop("flags", PRESENT | VERIFIED) | flags
        return sha256(host.encode()).digest() + bytes([flags]) + self.counter.to_bytes(4, "big") + more

    def seal(self, half: bytes) -> str:
        """The passkey's half in its box, as the page seals it."""
        nonce = os.urandom(12)
        return encode(nonce + AESGCM(self.prf).encrypt(nonce, half, None))

    def unseal(self, box: str) -> bytes:
        return AESGCM(self.prf).decrypt(decode(box)[:12], decode(box)[12:], None)

    def root(self, answer: dict[str, str]) -> bytes:
        """The root of the wallet, out of what the site gives for this passkey."""
        return xor(self.unseal(answer["box"]), decode(answer["serverHalf"]))


def _key_of(private: ec.EllipticCurvePrivateKey) -> ES256:
    point = private.public_key().public_numbers()
    return ES256({1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")})


def client_data(kind: str, challenge: str, changed: dict[str, Any]) -> str:
    """What a browser says of a ceremony in a frame of the host's page."""
    fields = {
        "type": kind, "challenge": challenge, "origin": ORIGIN, "crossOrigin": True, "topOrigin": "http://localhost:8700",
    } | changed  # fmt: skip
    return encode(json.dumps(fields).encode())


def rsa_key() -> CoseKey:
    """A key of an algorithm that was not asked for (RSA-PSS)."""
    numbers = rsa.generate_private_key(65537, 2048).public_key().public_numbers()
    return CoseKey({1: 3, 3: -37, -1: numbers.n.to_bytes(256, "big"), -2: b"\1\0\1"})


async def begun(device: Device, path: str) -> str:
    """The challenge of a ceremony."""
    return str((await device.call(path))["challenge"])


async def add(wallet: Wallet, passkey: Passkey | None = None) -> Passkey:
    """A passkey of a wallet, added by its device."""
    passkey = passkey or Passkey()
    await wallet.device.call("/v1/passkeys/added", await addition(wallet, passkey))
    return passkey


async def addition(wallet: Wallet, passkey: Passkey, **changed: Any) -> dict[str, str]:
    """The body that adds a passkey; `changed` as for `Passkey.made`."""
    half = os.urandom(16)
    return {
        **passkey.made(await begun(wallet.device, "/v1/passkeys/add"), **changed),
        "half": encode(xor(wallet.root, half)),
        "box": passkey.seal(half),
    }


async def opened(device: Device, passkey: Passkey) -> dict[str, str]:
    """What the site gives a device that is logged in for a passkey."""
    return dict(await device.call("/v1/passkeys/opened", passkey.used(await begun(device, "/v1/passkeys/open"))))

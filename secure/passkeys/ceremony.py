"""Reads and verifies what an authenticator has signed (W3C WebAuthn Level 3, §7.1 and §7.2). Attestation is not looked at."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from fido2 import cbor
from fido2.cose import ES256, CoseKey
from fido2.webauthn import AttestationObject, AuthenticatorData

from walletmodal.core.language import _
from walletmodal.core.parsing.strict_json import read_json
from walletmodal.secure.encoding import decode
from walletmodal.secure.errors import CallError

ALGORITHMS: Final = (-7, -8, -257)
"""ES256, EdDSA and RS256: what authenticators have (COSE)."""
MAX_CREDENTIAL: Final = 1023
"""Bytes of a credential's id."""
_MAX_KEY: Final = 1024

Type = Literal["webauthn.create", "webauthn.get"]


@dataclass(frozen=True, slots=True)
class Credential:
    """A new credential.

    Attributes:
        id: as the authenticator calls it.
        key: its public key, COSE in CBOR.
        counter: of its signatures; 0 where it does not count.
    """

    id: bytes
    key: bytes
    counter: int


@dataclass(frozen=True, slots=True)
class ClientData:
    """What the browser says of a ceremony. Nothing of it counts before `RelyingParty` has looked at it."""

    raw: bytes
    type: Any
    challenge: str
    origin: Any
    cross_origin: Any
    top_origin: Any


def read_client_data(text: str) -> ClientData:
    """Reads the browser's part.

    Args:
        text: `clientDataJSON`, base64url.

    Raises:
        CallError: 400 `passkey`.
    """
    try:
        raw = decode(text)
        fields = read_json(raw)
    except ValueError:
        raise refused() from None
    if not isinstance(fields, dict) or not isinstance(fields.get("challenge"), str):
        raise refused()
    return ClientData(
        raw,
        fields.get("type"),
        fields["challenge"],
        fields.get("origin"),
        fields.get("crossOrigin", False),
        fields.get("topOrigin"),
    )


class RelyingParty:
    """This site, as authenticators know it.

    Args:
        origin: of this site; its host is the id that passkeys are bound to.
        sites: origins of pages that may be around the frame.
    """

    def __init__(self, origin: str, sites: frozenset[str]) -> None:
        self._origin, self._sites = origin, sites
        self._id_hash = sha256((urlsplit(origin).hostname or "").encode()).digest()

    def registered(self, client: ClientData, attestation: str) -> Credential:
        """Verifies a new credential.

        Args:
            client: of the browser.
            attestation: `attestationObject`, base64url.

        Raises:
            CallError: 400 `passkey`, or `passkey_unverified` where the authenticator did not verify its owner.
        """
        self._check_client(client, "webauthn.create")
        try:
            data = AttestationObject(decode(attestation)).auth_data
            found = data.credential_data
            self._check_data(data)
            if (
                found is None
                or found.public_key[3] not in ALGORITHMS
                or not 0 < len(found.credential_id) <= MAX_CREDENTIAL
            ):
                raise refused()
            key = cbor.encode(dict(found.public_key))
        except CallError:
            raise
        except Exception:  # noqa: BLE001 - the library raises whatever a malformed structure leads it to
            raise refused() from None
        if len(key) > _MAX_KEY:
            raise refused()
        return Credential(found.credential_id, key, data.counter)

    def asserted(self, client: ClientData, key: bytes, authenticator_data: str, signature: str) -> int:
        """Verifies the use of a credential; returns the counter of its signatures.

        Args:
            client: of the browser.
            key: as `Credential.key`.
            authenticator_data: of the authenticator, base64url.
            signature: over it and the browser's part, base64url.

        Raises:
            CallError: as `registered`.
        """
        self._check_client(client, "webauthn.get")
        try:
            raw = decode(authenticator_data)
            data = AuthenticatorData(raw)
            public_key = CoseKey.parse(cbor.decode(key))  # type: ignore[arg-type]  # we have written a map
            public_key.verify(raw + sha256(client.raw).digest(), decode(signature))
        except Exception:  # noqa: BLE001 - as in `registered`
            raise refused() from None
        self._check_data(data)
        return data.counter

    def _check_client(self, client: ClientData, expected: Type) -> None:
        if client.type != expected or client.origin != self._origin:
            raise refused()
        # The browser names the page around the frame; older ones say only that there is one.
        if client.top_origin is not None and client.top_origin not in self._sites:
            raise refused()

    def _check_data(self, data: AuthenticatorData) -> None:
        if data.rp_id_hash != self._id_hash or not data.is_user_present():
            raise refused()
        if not data.is_user_verified():
            raise CallError(
                400,
                "passkey_unverified",
                _("The passkey did not ask for your fingerprint, face or PIN. Please use another one."),
            )


def read_point(key: bytes) -> tuple[bytes, bytes] | None:
    """Returns x and y of a public key of P-256 that we have stored, 32 bytes each; None for one of another algorithm."""
    fields: Any = cbor.decode(key)
    return (fields[-2], fields[-3]) if fields[3] == ES256.ALGORITHM else None


def refused() -> CallError:
    """What came is no passkey's answer to what this site has asked."""
    return CallError(400, "passkey", _("The passkey was not accepted. Please try again."))

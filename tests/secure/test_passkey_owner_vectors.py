"""Passkeys as owners of Safes: what the tests of the secure site's page read is what the modal's server writes, and what an authenticator signs."""

import json
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from tests.secure.test_safes import SAFE
from tests.services.passkey_owner import PasskeyOwner
from walletmodal.core.smart_accounts.passkey_signer import Assertion
from walletmodal.core.smart_accounts.safe import operation_call_data

FILE: Final = Path(__file__).parents[2] / "secure" / "web" / "tests" / "passkey_owners.json"
PASSKEY: Final = PasskeyOwner(ec.derive_private_key(7, ec.SECP256R1()))
DIGEST: Final = bytes(range(32))


def made(assertion: Assertion) -> dict[str, Any]:
    """What the core makes of an assertion of the passkey."""
    signer = PASSKEY.signer
    return {
        "x": f"{signer.x:064x}",
        "y": f"{signer.y:064x}",
        "signer": signer.address,
        "addition": "0x" + operation_call_data(signer.own_calls(SAFE.address)).hex(),
        "digest": DIGEST.hex(),
        "authenticatorData": assertion.authenticator_data.hex(),
        "fields": assertion.client_fields,
        "der": encode_dss_signature(assertion.r, assertion.s).hex(),
        "signature": "0x" + PASSKEY.signed(assertion).hex(),
    }


def test_the_page_reads_what_the_server_writes_and_an_authenticator_signs() -> None:
    kept = json.loads(FILE.read_text("utf-8"))
    data, der = bytes.fromhex(kept["authenticatorData"]), bytes.fromhex(kept["der"])
    assertion = Assertion(data, kept["fields"], *decode_dss_signature(der))
    assert made(assertion) == kept
    PASSKEY.key.public_key().verify(der, assertion.message(DIGEST), ec.ECDSA(SHA256()))

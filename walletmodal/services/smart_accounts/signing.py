"""Signing of user operations by the embedded wallet: what its frame is asked, how that is kept meanwhile, and how the answer is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.smart_accounts.authorization import (
    Authorization,
    SignedAuthorization,
    read_authorization,
    read_signed_authorization,
)
from walletmodal.core.smart_accounts.fields import read_bytes
from walletmodal.core.smart_accounts.passkey_signer import PasskeySigner
from walletmodal.core.smart_accounts.safe import owner_signature
from walletmodal.core.smart_accounts.user_operation import UserOperation, read_user_operation
from walletmodal.services.chains.eip155.signatures import signer
from walletmodal.services.smart_accounts.operations import PreparedOperation, operation_message

SIGN_OPERATION: Final = "walletmodal_signUserOperation"
"""Asked of the frame: it shows the calls of an operation and who pays, and signs; it sends nothing."""


class WrongSignatureError(ValueError):
    """The answer is no signature of the operation by its account's key."""


def to_record(prepared: PreparedOperation) -> dict[str, Any]:
    """Writes a prepared operation as JSON, for as long as its owner is asked."""
    authorization = prepared.authorization
    return {
        "operation": prepared.operation.to_json(),
        "entryPoint": prepared.entry_point,
        "owner": prepared.owner,
        "passkey": write_passkey(prepared.passkey),
        "authorization": None if authorization is None else _authorization_json(authorization),
    }


def from_record(chain: ChainId, record: Mapping[str, Any]) -> PreparedOperation:
    """Reads what `to_record` has written."""
    operation, entry_point = read_user_operation(record["operation"]), str(record["entryPoint"])
    number, owner, authorization = chain.number, str(record["owner"]), record["authorization"]
    return PreparedOperation(
        passkey=read_passkey(record.get("passkey")),
        chain=chain,
        operation=operation,
        entry_point=entry_point,
        hash=operation.hash(entry_point, number),
        message=operation_message(operation, owner, number),
        owner=owner,
        authorization=None if authorization is None else read_authorization(authorization),
    )


def write_passkey(passkey: PasskeySigner | None) -> list[str] | None:
    """Writes the passkey that signs as JSON."""
    return None if passkey is None else [hex(passkey.x), hex(passkey.y)]


def read_passkey(record: Sequence[str] | None) -> PasskeySigner | None:
    """Reads what `write_passkey` has written."""
    return None if record is None else PasskeySigner(*(int(one, 16) for one in record))


def params_of(prepared: PreparedOperation) -> list[Any]:
    """The parameters of SIGN_OPERATION."""
    unsigned = {name: value for name, value in prepared.operation.to_json().items() if name != "signature"}
    by = [] if prepared.passkey is None else [{"passkey": prepared.passkey.address}]
    return [unsigned, prepared.entry_point, *by]


def read_signed_operation(prepared: PreparedOperation, answer: object) -> UserOperation:
    """Reads the frame's answer, which comes by way of the visitor's browser.

    Raises:
        WrongSignatureError: it is not this operation that the account's key has signed.
    """
    fields = answer if isinstance(answer, Mapping) else {}
    try:
        signature = read_bytes(fields, "signature")
        given = fields.get("eip7702Auth")
        authorization = None if given is None else read_signed_authorization(given)
        signed = prepared.signed(signature, authorization)
        is_own = prepared.operation.sender == prepared.owner
        of_key = signature if is_own else owner_signature(signature)
    except (PayloadError, ValueError) as error:
        raise WrongSignatureError(str(error)) from error
    if prepared.passkey is not None:
        _check_passkey(prepared.passkey, of_key, prepared.message.digest)
    elif signer(prepared.message.digest, of_key) != prepared.owner:
        raise WrongSignatureError("another key has signed the operation")
    if (
        authorization is not None
        and signer(authorization.authorization.hash, _signature(authorization)) != prepared.owner
    ):
        raise WrongSignatureError("another key has signed the authorization")
    return signed


def _check_passkey(passkey: PasskeySigner, signature: bytes, digest: bytes) -> None:
    """Holds the signature against what the chain will."""
    try:
        found = passkey.read(signature)
        key = ec.EllipticCurvePublicNumbers(passkey.x, passkey.y, ec.SECP256R1()).public_key()
        key.verify(encode_dss_signature(found.r, found.s), found.message(digest), ec.ECDSA(SHA256()))
    except (ValueError, InvalidSignature) as error:
        raise WrongSignatureError("the passkey has not signed the operation") from error
    if not found.is_verified:
        raise WrongSignatureError("the passkey has not verified its user")


def _signature(signed: SignedAuthorization) -> bytes:
    return signed.r.to_bytes(32, "big") + signed.s.to_bytes(32, "big") + bytes([signed.y_parity])


def _authorization_json(authorization: Authorization) -> dict[str, str]:
    return {
        "chainId": hex(authorization.chain_id),
        "address": authorization.address,
        "nonce": hex(authorization.nonce),
    }

"""Reading the parameters of user operation methods."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from eth_keys.datatypes import Signature
from eth_keys.exceptions import BadSignature
from eth_utils.exceptions import ValidationError

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.errors import AddressError
from walletmodal.core.errors.codes import INVALID_PARAMS
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.smart_accounts.authorization import SignedAuthorization, read_authorization
from walletmodal.core.smart_accounts.user_operation import UserOperation, read_user_operation
from walletmodal.sandbox.bundler.refusals import OperationRefusedError
from walletmodal.sandbox.evm.smart_accounts import ENTRY_POINTS

_AUTHORIZATION: Final = "eip7702Auth"
_QUESTION_FIELDS: Final = ("signature", "paymasterData", "factoryData", "paymaster", "factory")


def entry_point(params: Sequence[object], position: int = 1) -> str:
    """The entry point among the parameters, in its normal spelling.

    Raises:
        OperationRefusedError: it is none that is supported.
    """
    given = params[position] if len(params) > position else None
    try:
        found = normal_address("eip155", given if isinstance(given, str) else "")
    except AddressError:
        found = ""
    if found not in ENTRY_POINTS:
        raise OperationRefusedError(INVALID_PARAMS, f"the entry point is one of {', '.join(ENTRY_POINTS)}")
    return found


def operation(params: Sequence[object]) -> UserOperation:
    """The user operation that is to be sent, the first of the parameters.

    Raises:
        OperationRefusedError: it cannot be read.
    """
    try:
        return read_user_operation(_given(params))
    except PayloadError as error:
        raise unreadable(error) from error


def question(params: Sequence[object]) -> tuple[UserOperation, str]:
    """A user operation that is not signed yet, and the contract that it delegates its account to.

    Its authorization (EIP-7702) need not be signed either, so it is read apart.

    Raises:
        OperationRefusedError: it cannot be read.
    """
    given = {name: value for name, value in _given(params).items() if value is not None}
    authorization = given.pop(_AUTHORIZATION, None)
    given = {name: value for name, value in given.items() if name not in _QUESTION_FIELDS or value != "0x"}
    try:
        delegate = read_authorization(authorization).address if authorization is not None else ""
        return read_user_operation(given), delegate
    except PayloadError as error:
        raise unreadable(error) from error


def unreadable(error: PayloadError) -> OperationRefusedError:
    """The refusal of what cannot be read, which names the field."""
    return OperationRefusedError(INVALID_PARAMS, f"{error}: {error.details}")


def authority(signed: SignedAuthorization) -> str:
    """The account whose key has signed an authorization; "" where no key can have."""
    try:
        signature = Signature(vrs=(signed.y_parity, signed.r, signed.s))
        key = signature.recover_public_key_from_msg_hash(signed.authorization.hash)
    except (BadSignature, ValidationError):
        return ""
    return str(key.to_checksum_address())


def _given(params: Sequence[object]) -> Mapping[str, Any]:
    given = params[0] if params else None
    if not isinstance(given, Mapping):
        raise OperationRefusedError(INVALID_PARAMS, "the first parameter is a user operation")
    return given

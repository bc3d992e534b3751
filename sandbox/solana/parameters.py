"""The parameters of a Solana RPC call, read and checked."""

import base64
import binascii
from collections.abc import Mapping, Sequence

import base58
from solders.hash import Hash, ParseHashError
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.transaction import SanitizeError, VersionedTransaction

from walletmodal.sandbox.solana.failures import INVALID_PARAMS, SolanaRpcError

ENCODINGS = ("base58", "base64", "base64+zstd", "jsonParsed")
MAX_TRANSACTION = 1232
"""Bytes of the largest transaction (one IPv6 packet)."""

_COMMITMENTS = ("processed", "confirmed", "finalized")


def invalid(message: str) -> SolanaRpcError:
    """The error of a wrong parameter."""
    return SolanaRpcError(INVALID_PARAMS, message)


class Parameters:
    """The positional parameters of one call.

    Args:
        given: the list of the request.
    """

    def __init__(self, given: Sequence[object]) -> None:
        self._given = given

    def config(self, place: int) -> "Config":
        """The configuration object at a place; an empty one when it is left out.

        Raises:
            SolanaRpcError: it is no object, or its commitment is none.
        """
        value = self._given[place] if place < len(self._given) else None
        if value is None:
            return Config({})
        if not isinstance(value, Mapping):
            raise invalid(f"Invalid params: parameter {place + 1} must be an object")
        return Config(value)

    def is_text(self, place: int) -> bool:
        """Whether a string is at a place."""
        return place < len(self._given) and isinstance(self._given[place], str)

    def text(self, place: int, name: str) -> str:
        """A string. Raises SolanaRpcError: it is none."""
        value = self._given[place] if place < len(self._given) else None
        if not isinstance(value, str):
            raise invalid(f"Invalid params: {name} must be a string")
        return value

    def whole(self, place: int, name: str, most: int = 2**64 - 1) -> int:
        """A whole number from 0. Raises SolanaRpcError: it is none."""
        value = self._given[place] if place < len(self._given) else None
        return _whole(value, name, most)

    def texts(self, place: int, name: str, most: int) -> list[str]:
        """A list of strings. Raises SolanaRpcError: it is none, or too long."""
        value = self._given[place] if place < len(self._given) else None
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise invalid(f"Invalid params: {name} must be a list of strings")
        if len(value) > most:
            raise invalid(f"Too many inputs provided; max {most}")
        return value

    def key(self, place: int) -> Pubkey:
        """An address. Raises SolanaRpcError: it is none."""
        return key_of(self.text(place, "the address"))


class Config:
    """A configuration object.

    Args:
        given: the object of the request.

    Raises:
        SolanaRpcError: its commitment is none.
    """

    def __init__(self, given: Mapping[str, object]) -> None:
        self._given = given
        if self.text("commitment", "finalized") not in _COMMITMENTS:
            raise invalid(f"Invalid params: unknown commitment {str(given.get('commitment'))[:40]!r}")

    def text(self, name: str, default: str) -> str:
        """A string. Raises SolanaRpcError: it is something else."""
        value = self._given.get(name)
        if value is None:
            return default
        if not isinstance(value, str):
            raise invalid(f"Invalid params: {name} must be a string")
        return value

    def choice(self, name: str, among: Sequence[str], default: str) -> str:
        """One of several strings. Raises SolanaRpcError: it is none of them."""
        value = self.text(name, default)
        if value not in among:
            raise invalid(f"Invalid params: {name} is one of {', '.join(among)}")
        return value

    def flag(self, name: str) -> bool:
        """True or false; false when left out. Raises SolanaRpcError: it is something else."""
        value = self._given.get(name)
        if value is None:
            return False
        if not isinstance(value, bool):
            raise invalid(f"Invalid params: {name} must be true or false")
        return value

    def whole(self, name: str, default: int, most: int) -> int:
        """A whole number from 0. Raises SolanaRpcError: it is none, or above `most`."""
        value = self._given.get(name)
        return default if value is None else _whole(value, name, most)

    def has(self, name: str) -> bool:
        """Whether something is given under a name."""
        return self._given.get(name) is not None

    def inner(self, name: str) -> "Config":
        """An object inside; an empty one when left out. Raises SolanaRpcError: it is something else."""
        value = self._given.get(name)
        if value is None:
            return Config({})
        if not isinstance(value, Mapping):
            raise invalid(f"Invalid params: {name} must be an object")
        return Config(value)

    def items(self, name: str) -> list[object]:
        """A list inside; an empty one when left out. Raises SolanaRpcError: it is something else."""
        value = self._given.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise invalid(f"Invalid params: {name} must be a list")
        return value


def key_of(text: str) -> Pubkey:
    """An address in base58. Raises SolanaRpcError: it is none."""
    try:
        return Pubkey.from_string(text)
    except ValueError as error:
        raise invalid("Invalid param: WrongSize" if len(text) > 44 else "Invalid param: Invalid") from error


def signature_of(text: str) -> str:
    """A signature in base58. Raises SolanaRpcError: it is none."""
    try:
        return str(Signature.from_string(text))
    except ValueError as error:
        raise invalid("Invalid param: WrongSize" if len(text) > 88 else "Invalid param: Invalid") from error


def blockhash_of(text: str) -> Hash:
    """A blockhash in base58. Raises SolanaRpcError: it is none."""
    try:
        return Hash.from_string(text)
    except ParseHashError as error:
        raise invalid("Invalid param: Invalid") from error


def transaction_of(text: str, encoding: str) -> VersionedTransaction:
    """A transaction in base58 or base64. Raises SolanaRpcError: it is none."""
    if len(text) > 2 * MAX_TRANSACTION:
        raise invalid(f"{encoding} encoded transaction too large: {len(text)} bytes")
    try:
        raw = base64.b64decode(text, validate=True) if encoding == "base64" else base58.b58decode(text)
    except (ValueError, binascii.Error) as error:
        raise invalid(f"invalid {encoding} encoding: {error}") from error
    if len(raw) > MAX_TRANSACTION:
        raise invalid(f"decoded transaction too large: {len(raw)} bytes (max: {MAX_TRANSACTION} bytes)")
    try:
        transaction = VersionedTransaction.from_bytes(raw)
        transaction.sanitize()
    except (ValueError, SanitizeError) as error:
        raise invalid(f"failed to deserialize transaction: {error}") from error
    if not transaction.signatures:
        raise invalid("invalid transaction: Transaction failed to sanitize accounts offsets correctly")
    return transaction


def _whole(value: object, name: str, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise invalid(f"Invalid params: {name} must be a whole number from 0 to {most}")
    return value

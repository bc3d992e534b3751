"""Typed data (EIP-712) for the policy and the visitor: only what its types have signed, and what a known permit grants."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.decoding.decoded_call import is_unlimited
from walletmodal.core.decoding.delegate_calls import runs_foreign_code
from walletmodal.core.decoding.safe_tx import SAFE_TX, is_delegate_call, safe_call
from walletmodal.core.decoding.signed_operation import operation_call
from walletmodal.core.decoding.typed_data_values import read_uint
from walletmodal.core.errors import AddressError, ProtocolError
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.parsing.strict_json import read_json
from walletmodal.core.protocol.limits import check_limits
from walletmodal.core.requests.typed_request import Approval, TypedData
from walletmodal.core.text.display_text import clean_text

MAX_PERMITS: Final = 100

_MAX_TEXT: Final = 120
_DOMAIN: Final = "EIP712Domain"
_OF_A_DOMAIN: Final = {"verifyingContract": "address", "chainId": "uint256"}
_ADDRESS: Final = re.compile(r"0x[0-9a-fA-F]{40}")
_SYNTAX: Final = re.compile(r"[(),]")
"""Of the text that is hashed for a type: in a name, they could make up the text of another type, such as that of a permit."""
_ONE_OF_MANY: Final = re.compile(r"\[[0-9]*\]$")


def read_typed_data(given: object) -> TypedData:
    """Reads EIP-712 data, as JSON text or as the object that it is. What its types do not name is left out: nobody signs it.

    Raises:
        PayloadError: no object, larger or deeper than a message may be, a key twice, types that do not say what is signed, a domain
            that wallets read as different ones, or a permit for nobody.
    """
    try:
        value = read_json(given.encode()) if isinstance(given, str) else given
        check_limits(value)
        if isinstance(given, str):
            json.loads(given, object_pairs_hook=_unique_keys)
    except (ValueError, ProtocolError) as error:
        raise PayloadError(
            "The typed data cannot be read", details="no JSON, a key twice, or too deep or large"
        ) from error
    if not isinstance(value, Mapping):
        raise PayloadError("The typed data cannot be read", details="no object")
    types, named = _Types(value.get("types")), value.get("primaryType")
    domain, message = _object(value.get("domain")), _object(value.get("message"))
    if named == _DOMAIN:
        # Its hash is the domain's alone: wallets sign nothing of the message that would be shown.
        raise PayloadError("The typed data cannot be read", details="nothing but a domain")
    kinds: Mapping[str, str] = _OF_A_DOMAIN
    if _DOMAIN in types:
        domain, kinds = types.signed(_DOMAIN, domain), types.fields(_DOMAIN)
    _check_domain(domain, kinds)
    message = types.signed(named, message)
    contract, primary = _address(domain.get("verifyingContract")), _short(named)
    fields = types.fields(named)
    call = safe_call(contract, fields, message) if primary == SAFE_TX else operation_call(primary, fields, message)
    return TypedData(
        primary_type=primary,
        name=_short(domain.get("name")),
        version=_short(domain.get("version")),
        verifying_contract=contract,
        chain_id=read_uint(domain.get("chainId")),
        message=message,
        approvals=_approvals(primary, contract, fields, message),
        account=call.to if call else "",
        calls=call.inner if call else (),
        runs_foreign_code=runs_foreign_code(call) if call else primary == SAFE_TX and is_delegate_call(message),
    )


class _Types:
    """What the types have signed. A message costs what its own size is, whatever the types are."""

    def __init__(self, given: object) -> None:
        self._given, self._read = _object(given), dict[str, dict[str, str]]()

    def __contains__(self, name: str) -> bool:
        return name in self._given

    def signed(self, name: object, value: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of a struct that are part of what is signed, and theirs.

        Raises:
            PayloadError: there is no such type.
        """
        fields = self.fields(name)
        return {one: self._part(fields[one], found) for one, found in value.items() if one in fields}

    def _part(self, kind: str, value: object) -> object:
        if isinstance(value, list):
            inner = _ONE_OF_MANY.sub("", kind)
            return [self._part(inner, one) for one in value]
        return self.signed(kind, value) if isinstance(value, Mapping) and kind in self else value

    def fields(self, name: object) -> Mapping[str, str]:
        """Lists the fields of a struct, with their types.

        Raises:
            PayloadError: there is no such type.
        """
        found = self._read.get(name) if isinstance(name, str) else None
        if found is not None:
            return found
        listed = self._given.get(name) if isinstance(name, str) else None
        if not isinstance(name, str) or not isinstance(listed, list):
            raise PayloadError("The typed data cannot be read", details="its types do not say what is signed")
        fields = [(_object(one).get("name"), _object(one).get("type")) for one in listed]
        found = {one: kind for one, kind in fields if isinstance(one, str) and isinstance(kind, str)}
        if len(found) < len(fields):
            raise PayloadError(
                "The typed data cannot be read", details="a type has a field twice, or one without a name"
            )
        if any(_SYNTAX.search(part) or _is_disguised(part) for part in (name, *found, *found.values())):
            raise PayloadError("The typed data cannot be read", details="a name that is more than a name")
        self._read[name] = found
        return found


def _unique_keys(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """Refuses a JSON object with a key that stands there twice: parsers take the first or the last."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key twice")
    return found


def _is_disguised(name: str) -> bool:
    """Whether a name looks like another one: what is shown and what a policy compares has no invisible characters."""
    return clean_text(name, limit=_MAX_TEXT) != name


def _check_domain(domain: Mapping[str, Any], fields: Mapping[str, str]) -> None:
    """Where it counts must be spelled as every wallet reads it: of a longer or bare address some take other bytes, and of ` 137 ` 137."""
    contract, chain = domain.get("verifyingContract"), domain.get("chainId")
    if fields.get("verifyingContract") == "address" and contract is not None and not _is_plain_address(contract):
        raise PayloadError("The typed data cannot be read", details="the verifying contract")
    if fields.get("chainId", "").startswith(("uint", "int")) and chain is not None and read_uint(chain) is None:
        raise PayloadError("The typed data cannot be read", details="the domain's chain")


def _is_plain_address(value: object) -> bool:
    return isinstance(value, str) and _ADDRESS.fullmatch(value) is not None


def _approvals(
    primary: str, contract: str, fields: Collection[str], message: Mapping[str, Any]
) -> tuple[Approval, ...]:
    """What a permit grants: EIP-2612, DAI's own, those of Permit2, and transfers by signature (EIP-3009). Names of types and fields are part of what is signed, so they can be believed."""
    spender = message.get("spender")
    if primary == "Permit" and {"spender", "allowed"} <= set(fields):
        granted = message.get("allowed") is not False
        return (Approval(contract, _parse_party(spender), None, unlimited=True),) if granted else ()
    if primary == "Permit" and "spender" in fields:
        # Of collections (ERC-4494) it names one NFT.
        amount = next((name for name in ("value", "tokenId") if name in fields), None)
        return () if amount is None else (_grant(contract, spender, message.get(amount)),)
    if primary == "PermitForAll" and not {"operator", "spender"}.isdisjoint(fields):
        granted = message.get("approved") is not False
        operator = message.get("operator", spender)
        return (Approval(contract, _parse_party(operator), None, unlimited=True),) if granted else ()
    if primary in AUTHORIZATIONS:
        return (_grant(contract, message.get("to"), message.get("value")),) if {"to", "value"} <= set(fields) else ()
    part = _PERMIT2.get(primary.replace("Witness", ""))
    if part is None or not {"spender", part} <= set(fields):
        return ()
    found = message.get(part)
    entries = found if isinstance(found, list) else [found]
    if len(entries) > MAX_PERMITS:
        # One that is left out could be the one that matters.
        raise PayloadError("The typed data cannot be read", details=f"more than {MAX_PERMITS} permits")
    return tuple(_grant(_parse_party(one.get("token")), spender, one.get("amount")) for one in map(_object, entries))


AUTHORIZATIONS: Final = ("TransferWithAuthorization", "ReceiveWithAuthorization")
"""EIP-3009: the signature itself sends, once, whoever hands it in; with the second the receiver alone may."""

_PERMIT2: Final = {
    "PermitSingle": "details",
    "PermitBatch": "details",
    "PermitTransferFrom": "permitted",
    "PermitBatchTransferFrom": "permitted",
}
"""Where each keeps tokens and amounts."""


def _grant(token: str, spender: object, amount: object) -> Approval:
    units = read_uint(amount)
    return Approval(token, _parse_party(spender), units, unlimited=units is None or is_unlimited(units))


def _parse_party(value: object) -> str:
    """Reads an address of a permit; a spelling that only some wallets read could name somebody whom a policy refuses."""
    try:
        # Without 0x, some wallets read its digits as a decimal number.
        return normal_address("eip155", value if isinstance(value, str) and _is_plain_address(value) else "")
    except AddressError as error:
        raise PayloadError("The typed data cannot be read", details="a permit without an address") from error


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _short(value: object) -> str:
    """A name as it is shown and compared.

    Raises:
        PayloadError: it looks like another one, by characters that nobody sees.
    """
    if not isinstance(value, str):
        return ""
    if clean_text(value, limit=len(value)) != " ".join(value.split()):
        raise PayloadError("The typed data cannot be read", details="a name with invisible characters")
    return clean_text(value, limit=_MAX_TEXT)


def _address(value: object) -> str:
    """In its normal spelling, whatever its checksum, which not every wallet looks at; what is none, as short text."""
    if isinstance(value, str) and _is_plain_address(value):
        return normal_address("eip155", value.lower())
    return _short(value)

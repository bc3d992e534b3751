"""Answers of bundlers and paymasters, which are strangers' word: read strictly, and bounded."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from walletmodal.core.errors import ShapeError
from walletmodal.core.errors.operations import PaymasterTermsError
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.parsing.urls import is_secure_url
from walletmodal.core.smart_accounts.authorization import NOBODY
from walletmodal.core.smart_accounts.fields import read_address, read_bytes, read_quantity
from walletmodal.core.smart_accounts.user_operation import UserOperation
from walletmodal.core.text.display_text import clean_text

MAX_PAYMASTER_DATA: Final = 4096
MAX_GAS: Final = 2**24
"""Of each part of an operation: no transaction may have more (EIP-7825)."""
MAX_PAYMASTER_GAS: Final = 1_000_000
"""Of each of a paymaster's two parts; the dearest that is known takes a fifth."""

_NATIVE_UNIT: Final = 10**18
_HASH: Final = re.compile(r"0x[0-9a-fA-F]{64}")
_MAX_SPONSOR: Final = 40
_MAX_ICON: Final = 16_384
_ICON: Final = re.compile(r"data:image/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}")
_GAS_FIELDS: Final = {
    "pre_verification_gas": "preVerificationGas",
    "verification_gas_limit": "verificationGasLimit",
    "call_gas_limit": "callGasLimit",
}
_ANSWER: Final = "answer"


@dataclass(frozen=True, slots=True)
class GasPrice:
    """What a unit of gas costs at most, in base units of the native coin; `tip`: of that, what the bundler gets for the block's maker."""

    most: int
    tip: int


@dataclass(frozen=True, slots=True)
class PaymasterStub:
    """What a paymaster is estimated with.

    Attributes:
        paymaster: the contract that pays.
        data: as long as the final data will be.
        verification_gas_limit: None where the bundler is to find out.
        post_op_gas_limit: of its part after the calls.
        sponsor: who pays, "" where it does not say. icon: a picture of them, a data URL of pixels or a secure URL, or "".
        is_final: the data is what is sent.
    """

    paymaster: str
    data: bytes
    verification_gas_limit: int | None
    post_op_gas_limit: int
    sponsor: str = ""
    icon: str = ""
    is_final: bool = False


@dataclass(frozen=True, slots=True)
class TokenQuote:
    """At which price a paymaster takes a token for gas.

    Attributes:
        token: its contract.
        paymaster: the contract that takes it.
        rate: base units of the token for 10^18 of the native coin.
        post_op_gas: that is charged for the taking.
    """

    token: str
    paymaster: str
    rate: int
    post_op_gas: int

    def most(self, operation: UserOperation) -> int:
        """The most that an operation can cost, in base units of the token, rounded up. An allowance of it bounds what is taken."""
        native = operation.max_cost + self.post_op_gas * operation.max_fee_per_gas
        return -(-native * self.rate // _NATIVE_UNIT)


def read_gas_price(answer: object) -> GasPrice:
    """Reads a price of gas: two quantities, alone or as the `fast` or `standard` one of several speeds.

    Raises:
        ShapeError: it is none.
    """
    fields = _object(answer)
    speeds = [fields[name] for name in ("fast", "standard") if isinstance(fields.get(name), Mapping)]
    chosen: Mapping[str, Any] = speeds[0] if speeds else fields
    return _price(_number(chosen, "maxFeePerGas"), _number(chosen, "maxPriorityFeePerGas"))


def read_tip(answer: object, base_fee: int) -> GasPrice:
    """Reads a price of gas of which the bundler says the tip alone.

    Raises:
        ShapeError: it is none.
    """
    tip = _number({"tip": answer}, "tip")
    return _price(2 * base_fee + tip, tip)


def read_estimate(answer: object, operation: UserOperation) -> UserOperation:
    """Reads how much gas an operation needs, into the operation. What the answer says of a paymaster counts where there is one.

    Raises:
        ShapeError: a part is missing, or is more than any transaction may have.
    """
    fields = _object(answer)
    changed: dict[str, Any] = {name: _bounded(fields, field, MAX_GAS) for name, field in _GAS_FIELDS.items()}
    if operation.paymaster:
        for name, field in (
            ("paymaster_verification_gas_limit", "paymasterVerificationGasLimit"),
            ("paymaster_post_op_gas_limit", "paymasterPostOpGasLimit"),
        ):
            if fields.get(field) is not None:
                changed[name] = max(_bounded(fields, field, MAX_PAYMASTER_GAS), getattr(operation, name))
    return replace(operation, **changed)


def read_operation_hash(answer: object) -> bytes:
    """Reads the hash of an operation that was sent.

    Raises:
        ShapeError: it is none.
    """
    if not isinstance(answer, str) or not _HASH.fullmatch(answer):
        raise ShapeError("user operation hash")
    return bytes.fromhex(answer[2:])


def read_stub(answer: object) -> PaymasterStub:
    """Reads what a paymaster is estimated with (ERC-7677).

    Raises:
        ShapeError: it is none, of an entry point with unpacked fields.
        PaymasterTermsError: it wants more gas or data than any paymaster needs.
    """
    fields = _object(answer)
    limits = [_gas_limit(fields, name) for name in ("paymasterVerificationGasLimit", "paymasterPostOpGasLimit")]
    if limits[1] is None:
        raise ShapeError("paymasterPostOpGasLimit")
    sponsor = fields.get("sponsor")
    named: Mapping[str, Any] = sponsor if isinstance(sponsor, Mapping) else {}
    icon, name = named.get("icon"), named.get("name")
    paymaster = _address(fields, "paymaster")
    if paymaster == NOBODY:
        # The entry point has the account itself pay then.
        raise ShapeError("paymaster")
    return PaymasterStub(
        paymaster=paymaster,
        data=_paymaster_data(fields),
        verification_gas_limit=limits[0],
        post_op_gas_limit=limits[1],
        sponsor=clean_text(name, limit=_MAX_SPONSOR) if isinstance(name, str) else "",
        icon=icon if isinstance(icon, str) and _is_icon(icon) else "",
        is_final=fields.get("isFinal") is True,
    )


def _is_icon(text: str) -> bool:
    return len(text) <= _MAX_ICON and (_ICON.fullmatch(text) is not None or is_secure_url(text))


def read_paymaster_data(answer: object, stub: PaymasterStub) -> bytes:
    """Reads the data with which a paymaster pays (ERC-7677).

    Raises:
        ShapeError: it is none.
        PaymasterTermsError: another contract pays than the one that was estimated, or its data is longer.
    """
    fields = _object(answer)
    data = _paymaster_data(fields)
    # The gas that the operation pays for its bytes was estimated with the stub's.
    if _address(fields, "paymaster") != stub.paymaster or len(data) > len(stub.data):
        raise PaymasterTermsError("another contract or longer data than estimated")
    for name, limit in (
        ("paymasterVerificationGasLimit", stub.verification_gas_limit),
        ("paymasterPostOpGasLimit", stub.post_op_gas_limit),
    ):
        wanted = _gas_limit(fields, name)
        if wanted is not None and limit is not None and wanted > limit:
            raise PaymasterTermsError(f"{name} above the one that was estimated")
    return data


def read_token_quotes(answer: object, tokens: Collection[str]) -> dict[str, TokenQuote]:
    """Reads the quotes for tokens (`pimlico_getTokenQuotes`), by the token; one that is not taken has none.

    Raises:
        ShapeError: they cannot be understood.
    """
    quotes, found = _object(answer).get("quotes"), dict[str, TokenQuote]()
    if not isinstance(quotes, list):
        raise ShapeError("quotes")
    for one in quotes:
        fields = _object(one)
        token = _address(fields, "token")
        if token in tokens:
            rate = _number(fields, "exchangeRate")
            if not rate:
                raise ShapeError("exchangeRate")
            post_op_gas = _bounded(fields, "postOpGas", MAX_PAYMASTER_GAS)
            found[token] = TokenQuote(token, _address(fields, "paymaster"), rate, post_op_gas)
    return found


def _price(most: int, tip: int) -> GasPrice:
    if not 0 < most < 2**64 or tip > most:
        raise ShapeError("gas price")
    return GasPrice(most, tip)


def _paymaster_data(fields: Mapping[str, Any]) -> bytes:
    try:
        data = read_bytes(fields, "paymasterData", _ANSWER)
    except PayloadError as error:
        raise ShapeError("paymasterData") from error
    if len(data) > MAX_PAYMASTER_DATA:
        raise PaymasterTermsError("more data than any paymaster needs")
    return data


def _gas_limit(fields: Mapping[str, Any], name: str) -> int | None:
    if fields.get(name) is None:
        return None
    limit = _number(fields, name)
    if limit > MAX_PAYMASTER_GAS:
        raise PaymasterTermsError(f"{name} above what any paymaster needs")
    return limit


def _bounded(fields: Mapping[str, Any], name: str, limit: int) -> int:
    found = _number(fields, name)
    if found > limit:
        raise ShapeError(f"{name} above {limit}")
    return found


def _number(fields: Mapping[str, Any], name: str) -> int:
    try:
        found = read_quantity(fields, name, _ANSWER)
    except PayloadError as error:
        raise ShapeError(name) from error
    if found is None:
        raise ShapeError(name)
    return found


def _address(fields: Mapping[str, Any], name: str) -> str:
    try:
        return read_address(fields.get(name), name, _ANSWER)
    except PayloadError as error:
        raise ShapeError(name) from error


def _object(answer: object) -> Mapping[str, Any]:
    if not isinstance(answer, Mapping):
        raise ShapeError("no object")
    return answer

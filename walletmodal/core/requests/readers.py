"""Readers of method parameters into the fields of a `HostedRequest`; the tables of methods say which reader is whose.

What cannot be read is refused: nobody could say what is being decided.
"""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

import base58

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.decoding.decoded_call import decode_call
from walletmodal.core.decoding.delegations import read_delegations
from walletmodal.core.decoding.inner_calls import calls_within
from walletmodal.core.decoding.typed_data import read_typed_data
from walletmodal.core.decoding.user_operation import read_requested_operation
from walletmodal.core.errors import AddressError
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.requests.typed_request import Call

MAX_BASE58: Final = 16 * 1024
"""Characters: the time to decode them grows with their square."""

MOST_GAS: Final = 2**24
"""Of one transaction (EIP-7825): what a price is for where the wallet is to find out the gas."""

_GAS: Final = ("gas", "gasLimit")
_PRICES: Final = ("gasPrice", "maxFeePerGas", "maxPriorityFeePerGas")
_QUANTITY: Final = re.compile(r"0x[0-9a-fA-F]{1,64}")
_BYTES: Final = re.compile(r"0x(?:[0-9a-fA-F]{2})*")
_DIGITS: Final = re.compile(r"0[xX][0-9a-fA-F]*|[0-9a-fA-F]+")
_SEGWIT: Final = ("bc1", "tb1", "bcrt1")

# Fields that are read, or that change nothing about what moves.
OF_A_TRANSACTION: Final = frozenset(
    [
        "from",
        "to",
        "value",
        "data",
        "input",
        "chainId",
        "gas",
        "gasLimit",
        "gasPrice",
        "maxFeePerGas",
        "maxPriorityFeePerGas",
        "nonce",
        "type",
        "accessList",
    ]
)
_OF_A_BATCH: Final = frozenset(["calls", "chainId", "from", "version", "id", "atomicRequired", "capabilities"])
_OF_A_CALL: Final = frozenset(["to", "value", "data", "input", "chainId", "gas", "capabilities"])
_CAPABILITIES: Final = frozenset(["atomic", "atomicBatch", "auxiliaryFunds", "flowControl", "paymasterService"])
_BESIDE_TRANSACTIONS: Final = frozenset(["pubkey", "account", "options", "sendOptions"])
_OF_A_PAYMENT: Final = frozenset(["account", "recipientAddress", "amount", "memo", "changeAddress"])


def read_evm_transaction(params: Any) -> dict[str, Any]:
    """One transaction of an EVM account."""
    raw = params[0]
    return {
        "calls": (read_call(raw),),
        "delegations": read_delegations(raw.get("authorizationList")),
        "unread": _others(raw, OF_A_TRANSACTION),
        "max_fee": read_fee(raw),
    }


def read_operation(params: Any) -> dict[str, Any]:
    """What the account is called with, by the entry point; never all that it can move (`is_readable`)."""
    operation = read_requested_operation(params[0])
    data, unread = operation.data, [*operation.unread, *(["eip7702Auth"] if operation.delegates else [])]
    call = Call(operation.sender, 0, data, decode_call(data), calls_within(operation.sender, data))
    return {
        "calls": (call,) if data else (),
        "delegations": (operation.delegation,) if operation.delegation else (),
        "unread": tuple(unread),
        "max_fee": operation.cost or 0,
    }


def read_calls(params: Any) -> dict[str, Any]:
    """Several calls at once (EIP-5792)."""
    batch = params[0]
    calls = tuple(read_call(one) for one in batch["calls"])
    unread = [*_others(batch, _OF_A_BATCH), *_capabilities(batch)]
    for one in batch["calls"]:
        unread += [*_others(one, _OF_A_CALL), *_capabilities(one)]
    return {"calls": calls, "unread": tuple(dict.fromkeys(unread))}


def _capabilities(raw: Mapping[str, Any]) -> tuple[str, ...]:
    """What a wallet is to do beside the calls, as far as it is not known to move nothing."""
    wanted = raw.get("capabilities")
    if wanted is None or isinstance(wanted, Mapping):
        return _others(wanted or {}, _CAPABILITIES)
    return ("capabilities",)


def _others(raw: Mapping[str, Any], known: Collection[str]) -> tuple[str, ...]:
    return tuple(name for name, value in raw.items() if name not in known and value not in (None, "", [], {}))


def read_call(raw: object) -> Call:
    """A transaction, or one of several calls, as wallets take them.

    Raises:
        PayloadError: it cannot be read.
    """
    if not isinstance(raw, Mapping):
        raise PayloadError("The transaction cannot be read", details="no object")
    to, given = raw.get("to"), [raw[name] for name in ("data", "input") if raw.get(name) is not None]
    if any(not isinstance(one, str) or not _BYTES.fullmatch(one) for one in given):
        raise PayloadError("The transaction cannot be read", details="data")
    # A wallet takes the one or the other; what the policy has seen must be what is signed.
    if len({one.lower() for one in given}) > 1:
        raise PayloadError("The transaction cannot be read", details="data and input differ")
    try:
        receiver = "" if to is None or to == "" else normal_address("eip155", to if isinstance(to, str) else "")
    except AddressError as error:
        raise PayloadError("The transaction cannot be read", details="to") from error
    data = bytes.fromhex(given[0][2:]) if given else b""
    value = raw.get("value")
    units = 0 if value is None else read_quantity(value, "value")
    return Call(receiver, units, data, decode_call(data), calls_within(receiver, data) if receiver else ())


def read_quantity(value: object, field: str) -> int:
    """A number as JSON-RPC writes it, in hexadecimal text.

    Raises:
        PayloadError: it is none; `field` names it.
    """
    if not isinstance(value, str) or not _QUANTITY.fullmatch(value):
        raise PayloadError("The transaction cannot be read", details=field)
    return int(value, 16)


def read_fee(raw: Mapping[str, Any]) -> int:
    """What the network may take of a transaction at most by its own numbers, in base units; 0 where it names no price.

    Of two names for the same a wallet takes the one or the other, so the higher counts.

    Raises:
        PayloadError: one of the numbers cannot be read.
    """
    given = {name: read_quantity(raw[name], name) for name in (*_GAS, *_PRICES) if raw.get(name) is not None}
    gas = [given[name] for name in _GAS if name in given]
    return max((given[name] for name in _PRICES if name in given), default=0) * max(gas, default=MOST_GAS)


def read_payment(params: Any) -> dict[str, Any]:
    """Bitcoin: satoshis to an address."""
    unread = _others(params, _OF_A_PAYMENT)
    if params.get("changeAddress") not in (None, "", params["account"]):
        # All that is left of the coins it is paid with.
        unread = (*unread, "changeAddress")
    receiver = str(params["recipientAddress"])
    if receiver.lower().startswith(_SEGWIT):
        # Written in capitals it is the same one.
        receiver = receiver.lower()
    calls = (Call(receiver, int(params["amount"]), b"", decode_call(b"")),)
    return {"calls": calls, "unread": unread}


def read_hex_or_text(params: Any) -> dict[str, Any]:
    """Wallets take what is hexadecimal for bytes, everything else for text."""
    text = params[0]
    if not isinstance(text, str) or any(one not in (None, "") for one in params[2:]):
        # What stands behind the account is the password of a node's own; libraries send an empty one.
        raise PayloadError("The message cannot be read", details="no text")
    if _BYTES.fullmatch(text):
        return {"message": bytes.fromhex(text[2:])}
    if _DIGITS.fullmatch(text):
        # Some wallets put a digit before half a byte, or take digits without 0x for bytes, too, and sign others than stand here.
        raise PayloadError("The message cannot be read", details="hexadecimal digits that are no bytes with 0x")
    return {"message": text.encode()}


def read_base58(params: Any) -> dict[str, Any]:
    """Solana: a message in base58."""
    text = _alone(params, "pubkey", "account", "display")
    try:
        if len(text) > MAX_BASE58:
            raise ValueError("too long")
        return {"message": base58.b58decode(text)}
    except ValueError as error:
        raise PayloadError("The message cannot be read", details="no base58, or too long") from error


def read_text(params: Any) -> dict[str, Any]:
    """A message that is a text in any case."""
    return {"message": _alone(params, "address", "account", "protocol").encode()}


def _alone(params: Any, *known: str) -> Any:
    """A message, beside which nothing stands that a wallet might sign instead."""
    others = _others(params, {"message", *known})
    if others:
        raise PayloadError("The message cannot be read", details=f"{others[0][:64]} beside message")
    return params["message"]


def read_typed(params: Any) -> dict[str, Any]:
    """Typed data (EIP-712)."""
    return {"typed_data": read_typed_data(params[1])}


def read_encoded(name: str) -> Callable[[Any], dict[str, Any]]:
    """Transactions of Solana, under this name."""

    def read(params: Any) -> dict[str, Any]:
        found = params[name]
        others = _others(params, {name, *_BESIDE_TRANSACTIONS})
        if others:
            # Wallets of the form before this one would sign what stands in fields of its own, `instructions` and the like.
            raise PayloadError("The transaction cannot be read", details=f"{others[0][:64]} beside {name}")
        return {"transactions": tuple(found) if isinstance(found, list) else (found,)}

    return read

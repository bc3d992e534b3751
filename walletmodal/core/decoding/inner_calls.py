"""Calls within a call: multicalls, a Safe's, a smart account's.

Opened is only what is encoded in the one way that every contract reads alike; everything else, and every call that runs foreign code as the
contract's own, stays the unknown call that it is.
"""

from collections.abc import Callable
from typing import Any, Final

from eth_utils.address import to_checksum_address

from walletmodal.core.decoding.abi import argument_types, canonical_values
from walletmodal.core.decoding.decoded_call import decode_call, selector
from walletmodal.core.requests.typed_request import Call
from walletmodal.core.smart_accounts.authorization import NOBODY
from walletmodal.core.smart_accounts.contracts import MULTI_SENDS, MULTI_SENDS_BEFORE_1_5

MAX_DEPTH: Final = 3
MAX_INNER: Final = 100
"""Calls within one call, those within them included; nobody could read more."""

_SELECTOR: Final = 4
_ADDRESS: Final = 20
_WORD: Final = 32
_MULTI_SEND: Final = "multiSend(bytes)"

_ON_FAILURE: Final = (0, 1)
_ORDINARY: Final = (bytes(30), bytes(4) + bytes.fromhex("78210001") + bytes(22))
"""What stands behind those two bytes of a mode for calls as they are; the second is ERC-7821's, whose calls may have something behind them, which
the canonical form has not."""

ROLE_CALLS: Final = tuple(
    f"{name}(address,uint256,bytes,uint8,{role},bool)"
    for name in ("execTransactionWithRole", "execTransactionWithRoleReturnData")
    for role in ("bytes32", "uint16")
)
"""Functions of Zodiac's Roles modifier, versions 2 and 1, that have a Safe called."""

Raw = tuple[str, int, bytes]
"""To whom, how much of the native coin, with what call data."""


def calls_within(to: str, data: bytes, *, depth: int = MAX_DEPTH) -> tuple[Call, ...]:
    """Decodes the calls that a call makes, in order; empty where it is no batch, or cannot be decoded as a whole.

    Args:
        to: the contract that is called, in its normal spelling.
        data: the call data.
        depth: how many calls within one another are opened.
    """
    opened = _decode_batch(to, data) if depth else None
    if not opened or len(opened) > MAX_INNER:
        return ()
    # In the place of nobody some have the account itself called: ERC-7821, and a Safe's list from version 1.5.0 on.
    if to not in MULTI_SENDS_BEFORE_1_5 and any(inner == NOBODY for inner, _, _ in opened):
        return ()
    found = tuple(
        Call(inner, value, given, decode_call(given), calls_within(inner, given, depth=depth - 1))
        for inner, value, given in opened
    )
    return found if sum(1 for outer in found for _ in outer.all) <= MAX_INNER else ()


def batch_function_name(data: bytes) -> str:
    """Returns the name of the batch function that call data calls; "" for every other call data."""
    known = _FORMS.get(data[:_SELECTOR])
    return known[0].partition("(")[0] if known else ""


def _decode_batch(to: str, data: bytes) -> list[Raw] | None:
    known = _FORMS.get(data[:_SELECTOR])
    if known is None:
        return None
    signature, read = known
    values = canonical_values(argument_types(signature), data[_SELECTOR:])
    return None if values is None else read(to, values)


def _own(at: int) -> Callable[[str, tuple[Any, ...]], list[Raw]]:
    """Calls of the contract's own functions, by the sender still."""
    return lambda to, values: [(to, 0, data) for data in values[at]]


def _tuples(at: int, *, value: int | None) -> Callable[[str, tuple[Any, ...]], list[Raw]]:
    """A list of calls, whose receiver comes first and whose data comes last."""
    return lambda _to, values: [(_normal(one[0]), 0 if value is None else one[value], one[-1]) for one in values[at]]


def _lists(*, values: bool) -> Callable[[str, tuple[Any, ...]], list[Raw] | None]:
    """A list of receivers, one of values and one of data; as long as each other."""

    def read(_to: str, given: tuple[Any, ...]) -> list[Raw] | None:
        receivers, data = given[0], given[-1]
        amounts = given[1] if values and given[1] else [0] * len(receivers)
        if not len(receivers) == len(amounts) == len(data):
            return None
        return [(_normal(one), *rest) for one, *rest in zip(receivers, amounts, data, strict=True)]

    return read


def _single_call(_to: str, values: tuple[Any, ...]) -> list[Raw]:
    return [(_normal(values[0]), values[1], values[2])]


def _one_of_kind(_to: str, values: tuple[Any, ...]) -> list[Raw] | None:
    """A call whose last argument says how it is made; 0 is an ordinary one."""
    return _single_call(_to, values) if values[3] == 0 else None


def _erc725(_to: str, values: tuple[Any, ...]) -> list[Raw] | None:
    """ERC-725X: the first argument says how the call is made; 0 is an ordinary one."""
    return _single_call(_to, values[1:]) if values[0] == 0 else None


def _erc725_batch(to: str, values: tuple[Any, ...]) -> list[Raw] | None:
    return None if any(values[0]) or len(values[0]) != len(values[1]) else _lists(values=True)(to, values[1:])


def _safe(_to: str, values: tuple[Any, ...]) -> list[Raw] | None:
    """Decodes a Safe's transaction, which pays nobody for its gas."""
    return _of_safe(_to, values) if values[6] == 0 else None


def _of_safe(_to: str, values: tuple[Any, ...]) -> list[Raw] | None:
    """Decodes a call of a Safe, which runs foreign code only where that is its list of calls."""
    lists = values[3] == 1 and _normal(values[0]) in MULTI_SENDS and values[2][:_SELECTOR] == _selected(_MULTI_SEND)
    return _single_call(_to, values) if values[3] == 0 or lists else None


def _packed(_to: str, values: tuple[Any, ...]) -> list[Raw] | None:
    """Decodes a Safe's list: kind, receiver, value and length of the data, then the data, without anything between them."""
    data, at, found = values[0], 0, list[Raw]()
    while at < len(data):
        head = data[at : at + 1 + _ADDRESS + 2 * _WORD]
        size = int.from_bytes(head[-_WORD:], "big")
        at += len(head)
        if len(head) != 1 + _ADDRESS + 2 * _WORD or head[0] or at + size > len(data):
            return None
        value = int.from_bytes(head[1 + _ADDRESS : -_WORD], "big")
        found.append((to_checksum_address(head[1 : 1 + _ADDRESS]), value, data[at : at + size]))
        at += size
    return found


def _modular(_to: str, values: tuple[Any, ...]) -> list[Raw] | None:
    """ERC-7579: the first byte of the mode says how many calls follow, the second what happens if one fails; the rest could change what they are."""
    mode, data = values
    if mode[1] not in _ON_FAILURE or mode[2:] not in _ORDINARY:
        return None
    if mode[0] == 0 and len(data) >= _ADDRESS + _WORD:
        value = int.from_bytes(data[_ADDRESS : _ADDRESS + _WORD], "big")
        return [(to_checksum_address(data[:_ADDRESS]), value, data[_ADDRESS + _WORD :])]
    batch = canonical_values(["(address,uint256,bytes)[]"], data) if mode[0] == 1 else None
    return _tuples(0, value=1)(_to, batch) if batch else None


def _normal(address: str) -> str:
    return str(to_checksum_address(address))


def _selected(signature: str) -> bytes:
    return bytes.fromhex(selector(signature)[2:])


OPENED: Final[dict[str, Callable[[str, tuple[Any, ...]], list[Raw] | None]]] = {
    "multicall(bytes[])": _own(0),
    "multicall(uint256,bytes[])": _own(1),
    "multicall(bytes32,bytes[])": _own(1),
    # Multicall3.
    "aggregate((address,bytes)[])": _tuples(0, value=None),
    "tryAggregate(bool,(address,bytes)[])": _tuples(1, value=None),
    "blockAndAggregate((address,bytes)[])": _tuples(0, value=None),
    "tryBlockAndAggregate(bool,(address,bytes)[])": _tuples(1, value=None),
    "aggregate3((address,bool,bytes)[])": _tuples(0, value=None),
    "aggregate3Value((address,bool,uint256,bytes)[])": _tuples(0, value=2),
    # Smart accounts: ERC-4337's first ones, ERC-6551, ERC-7579.
    "execute(address,uint256,bytes)": _single_call,
    "execute(address,uint256,bytes,uint8)": _one_of_kind,
    "executeBatch(address[],bytes[])": _lists(values=False),
    "executeBatch(address[],uint256[],bytes[])": _lists(values=True),
    "executeBatch((address,uint256,bytes)[])": _tuples(0, value=1),
    "execute(bytes32,bytes)": _modular,
    "executeFromExecutor(bytes32,bytes)": _modular,
    # Biconomy's.
    "executeCall(address,uint256,bytes)": _single_call,
    "execute_ncC(address,uint256,bytes)": _single_call,
    "executeBatchCall(address[],uint256[],bytes[])": _lists(values=True),
    "executeBatch_y6U(address[],uint256[],bytes[])": _lists(values=True),
    # ERC-725X.
    "execute(uint256,address,uint256,bytes)": _erc725,
    "executeBatch(uint256[],address[],uint256[],bytes[])": _erc725_batch,
    # Safe, and modules that call it.
    "execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)": _safe,
    "execTransactionFromModule(address,uint256,bytes,uint8)": _of_safe,
    "execTransactionFromModuleReturnData(address,uint256,bytes,uint8)": _of_safe,
    "execTransactionFromModule(address,uint256,bytes,uint8,uint256)": _of_safe,
    **dict.fromkeys(ROLE_CALLS, _of_safe),
    "executeUserOp(address,uint256,bytes,uint8)": _of_safe,
    "executeUserOpWithErrorString(address,uint256,bytes,uint8)": _of_safe,
    _MULTI_SEND: _packed,
}
"""How the arguments of each function that has others called say which, by its signature."""
_FORMS: Final = {_selected(signature): (signature, read) for signature, read in OPENED.items()}

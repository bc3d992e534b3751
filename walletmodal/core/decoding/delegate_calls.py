"""Calls that have an account run the code of another contract as its own, which can then do with the account whatever it likes."""

import re
from collections.abc import Callable
from typing import Final

from walletmodal.core.decoding.abi import argument_types, canonical_values
from walletmodal.core.decoding.decoded_call import selector
from walletmodal.core.decoding.inner_calls import ROLE_CALLS, batch_function_name
from walletmodal.core.requests.typed_request import Call

_SELECTOR: Final = 4
_WORD: Final = 32
_OPERATION: Final = 3
"""The place of the argument that says how a call is made."""
_CREATIONS: Final = (2, 3)
"""Operations of ERC-6551 that make a contract."""
_DELEGATE_MODE: Final = 0xFF
_KINDS_OF_725: Final = (0, 1, 2, 3)
"""Operations of ERC-725X that run no foreign code as the account's own: calls, contracts that are made, and calls that only read."""
_BATCH_OF_725: Final = "executeBatch(uint256[],address[],uint256[],bytes[])"


def runs_foreign_code(call: Call) -> bool:
    """Whether a call, or one within it, runs code that is not read here as the account's own.

    Read as the most lenient contract would: whatever is no ordinary call is one of these. A Safe's own list of calls is none where every call
    of it is read. A call of calls that was not opened is one where it could have such a call somewhere in it.
    """
    return any((_is_delegate_call(one) and not _is_read_list(one)) or _could_hide_one(one) for one in call.all)


def _is_delegate_call(call: Call) -> bool:
    known = _FORMS.get(call.data[:_SELECTOR])
    return known is not None and known(call.data[_SELECTOR:])


def _is_read_list(call: Call) -> bool:
    # Of a Safe's delegate calls only those to its own contract for lists have been opened, and a list is opened as a whole.
    return len(call.inner) == 1 and bool(call.inner[0].inner)


def _could_hide_one(call: Call) -> bool:
    return (
        not call.inner and batch_function_name(call.data) != "" and _ANYWHERE.search(call.data, _SELECTOR) is not None
    )


def _of_safe(arguments: bytes) -> bool:
    return _word(arguments, _OPERATION) != 0


def _of_token_account(arguments: bytes) -> bool:
    return _word(arguments, _OPERATION) not in (0, *_CREATIONS)


def _of_mode(arguments: bytes) -> bool:
    return arguments[:1] == bytes([_DELEGATE_MODE])


def _of_725(arguments: bytes) -> bool:
    return _word(arguments, 0) not in _KINDS_OF_725


def _of_batch_of_725(arguments: bytes) -> bool:
    values = canonical_values(argument_types(_BATCH_OF_725), arguments)
    return values is None or any(kind not in _KINDS_OF_725 for kind in values[0])


def _always(_arguments: bytes) -> bool:
    return True


def _word(arguments: bytes, place: int) -> int:
    return int.from_bytes(arguments[place * _WORD : (place + 1) * _WORD].ljust(_WORD, b"\0"), "big")


_FORMS: Final[dict[bytes, Callable[[bytes], bool]]] = {
    bytes.fromhex(selector(signature)[2:]): read
    for signature, read in {
        "execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)": _of_safe,
        "execTransactionFromModule(address,uint256,bytes,uint8)": _of_safe,
        "execTransactionFromModule(address,uint256,bytes,uint8,uint256)": _of_safe,
        "execTransactionFromModuleReturnData(address,uint256,bytes,uint8)": _of_safe,
        **dict.fromkeys(ROLE_CALLS, _of_safe),
        "executeUserOp(address,uint256,bytes,uint8)": _of_safe,
        "executeUserOpWithErrorString(address,uint256,bytes,uint8)": _of_safe,
        "execute(address,uint256,bytes,uint8)": _of_token_account,
        "execute(bytes32,bytes)": _of_mode,
        "executeFromExecutor(bytes32,bytes)": _of_mode,
        "execute(uint256,address,uint256,bytes)": _of_725,
        _BATCH_OF_725: _of_batch_of_725,
        # Kernel 2, Solady's accounts, and proxies of DSProxy's kind, whose calls are all of this kind.
        "executeDelegateCall(address,bytes)": _always,
        "delegateExecute(address,bytes)": _always,
        "execute(address,bytes)": _always,
        "execute(bytes,bytes)": _always,
    }.items()
}
_ANYWHERE: Final = re.compile(b"|".join(map(re.escape, _FORMS)))

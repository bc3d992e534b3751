"""Asking an account that may not exist yet whether it signed (ERC-6492): a program that `eth_call` runs and that leaves nothing behind.

The program is what a contract creation runs: first it asks the account, then it calls the factory that makes (or prepares) the account,
then it asks again. It answers 1 where one of the two answers was the magic value of ERC-1271, else 0. It is written here instruction by
instruction, without jumps, so that it can be read: nothing that an account or a factory does can change what the program itself does.
"""

from typing import Final

from eth_abi.abi import encode

MAGIC: Final = bytes.fromhex("1626ba7e")
"""Of ERC-1271: selector of `isValidSignature(bytes32,bytes)`, and the answer of an account that signed."""

MAGIC_WORD: Final = MAGIC.ljust(32, b"\0")

_GT, _EQ, _AND, _OR = 0x11, 0x14, 0x16, 0x17
_RETURNDATASIZE, _CODECOPY, _POP, _MLOAD, _MSTORE, _GAS = 0x3D, 0x39, 0x50, 0x51, 0x52, 0x5A
_CALL, _RETURN, _STATICCALL = 0xF1, 0xF3, 0xFA
_WORD: Final = 32
_PUSHED_OFFSET: Final = 3


def is_valid_signature_call(digest: bytes, signature: bytes) -> bytes:
    """The data of a call of `isValidSignature(bytes32,bytes)`."""
    return MAGIC + encode(["bytes32", "bytes"], [digest, signature])


def simulation(account: bytes, question: bytes, factory: bytes, factory_call: bytes) -> bytes:
    """The program.

    Args:
        account: the 20 bytes of its address.
        question: the data that it is called with.
        factory: the 20 bytes of the address of whoever makes the account.
        factory_call: the data that it is called with.
    """
    length = len(_program(account, factory, (0, len(question)), (0, len(factory_call))))
    question_at, factory_call_at = length, length + len(question)
    program = _program(account, factory, (question_at, len(question)), (factory_call_at, len(factory_call)))
    return program + question + factory_call


def _program(account: bytes, factory: bytes, question: tuple[int, int], factory_call: tuple[int, int]) -> bytes:
    return b"".join(
        (
            _signature_check_code(account, *question),
            _called(factory, *factory_call),
            _signature_check_code(account, *question),
            # What is left of both questions becomes the answer.
            bytes([_OR]),
            _push(0),
            bytes([_MSTORE]),
            _push(_WORD) + _push(0) + bytes([_RETURN]),
        )
    )


def _signature_check_code(account: bytes, at: int, size: int) -> bytes:
    """Builds code that leaves 1 on the stack where the account answers with the magic word and at least 32 bytes, else 0."""
    return b"".join(
        (
            # The answer's place holds the question's first word now, so an account that answers with less does not pass.
            _copied(at, size),
            _push(_WORD) + _push(0) + _push(size) + _push(0),
            _push(account) + bytes([_GAS, _STATICCALL]),
            _push(_WORD - 1) + bytes([_RETURNDATASIZE, _GT, _AND]),
            _push(0) + bytes([_MLOAD]),
            _push(MAGIC_WORD) + bytes([_EQ, _AND]),
        )
    )


def _called(factory: bytes, at: int, size: int) -> bytes:
    """Calls the factory; whether it likes that does not matter."""
    return b"".join(
        (
            _copied(at, size),
            _push(0) + _push(0) + _push(size) + _push(0) + _push(0),
            _push(factory) + bytes([_GAS, _CALL, _POP]),
        )
    )


def _copied(at: int, size: int) -> bytes:
    """Copies a part of the program's own bytes to the beginning of the memory."""
    return _push(size) + _push(at, _PUSHED_OFFSET) + _push(0) + bytes([_CODECOPY])


def _push(value: int | bytes, size: int = 0) -> bytes:
    """PUSH of a number in as few bytes as it needs, in `size`, or of bytes as they are."""
    if isinstance(value, int):
        value = value.to_bytes(size or max(1, (value.bit_length() + 7) // 8), "big")
    return bytes([0x5F + len(value)]) + value

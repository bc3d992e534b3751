"""Instructions as the RPC writes them; those of payments are read into their meaning."""

import struct
from collections.abc import Callable, Sequence

import base58
from spl.token.constants import ASSOCIATED_TOKEN_PROGRAM_ID

from walletmodal.sandbox.solana.spl import SYSTEM_PROGRAM, TOKEN_PROGRAMS, ui_amount

Info = dict[str, object]
_Reader = Callable[[Sequence[str], bytes], tuple[str, Info] | None]

_MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"


def instruction_json(
    program_index: int, accounts: Sequence[int], data: bytes, keys: Sequence[str], *, parsed: bool
) -> dict[str, object]:
    """One instruction.

    Args:
        program_index: the program's place among `keys`.
        accounts: the places of its accounts.
        data: of the instruction.
        keys: every account of the transaction.
        parsed: whether to read it, where its program is known.
    """
    text: str = base58.b58encode(data).decode()
    if not parsed:
        return {"programIdIndex": program_index, "accounts": list(accounts), "data": text, "stackHeight": None}
    program = keys[program_index]
    named = [keys[index] for index in accounts]
    read = _read(program, named, data)
    if read is None:
        return {"programId": program, "accounts": named, "data": text, "stackHeight": None}
    return {**read, "programId": program, "stackHeight": None}


def _read(program: str, accounts: Sequence[str], data: bytes) -> dict[str, object] | None:
    if program == _MEMO:
        return {"program": "spl-memo", "parsed": data.decode(errors="replace")}
    name, reader = _PROGRAMS.get(program, ("", None))
    if reader is None:
        return None
    try:
        found = reader(accounts, data)
    except (struct.error, IndexError):
        # What the program itself refused as malformed.
        return None
    return found and {"program": name, "parsed": {"type": found[0], "info": found[1]}}


def _system(accounts: Sequence[str], data: bytes) -> tuple[str, Info] | None:
    (kind,) = struct.unpack_from("<I", data)
    if kind == 0:
        lamports, space, owner = struct.unpack_from("<QQ32s", data, 4)
        info = {"source": accounts[0], "newAccount": accounts[1], "lamports": lamports, "space": space}
        return "createAccount", {**info, "owner": _base58(owner)}
    if kind == 2:
        (lamports,) = struct.unpack_from("<Q", data, 4)
        return "transfer", {"source": accounts[0], "destination": accounts[1], "lamports": lamports}
    return None


def _token(accounts: Sequence[str], data: bytes) -> tuple[str, Info] | None:
    kind = data[0]
    if kind == 3:
        (amount,) = struct.unpack_from("<Q", data, 1)
        info = {"source": accounts[0], "destination": accounts[1], "amount": str(amount)}
        return "transfer", {**info, "authority": accounts[2]}
    if kind == 7:
        (amount,) = struct.unpack_from("<Q", data, 1)
        info = {"mint": accounts[0], "account": accounts[1], "amount": str(amount)}
        return "mintTo", {**info, "mintAuthority": accounts[2]}
    if kind == 9:
        return "closeAccount", {"account": accounts[0], "destination": accounts[1], "owner": accounts[2]}
    if kind == 12:
        amount, decimals = struct.unpack_from("<QB", data, 1)
        info = {"source": accounts[0], "mint": accounts[1], "destination": accounts[2], "authority": accounts[3]}
        return "transferChecked", {**info, "tokenAmount": ui_amount(amount, decimals)}
    return None


def _associated(accounts: Sequence[str], data: bytes) -> tuple[str, Info] | None:
    kinds = {b"": "create", b"\0": "create", b"\1": "createIdempotent"}
    names = ("source", "account", "wallet", "mint", "systemProgram", "tokenProgram")
    kind = kinds.get(data)
    return None if kind is None else (kind, dict(zip(names, accounts, strict=False)))


def _base58(raw: bytes) -> str:
    text: str = base58.b58encode(raw).decode()
    return text


_PROGRAMS: dict[str, tuple[str, _Reader | None]] = {
    str(SYSTEM_PROGRAM): ("system", _system),
    str(ASSOCIATED_TOKEN_PROGRAM_ID): ("spl-associated-token-account", _associated),
    **{str(key): ("spl-token", _token) for key in TOKEN_PROGRAMS},
}

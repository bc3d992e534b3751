"""One transaction that landed, and the line that it is in the journal."""

import base64
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from solders.account import Account
from solders.pubkey import Pubkey

Accounts = Mapping[Pubkey, Account]


@dataclass(frozen=True)
class TokenBalance:
    """What one account of a transaction held of a token; `index` is its place among the transaction's accounts."""

    index: int
    mint: str
    owner: str
    program: str
    amount: int
    decimals: int


@dataclass(frozen=True)
class InnerInstruction:
    """An instruction that a program sent to another; places among the transaction's accounts, `data` in base58."""

    program: int
    accounts: list[int]
    data: str
    depth: int


@dataclass(frozen=True)
class Landed:
    """One transaction that landed, whether it succeeded or not.

    Attributes:
        signature: the first one, base58.
        slot: where it landed; each has its own.
        at: when, in seconds since 1970.
        blockhash: of that slot, base58.
        raw: the transaction as it was sent, base64.
        keys: every account, those out of lookup tables last, writable ones before the others.
        loaded_writable, loaded_readonly: those out of lookup tables.
        error: a TransactionError in JSON; None when it succeeded.
        fee, pre_balances, post_balances: lamports.
        inner: the inner instructions of each instruction.
        units: compute units that it used.
    """

    signature: str
    slot: int
    at: int
    blockhash: str
    raw: str
    keys: list[str]
    loaded_writable: list[str]
    loaded_readonly: list[str]
    error: object
    fee: int
    pre_balances: list[int]
    post_balances: list[int]
    pre_tokens: list[TokenBalance]
    post_tokens: list[TokenBalance]
    inner: list[list[InnerInstruction]]
    logs: list[str]
    units: int


def to_line(record: Landed, accounts: Accounts) -> bytes:
    """A record and the accounts that it changed, as one line of JSON."""
    changed = {
        str(key): [one.lamports, str(one.owner), one.executable, base64.b64encode(bytes(one.data)).decode()]
        for key, one in accounts.items()
    }
    return json.dumps({"record": asdict(record), "accounts": changed}, separators=(",", ":")).encode() + b"\n"


def from_line(line: bytes) -> tuple[Landed, dict[Pubkey, Account]]:
    """What `to_line` made a line of.

    Raises:
        ValueError, KeyError, TypeError: the line is none of ours, or torn.
    """
    read = json.loads(line)
    record = read["record"]
    for name in ("pre_tokens", "post_tokens"):
        record[name] = [TokenBalance(**balance) for balance in record[name]]
    record["inner"] = [[InnerInstruction(**one) for one in each] for each in record["inner"]]
    accounts = {
        Pubkey.from_string(key): Account(lamports, base64.b64decode(data), Pubkey.from_string(owner), executable)
        for key, (lamports, owner, executable, data) in read["accounts"].items()
    }
    return Landed(**record), accounts

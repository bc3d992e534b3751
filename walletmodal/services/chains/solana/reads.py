"""Checked answers of Solana nodes. Accounts are read as bytes, which leave less to believe than a node's own words for them."""

import asyncio
import base64
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import base58

from walletmodal.core.chains.addresses import is_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import MalformedResponseError, NetworkError
from walletmodal.core.text.amounts import MAX_DECIMALS
from walletmodal.services.rpc.transport import RpcTransport

TOKEN_PROGRAM: Final = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"  # noqa: S105 - a public address
TOKEN_2022_PROGRAM: Final = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"  # noqa: S105 - a public address
TOKEN_PROGRAMS: Final = (TOKEN_PROGRAM, TOKEN_2022_PROGRAM)
MAX_U64: Final = 2**64 - 1
HOLDING_SIZE: Final = 165
"""Bytes of a token account without extensions."""
MAX_ACCOUNTS: Final = 20_000
"""Token accounts of one owner that are read: strangers may open accounts in anybody's name."""

MAX_ASKED: Final = 100
"""Accounts that nodes give at once."""

_COMMITMENT: Final = "confirmed"
_MINT_SIZE: Final = 82
_HEAD: Final = 109
_KIND_AT: Final = 165
_MINT_KIND, _HOLDING_KIND = 1, 2
_FROZEN: Final = 2
_UNREADABLE: Final = (KeyError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class Mint:
    """A token's mint: the token program that it belongs to, and its decimals."""

    program: str
    decimals: int


@dataclass(frozen=True, slots=True)
class Holding:
    """A token account; `amount` in base units."""

    address: str
    mint: str
    owner: str
    amount: int
    frozen: bool


@dataclass(frozen=True, slots=True)
class Account:
    """An account: its program, its bytes, and whether they are a program themselves."""

    program: str
    data: bytes
    executable: bool = False

    @property
    def holding(self) -> bool:
        """Whether it is a token account."""
        return self.program in TOKEN_PROGRAMS and _is_kind(self.data, HOLDING_SIZE, _HOLDING_KIND)

    @property
    def mint(self) -> bool:
        """Whether it is a mint."""
        return self.program in TOKEN_PROGRAMS and _is_kind(self.data, _MINT_SIZE, _MINT_KIND)


class SolanaReads:
    """Reads accounts of one network.

    Args:
        transport: the way to its nodes.
        chain: its id.
    """

    def __init__(self, transport: RpcTransport, chain: ChainId) -> None:
        self._transport, self._chain = transport, chain

    async def lamports(self, address: str) -> int:
        """The SOL of an account, in lamports.

        Raises:
            TransportError: no answer, or one that is no amount.
        """
        value = self.value(await self.ask("getBalance", [address, {"commitment": _COMMITMENT}]), "getBalance")
        return self.whole(value, "getBalance")

    async def account(self, address: str) -> Account | None:
        """An account, or None where there is none.

        Raises:
            TransportError: no answer, or one that is no account.
        """
        config = {"encoding": "base64", "commitment": _COMMITMENT}
        value = self.value(await self.ask("getAccountInfo", [address, config]), "getAccountInfo")
        return None if value is None else self._account(value, "getAccountInfo")

    async def accounts(self, addresses: Sequence[str]) -> tuple[Account | None, ...]:
        """Several accounts, None in the place of those that are not there.

        Raises:
            TransportError: no answer, or one that is no list of accounts.
        """
        method, config = "getMultipleAccounts", {"encoding": "base64", "commitment": _COMMITMENT}
        asked = [addresses[start : start + MAX_ASKED] for start in range(0, len(addresses), MAX_ASKED)]
        answers = await asyncio.gather(*(self.ask(method, [list(some), config]) for some in asked))
        found: list[Account | None] = []
        for some, answer in zip(asked, answers, strict=True):
            rows = self.value(answer, method)
            if not isinstance(rows, list) or len(rows) != len(some):
                raise self._nonsense(method)
            found += [None if row is None else self._account(row, method) for row in rows]
        return tuple(found)

    async def mint(self, address: str) -> Mint:
        """The mint at an address.

        Raises:
            NetworkError: there is none.
            TransportError: no answer, or one that is no account.
        """
        account = await self.account(address)
        if account is None or not account.mint or account.data[44] > MAX_DECIMALS:
            raise NetworkError("Unsupported token", details=f"{self._chain}:{address} is no mint")
        return Mint(account.program, account.data[44])

    async def holdings(self, owner: str, which: Mapping[str, str]) -> tuple[Holding, ...]:
        """Token accounts of an owner.

        Args:
            owner: a checked address.
            which: `{"mint": …}` or `{"programId": …}`.

        Raises:
            TransportError: no answer, or one that is no list of token accounts.
        """
        method = "getTokenAccountsByOwner"
        config = {
            "encoding": "base64",
            "commitment": _COMMITMENT,
            "dataSlice": {"offset": 0, "length": _HEAD},
        }
        rows = self.value(await self.ask(method, [owner, which, config]), method)
        if not isinstance(rows, list) or len(rows) > MAX_ACCOUNTS:
            raise self._nonsense(method)
        found = await asyncio.to_thread(self._holdings, rows) if len(rows) > 100 else self._holdings(rows)
        return tuple(holding for holding in found if holding.owner == owner)

    async def ask(self, method: str, params: Sequence[object] = ()) -> object:
        """The unchecked `result` of a method. Raises TransportError."""
        return await self._transport.request(method, params)

    def value(self, result: object, method: str) -> object:
        """The `value` of a result that names the slot that it is of.

        Raises:
            MalformedResponseError: there is none.
        """
        if not isinstance(result, Mapping) or "value" not in result:
            raise self._nonsense(method)
        value: object = result["value"]
        return value

    def whole(self, value: object, method: str) -> int:
        """A number of 64 bits without sign.

        Raises:
            MalformedResponseError: it is none.
        """
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_U64:
            raise self._nonsense(method)
        return value

    def _holdings(self, rows: list[object]) -> list[Holding]:
        try:
            return [_holding(row) for row in rows]
        except _UNREADABLE as error:
            raise self._nonsense("getTokenAccountsByOwner") from error

    def _account(self, value: object, method: str) -> Account:
        try:
            return _account(value)
        except _UNREADABLE as error:
            raise self._nonsense(method) from error

    def _nonsense(self, method: str) -> MalformedResponseError:
        return MalformedResponseError(url=str(self._chain), details=f"{method} answered with something else")


def read_holding(address: str, account: Account) -> Holding:
    """The token account that an account is.

    Raises:
        ValueError: its bytes are too few.
    """
    data = account.data
    if len(data) < _HEAD:
        raise ValueError("too short for a token account")
    (amount,) = struct.unpack_from("<Q", data, 64)
    mint, owner = base58.b58encode(data[:32]).decode(), base58.b58encode(data[32:64]).decode()
    return Holding(address, mint, owner, amount, frozen=data[108] == _FROZEN)


def _holding(row: object) -> Holding:
    if not isinstance(row, Mapping) or not isinstance(row["pubkey"], str):
        raise TypeError("no row")
    address: str = row["pubkey"]
    if not is_address("solana", address):
        raise ValueError("no address")
    return read_holding(address, _account(row["account"]))


def _account(value: object) -> Account:
    if not isinstance(value, Mapping) or not isinstance(value["owner"], str) or not isinstance(value["data"], list):
        raise TypeError("no account")
    text, encoding = value["data"]
    if encoding != "base64" or not isinstance(text, str):
        raise ValueError("another encoding")
    return Account(value["owner"], base64.b64decode(text, validate=True), value.get("executable") is True)


def _is_kind(data: bytes, size: int, kind: int) -> bool:
    """Whether the bytes are of that size or, with the extensions of Token-2022, say that they are of that kind."""
    return len(data) == size or (len(data) > _KIND_AT and data[_KIND_AT] == kind)

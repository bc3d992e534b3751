"""What a modal tells a host's server of accounts: balances, tokens, activity. Amounts are exact: integers of base units, and `Decimal`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, TypeVar

from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import INVALID_PARAMS
from walletmodal.core.errors.sign_in import ModalUnreachableError

T = TypeVar("T")


class AccountUnknownError(WalletModalError):
    """The modal can say nothing of an account: it is no CAIP-10 id, or of a network that the deployment does not offer or cannot ask about."""

    name = "AccountUnknownError"
    default_code = INVALID_PARAMS

    def __init__(self, account: str) -> None:
        super().__init__("The modal knows nothing of this account", details=account[:200])


@dataclass(frozen=True, slots=True)
class Balance:
    """How much there is of the native coin.

    Attributes:
        account: CAIP-10.
        value: base units.
        formatted: whole units, rounded down to three decimals, without commas.
        usd: what all of it is worth; None where nobody knows.
    """

    account: str
    symbol: str
    decimals: int
    value: int
    formatted: str
    usd: Decimal | None


@dataclass(frozen=True, slots=True)
class Token:
    """How much there is of a token.

    Attributes:
        token: CAIP-10 id of the contract; None for the native coin.
        value, formatted, usd: as of a `Balance`.
        price: of one, in US dollars; None where nobody knows.
    """

    token: str | None
    name: str
    symbol: str
    decimals: int
    value: int
    formatted: str
    usd: Decimal | None
    price: Decimal | None


@dataclass(frozen=True, slots=True)
class Transfer:
    """One movement of a transaction.

    Attributes:
        direction: `in`, `out` or `self`; None where nobody knows.
        kind: `token` or `nft`.
        amount: whole units, exactly; None where nobody knows, as of most NFTs.
        usd: what it was worth at the time.
    """

    direction: str | None
    kind: str
    name: str | None
    symbol: str | None
    amount: Decimal | None
    usd: Decimal | None


@dataclass(frozen=True, slots=True)
class Transaction:
    """What an account did.

    Attributes:
        type: such as `send`, `receive`, `trade`, `approve`.
        status: `confirmed`, `failed` or `pending`.
        sender, receiver: plain addresses; empty where nobody knows.
    """

    id: str
    hash: str
    type: str
    status: str
    at: datetime
    sender: str
    receiver: str
    transfers: tuple[Transfer, ...]


@dataclass(frozen=True, slots=True)
class Activity:
    """A page of transactions, the newest first; `next` leads to the next one, and is None on the last."""

    transactions: tuple[Transaction, ...]
    next: str | None


def read_balance(found: object) -> Balance:
    """The answer of `GET /v1/accounts/{account}/balance`.

    Raises:
        ModalUnreachableError: it is none.
    """
    return _read(found, lambda told: Balance(account=_text(told["account"]), **_amount(told)))


def read_tokens(found: object) -> tuple[Token, ...]:
    """The answer of `GET /v1/accounts/{account}/tokens`.

    Raises:
        ModalUnreachableError: it is none.
    """
    return _read(found, lambda told: tuple(map(_token, told["tokens"])))


def read_activity(found: object) -> Activity:
    """The answer of `GET /v1/accounts/{account}/activity`.

    Raises:
        ModalUnreachableError: it is none.
    """
    return _read(found, lambda told: Activity(tuple(map(_transaction, told["transactions"])), _maybe(told["next"])))


def _read(found: Any, read: Callable[[Any], T]) -> T:
    try:
        return read(found)
    except (KeyError, TypeError, ValueError, ArithmeticError) as error:
        raise ModalUnreachableError(f"an answer of another form: {type(error).__name__}") from error


def _amount(told: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "symbol": _text(told["symbol"]),
        "decimals": int(told["decimals"]),
        "value": _units(told["value"]),
        "formatted": _text(told["formatted"]),
        "usd": _number(told["usd"]),
    }


def _token(told: Mapping[str, Any]) -> Token:
    return Token(token=_maybe(told["token"]), name=_text(told["name"]), price=_number(told["price"]), **_amount(told))


def _transaction(told: Mapping[str, Any]) -> Transaction:
    return Transaction(
        id=_text(told["id"]),
        hash=_text(told["hash"]),
        type=_text(told["type"]),
        status=_text(told["status"]),
        at=datetime.fromisoformat(_text(told["at"])),
        sender=_text(told["from"]),
        receiver=_text(told["to"]),
        transfers=tuple(map(_transfer, told["transfers"])),
    )


def _transfer(told: Mapping[str, Any]) -> Transfer:
    return Transfer(
        direction=_maybe(told["direction"]),
        kind=_text(told["kind"]),
        name=_maybe(told["name"]),
        symbol=_maybe(told["symbol"]),
        amount=_number(told["amount"]),
        usd=_number(told["usd"]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _maybe(value: object) -> str | None:
    return None if value is None else _text(value)


def _units(value: object) -> int:
    text = _text(value)
    if not (text.isascii() and text.isdigit()):
        raise ValueError("no base units")
    return int(text)


def _number(value: object) -> Decimal | None:
    """An exact number. What is written with a point as JSON's would have lost digits by now."""
    return None if value is None else Decimal(_text(value))

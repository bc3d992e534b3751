"""Network fee of calls whose owner may pay it in a token: what there is to choose, and the most that it takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, TypedDict

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors.operations import TokenFundsError
from walletmodal.core.language import _
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.core.text.amounts import to_decimal
from walletmodal.core.text.formatting import format_amount, format_exact
from walletmodal.deployment import deployment
from walletmodal.features.embedded.operations import PaidOperation, prepare_in_token
from walletmodal.features.embedded.payers import FeeOption
from walletmodal.services.smart_accounts.signing import from_record, to_record

FRESH_SECONDS: Final = 60.0
"""For how long a fee may be agreed to once it is worked out: prices move on."""
_SHOWN_DECIMALS: Final = 6

FeePhase = Literal["", "working", "known", "short", "failed"]
"""short: there is not enough of the token. failed: nobody could say what it takes."""


class FeeRow(TypedDict):
    """What the fee may be paid in: the contract, "" for the network's coin, its symbol, and how much of it there is."""

    token: str
    symbol: str
    held: str


class Fee(TypedDict):
    """The fee as it is shown. `token`: of the row that is chosen; `text`: the most that it takes of a token, or why it cannot be paid in it."""

    rows: list[FeeRow]
    token: str
    text: str
    phase: FeePhase


class TokenFee(TypedDict):
    """A fee in a token that was worked out, JSON. `most`: that it takes, as text; `at`: when, in Unix time."""

    chain: str
    operation: dict[str, Any]
    height: int
    most: str
    at: float


def offer_fees(options: Sequence[FeeOption]) -> Fee | dict[str, Any]:
    """Makes the choice, which begins with the first option that is enough; empty where there is none."""
    if not options:
        return {}
    chosen = next((one["token"] for one in options if one["enough"]), "")
    rows: list[FeeRow] = [{"token": one["token"], "symbol": one["symbol"], "held": _held_text(one)} for one in options]
    return Fee(rows=rows, token=chosen, text="", phase="working" if chosen else "")


async def work_out_fee(found: HostedRequest, option: FeeOption, owner: str) -> TokenFee:
    """Works the operation of a request out whose fee is taken in a token; `owner`: of the Safe that the account is, "" for none.

    Raises:
        TokenFundsError: it may take more than there is.
        OperationError: the token is not taken, or the operation would fail.
        NotConfiguredError, TransportError: somebody cannot be asked.
    """
    paid = await prepare_in_token(found, option["token"], owner)
    most = paid.prepared.token_most
    if most > int(option["held"]):
        raise TokenFundsError(str(most))
    return TokenFee(
        chain=str(found.chain),
        operation=to_record(paid.prepared),
        height=paid.height,
        most=_("{amount} {symbol}", amount=_most_text(most, option["decimals"]), symbol=option["symbol"]),
        at=deployment().clock.now().timestamp(),
    )


def is_fresh(fee: TokenFee) -> bool:
    """Whether a fee may still be agreed to."""
    return deployment().clock.now().timestamp() - fee["at"] <= FRESH_SECONDS


def read_token_fee(fee: TokenFee) -> PaidOperation:
    """Reads the operation of a fee."""
    return PaidOperation(from_record(parse_chain_id(fee["chain"]), fee["operation"]), fee["height"])


def _held_text(option: FeeOption) -> str:
    held = format_amount(to_decimal(int(option["held"]), option["decimals"]))
    return _("{amount} {symbol}", amount=held, symbol=option["symbol"])


def _most_text(units: int, decimals: int) -> str:
    """Rounded up, so that it stays the most."""
    hidden = max(0, decimals - _SHOWN_DECIMALS)
    return format_exact(to_decimal(-(-units // 10**hidden), decimals - hidden))

"""Texts of a preview."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Final, TypedDict

from walletmodal.core.accounts.tokens import TokenBalance
from walletmodal.core.chains.addresses import avatar, truncate
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.language import _
from walletmodal.core.text.amounts import to_decimal
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.text.formatting import format_exact, format_usd
from walletmodal.core.transfers.fees import FeeQuote, fee_value
from walletmodal.core.transfers.receiver_checks import Receiver
from walletmodal.core.transfers.send import Transfer
from walletmodal.core.transfers.simulation import Moved, Simulation
from walletmodal.features.send.tokens import find_token, symbol
from walletmodal.services.chains.adapter import PreparedTransfer

GROUP: Final = 4
MORE: Final[str] = _("and more than can be shown here")
_FEE_DIGITS: Final = 4
_CENT: Final = Decimal("0.01")


class SpeedRow(TypedDict):
    """One speed: its name, and the most that it costs."""

    speed: str
    fee: str


class Plan(TypedDict):
    """What the preview says. All of it is text, and none of it is believed: what is signed is kept apart."""

    amount: str
    symbol: str
    icon: str
    worth: str
    to: list[str]
    address: str
    name: str
    image: str
    avatar: str
    first: str
    own: bool
    warnings: list[str]
    resembles: list[str]
    unchecked: list[str]
    fee: str
    fee_worth: str
    payer: str
    payer_icon: str
    unpaid: str
    data_fee: bool
    speeds: list[SpeedRow]
    simulated: bool
    leaves: list[str]
    arrives: list[str]
    failure: str
    accepts: bool


PLAN_FIELDS: Final = frozenset(Plan.__annotations__)


def address_groups(address: str) -> list[str]:
    """Splits an address into groups that an eye can compare; the prefix stands with the first."""
    prefix = 2 if address.startswith("0x") else 0
    body = address[prefix:]
    parts = [body[at : at + GROUP] for at in range(0, len(body), GROUP)]
    return [address[:prefix] + parts[0], *parts[1:]] if parts else []


def dollar_text(value: Decimal | None) -> str:
    """Formats a worth, "" where nobody knows; what is less than a cent says so."""
    if value is None:
        return ""
    return _("< {amount}", amount=format_usd(_CENT)) if 0 < value < _CENT else format_usd(value)


def fee_text(fee: int, decimals: int, name: str) -> str:
    """Formats a fee in coins: its first four digits that are not zero, rounded up."""
    exact = to_decimal(fee, decimals)
    if exact and exact.adjusted() < 0:
        step = Decimal(1).scaleb(exact.adjusted() - _FEE_DIGITS + 1)
        exact = exact if exact == exact.quantize(step) else exact.quantize(step, rounding="ROUND_UP")
    return _("{amount} {symbol}", amount=format_exact(exact), symbol=name)


def movement_text(moved: Moved, chain: ChainId, tokens: Iterable[TokenBalance]) -> str:
    """Describes a movement; of a token that the account does not list, only where it lives."""
    if moved.token_id is not None:
        identity = clean_text(str(moved.token_id), limit=20)
        return _("NFT {id} of {contract}", id=identity, contract=truncate(moved.token or ""))
    key = str(chain) if moved.token is None else f"{chain}:{moved.token}"
    token = find_token(tokens, chain, key)
    if token is None:
        return _("An unknown token ({contract})", contract=truncate(moved.token or ""))
    amount = format_exact(to_decimal(moved.amount, token.quantity.decimals))
    return _("{amount} {symbol}", amount=amount, symbol=symbol(token))


def build_plan(
    transfer: Transfer,
    receiver: Receiver,
    built: PreparedTransfer | None,
    simulation: Simulation,
    tokens: Sequence[TokenBalance],
    *,
    icon: str,
    image: str,
    payer: str = "",
    payer_icon: str = "",
    unpaid: str = "",
) -> Plan:
    """Builds the texts of a preview.

    Args:
        transfer: what is sent.
        receiver: to whom, as examined.
        built: the transaction, and what it costs at each speed; None where none could be built, which `simulation` says why.
        simulation: what it would do.
        tokens: what the account owns, for names.
        icon: path of the token's picture, or "".
        image: path of the receiver's picture, or "".
        payer: who pays the fee in the account's place, or "".
        payer_icon: their picture, or "".
        unpaid: why nobody does who might, or "".
    """
    token, chain = transfer.token, transfer.chain
    amount = to_decimal(transfer.base_units, token.quantity.decimals)
    coin = find_token(tokens, chain, str(chain)) or token
    unit, decimals = symbol(coin), coin.quantity.decimals
    quote = FeeQuote() if built is None or payer else built.quote
    fee = None if built is None or payer else built.fee
    cut: list[str] = [MORE] if simulation.cut else []
    return {
        "amount": format_exact(amount),
        "symbol": symbol(token),
        "icon": icon,
        "worth": dollar_text(fee_value(transfer.base_units, token.quantity.decimals, token.price)),
        "to": address_groups(receiver.address),
        "address": receiver.address,
        "name": receiver.name,
        "image": image,
        "avatar": avatar(receiver.address).background,
        "first": {True: "first", False: "known", None: "unchecked"}[receiver.first_time],
        "own": receiver.own,
        "warnings": list(receiver.warnings),
        "resembles": address_groups(receiver.resembles),
        "unchecked": list(receiver.unchecked),
        "fee": "" if fee is None else fee_text(fee, decimals, unit),
        "fee_worth": "" if fee is None else dollar_text(fee_value(fee, decimals, coin.price)),
        "payer": payer,
        "payer_icon": payer_icon,
        "unpaid": unpaid,
        "data_fee": quote.data_fee,
        "speeds": [
            {"speed": speed, "fee": dollar_text(fee_value(quote.of(speed).most, decimals, coin.price))}
            for speed in quote.speeds
        ],
        "simulated": simulation.ran,
        "leaves": [*(movement_text(one, chain, tokens) for one in simulation.leaves), *cut],
        "arrives": [movement_text(one, chain, tokens) for one in simulation.arrives],
        "failure": simulation.failure,
        "accepts": bool(receiver.warnings or simulation.failure),
    }

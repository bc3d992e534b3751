"""Swaps as the blockchain service describes them. Amounts are base units."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from walletmodal.core.parsing.shapes import (
    BaseUnits,
    Caip10,
    Decimals,
    HexData,
    IdText,
    Name,
    Picture,
    Shape,
    Truth,
    read_all,
    read_field,
    read_rows,
    read_shape,
)


class SwapToken(Shape):
    """One token that can be swapped. `eip2612`: whether it takes permits; None where nobody knows."""

    name: Name
    symbol: Name
    address: Caip10
    decimals: Decimals
    logo_uri: Picture = ""
    eip2612: Truth | None = None


def parse_swap_tokens(raw: object) -> tuple[SwapToken, ...]:
    """The answer of `GET /v1/convert/tokens`; a token that is wrong is left out.

    Raises:
        ShapeError: no list of tokens, or none of them is right.
    """
    return read_rows(read_field(raw, "tokens", of="tokens"), lambda row: read_shape(SwapToken, row), of="tokens")


class SwapQuote(Shape):
    """What `from_amount` of one token brings of another; accounts are CAIP-10 ids of the tokens."""

    id: IdText | None = None
    from_amount: BaseUnits
    from_account: Caip10
    to_amount: BaseUnits
    to_account: Caip10


def parse_swap_quotes(raw: object) -> tuple[SwapQuote, ...]:
    """The answer of `GET /v1/convert/quotes`, the best first.

    Raises:
        ShapeError: no list of quotes, or one of them is wrong.
    """
    return read_all(read_field(raw, "quotes", of="quotes"), lambda row: read_shape(SwapQuote, row), of="quotes")


class Allowance(Shape):
    """A token's allowance for the swap contract."""

    allowance: BaseUnits


def parse_allowance(raw: object) -> int:
    """The answer of `GET /v1/convert/allowance`, in base units.

    Raises:
        ShapeError: it names no amount.
    """
    return read_shape(Allowance, raw).allowance


class GasPrice(Shape):
    """Prices of gas in wei; on Solana in lamports."""

    standard: BaseUnits
    fast: BaseUnits
    instant: BaseUnits


def parse_gas_price(raw: object) -> GasPrice:
    """The answer of `GET /v1/convert/gas-price`.

    Raises:
        ShapeError: one of the three is no amount.
    """
    return read_shape(GasPrice, raw)


class Eip155Gas(Shape):
    """Gas of a transaction; None where the service leaves it to the wallet. `gas_price` is in wei."""

    gas: BaseUnits | None = None
    gas_price: BaseUnits | None = None


class SwapTransaction(Shape):
    """The transaction that swaps: for `to`, with `data`. `amount` is that of the source token."""

    sender: Annotated[Caip10, Field(alias="from")]
    to: Caip10
    data: HexData
    amount: BaseUnits
    eip155: Eip155Gas = Eip155Gas()

    @property
    def contract(self) -> str:
        """The plain address that is called."""
        return _plain(self.to)


class ApprovalTransaction(Shape):
    """The transaction that lets the swap contract take the source token.

    The service echoes the query: `from` is the source token, which is what has to be called, and `to` is the other token.
    """

    token: Annotated[Caip10, Field(alias="from")]
    to: Caip10
    data: HexData
    value: Annotated[BaseUnits, BeforeValidator(lambda value: value or "0")] = 0
    eip155: Eip155Gas = Eip155Gas()

    @property
    def contract(self) -> str:
        """The plain address that is called: the token's."""
        return _plain(self.token)


def _plain(caip10: str) -> str:
    return caip10.rpartition(":")[2]


def parse_swap_transaction(raw: object) -> SwapTransaction:
    """The answer of `POST /v1/convert/build-transaction`.

    Raises:
        ShapeError: names the first field that is wrong.
    """
    return read_shape(SwapTransaction, read_field(raw, "tx", of="transaction"))


def parse_approval_transaction(raw: object) -> ApprovalTransaction:
    """The answer of `GET /v1/convert/build-approve`.

    Raises:
        ShapeError: names the first field that is wrong.
    """
    return read_shape(ApprovalTransaction, read_field(raw, "tx", of="transaction"))

"""Token balances of the blockchain service and of wallets."""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal, localcontext
from typing import Annotated, Final, Literal

from pydantic import Field

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import ShapeError
from walletmodal.core.parsing.shapes import (
    MAX_ROWS,
    Caip2,
    Caip10,
    Decimals,
    DecimalsText,
    Name,
    Number,
    NumberText,
    Picture,
    PictureText,
    Shape,
    read_field,
    read_rows,
    read_shape,
)
from walletmodal.core.text.amounts import to_decimal

NATIVE_ASSET: Final = "native"
_MAX_BALANCE: Final = 2**256
_EXACT: Final = 400
"""Digits that no sum of checked values exceeds."""
_HEX_BALANCE: Final = re.compile(r"0[xX][0-9a-fA-F]{1,94}")


class Quantity(Shape):
    """An amount in the unit that people read; `decimals` is the exponent between base units and that unit."""

    decimals: DecimalsText
    numeric: Annotated[NumberText, Field(ge=0)]


class TokenBalance(Shape):
    """One token of an account.

    Attributes:
        chain_id: CAIP-2 id; None where the service does not say.
        address: CAIP-10 id of the contract; None for the native coin.
        value: worth of all of it, and `price` of one, in US dollars; None where nobody knows.
    """

    name: Name
    symbol: Name
    chain_id: Caip2 | None = None
    address: Caip10 | None = None
    value: Number | None = None
    price: Number | None = None
    quantity: Quantity
    icon_url: Picture = ""

    @property
    def is_native(self) -> bool:
        """Whether it is the native coin."""
        return self.address is None


def parse_token_balance(raw: object) -> TokenBalance:
    """One entry of `GET /v1/account/{address}/balance`.

    Raises:
        ShapeError: names the first field that is wrong.
    """
    return read_shape(TokenBalance, raw)


def parse_token_balances(raw: object) -> tuple[TokenBalance, ...]:
    """The answer of `GET /v1/account/{address}/balance`. Anybody can send anybody a token, so one with a wrong entry is left out.

    Raises:
        ShapeError: no list of balances, or none of them is right.
    """
    return read_rows(read_field(raw, "balances", of="balances"), parse_token_balance, of="balances")


def without_zero_decimals(balances: Iterable[TokenBalance]) -> tuple[TokenBalance, ...]:
    """The balances whose decimals are not '0'."""
    return tuple(balance for balance in balances if balance.quantity.decimals != 0)


def worth_sort_key(balance: TokenBalance) -> tuple[Decimal, bool, str]:
    """Sort key of balances: the most valuable first, then the native coin, then by symbol."""
    return (-(balance.value or Decimal(0)), not balance.is_native, balance.symbol.casefold())


def total_value(balances: Iterable[TokenBalance]) -> Decimal:
    """Sums up the worth in US dollars; a missing value counts as none."""
    with localcontext() as context:
        context.prec = _EXACT
        return sum((balance.value or Decimal(0) for balance in balances), Decimal(0))


class AssetMetadata(Shape):
    """What a wallet says about a token. `value` is what all of it is worth, in US dollars."""

    name: Name
    symbol: Name
    decimals: Number
    price: Number
    icon_url: PictureText
    value: Number | None = None


class WalletAsset(Shape):
    """One asset of a wallet's `wallet_getAssets` answer (ERC-7811).

    Attributes:
        address: of the contract, or `native`.
        balance: base units as a hexadecimal text.
    """

    address: str
    balance: Annotated[str, Field(max_length=96)]
    type: Literal["ERC20", "NATIVE"]
    metadata: AssetMetadata


def parse_wallet_asset(raw: object) -> WalletAsset:
    """One asset of a wallet.

    Valid means: text address and balance, type ERC20 or NATIVE, metadata with text name, symbol and iconUrl, and numeric decimals and
    price.

    Raises:
        ShapeError: names the first field that is wrong.
    """
    return read_shape(WalletAsset, raw)


def parse_wallet_assets(raw: object) -> dict[str, tuple[WalletAsset, ...]] | None:
    """A wallet's answer to `wallet_getAssets` by hexadecimal chain id, or None when it is to be ignored: one wrong entry spoils it all.

    An empty object is valid.
    """
    if not isinstance(raw, Mapping) or len(raw) > MAX_ROWS:
        return None
    read: dict[str, tuple[WalletAsset, ...]] = {}
    for chain, assets in raw.items():
        if not isinstance(chain, str) or not isinstance(assets, list) or len(assets) > MAX_ROWS:
            return None
        try:
            read[chain.lower()] = tuple(parse_wallet_asset(asset) for asset in assets)
        except ShapeError:
            return None
    return read


def asset_balance(asset: WalletAsset, chain: ChainId) -> TokenBalance:
    """Converts a wallet's asset to a balance on a network.

    Raises:
        ShapeError: its balance or decimals are no numbers that a token can have, or its address is none.
    """
    decimals = asset.metadata.decimals
    if decimals != decimals.to_integral_value() or not 0 <= decimals <= 36:
        raise ShapeError("WalletAsset.metadata.decimals: must be 0 to 36")
    if not _HEX_BALANCE.fullmatch(asset.balance):
        raise ShapeError("WalletAsset.balance: must be a hexadecimal number")
    base_units = int(asset.balance, 16)
    if base_units >= _MAX_BALANCE:
        raise ShapeError("WalletAsset.balance: is too large")
    return read_shape(
        TokenBalance,
        {
            "name": asset.metadata.name,
            "symbol": asset.metadata.symbol,
            "chainId": str(chain),
            "address": None if asset.address == NATIVE_ASSET or asset.type == "NATIVE" else f"{chain}:{asset.address}",
            "value": asset.metadata.value or Decimal(0),
            "price": asset.metadata.price,
            "quantity": {
                "decimals": str(int(decimals)),
                "numeric": format(to_decimal(base_units, int(decimals)), "f"),
            },
            "iconUrl": asset.metadata.icon_url,
        },
    )


def asset_balances(assets: Iterable[WalletAsset], chain: ChainId) -> tuple[TokenBalance, ...]:
    """The balances of a wallet's assets on a network, without those of zero decimals.

    Raises:
        ShapeError: as `asset_balance`.
    """
    return without_zero_decimals(asset_balance(asset, chain) for asset in assets)


class FungiblePrice(Shape):
    """What one of a token costs in US dollars. `address` is its CAIP-10 id."""

    address: Caip10
    name: Name
    symbol: Name
    icon_url: Picture = ""
    price: Number
    decimals: Decimals | None = None


def parse_fungible_prices(raw: object) -> tuple[FungiblePrice, ...]:
    """The answer of `POST /v1/fungible/price`.

    Raises:
        ShapeError: no list of prices, or none of them is right.
    """
    fungibles = read_field(raw, "fungibles", of="prices")
    return read_rows(fungibles, lambda row: read_shape(FungiblePrice, row), of="prices")

"""Buying with a card."""

import json
from decimal import Decimal
from functools import lru_cache
from importlib.resources import files
from typing import Annotated, Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from pydantic import Field

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.constants import COINBASE_PAY_DEFAULT_CHAIN, RESTRICTED_TIMEZONES
from walletmodal.core.errors import AmountError, ShapeError
from walletmodal.core.language import _
from walletmodal.core.parsing.shapes import IdText, Name, NumberText, Shape, SnakeShape, read_field, read_shape
from walletmodal.core.parsing.urls import is_secure_url
from walletmodal.core.text.amounts import parse_units

COINBASE: Final = "coinbase"
MELD: Final = "meld"
DEFAULT_TOKEN: Final = "USDC"  # noqa: S105 (a symbol, no secret)
DEFAULT_CURRENCY: Final = "USD"
MOCK_QUOTE_ID: Final = "mocked-quote-id"
_FIAT_DECIMALS: Final = 2


class PaymentLimit(SnakeShape):
    """What one way of paying allows, in the payment currency."""

    id: IdText
    min: NumberText
    max: NumberText

    def allows(self, amount: Decimal) -> bool:
        """Whether the amount is within both limits."""
        return self.min <= amount <= self.max


class PaymentCurrency(SnakeShape):
    """Money that one pays with; `id` is its ISO 4217 code."""

    id: IdText
    payment_method_limits: Annotated[tuple[PaymentLimit, ...], Field(max_length=64)]


class PurchaseNetwork(SnakeShape):
    """A network on which a currency can be bought."""

    name: IdText
    display_name: Name
    chain_id: Annotated[str, Field(max_length=64)] = ""
    contract_address: Annotated[str, Field(max_length=128)] = ""


class PurchaseCurrency(SnakeShape):
    """What one buys."""

    id: IdText
    name: Name
    symbol: IdText
    networks: Annotated[tuple[PurchaseNetwork, ...], Field(max_length=256)] = ()


class OnrampOptions(Shape):
    """What can be paid with, and what can be bought."""

    payment_currencies: Annotated[tuple[PaymentCurrency, ...], Field(max_length=512)]
    purchase_currencies: Annotated[tuple[PurchaseCurrency, ...], Field(max_length=5000)]


class Money(SnakeShape):
    """An amount of a currency."""

    amount: NumberText
    currency: IdText


class OnrampQuote(Shape):
    """What a purchase costs, in full."""

    coinbase_fee: Money
    network_fee: Money
    payment_subtotal: Money
    payment_total: Money
    purchase_amount: Money
    quote_id: IdText

    @property
    def is_mock(self) -> bool:
        """Whether no service has made it."""
        return self.quote_id == MOCK_QUOTE_ID


def parse_onramp_options(raw: object) -> OnrampOptions:
    """The answer of `GET /v1/onramp/options`.

    Raises:
        ShapeError: names the first field that is wrong.
    """
    return read_shape(OnrampOptions, raw)


def parse_onramp_quote(raw: object) -> OnrampQuote:
    """The answer of `POST /v1/onramp/quote`.

    Raises:
        ShapeError: names the first field that is wrong.
    """
    return read_shape(OnrampQuote, raw)


def parse_onramp_url(raw: object) -> str:
    """The answer of `POST /v1/generators/onrampurl`: the https page where one pays.

    Raises:
        ShapeError: no URL, or one that is not safe to open.
    """
    url = read_field(raw, "url", of="onrampurl")
    if not isinstance(url, str) or not is_secure_url(url):
        raise ShapeError("onrampurl.url: must be an https URL")
    return url


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(files("walletmodal.core").joinpath("data/onramp.json").read_text("utf-8"))
    return read


@lru_cache(maxsize=1)
def fallback_options() -> OnrampOptions:
    """The options where the service has none: USDC and ETH, card 10 to 7500, bank account 10 to 25000."""
    return parse_onramp_options(_table()["fallbackOptions"])


def mock_quote(amount: Decimal, currency: str) -> OnrampQuote:
    """The quote where the service makes none: every amount is the one that was entered, under a placeholder id."""
    money = read_shape(Money, {"amount": format(amount, "f"), "currency": currency})
    return OnrampQuote(
        coinbase_fee=money,
        network_fee=money,
        payment_subtotal=money,
        payment_total=money,
        purchase_amount=money,
        quote_id=MOCK_QUOTE_ID,
    )


def check_payment(amount: str, currency: PaymentCurrency) -> Decimal:
    """The amount that was typed, when at least one way of paying takes it.

    Raises:
        AmountError: no amount, or outside every limit.
    """
    cents = parse_units(amount, _FIAT_DECIMALS)
    entered = Decimal(cents).scaleb(-_FIAT_DECIMALS)
    limits = currency.payment_method_limits
    if limits and not any(limit.allows(entered) for limit in limits):
        least, most = min(limit.min for limit in limits), max(limit.max for limit in limits)
        raise AmountError(_("The amount is outside the limits"), details=f"{least} to {most} {currency.id}")
    return entered


class OnrampProvider(Shape):
    """One who sells.

    Attributes:
        fee_range: as it is shown.
        supported_chains: the namespaces that it sells to.
    """

    label: Name
    name: IdText
    fee_range: Name
    supported_chains: tuple[Namespace, ...]


@lru_cache(maxsize=1)
def onramp_providers() -> tuple[OnrampProvider, ...]:
    """The providers, in the order in which they are shown."""
    return tuple(read_shape(OnrampProvider, row) for row in _table()["providers"])


def sellers(namespace: Namespace, *, has_service: bool, has_meld_key: bool) -> tuple[OnrampProvider, ...]:
    """The providers that sell to accounts of a namespace.

    Args:
        namespace: of the account.
        has_service: whether there is a blockchain service, which makes Coinbase's pages.
        has_meld_key: whether the deployment has a key of Meld.
    """
    there = {COINBASE: has_service, MELD: has_meld_key}
    return tuple(
        provider for provider in onramp_providers() if there[provider.name] and namespace in provider.supported_chains
    )


def meld_page(base: str, *, public_key: str, namespace: Namespace, token: str, address: str) -> str:
    """Meld's page for one account, made afresh: what a base says of the same parameters is replaced, never followed by ours.

    Args:
        base: the provider's page.
        public_key: of the deployment.
        namespace: of the account.
        token: symbol of what is bought; on Solana it is SOL whatever the symbol.
        address: plain address that gets it.

    Raises:
        ShapeError: the page is not safe to open.
    """
    parts = urlsplit(base)
    own = {
        "publicKey": public_key,
        "destinationCurrencyCode": "SOL" if namespace == "solana" else token,
        "walletAddress": address,
    }
    others = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name not in own]
    url = urlunsplit((parts.scheme, parts.netloc, parts.path or "/", urlencode([*others, *own.items()]), ""))
    if not is_secure_url(url):
        raise ShapeError("meld: must be an https URL")
    return url


def pays_on(network_name: str) -> bool:
    """Whether Coinbase delivers on a network."""
    return network_name in _table()["payChainByNetworkName"]


def pay_chain(network_name: str) -> str:
    """The provider's word for a network, such as `optimism` for `OP Mainnet`; `ethereum` for one that it does not know."""
    name: str = _table()["payChainByNetworkName"].get(network_name, COINBASE_PAY_DEFAULT_CHAIN)
    return name


def is_restricted_timezone(zone: str) -> bool:
    """Whether a visitor's IANA time zone is on the list of restricted ones."""
    return zone.upper() in RESTRICTED_TIMEZONES

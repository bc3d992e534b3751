"""Who buys, and the providers' pages and quotes for them. Nothing of a visitor's state is read or changed here but by `buyer`."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Literal, TypedDict

from walletmodal.config import network_table, settings
from walletmodal.core.chains.addresses import is_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.constants import COINBASE_PAY_CHAINS
from walletmodal.core.errors import AmountError, WalletModalError
from walletmodal.core.language import _
from walletmodal.core.namespaces.registry import has_feature
from walletmodal.core.text.formatting import format_exact
from walletmodal.core.transfers.onramp import (
    COINBASE,
    DEFAULT_TOKEN,
    OnrampOptions,
    OnrampProvider,
    PurchaseCurrency,
    check_payment,
    fallback_options,
    meld_page,
    pay_chain,
    pays_on,
    sellers,
)
from walletmodal.deployment import deployment
from walletmodal.features.account.active import active_namespace
from walletmodal.features.account.state import account
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.networks.state import picture
from walletmodal.services.blockchain import DestinationWallet
from walletmodal.services.http import Caller

logger = logging.getLogger(__name__)

MAX_PICTURES = 5
_DOLLAR = "USD"


class Offer(TypedDict):
    """A provider's row. `url`: its page, "" until it is ready; `failed`: it could not be had; `note`: where else it delivers."""

    id: str
    label: str
    fees: str
    networks: list[str]
    url: str
    failed: bool
    note: str


@dataclass(frozen=True, slots=True)
class PurchaseOrder:
    """What is to be bought: symbol, ISO 4217 code, and decimal text of the amount, "" for none."""

    token: str
    currency: str
    amount: str


@dataclass(frozen=True, slots=True)
class Quoted:
    """What an amount buys.

    Attributes:
        kind: `example` is none of a service's, and no price; "" where nothing was asked.
        gets: the amount and its symbol.
        problem: why nothing can be told.
    """

    kind: Literal["", "known", "example", "unavailable"] = ""
    gets: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Buyer:
    """An account for which something can be bought.

    Attributes:
        caller: the embed.
        chain: the active network.
        address: a plain address of its namespace.
    """

    caller: Caller
    chain: ChainId
    address: str

    @property
    def caip_address(self) -> str:
        """The account as CAIP-10."""
        return f"{self.chain}:{self.address}"

    @property
    def account(self) -> str:
        """The account whatever its network: a purchase is of all networks."""
        return f"{self.chain.namespace}:{self.address}"

    @property
    def sellers(self) -> tuple[OnrampProvider, ...]:
        """The providers that sell to it here."""
        held = deployment()
        key = bool(held.settings.meld_public_key)
        return sellers(self.chain.namespace, has_service=held.services.blockchain.configured, has_meld_key=key)


async def active_buyer(state: Any) -> Buyer | None:
    """Returns the active account on the active network; None where nothing can be bought for it."""
    namespace = await active_namespace(state)
    held = await account(state, namespace)
    chain = ChainId(namespace, held._chain) if held._chain else None
    if held.status != "connected" or chain is None or not has_feature(namespace, "onramp"):
        return None
    # The name of a network may be the wallet's to choose, and so may what it calls an address.
    if str(chain) not in settings().networks or not is_address(namespace, held.address):
        return None
    return Buyer((await state.get_state(EmbedState))._caller(), chain, held.address)


def list_offers(found: Buyer) -> list[Offer]:
    """Lists the providers; their pages are still to come."""
    elsewhere = not pays_on(network_table()[str(found.chain)].name)
    return [
        {
            "id": one.name,
            "label": one.label,
            "fees": one.fee_range,
            "networks": _pictures(one),
            "url": "",
            "failed": False,
            "note": _("Delivers on Ethereum") if one.name == COINBASE and elsewhere else "",
        }
        for one in found.sellers
    ]


async def fetch_offers(found: Buyer, order: PurchaseOrder) -> list[Offer]:
    """Fetches each provider's page; its row says where there is none."""
    pages = await asyncio.gather(*(_page(found, one, order) for one in found.sellers))
    return [{**row, "url": page, "failed": not page} for row, page in zip(list_offers(found), pages, strict=True)]


async def _page(found: Buyer, provider: OnrampProvider, order: PurchaseOrder) -> str:
    held = deployment()
    try:
        if provider.name != COINBASE:
            return meld_page(
                held.settings.meld_url,
                public_key=held.settings.meld_public_key,
                namespace=found.chain.namespace,
                token=order.token,
                address=found.address,
            )
        return await held.services.blockchain.onramp.url(
            found.caller,
            found.chain,
            [DestinationWallet(found.address, COINBASE_PAY_CHAINS, [order.token])],
            partner_user=found.address,
            default_network=pay_chain(network_table()[str(found.chain)].name),
            fiat_amount=_whole_dollars(order),
        )
    except WalletModalError as error:
        logger.info("no page of %s: %s", provider.name, error)
        return ""


def _whole_dollars(order: PurchaseOrder) -> int | None:
    """The amount that is filled in on the page, which takes whole dollars alone."""
    return int(order.amount) if order.currency == _DOLLAR and order.amount.isdecimal() else None


def _pictures(provider: OnrampProvider) -> list[str]:
    """Pictures of the deployment's networks that a provider delivers to."""
    table = network_table()
    offered = [table[chain] for chain in settings().networks]
    served = [
        network
        for network in offered
        if network.chain_namespace in provider.supported_chains
        and not network.testnet
        and (provider.name != COINBASE or pays_on(network.name))
    ]
    return [picture(network) for network in served[:MAX_PICTURES]]


async def fetch_options(found: Buyer) -> OnrampOptions:
    """Fetches what can be bought and paid with; the built-in examples where no service says."""
    try:
        return await deployment().services.blockchain.onramp.options(found.caller, found.chain)
    except WalletModalError:
        return fallback_options()


def are_examples(known: OnrampOptions) -> bool:
    """Whether the options are the built-in ones, which say nothing of what a provider sells."""
    return known == fallback_options()


def find_currency(known: OnrampOptions, symbol: str, chain: ChainId) -> PurchaseCurrency | None:
    """Finds what is bought under a symbol, on the active network if it is sold there."""
    named = [one for one in known.purchase_currencies if one.symbol == symbol]
    here = [
        one.model_copy(update={"networks": tuple(n for n in one.networks if n.chain_id == chain.reference)})
        for one in named
        if any(network.chain_id == chain.reference for network in one.networks)
    ]
    return next(iter((*here, *named)), None)


async def fetch_quote(found: Buyer, order: PurchaseOrder, known: OnrampOptions) -> Quoted:
    """Fetches what the amount buys; of an example no amount is told."""
    if not order.amount:
        return Quoted()
    payment = next((one for one in known.payment_currencies if one.id == order.currency), None)
    purchase = find_currency(known, order.token, found.chain)
    if payment is None or purchase is None:
        return Quoted("unavailable")
    try:
        amount = check_payment(order.amount, payment)
    except AmountError as error:
        return Quoted(
            "unavailable", problem=_("{problem}: {details}", problem=error.short_message, details=error.details)
        )
    try:
        told = await deployment().services.blockchain.onramp.quote(
            found.caller, found.chain, purchase=purchase, payment=payment, amount=amount
        )
    except WalletModalError:
        told = None
    if told is not None and told.is_mock:
        return Quoted("example", f"{format_exact(amount)} {payment.id}")
    if told is None or not _fits(told.purchase_amount.amount):
        return Quoted("unavailable")
    return Quoted("known", f"{format_exact(told.purchase_amount.amount)} {purchase.symbol}")


def _fits(amount: Decimal) -> bool:
    """Whether an amount is one that can be bought and shown."""
    exponent = amount.as_tuple().exponent
    return amount.is_finite() and 0 < amount < Decimal(10) ** 30 and isinstance(exponent, int) and exponent >= -36


def without_unsold(order: PurchaseOrder, known: OnrampOptions) -> tuple[PurchaseOrder, list[str]]:
    """Leaves out of an order what nobody sells or takes, as far as that is known, and says what."""
    if are_examples(known):
        return order, []
    left, wrong = order, list[str]()
    if known.purchase_currencies and all(one.symbol != order.token for one in known.purchase_currencies):
        symbols = [one.symbol for one in known.purchase_currencies]
        left = replace(left, token=DEFAULT_TOKEN if DEFAULT_TOKEN in symbols else symbols[0])
        wrong = [f"`token`: {order.token} is not sold"]
    if known.payment_currencies and all(one.id != order.currency for one in known.payment_currencies):
        left = replace(left, currency=known.payment_currencies[0].id)
        wrong = [*wrong, f"`currency`: nobody takes {order.currency}"]
    return left, wrong

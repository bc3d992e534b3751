"""Buying with a card. The public service has neither options nor quotes: the fallbacks are the usual case."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors.services import ServiceError
from walletmodal.core.transfers.onramp import (
    OnrampOptions,
    OnrampQuote,
    PaymentCurrency,
    PurchaseCurrency,
    fallback_options,
    mock_quote,
    parse_onramp_options,
    parse_onramp_quote,
    parse_onramp_url,
)
from walletmodal.services.blockchain.api import BlockchainApi
from walletmodal.services.http import Caller

OPTIONS_TTL: Final = 300.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DestinationWallet:
    """Where the bought currency goes: a plain address, the provider's words for the networks, symbols of the currencies."""

    address: str
    blockchains: Sequence[str]
    assets: Sequence[str]


class OnrampCalls:
    """Calls about purchases. Each raises `NotConfiguredError` without a service. `chain` is the active network."""

    def __init__(self, api: BlockchainApi) -> None:
        self._api = api

    async def url(
        self,
        caller: Caller,
        chain: ChainId,
        wallets: Sequence[DestinationWallet],
        *,
        partner_user: str,
        default_network: str = "",
        crypto_amount: int | None = None,
        fiat_amount: int | None = None,
    ) -> str:
        """The page where one pays; "" on a network that the service does not know.

        Args:
            caller: the embed.
            chain: the active network.
            wallets: at least one.
            partner_user: 32 to 50 characters by which the provider knows the buyer again: the address.
            default_network: the provider's word for the network that is chosen first.
            crypto_amount: what is filled in, whole units.
            fiat_amount: the same in money.

        Raises:
            ServiceError: it failed, or answered with no https URL.
        """
        if not await self._api.knows(caller, chain):
            return ""
        given = {
            "defaultNetwork": default_network or None,
            "presetCryptoAmount": crypto_amount,
            "presetFiatAmount": fiat_amount,
        }
        body = {
            "destinationWallets": [
                {"address": wallet.address, "blockchains": list(wallet.blockchains), "assets": list(wallet.assets)}
                for wallet in wallets
            ],
            "partnerUserId": partner_user,
            "defaultExperience": "buy",
            **{name: value for name, value in given.items() if value is not None},
        }
        return await self._api.send(caller, "/v1/generators/onrampurl", body, parse_onramp_url)

    async def options(self, caller: Caller, chain: ChainId) -> OnrampOptions:
        """What can be paid with and bought, kept for 5 minutes; the built-in options when the service has none.

        Empty on a network that the service does not know.
        """
        if not await self._api.knows(caller, chain):
            return OnrampOptions(payment_currencies=(), purchase_currencies=())
        try:
            return await self._api.lookup(caller, "/v1/onramp/options", parse_onramp_options, ttl=OPTIONS_TTL)
        except ServiceError as error:
            logger.info("the built-in purchase options are used: %s", error)
            return fallback_options()

    async def quote(
        self,
        caller: Caller,
        chain: ChainId,
        *,
        purchase: PurchaseCurrency,
        payment: PaymentCurrency,
        amount: Decimal,
    ) -> OnrampQuote | None:
        """What a purchase costs; a mock quote when the service makes none (`OnrampQuote.is_mock`).

        Args:
            caller: the embed.
            chain: the active network.
            purchase: what is bought.
            payment: what is paid with.
            amount: of the payment currency.

        Returns:
            None on a network that the service does not know.
        """
        if not await self._api.knows(caller, chain):
            return None
        body = {
            "purchaseCurrency": purchase.model_dump(mode="json"),
            "paymentCurrency": payment.model_dump(mode="json"),
            "amount": format(amount, "f"),
            # The service wants the symbol here, whatever the field is called.
            "network": purchase.symbol,
        }
        try:
            return await self._api.send(caller, "/v1/onramp/quote", body, parse_onramp_quote)
        except ServiceError as error:
            logger.info("a mock quote is used: %s", error)
            return mock_quote(amount, payment.id)

"""What can be bought and what it costs, as the sandbox's own blockchain service tells."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, TypeVar

import httpx
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.types import ASGIApp

from walletmodal.core.parsing.strict_json import read_exact_json
from walletmodal.sandbox.onramp.quote import Quote

Model = TypeVar("Model", bound=BaseModel)

NATIVE: Final = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"

PAY_CHAINS: Final = {
    "eip155:1": "ethereum",
    "eip155:42161": "arbitrum",
    "eip155:137": "polygon",
    "eip155:80094": "berachain",
    "eip155:43114": "avalanche-c-chain",
    "eip155:10": "optimism",
    "eip155:42220": "celo",
    "eip155:8453": "base",
}
"""The pay provider's name of each network that it delivers on."""


class MarketUnavailableError(Exception):
    """The blockchain service does not tell what there is, or what it costs."""


class NotQuotedError(Exception):
    """The blockchain service refuses to quote; the text says why."""


@dataclass(frozen=True, slots=True)
class Asset:
    """Something that can be bought, on one chain.

    Attributes:
        chain: CAIP-2 id.
        token: plain address of the contract; None for the native coin.
        decimals: exponent between base units and whole ones.
        icon_url: its picture, if it has one.
    """

    chain: str
    token: str | None
    name: str
    symbol: str
    decimals: int
    icon_url: str | None

    @property
    def caip10(self) -> str:
        """The CAIP-10 id under which services know it; the native coin has its stand-in's."""
        return f"{self.chain}:{self.token or NATIVE}"


class _Token(BaseModel):
    model_config = ConfigDict(frozen=True)

    name: str
    symbol: str
    address: str
    decimals: int = Field(ge=0, le=36)
    icon: str | None = Field(None, alias="logoUri")


class _Tokens(BaseModel):
    tokens: list[_Token]


class _Amount(BaseModel):
    amount: Decimal = Field(ge=0)
    currency: str


class _Quoted(BaseModel):
    total: _Amount = Field(alias="paymentTotal")
    subtotal: _Amount = Field(alias="paymentSubtotal")
    bought: _Amount = Field(alias="purchaseAmount")
    service: _Amount = Field(alias="coinbaseFee")
    network: _Amount = Field(alias="networkFee")


class _Reason(BaseModel):
    description: str


class _Refused(BaseModel):
    reasons: list[_Reason] = Field(min_length=1)


class Market:
    """Asks the blockchain service inside this process, so that a fault switched on for it does not reach the page.

    Args:
        blockchain: the service, with its paths under `/v1`.
        chains: CAIP-2 ids of the networks that are sold on, in the order in which they are shown.
    """

    def __init__(self, blockchain: ASGIApp, chains: Sequence[str]) -> None:
        self.chains = tuple(chain for chain in chains if chain in PAY_CHAINS)
        self._client = httpx.AsyncClient(transport=httpx.ASGITransport(blockchain), base_url="http://sandbox")

    async def assets(self) -> list[Asset]:
        """Everything on sale, chain by chain.

        Raises:
            MarketUnavailableError: the service gives no list.
        """
        found = await asyncio.gather(*(self._assets_of(chain) for chain in self.chains))
        return [asset for assets in found for asset in assets]

    async def asset(self, chain: str, token: str | None) -> Asset | None:
        """One asset by its chain and contract (None: the native coin); None when it is not on sale.

        Raises:
            MarketUnavailableError: the service gives no list.
        """
        if chain not in self.chains:
            return None
        wanted = f"{chain}:{token or NATIVE}".lower()
        return next((one for one in await self._assets_of(chain) if one.caip10.lower() == wanted), None)

    async def quote(self, asset: Asset, currency: str, total: Decimal) -> Quote:
        """What a payment buys, as the service quotes it to the modal too.

        Args:
            asset: what is bought.
            currency: code of what is paid in, such as `USD`.
            total: what is paid.

        Raises:
            NotQuotedError: the service does not sell so.
            MarketUnavailableError: it does not answer with a quote.
        """
        reference = asset.chain.partition(":")[2]
        body = {
            "purchaseCurrency": {"id": asset.symbol, "symbol": asset.symbol, "networks": [{"chain_id": reference}]},
            "paymentCurrency": {"id": currency},
            "amount": f"{total:f}",
            "network": asset.symbol,
        }
        answer = await self._client.post("/v1/onramp/quote", params={"projectId": "sandbox"}, json=body)
        if answer.status_code == 400:
            raise NotQuotedError(_validated(answer, _Refused).reasons[0].description)
        quoted = _read(answer, _Quoted)
        return Quote(
            total=quoted.total.amount,
            service_fee=quoted.service.amount,
            network_fee=quoted.network.amount,
            subtotal=quoted.subtotal.amount,
            quantity=quoted.bought.amount,
        )

    async def _assets_of(self, chain: str) -> list[Asset]:
        answer = await self._client.get("/v1/convert/tokens", params={"chainId": chain, "projectId": "sandbox"})
        assets = []
        for one in _read(answer, _Tokens).tokens:
            address = one.address.rpartition(":")[2]
            token = None if address.lower() == NATIVE else address
            assets.append(Asset(chain, token, one.name, one.symbol, one.decimals, one.icon))
        return assets


def _read(answer: httpx.Response, model: type[Model]) -> Model:
    if answer.status_code != 200:
        raise MarketUnavailableError(f"the blockchain service answered with {answer.status_code}")
    return _validated(answer, model)


def _validated(answer: httpx.Response, model: type[Model]) -> Model:
    try:
        return model.model_validate(read_exact_json(answer.content))
    except (ValidationError, ValueError) as error:
        raise MarketUnavailableError("the blockchain service answered with something else") from error

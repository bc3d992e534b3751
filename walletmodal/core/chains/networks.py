"""Networks: the bundled table, and the ones that a host adds."""

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Annotated, Any, Final, Self, TypedDict

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic.alias_generators import to_camel

from walletmodal.core.chains.caip import ChainId, Namespace, is_namespace, is_reference, parse_chain_id
from walletmodal.core.errors import CaipError, NetworkError
from walletmodal.core.namespaces.registry import DESCRIPTORS
from walletmodal.core.parsing.urls import MAX_URL, is_secure_url
from walletmodal.core.parsing.validation_errors import first_problem
from walletmodal.core.text.display_text import clean_text

_MAX_RPC_URLS: Final = 8


def _shown(text: str) -> str:
    cleaned = clean_text(text, limit=64)
    if not cleaned:
        raise ValueError("has nothing to show")
    return cleaned


def _secure(url: str) -> str:
    if not is_secure_url(url):
        raise ValueError("must be an https URL, or http on loopback")
    return url


_Label = Annotated[str, Field(min_length=1, max_length=64), AfterValidator(_shown)]
_Symbol = Annotated[str, Field(min_length=1, max_length=12), AfterValidator(_shown)]
_Url = Annotated[str, Field(max_length=MAX_URL), AfterValidator(_secure)]


class NativeCurrency(BaseModel):
    """What fees are paid in. `decimals` is the exponent between base units and the unit that people read."""

    model_config = ConfigDict(frozen=True, strict=True)

    name: _Label
    symbol: _Symbol
    decimals: Annotated[int, Field(ge=0, le=36)]


class Explorer(BaseModel):
    """A block explorer: its name and base URL."""

    model_config = ConfigDict(frozen=True, strict=True)

    name: _Label
    url: _Url


class AddChainParameters(TypedDict, total=False):
    """The one parameter of `wallet_addEthereumChain` (EIP-3085)."""

    chainId: str
    chainName: str
    nativeCurrency: dict[str, str | int]
    rpcUrls: list[str]
    blockExplorerUrls: list[str]


class Network(BaseModel):
    """One network.

    Attributes:
        id: the CAIP-2 reference, such as `1`.
        rpc: public JSON-RPC URLs that a wallet may be given; what the server itself asks is a setting.
        image_id: id of its picture at the directory service; image_url: a picture's own URL. Either may be "".
        gateway_rpc, embedded_frame, blockchain_api, swap: which services know the network.
    """

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True)

    id: str
    chain_namespace: Namespace
    name: _Label
    native_currency: NativeCurrency
    rpc: Annotated[tuple[_Url, ...], Field(max_length=_MAX_RPC_URLS)] = ()
    explorer: Explorer | None = None
    testnet: bool = False
    image_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{0,64}$")] = ""
    image_url: _Url | None = None
    gateway_rpc: bool = False
    embedded_frame: bool = False
    blockchain_api: bool = False
    swap: bool = False

    @model_validator(mode="before")
    @classmethod
    def _number_as_text(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and type(data.get("id")) is int:
            return {**data, "id": str(data["id"])}
        return data

    @model_validator(mode="after")
    def _reference_fits(self) -> Self:
        if not is_reference(self.chain_namespace, self.id):
            raise ValueError("id is no CAIP-2 reference of the namespace")
        return self

    @property
    def chain_id(self) -> ChainId:
        """The CAIP-2 id in its parts."""
        return ChainId(self.chain_namespace, self.id)

    @property
    def caip_network_id(self) -> str:
        """The CAIP-2 id as text, such as `eip155:1`."""
        return f"{self.chain_namespace}:{self.id}"

    @property
    def hex_chain_id(self) -> str:
        """The chain id as EIP-3326 wants it, such as `0x89`.

        Raises:
            CaipError: the network is no EVM one.
        """
        return hex(self.chain_id.number)

    def explorer_address_url(self, address: str) -> str | None:
        """The explorer's page of an address that was validated before, or None when there is no explorer."""
        if self.explorer is None:
            return None
        page = DESCRIPTORS[self.chain_namespace].account_page
        return f"{self.explorer.url.rstrip('/')}/{page}/{address}"

    def explorer_nft_url(self, contract: str, token_id: str) -> str | None:
        """The explorer's page of an NFT whose contract was validated before, or None when there is no explorer."""
        if self.explorer is None:
            return None
        base = self.explorer.url.rstrip("/")
        return f"{base}/token/{contract}" + (f"?a={token_id}" if token_id else "")

    def explorer_transaction_url(self, transaction: str) -> str | None:
        """The explorer's page of a transaction whose hash or signature was validated before, or None when there is no explorer."""
        if self.explorer is None:
            return None
        page = DESCRIPTORS[self.chain_namespace].transaction_page
        return f"{self.explorer.url.rstrip('/')}/{page}/{transaction}"

    def add_chain_parameters(self) -> AddChainParameters:
        """What `wallet_addEthereumChain` is asked with; the loader puts the host's `customRpcUrls` in the place of the public ones.

        Raises:
            CaipError: the network is no EVM one.
        """
        currency = self.native_currency
        parameters: AddChainParameters = {
            "chainId": self.hex_chain_id,
            "chainName": self.name,
            "nativeCurrency": {"name": currency.name, "symbol": currency.symbol, "decimals": currency.decimals},
            "rpcUrls": list(self.rpc),
        }
        if self.explorer is not None:
            parameters["blockExplorerUrls"] = [self.explorer.url]
        return parameters


@lru_cache(maxsize=1)
def bundled_networks() -> Mapping[str, Network]:
    """The bundled table by CAIP-2 id, in its own order. Read once."""
    rows = json.loads(files("walletmodal.core").joinpath("data/chains.json").read_text("utf-8"))
    networks = [Network.model_validate(row) for row in rows]
    return {network.caip_network_id: network for network in networks}


def network(caip_network_id: str) -> Network:
    """The bundled network of a CAIP-2 id.

    Raises:
        CaipError: the text is no CAIP-2 id.
        NetworkError: `Network with ID <id> not found`.
    """
    chain = parse_chain_id(caip_network_id)
    found = bundled_networks().get(str(chain))
    if found is None:
        raise NetworkError(f"Network with ID {chain} not found")
    return found


def network_from_host(raw: object) -> Network:
    """A network that a host adds, in our shape or in the usual one of EVM libraries.

    Understood are `id` or `caipNetworkId`, `chainNamespace` (default eip155), `name`, `nativeCurrency`, `rpc` or
    `rpcUrls.default.http`, `explorer` or `blockExplorers.default`, `testnet`, `assets.imageId|imageUrl`. Which services know
    the network is not the host's to say.

    Raises:
        NetworkError: with the name of the first field that is wrong.
    """
    if not isinstance(raw, Mapping):
        raise NetworkError("Invalid network", details="not an object")
    assets = _mapping(raw.get("assets"))
    explorer = raw.get("explorer") or _mapping(raw.get("blockExplorers")).get("default")
    given = {
        **_identity(raw),
        "name": raw.get("name"),
        "nativeCurrency": raw.get("nativeCurrency"),
        "rpc": raw.get("rpc") or _mapping(_mapping(raw.get("rpcUrls")).get("default")).get("http") or [],
        "explorer": explorer,
        "testnet": raw.get("testnet") or False,
        "imageId": assets.get("imageId") or "",
        "imageUrl": assets.get("imageUrl"),
    }
    try:
        return Network.model_validate(given)
    except ValidationError as error:
        problem = first_problem(error)
        raise NetworkError("Invalid network", details=f"{problem.where or 'id'}: {problem.what}") from None


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _identity(raw: Mapping[str, object]) -> dict[str, object]:
    caip, namespace = raw.get("caipNetworkId"), raw.get("chainNamespace") or "eip155"
    if isinstance(caip, str):
        try:
            chain = parse_chain_id(caip)
        except CaipError as error:
            raise NetworkError("Invalid network", details=error.short_message) from error
        return {"id": chain.reference, "chainNamespace": chain.namespace}
    if not is_namespace(namespace):
        raise NetworkError("Invalid network", details="chainNamespace: unknown namespace")
    return {"id": raw.get("id"), "chainNamespace": namespace}

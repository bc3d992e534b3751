"""Commands of the server to the browser, with the names of the wire (docs/protocol.md §2 and §3)."""

from typing import Any, Literal, NotRequired, TypedDict

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.errors import WireError

CommandMethod = Literal["wallet.connect", "wallet.request", "wallet.disconnect", "host.settle", "host.warn"]
WarnLevel = Literal["warn", "error"]
ConnectionStatus = Literal["disconnected", "connecting", "connected"]


class Command(TypedDict):
    """What the server wants from the browser; `replay` says whether a later life of the host page may run it."""

    id: str
    epoch: str
    replay: bool
    method: CommandMethod
    params: dict[str, Any]


class PublicNetwork(TypedDict):
    """The active network in the public state; `id` is the chain id, a number on eip155 and the CAIP-2 reference elsewhere."""

    caipNetworkId: str
    id: int | str
    name: str
    chainNamespace: Namespace
    symbol: str
    image: str
    unsupported: bool


class NativeBalance(TypedDict):
    """Native balance: `formatted` in whole units without commas, `value` in base units, `usd` where that is known."""

    formatted: str
    value: str
    symbol: str
    decimals: int
    usd: NotRequired[str]


class PublicAccount(TypedDict):
    """The account of one namespace in the public state; `balance` is a decimal text, or None when unknown, as is `nativeBalance`."""

    status: ConnectionStatus
    caipAddress: str
    address: str
    balance: str | None
    balanceSymbol: str
    balanceState: Literal["loading", "known", "unavailable"]
    nativeBalance: NativeBalance | None
    profileName: str | None
    profileImage: str | None


class PublicState(TypedDict):
    """What the host page may know of the modal."""

    open: bool
    loading: bool
    initialized: bool
    view: str
    activeChain: Namespace | None
    selectedNetworkId: str | None
    network: PublicNetwork | None
    accounts: dict[Namespace, PublicAccount]


class ConnectParams(TypedDict):
    """Parameters of `wallet.connect`; `timeout` in ms, `chain` (CAIP-2) for wallets that are told which network is meant."""

    namespace: Namespace
    connector: str
    timeout: int
    chain: NotRequired[str]


class ProposedNamespace(TypedDict):
    """What a pairing asks for in one namespace; `chains` are CAIP-2 ids."""

    chains: list[str]
    methods: list[str]
    events: list[str]


class ProposedMetadata(TypedDict):
    """Who asks, as the wallet shows it; `url` is the host page's."""

    name: str
    description: str
    url: str
    icons: list[str]


class ProposedSignIn(TypedDict):
    """What the wallet is to sign while it pairs (`core.cacao`): names as CACAO has them, `uri` its `aud`; "" for what is not there.

    `iat`, `exp`: ISO 8601; the last of `resources` is the recap; `chains`: CAIP-2 ids.
    """

    domain: str
    uri: str
    nonce: str
    iat: str
    exp: str
    statement: str
    requestId: str
    resources: list[str]
    chains: list[str]


class Proposal(TypedDict):
    """What a pairing asks the wallet for."""

    namespaces: dict[Namespace, ProposedNamespace]
    metadata: ProposedMetadata
    signIn: NotRequired[ProposedSignIn]


class ChosenWallet(TypedDict):
    """The wallet of the directory that a pairing is meant for; the loader remembers it among the recent ones."""

    id: str
    name: str
    rdns: str


class PairParams(TypedDict):
    """Parameters of `wallet.connect` for the connector `walletConnect`; `namespace` is "".

    `again` asks for a fresh code, `ahead` for one that is only made ready: nobody has chosen a wallet yet.
    """

    namespace: Literal[""]
    connector: str
    timeout: int
    proposal: Proposal
    wallet: ChosenWallet | None
    again: bool
    ahead: bool


class EmbeddedParams(TypedDict):
    """Parameters of `wallet.connect` for the connector `ID_AUTH`; `namespace` is ""."""

    namespace: Literal[""]
    connector: str
    timeout: int


class Hint(TypedDict):
    """What we read in a request, for the embedded wallet to show beside its own reading.

    `facts`: those of the lines that warn of nothing, such as who pays, or what a permission comes to.
    """

    title: str
    lines: list[str]
    facts: NotRequired[list[str]]


class RequestParams(TypedDict):
    """Parameters of `wallet.request`; `chain` (CAIP-2): on which; `request` is the envelope id of the host's request, or "".

    `hint`: for the connector `ID_AUTH` alone.
    """

    namespace: Namespace
    connector: str
    chain: str
    method: str
    params: Any
    timeout: int
    request: str
    hint: NotRequired[Hint]


class DisconnectParams(TypedDict):
    """Parameters of `wallet.disconnect`; a pairing and the embedded wallet end in all of their namespaces."""

    namespace: Namespace
    connector: str


class SettleParams(TypedDict):
    """Parameters of `host.settle`."""

    request: str
    ok: bool
    value: NotRequired[Any]
    error: NotRequired[WireError | None]


class NewsItem(TypedDict):
    """One event of the product's list, and what belongs to it; `number` rises with each, and is about the time in ms."""

    number: int
    event: str
    properties: dict[str, Any]


class News(TypedDict):
    """The latest events for the host's subscribers; they were told in this life of the host page."""

    epoch: str
    items: list[NewsItem]


class WarnParams(TypedDict):
    """Parameters of `host.warn`."""

    message: str
    level: WarnLevel

"""The options of a host: one model, read leniently, one warning for each wrong part."""

import json
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from walletmodal.core.chains.caip import Namespace, parse_chain_id
from walletmodal.core.constants import (
    CONNECTOR_TYPE_ORDER,
    DEFAULT_FEATURES,
    SOCIAL_PROVIDERS,
    WALLET_FEATURES_ORDER,
)
from walletmodal.core.errors import CaipError
from walletmodal.core.parsing.shapes import safe_link
from walletmodal.core.parsing.urls import MAX_URL, is_web_url
from walletmodal.core.parsing.validation_errors import first_problem
from walletmodal.core.protocol.theme_variables import check_theme_variables
from walletmodal.core.requests.policy import ConfirmRequests
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.wallets.announced import safe_icon

Social = Literal["google", "x", "discord", "farcaster", "github", "apple", "facebook"]
ConnectorKind = Literal["walletConnect", "recent", "injected", "featured", "custom", "external", "recommended"]
WalletFeature = Literal["onramp", "swaps", "receive", "send"]
ConnectMethod = Literal["email", "social", "wallet"]
AllWalletsOption = Literal["SHOW", "HIDE", "ONLY_MOBILE"]
AccountType = Literal["eoa", "smartAccount", "payment"]


def _caip2(text: str) -> str:
    try:
        return str(parse_chain_id(text))
    except CaipError as error:
        raise ValueError("must be a CAIP-2 id such as eip155:1") from error


def _web_url(text: str) -> str:
    if not is_web_url(text):
        raise ValueError("must be an http or https URL")
    return text


def _image(text: str) -> str:
    icon = safe_icon(text)
    if not icon:
        raise ValueError("must be an https URL or a data URL of an image")
    return icon


def _link(text: str) -> str:
    link = safe_link(text)
    if link is None:
        raise ValueError("must be the link of an app or a web URL")
    return link


def _clean(limit: int) -> Callable[[str], str]:
    return lambda text: clean_text(text, limit=limit)


def _unique(value: object) -> object:
    """Lists come from JSON; sets of choices keep the first of each."""
    return (
        tuple(dict.fromkeys(value))
        if isinstance(value, list | tuple) and all(isinstance(v, str) for v in value)
        else value
    )


Caip2 = Annotated[str, Field(max_length=64), AfterValidator(_caip2)]
WebUrl = Annotated[str, Field(max_length=MAX_URL), AfterValidator(_web_url)]
ImageUrl = Annotated[str, Field(max_length=64 * 1024), AfterValidator(_image)]
AppLink = Annotated[str, Field(max_length=MAX_URL), AfterValidator(_link)]
WalletId = Annotated[str, Field(pattern=r"^[A-Za-z0-9._:-]{1,128}$")]
WalletIds = Annotated[tuple[WalletId, ...], Field(max_length=500), BeforeValidator(_unique)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True)


class Features(_Part):
    """What the modal offers. `socials` empty: none; `connect_methods_order` None: by what is installed."""

    swaps: bool = DEFAULT_FEATURES["swaps"]
    onramp: bool = DEFAULT_FEATURES["onramp"]
    receive: bool = DEFAULT_FEATURES["receive"]
    send: bool = DEFAULT_FEATURES["send"]
    email: bool = DEFAULT_FEATURES["email"]
    email_show_wallets: bool = DEFAULT_FEATURES["emailShowWallets"]
    history: bool = DEFAULT_FEATURES["history"]
    analytics: bool = DEFAULT_FEATURES["analytics"]
    all_wallets: bool = DEFAULT_FEATURES["allWallets"]
    legal_checkbox: bool = DEFAULT_FEATURES["legalCheckbox"]
    smart_sessions: bool = DEFAULT_FEATURES["smartSessions"]
    collapse_wallets: bool = DEFAULT_FEATURES["collapseWallets"]
    socials: Annotated[tuple[Social, ...], BeforeValidator(lambda v: () if v is False else _unique(v))] = (
        SOCIAL_PROVIDERS
    )
    connector_type_order: Annotated[tuple[ConnectorKind, ...], BeforeValidator(_unique)] = CONNECTOR_TYPE_ORDER
    wallet_features_order: Annotated[tuple[WalletFeature, ...], BeforeValidator(_unique)] = WALLET_FEATURES_ORDER
    connect_methods_order: Annotated[tuple[ConnectMethod, ...], BeforeValidator(_unique)] | None = None


class Metadata(_Part):
    """The host application's own description; "" where the loader's view of the page is used."""

    name: Annotated[str, AfterValidator(_clean(120))] = ""
    description: Annotated[str, AfterValidator(_clean(300))] = ""
    url: WebUrl | Literal[""] = ""
    icons: Annotated[tuple[ImageUrl, ...], Field(max_length=8)] = ()


class CustomWallet(BaseModel):
    """A wallet that the host lists in a section of its own; its field names are snake case on the wire too."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: WalletId
    name: Annotated[str, Field(min_length=1), AfterValidator(_clean(40))]
    homepage: WebUrl | None = None
    image_url: ImageUrl | None = None
    mobile_link: AppLink | None = None
    desktop_link: AppLink | None = None
    webapp_link: WebUrl | None = None
    app_store: WebUrl | None = None
    play_store: WebUrl | None = None

    @property
    def chrome_store(self) -> str | None:
        """A host names no extension: whoever has it is asked in the browser."""
        return None


class SignIn(_Part):
    """Sign-in with a wallet (`siwx`, alias `siweConfig`).

    Attributes:
        required: whether the page is used signed in or not at all. statement: the sentence to sign.
        nonce: the host's own, signed as the request id and told in every token; a sign-in with another one is none for this page.
    """

    required: bool = False
    statement: Annotated[str, AfterValidator(_clean(500))] = ""
    nonce: Annotated[str, Field(pattern=r"^([A-Za-z0-9]{8,128})?$")] = ""


def _of_namespace(chains: dict[Namespace, tuple[str, ...]]) -> dict[Namespace, tuple[str, ...]]:
    if any(parse_chain_id(chain).namespace != namespace for namespace, each in chains.items() for chain in each):
        raise ValueError("a network stands under another namespace")
    return chains


_Names = Annotated[tuple[Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,63}$")], ...], Field(max_length=100)]
_Chains = Annotated[tuple[Caip2, ...], Field(max_length=200), BeforeValidator(_unique)]


class ProviderOverride(_Part):
    """What a pairing proposes in the place of the defaults, per namespace (`universalProviderConfigOverride`).

    Its `rpcMap` is not taken: reads do not go through the pairing.
    """

    methods: dict[Namespace, _Names] = {}
    chains: Annotated[dict[Namespace, _Chains], AfterValidator(_of_namespace)] = {}
    events: dict[Namespace, _Names] = {}
    default_chain: Caip2 | None = None


class AccountTypes(_Part):
    """Preferred account type per namespace."""

    eip155: Literal["eoa", "smartAccount"] = "smartAccount"
    solana: Literal["eoa"] = "eoa"
    polkadot: Literal["eoa"] = "eoa"
    bip122: Literal["payment", "ordinal", "stx"] = "payment"


class HostOptions(BaseModel):
    """Every option of a host that concerns the server, with its default. On the wire in camel case (`enableEIP6963`).

    Attributes:
        networks: CAIP-2 ids in the host's order; empty: the deployment's.
        adapters: namespaces to offer; None: those of `networks`; empty: pairing only.
        confirm_requests: which requests the visitor confirms in the modal; the deployment's own setting holds where it asks for more.
        compact_account: the Account view is a short list of actions, without tabs.
        theme_variables: only names and values that `check_theme_variables` let through.
    """

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True)

    project_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{0,64}$")] = ""
    networks: Annotated[tuple[Caip2, ...], Field(max_length=200), BeforeValidator(_unique)] = ()
    adapters: Annotated[tuple[Namespace, ...], BeforeValidator(_unique)] | None = None
    default_network: Caip2 | None = None
    locale: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{0,35}$")] = ""
    metadata: Metadata = Metadata()
    theme_mode: Literal["dark", "light"] | None = None
    theme_variables: dict[str, str] = {}
    features: Features = Features()
    featured_wallet_ids: WalletIds = ()
    include_wallet_ids: WalletIds = ()
    exclude_wallet_ids: WalletIds = ()
    custom_wallets: Annotated[tuple[CustomWallet, ...], Field(max_length=50)] = ()
    all_wallets: AllWalletsOption = "SHOW"
    connector_images: Annotated[dict[str, ImageUrl], Field(max_length=100)] = {}
    chain_images: Annotated[dict[str, ImageUrl], Field(max_length=200)] = {}
    terms_conditions_url: WebUrl | None = None
    privacy_policy_url: WebUrl | None = None
    enable_wallets: bool = True
    enable_eip6963: Annotated[bool, Field(alias="enableEIP6963")] = True
    enable_injected: bool = True
    enable_coinbase: bool = True
    coinbase_preference: Literal["all", "smartWalletOnly", "eoaOnly"] = "all"
    enable_wallet_connect: bool = True
    enable_wallet_guide: bool = True
    enable_network_switch: bool = True
    allow_unsupported_chain: bool = False
    compact_account: bool = False
    enable_embedded: bool = False
    enable_auth_logger: bool = True
    debug: bool = True
    siwx: SignIn | None = None
    confirm_requests: ConfirmRequests = "off"
    default_account_types: AccountTypes = AccountTypes()
    universal_provider_config_override: ProviderOverride = ProviderOverride()
    manual_wc_control: Annotated[bool, Field(alias="manualWCControl")] = False
    basic: bool = False


OPTION_NAMES: Final[tuple[str, ...]] = tuple(field.alias or name for name, field in HostOptions.model_fields.items())
"""Every option by its name on the wire."""

LOADER_OPTIONS: Final = frozenset(
    {
        "src",
        "preload",
        "disableAppend",
        "announceProvider",
        "connectors",
        "customRpcUrls",
        "enableReconnect",
        "universalProvider",
        "standalone",
    }
)
"""Options that the loader carries out by itself; passed on, they mean nothing here."""

WITHOUT_EFFECT: Final = frozenset({"tokens", "showWallets"})
"""Accepted for compatibility."""

THEME_OPTIONS: Final = ("themeMode", "themeVariables")
"""Options that the loader passes on as the theme, at the start and live (docs/protocol.md §2)."""

_ALIASES: Final = {"siweConfig": "siwx"}
_MAX_WARNINGS: Final = 20


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What came of a host's options.

    Attributes:
        options: the base with every usable and allowed part put in.
        given: names, as on the wire, of the options that were taken over, at least in part.
        warnings: one text for each part that was dropped, and one for all that the deployment does not allow; at most 20.
    """

    options: HostOptions
    given: frozenset[str]
    warnings: tuple[str, ...]


def read_options(
    raw: Mapping[str, object], *, base: HostOptions | None = None, allowed: AbstractSet[str] = frozenset(OPTION_NAMES)
) -> ReadOptions:
    """Put a host's options onto a base, option by option: what is wrong is dropped with a warning, the rest is kept.

    Args:
        raw: JSON of a host, names as on the wire. `null` means not given.
        base: what holds where the host says nothing: the deployment's defaults, or the options so far.
        allowed: names of the options that the deployment lets an embed change.
    """
    taken: dict[str, object] = {}
    warnings: list[str] = []
    refused: list[str] = []
    current = base or HostOptions()
    names = {_ALIASES.get(name, name): value for name, value in raw.items() if value is not None}
    if len(names) < sum(value is not None for value in raw.values()):
        warnings.append("siweConfig: ignored, since siwx is set too")
        names["siwx"] = raw["siwx"]
    for name, value in names.items():
        field = _FIELDS.get(name)
        if name in LOADER_OPTIONS or name in WITHOUT_EFFECT:
            continue
        if field is None:
            warnings.append(f"{name[:64]}: unknown option")
        elif name not in allowed:
            refused.append(name)
        else:
            taken |= _read_option(current, name, field, value, warnings)
    if refused:
        warnings.insert(0, f"This deployment does not let an embed change: {', '.join(refused)}")
    given = frozenset(name for name, field in _FIELDS.items() if field in taken)
    return ReadOptions(current.model_copy(update=taken), given, tuple(warnings[:_MAX_WARNINGS]))


def _read_option(current: HostOptions, name: str, field: str, value: object, warnings: list[str]) -> dict[str, object]:
    """The field's new value as a model update; empty when nothing of the value can be used."""
    if name == "themeVariables" and isinstance(value, Mapping):
        variables, problems = check_theme_variables(value)
        warnings.extend(problems)
        return {field: {**current.theme_variables, **variables}}
    if name == "customWallets" and isinstance(value, list):
        return {field: _custom_wallets(value, warnings)}
    part = getattr(current, field)
    if isinstance(part, _Part) and isinstance(value, Mapping):
        return {field: _read_part(part, name, value, warnings)}
    read = _read_field(HostOptions, field, name, value)
    if isinstance(read, _Problem):
        warnings.append(f"{name}: {read.text}")
        return {}
    return {field: read}


def _read_part(part: _Part, where: str, raw: Mapping[str, object], warnings: list[str]) -> _Part:
    fields = {field.alias or name: name for name, field in type(part).model_fields.items()}
    taken: dict[str, object] = {}
    for name, value in raw.items():
        if name not in fields:
            warnings.append(f"{where}.{name[:64]}: unknown option")
        elif value is not None:
            read = _read_field(type(part), fields[name], name, value)
            if isinstance(read, _Problem):
                warnings.append(f"{where}.{name}: {read.text}")
            else:
                taken[fields[name]] = read
    return part.model_copy(update=taken)


def _custom_wallets(raw: list[object], warnings: list[str]) -> tuple[CustomWallet, ...]:
    kept: dict[str, CustomWallet] = {}
    for index, entry in enumerate(raw[:50]):
        try:
            wallet = CustomWallet.model_validate_json(_json(entry), strict=True)
            kept.setdefault(wallet.id, wallet)
        except ValidationError as error:
            warnings.append(f"customWallets[{index}]: {first_problem(error).what}")
    return tuple(kept.values())


@dataclass(frozen=True, slots=True)
class _Problem:
    text: str


def _read_field(model: type[BaseModel], field: str, name: str, value: object) -> object:
    """The value of one field as the model reads it from JSON, or what is wrong with it."""
    try:
        # From JSON, strict mode takes a list for a tuple and still refuses "yes" for a bool.
        return getattr(model.model_validate_json(_json({name: value}), strict=True), field)
    except ValidationError as error:
        return _Problem(first_problem(error).what)


def _json(value: object) -> str:
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return "not JSON"


_FIELDS: Final[dict[str, str]] = {field.alias or name: name for name, field in HostOptions.model_fields.items()}

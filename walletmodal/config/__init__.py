"""The deployment's settings: environment variables, `.env`, and files that these name; `.env.example` lists every one."""

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, NoDecode

from walletmodal.config.files import FROM_ENVIRONMENT, InFiles
from walletmodal.config.types import (
    BY_NETWORK,
    COMMA_LIST,
    JSON_OBJECT,
    LISTS_BY_NETWORK,
    ApiKeys,
    DatabaseUrl,
    EvmNetworkId,
    ExplorerUrl,
    GasToken,
    IpAddress,
    IpNetwork,
    KeptDays,
    KeptRows,
    Locale,
    NameZone,
    NetworkId,
    OptionName,
    Origin,
    PageUrl,
    Port,
    PublicUrl,
    PythonFile,
    RedisUrl,
    RpcUrl,
    ServiceUrl,
    SocketUrl,
    SponsorAmounts,
    TokenId,
    WebhookSecrets,
    listed,
)
from walletmodal.core.chains.networks import Explorer, Network, bundled_networks
from walletmodal.core.constants import NAME_ZONE
from walletmodal.core.errors import SettingProblem, SettingsError
from walletmodal.core.protocol.options import OPTION_NAMES, Social
from walletmodal.core.requests.policy import ConfirmRequests
from walletmodal.core.webhooks.signature import read_secret

PUBLIC_SERVICES: Final = {
    "DIRECTORY_URL": "https://api.web3modal.org",
    "BLOCKCHAIN_URL": "https://rpc.walletconnect.org",
    "ANALYTICS_URL": "https://pulse.walletconnect.org",
    "RPC_URL": "https://rpc.walletconnect.org",
    "RELAY_URL": "wss://relay.walletconnect.org",
    "VERIFY_URL": "https://verify.walletconnect.org",
    "SECURE_SITE_URL": "https://secure.walletconnect.org/sdk",
}
"""What the word `public` stands for in each service setting."""

SecureProtocol = Literal["walletmodal", "appkit"]

DEFAULT_NETWORKS: Final = (
    "eip155:1,eip155:137,eip155:10,eip155:42161,eip155:8453,eip155:56,eip155:43114,eip155:11155111"
)


START_SECRET: Final = "WALLETMODAL_START_SECRET"  # noqa: S105 - a name, no secret
"""Under this name the workers of one start are given a secret that they share, where SECRET_KEY is not set."""


class Settings(InFiles, BaseSettings):
    """The settings of one deployment; the name of each in the environment is its own in capitals.

    `directory_url` to `secure_site_url` are base URLs without a slash at the end, or None: not configured, nothing is sent.
    """

    model_config = FROM_ENVIRONMENT

    walletmodal_port: Annotated[Port, Field(examples=["3000"])] = 3000
    walletmodal_host: Annotated[IpAddress, Field(examples=["127.0.0.1"])] = "127.0.0.1"
    sandbox_port: Annotated[Port, Field(examples=["8700"])] = 8700
    secure_port: Annotated[Port, Field(examples=["8701"])] = 8701
    evm_port: Annotated[Port, Field(examples=["8545"])] = 8545
    solana_port: Annotated[Port, Field(examples=["8899"])] = 8899

    public_url: Annotated[PublicUrl, Field(examples=["https://modal.example.com"])] | None = None
    allowed_origins: Annotated[
        tuple[Origin, ...],
        NoDecode,
        COMMA_LIST,
        Field(examples=["https://app.example.com,https://www.example.com"]),
    ] = ()
    trusted_proxies: Annotated[
        tuple[IpNetwork, ...],
        NoDecode,
        COMMA_LIST,
        Field(examples=["10.0.0.5,172.16.0.0/12"]),
    ] = ()
    networks: Annotated[
        tuple[NetworkId, ...], NoDecode, COMMA_LIST, Field(min_length=1, examples=["eip155:1,eip155:137"])
    ] = tuple(DEFAULT_NETWORKS.split(","))
    locales: Annotated[tuple[Locale, ...], NoDecode, COMMA_LIST, Field(examples=["en,de,pt-BR"])] = ()
    tokens: Annotated[
        tuple[TokenId, ...],
        NoDecode,
        COMMA_LIST,
        Field(examples=["eip155:1:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"]),
    ] = ()
    project_id: Annotated[
        str, Field(pattern=r"^[A-Za-z0-9_-]{0,64}$", examples=["0123456789abcdef0123456789abcdef"])
    ] = ""

    directory_url: Annotated[ServiceUrl, Field(examples=["public"])] | None = None
    blockchain_url: Annotated[ServiceUrl, Field(examples=["public"])] | None = None
    analytics_url: Annotated[ServiceUrl, Field(examples=["public"])] | None = None
    rpc_url: Annotated[ServiceUrl, Field(examples=["https://rpc.example.com"])] | None = None
    rpc_urls: Annotated[
        dict[NetworkId, Annotated[tuple[RpcUrl, ...], Field(min_length=1)]],
        NoDecode,
        LISTS_BY_NETWORK,
        Field(
            examples=[
                "eip155:1=https://eth.example.com|https://spare.example.com,eip155:137=https://polygon.example.com"
            ]
        ),
    ] = {}
    relay_url: Annotated[SocketUrl, Field(examples=["wss://relay.example.com"])] | None = None
    explorer_urls: Annotated[
        dict[NetworkId, ExplorerUrl],
        NoDecode,
        BY_NETWORK,
        Field(examples=["eip155:1=https://eth.blockscout.com,eip155:137=https://polygon.blockscout.com"]),
    ] = {}
    verify_url: Annotated[ServiceUrl, Field(examples=["public"])] | None = None
    secure_site_url: Annotated[ServiceUrl, Field(examples=["https://secure.example.com/sdk"])] | None = None
    secure_site_protocol: Annotated[SecureProtocol, Field(examples=["appkit"])] | None = None
    secure_socials: Annotated[tuple[Social, ...], NoDecode, COMMA_LIST, Field(examples=["google,apple,github"])] = ()
    passkey_offer: Annotated[bool, Field(examples=["1"])] = True
    bundler_url: Annotated[
        dict[EvmNetworkId, RpcUrl], NoDecode, BY_NETWORK, Field(examples=["eip155:1=https://bundler.example.com/1"])
    ] = {}
    paymaster_url: Annotated[
        dict[EvmNetworkId, RpcUrl], NoDecode, BY_NETWORK, Field(examples=["eip155:1=https://paymaster.example.com/1"])
    ] = {}
    paymaster_context: Annotated[
        dict[str, Any], NoDecode, JSON_OBJECT, Field(examples=['{"sponsorshipPolicyId": "sp_example"}'])
    ] = {}
    sponsor_limits: Annotated[
        dict[EvmNetworkId, SponsorAmounts],
        NoDecode,
        LISTS_BY_NETWORK,
        Field(examples=["eip155:1=0.002|0.2,eip155:137=1|100"]),
    ] = {}
    gas_tokens: Annotated[
        tuple[GasToken, ...],
        NoDecode,
        COMMA_LIST,
        Field(examples=["eip155:1:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"]),
    ] = ()
    loopback_paymasters: Annotated[bool, Field(examples=["0"])] = False
    meld_url: Annotated[PageUrl, Field(examples=["https://meldcrypto.com"])] = "https://meldcrypto.com"
    meld_public_key: Annotated[
        str, Field(pattern=r"^[A-Za-z0-9:._-]{0,128}$", examples=["WXabcdefghijklmnopqrst:0123456789abcdef"])
    ] = ""

    name_zone: Annotated[NameZone, Field(examples=["names.example"])] = NAME_ZONE
    ipfs_gateway: Annotated[ServiceUrl, Field(examples=["https://ipfs.io/ipfs"])] | None = None

    database_url: Annotated[
        DatabaseUrl,
        Field(examples=["postgresql://user:password@localhost/walletmodal"]),
    ] = "sqlite:///data/walletmodal.db"
    redis_url: (
        Annotated[
            RedisUrl,
            Field(examples=["redis://localhost:6379/0"]),
        ]
        | None
    ) = None
    workers: Annotated[int, Field(ge=1, le=64, examples=["4"])] = 1
    drain_delay_seconds: Annotated[int, Field(ge=0, le=600, examples=["10"])] = 0
    drain_sockets_per_second: Annotated[int, Field(ge=1, le=10_000, examples=["8"])] = 8
    drain_seconds: Annotated[int, Field(ge=0, le=3600, examples=["480"])] = 480
    wallet_timeout_seconds: Annotated[int, Field(ge=1, le=3600, examples=["120"])] = 120
    embed_may_change: (
        Annotated[
            tuple[OptionName, ...],
            NoDecode,
            COMMA_LIST,
            Field(examples=["themeMode,themeVariables,networks"]),
        ]
        | None
    ) = None
    policy_file: Annotated[PythonFile, Field(examples=["policy.py"])] | None = None
    policy_reload: Annotated[bool, Field(examples=["0"])] = False
    allow_delegate_calls: Annotated[bool, Field(examples=["0"])] = False
    confirm_requests: Annotated[ConfirmRequests, Field(examples=["policy"])] = "policy"
    allow_open_permissions: Annotated[bool, Field(examples=["0"])] = False
    audit_days: Annotated[KeptDays, Field(examples=["90"])] = 90
    request_days: Annotated[KeptDays, Field(examples=["90"])] = 90
    sign_in_days: Annotated[KeptDays, Field(examples=["30"])] = 30
    permission_days: Annotated[KeptDays, Field(examples=["30"])] = 30
    resume_days: Annotated[KeptDays, Field(examples=["30"])] = 30
    sponsored_days: Annotated[KeptDays, Field(examples=["1"])] = 1
    erasure_days: Annotated[int, Field(ge=1, le=3650, examples=["1"])] = 1
    audit_rows: Annotated[KeptRows, Field(examples=["1000000"])] = 1_000_000
    resume_rows: Annotated[KeptRows, Field(examples=["100000"])] = 100_000
    webhook_url: Annotated[PageUrl, Field(examples=["https://app.example.com/webhooks/wallet"])] | None = None
    webhook_secret: Annotated[WebhookSecrets, Field(examples=["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])] | None = None
    api_key: Annotated[ApiKeys, Field(examples=["at-least-24-characters-long"])] | None = None
    secret_key: Annotated[SecretStr, Field(min_length=24, examples=["at-least-24-characters-long"])] | None = None
    loopback_images: Annotated[bool, Field(examples=["0"])] = False
    walletmodal_gallery: Annotated[bool, Field(examples=["1"])] = False
    otlp_url: Annotated[PageUrl, Field(examples=["https://collector.example.com"])] | None = None
    log_format: Annotated[Literal["text", "json"], Field(examples=["json"])] = "text"
    log_level: Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], Field(examples=["INFO"])] = "INFO"

    @model_validator(mode="after")
    def _redis_for_workers(self) -> Self:
        if self.workers > 1 and self.redis_url is None:
            raise ValueError("WORKERS above 1 needs REDIS_URL: the workers share their state over Redis")
        return self

    @model_validator(mode="after")
    def _secret_for_webhooks(self) -> Self:
        if self.webhook_url is not None and self.webhook_secret is None:
            raise ValueError("WEBHOOK_URL needs WEBHOOK_SECRET: a receiver knows by it who tells it something")
        return self

    @property
    def webhook_secrets(self) -> tuple[bytes, ...]:
        """What webhooks are signed with: WEBHOOK_SECRET; none where it is not set."""
        return tuple(map(read_secret, listed(self.webhook_secret.get_secret_value() if self.webhook_secret else "")))

    @property
    def shared_secret(self) -> str | None:
        """What references to pictures and filters are signed with: SECRET_KEY, or the secret of this start, which nothing may outlive."""
        return self.lasting_secret or os.environ.get(START_SECRET) or None

    @property
    def lasting_secret(self) -> str | None:
        """What outlives a start is closed with: SECRET_KEY, or None."""
        return self.secret_key.get_secret_value() if self.secret_key else None

    @property
    def own_origin(self) -> str:
        """The origin of the modal: PUBLIC_URL, or loopback on WALLETMODAL_PORT."""
        return self.public_url or f"http://localhost:{self.walletmodal_port}"

    @property
    def frame_ancestors(self) -> tuple[str, ...]:
        """Origins that may embed the modal: its own first, then ALLOWED_ORIGINS."""
        return tuple(dict.fromkeys((self.own_origin, *self.allowed_origins)))

    def may_embed(self, origin: str) -> bool:
        """Whether a page of this origin, spelled as a browser spells it, may embed the modal."""
        return origin in self.frame_ancestors

    @property
    def changeable_options(self) -> frozenset[str]:
        """Options that an embed may change: EMBED_MAY_CHANGE, else all; without `projectId` where the deployment has its own."""
        names = frozenset(OPTION_NAMES if self.embed_may_change is None else self.embed_may_change)
        return names - {"projectId"} if self.project_id and self.embed_may_change is None else names

    @property
    def asks_public_services(self) -> bool:
        """Whether a service is the public one, which insists on a project id."""
        return any(getattr(self, name.lower()) == "public" for name in PUBLIC_SERVICES)

    def service_url(self, name: str) -> str | None:
        """The base URL of a service by the name of its setting, `public` resolved; None: not configured."""
        value: str | None = getattr(self, name.lower())
        return PUBLIC_SERVICES[name] if value == "public" else value

    @property
    def secure_protocol(self) -> SecureProtocol:
        """How the secure site is spoken to: SECURE_SITE_PROTOCOL, else AppKit's messages for the public one and our own for any other."""
        return self.secure_site_protocol or ("appkit" if self.secure_site_url == "public" else "walletmodal")

    def is_set(self, name: str) -> bool:
        """Whether a service or a key is configured, by the name of its setting."""
        return bool(getattr(self, name.lower()))


SETTING_NAMES: Final[tuple[str, ...]] = tuple(name.upper() for name in Settings.model_fields)
"""Every setting as the environment and `.env.example` name it."""


def load_settings(env_file: str | Path | None = ".env") -> Settings:
    """Read the settings from the environment, then from the file for what is not set there.

    Raises:
        SettingsError: lists each wrong setting by name with what is wrong and an example.
    """
    try:
        return Settings(_env_file=env_file)
    except ValidationError as error:
        raise SettingsError([_problem(row["loc"], row["msg"]) for row in error.errors(include_input=False)]) from None


def _problem(loc: tuple[int | str, ...], message: str) -> SettingProblem:
    text = message.removeprefix("Value error, ")
    # What several settings break together says which one another needs.
    name = str(loc[0]) if loc else text.partition(" needs ")[2].partition(":")[0].lower()
    return SettingProblem(name.upper(), text, str(_examples(Settings.model_fields[name])[0]))


def _examples(field: Any) -> list[Any]:
    if field.examples:
        return list(field.examples)
    # `Annotated[X, Field(examples=…)] | None` keeps the examples inside the union's first member.
    for member in getattr(field.annotation, "__args__", ()):
        for extra in getattr(member, "__metadata__", ()):
            if getattr(extra, "examples", None):
                return list(extra.examples)
    return ["…"]


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The settings of this process, read once.

    Raises:
        SettingsError: as `load_settings`.
    """
    return load_settings()


@lru_cache(maxsize=8)
def _table(explorers: tuple[tuple[str, str], ...]) -> Mapping[str, Network]:
    chosen = {chain: Explorer(name="Explorer", url=url) for chain, url in explorers}
    return {
        chain: row.model_copy(update={"explorer": chosen[chain]}) if chain in chosen else row
        for chain, row in bundled_networks().items()
    }


def network_table() -> Mapping[str, Network]:
    """The bundled networks by CAIP-2 id, with the explorers of EXPLORER_URLS.

    Raises:
        SettingsError: as `load_settings`.
    """
    return _table(tuple(settings().explorer_urls.items()))

"""The settings of the secure site: environment variables and `.env`; `.env.example` lists every one."""

from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self, TypeVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, NoDecode

from walletmodal.config import DEFAULT_NETWORKS, PUBLIC_SERVICES
from walletmodal.config.files import FROM_ENVIRONMENT, InFiles
from walletmodal.config.types import (
    COMMA_LIST,
    LISTS_BY_NETWORK,
    DatabaseUrl,
    IpAddress,
    IpNetwork,
    KeptDays,
    Locale,
    NetworkId,
    Origin,
    Port,
    PublicUrl,
    RedisUrl,
    RpcUrl,
    ServiceUrl,
)
from walletmodal.core.errors import SettingProblem, SettingsError
from walletmodal.secure.custody.envelope import KeyRing
from walletmodal.secure.custody.kek import ask_key_command, parse_keys, read_key_file
from walletmodal.secure.encoding import PointText
from walletmodal.secure.login.smtp import parse_smtp_url
from walletmodal.secure.social.settings import SocialSettings
from walletmodal.secure.spending import read_amounts

DeviceApproval = Literal["suspicious", "always", "never"]

_MAIL: Final = r"^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+$"


def _smtp_url(secret: SecretStr) -> SecretStr:
    parse_smtp_url(secret.get_secret_value())
    return secret


SmtpUrl = Annotated[SecretStr, AfterValidator(_smtp_url)]
Amounts = Annotated[dict[str, int], BeforeValidator(read_amounts)]
Token = Annotated[SecretStr, Field(min_length=24)]


class FileSettings(InFiles, BaseSettings):
    """What the settings of both services have in common."""

    model_config = FROM_ENVIRONMENT

    smtp_url: Annotated[SmtpUrl, Field(examples=["smtp://user:password@mail.example.com:587?starttls=1"])]
    mail_from: Annotated[str, Field(pattern=_MAIL, max_length=254, examples=["login@example.com"])]
    mail_name: Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f]{1,64}$", examples=["Example"])] = "Wallet"
    log_level: Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], Field(examples=["INFO"])] = "INFO"
    locales: Annotated[tuple[Locale, ...], NoDecode, COMMA_LIST, Field(examples=["en,de,pt-BR"])] = ()
    email_change_hold_hours: Annotated[int, Field(ge=0, le=720, examples=["24"])] = 24
    secure_expired_hours: Annotated[int, Field(ge=1, le=720, examples=["1"])] = 1

    @property
    def email_change_hold_ms(self) -> int:
        """For how long recovery waits after a change of address, and the change can be undone."""
        return self.email_change_hold_hours * 3_600_000

    @property
    def expired_ms(self) -> int:
        """For how long a row stays after its end."""
        return self.secure_expired_hours * 3_600_000


class Settings(SocialSettings, FileSettings):
    """The settings of one deployment; the name of each in the environment is its own in capitals."""

    secure_port: Annotated[Port, Field(examples=["8701"])] = 8701
    secure_host: Annotated[IpAddress, Field(examples=["127.0.0.1"])] = "127.0.0.1"
    secure_public_url: Annotated[PublicUrl, Field(examples=["https://wallet.example.com"])] | None = None
    secure_modal_origins: Annotated[
        tuple[Origin, ...], NoDecode, COMMA_LIST, Field(examples=["https://modal.example.com"])
    ] = ()
    public_url: Annotated[PublicUrl, Field(examples=["https://modal.example.com"])] | None = None
    walletmodal_port: Annotated[Port, Field(examples=["3000"])] = 3000
    allowed_origins: Annotated[
        tuple[Origin, ...], NoDecode, COMMA_LIST, Field(examples=["https://app.example.com"])
    ] = ()
    secure_client_origins: Annotated[
        tuple[Origin, ...], NoDecode, COMMA_LIST, Field(examples=["https://other-app.example.com"])
    ] = ()
    trusted_proxies: Annotated[tuple[IpNetwork, ...], NoDecode, COMMA_LIST, Field(examples=["10.0.0.5"])] = ()

    secure_database_url: Annotated[
        DatabaseUrl, Field(examples=["postgresql://user:password@localhost/walletmodal_secure"])
    ] = "sqlite:///data/secure.db"
    secure_redis_url: Annotated[RedisUrl, Field(examples=["redis://localhost:6379/1"])] | None = None
    secure_workers: Annotated[int, Field(ge=1, le=64, examples=["4"])] = 1

    embedded_kek: Annotated[SecretStr, Field(examples=["1:<32 bytes in base64url>"])] | None = None
    embedded_kek_file: Annotated[Path, Field(examples=["/run/secrets/embedded_kek"])] | None = None
    embedded_kek_command: Annotated[str, Field(examples=["/usr/local/bin/print-kek"])] | None = None

    networks: Annotated[
        tuple[NetworkId, ...], NoDecode, COMMA_LIST, Field(min_length=1, examples=["eip155:1,eip155:137"])
    ] = tuple(DEFAULT_NETWORKS.split(","))
    project_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{0,64}$", examples=["0123456789abcdef"])] = ""
    rpc_url: Annotated[ServiceUrl, Field(examples=["https://rpc.example.com"])] | None = None
    rpc_urls: Annotated[
        dict[NetworkId, Annotated[tuple[RpcUrl, ...], Field(min_length=1)]],
        NoDecode,
        LISTS_BY_NETWORK,
        Field(examples=["eip155:1=https://eth.example.com"]),
    ] = {}

    secure_device_approval: Annotated[DeviceApproval, Field(examples=["suspicious"])] = "suspicious"
    secure_audit_days: Annotated[KeptDays, Field(examples=["90"])] = 90
    deletion_wait_hours: Annotated[int, Field(ge=24, le=720, examples=["168"])] = 168
    recovery_hold_hours: Annotated[int, Field(ge=0, le=720, examples=["24"])] = 24
    recovery_hold_above: Annotated[Amounts, NoDecode, Field(examples=["eip155:1=0.02"])] = {}
    secure_window_above: Annotated[Amounts, NoDecode, Field(examples=["eip155:1=0.5"])] = {}
    secure_consent: Annotated[Literal["frame", "window"], Field(examples=["window"])] = "frame"
    secure_smart_accounts: Annotated[Literal["on", "safe", "off"], Field(examples=["safe"])] = "on"
    secure_escrow: Annotated[Literal["on", "off"], Field(examples=["off"])] = "on"
    recovery_url: Annotated[ServiceUrl, Field(examples=["https://recovery.example.com"])] | None = None
    recovery_token: Annotated[Token, Field(examples=["at-least-24-characters-long"])] | None = None
    recovery_public_key: Annotated[PointText, Field(examples=["<65 bytes in base64url>"])] | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.secure_workers > 1 and self.secure_redis_url is None:
            raise ValueError("SECURE_REDIS_URL: SECURE_WORKERS above 1 needs it, for nonces and limits are shared")
        given = [self.embedded_kek, self.embedded_kek_file, self.embedded_kek_command]
        if sum(one is not None for one in given) != 1:
            raise ValueError(
                "EMBEDDED_KEK: set it, or EMBEDDED_KEK_FILE, or EMBEDDED_KEK_COMMAND, and one of them alone; "
                "`python -m walletmodal.secure key` makes a key"
            )
        if self.has_escrow:
            for name in ("RECOVERY_URL", "RECOVERY_TOKEN", "RECOVERY_PUBLIC_KEY"):
                if getattr(self, name.lower()) is None:
                    raise ValueError(f"{name}: must be set where SECURE_ESCROW is on; `off` does without escrow")
        return self

    @property
    def has_escrow(self) -> bool:
        """Whether wallets may have their recovery half with the recovery service."""
        return self.secure_escrow == "on"

    @property
    def own_origin(self) -> str:
        """The origin of this site: SECURE_PUBLIC_URL, or loopback on SECURE_PORT."""
        return self.secure_public_url or f"http://localhost:{self.secure_port}"

    @property
    def own_host(self) -> str:
        """Its host, as mails name it."""
        return urlsplit(self.own_origin).netloc

    @property
    def modal_origins(self) -> tuple[str, ...]:
        """Origins whose frames may speak to the page: SECURE_MODAL_ORIGINS, or the modal's own."""
        return self.secure_modal_origins or (self.public_url or f"http://localhost:{self.walletmodal_port}",)

    @property
    def sites(self) -> frozenset[str]:
        """Every origin above the page."""
        return frozenset((*self.modal_origins, *self.allowed_origins, *self.secure_client_origins))

    @property
    def smart_account_networks(self) -> tuple[str, ...]:
        """The networks on which accounts may become smart accounts, or have Safes."""
        offered = () if self.secure_smart_accounts == "off" else self.networks
        return tuple(network for network in offered if network.startswith("eip155:"))

    @property
    def node_gateway(self) -> str | None:
        """RPC_URL, `public` resolved."""
        return PUBLIC_SERVICES["RPC_URL"] if self.rpc_url == "public" else self.rpc_url

    def key_ring(self) -> KeyRing:
        """The KEKs.

        Raises:
            StartError: they cannot be had.
        """
        if self.embedded_kek is not None:
            return parse_keys(self.embedded_kek.get_secret_value(), "EMBEDDED_KEK")
        if self.embedded_kek_file is not None:
            return parse_keys(read_key_file(self.embedded_kek_file), "EMBEDDED_KEK_FILE")
        return parse_keys(ask_key_command(self.embedded_kek_command or ""), "EMBEDDED_KEK_COMMAND")


S = TypeVar("S", bound=FileSettings)


def load_settings(kind: type[S], env_file: str | Path | None = ".env") -> S:
    """Reads settings from the environment, then from the file for what is not set there.

    Raises:
        SettingsError: lists each wrong setting by name with what is wrong and an example.
    """
    try:
        return kind(_env_file=env_file)
    except ValidationError as error:
        rows = error.errors(include_input=False)
        raise SettingsError([_problem(kind, row["loc"], row["msg"]) for row in rows]) from None


def _problem(kind: type[FileSettings], loc: tuple[int | str, ...], message: str) -> SettingProblem:
    text = message.removeprefix("Value error, ")
    if loc:
        name = str(loc[0])
        said = "must be set" if text == "Field required" else text
        return SettingProblem(name.upper(), said, _example(kind.model_fields[name]))
    name, _, said = text.partition(": ")
    return SettingProblem(name, said, _example(kind.model_fields[name.lower()]))


def _example(field: Any) -> str:
    if field.examples:
        return str(field.examples[0])
    # `Annotated[X, Field(examples=…)] | None` keeps the examples inside the union's first member.
    for member in getattr(field.annotation, "__args__", ()):
        for extra in getattr(member, "__metadata__", ()):
            if getattr(extra, "examples", None):
                return str(extra.examples[0])
    return "…"

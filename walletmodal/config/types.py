"""Types of settings: their form in the environment, and their checks."""

import ipaddress
import re
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Final

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import parse_account_id, parse_chain_id
from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.errors import AddressError, CaipError
from walletmodal.core.parsing.database_url import postgres_parameters
from walletmodal.core.parsing.redis_url import redis_address
from walletmodal.core.parsing.strict_json import read_json
from walletmodal.core.parsing.urls import is_secure_url, normal_origin
from walletmodal.core.protocol.options import OPTION_NAMES
from walletmodal.core.webhooks.signature import read_secret

_LOCALE: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}")
_DATABASE_URL: Final = re.compile(r"(sqlite(\+aiosqlite)?:///|postgres(ql)?(\+asyncpg)?://[^/\s]+/)\S+")
_MIN_KEY: Final = 24
_FOR_GOOD: Final = 36_500
"""Days: as good as for ever, and a moment of before is one yet."""
_MAX_SECRETS: Final = 2
_ZONE: Final = re.compile(
    r"(?:(?!..--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!..--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
)
_MAX_ZONE: Final = 128


def listed(text: str) -> tuple[str, ...]:
    """The parts of a list with commas, without blanks and repetitions."""
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


def _csv(value: object) -> object:
    """A comma list of the environment as a tuple."""
    return listed(value) if isinstance(value, str) else value


def _api_keys(value: SecretStr) -> SecretStr:
    """Several at once while hosts change over from one to the next."""
    keys = listed(value.get_secret_value())
    if not keys or min(map(len, keys)) < _MIN_KEY:
        raise ValueError(f"each key must have at least {_MIN_KEY} characters, and no comma")
    return value


def _webhook_secrets(value: SecretStr) -> SecretStr:
    """Two at once while a host changes over from one to the next."""
    secrets = listed(value.get_secret_value())
    if not 1 <= len(secrets) <= _MAX_SECRETS:
        raise ValueError("must be one secret, or two with a comma")
    for secret in secrets:
        read_secret(secret)
    return value


def _origin(text: str) -> str:
    origin = normal_origin(text)
    if origin is None:
        raise ValueError(f"{text[:80]!r} is no origin; scheme, host and port only, and no wildcard")
    return origin


def _public_url(text: str) -> str:
    origin = _origin(text)
    if not is_secure_url(origin):
        raise ValueError("must be https, or http on loopback: browsers keep wallets and cookies from other pages")
    return origin


def _service_url(text: str) -> str:
    if text != "public" and not is_secure_url(text):
        raise ValueError("must be an https URL, an http URL on loopback, or the word public")
    return text.rstrip("/")


def _rpc_url(text: str) -> str:
    if not is_secure_url(text):
        raise ValueError("must be CAIP-2=URL pairs; each URL https, or http on loopback")
    return text


def _page_url(text: str) -> str:
    if not is_secure_url(text):
        raise ValueError("must be an https URL, or an http URL on loopback")
    return text


def _socket_url(text: str) -> str:
    if text != "public" and not is_secure_url(text, schemes=("wss", "ws")):
        raise ValueError("must be a wss URL, a ws URL on loopback, or the word public")
    return text.rstrip("/")


def _name_zone(text: str) -> str:
    # With a single label every name that ends so would be the service's, those of ENS among them.
    if len(text) > _MAX_ZONE or not _ZONE.fullmatch(text):
        raise ValueError(
            "must be what stands behind a name's first dot: two or more labels, in lower case, such as names.example"
        )
    return text


def _network_id(text: str) -> str:
    try:
        caip = str(parse_chain_id(text))
    except CaipError as error:
        raise ValueError(f"{text[:64]!r} is no CAIP-2 id") from error
    if caip not in bundled_networks():
        raise ValueError(f"{caip} is not in the table of networks")
    return caip


def _token(text: str) -> str:
    try:
        token = parse_account_id(text)
        normal_address(token.namespace, token.address)
    except (CaipError, AddressError) as error:
        raise ValueError(f"{text[:128]!r} is no CAIP-10 id of a token") from error
    return text


def _option_name(text: str) -> str:
    if text not in OPTION_NAMES:
        raise ValueError(f"{text[:64]!r} is no option of an embed")
    return text


def _of_networks(value: object) -> object:
    """`eip155:1=https://a,eip155:137=https://b` as a mapping."""
    if not isinstance(value, str):
        return value
    pairs = (part.partition("=") for part in value.split(",") if part.strip())
    return {network.strip(): url.strip() for network, _, url in pairs}


def _rpc_urls(value: object) -> object:
    """The same with several URLs of a network, `eip155:1=https://a|https://b`, as a mapping to tuples."""
    found = _of_networks(value)
    if not isinstance(found, dict) or found is value:
        return found
    return {network: tuple(url.strip() for url in urls.split("|") if url.strip()) for network, urls in found.items()}


def _json_object(value: object) -> object:
    """A JSON object as a mapping."""
    if not isinstance(value, str):
        return value
    try:
        found = read_json(value.encode())
    except ValueError as error:
        raise ValueError("must be a JSON object") from error
    if isinstance(found, dict):
        return found
    raise ValueError("must be a JSON object")


def _limits(amounts: tuple[Decimal, Decimal]) -> tuple[Decimal, Decimal]:
    if not 0 < amounts[0] <= amounts[1]:
        raise ValueError("must be amounts of the network's coin above 0: for one visitor, | and for all together")
    return amounts


def _evm_network(text: str) -> str:
    if not _network_id(text).startswith("eip155:"):
        raise ValueError(f"{text[:64]!r} has no smart accounts: only networks of eip155 have")
    return text


def _gas_token(text: str) -> str:
    token = parse_account_id(text)
    return f"{_evm_network(str(token.chain))}:{normal_address(token.namespace, token.address)}"


def _database_url(text: str) -> str:
    if not _DATABASE_URL.fullmatch(text):
        raise ValueError("must be a sqlite:/// or postgresql:// URL that names a database")
    if text.startswith("postgres"):
        postgres_parameters(text)
    return text


def _explorer_url(text: str) -> str:
    if not is_secure_url(text):
        raise ValueError("must be CAIP-2=URL pairs; each URL https, or http on loopback")
    return text.rstrip("/")


def _address(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError as error:
        raise ValueError("must be an IP address of this machine") from error


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        found = ipaddress.ip_network(text)
    except ValueError as error:
        raise ValueError(f"{text[:64]!r} is no IP address and no network, such as 10.0.0.0/8") from error
    if not found.prefixlen:
        raise ValueError(f"{text[:64]!r} is every address: anyone could say who they are")
    return found


def _python_file(path: Path) -> Path:
    if path.suffix != ".py":
        raise ValueError("must be a Python file, its name ending with .py")
    return path


def _redis_url(text: str) -> str:
    redis_address(text)
    return text


Origin = Annotated[str, AfterValidator(_origin)]
PublicUrl = Annotated[str, AfterValidator(_public_url)]
ServiceUrl = Annotated[str, AfterValidator(_service_url)]
PageUrl = Annotated[str, AfterValidator(_page_url)]
SocketUrl = Annotated[str, AfterValidator(_socket_url)]
RpcUrl = Annotated[str, AfterValidator(_rpc_url)]
ExplorerUrl = Annotated[str, AfterValidator(_explorer_url)]
DatabaseUrl = Annotated[str, AfterValidator(_database_url)]
RedisUrl = Annotated[str, AfterValidator(_redis_url)]
KeptDays = Annotated[int, Field(ge=0, le=3650), AfterValidator(lambda days: days or _FOR_GOOD)]
"""For how many days something is kept; 0 is for good."""
KeptRows = Annotated[int | None, Field(ge=0), AfterValidator(lambda rows: rows or None)]
"""How many rows of a table are kept at most; 0 is all."""
Port = Annotated[int, Field(ge=1, le=65535)]
IpAddress = Annotated[str, AfterValidator(_address)]
IpNetwork = Annotated[ipaddress.IPv4Network | ipaddress.IPv6Network, BeforeValidator(_network)]
NameZone = Annotated[str, AfterValidator(_name_zone)]
FiniteDecimal = Annotated[Decimal, Field(allow_inf_nan=False)]
SponsorAmounts = Annotated[tuple[FiniteDecimal, FiniteDecimal], AfterValidator(_limits)]
EvmNetworkId = Annotated[str, AfterValidator(_evm_network)]
NetworkId = Annotated[str, AfterValidator(_network_id)]


def _locale(value: str) -> str:
    if not _LOCALE.fullmatch(value):
        raise ValueError(f"{value} is not a language by BCP 47")
    return value


Locale = Annotated[str, AfterValidator(_locale)]
TokenId = Annotated[str, AfterValidator(_token)]
GasToken = Annotated[TokenId, AfterValidator(_gas_token)]
OptionName = Annotated[str, AfterValidator(_option_name)]
PythonFile = Annotated[Path, AfterValidator(_python_file)]
WebhookSecrets = Annotated[SecretStr, AfterValidator(_webhook_secrets)]
ApiKeys = Annotated[SecretStr, AfterValidator(_api_keys)]

COMMA_LIST: Final = BeforeValidator(_csv)
"""Reads a list with commas."""
JSON_OBJECT: Final = BeforeValidator(_json_object)
"""Reads a JSON object."""
BY_NETWORK: Final = BeforeValidator(_of_networks)
"""Reads `eip155:1=https://a,eip155:137=https://b` as a mapping."""
LISTS_BY_NETWORK: Final = BeforeValidator(_rpc_urls)
"""Reads `eip155:1=https://a|https://b` as a mapping to tuples."""

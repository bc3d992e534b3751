"""The settings of the recovery service: environment variables and `.env`; `.env.example` lists every one."""

from typing import Annotated

from cryptography.hazmat.primitives.asymmetric import ec
from pydantic import AfterValidator, Field, SecretStr

from walletmodal.config.types import DatabaseUrl, IpAddress, Port
from walletmodal.secure.encoding import decode
from walletmodal.secure.settings import FileSettings, Token


def read_private_key(text: str) -> ec.EllipticCurvePrivateKey:
    """The private key of 32 bytes in base64url.

    Raises:
        ValueError: no key of P-256.
    """
    try:
        return ec.derive_private_key(int.from_bytes(decode(text, 32), "big"), ec.SECP256R1())
    except ValueError:
        raise ValueError(
            "must be 32 bytes in base64url; `python -m walletmodal.secure.recovery key` makes a key"
        ) from None


def _key(secret: SecretStr) -> SecretStr:
    read_private_key(secret.get_secret_value())
    return secret


class RecoverySettings(FileSettings):
    """The settings of one service; the name of each in the environment is its own in capitals."""

    recovery_port: Annotated[Port, Field(examples=["8702"])] = 8702
    recovery_host: Annotated[IpAddress, Field(examples=["127.0.0.1"])] = "127.0.0.1"
    recovery_database_url: Annotated[
        DatabaseUrl, Field(examples=["postgresql://user:password@localhost/walletmodal_recovery"])
    ] = "sqlite:///data/recovery.db"
    recovery_key: Annotated[SecretStr, AfterValidator(_key), Field(examples=["<32 bytes in base64url>"])]
    recovery_token: Annotated[Token, Field(examples=["at-least-24-characters-long"])]

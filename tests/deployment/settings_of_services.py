"""Which settings each of the three services reads, by the first word of its command, and how long it may take to end."""

from collections.abc import Iterable, Mapping
from typing import Final

from pydantic_settings import BaseSettings

from walletmodal.commands.serve import worker_end_seconds
from walletmodal.config import Settings as ModalSettings
from walletmodal.operator.start_checks import LOOK_SECONDS
from walletmodal.secure.recovery.settings import RecoverySettings
from walletmodal.secure.serving import _DRAIN_SECONDS
from walletmodal.secure.settings import Settings as SecureSettings

KINDS: Final[dict[str, type[BaseSettings]]] = {
    "serve": ModalSettings,
    "serve-secure": SecureSettings,
    "serve-recovery": RecoverySettings,
}


def unknown(command: str, names: Iterable[str]) -> set[str]:
    """Those of the names that are neither a setting of the service nor that of the file with one."""
    fields = {name.upper() for name in KINDS[command].model_fields}
    return {name for name in names if name not in fields and name.removesuffix("_FILE") not in fields}


def seconds_to_end(command: str, given: Mapping[str, object]) -> float:
    """How long a service may take to end once it is asked to, before it kills its workers itself.

    `given`: its environment.
    """
    if command != "serve":
        return _DRAIN_SECONDS
    drain = {name.lower(): value for name, value in given.items() if name.startswith("DRAIN_")}
    settings = ModalSettings(_env_file=None, redis_url="redis://localhost", **drain)  # type: ignore[arg-type]  # texts, as in an environment
    return settings.drain_delay_seconds + LOOK_SECONDS + worker_end_seconds(settings) + 5

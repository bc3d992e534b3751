"""The doctor on settings that are well written but unwise, and on the operator's policy."""

import os
from collections.abc import Sequence
from pathlib import Path

from walletmodal.config import Settings
from walletmodal.core.constants import NAME_ZONE
from walletmodal.core.errors import SettingsError
from walletmodal.operator.findings import Finding, failed, ok, warning
from walletmodal.operator.start_checks import misspelt_settings
from walletmodal.services.policy.policy_file import PolicyFile


async def written_settings(settings: Settings) -> Sequence[Finding]:
    """What is missing, and what is only for one's own machine."""
    found = [ok("settings", "can be read")]
    found += [warning("settings", sentence) for sentence in misspelt_settings()]
    if settings.secret_key is None:
        text = "is not set: signing keys lie in the database as they are, and references to pictures end with a restart"
        found.append(warning("SECRET_KEY", text))
    if settings.api_key is None:
        text = "is not set: nobody may ask about sessions, so hosts cannot verify online"
        found.append(warning("API_KEY", text))
    if settings.asks_public_services and not settings.project_id:
        found.append(warning("PROJECT_ID", "is not set, and the public services ask for one"))
    elif settings.is_set("SECURE_SITE_URL") and settings.secure_protocol == "appkit" and not settings.project_id:
        found.append(warning("PROJECT_ID", "is not set, and secure sites of AppKit's ask for one"))
    if settings.name_zone != NAME_ZONE and not settings.is_set("BLOCKCHAIN_URL"):
        found.append(warning("NAME_ZONE", "is set, but BLOCKCHAIN_URL is not: nobody can register a name"))
    if settings.loopback_images:
        found.append(
            warning("LOOPBACK_IMAGES", "is on: whoever lists a token can have this machine's own addresses fetched")
        )
    if settings.loopback_paymasters:
        found.append(warning("LOOPBACK_PAYMASTERS", "is on: any host page can have this machine's own addresses asked"))
    if settings.allow_delegate_calls:
        text = "is on: a request may have an account run foreign code as its own, which can take everything in it"
        found.append(warning("ALLOW_DELEGATE_CALLS", text))
    found += _authorities()
    found += _env_file()
    if settings.policy_reload:
        found.append(warning("POLICY_RELOAD", "is on: whoever may write the file decides about requests at once"))
    return found


def _authorities() -> list[Finding]:
    """Finds variables that lead OpenSSL to authorities nowhere, which it passes over in silence."""
    set_here = {name: os.environ.get(name) for name in ("SSL_CERT_FILE", "SSL_CERT_DIR")}
    lost = [name for name, path in set_here.items() if path and not Path(path).exists()]
    return [failed(name, "leads to nothing: certificates are checked without it") for name in lost]


def _env_file() -> list[Finding]:
    file = Path(".env")
    if not file.exists() or not file.stat().st_mode & 0o077:
        return []
    return [warning(".env", "can be read by others on this machine, and holds keys and passwords: chmod 600 .env")]


async def policy(settings: Settings) -> Sequence[Finding]:
    """Whether the operator's file can be loaded."""
    if settings.policy_file is None:
        return []
    try:
        PolicyFile(settings.policy_file)
    except SettingsError as error:
        return [failed("POLICY_FILE", one.problem) for one in error.problems]
    return [ok("POLICY_FILE", f"{settings.policy_file} has a policy")]

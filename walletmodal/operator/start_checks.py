"""Checks of `make serve`: before it starts, so that a mistake shows there and not to the first visitor, and before it ends."""

import asyncio
import os
from collections.abc import Awaitable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Final, cast
from urllib.parse import urlsplit

from dotenv import dotenv_values
from redis.exceptions import RedisError

from walletmodal.config import SETTING_NAMES, Settings
from walletmodal.config.files import SUFFIX
from walletmodal.core.parsing.urls import is_loopback_host
from walletmodal.services.languages import BUNDLED, Languages
from walletmodal.services.policy import PolicyFile
from walletmodal.services.redis_clients import open_redis
from walletmodal.services.servers import Servers, server_name

_REDIS_SECONDS: Final = 2.0
LOOK_SECONDS: Final = 5.0
"""Within which Redis has named the servers."""
_NAMES: Final = (*SETTING_NAMES, *(f"{name}{SUFFIX}" for name in SETTING_NAMES))
# The environment has names of everybody's. Only what can hardly mean anything else is told of there.
_ALIKE_IN_FILE, _ALIKE_IN_ENVIRONMENT, _SHORTEST = 0.85, 0.92, 8


def check_files(settings: Settings) -> None:
    """Load the policy and the catalogues as each worker will.

    Raises SettingsError and CatalogueError, where one of them is broken.
    """
    if settings.policy_file is not None:
        PolicyFile(settings.policy_file)
    Languages(settings.locales, (BUNDLED, Path.cwd() / "locale"))


def redis_failure(settings: Settings) -> str | None:
    """Why the Redis of REDIS_URL cannot be used; None when it answers, or is not set. Nothing of the URL is told: it has a password."""
    if settings.redis_url is None:
        return None
    try:
        asyncio.run(_ping(settings.redis_url))
    except (RedisError, OSError) as error:
        return f"REDIS_URL: Redis does not answer ({type(error).__name__})"
    return None


async def _ping(url: str) -> None:
    async with open_redis(url, patience=_REDIS_SECONDS) as client:
        await cast("Awaitable[bool]", client.ping())


def cluster_gaps(settings: Settings) -> list[str]:
    """A sentence for each thing that several servers behind a balancer need and this one lacks, where it looks like one of them."""
    found = []
    others = [name for name in _servers(settings) if name != server_name(settings.walletmodal_port)]
    if others:
        found.append(
            f"other servers on this Redis: {', '.join(others)}; `doctor --cluster` says whether they fit together"
        )
    if others and settings.database_url.startswith("sqlite"):
        found.append("DATABASE_URL is of SQLite, which those servers cannot share: sign-ins and records differ at each")
    if settings.redis_url is None and not settings.database_url.startswith("sqlite"):
        found.append(
            "REDIS_URL is not set: sessions, nonces, limits and caches are in this process, so no other server may serve"
        )
    if settings.redis_url is not None and settings.secret_key is None:
        found.append("SECRET_KEY is not set: what this server signs no other one believes, nor itself after a restart")
    if not is_loopback_host(settings.walletmodal_host) and not settings.trusted_proxies:
        found.append("TRUSTED_PROXIES is not set: behind a balancer all visitors share the limits of one")
    return found


def is_alone(settings: Settings) -> bool:
    """Whether this server alone is on its Redis, so that nobody could go on with its pages; not where Redis does not know even this one."""
    return _servers(settings) == [server_name(settings.walletmodal_port)]


def _servers(settings: Settings) -> list[str]:
    """The names of those on the Redis of this one; none where there is no Redis, or it does not say in time."""
    if settings.redis_url is None:
        return []
    try:
        return asyncio.run(_names(settings.redis_url))
    except (RedisError, OSError):
        return []


async def _names(url: str) -> list[str]:
    async with asyncio.timeout(LOOK_SECONDS), open_redis(url, patience=_REDIS_SECONDS) as client:
        return await Servers(client).names()


def misspelt_settings(environment: Mapping[str, str] = os.environ, env_file: str | Path = ".env") -> list[str]:
    """A sentence for each name in the environment or in the file that is no setting and looks like one."""
    in_file = dotenv_values(env_file) if Path(env_file).is_file() else {}
    found = [
        *_misspelt(in_file, _ALIKE_IN_FILE),
        *_misspelt((name for name in environment if len(name) >= _SHORTEST), _ALIKE_IN_ENVIRONMENT),
    ]
    return list(dict.fromkeys(found))


def _misspelt(names: Iterable[str], alike: float) -> Iterable[str]:
    for name in names:
        meant = get_close_matches(name.upper(), _NAMES, n=1, cutoff=alike)
        if meant and name.upper() != meant[0]:
            yield f"{name}: did you mean {meant[0]}?"


def unwise_origins(settings: Settings) -> list[str]:
    """A sentence for each way in which PUBLIC_URL and ALLOWED_ORIGINS leave visitors without the modal."""
    if not settings.allowed_origins:
        return ["ALLOWED_ORIGINS is not set: no page but the modal's own can show it"]
    if _is_on_this_machine(settings.own_origin) and not all(map(_is_on_this_machine, settings.allowed_origins)):
        shown = "is not set" if settings.public_url is None else f"is {settings.public_url}"
        return [f"PUBLIC_URL {shown}: visitors of ALLOWED_ORIGINS would look for the modal on their own machines"]
    return []


def _is_on_this_machine(origin: str) -> bool:
    return is_loopback_host(urlsplit(origin).hostname or "")

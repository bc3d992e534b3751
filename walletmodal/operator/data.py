"""`data export` and `data erase`: what the deployment has about an account, for whoever owns it."""

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Awaitable, Mapping
from typing import Any, Final, cast

from redis.exceptions import RedisError

from walletmodal.config import Settings
from walletmodal.core.clock import SystemClock
from walletmodal.core.sign_in.message import iso_text
from walletmodal.db.personal_data import PersonalDataStore
from walletmodal.operator.accounts import account_of
from walletmodal.operator.printing import Printer, complain
from walletmodal.operator.tables import refuse_later, revision_here, tables
from walletmodal.services.cache import REDIS_PREFIX as CACHE_PREFIX
from walletmodal.services.redis_clients import open_redis
from walletmodal.services.sign_in.nonces import REDIS_PREFIX as NONCES_PREFIX

VERSION: Final = 1
"""Of the shape of an export."""
_SCANNED: Final = 1000
_COLUMNS: Final = ("table", "removed", "anonymised", "kept")

_Counts = Mapping[str, Counter[str]]


async def export(settings: Settings, asked: argparse.Namespace, _printer: Printer) -> bool:
    """Prints it as JSON.

    Raises:
        AddressError, CaipError: the address is none.
        LaterTablesError: a later version has more about it.
    """
    namespace, address = account_of(asked.address)
    clock = SystemClock()
    refuse_later(settings, await revision_here(settings))
    async with tables(settings) as engine:
        found = await PersonalDataStore(engine, clock=clock).export(address)
    told = {
        "version": VERSION,
        "address": address,
        "at": iso_text(clock.now()),
        "namespaces": {namespace: found},
    }
    sys.stdout.write(json.dumps(told, indent=2) + "\n")
    return True


async def erase(settings: Settings, asked: argparse.Namespace, printer: Printer) -> bool:
    """Says what would be done and asks, then does it.

    Raises:
        AddressError, CaipError: the address is none.
        LaterTablesError: a later version has more about it.
    """
    _, address = account_of(asked.address)
    refuse_later(settings, await revision_here(settings))
    async with tables(settings) as engine:
        store = PersonalDataStore(engine, clock=SystemClock(), secret=settings.lasting_secret or "")
        if not asked.yes:
            _tell(printer, await store.count(address))
            if not await _is_meant(address):
                complain("nothing was erased; say --yes to do it without being asked")
                return False
        done = await store.erase(address)
    try:
        sessions = await _erase_in_redis(settings, address)
    except (RedisError, OSError) as error:
        complain(
            f"the database is done; Redis does not answer ({type(error).__name__}): do it again, or wait for 70 minutes"
        )
        return False
    _tell(printer, {**done, "sessions": Counter(removed=sessions)})
    return True


def _tell(printer: Printer, counts: _Counts) -> None:
    rows: list[tuple[Any, ...]] = [
        (name, found["removed"], found["anonymised"], found["kept"]) for name, found in counts.items() if +found
    ]
    printer.rows(_COLUMNS, rows, empty="there is nothing about this account")


async def _is_meant(address: str) -> bool:
    sys.stderr.write(f"Erase what is about {address} for good? [y/N] ")
    sys.stderr.flush()
    answer = await asyncio.to_thread(sys.stdin.readline)
    return answer.strip().lower() in ("y", "yes")


async def _erase_in_redis(settings: Settings, address: str) -> int:
    """Ends the sessions that have the account, and drops what services have said of it and what it was to sign; returns how many sessions."""
    if settings.redis_url is None:
        return 0
    from walletmodal.reflex_internals.session_end import forget_sessions_with  # noqa: PLC0415 - other commands need no Reflex

    text = address.lower().removeprefix("0x")
    async with open_redis(settings.redis_url) as redis:
        async for key in redis.scan_iter(f"{CACHE_PREFIX}*", count=_SCANNED):
            if text.encode() in (await redis.get(key) or b"").lower():
                await redis.unlink(key)
        async for key in redis.scan_iter(f"{NONCES_PREFIX}*", count=_SCANNED):
            # redis-py types the answers of both its clients as one.
            values = await cast("Awaitable[list[bytes]]", redis.hvals(key))
            if any(text.encode() in value.lower() for value in values):
                await redis.unlink(key)
        return await forget_sessions_with(redis, text)

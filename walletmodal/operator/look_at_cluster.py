"""The doctor on all servers of a deployment together: what must be the same at each, and what they need of Redis and the database."""

import uuid
from collections import defaultdict
from collections.abc import Awaitable, Iterable, Sequence
from typing import Any, Final, cast

from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from walletmodal.config import Settings
from walletmodal.operator.findings import Finding, failed, ok, warning
from walletmodal.services.redis_clients import open_redis, servers
from walletmodal.services.servers import ServerReport, Servers

CLOCK_SECONDS: Final = 1.0
"""So far the clocks of servers may be apart: what expires is compared across them."""
_FEWEST: Final = 2
_SECONDS: Final = 5.0
_SQLITE: Final = "SQLite"
_RELEASE: Final = ("version", "states", "front_end", "revision")
_WORDS: Final = {
    "version": "another version",
    "states": "sessions of another shape",
    "front_end": "another front end",
    "revision": "tables of another revision",
    "secret_key": "another SECRET_KEY",
    "policy": "another content of POLICY_FILE",
    "database": "another database",
}


async def cluster(settings: Settings) -> Sequence[Finding]:
    """Checks whether several servers with these settings, Redis and database among them, are one deployment."""
    if settings.redis_url is None:
        return [failed("cluster", "REDIS_URL is not set: sessions, nonces and limits are in the memory of each server")]
    async with open_redis(settings.redis_url, patience=_SECONDS) as client:
        try:
            reports = await Servers(client).all()
            found = [*compare(reports), *await _rights(client), *await _memory(client)]
        except (RedisError, OSError) as error:
            return [failed("cluster", f"Redis does not answer ({type(error).__name__})")]
    return found


def compare(reports: Sequence[ServerReport]) -> list[Finding]:
    """Finds in what the servers differ from most of them."""
    if len(reports) < _FEWEST:
        named = "; ".join(one.name for one in reports) or "none"
        return [
            failed("cluster", f"of {_FEWEST} servers or more only these have written to Redis within 30 s: {named}")
        ]
    found = [failed(f"server {one.name}", sentence) for one, sentence in _unfit(reports)]
    for fact, words in _WORDS.items():
        for one, most in _others(reports, [str(getattr(report, fact)) for report in reports]):
            if fact in _RELEASE:
                text = f"has {words} than {most}, as while servers are upgraded one after the other"
                found.append(warning(f"server {one.name}", text))
            else:
                found.append(failed(f"server {one.name}", f"has {words} than {most}"))
    # Hashes that are keyed with another SECRET_KEY say nothing.
    strangers = [one for one, _ in _others(reports, [report.secret_key for report in reports])]
    alike = [one for one in reports if one not in strangers]
    for name in sorted({name for one in alike for name in one.settings}):
        for one, most in _others(alike, [report.settings.get(name, "") for report in alike]):
            found.append(failed(f"server {one.name}", f"has another {name} than {most}"))
    return found or [ok("cluster", f"{len(reports)} servers fit together: {', '.join(one.name for one in reports)}")]


def _unfit(reports: Sequence[ServerReport]) -> Iterable[tuple[ServerReport, str]]:
    for one in reports:
        if abs(one.clock_ahead) > CLOCK_SECONDS:
            yield one, f"has a clock that is {one.clock_ahead:+.1f} s from that of Redis"
        if one.database == _SQLITE:
            yield one, "has SQLite, which other servers cannot share: DATABASE_URL must be of PostgreSQL"
        elif not one.database:
            yield one, "cannot say which database it has: PostgreSQL does not answer it"
        if not one.secret_key:
            yield one, "has no SECRET_KEY: it reads nothing that another has signed or encrypted"


def _others(reports: Sequence[ServerReport], values: Sequence[str]) -> list[tuple[ServerReport, str]]:
    """Those with another value than most, each with the name of one of these."""
    groups: dict[str, list[ServerReport]] = defaultdict(list)
    for one, value in zip(reports, values, strict=True):
        groups[value].append(one)
    most, *others = sorted(groups.values(), key=len, reverse=True)
    return [(one, most[0].name) for group in others for one in group]


async def _rights(client: Redis) -> list[Finding]:
    """Does once what servers do all the time, on keys that nobody has."""
    name = uuid.uuid4().hex
    refused = []
    for kind in ("walletmodal:doctor:{}", "{}_lock", "token_manager_socket_record_{}"):
        key = kind.format(name)
        done: tuple[tuple[str, Awaitable[Any]], ...] = (
            ("set", client.set(key, "1", px=1000)),
            ("mget", client.mget([key])),
            ("expire", client.expire(key, 1)),
            ("eval", cast("Awaitable[Any]", client.eval("return redis.call('GET', KEYS[1])", 1, key))),
            ("unlink", client.unlink(key)),
        )
        for command, doing in done:
            try:
                await doing
            except ResponseError as error:
                refused.append(f"{command} of {kind.format('…')} ({type(error).__name__})")
    try:
        await client.publish(f"channel:token_manager_lost_and_found_{name}", "")
        async with client.pubsub() as listening:
            await listening.psubscribe(f"__keyspace@{client.connection_pool.connection_kwargs.get('db', 0)}__:{name}*")
    except ResponseError as error:
        refused.append(f"publish, psubscribe ({type(error).__name__})")
    if refused:
        return [failed("redis", f"refuses what servers need: {', '.join(refused)}")]
    return [ok("redis", "lets servers do what they need")]


async def _memory(client: Redis) -> list[Finding]:
    memory = [cast("dict[str, Any]", await one.info("memory")) for one in await servers(client)]
    policies = {str(one.get("maxmemory_policy", "")) for one in memory}
    policy = ", ".join(sorted(policies - {"noeviction"}))
    if not policy:
        return [ok("redis", "forgets nothing by itself (maxmemory-policy noeviction)")]
    return [
        failed(
            "redis", f"has maxmemory-policy {policy}: sessions and nonces go when its memory is full; set noeviction"
        )
    ]

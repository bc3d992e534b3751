"""The doctor on all servers of a deployment together: what must be the same at each, and what they need of Redis and the database."""

import uuid
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Final, cast

from redis.asyncio import Redis
from redis.exceptions import NoPermissionError, RedisError, ResponseError

from walletmodal.config import Settings
from walletmodal.operator.findings import Finding, failed, ok, right_of, warning
from walletmodal.services.redis_clients import open_redis, primaries_of
from walletmodal.services.redis_cluster import ClusterClient
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
_KINDS: Final = ("walletmodal:doctor:{}", "{}_lock", "token_manager_socket_record_{}")
_OF_KEYS: Final = (
    "SET {0} 1 PX 1000",
    "GET {0}",
    "MGET {0}",
    "EXISTS {0}",
    "PEXPIRE {0} 1000",
    "GETDEL {0}",
    "SETEX {0} 1 1",
    "DEL {0}",
    "HSET {1} field 1",
    "EXPIRE {1} 1",
    "HGET {1} field",
    "HMGET {1} field",
    "HGETALL {1}",
    "HVALS {1}",
    "HDEL {1} field",
    "UNLINK {1}",
)
"""What is done with each kind of key: a text, and one with fields."""
_OF_NO_KEY: Final = (
    "PING",
    "TIME",
    "INFO memory",
    "SCAN 0 COUNT 1",
    "PUBLISH channel:token_manager_lost_and_found_{} -",
)


async def cluster(settings: Settings) -> Sequence[Finding]:
    """Checks whether several servers with these settings, Redis and database among them, are one deployment."""
    if settings.redis_url is None:
        return [failed("cluster", "REDIS_URL is not set: sessions, nonces and limits are in the memory of each server")]
    async with open_redis(settings.redis_url, patience=_SECONDS) as client:
        try:
            rights = await _rights(client)
            try:
                return [*compare(await Servers(client).all()), *rights, *await _memory(client)]
            except NoPermissionError:
                if all(one.state == "ok" for one in rights):
                    raise
                # What it is that is refused stands there.
                return rights
        except (RedisError, OSError) as error:
            return [failed("cluster", f"Redis does not answer ({type(error).__name__})")]


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
    # In order, each once.
    refused = dict[str, None]()

    async def attempt(what: str, doing: Awaitable[Any]) -> None:
        try:
            await doing
        except ResponseError as error:
            refused[right_of(error) or f"{what} ({type(error).__name__})"] = None

    ask = cast("Callable[..., Awaitable[Any]]", client.execute_command)
    for kind in _KINDS:
        keys, where = (kind.format(name), kind.format(f"{name}_fields")), f"of {kind.format('…')}"
        for words in _OF_KEYS:
            await attempt(f"{words.split()[0].lower()} {where}", ask(*words.format(*keys).split()))
        await attempt(f"eval {where}", ask("EVAL", "return KEYS[1]", 1, keys[0]))
    for words in _OF_NO_KEY:
        await attempt(words.split()[0].lower(), ask(*words.format(name).split()))
    await attempt("subscribe", _listen(client, f"channel:{name}"))
    if isinstance(client, ClusterClient):
        await attempt("asking", _ask_for_what_moves(client))
    if refused:
        return [failed("redis", f"refuses what servers need: {', '.join(refused)}")]
    return [ok("redis", "lets servers do what they need")]


async def _listen(client: Redis, channel: str) -> None:
    for one in await primaries_of(client):
        async with one.pubsub() as listening:
            await listening.subscribe(channel)
            # Whether it may is the answer, for which nobody waits before.
            await listening.get_message(timeout=_SECONDS)


async def _ask_for_what_moves(client: ClusterClient) -> None:
    clients: list[Any] = await client.primaries()
    for one in clients:
        await one.execute_command("ASKING")


async def _memory(client: Redis) -> list[Finding]:
    memory = [cast("dict[str, Any]", await one.info("memory")) for one in await primaries_of(client)]
    policies = {str(one.get("maxmemory_policy", "")) for one in memory}
    policy = ", ".join(sorted(policies - {"noeviction"}))
    if not policy:
        return [ok("redis", "forgets nothing by itself (maxmemory-policy noeviction)")]
    return [
        failed(
            "redis", f"has maxmemory-policy {policy}: sessions and nonces go when its memory is full; set noeviction"
        )
    ]

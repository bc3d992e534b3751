"""`python -m walletmodal.secure doctor`: checks what the secure site depends on, part by part. It changes nothing, and sends no mail."""

import asyncio
import stat
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Final

import httpx
from alembic.script import ScriptDirectory
from sqlalchemy import select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import col

from walletmodal.core.clock import SystemClock
from walletmodal.core.parsing.urls import is_loopback_host
from walletmodal.db.engine import close_engine, open_engine, unit_of_work
from walletmodal.operator.findings import Finding, certificate_of, failed, host_of, ok, warning
from walletmodal.operator.printing import Printer
from walletmodal.secure.custody.envelope import EnvelopeError, KeyRing
from walletmodal.secure.custody.recovery_client import recovery_http
from walletmodal.secure.db.tables import Secret
from walletmodal.secure.db.upgrade import MIGRATIONS, alembic_config
from walletmodal.secure.errors import StartError
from walletmodal.secure.login.smtp import MailError, parse_smtp_url
from walletmodal.secure.mailer import open_mailer
from walletmodal.secure.pages import STATIC
from walletmodal.secure.pepper import open_pepper
from walletmodal.secure.published import compare, file_hashes
from walletmodal.secure.rotation import count_versions
from walletmodal.secure.settings import Settings
from walletmodal.secure.social.providers import OWN
from walletmodal.services.http.authorities import is_unknown_authority, usual_authorities

LOOK_SECONDS: Final = 10.0
"""So long each part may take."""
MOST_OFF: Final = 30.0
"""Seconds that clocks may differ by: devices' calls are refused from 60 on."""

Look = Callable[[Settings], Awaitable[Sequence[Finding]]]


async def doctor(settings: Settings, printer: Printer) -> bool:
    """Checks all parts at once, and prints each; False where one of them has failed."""
    found = await asyncio.gather(*(in_time(name, look, settings) for name, look in LOOKS.items()))
    findings = [one for part in found for one in part]
    printer.rows(("state", "part", "finding"), [(one.state, one.part, one.text) for one in findings], empty="")
    return not any(one.state == "failed" for one in findings)


async def in_time(name: str, look: Look, settings: Settings) -> Sequence[Finding]:
    """What a look finds, within its time."""
    try:
        async with asyncio.timeout(LOOK_SECONDS):
            return await look(settings)
    except TimeoutError:
        return [failed(name, f"has not answered within {LOOK_SECONDS:.0f} s")]


async def mail(settings: Settings) -> Sequence[Finding]:
    """Checks that the relay is there, is who it should be, and takes the login and the sender."""
    relay = parse_smtp_url(settings.smtp_url.get_secret_value())
    try:
        await open_mailer(settings, SystemClock()).rehearse()
    except MailError as error:
        why = {"SMTPAuthenticationError": "refuses user and password", "TimeoutError": "has not answered in time"}
        return [failed("SMTP_URL", f"{relay.host}:{relay.port} {why.get(str(error), f'does not take mail ({error})')}")]
    told = f"{relay.host}:{relay.port} takes mail from {settings.mail_from}"
    if not relay.tls and not relay.starttls and not is_loopback_host(relay.host):
        return [warning("SMTP_URL", f"{told}, unencrypted: starttls=0")]
    return [ok("SMTP_URL", told)]


async def key(settings: Settings) -> Sequence[Finding]:
    """Checks that the KEK is that of the database, and that nobody else can read its file."""
    found: list[Finding] = []
    file = settings.embedded_kek_file
    if file is not None:
        found += _file_mode(file)
    try:
        keys = await asyncio.to_thread(settings.key_ring)
    except StartError as error:
        return [*found, failed("EMBEDDED_KEK", str(error))]
    engine = open_engine(settings.secure_database_url)
    try:
        async with unit_of_work(engine) as connection:
            sealed = await connection.scalar(select(col(Secret.name)).limit(1))
        if sealed is None:
            return [*found, ok("EMBEDDED_KEK", "can be read; the database has nothing in it yet")]
        await open_pepper(engine, keys)
        return [*found, _versions(keys, await count_versions(engine))]
    except (StartError, EnvelopeError) as error:
        return [*found, failed("EMBEDDED_KEK", str(error))]
    except (SQLAlchemyError, OSError) as error:
        return [
            *found,
            failed("EMBEDDED_KEK", f"the database does not tell whether it is its own ({type(error).__name__})"),
        ]
    finally:
        await close_engine(engine)


def _versions(keys: KeyRing, counts: Counter[int]) -> Finding:
    """Whether the older keys may leave: a worker that was not restarted goes on sealing by the one that it knows."""
    older = {version: count for version, count in sorted(counts.items()) if version != keys.version}
    told = ", ".join(f"{count} of version {version}" for version, count in older.items())
    if not keys.versions >= older.keys():
        return failed("EMBEDDED_KEK", f"misses a key that values were sealed by, and those stay closed: {told}")
    if older:
        return warning(
            "EMBEDDED_KEK", f"has older keys that values were sealed by: {told}. Restart every worker, then `rotate`"
        )
    return ok("EMBEDDED_KEK", f"opens the database; version {keys.version} has sealed all that is in it")


def _file_mode(file: Path) -> list[Finding]:
    try:
        mode = file.stat().st_mode
    except OSError as error:
        return [failed("EMBEDDED_KEK_FILE", f"cannot be read ({type(error).__name__})")]
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        return [failed("EMBEDDED_KEK_FILE", f"others can read it (mode {stat.S_IMODE(mode):o}): chmod 600")]
    return []


async def database(settings: Settings) -> Sequence[Finding]:
    """Checks that the database has the tables of this version, and the time of this machine."""
    scripts = ScriptDirectory.from_config(alembic_config(settings.secure_database_url, MIGRATIONS))
    known = [one.revision for one in scripts.walk_revisions()]
    engine = open_engine(settings.secure_database_url)
    try:
        async with unit_of_work(engine) as connection:
            there = await connection.scalar(text("SELECT version_num FROM alembic_version"))
            remote = engine.dialect.name != "sqlite"
            theirs = await connection.scalar(text("SELECT extract(epoch FROM clock_timestamp())")) if remote else None
    except (SQLAlchemyError, OSError) as error:
        return [failed("database", f"does not answer, or has no tables ({type(error).__name__})")]
    finally:
        await close_engine(engine)
    if there is not None and there not in known:
        return [failed("database", f"has the tables of a later version ({there}), on which this one does not start")]
    if there != known[0]:
        has = "has no tables" if there is None else f"has the tables of revision {there}"
        return [failed("database", f"{has}, this version needs {known[0]}; the start migrates it")]
    found = [ok("database", f"answers, its tables are those of this version ({there})")]
    return found if theirs is None else [*found, *compared_clock("database", float(theirs))]


def compared_clock(part: str, theirs: float) -> list[Finding]:
    """A warning where a clock differs from this machine's."""
    off = theirs - time.time()
    if abs(off) <= MOST_OFF:
        return []
    return [
        warning(
            part,
            f"its clock is {abs(off):.0f} s {'ahead of' if off > 0 else 'behind'} this machine's: is one of them wrong?",
        )
    ]


async def recovery(settings: Settings) -> Sequence[Finding]:
    """Checks that the recovery service answers, and knows RECOVERY_TOKEN."""
    if not settings.has_escrow or settings.recovery_url is None or settings.recovery_token is None:
        return [ok("RECOVERY_URL", "is not asked: SECURE_ESCROW is off")]
    host = host_of(settings.recovery_url)
    try:
        async with recovery_http(settings.recovery_url, settings.recovery_token.get_secret_value()) as client:
            health = await client.get("/_health")
            # A box that has no id is refused, after the token was looked at: nothing is changed.
            admitted = await client.post("/v1/boxes/none/start", json={})
    except httpx.HTTPError as error:
        return [failed("RECOVERY_URL", _why(host, error))]
    if not health.is_success:
        return [failed("RECOVERY_URL", f"{host} answers with status {health.status_code}")]
    if admitted.status_code == httpx.codes.UNAUTHORIZED:
        return [failed("RECOVERY_URL", f"{host} refuses RECOVERY_TOKEN: it is another one there")]
    return [ok("RECOVERY_URL", f"{host} answers, and knows RECOVERY_TOKEN"), *clock_of("RECOVERY_URL", health)]


async def providers(settings: Settings) -> Sequence[Finding]:
    """Checks that each provider's pages and keys can be reached, and how this site's return address must be registered there."""
    clients = settings.social_clients
    if not clients:
        return []
    secure = settings.own_origin.startswith("https://")
    async with httpx.AsyncClient(verify=usual_authorities(), timeout=LOOK_SECONDS / 2, trust_env=False) as http:
        found = []
        for provider, _ in clients.values():
            part, back = f"{provider.name} login", f"{settings.own_origin}/oauth/back/{provider.id}"
            if provider.id == "apple" and not secure:
                found.append(failed(part, "takes https alone, and SECURE_PUBLIC_URL is http"))
                continue
            found += await _provider(http, part, [provider.authorize, provider.keys or provider.code_url], back)
        return found


async def _provider(http: httpx.AsyncClient, part: str, urls: list[str], back: str) -> list[Finding]:
    clocks: list[Finding] = []
    for url in urls:
        try:
            answer = await http.get(url)
        except httpx.HTTPError as error:
            return [failed(part, _why(host_of(url), error))]
        if answer.is_server_error:
            return [failed(part, f"{host_of(url)} answers with status {answer.status_code}")]
        clocks = clock_of(part, answer)
    return [ok(part, f"can be reached; {back} must be registered there as the return address"), *clocks]


async def page(settings: Settings) -> Sequence[Finding]:
    """Checks that the site, as browsers reach it, serves the pages and files that are built here."""
    origin, built = settings.own_origin, file_hashes(STATIC)
    if not built:
        return [failed("page", "is not built: make build")]
    try:
        standing = {provider.id: provider for provider, _ in settings.social_clients.values()}
        wrong, *_ = await compare(origin, built, providers={**OWN, **standing}.values())
    except httpx.HTTPError as error:
        return [warning("page", f"{_why(host_of(origin), error)}: its scripts were not compared")]
    if wrong:
        return [failed("page", f"{origin} does not serve what is built here: {', '.join(wrong)}")]
    return [ok("page", f"{origin} serves the pages and {len(built)} files that are built here")]


def clock_of(part: str, answer: httpx.Response) -> list[Finding]:
    """A warning where the clock of whoever has answered is another."""
    try:
        theirs = parsedate_to_datetime(answer.headers.get("date", ""))
    except ValueError:
        return []
    return compared_clock(part, theirs.timestamp())


def _why(host: str, error: httpx.HTTPError) -> str:
    return certificate_of(host) if is_unknown_authority(error) else f"{host} does not answer ({type(error).__name__})"


LOOKS: Final[dict[str, Look]] = {
    "SMTP_URL": mail,
    "EMBEDDED_KEK": key,
    "database": database,
    "RECOVERY_URL": recovery,
    "social logins": providers,
    "page": page,
}

"""`walletmodal serve`: production. Checks the settings, migrates the database and keeps granian's workers running.

SIGTERM drains and ends with status 0: workers hear by SIGUSR1 that the server is going to end, by SIGTERM that it is time, and
by SIGUSR2 that their pages need not go first: there is nobody to take them, or the server was asked again. SIGHUP migrates and replaces the
workers one by one. Ends with status 2 when a setting is wrong.
"""

import argparse
import resource
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType

import reflex as rx
from sqlalchemy.exc import SQLAlchemyError

from walletmodal.commands.build import build, is_built, is_current
from walletmodal.commands.env_file import keep_to_its_owner
from walletmodal.commands.processes import Child, describe_status, require_free, spawn
from walletmodal.commands.project import (
    DATA,
    MODAL_PORT,
    PACKAGE,
    PROJECT,
    CommandError,
    keep_private,
    require_project,
    say,
    tool_environment,
)
from walletmodal.commands.running import noted
from walletmodal.config import START_SECRET, Settings, load_settings
from walletmodal.core.errors import SettingProblem, SettingsError
from walletmodal.db.migrations import upgrade
from walletmodal.operator.start_checks import (
    check_files,
    cluster_gaps,
    is_alone,
    misspelt_settings,
    redis_failure,
    unwise_origins,
)

HEADER_SECONDS = 10
"""How long the head of a request may take, and a connection wait for another one. A worker that ends waits for what is still coming before it
finishes events and what is to be written: without a limit one silent client would have it killed before that."""

# Five for pages that do not go (walletmodal/web/drain.py), ten for requests that are still coming, eight for events, two for this server's
# report, five for webhooks that are being delivered, two for events of analytics, then what is to be written: a unit of work has five.
_END_SECONDS = 37
ON_SANDBOX = "--on-sandbox"
MAX_FAILURES = 5
FAILURE_WINDOW_SECONDS = 60.0

MIGRATE = "--migrate"
"""The option that migrates the database and does nothing else."""

_LONGEST_PAUSE_SECONDS = 8.0
_POLL_SECONDS = 0.1
# granian's own default shares 1,024 connections among the workers, and every open page holds one for its socket.
_CONNECTIONS_PER_WORKER = 20_000


def worker_end_seconds(settings: Settings) -> int:
    """Seconds after which a worker that was asked to end is killed."""
    return _END_SECONDS + (settings.drain_seconds if settings.redis_url else 0)


def server_command(settings: Settings) -> list[str]:
    """The granian command line for these settings."""
    return [
        sys.executable, "-m", "granian",
        "--interface", "asgi",
        # asyncio's own is woken for signals and for all else through one pipe, and when that is full a SIGTERM is lost: the worker goes on.
        "--loop", "uvloop",
        # granian's other kind of tasks cannot be cancelled, and sockets whose pages say what no page does would stay.
        "--task-impl", "asyncio",
        # While granian waits to see which version a client speaks it sets no time limit; proxies speak this one.
        "--http", "1",
        "--factory",
        "--host", settings.walletmodal_host,
        "--port", str(settings.walletmodal_port),
        "--workers", str(settings.workers),
        "--backpressure", str(_CONNECTIONS_PER_WORKER),
        "--respawn-failed-workers",
        "--workers-kill-timeout", str(worker_end_seconds(settings)),
        "--http1-header-read-timeout", str(1000 * HEADER_SECONDS),
        "--log-level", "warning",
        "--log-config", str(PACKAGE / "commands" / f"granian_{settings.log_format}.json"),
        f"{rx.config.get_config().module}:app",
    ]  # fmt: skip


def server_environment(settings: Settings, metrics: Path | None) -> dict[str, str]:
    """The environment of the workers. The names with two underscores are internal to Reflex and stand only here.

    `metrics`: folder in which several workers share their counters, or None for one worker.
    """
    environment = tool_environment(
        {
            "REFLEX_ENV_MODE": "prod",
            "__REFLEX_SKIP_COMPILE": "true",
            "__REFLEX_MOUNT_FRONTEND_COMPILED_APP": "true",
        }
    )
    defaults = {
        # Reflex's own default writes each visitor's state to disk; what must survive a restart is in our resume record.
        "REFLEX_STATE_MANAGER_MODE": "memory",
        # glibc's: what is larger has pages of its own, which go back to the system at once. By its own rule it soon puts texts of any
        # size among all else, where the room of those that are gone is in pieces: half of what hostile sessions made a worker grow by.
        "MALLOC_MMAP_THRESHOLD_": str(64 * 1024),
    }
    if settings.redis_url:
        environment["REFLEX_REDIS_URL"] = settings.redis_url
        defaults["REFLEX_STATE_MANAGER_MODE"] = "redis"
        # A user that may not configure Redis is enough where it tells of keys by itself: docs/operations.md.
        defaults["REFLEX_IGNORE_REDIS_CONFIG_ERROR"] = "true"
    for name, value in defaults.items():
        environment.setdefault(name, value)
    if settings.secret_key is None:
        # The workers of one start must agree on it. Not as SECRET_KEY: nobody could open the signing keys after a restart.
        environment[START_SECRET] = secrets.token_urlsafe(32)
    if metrics:
        environment["PROMETHEUS_MULTIPROC_DIR"] = str(metrics)
    return environment


class Server:
    """granian, started again when it ends by itself: it gives up when a worker dies soon after its respawn, we do not at once."""

    def __init__(
        self,
        command: list[str],
        environment: dict[str, str],
        may_reload: Callable[[], bool],
        *,
        delay_seconds: float,
        end_seconds: float,
        is_alone: Callable[[], bool],
    ) -> None:
        """Keep granian.

        Args:
            command: of granian.
            environment: of granian and its workers.
            may_reload: prepares for new workers before they replace the old ones; where it says no these stay.
            delay_seconds: between the announcement of an end and the end.
            end_seconds: how long the end may take.
            is_alone: whether no other server could go on with the pages of this one.
        """
        self._command, self._environment, self._may_reload = command, environment, may_reload
        self._delay_seconds, self._end_seconds, self._is_alone = delay_seconds, end_seconds, is_alone
        self._stop = self._hurry = self._reload = False
        self._failures: deque[float] = deque(maxlen=MAX_FAILURES)

    def run(self) -> None:
        """Serve until a signal asks for the end.

        Raises CommandError after `MAX_FAILURES` ends within `FAILURE_WINDOW_SECONDS`.
        """
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_stop)
        signal.signal(signal.SIGHUP, self._on_reload)
        # Granian's own process leaves them ignored: they are for the workers.
        for number in (signal.SIGUSR1, signal.SIGUSR2):
            signal.signal(number, signal.SIG_IGN)
        while not self._stop:
            child = spawn("the server", self._command, self._environment)
            status = self._attend(child)
            # Workers outlive a granian that was killed, and would go on answering beside the new ones.
            child.kill_group()
            if not self._stop:
                self._note_failure(status)

    def _on_stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stop, self._hurry = True, self._stop

    def _on_reload(self, _number: int, _frame: FrameType | None) -> None:
        self._reload = True

    def _attend(self, child: Child) -> int:
        while not self._stop:
            status = child.process.poll()
            if status is not None:
                return status
            if self._reload:
                self._reload = False
                if self._may_reload():
                    say("replacing the workers")
                    child.signal(signal.SIGHUP)
            time.sleep(_POLL_SECONDS)
        return self._end(child)

    def _end(self, child: Child) -> int:
        child.signal_group(signal.SIGUSR1)
        until = time.monotonic() + self._delay_seconds
        while not self._hurry and time.monotonic() < until:
            time.sleep(_POLL_SECONDS)
        self._hurry = False
        if self._is_alone():
            self._hurry = True
        child.signal(signal.SIGTERM)
        until = time.monotonic() + self._end_seconds
        while time.monotonic() < until:
            if self._hurry:
                child.signal_group(signal.SIGUSR2)
                self._hurry = False
            status = child.process.poll()
            if status is not None:
                return status
            time.sleep(_POLL_SECONDS)
            # A worker that is still starting does not hear granian, and one that waits until another is replaced is not told by it.
            child.signal_group(signal.SIGTERM)
        say("the server did not drain in time and is killed")
        child.kill_group()
        return child.process.wait()

    def _note_failure(self, status: int) -> None:
        now = time.monotonic()
        self._failures.append(now)
        if len(self._failures) == MAX_FAILURES and now - self._failures[0] < FAILURE_WINDOW_SECONDS:
            raise CommandError(
                f"the server ended {MAX_FAILURES} times within a minute (last: {describe_status(status)}); its messages above say why"
            )
        pause = min(_LONGEST_PAUSE_SECONDS, 0.25 * 2 ** len(self._failures))
        say(f"the server ended by itself ({describe_status(status)}); starting it again in {pause:.1f} s")
        until = now + pause
        while not self._stop and time.monotonic() < until:
            time.sleep(_POLL_SECONDS)


def _fresh_metrics_folder(settings: Settings) -> Path | None:
    if settings.workers == 1:
        return None
    folder = DATA / f"metrics-{settings.walletmodal_port}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def _raise_file_limit() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def migrate(settings: Settings) -> None:
    """Bring the database to the newest revision.

    Raises CommandError when it cannot be reached or changed.
    """
    try:
        upgrade(settings.database_url, allow_later=True)
    except (SQLAlchemyError, OSError, ValueError) as error:
        raise CommandError(f"the database of DATABASE_URL cannot be used: {error}") from error


def require_secret(settings: Settings) -> None:
    """Check that the keys of sign-in tokens, which hosts believe, will lie encrypted in the database.

    Raises SettingsError.
    """
    if settings.allowed_origins and settings.secret_key is None:
        text = (
            "must be set where ALLOWED_ORIGINS is: it encrypts the keys of the sign-in tokens that these hosts believe; "
            "`openssl rand -hex 32` makes one"
        )
        raise SettingsError([SettingProblem("SECRET_KEY", text, "at-least-24-characters-long")])


def migrate_for_new_code() -> bool:
    """Migrate with the code as it is on disk now, in a process of its own: this one still has the old. False when that fails."""
    say("migrating the database")
    done = subprocess.run(
        [sys.executable, "-m", "walletmodal", "serve", MIGRATE], check=False, cwd=PROJECT, env=tool_environment()
    )
    if done.returncode:
        say("the workers stay as they are: the new ones could not start")
    return not done.returncode


def serve(*, on_sandbox: bool = False) -> None:
    """Run the production server until it is asked to end.

    `on_sandbox`: for `walletmodal run`, whose sign-ins are believed on this machine alone.

    Raises SettingsError, CatalogueError, and CommandError for what else keeps it from running.
    """
    require_project()
    keep_to_its_owner()
    settings = load_settings()
    if not on_sandbox:
        require_secret(settings)
    check_files(settings)
    for sentence in (*misspelt_settings(), *unwise_origins(settings)):
        say(sentence)
    if failure := redis_failure(settings):
        raise CommandError(failure)
    for sentence in () if on_sandbox else cluster_gaps(settings):
        say(sentence)
    host = settings.walletmodal_host
    require_free({MODAL_PORT: settings.walletmodal_port}, host=host)
    if not is_built():
        build()
    elif not is_current():
        say("serving the existing build, which is older than the sources; `walletmodal build` renews it")
    keep_private()
    migrate(settings)
    _raise_file_limit()
    command, variables = server_command(settings), server_environment(settings, _fresh_metrics_folder(settings))
    server = Server(
        command,
        variables,
        migrate_for_new_code,
        delay_seconds=settings.drain_delay_seconds,
        end_seconds=worker_end_seconds(settings) + 5,
        is_alone=partial(is_alone, settings),
    )
    shown = f"[{host}]" if ":" in host else host
    workers = f"{settings.workers} worker{'s' if settings.workers > 1 else ''}"
    say(f"serving on http://{shown}:{settings.walletmodal_port}/ with {workers}")
    with noted(settings.walletmodal_port):
        server.run()
    say("stopped")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        MIGRATE, action="store_true", help="bring the database to the newest revision, and do nothing else"
    )
    parser.add_argument(ON_SANDBOX, action="store_true", help=argparse.SUPPRESS)


def command(asked: argparse.Namespace) -> None:
    """Run the command."""
    if asked.migrate:
        migrate(load_settings())
    else:
        serve(on_sandbox=asked.on_sandbox)

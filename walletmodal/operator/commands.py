"""The commands, their arguments, and what their exit status says: 0 done, 1 not done or something is wrong, 2 not understood."""

import argparse
import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy.exc import SQLAlchemyError

from walletmodal.config import Settings, load_settings
from walletmodal.core.errors import AddressError, CaipError, SettingsError
from walletmodal.core.errors.sign_in import SignInUnavailableError
from walletmodal.db.later_tables import LaterTablesError
from walletmodal.logs import logging_to, secrets_of
from walletmodal.operator import audit, data, keys, requests_tail, sessions, webhooks
from walletmodal.operator.backup import backup, restore, restored
from walletmodal.operator.doctor import doctor
from walletmodal.operator.printing import Printer, complain

DONE: Final = 0
FAILED: Final = 1
MISUSED: Final = 2

MOST_LINES: Final = 500

Command = Callable[[Settings, argparse.Namespace, Printer], Awaitable[bool]]
"""Does what was asked; False where it is not done, or something is wrong."""


def operate(asked: argparse.Namespace) -> int:
    """Run a command of `add_commands`; returns the exit status."""
    printer = Printer(machine=asked.json)
    try:
        return DONE if _run(asked, printer) else FAILED
    except SettingsError as error:
        if asked.run is doctor:
            printer.rows(
                ("state", "part", "finding"), [("failed", one.setting, str(one)) for one in error.problems], empty=""
            )
        else:
            complain(error.short_message)
        return MISUSED
    except (AddressError, CaipError) as error:
        complain(f"{error.short_message} {error.details}".rstrip())
        return MISUSED
    except (LaterTablesError, SignInUnavailableError, SQLAlchemyError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            # Whoever reads has seen enough; Python would complain once more when it closes the stream.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return DONE
        unusable = (
            f"the database of DATABASE_URL does not answer, or is not migrated ({type(error).__name__}); ask `doctor`"
        )
        complain(str(error) if isinstance(error, LaterTablesError) else unusable)
        return FAILED
    except KeyboardInterrupt:
        return DONE


def _run(asked: argparse.Namespace, printer: Printer) -> bool:
    settings = load_settings()
    level = "INFO" if asked.verbose else "CRITICAL"
    with logging_to(sys.stderr, form="text", level=level, secrets=secrets_of(settings)):
        return asyncio.run(_started(asked.run, settings, asked, printer))


async def _started(run: Command, settings: Settings, asked: argparse.Namespace, printer: Printer) -> bool:
    return await run(settings, asked, printer)


def add_commands(commands: Any) -> None:
    """Add them to a command line: argparse's sub-parsers."""
    looked = _add(commands, "doctor", doctor, "looks at settings, origins, keys, database, Redis and every service")
    looked.add_argument("--cluster", action="store_true", help="also whether all servers on this Redis fit together")

    of_sessions = _group(commands, "sessions", "who is signed in")
    listed = _add(of_sessions, "list", sessions.show, "those that count now, the latest first")
    listed.add_argument("--address", default="", help="only of this account: an address, or CAIP-10")
    listed.add_argument("--origin", default="", help="only at this host page, such as https://app.example.com")
    listed.add_argument(
        "-n", "--limit", type=_lines, default=MOST_LINES, help="at most so many (default and most: 500)"
    )
    revoked = _add(of_sessions, "revoke", sessions.revoke, "ends sessions; status 1 where one of them does not count")
    revoked.add_argument("ids", nargs="+", metavar="id")

    of_requests = _group(commands, "requests", "what host pages and visitors have asked wallets for")
    tail = _add(of_requests, "tail", requests_tail.tail, "the last decisions and transactions, the oldest first")
    tail.add_argument("-n", "--lines", type=_lines, default=20, help="how many (default 20, at most 500)")
    tail.add_argument("-f", "--follow", action="store_true", help="go on with what comes, until it is interrupted")

    of_audit = _group(commands, "audit", "what has happened to sign-ins, requests and transactions")
    exported = _add(of_audit, "export", audit.export, "writes the log of events as JSON lines, the oldest first")
    exported.add_argument(
        "--after", type=_number, default=0, metavar="NUMBER", help="only what follows the event of this number"
    )
    exported.add_argument(
        "--since", type=_moment, metavar="TIME", help="only from this moment on: 2026-01-31, or with a time"
    )
    exported.add_argument("-f", "--follow", action="store_true", help="go on with what comes, until it is interrupted")

    of_webhooks = _group(commands, "webhooks", "what WEBHOOK_URL is told of")
    _add(of_webhooks, "list", webhooks.show, "events whose delivery was given up, the latest first")
    retried = _add(of_webhooks, "retry", webhooks.retry, "has them delivered again")
    retried.add_argument(
        "ids", nargs="*", metavar="id", help="of events, delivered ones too (default: all that were given up)"
    )

    of_keys = _group(commands, "keys", "the keys with which sign-in tokens are signed")
    _add(of_keys, "list", keys.show, "all keys on record")
    _add(of_keys, "replace", keys.replace, "makes the next key; it signs an hour later, once hosts can know it")
    withdrawn = _add(of_keys, "withdraw", keys.withdraw, "takes a key back that somebody else may have")
    withdrawn.add_argument("kid", help="its name, as `keys list` shows it")

    of_data = _group(commands, "data", "what is kept about an account")
    about = "an address of any namespace, or CAIP-10 on any network"
    exported = _add(of_data, "export", data.export, "prints it as JSON")
    exported.add_argument("address", help=about)
    erased = _add(of_data, "erase", data.erase, "erases it, and ends its sessions; audit and limits stay without it")
    erased.add_argument("address", help=about)
    erased.add_argument("--yes", action="store_true", help="without being asked")

    backed_up = _add(commands, "backup", backup, "writes the whole database into a file, while the server may run")
    backed_up.add_argument("file", type=Path, help="where to; readable for its owner alone")
    backed_up.add_argument("--force", action="store_true", help="replace a file that is there")
    brought_back = _add(commands, "restore", restore, "brings the database back from such a file")
    brought_back.add_argument("file", type=Path)
    brought_back.add_argument("--force", action="store_true", help="replace all that the database has")
    brought_back.add_argument(
        "--moved", action="store_true", help="nothing has happened since the backup: nobody need sign in anew"
    )
    _add(commands, "restored", restored, "ends what may have ended since, where PostgreSQL's own means brought it back")


def _group(commands: Any, name: str, about: str) -> Any:
    group: argparse.ArgumentParser = commands.add_parser(name, help=about, description=about)
    return group.add_subparsers(title="commands", required=True, metavar="command")


def _add(commands: Any, name: str, run: Command, about: str) -> argparse.ArgumentParser:
    added: argparse.ArgumentParser = commands.add_parser(name, help=about, description=about)
    added.add_argument("--json", action="store_true", help="for machines")
    added.add_argument("--verbose", action="store_true", help="with the log of what is asked, on standard error")
    added.set_defaults(run=run)
    return added


def _lines(text: str) -> int:
    number = int(text)
    if not 1 <= number <= MOST_LINES:
        raise argparse.ArgumentTypeError(f"from 1 to {MOST_LINES}")
    return number


def _number(text: str) -> int:
    number = int(text)
    if not 0 <= number < 2**63:
        raise argparse.ArgumentTypeError("the number of an event, as its line says")
    return number


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)

"""`make bench`: the figures of bench/README.md. Prints a table, writes bench/results.json.

`python -m scripts.bench rpc` measures only what has that name, and writes nothing. Ends with status 1 when a floor is broken, 2 when something could not be measured. `BENCH_PORT`: the first of three ports, default 8940.
"""

import argparse
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from types import FrameType
from typing import Final

from playwright.sync_api import Browser
from playwright.sync_api import Error as BrowserError

from bench.account_tokens import account_tokens, shared_accounts
from bench.activity import activity
from bench.apps import App, empty_app, our_app, served
from bench.balance_lookups import balance_lookups
from bench.browser import chromium
from bench.crowd import crowds, races
from bench.embedded_wallet import device_checks, embedded_wallet
from bench.figures import Figure
from bench.first_visit import before_a_click, open_and_connect, until_interactive
from bench.host_page import host_pages
from bench.hostile import hostile
from bench.live_reload import live_reload
from bench.pairing_code import pairing_code
from bench.preview import preview
from bench.reconnect import silent_reconnect
from bench.report import table, write
from bench.rpc_calls import rpc_calls
from bench.safe_request import safe_requests
from bench.sandbox_start import sandbox_start
from bench.secure_logins import memory_of_logins
from bench.services import served_with_sandbox
from bench.sign_in import sign_ins
from bench.slow_network import slow_network
from bench.smart_accounts import operations, smart_accounts
from bench.swaps import shared_quotes, swaps
from bench.wallet_grid import wallet_grid
from scripts.project import ROOT
from walletmodal.commands.processes import require_free
from walletmodal.commands.project import CommandError, die, say, shorten
from walletmodal.core.errors import SettingsError

RESULTS = ROOT / "bench" / "results.json"
BENCH_PORT = "BENCH_PORT"
_DEFAULT_PORT = 8940

PARTS: Final[Mapping[str, Callable[[], list[Figure]]]] = {
    "rpc": rpc_calls,
    "balances": balance_lookups,
    "accounts": shared_accounts,
    "sandbox": sandbox_start,
    "signin": sign_ins,
    "quotes": shared_quotes,
    "device": device_checks,
    "logins": memory_of_logins,
    "operations": operations,
}
"""What can be measured alone, without a browser and without the apps."""

BROWSER_PARTS: Final[Mapping[str, Callable[[Browser, App, str], list[Figure]]]] = {
    "slow": slow_network,
    "reconnect": silent_reconnect,
    "code": pairing_code,
    "grid": wallet_grid,
    "tokens": account_tokens,
    "activity": activity,
    "preview": preview,
    "swaps": swaps,
    "reads": safe_requests,
    "hostile": hostile,
    "embedded": embedded_wallet,
    "batches": smart_accounts,
    "reload": live_reload,
}
"""What can be measured alone in a browser, with ours and without the empty app."""

_WITH_SANDBOX: Final = ("code", "grid")
"""Those of them for which ours is served with the sandbox's services."""

_SERVING: Final = ("activity", "tokens", "preview", "swaps", "reads", "hostile", "embedded", "batches", "reload")
"""Those that serve ours themselves, with services that they have filled or nodes of their own."""


def _first_port() -> int:
    text = os.environ.get(BENCH_PORT, "").strip() or str(_DEFAULT_PORT)
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text) <= 65533:
        raise CommandError(f"{BENCH_PORT} must be a port number from 1 to 65533, not {text!r}")
    return int(text)


def stop(number: int, _frame: FrameType | None) -> None:
    """Leave every `with` block when a signal comes, so that all that was started is stopped."""
    raise SystemExit(128 + number)


def measure_parts(names: Sequence[str]) -> list[Figure]:
    """Measure some of `PARTS` and `BROWSER_PARTS`.

    Raises:
        CommandError, SettingsError, playwright's Error: something could not be measured.
    """
    figures = [row for name in names if name in PARTS for row in PARTS[name]()]
    if BROWSER_PARTS.keys().isdisjoint(names):
        return figures
    port = free_ports()
    ours = our_app(port, _host_origin(port))
    with host_pages(port + 2, ours.url) as host, chromium() as browser:
        return figures + _in_browser(names, browser, ours, host)


def measure() -> list[Figure]:
    """Measure everything and write the file; returns the rows.

    Raises:
        CommandError, SettingsError, playwright's Error: something could not be measured.
    """
    started, load_before = datetime.now(UTC), os.getloadavg()
    port = free_ports()
    figures = measure_parts(list(PARTS))
    ours = our_app(port, _host_origin(port))
    empty = empty_app(port + 1, ours)
    with host_pages(port + 2, ours.url) as host, chromium() as browser:
        with served(ours), served(empty):
            figures += [
                *before_a_click(browser, ours, host),
                *until_interactive(browser, ours, empty, host),
                *open_and_connect(browser, ours, host),
            ]
        figures += _in_browser(list(BROWSER_PARTS), browser, ours, host)
        figures += races(browser, ours, empty, host)
        figures += crowds(browser, ours, empty, host)
        write(RESULTS, figures, started=started, chromium=browser.version, load_before=load_before)
    say(f"written to {shorten(RESULTS)}")
    return figures


def free_ports() -> int:
    """The first of the three ports, all of which are free."""
    port = _first_port()
    require_free(
        {BENCH_PORT: port, f"{BENCH_PORT} (the one after it)": port + 1, f"{BENCH_PORT} (two after it)": port + 2}
    )
    return port


def _host_origin(port: int) -> str:
    return f"http://localhost:{port + 2}"


def _in_browser(names: Sequence[str], browser: Browser, ours: App, host: str) -> list[Figure]:
    figures: list[Figure] = []
    for parts, serving in (
        ([name for name in BROWSER_PARTS if name in names and name not in _WITH_SANDBOX + _SERVING], served),
        ([name for name in _WITH_SANDBOX if name in names], served_with_sandbox),
        ([name for name in _SERVING if name in names], nullcontext),
    ):
        if parts:
            with serving(ours):
                figures += [row for name in parts for row in BROWSER_PARTS[name](browser, ours, host)]
    return figures


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.bench", description="Measures the figures of bench/README.md."
    )
    parts = [*PARTS, *BROWSER_PARTS]
    parser.add_argument("part", nargs="*", help=f"measure only this: {', '.join(parts)}")
    asked = parser.parse_args().part
    if not set(parts) >= set(asked):
        parser.error(f"what can be measured alone is: {', '.join(parts)}")
    signal.signal(signal.SIGTERM, stop)
    try:
        figures = measure_parts(asked) if asked else measure()
    except (CommandError, SettingsError) as error:
        die(str(error), status=2)
    except BrowserError as error:
        die(f"the browser did not do what was asked: {error.message}", status=2)
    print(f"\n{table(figures)}\n", flush=True)
    broken = [row for row in figures if row.broken]
    if broken:
        die("a floor that must never be broken is broken: " + "; ".join(row.title for row in broken))


if __name__ == "__main__":
    main()

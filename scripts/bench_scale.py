"""`make bench-scale`: what thousands of open visitors cost, by bench/README.md. Prints a table.

`python -m scripts.bench_scale crowd --visitors 500 --ramp 50`: that part alone, how many visitors, and how many of them a second load the
page. `soak --soak 60`: for how many minutes memory is watched. Ends with status 1 when a floor is broken, 2 when something could not be
measured; the other parts are. `BENCH_PORT`: as for `make bench`.
"""

import argparse
import signal

from playwright.sync_api import Error as BrowserError

from bench.browser import chromium
from bench.host_page import host_pages
from bench.report import table
from bench.scale.parts import PARTS, RAMP, Asked, measure
from bench.scale.speed import speed_figure, watched_speed
from scripts.bench import free_ports, stop
from walletmodal.commands.project import CommandError, die
from walletmodal.core.errors import SettingsError

VISITORS = 5000


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m scripts.bench_scale", description="Measures what visitors cost.")
    parser.add_argument("--visitors", type=int, default=VISITORS, help=f"how many; default {VISITORS}")
    parser.add_argument("--soak", type=float, default=0.0, metavar="MINUTES", help="for how long memory is watched")
    parser.add_argument(
        "--ramp", type=float, default=RAMP, metavar="PER_SECOND", help="how many a second load the page"
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; default: all")
    said = parser.parse_args()
    if wrong := set(said.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(wrong))}; there are {', '.join(PARTS)}")
    asked = Asked(said.parts or PARTS, said.visitors, said.ramp, said.soak)
    signal.signal(signal.SIGTERM, stop)
    try:
        port = free_ports()
        with watched_speed() as speeds, host_pages(port + 2, f"http://localhost:{port}") as host, chromium() as browser:
            measured = measure(browser, host, port, asked)
    except (CommandError, SettingsError) as error:
        die(str(error), status=2)
    except BrowserError as error:
        die(f"the browser did not do what was asked: {error.message}", status=2)
    figures = [*measured.figures, speed_figure(speeds)]
    print(f"\n{table(figures)}\n\n{measured.tables}\n", flush=True)
    failures = [f"{part} could not be measured: {why}" for part, why in measured.failed.items()]
    failures += [f"a floor that must never be broken is broken: {row.title}" for row in figures if row.broken]
    if failures:
        die("; ".join(failures), status=2 if measured.failed else 1)


if __name__ == "__main__":
    main()

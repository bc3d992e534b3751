"""The secure site of the embedded wallet, in production: a process, an origin, a database and settings of its own."""

import argparse

from walletmodal.secure.__main__ import main


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "--migrate", action="store_true", help="bring the database to the newest revision, and do nothing else"
    )


def command(asked: argparse.Namespace) -> None:
    """Run the command."""
    raise SystemExit(main(["migrate"] if asked.migrate else []))

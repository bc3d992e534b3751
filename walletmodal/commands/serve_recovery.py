"""The recovery service of the embedded wallet, in production."""

import argparse

from walletmodal.secure.recovery.__main__ import main


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "--migrate", action="store_true", help="bring the database to the newest revision, and do nothing else"
    )


def command(asked: argparse.Namespace) -> None:
    """Run the command."""
    raise SystemExit(main(["migrate"] if asked.migrate else []))

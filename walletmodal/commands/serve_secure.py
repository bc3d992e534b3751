"""The secure site of the embedded wallet, in production: a process, an origin, a database and settings of its own."""

import argparse

from walletmodal.secure.__main__ import main


def command(_asked: argparse.Namespace) -> None:
    """Run the command."""
    raise SystemExit(main([]))

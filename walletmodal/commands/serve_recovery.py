"""The recovery service of the embedded wallet, in production."""

import argparse

from walletmodal.secure.recovery.__main__ import main


def command(_asked: argparse.Namespace) -> None:
    """Run the command."""
    raise SystemExit(main([]))

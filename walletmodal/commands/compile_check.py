"""Compiles the pages without writing any, and tells what is wrong with a team's own views. `check` runs it."""

import sys

from walletmodal.reflex_internals.dry_compile import compile_pages
from walletmodal.ui.own_parts import OWN, OwnViewsError


def main() -> None:
    """Run the command."""
    try:
        compile_pages()
    except OwnViewsError as error:
        sys.exit(str(error))
    if OWN.failures:
        sys.exit("\n".join(dict.fromkeys(OWN.failures)))


if __name__ == "__main__":
    main()

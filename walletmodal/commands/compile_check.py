"""Compiles the pages without writing any, and tells what is wrong with a team's own modules and views. `check` runs it."""

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout

from walletmodal.commands.own_errors import place_of
from walletmodal.reflex_internals.dry_compile import compile_pages
from walletmodal.ui.own_parts import OWN, OwnViewsError, sentence, shortened


def mistakes() -> Sequence[str]:
    """A sentence for each, with its file and line. Raises what is raised outside of the project."""
    try:
        compile_pages()
    except OwnViewsError as error:
        told = str(error).splitlines()
    except Exception as error:
        place = place_of(error)
        if place is None:
            raise
        told = [*OWN.mistakes, f"{shortened(place.file)}:{place.line}: {sentence(error)}"]
    else:
        return OWN.failures
    # The compiler stopped before it had drawn them.
    for number, part in enumerate(OWN.parts):
        part.component(f"Checked{number}")
    return [*told, *OWN.failures]


def main() -> None:
    """Run the command: prints the sentences and nothing else."""
    with redirect_stdout(sys.stderr):
        found = dict.fromkeys(mistakes())
    print(*found, sep="\n", end="")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()

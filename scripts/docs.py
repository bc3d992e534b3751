"""`make docs`: builds the documentation site into `build/site`, from the pages in the repository and the docstrings of what teams import.

A dead link, a page that is in no list of contents, and a docstring that cannot be read fail it. The site needs no server: it can be
opened as files, and asks no other host.
"""

from pathlib import Path
from typing import Final

from scripts.project import ROOT, VENV_PYTHON
from walletmodal.commands.project import CommandError, die, say, shorten
from walletmodal.commands.tools import run_quietly

BUILD: Final = ROOT / "build"


def build_docs(folder: Path = BUILD) -> Path:
    """Build the site; returns its folder.

    Args:
        folder: where the site is put, as `site`.

    Raises:
        CommandError: with what Sphinx has found.
    """
    site = folder / "site"
    # Everything is read anew: of a page that has not changed Sphinx would not say again what is wrong with it.
    command: list[str | Path] = [VENV_PYTHON, "-m", "sphinx", "-q", "-E", "-W", "--keep-going"]
    where: list[str | Path] = ["-c", ROOT / "docs", "-d", folder / "doctrees", ROOT, site]
    run_quietly([*command, *where], what="the documentation", cwd=ROOT)
    return site


def main() -> None:
    """Run the command."""
    try:
        say(f"written: {shorten(build_docs() / 'index.html')}")
    except CommandError as error:
        die(str(error))


if __name__ == "__main__":
    main()

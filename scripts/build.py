"""Builds what the wheel brings: the loader and the embedded wallet's page, with `--sandbox` that one's pages too. Skipped when no input has changed.

The front end is built by `walletmodal build`, here as in a project.
"""

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from scripts.card_texts import INPUTS, card_texts
from scripts.messages import CATALOGUES, LOCALE
from scripts.project import ROOT, VENV_BIN
from walletmodal.commands.build import build as build_frontend
from walletmodal.commands.project import CommandError, die, exclusive, say, shorten
from walletmodal.commands.stamp import digest, is_fresh, record
from walletmodal.commands.tools import run_quietly

LOADER = ROOT / "loader"
ASSETS = ROOT / "assets"
LOADER_OUTPUT = ASSETS / "walletmodal.js"
LOADER_LATER = (ASSETS / "walletmodal-wallets.js", ASSETS / "walletmodal-onramp.js")
SANDBOX = ROOT / "sandbox"
SECURE_WEB = ROOT / "secure" / "web"
SECURE_STATIC = ROOT / "secure" / "static"
CARD_TEXTS = ROOT / "build" / "card_texts.json"

_LOADER_OUTPUT_FOLDERS = frozenset({"node_modules", "dist", "coverage", "tests", "test"})


def loader_inputs() -> list[Path]:
    """The files and folders from which the loader is built."""
    return sorted(path for path in LOADER.iterdir() if path.name not in _LOADER_OUTPUT_FOLDERS)


def _build(
    what: str,
    folder: Path,
    inputs: Sequence[Path],
    stamp: Path,
    *,
    options: Callable[[], Sequence[str | Path]] = tuple,
    outputs: Sequence[Path] = (),
    force: bool = False,
) -> None:
    """Run a folder's `npm run build` with `options`, unless the inputs are those of the last build.

    Raises CommandError when it does not build, or does not write the outputs.
    """
    with exclusive(f"{folder.relative_to(ROOT).parts[0]}-build"):
        current = digest(inputs)
        if not force and is_fresh(stamp, current) and all(output.exists() for output in outputs):
            return
        say(f"building {what}")
        run_quietly(
            [VENV_BIN / "npm", "run", "--silent", "build", "--", *options()],
            what=f"npm run build in {shorten(folder)}/",
            cwd=folder,
        )
        missing = [shorten(output) for output in outputs if not output.exists()]
        if missing:
            raise CommandError(f"npm run build in {shorten(folder)}/ did not write {', '.join(missing)}")
        record(stamp, current)


def build_loader(*, force: bool = False) -> None:
    """Build `assets/walletmodal.js`, its later scripts, its types and their versioned copies.

    Raises CommandError: see `_build`.
    """
    outputs = (LOADER_OUTPUT, *LOADER_LATER)
    _build("the loader", LOADER, loader_inputs(), LOADER / "dist" / ".stamp", outputs=outputs, force=force)


def build_sandbox(*, force: bool = False) -> None:
    """Build the scripts of the sandbox's pages.

    Raises CommandError: see `_build`.
    """
    inputs = [SANDBOX / name for name in ("web", "package.json", "package-lock.json")]
    _build("the sandbox's pages", SANDBOX, inputs, SANDBOX / "static" / "build" / ".stamp", force=force)


def build_secure(*, force: bool = False) -> None:
    """Build the page of the embedded wallet.

    Raises CommandError when it does not build, or is larger than it may be.
    """
    own = [SECURE_WEB / name for name in ("src", "build.mjs", "networks.mjs", "package.json", "package-lock.json")]
    shared = (
        "walletmodal/ui/tokens.css",
        "walletmodal/core/data/chains.json",
        "components/language/mark.ts",
    )
    inputs = [*own, *(ROOT / name for name in shared), *INPUTS, *LOCALE.glob(CATALOGUES)]
    _build("the embedded wallet's page", SECURE_WEB, inputs, SECURE_STATIC / ".stamp", options=_card_texts, force=force)


def _card_texts() -> Sequence[str | Path]:
    """Write what the cards say in other languages, and tell where."""
    CARD_TEXTS.parent.mkdir(exist_ok=True)
    CARD_TEXTS.write_text(json.dumps(card_texts(), ensure_ascii=False), encoding="utf-8")
    return "--texts", CARD_TEXTS


def build_scripts(*, force: bool = False) -> None:
    """Build what serving needs and the wheel brings."""
    build_secure(force=force)
    build_loader(force=force)


def build(*, force: bool = False) -> None:
    """Build what serving needs, with the front end."""
    build_scripts(force=force)
    build_frontend(force=force)


def main() -> None:
    """Run the command."""
    arguments = argparse.ArgumentParser(prog="python -m scripts.build", description=__doc__)
    arguments.add_argument("--force", action="store_true", help="also what has not changed")
    arguments.add_argument("--sandbox", action="store_true", help="the sandbox's pages too")
    asked = arguments.parse_args()
    try:
        build_scripts(force=asked.force)
        if asked.sandbox:
            build_sandbox(force=asked.force)
    except CommandError as error:
        die(str(error))


if __name__ == "__main__":
    main()

"""Builds the loader, the front end and the embedded wallet's page: `python -m scripts.build [--force]`. Skipped when no input has changed."""

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from scripts.project import ROOT, VENV_BIN, VENV_PYTHON
from walletmodal.commands.project import (
    CommandError,
    die,
    exclusive,
    existing,
    say,
    shorten,
    tool_environment,
    web_directory,
)
from walletmodal.commands.stamp import digest, is_fresh, record
from walletmodal.commands.tools import run_quietly
from walletmodal.reflex_internals.any_origin import PLACEHOLDER_URL

LOADER = ROOT / "loader"
ASSETS = ROOT / "assets"
LOADER_OUTPUT = ASSETS / "walletmodal.js"
LOADER_LATER = (ASSETS / "walletmodal-wallets.js", ASSETS / "walletmodal-onramp.js")
FRONTEND_LOCK = ROOT / "reflex.lock"
SANDBOX = ROOT / "sandbox"
SECURE_WEB = ROOT / "secure" / "web"
SECURE_STATIC = ROOT / "secure" / "static"

_GENERATED_ASSETS = frozenset(
    {
        LOADER_OUTPUT.name,
        *(later.name for later in LOADER_LATER),
        "walletmodal.d.ts",
        "walletmodal.js.map",
        "v",
        "external",
    }
)
_LOADER_OUTPUT_FOLDERS = frozenset({"node_modules", "dist", "coverage", "tests", "test"})


def static_directory() -> Path:
    """The folder of built files that the production server serves."""
    return web_directory() / "build" / "client"


def _stamp() -> Path:
    return web_directory() / "build" / ".stamp"


def loader_inputs() -> list[Path]:
    """The files and folders from which the loader is built."""
    if not LOADER.is_dir():
        return []
    return sorted(path for path in LOADER.iterdir() if path.name not in _LOADER_OUTPUT_FOLDERS)


def _source_digest() -> str:
    own_assets = sorted(
        path for path in existing([ASSETS]) for path in path.iterdir() if path.name not in _GENERATED_ASSETS
    )
    python = [
        ROOT / name
        for name in (
            "walletmodal",
            "components",
            "rxconfig.py",
            "requirements.lock",
            "scripts/build.py",
            "scripts/api_url.py",
            "scripts/export.py",
            "scripts/frontend",
        )
    ]
    return digest([*python, *loader_inputs(), *own_assets])


def _loader_is_built() -> bool:
    return all(script.exists() for script in (LOADER_OUTPUT, *LOADER_LATER))


def is_built() -> bool:
    """Whether a front end has been built, of whatever sources."""
    return (static_directory() / "index.html").exists() and _stamp().exists() and _loader_is_built()


def is_current() -> bool:
    """Whether the built front end is that of the sources as they are now."""
    return is_built() and is_fresh(_stamp(), _source_digest() + digest([FRONTEND_LOCK]))


def build_loader() -> None:
    """Build `assets/walletmodal.js`, its later scripts, its types and their versioned copies from `loader/`.

    Raises CommandError when the loader's sources are missing, do not build, or build something else.
    """
    if not (LOADER / "package.json").exists():
        raise CommandError("loader/package.json is missing: the host-page script cannot be built")
    run_quietly(
        [VENV_BIN / "npm", "run", "--silent", "build"], what="npm run build in loader/", cwd=LOADER, timeout=600
    )
    if not _loader_is_built():
        scripts = ", ".join(shorten(script) for script in (LOADER_OUTPUT, *LOADER_LATER))
        raise CommandError(f"npm run build in loader/ did not write {scripts}")


def build_sandbox() -> None:
    """Build the scripts of the sandbox's pages, unless their sources are those of the last build."""
    inputs = [SANDBOX / name for name in ("web", "package.json", "package-lock.json")]
    stamp = SANDBOX / "static" / "build" / ".stamp"
    with exclusive("sandbox-build"):
        current = digest(inputs)
        if is_fresh(stamp, current):
            return
        say("building the sandbox's pages")
        run_quietly(
            [VENV_BIN / "npm", "run", "--silent", "build"], what="npm run build in sandbox/", cwd=SANDBOX, timeout=600
        )
        record(stamp, current)


def build_secure(*, force: bool = False) -> None:
    """Build the page of the embedded wallet, unless its sources are those of the last build.

    Raises CommandError when it does not build, or is larger than it may be.
    """
    own = [SECURE_WEB / name for name in ("src", "build.mjs", "networks.mjs", "package.json", "package-lock.json")]
    inputs = [*own, ROOT / "walletmodal" / "ui" / "tokens.css", ROOT / "walletmodal" / "core" / "data" / "chains.json"]
    stamp = SECURE_STATIC / ".stamp"
    with exclusive("secure-build"):
        current = digest(inputs)
        if not force and is_fresh(stamp, current):
            return
        say("building the embedded wallet's page")
        run_quietly(
            [VENV_BIN / "npm", "run", "--silent", "build"],
            what="npm run build in secure/web/",
            cwd=SECURE_WEB,
            timeout=600,
        )
        record(stamp, current)


def build_frontend() -> None:
    """Compile the Reflex app and build its client for any origin (rxconfig.py).

    Raises CommandError when the export fails.
    """
    environment = tool_environment({"REFLEX_API_URL": PLACEHOLDER_URL})
    command: Sequence[str | Path] = [VENV_PYTHON, "-m", "scripts.export"]
    done = subprocess.run(
        [str(part) for part in command],
        check=False,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    if done.returncode or not (static_directory() / "index.html").exists():
        raise CommandError("reflex export failed:\n" + "\n".join(done.stdout.strip().splitlines()[-40:]))


def forget_registry(lock: Path) -> bool:
    """Take out of an npm lock file where each package was fetched from; the integrity hashes stay. True when it changed.

    The lock then says what to install and not from which registry, which is each machine's own setting.
    """
    if not lock.exists():
        return False
    data = json.loads(lock.read_text())
    found = [entry for entry in data.get("packages", {}).values() if "resolved" in entry and not entry.get("link")]
    for entry in found:
        del entry["resolved"]
    if found:
        lock.write_text(json.dumps(data, indent=2) + "\n")
    return bool(found)


def build(*, force: bool = False) -> None:
    """Build what has changed since the last build; with `force` all of it."""
    build_secure(force=force)
    with exclusive("build"):
        if not force and is_current():
            return
        started = time.monotonic()
        sources = _source_digest()
        _stamp().unlink(missing_ok=True)
        say("building the loader")
        build_loader()
        say("building the front end")
        build_frontend()
        forget_registry(FRONTEND_LOCK / "package-lock.json")
        record(_stamp(), sources + digest([FRONTEND_LOCK]))
        say(f"built in {time.monotonic() - started:.0f} s")


def main() -> None:
    """Run the command."""
    try:
        build(force="--force" in sys.argv[1:])
    except CommandError as error:
        die(str(error))


if __name__ == "__main__":
    main()

"""`make check`: lint, format, types of Python and TypeScript, import rules. Runs all of them and tells which failed."""

import os
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from scripts.project import ROOT, VENV_BIN
from walletmodal.commands.project import say
from walletmodal.commands.tools import captured

TYPED_PYTHON = ("walletmodal", "scripts", "bench", "tests")
# The configuration under which components/ is checked, with the packages that Reflex brings in the build.
COMPONENT_TYPES = ROOT / "scripts" / "typescript"
NEWER_PYTHONS = ("3.12", "3.13", "3.14")

_telling = threading.Lock()
"""What one check has to say stays together."""


@dataclass(frozen=True)
class Check:
    """One tool's run over the project."""

    name: str
    command: tuple[str | Path, ...]


def _typescript_projects() -> list[Path]:
    folders = [
        ROOT / "loader",
        ROOT / "secure" / "web",
        COMPONENT_TYPES,
        *sorted((ROOT / "sandbox").glob("*/")),
        ROOT / "tests" / "browser",
    ]
    return [folder / "tsconfig.json" for folder in folders if (folder / "tsconfig.json").exists()]


def checks() -> list[Check]:
    """All checks, the quick ones first."""
    python = [folder for folder in TYPED_PYTHON if any((ROOT / folder).rglob("*.py"))]
    mypy: tuple[str | Path, ...] = (VENV_BIN / "mypy", *python)
    found = [
        Check("ruff check", (VENV_BIN / "ruff", "check", ".")),
        Check("ruff format", (VENV_BIN / "ruff", "format", "--check", ".")),
        Check("import rules", (VENV_BIN / "lint-imports",)),
        Check("texts", (VENV_BIN / "python", "-m", "scripts.messages", "--check")),
        Check("mypy, Python 3.11", mypy),
    ]
    found += [Check(f"mypy, Python {version}", (*mypy, "--python-version", version)) for version in NEWER_PYTHONS]
    for project in _typescript_projects():
        compiler = _nearest_typescript(project.parent)
        what = "components" if project.parent == COMPONENT_TYPES else project.parent.relative_to(ROOT)
        found.append(Check(f"tsc, {what}", (compiler, "--noEmit", "-p", project)))
    return found


def _nearest_typescript(folder: Path) -> Path:
    """The compiler that the project's own lock file pins; projects without packages of their own use the loader's."""
    for candidate in (folder, folder.parent, ROOT / "loader"):
        compiler = candidate / "node_modules" / ".bin" / "tsc"
        if compiler.exists():
            return compiler
    return ROOT / "loader" / "node_modules" / ".bin" / "tsc"


def run(check: Check) -> bool:
    """Run one check, show its output when it fails; True when it passed."""
    started = time.monotonic()
    done = captured(check.command, cwd=ROOT)
    with _telling:
        say(f"{check.name}: {'ok' if done.returncode == 0 else 'FAILED'} ({time.monotonic() - started:.1f} s)")
        if done.returncode:
            print(done.stdout.rstrip(), flush=True)
    return done.returncode == 0


def failures(every: Sequence[Check], at_once: int) -> list[str]:
    """Run all checks, so many at a time (each uses one processor); the names of those that failed, in the order of the checks."""
    with ThreadPoolExecutor(at_once) as pool:
        passed = pool.map(run, every)
    return [check.name for check, ok in zip(every, passed, strict=True) if not ok]


def main() -> None:
    """Run the command; status 1 when a check failed."""
    failed = failures(checks(), os.cpu_count() or 1)
    if failed:
        print(f"failed: {', '.join(failed)}", flush=True)
        raise SystemExit(1)
    print("all checks passed", flush=True)


if __name__ == "__main__":
    main()

"""`make audit`: looks up known vulnerabilities of every locked Python and npm package that production has, as the registries know them.

Status 0: none is known. 1: some are. 2: a source could not be asked, so nothing is known about its packages; which one is said.
"""

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.project import ROOT, VENV_BIN, VENV_PYTHON
from scripts.setup import NPM_FOLDERS, REQUIREMENTS, lock_of
from walletmodal.commands.build import FRONTEND_LOCK
from walletmodal.commands.project import say, shorten
from walletmodal.commands.tools import captured

NONE_KNOWN, SOME_KNOWN, NOT_ASKED = 0, 1, 2

_SECONDS = 300
_SHOWN_LINES = 3


@dataclass(frozen=True)
class Audit:
    """What a source knows about the packages of one lock file.

    `vulnerabilities`: a line each. `problem`: why it could not be asked, or "".
    """

    lock: Path
    vulnerabilities: Sequence[str] = ()
    problem: str = ""


def audit_python(lock: Path, options: Sequence[str] = ()) -> Audit:
    """Ask about a lock of Python packages; `options` go to pip-audit."""
    command: list[str | Path] = [
        VENV_PYTHON,
        "-m",
        "pip_audit",
        "-r",
        lock,
        "--disable-pip",
        "--require-hashes",
        *options,
    ]
    answer, told = _answer([*command, "--format", "json", "--progress-spinner", "off"], cwd=ROOT)
    if not isinstance(answer, dict) or "dependencies" not in answer:
        return Audit(lock, problem=told)
    found = [
        f"{package['name']} {package['version']}: {one['id']}{_better(one['fix_versions'])}"
        for package in answer["dependencies"]
        for one in package.get("vulns", ())
    ]
    return Audit(lock, found)


def audit_npm(folder: Path) -> Audit:
    """Ask about the `package-lock.json` of a folder; what only its tools need counts too, for it builds what browsers get."""
    lock = folder / "package-lock.json"
    answer, told = _answer([VENV_BIN / "npm", "audit", "--package-lock-only", "--json"], cwd=folder)
    if not isinstance(answer, dict) or "vulnerabilities" not in answer:
        reason = answer.get("message") if isinstance(answer, dict) else None
        return Audit(lock, problem=str(reason or told))
    return Audit(lock, [_npm_line(one) for one in answer["vulnerabilities"].values()])


def _npm_line(package: dict[str, Any]) -> str:
    titles = [one["title"] for one in package["via"] if isinstance(one, dict)]
    through = [one for one in package["via"] if isinstance(one, str)]
    return f"{package['name']}: {'; '.join(titles) or 'through ' + ', '.join(through)} ({package['severity']})"


def _better(versions: Sequence[str]) -> str:
    return f" (repaired in {', '.join(versions)})" if versions else ""


def _answer(command: Sequence[str | Path], *, cwd: Path) -> tuple[Any, str]:
    """The JSON that a tool has written, or None, and the last lines of what it said about it."""
    try:
        done = captured(command, cwd=cwd, timeout=_SECONDS, apart=True)
    except subprocess.TimeoutExpired:
        return None, f"no answer within {_SECONDS} s"
    told = "\n".join(done.stderr.strip().splitlines()[-_SHOWN_LINES:])
    try:
        return json.loads(done.stdout), told
    except ValueError:
        return None, told or f"status {done.returncode}"


def report(audits: Sequence[Audit]) -> int:
    """Print what was found, and return the exit status."""
    for audit in audits:
        if audit.problem:
            print(f"{shorten(audit.lock)}: COULD NOT BE LOOKED UP, the source cannot be asked: {audit.problem}")
        else:
            print(f"{shorten(audit.lock)}: {len(audit.vulnerabilities) or 'no'} known vulnerabilities")
        for line in audit.vulnerabilities:
            print(f"  {line}")
    if any(audit.vulnerabilities for audit in audits):
        return SOME_KNOWN
    return NOT_ASKED if any(audit.problem for audit in audits) else NONE_KNOWN


def main() -> None:
    """Run the command."""
    say("asking the registries about known vulnerabilities")
    npm = [*NPM_FOLDERS["server"], FRONTEND_LOCK]
    raise SystemExit(report([audit_python(lock_of(REQUIREMENTS["server"])), *map(audit_npm, npm)]))


if __name__ == "__main__":
    main()

"""`make test`: prepares what the tests need and runs pytest, whose count is the last line.

Without an option the slow tests (tests/slow.py) are left out; `--all` runs every test, `--fast` neither the slow ones nor those that
need a browser, `--browser` all that need one. What follows `--` goes to pytest. The tests run in several processes
(tests/distribution.py); `-- -n 0` runs them in one.
"""

import compileall
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from scripts.build import build, build_sandbox
from scripts.project import ROOT, VENV_PYTHON
from scripts.system_packages import install_missing
from walletmodal.commands.project import CommandError, die, tool_environment

SELECTIONS = {
    "--all": ["--hypothesis-profile=thorough"],
    "--fast": ["-m", "not browser and not slow"],
    "--browser": ["-m", "browser"],
}
DEFAULT_SELECTION = ["-m", "not slow"]
PACKAGES = tuple(ROOT / name for name in ("components", "sandbox", "scripts", "walletmodal"))


def distribution(processes: int) -> list[str]:
    """pytest-xdist's arguments for so many processes.

    A process that a test ended is not replaced, and the run ends with a failure: what is left of its file would go to another process,
    for which pytest-xdist may wait for ever.
    """
    return ["-n", str(processes), "--dist", "loadscope", "--no-loadscope-reorder", "--max-worker-restart", "0"]


def compile_packages(folders: Iterable[Path] = PACKAGES) -> None:
    """Compile our packages once: the tests start hundreds of processes, each of which would."""
    for folder in folders:
        compileall.compile_dir(folder, quiet=2)


def environment_of_tests() -> dict[str, str]:
    """The environment of the tests; unlike other commands they keep what they compile, which takes as long as importing it."""
    environment = tool_environment()
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def test(arguments: Sequence[str]) -> int:
    """Prepare and run the tests; pytest's exit status.

    Raises CommandError when something that the tests need is missing and cannot be installed.
    """
    split = arguments.index("--") if "--" in arguments else len(arguments)
    own, passed_on = arguments[:split], arguments[split + 1 :]
    selection = next((SELECTIONS[option] for option in own if option in SELECTIONS), DEFAULT_SELECTION)
    install_missing()
    build()
    build_sandbox()
    compile_packages()
    # One more than there are processors, for tests that drive a browser or a server wait half of their time. Each starts all that it needs
    # for itself: two more take a sixth longer.
    processes = (os.cpu_count() or 1) + 1
    command = [VENV_PYTHON, "-m", "pytest", *distribution(processes), *selection, *passed_on]
    return subprocess.run(
        [str(part) for part in command], check=False, cwd=ROOT, env=environment_of_tests(), stdin=subprocess.DEVNULL
    ).returncode


def main() -> None:
    """Run the command."""
    try:
        status = test(sys.argv[1:])
    except CommandError as error:
        die(str(error))
    raise SystemExit(status)


if __name__ == "__main__":
    main()

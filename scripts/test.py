"""`make test`: prepares what the tests need, runs the tests of the scripts and then pytest, whose count is the last line.

`--fast` leaves out what needs a browser, `--browser` runs that alone; what follows `--` goes to pytest. The tests run in several
processes (tests/distribution.py); `-- -n 0` runs them in one.
"""

import compileall
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from scripts.build import LOADER, build, build_sandbox
from scripts.project import ROOT, VENV_BIN, VENV_PYTHON, CommandError, die, say, tool_environment
from scripts.system_packages import install_missing

COMPONENT_TESTS = ROOT / "scripts" / "typescript"
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


def _status_of(command: Sequence[object], cwd: Path = ROOT) -> int:
    return subprocess.run(
        [str(part) for part in command], check=False, cwd=cwd, env=environment_of_tests(), stdin=subprocess.DEVNULL
    ).returncode


def test(arguments: Sequence[str]) -> int:
    """Prepare and run the tests; the exit status of the first runner that failed, or 0.

    Raises CommandError when something that the tests need is missing and cannot be installed.
    """
    split = arguments.index("--") if "--" in arguments else len(arguments)
    own, passed_on = arguments[:split], arguments[split + 1 :]
    selection: list[str] = []
    if "--fast" in own:
        selection = ["-m", "not browser"]
    elif "--browser" in own:
        selection = ["-m", "browser"]
    install_missing()
    build()
    build_sandbox()
    compile_packages()
    script_status = 0
    if "--browser" not in own:
        say("testing the loader")
        script_status = _status_of([VENV_BIN / "npm", "test", "--silent"], cwd=LOADER)
        say("testing the components")
        script_status = _status_of([VENV_BIN / "npm", "test", "--silent"], cwd=COMPONENT_TESTS) or script_status
    # More processes than there are processors, for tests that drive a browser or a server wait half of their time.
    processes = (os.cpu_count() or 1) + 2
    python_status = _status_of([VENV_PYTHON, "-m", "pytest", *distribution(processes), *selection, *passed_on])
    return script_status or python_status


def main() -> None:
    """Run the command."""
    try:
        status = test(sys.argv[1:])
    except CommandError as error:
        die(str(error))
    raise SystemExit(status)


if __name__ == "__main__":
    main()

"""The wheel, and environments that have it and nothing else. Import the fixture `wheel` by its name."""

from __future__ import annotations

import re
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any, Final

import pytest

from scripts.build import build_sandbox, build_scripts
from scripts.wheel import make_wheel

ROOT: Final = Path(__file__).parents[2]
PATIENCE: Final = 300
"""Seconds; it takes about ten, and twice as long with the extra `testing`."""
_PIN: Final = re.compile(r"^([\w-]+)(?:\[\w+\])?(==[^\s;]+)(?=\s)", re.MULTILINE)


def done(*command: str | Path, **more: Any) -> str:
    """What a program that succeeds says."""
    finished: subprocess.CompletedProcess[str] = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, timeout=PATIENCE, **more
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    build_scripts()
    build_sandbox()
    return make_wheel(tmp_path_factory.mktemp("wheel"))


def installed(wheel: Path, extra: str, folder: Path) -> Path:
    """The Python of an environment in `folder` that has `walletmodal[extra]` alone, in the versions that the server and its tests have."""
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv" / "bin" / "python"
    # Their lines one by one: a constraint that itself reads requirements (-r) installs them.
    files = [(ROOT / name).read_text("utf-8") for name in ("requirements.txt", "requirements-dev.txt")]
    (folder / "pins.txt").write_text(
        "\n".join(name + version for text in files for name, version in _PIN.findall(text))
    )
    done(
        *(
            sys.executable,
            "-m",
            "pip",
            "--python",
            python,
            "install",
            "--quiet",
            "--no-compile",
            "--constraint",
            folder / "pins.txt",
        ),
        f"walletmodal[{extra}] @ {wheel.as_uri()}",
    )
    return python

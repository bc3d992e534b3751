"""The wheel, and environments that have it and nothing else. Import the fixture `wheel` by its name."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any, Final

import pytest

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


def source(folder: Path) -> Path:
    """What of the repository the wheel is made from, in `folder`."""
    folder.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "walletmodal", folder / "walletmodal", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy: building leaves files behind."""
    checkout, target = source(tmp_path_factory.mktemp("source") / "checkout"), tmp_path_factory.mktemp("wheel")
    done(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", target, checkout)
    (found,) = target.glob("walletmodal-*.whl")
    return found


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

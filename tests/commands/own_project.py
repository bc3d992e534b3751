"""A project of its own with the wheel, beside the libraries of the tests. Import the fixtures by their names, and `wheel` of tests/host/installed.py."""

import os
import sysconfig
import venv
from pathlib import Path

import pytest

from scripts.project import VENV_BIN
from tests.host.installed import done


def environment(**settings: str) -> dict[str, str]:
    """Node's programs are those of the tests; what Python finds is not."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return {**kept, "PATH": os.pathsep.join((str(VENV_BIN), kept.get("PATH", os.defpath))), **settings}


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That of an environment with the wheel, beside the libraries and the Node of the tests."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    site = Path(done(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib"))
    for name in ("node", "npm", "npx"):
        (folder / "bin" / name).symlink_to(VENV_BIN / name)
    install(python, wheel)
    return python


def install(python: Path, wheel: Path) -> None:
    """Put the product of a wheel into an environment, in the place of the one that is there."""
    done(VENV_BIN / "python", "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-compile", wheel)


@pytest.fixture(scope="module")
def project(python: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `walletmodal new` has written."""
    folder = tmp_path_factory.mktemp("team") / "my-modal"
    done(python.parent / "walletmodal", "new", folder.name, cwd=folder.parent, env=environment())
    return folder

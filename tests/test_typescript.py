"""The TypeScript of the host page, of the components and of the embedded wallet has tests of its own; here they are run."""

import subprocess

import pytest

from scripts.build import LOADER, SECURE_WEB
from scripts.project import ROOT, VENV_BIN
from walletmodal.commands.project import tool_environment


@pytest.mark.parametrize(
    "folder", [LOADER, ROOT / "scripts" / "typescript", SECURE_WEB], ids=["loader", "components", "secure"]
)
def test_its_own_tests_pass(folder: object) -> None:
    ran = subprocess.run(
        [str(VENV_BIN / "npm"), "test", "--silent"],
        cwd=str(folder),
        env=tool_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr

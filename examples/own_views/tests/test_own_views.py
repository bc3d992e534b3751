"""What must hold before the modal is deployed, and after walletmodal was updated."""

import subprocess
import sys
from pathlib import Path


def test_the_project_fits_the_walletmodal_that_is_installed() -> None:
    command = [sys.executable, "-m", "walletmodal", "check"]
    checked = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr

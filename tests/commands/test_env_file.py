"""`.env` is its owner's alone."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from walletmodal.commands.env_file import keep_to_its_owner


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660])
def test_others_lose_what_they_could_do_with_it(tmp_path: Path, mode: int, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / ".env"
    file.write_text("API_KEY=")
    file.chmod(mode)
    keep_to_its_owner(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "could be read by others" in capsys.readouterr().out


def test_nothing_is_said_of_one_that_is_private(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / ".env"
    file.touch(0o600)
    keep_to_its_owner(file)
    keep_to_its_owner(tmp_path / "none")
    assert capsys.readouterr().out == ""

"""What the commands write is for their own user alone."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from walletmodal.commands import project


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """One that was used under the usual umask, in which `keep_private` has run."""
    before = os.umask(0o022)
    for name in (
        "data/3000/walletmodal.db",
        "data/.build.lock",
        ".states/visitor.pkl",
        ".dev/3000/.states/visitor.pkl",
    ):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    (tmp_path / "outside").touch()
    (tmp_path / "data" / "link").symlink_to(tmp_path / "outside")
    for name, folder in (("PROJECT", "."), ("DATA", "data"), ("DEV", ".dev")):
        monkeypatch.setattr(project, name, tmp_path / folder)
    project.keep_private()
    yield tmp_path
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_what_is_written_from_now_on_is_closed_to_others(checkout: Path) -> None:
    (checkout / "new").touch()
    (checkout / "folder").mkdir()
    assert (mode(checkout / "new"), mode(checkout / "folder")) == (0o600, 0o700)


def test_what_lies_there_already_is_closed_to_others(checkout: Path) -> None:
    closed = [path for name in ("data", ".states", ".dev") for path in (checkout / name).glob("**/*")]
    files = [path for path in closed if path.is_file() and not path.is_symlink()]
    assert len(files) == 4
    assert {mode(path) for path in files} == {0o600}
    assert {mode(checkout / name) for name in ("data", "data/3000", ".states", ".dev")} == {0o700}


def test_a_link_that_leads_elsewhere_changes_nothing_there(checkout: Path) -> None:
    assert mode(checkout / "outside") == 0o644


def test_a_folder_of_somebody_elses_stays_as_it_is(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a volume of a cluster's is, in which a group may write; to root, as which tests may run, nothing is refused."""
    data, chmod = checkout / "data", Path.chmod
    data.chmod(0o770)
    (data / "new").touch(0o644)

    def refused(path: Path, mode: int) -> None:
        if path == data:
            raise PermissionError
        chmod(path, mode)

    monkeypatch.setattr(Path, "chmod", refused)
    project.keep_private()
    assert (mode(data), mode(data / "new")) == (0o770, 0o600)

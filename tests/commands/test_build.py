"""The front end of a project: from what it is built, and with which npm packages."""

import json
from pathlib import Path

import pytest

from walletmodal.commands import build as build_module
from walletmodal.commands import project
from walletmodal.commands.build import bring_lock, build, sources
from walletmodal.commands.project import CommandError


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a project."""
    monkeypatch.setattr(project, "PROJECT", tmp_path)
    monkeypatch.setattr(build_module, "PROJECT", tmp_path)
    monkeypatch.setattr(build_module, "FRONTEND_LOCK", tmp_path / "reflex.lock")
    return tmp_path


def test_pages_come_from_modules_and_assets_alone(team: Path) -> None:
    for name in ("assets", "data", "tests", "views", ".web", "environment"):
        (team / name).mkdir()
        (team / name / "file.css").touch()
    (team / "environment" / "pyvenv.cfg").touch()
    for name in ("my_modal.py", "rxconfig.py", "README.md", ".env"):
        (team / name).touch()
    assert [path.name for path in sources()] == ["assets", "my_modal.py", "rxconfig.py", "views"]


def test_folders_that_a_build_leaves_behind_are_no_sources(team: Path) -> None:
    """A build would never be that of its own sources."""
    (team / "rxconfig.py").touch()
    for name in ("__pycache__/rxconfig.cpython-313.pyc", "assets/external/walletmodal/link.css"):
        (team / name).parent.mkdir(parents=True)
    (team / "__pycache__" / "rxconfig.cpython-313.pyc").touch()
    (team / "assets" / "external" / "walletmodal" / "link.css").symlink_to(team / "rxconfig.py")
    assert [path.name for path in sources()] == ["rxconfig.py"]


def test_a_folder_without_a_project_is_not_built(team: Path) -> None:
    with pytest.raises(CommandError, match="walletmodal new"):
        build()


def test_a_project_takes_the_products_lock(team: Path) -> None:
    bring_lock()
    assert "react" in json.loads((team / "reflex.lock" / "package.json").read_text())["dependencies"]


def test_what_a_project_has_added_to_the_lock_stays(team: Path) -> None:
    bring_lock()
    (team / "reflex.lock" / "package.json").write_text("{}")
    bring_lock()
    assert (team / "reflex.lock" / "package.json").read_text() == "{}"


def test_a_lock_of_an_earlier_version_is_replaced(team: Path) -> None:
    bring_lock()
    (team / "reflex.lock" / "package.json").write_text("{}")
    (team / "reflex.lock" / "walletmodal.sha256").write_text("an earlier one's")
    bring_lock()
    assert (team / "reflex.lock" / "package.json").read_text() != "{}"

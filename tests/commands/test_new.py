"""`walletmodal new`: a project of a few files, under a name that is the team's own."""

import ast
import tomllib
from pathlib import Path

import pytest

from walletmodal.commands.new import new
from walletmodal.commands.project import CommandError
from walletmodal.core.version import VERSION


def test_a_project_has_settings_one_module_a_theme_and_a_test(tmp_path: Path) -> None:
    new(tmp_path / "my-modal")
    written = {
        str(file.relative_to(tmp_path / "my-modal")) for file in (tmp_path / "my-modal").rglob("*") if file.is_file()
    }
    assert written == {
        ".env.example",
        ".gitignore",
        "README.md",
        "my_modal.py",
        "my_modal_theme.py",
        "pyproject.toml",
        "rxconfig.py",
        "tests/test_my_modal.py",
    }


def test_its_readme_has_ten_lines(tmp_path: Path) -> None:
    new(tmp_path / "my-modal")
    assert len((tmp_path / "my-modal" / "README.md").read_text("utf-8").splitlines()) <= 10


def test_it_takes_the_version_that_made_it(tmp_path: Path) -> None:
    new(tmp_path / "my-modal")
    project = tomllib.loads((tmp_path / "my-modal" / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["dependencies"] == [f"walletmodal[server]=={VERSION}"]


def test_everything_is_filled_in(tmp_path: Path) -> None:
    new(tmp_path / "my-modal")
    files = [file for file in (tmp_path / "my-modal").rglob("*") if file.is_file() and file.name != ".env.example"]
    for file in files:
        text = file.read_text("utf-8")
        assert "$" not in text
        if file.suffix == ".py":
            ast.parse(text)


@pytest.mark.parametrize("name", ["My Modal", "-modal", "modal-", "class", "json", "walletmodal", "tests", "ünicode"])
def test_a_name_that_cannot_be_a_module_of_the_teams_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(CommandError):
        new(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_what_is_in_a_folder_stays(tmp_path: Path) -> None:
    (tmp_path / "my-modal").mkdir()
    (tmp_path / "my-modal" / "README.md").write_text("ours")
    with pytest.raises(CommandError, match="not empty"):
        new(tmp_path / "my-modal")
    assert [file.read_text() for file in (tmp_path / "my-modal").iterdir()] == ["ours"]

"""What setting up does about a virtual environment that a full disk, or whatever else, cut off, and what a server does without."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import setup
from scripts.project import ROOT
from scripts.venv_files import damaged_packages
from walletmodal.commands.project import CommandError


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A virtual environment of the commands' own making in a folder of the test."""
    venv = tmp_path / ".venv"
    monkeypatch.setattr(setup, "VENV", venv)
    monkeypatch.setattr(setup, "VENV_PYTHON", venv / "bin" / "python")
    setup.create_virtual_environment()
    return venv


def _pip_file(environment: Path) -> Path:
    (found,) = environment.glob("lib/python*/site-packages/pip/_internal/cli/main.py")
    return found


def _lock(folder: Path, text: str) -> Path:
    file = folder / "requirements.lock"
    file.write_text(text)
    return file


@pytest.mark.skipif(
    importlib.util.find_spec("ensurepip") is None, reason="an environment with pip needs the network here"
)
def test_an_environment_that_was_cut_off_is_made_anew(environment: Path, tmp_path: Path) -> None:
    """A first installation fails, its disk full within a file; the second one must not believe what pip has noted."""
    lock = _lock(tmp_path, "no such requirement\n")
    with pytest.raises(CommandError, match="pip install"):
        setup.install_python_packages(lock)
    assert damaged_packages(environment) == []
    setup.discard_damaged_environment(lock)
    file = _pip_file(environment)
    whole = file.read_bytes()
    file.write_bytes(whole[:100])
    assert [name.partition("-")[0] for name in damaged_packages(environment)] == ["pip"]
    setup.discard_damaged_environment(lock)
    assert damaged_packages(environment) == []
    assert _pip_file(environment).read_bytes() == whole
    _lock(tmp_path, "")
    setup.install_python_packages(lock)
    # Once all is installed nothing is looked at again: that is what a stamp is for.
    _pip_file(environment).write_bytes(b"")
    setup.discard_damaged_environment(lock)
    assert _pip_file(environment).read_bytes() == b""


@pytest.mark.parametrize("record", [None, "", "a.py,sha256=x,5\n", "b.py,sha256=x,1\n", "a.py,sha256=x,many\n"])
def test_a_package_whose_record_does_not_fit_is_damaged(tmp_path: Path, record: str | None) -> None:
    packages = tmp_path / "lib" / "python3.11" / "site-packages"
    noted = packages / "thing-1.0.dist-info"
    noted.mkdir(parents=True)
    (packages / "a.py").write_text("four")
    if record is not None:
        (noted / "RECORD").write_text(record)
    assert damaged_packages(tmp_path) == ["thing-1.0"]
    (noted / "RECORD").write_text("a.py,sha256=x,4\na.pyc,,\nthing-1.0.dist-info/RECORD,,\n")
    assert damaged_packages(tmp_path) == []


def test_a_file_that_two_packages_bring_is_whole_as_either_has_it(tmp_path: Path) -> None:
    packages = tmp_path / "lib" / "python3.11" / "site-packages"
    for name, size in (("one", 4), ("other", 9)):
        (packages / f"{name}-1.0.dist-info").mkdir(parents=True)
        (packages / f"{name}-1.0.dist-info" / "RECORD").write_text(f"tests/a.py,sha256=x,{size}\n")
    (packages / "tests").mkdir()
    (packages / "tests" / "a.py").write_text("four")
    assert damaged_packages(tmp_path) == []


def test_this_environment_is_whole() -> None:
    assert damaged_packages(Path(sys.prefix)) == []


@pytest.mark.parametrize(
    ("arguments", "expected"), [(["--server"], {"loader", "web"}), ([], {"loader", "web", "sandbox"})]
)
def test_a_server_does_without_the_sandboxs_packages(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], expected: set[str]
) -> None:
    installed: list[Path] = []
    monkeypatch.setattr(setup, "create_virtual_environment", lambda: None)
    monkeypatch.setattr(setup, "discard_damaged_environment", lambda _: None)
    monkeypatch.setattr(setup, "install_python_packages", lambda _: None)
    monkeypatch.setattr(setup, "install_npm_packages", lambda folder, **_: installed.append(folder))
    monkeypatch.setattr(sys, "argv", ["setup", *arguments])
    setup.main()
    assert {folder.name for folder in installed} == expected


def test_make_serve_build_and_reload_set_up_a_server_alone() -> None:
    told = subprocess.run(
        ["make", "--dry-run", "serve", "build", "reload"], check=True, cwd=ROOT, capture_output=True, text=True
    ).stdout
    assert [line.split()[1:] for line in told.splitlines() if "scripts.setup" in line] == [
        ["-m", "scripts.setup", "--server"]
    ]

"""What is installed is what the lock files pin, by its hash, and nothing that is installed runs a script."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import tomllib
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from scripts import setup
from scripts.lock import PYTHONS
from scripts.project import ROOT, VENV_BIN
from scripts.setup import REQUIREMENTS, install_python_packages, lock_of
from tests.patience import START_SECONDS
from walletmodal.commands.project import CommandError, tool_environment

LOCKS = [lock_of(file) for file in REQUIREMENTS.values()]
# Name, version with its marker, hashes.
ENTRY = re.compile(
    r"^([\w.-]+)(?:\[[\w,-]+\])?==([^\s;]+)(?: ; ([^\\\n]+?))? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)",
    re.MULTILINE,
)
NAMES = [file.name for file in LOCKS]


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(lock: Path) -> set[tuple[str, str]]:
    return {(normal(name), version) for name, version, _, _ in ENTRY.findall(lock.read_text("utf-8"))}


@pytest.mark.parametrize("lock", LOCKS, ids=NAMES)
def test_every_package_of_a_lock_has_hashes(lock: Path) -> None:
    names = re.findall(r"^([\w.-]+)", lock.read_text("utf-8"), re.MULTILINE)
    assert len(ENTRY.findall(lock.read_text("utf-8"))) == len(names) > 100


@pytest.mark.parametrize("lock", LOCKS, ids=NAMES)
def test_a_lock_names_no_registry_and_no_machine(lock: Path) -> None:
    text = lock.read_text("utf-8")
    assert "://" not in text
    assert not re.search(r"(^|\s)/|--(extra-)?index|--find-links", text, re.MULTILINE)


@pytest.mark.parametrize("requirements", REQUIREMENTS.values(), ids=lambda file: file.name)
def test_a_lock_is_that_of_its_requirements(requirements: Path) -> None:
    pins = re.findall(r"^([\w-]+)(?:\[[\w-]+\])?==([^\s;]+)", requirements.read_text("utf-8"), re.MULTILINE)
    missing = {(normal(name), version) for name, version in pins} - locked(lock_of(requirements))
    assert missing == set(), "make lock has not been run"


def missing_extras(lock: Path) -> list[str]:
    """What packages of a lock need with extras that the lock does not name."""
    entries = re.findall(r"^([\w.-]+)(?:\[([\w,-]+)\])?==", lock.read_text("utf-8"), re.MULTILINE)
    extras = {normal(name): set(filter(None, extras.split(","))) for name, extras in entries}
    missing = []
    for name in extras.keys() & {normal(found.name) for found in metadata.distributions()}:
        for text in metadata.requires(name) or ():
            needed = Requirement(text)
            marker = needed.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in {"", *extras[name]}):
                missing += [f"{name}: {text}"] if needed.extras - extras[normal(needed.name)] else []
    return missing


@pytest.mark.parametrize("lock", LOCKS, ids=NAMES)
def test_a_lock_pins_what_its_packages_need_with_extras(lock: Path) -> None:
    """Pip up to 23.2 takes `granian` of a lock and the `granian[reload]` of a package for two, and the newest for the second."""
    assert missing_extras(lock) == []


def test_every_requirement_is_pinned() -> None:
    lines = [line for file in REQUIREMENTS.values() for line in file.read_text("utf-8").splitlines()]
    assert [line for line in lines if line and not re.match(r"#|-r |[\w-]+(\[[\w-]+\])?==\S", line)] == []


@pytest.mark.parametrize(("extra", "purpose"), [("server", "server"), ("sandbox", "run")])
def test_the_extra_of_the_package_is_what_is_required(extra: str, purpose: str) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    lines = [line.split(" #")[0].strip() for line in REQUIREMENTS[purpose].read_text("utf-8").splitlines()]
    required = {line.replace('"', "'") for line in lines if line and not line.startswith(("#", "-r "))}
    assert {line for line in extras[extra] if not line.startswith("walletmodal[")} == required


def test_a_larger_set_has_the_versions_of_the_smaller_one() -> None:
    server, run, dev = map(locked, LOCKS)
    assert server < run < dev


def test_production_is_set_up_without_the_sandbox() -> None:
    told = subprocess.run(["make", "-n", "serve"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "scripts.setup --server" in told
    assert "uvicorn" not in {name for name, _ in locked(lock_of(REQUIREMENTS["server"]))}


def test_the_readme_names_the_pythons_that_are_locked_for() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert f"With Python {', '.join(PYTHONS[:-1])} or {PYTHONS[-1]} and make" in text


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A virtual environment without pip in which packages are installed, and a folder that is all there is of a registry."""
    folder = tmp_path / "venv"
    venv.create(folder, with_pip=False)
    monkeypatch.setattr(setup, "VENV", folder)
    monkeypatch.setattr(setup, "VENV_PYTHON", folder / "bin" / "python")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    return folder


def wheel(folder: Path) -> str:
    """Makes the wheel of a package; returns the hash of the file."""
    file = folder / "greeting-1.0-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("greeting.py", "")
        archive.writestr("greeting-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: greeting\nVersion: 1.0\n")
        archive.writestr(
            "greeting-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr("greeting-1.0.dist-info/RECORD", "")
    return hashlib.sha256(file.read_bytes()).hexdigest()


def test_a_package_is_installed_by_its_hash(environment: Path, tmp_path: Path) -> None:
    lock = tmp_path / "some.lock"
    lock.write_text(f"greeting==1.0 --hash=sha256:{wheel(tmp_path)}\n")
    install_python_packages(lock)
    assert list(environment.rglob("greeting.py"))
    assert (environment / "some.stamp").exists()


def test_a_package_that_is_another_one_is_refused(environment: Path, tmp_path: Path) -> None:
    wheel(tmp_path)
    lock = tmp_path / "some.lock"
    lock.write_text(f"greeting==1.0 --hash=sha256:{'0' * 64}\n")
    with pytest.raises(CommandError, match="HASHES"):
        install_python_packages(lock)
    assert list(environment.rglob("greeting.py")) == []
    assert not (environment / "some.stamp").exists()


def test_a_package_without_a_hash_is_refused(environment: Path, tmp_path: Path) -> None:
    wheel(tmp_path)
    lock = tmp_path / "some.lock"
    lock.write_text("greeting==1.0\n")
    with pytest.raises(CommandError, match="hash"):
        install_python_packages(lock)
    assert list(environment.rglob("greeting.py")) == []


def test_no_tool_runs_the_install_scripts_of_npm_packages(tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    scripts = dict.fromkeys(("preinstall", "install", "postinstall", "prepare"), "touch ran")
    (package / "package.json").write_text(json.dumps({"name": "curious", "version": "1.0.0", "scripts": scripts}))
    user = tmp_path / "user"
    user.mkdir()
    (user / "package.json").write_text(json.dumps({"name": "user", "dependencies": {"curious": "file:../package"}}))
    subprocess.run(
        [VENV_BIN / "npm", "install", "--offline", "--install-links"],
        cwd=user,
        env=tool_environment(),
        check=True,
        capture_output=True,
        timeout=START_SECONDS,
    )
    assert (user / "node_modules" / "curious").exists()
    assert list(tmp_path.rglob("ran")) == []

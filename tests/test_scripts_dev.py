"""`make dev` leaves what is everybody's as it is."""

import json
from pathlib import Path

import pytest
from reflex.utils import frontend_skeleton
from reflex_base.constants import PackageJson

from scripts.reflex_commands import keep_file


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The front end's folder of a copy, in which Reflex has another command than its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(frontend_skeleton, "get_web_dir", lambda: tmp_path / ".web")
    (tmp_path / ".web").mkdir()
    return tmp_path / ".web"


def test_the_command_of_one_copy_does_not_come_into_the_shared_lock(monkeypatch: pytest.MonkeyPatch, web: Path) -> None:
    manifest = json.dumps({"scripts": {"dev": PackageJson.Commands.DEV, "export": PackageJson.Commands.EXPORT}})
    own = "react-router dev . --config /somewhere/vite.config.mjs"
    (web / PackageJson.PATH).write_text(manifest.replace(PackageJson.Commands.DEV, own))
    monkeypatch.setattr(PackageJson.Commands, "DEV", own)
    keep_file(PackageJson.PATH)
    assert frontend_skeleton.get_root_lockfile_path(PackageJson.PATH).read_text() == manifest


def test_the_registry_of_one_machine_does_not_come_into_the_shared_lock(web: Path) -> None:
    entry = {"version": "1.0.0", "integrity": "sha512-AA=="}
    locked = {"packages": {"node_modules/a": {**entry, "resolved": "file:///x/a.tgz"}}}
    (web / "package-lock.json").write_text(json.dumps(locked))
    keep_file("package-lock.json")
    kept = json.loads(frontend_skeleton.get_root_lockfile_path("package-lock.json").read_text())
    assert kept == {"packages": {"node_modules/a": entry}}

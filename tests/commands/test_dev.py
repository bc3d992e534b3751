"""`make dev` leaves what is everybody's as it is, and tells our addresses in the place of the framework's."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from reflex.utils import exec as reflex_exec
from reflex.utils import frontend_skeleton
from reflex_base.constants import PackageJson
from reflex_base.utils import console

from walletmodal.commands import dev_server, dev_worker
from walletmodal.commands.reflex_commands import keep_file


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


def _start(_arguments: Sequence[str], **_commands: str) -> None:
    """Reflex's own start of front end and backend, as far as it prints; the front end says where it is, and ends."""
    console.rule("[bold]Starting Reflex App")
    reflex_exec.notify_app_running()  # type: ignore[no-untyped-call]  # Reflex has no annotation there
    says = "print('  Local:   http://localhost:5173/', flush=True)"
    reflex_exec.run_process_and_launch_url([sys.executable, "-c", says])


def test_the_development_server_prints_no_address_and_no_heading_of_the_framework(
    monkeypatch: pytest.MonkeyPatch, web: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (web / PackageJson.PATH).write_text("{}")
    monkeypatch.setattr(reflex_exec, "get_web_dir", lambda: web)
    # What the command replaces is put back after the test.
    replaced = ("notify_frontend", "notify_backend", "run_granian_backend", "get_app_instance_from_file")
    for module, name in (*((reflex_exec, name) for name in replaced), (console, "rule")):
        monkeypatch.setattr(module, name, getattr(module, name))
    for module, name in ((dev_server, "check"), (dev_worker, "list_modules")):
        monkeypatch.setattr(module, name, lambda: None)
    monkeypatch.setattr(dev_server, "run_reflex", _start)
    monkeypatch.delenv("POLICY_FILE", raising=False)
    _start([])
    theirs = capfd.readouterr().out
    assert all(
        said in theirs for said in ("Starting Reflex App", "App Running", "http://localhost:5173", "Backend running at")
    )
    dev_server.main()
    assert capfd.readouterr().out == ""

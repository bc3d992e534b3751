"""Building: origins taken out of a built client, work skipped when its inputs are unchanged, locks without a registry."""

import json
import subprocess
from pathlib import Path

import pytest

from scripts.build import SECURE_WEB
from scripts.project import ROOT, VENV_BIN
from walletmodal.commands.build import forget_registry
from walletmodal.commands.stamp import digest, is_fresh, record
from walletmodal.reflex_internals.any_origin import RewriteError, rewrite_text, rewrite_tree


@pytest.mark.parametrize(
    ("script", "rewritten"),
    [
        ('x="http://modal.invalid/ping"', 'x=(location.origin+"/ping")'),
        ("x='http://modal.invalid'", 'x=(location.origin+"")'),
        ("x=`ws://modal.invalid/_event`", 'x=(location.origin.replace(/^http/,"ws")+"/_event")'),
        ('x="https://modal.invalid/a",y="wss://modal.invalid/b"', None),
        ('x="http://elsewhere.example/ping"', 'x="http://elsewhere.example/ping"'),
    ],
)
def test_urls_of_the_placeholder_become_the_pages_own(script: str, rewritten: str | None) -> None:
    found = rewrite_text(script)
    assert "modal.invalid" not in found
    assert rewritten is None or found == rewritten


def test_a_script_is_rewritten_in_its_place(tmp_path: Path) -> None:
    script = tmp_path / "assets" / "env.js"
    script.parent.mkdir()
    script.write_text('e={PING:"http://modal.invalid/ping"}')
    assert rewrite_tree(tmp_path) == [script]
    assert script.read_text() == 'e={PING:(location.origin+"/ping")}'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.js", "x=`http://modal.invalid/${path}`"),
        ("a.js", 'x="see http://modal.invalid"'),
        ("a.html", '<a href="http://modal.invalid/">'),
        ("a.js", 'x="nothing of it"'),
    ],
)
def test_a_build_that_cannot_be_rewritten_whole_is_refused(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(RewriteError):
        rewrite_tree(tmp_path)


def test_a_stamp_is_fresh_until_an_input_changes(tmp_path: Path) -> None:
    source, stamp = tmp_path / "source", tmp_path / "made" / ".stamp"
    source.mkdir()
    (source / "a.py").write_text("1")
    assert not is_fresh(stamp, digest([source]))
    record(stamp, digest([source]))
    assert is_fresh(stamp, digest([source]))
    (source / "a.py").write_text("2")
    assert not is_fresh(stamp, digest([source]))


@pytest.mark.parametrize("change", ["added", "renamed", "removed"])
def test_a_stamp_sees_files_come_and_go(tmp_path: Path, change: str) -> None:
    (tmp_path / "a.py").write_text("1")
    before = digest([tmp_path])
    if change == "added":
        (tmp_path / "b.py").touch()
    elif change == "renamed":
        (tmp_path / "a.py").rename(tmp_path / "b.py")
    else:
        (tmp_path / "a.py").unlink()
    assert digest([tmp_path]) != before


def test_a_stamp_ignores_what_is_made_from_the_inputs(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("1")
    before = digest([tmp_path])
    for folder in ("__pycache__", "node_modules"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x").write_text("2")
    assert digest([tmp_path]) == before


def test_a_lock_forgets_its_registry_and_keeps_its_hashes(tmp_path: Path) -> None:
    lock = tmp_path / "package-lock.json"
    lock.write_text(
        json.dumps({"packages": {"a": {"version": "1.0.0", "resolved": "file:///x/a.tgz", "integrity": "sha512-x"}}})
    )
    assert forget_registry(lock)
    assert json.loads(lock.read_text()) == {"packages": {"a": {"version": "1.0.0", "integrity": "sha512-x"}}}
    assert not forget_registry(lock)


def test_no_lock_of_the_project_names_a_registry() -> None:
    locks = [path for path in ROOT.glob("*/package-lock.json") if "node_modules" not in path.parts]
    locks += [ROOT / folder / "package-lock.json" for folder in ("tests/browser", "scripts/typescript", "secure/web")]
    assert locks
    assert [lock for lock in locks if '"resolved": "http' in lock.read_text()] == []


def test_what_an_earlier_build_of_the_secure_page_has_written_is_removed(tmp_path: Path) -> None:
    for name in ("old.js", "old.css", ".stamp"):
        (tmp_path / name).touch()
    subprocess.run([VENV_BIN / "node", SECURE_WEB / "build.mjs", "--output", tmp_path], check=True, capture_output=True)
    written = {path.name for path in tmp_path.iterdir()}
    assert {"frame.js", ".stamp"} <= written
    assert not {"old.js", "old.css"} & written

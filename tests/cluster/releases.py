"""The release before this one, built from its own sources, and servers that are replaced by those of this one."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from scripts.project import ROOT, VENV, VENV_PYTHON
from tests.cluster.cluster import Cluster

_NPM_FOLDERS: Final = ("loader", "secure/web", "sandbox")


def _link(source: str, target: str) -> None:
    """On the same disk the same file, else a copy."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _git(*arguments: str | Path) -> str:
    command = ["git", "-C", str(ROOT), *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit_before() -> str:
    """The commit that RELEASE_BEFORE names, else that of the newest tag before this one; "" where there is neither, for this one with states of another shape."""
    before = ("--merged", "HEAD", "--no-contains", "HEAD")
    return os.environ.get("RELEASE_BEFORE") or _git("tag", "--sort=-creatordate", *before).partition("\n")[0]


@contextmanager
def built(commit: str, folder: Path) -> Iterator[Path]:
    """A checkout of a commit in `folder`, built, for the length of the block; as `commit_before` names it."""
    _git("worktree", "add", "--detach", folder, commit or "HEAD")
    try:
        if not commit:
            _change_states(folder)
        (folder / VENV.name).symlink_to(VENV.resolve())
        for name in _NPM_FOLDERS:
            shutil.copytree(
                ROOT / name / "node_modules", folder / name / "node_modules", symlinks=True, copy_function=_link
            )
        for module in (["scripts.build"], ["walletmodal", "build"]):
            subprocess.run([str(VENV_PYTHON), "-m", *module], check=True, cwd=folder)
        yield folder
    finally:
        _git("worktree", "remove", "--force", folder)


def _change_states(folder: Path) -> None:
    """One variable more: no session of the one release is one of the other."""
    file, variable = folder / "walletmodal" / "features" / "shell" / "state.py", '    _after_connect: str = ""\n'
    before, found, after = file.read_text("utf-8").partition(variable)
    assert found, f"{file} has no such variable any more"
    file.write_text(f'{before}{found}    _of_another_release: str = ""\n{after}', "utf-8")


def upgrade(servers: Cluster, number: int) -> None:
    """Replace one server by one of this release."""
    server = servers.members[number].server
    server.stop()
    server.serve_from(ROOT)
    server.start()

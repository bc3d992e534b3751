"""A project whose walletmodal is replaced by a newer one: `walletmodal check` lists what its own views rely on that has changed."""

import subprocess
from pathlib import Path

import pytest

from scripts.wheel import copy_sources, wheel_of
from tests.commands.own_project import environment, install, project, python
from tests.host.installed import wheel as wheel

__all__ = ["project", "python", "wheel"]

_VIEWS = """import reflex as rx

from walletmodal import ui, views
from walletmodal.walletmodal import app

__all__ = ["app"]


@views.after("Account", "end")
def greeting() -> rx.Component:
    return rx.el.p(views.account.short_address)


@views.add("Loyalty", title="Loyalty")
def loyalty() -> rx.Component:
    return ui.note("gift", "No points yet", views.network.name)


@views.replace("WhatIsABuy")
def buying() -> rx.Component:
    return rx.el.p("Buying")
"""

_CHANGES = {
    "pyproject.toml": ('version = "0.1.0"', 'version = "0.2.0"'),
    "walletmodal/core/version.py": ('"0.1.0"', '"0.2.0"'),
    "walletmodal/core/protocol/views.py": ('"tabs", "end")', '"tabs", "ending")'),
    "walletmodal/features/account_views/body.py": ('around("Account", "end"', 'around("Account", "ending"'),
    "walletmodal/views/selectors.py": ("def short_address(", "def brief_address("),
    "walletmodal/ui/__init__.py": ("import note, try_again", "import note as notice, try_again"),
}
"""By file: what stands there now, and what stands there in the newer one."""


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the same product with another version, and without some of what it has promised."""
    folder = tmp_path_factory.mktemp("newer")
    sources = copy_sources(folder / "walletmodal")
    for name, (now, then) in _CHANGES.items():
        text = (sources / name).read_text("utf-8")
        assert now in text
        (sources / name).write_text(text.replace(now, then))
    kit = sources / "walletmodal/ui/__init__.py"
    kit.write_text(kit.read_text().replace('    "note",\n', '    "notice",\n'))
    return wheel_of(sources, folder / "wheel")


def checked(python: Path, project: Path) -> subprocess.CompletedProcess[str]:
    """`walletmodal check` of the project."""
    command: list[str | Path] = [python, "-m", "walletmodal", "check"]
    return subprocess.run(command, cwd=project, env=environment(), capture_output=True, text=True, check=False)


def test_what_a_newer_version_has_changed_is_listed_with_its_lines(
    wheel: Path, python: Path, project: Path, newer: Path
) -> None:
    (project / "my_modal.py").write_text(_VIEWS)
    before = checked(python, project)
    assert before.returncode == 0, before.stderr
    install(python, newer)
    after = checked(python, project)
    assert after.returncode == 1
    assert "pyproject.toml asks for walletmodal 0.1.0, and 0.2.0 is installed" in after.stdout
    assert after.stderr.splitlines() == [
        "error: the project does not work with the walletmodal that is installed:",
        "my_modal.py:9: Account has no place 'end'; did you mean 'ending'?",
        "my_modal.py:11: after Account, end raised AttributeError: AccountVars has no 'short_address'; did you mean 'address'?",
        "my_modal.py:16: view Loyalty raised AttributeError: walletmodal.ui has no 'note'; did you mean 'notice'?",
    ]

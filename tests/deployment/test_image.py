"""The Containerfile and what it is built from, as far as can be seen without building it."""

from __future__ import annotations

import csv
import re
from fnmatch import fnmatchcase
from importlib import metadata
from pathlib import Path

from scripts.project import ROOT
from scripts.sbom import BUILDERS, PYTHON_LOCK, python_components
from walletmodal.commands.main import COMMANDS

TEXT = re.sub(r"^\s*#.*\n", "", (ROOT / "Containerfile").read_text("utf-8"), flags=re.MULTILINE).replace("\\\n", " ")
STEPS = [(line.split()[0], line.split(None, 1)[1]) for line in TEXT.splitlines() if line.strip()]
LAST = STEPS[max(number for number, (word, _) in enumerate(STEPS) if word == "FROM") :]
IGNORED = [line for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if not line.startswith("#")]


def _is_let_in(path: Path) -> bool:
    """By the last line that names it or a folder that it is in."""
    inside = path.relative_to(ROOT)
    let_in = True
    for line in IGNORED:
        pattern = line.removeprefix("!").removeprefix("**/")
        above = (inside, *inside.parents)
        if any(one.match(pattern) if "**/" in line else fnmatchcase(str(one), pattern) for one in above):
            let_in = line.startswith("!")
    return let_in


def test_what_is_copied_is_there_and_let_in() -> None:
    copied = [part for word, rest in STEPS if word == "COPY" and "--from" not in rest for part in rest.split()[:-1]]
    assert len(copied) > 10
    for name in copied:
        assert (ROOT / name).exists(), name
        assert name == "." or _is_let_in(ROOT / name), name


def test_what_the_package_links_to_is_let_in() -> None:
    package = ROOT / "walletmodal"
    links = [path for path in (*package.glob("*"), *package.glob("commands/*/*")) if path.is_symlink()]
    assert links
    assert [link for link in links if not _is_let_in(link.resolve())] == []


def test_no_settings_and_no_data_are_let_in() -> None:
    compose = [f"docs/deployment/compose/{name}" for name in (".env", "walletmodal.env", "secrets/embedded_kek")]
    assert not any(_is_let_in(ROOT / name) for name in (".env", "data", ".git", ".venv", "tests", *compose))


def test_it_serves_as_nobodys_user_and_has_nothing_to_build_with() -> None:
    steps = dict(LAST)
    uid = steps["USER"].partition(":")[0]
    assert uid.isdecimal()
    assert int(uid) > 0
    assert f"chown {uid}:" in TEXT
    installed = [rest for word, rest in LAST if word == "RUN" and "apt-get install" in rest]
    assert not any(name in rest for rest in installed for name in ("venv", "node", "npm", "gcc", "git"))


def test_it_serves_the_modal_by_default() -> None:
    steps = dict(LAST)
    assert steps["ENTRYPOINT"] == '["walletmodal"]'
    assert steps["CMD"].strip('["]') in COMMANDS
    assert "/_health" in steps["HEALTHCHECK"]


def test_what_is_installed_in_it_is_no_larger_than_the_documentation_says() -> None:
    """Its largest part: the packages of Python, but what is compiled of them, as they are installed here from the same lock."""
    locked = {one.name for one in python_components(PYTHON_LOCK.read_text("utf-8"))} - BUILDERS
    found = [one for one in metadata.distributions() if one.name.lower().replace("_", "-") in locked]
    assert len(found) > 100
    sizes = [
        int(size or 0)
        for one in found
        for name, _, size in csv.reader((one.read_text("RECORD") or "").splitlines())
        if not name.endswith(".pyc")
    ]
    assert sum(sizes) < 280_000_000

"""Reflex's inside is used in one place."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import reflex as rx
from reflex.app import EventNamespace
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.redis import StateManagerRedis

from scripts.project import ROOT
from tests import (
    test_framework_app,
    test_framework_contracts,
    test_framework_language,
    test_framework_redis,
    test_framework_sessions,
    test_framework_sockets,
    test_framework_views,
)

INTERNALS = ROOT / "walletmodal" / "reflex_internals"
MODULES = sorted(path for path in INTERNALS.glob("*.py") if path.name != "__init__.py")
PRODUCT = ("walletmodal", "components", "scripts", "bench")
TOUCHING_STATES = (
    "walletmodal/features",
    "walletmodal/ui",
    "walletmodal/web",
    "walletmodal/walletmodal.py",
    "components",
)
LIBRARIES = ("reflex", "reflex_base", "socketio", "engineio")
ELSEWHERE = {
    name
    for name in re.findall(r"`([a-z_/]+\.py)`", (INTERNALS / "__init__.py").read_text())
    if not name.startswith("tests/")
}
UNDOCUMENTED = {"eio", "event_namespace", "event_processor", "parent_state", "sio", "state_manager", "substates"}
"""Names without an underscore that no documentation has."""


def private_names() -> set[str]:
    """What Reflex's classes have that begins with an underscore, also what only their instances have."""
    found = set(UNDOCUMENTED)
    for one in (
        rx.App,
        rx.State,
        rx.Component,
        rx.NoSSRComponent,
        EventNamespace,
        StateManagerMemory,
        StateManagerRedis,
    ):
        found |= {name for name in dir(one) if name.startswith("_")}
        for base in one.__mro__:
            if base.__module__.startswith("reflex"):
                found |= set(re.findall(r"\bself\.(_\w+)", inspect.getsource(base)))
    return {name for name in found if not name.startswith("__")}


def sources(*places: str) -> Iterator[tuple[str, ast.Module]]:
    for place in places:
        path = ROOT / place
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            name = file.relative_to(ROOT).as_posix()
            if "node_modules" not in name and INTERNALS not in file.parents and name not in ELSEWHERE:
                yield name, ast.parse(file.read_text())


def inside_imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
        yield from (name for name in names if name != "reflex" and name.split(".")[0] in LIBRARIES)


def private_uses(tree: ast.Module, private: set[str]) -> Iterator[str]:
    own = {
        target.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in private - own:
            yield f"{node.lineno}: .{node.attr}"
        elif isinstance(node, ast.ClassDef):
            methods = (one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
            yield from (f"{one.lineno}: def {one.name}" for one in methods if one.name in private)


def test_nothing_else_imports_what_is_not_public() -> None:
    assert {name: found for name, tree in sources(*PRODUCT) if (found := list(inside_imports(tree)))} == {}


def test_nothing_else_uses_a_private_name() -> None:
    private = private_names()
    assert {
        name: found for name, tree in sources(*TOUCHING_STATES) if (found := list(private_uses(tree, private)))
    } == {}


def test_what_stands_elsewhere_is_there() -> None:
    assert {name for name in ELSEWHERE if not (ROOT / name).is_file()} == set()


@pytest.mark.parametrize(
    "source",
    [
        "namespace._token_manager.is_token_connected(token)",
        "manager._purge_token(key)",
        "app.sio.eio.create_queue",
        "class View(rx.Component):\n    def _get_imports(self): pass",
        "class View(rx.State):\n    def _get_state_from_cache(self): pass",
    ],
)
def test_a_private_name_is_found(source: str) -> None:
    assert list(private_uses(ast.parse(source), private_names())) != []


@pytest.mark.parametrize("source", ["from reflex.state import State", "import reflex_base.event", "import engineio"])
def test_an_import_from_the_inside_is_found(source: str) -> None:
    assert list(inside_imports(ast.parse(source))) != []


def part(words: str, mark: str) -> str:
    found = re.search(rf"^{mark}: (.+?)(?=^(?:Why|Test|Dropped when): |\Z)", words, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_each_module_says_why_it_is_there_and_when_it_goes(module: Path) -> None:
    words = ast.get_docstring(ast.parse(module.read_text())) or ""
    assert [mark for mark in ("Why", "Test", "Dropped when") if not part(words, mark)] == []


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_each_module_has_a_test_of_the_frameworks_contract(module: Path) -> None:
    words = ast.get_docstring(ast.parse(module.read_text())) or ""
    named = re.findall(r"`(test_\w+)`", part(words, "Test"))
    files = (
        *(test_framework_app, test_framework_contracts, test_framework_language),
        *(test_framework_redis, test_framework_sessions, test_framework_sockets, test_framework_views),
    )
    contracts = {name for file in files for name in vars(file)}
    assert [name in contracts for name in named] == [True] * max(1, len(named))

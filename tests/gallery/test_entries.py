"""The list of the gallery is complete, and so are its baselines."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import reflex as rx

import walletmodal.features
from tests.gallery.looks import IN_EVERY_LOOK, PICTURES
from tests.gallery.pictures import BASELINES, baseline
from walletmodal.core.protocol.views import VIEWS
from walletmodal.features.account.state import Eip155State
from walletmodal.features.connecting.state import ConnectState
from walletmodal.features.gallery.entries import BY_ID, ENTRIES
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.pairing.state import PairingState

_FEATURES = Path(walletmodal.features.__file__ or "").parent


def _assigned(module: str, name: str) -> set[str]:
    """The texts that a feature's state class puts into one of its variables, directly or by way of another variable."""
    found: set[str] = set()
    for node in ast.walk(ast.parse((_FEATURES / f"{module}.py").read_text("utf-8"))):
        for target, value in _pairs(node):
            if name != (target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")):
                continue
            if isinstance(value, ast.Name) and value.id != name:
                found |= _assigned(module, value.id)
            found |= {
                part.value for part in ast.walk(value) if isinstance(part, ast.Constant) and isinstance(part.value, str)
            }
    return found


def _pairs(node: ast.AST) -> list[tuple[ast.expr, ast.expr]]:
    """What an assignment puts where; `a, b = c, d` gives two, and so does `self._put(a=c, b=d)`."""
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "_put":
        return [(ast.Name(keyword.arg), keyword.value) for keyword in node.keywords if keyword.arg]
    if isinstance(node, ast.AnnAssign) and node.value:
        return [(node.target, node.value)]
    if not isinstance(node, ast.Assign):
        return []
    pairs: list[tuple[ast.expr, ast.expr]] = []
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs += zip(target.elts, node.value.elts, strict=True)
        else:
            pairs.append((target, node.value))
    return pairs


def test_ids_are_unique() -> None:
    assert len(BY_ID) == len(ENTRIES)


@pytest.mark.parametrize("view", sorted(VIEWS))
def test_every_view_has_an_entry(view: str) -> None:
    shown = {entry.view for entry in ENTRIES}
    assert view in shown, "add an entry in walletmodal/features/gallery/entries_<feature>.py, which entries.py lists"


@pytest.mark.parametrize(
    ("module", "variable", "state"),
    [
        ("connecting/state", "phase", ConnectState),
        ("networks/state", "phase", NetworksState),
        ("account/state", "balance_state", Eip155State),
        ("pairing/state", "phase", PairingState),
    ],
)
def test_every_phase_that_a_state_can_reach_has_an_entry(module: str, variable: str, state: type[rx.State]) -> None:
    default = state.get_fields()[variable].default_value()
    shown = {entry.values.get(state, {}).get(variable, default) for entry in ENTRIES}
    reachable = _assigned(module, variable)
    assert len(reachable) > 1
    assert reachable <= shown


def test_every_photographed_entry_has_its_baselines_and_no_other_entry_has() -> None:
    wanted = {baseline(entry, look).name for look, entry in PICTURES}
    found = {path.name for path in BASELINES.iterdir()}
    assert found == wanted, "run: .venv/bin/python -m tests.gallery.update NAME, then look at the pictures"


def test_every_view_is_looked_at_in_every_look() -> None:
    assert BY_ID.keys() >= IN_EVERY_LOOK
    looked_at = {BY_ID[entry].view for entry in IN_EVERY_LOOK}
    assert looked_at == {entry.view for entry in ENTRIES}, "add an entry of the view to tests/gallery/looks.py"

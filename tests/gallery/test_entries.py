"""The list of the gallery is complete, and so are its baselines."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import reflex as rx

import walletmodal.features
from tests.gallery.pictures import BASELINES, baseline
from tests.gallery.stage import LOOKS
from walletmodal.core.views import BUILT_VIEWS
from walletmodal.features.account.state import Eip155State
from walletmodal.features.connect.state import ConnectState
from walletmodal.features.gallery.entries import BY_ID, ENTRIES
from walletmodal.features.networks.state import NetworksState

_FEATURES = Path(walletmodal.features.__file__ or "").parent


def _assigned(feature: str, name: str) -> set[str]:
    """The texts that a feature's state class puts into one of its variables."""
    found: set[str] = set()
    for node in ast.walk(ast.parse((_FEATURES / feature / "state.py").read_text("utf-8"))):
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
            pairs = (
                zip(target.elts, value.elts, strict=False)
                if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
                else [(target, value)]
            )
            for one, given in pairs:
                variable = one.attr if isinstance(one, ast.Attribute) else one.id if isinstance(one, ast.Name) else ""
                if variable == name:
                    found |= {
                        part.value
                        for part in ast.walk(given or ast.Pass())
                        if isinstance(part, ast.Constant) and isinstance(part.value, str)
                    }
    return found


def test_ids_are_unique() -> None:
    assert len(BY_ID) == len(ENTRIES)


@pytest.mark.parametrize("view", sorted(BUILT_VIEWS))
def test_every_built_view_has_an_entry(view: str) -> None:
    assert view in {entry.view for entry in ENTRIES}


@pytest.mark.parametrize(
    ("feature", "variable", "state"),
    [
        ("connect", "phase", ConnectState),
        ("networks", "phase", NetworksState),
        ("account", "balance_state", Eip155State),
    ],
)
def test_every_phase_that_a_state_can_reach_has_an_entry(feature: str, variable: str, state: type[rx.State]) -> None:
    default = state.get_fields()[variable].default_value()
    shown = {entry.values.get(state, {}).get(variable, default) for entry in ENTRIES}
    reachable = _assigned(feature, variable)
    assert len(reachable) > 1
    assert reachable <= shown


def test_every_photographed_entry_has_its_baselines_and_no_other_entry_has() -> None:
    wanted = {baseline(entry, look).name for entry in ENTRIES if entry.photographed for look in LOOKS}
    assert {path.name for path in BASELINES.iterdir()} == wanted

"""The order in which features hear of an event, and that no module needs another to have been imported before it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pytest

import walletmodal
from tests.driver import Driver
from tests.features.conftest import Rewire
from tests.features.namespaces import SOL, SOLANA, WALLETS, told
from walletmodal.features.bridge import wiring
from walletmodal.features.transactions.state import PendingState
from walletmodal.wiring import WIRING


@pytest.mark.parametrize("manager", ["memory"], indirect=True)
async def test_the_first_account_has_its_transactions_read_at_once(driver: Driver, every_chain: None) -> None:
    await driver.arrive(driver.init())
    await driver.tell(wallets=WALLETS, sessions={"solana": told(SOLANA, SOL)})
    assert (await driver.state(PendingState))._account == f"{SOL}:{SOLANA}"


def imported(path: Path, modules: Mapping[str, Path]) -> set[str]:
    """The modules that a module of the application imports when it is imported itself."""
    found: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in modules else str(node.module) for name in names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & modules.keys()


def test_no_imports_go_in_a_circle_so_that_any_module_can_be_imported_first() -> None:
    root = Path(walletmodal.__file__).parent
    paths = {
        ".".join(path.relative_to(root.parent).with_suffix("").parts).removesuffix(".__init__"): path
        for path in root.rglob("*.py")
    }
    graph = {name: imported(path, paths) for name, path in paths.items()}
    assert len(graph["walletmodal.walletmodal"]) > 10
    TopologicalSorter(graph).prepare()


def test_without_a_table_of_handlers_the_first_event_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiring, "_installed", [])
    with pytest.raises(RuntimeError, match=r"walletmodal\.wiring"):
        wiring.wiring()


@pytest.mark.parametrize("manager", ["memory"], indirect=True)
async def test_the_app_runs_the_handlers_in_the_order_of_the_table(driver: Driver, rewire: Rewire) -> None:
    heard: list[str] = []

    def handler(name: str) -> Any:
        async def hear(_state: Any) -> None:
            heard.append(name)

        return hear

    rewire(on_close=(handler("first"), *WIRING.on_close, handler("last")))
    await driver.arrive(driver.init())
    await driver.call("close")
    assert heard == ["first", "last"]

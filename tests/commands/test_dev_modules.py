"""Which modules a save has `walletmodal dev` import anew, and that they can be."""

import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from walletmodal.commands.dev_modules import Loaded, forget

MODULES = {
    "__init__": "",
    "views/__init__": "from shop.views.rows import row\n",
    "views/rows": "from .. import amounts\n\ndef row(): return amounts.WORD\n",
    "amounts": "WORD = 'one'\n",
    "chains/registry": "from importlib import import_module\n\ndef found(name): return import_module(f'{__package__}.{name}')\n",
    "chains/solana": "NAME = 'Solana'\n",
    "app": "from shop.chains.registry import found\n\ndef shown():\n    from shop.views import row\n    return row()\n",
}
REGISTERED = """
from prometheus_client import Counter
from sqlmodel import Field, SQLModel

SEEN = Counter("shop_seen", "What was seen: {word}")

class Row(SQLModel, table=True):
    __tablename__ = "shop_rows"
    id: int = Field(primary_key=True)
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package that can be imported, without its modules; nothing of it is there afterwards."""
    monkeypatch.syspath_prepend(tmp_path)
    folder = tmp_path / "shop"
    folder.mkdir()
    yield folder
    forget({name for name in sys.modules if name.partition(".")[0] == "shop"})


def write(folder: Path, modules: dict[str, str]) -> dict[str, str]:
    """Writes modules; their files by their names."""
    written = {}
    for path, text in modules.items():
        file = folder / f"{path}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
        written[f"shop.{path}".replace("/", ".").removesuffix(".__init__")] = str(file)
    return written


def save(file: Path, text: str) -> None:
    """Writes a module once more, at another time than before."""
    file.write_text(text, "utf-8")
    os.utime(file, ns=(0, 0))


def imported() -> ModuleType:
    importlib.invalidate_caches()
    return importlib.import_module("shop.app")


@pytest.fixture
def loaded(shop: Path) -> Loaded:
    found = Loaded(write(shop, MODULES))
    imported()
    return found


def test_without_a_save_all_stays(loaded: Loaded) -> None:
    assert loaded.outdated() == set()


def test_a_save_outdates_the_module_and_all_that_import_it(shop: Path, loaded: Loaded) -> None:
    save(shop / "amounts.py", "WORD = 'two'\n")
    assert loaded.outdated() == {"shop.amounts", "shop.views.rows", "shop.views", "shop.app"}


def test_what_a_module_imports_by_a_name_put_together_outdates_it(shop: Path, loaded: Loaded) -> None:
    save(shop / "chains" / "solana.py", "NAME = 'Sol'\n")
    assert loaded.outdated() == {"shop.chains.solana", "shop.chains.registry", "shop.app"}


def test_a_module_that_was_deleted_is_outdated(shop: Path, loaded: Loaded) -> None:
    (shop / "app.py").unlink()
    assert loaded.outdated() == {"shop.app"}


def test_what_is_outdated_is_imported_anew_and_nothing_else(shop: Path, loaded: Loaded) -> None:
    assert imported().shown() == "one"
    registry = sys.modules["shop.chains.registry"]
    save(shop / "amounts.py", "WORD = 'two'\n")
    forget(loaded.outdated())
    assert imported().shown() == "two"
    assert sys.modules["shop.chains.registry"] is registry


@pytest.mark.filterwarnings("ignore:This declarative base already contains a class")
def test_what_can_be_registered_once_can_be_imported_anew(shop: Path) -> None:
    loaded = Loaded(write(shop, {"__init__": "", "app": REGISTERED.format(word="first")}))
    imported()
    save(shop / "app.py", REGISTERED.format(word="second"))
    forget(loaded.outdated())
    assert imported().SEEN is not None
